# What a person types here; `make help` lists it. Everything lives in .venv beside this file.

VENV ?= .venv
BIN = $(VENV)/bin
# The newest Python that really runs and can make an environment (a name on the path may be a shim for nothing).
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3 python; do \
	$$p -c 'import ensurepip, venv, sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && { echo $$p; break; }; done)
# -qq: no progress, no notices; errors are still shown.
PIP = $(BIN)/python -m pip install -qq --disable-pip-version-check -c constraints.txt
# Extra words for the command behind a target: make test ARGS="tests/cli -x"
ARGS ?=

.PHONY: help serve test check types coverage e2e kill-test load hostile fuzz watched wheel bench-score bench-seeing translations screenshots clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

serve: $(VENV)/.serve ## open the page on this computer
	@$(BIN)/paiyan serve $(ARGS)

test: $(VENV)/.test ## run the tests (needs nothing but what pip brings)
	@$(BIN)/python -m pytest -n auto --dist worksteal $(ARGS)

check: $(VENV)/.check ## format, lint, types, then the tests once
	@$(BIN)/ruff format --check --quiet . || { echo "Run: $(BIN)/ruff format ."; exit 1; }
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy
	@$(MAKE) --no-print-directory test

coverage: $(VENV)/.test ## run the tests and list the lines that none of them reaches
	@$(BIN)/python -m pytest --cov --cov-report=term $(ARGS)

e2e: $(VENV)/.e2e ## the page in a real browser, and on PostgreSQL
	@BIN=$(BIN) bash .ci/e2e $(ARGS)

types: ## check the types of the page's scripts (needs npm)
	@npx --yes --package typescript tsc -p jsconfig.json

kill-test: $(VENV)/.test ## kill the server 200 times while two browsers write; nothing may be lost or doubled
	@$(BIN)/python -m tests.kill_test $(ARGS)

hostile: $(VENV)/.test ## files and requests that mean harm, by HTTP and the command line: what broke, how long, how much
	@$(BIN)/python -m tests.hostile $(ARGS)

fuzz: $(VENV)/.fuzz ## let machines try: atheris on what takes bytes, schemathesis on the API (ARGS="photo --seconds 60")
	@$(BIN)/python -m tests.hostile.fuzz $(ARGS)

watched: $(VENV)/.test ## run everything under strace: which names are asked, what is connected to, what is written where
	@$(BIN)/python -m tests.watched $(ARGS)

load: $(VENV)/.test ## eight clients send photos for two minutes while another sends what means harm
	@$(BIN)/python -m tests.load $(ARGS)

wheel: $(VENV)/.check ## build dist/paiyan-*.whl
	@rm -rf build dist
	@$(BIN)/python -m build --wheel --outdir dist . >/dev/null
	@ls dist/*.whl

bench-score: $(VENV)/.bench ## how fast hands are counted
	@$(BIN)/python -m tests.bench_score $(ARGS)

bench-seeing: $(VENV)/.test ## how fast photos are read
	@$(BIN)/python -m tests.bench_seeing $(ARGS)

translations: $(VENV)/.serve ## collect the page's texts and compile the catalogues
	@$(BIN)/pybabel -q extract -F webui/translations/babel.cfg --no-location --sort-output -o webui/translations/messages.pot webui
	@$(BIN)/pybabel -q update -i webui/translations/messages.pot -d webui/translations --no-fuzzy-matching \
		--ignore-obsolete --ignore-pot-creation-date --width 110
	@$(BIN)/pybabel -q compile -d webui/translations

screenshots: $(VENV)/.e2e ## take README's pictures from the running program
	@BIN=$(BIN) bash .ci/e2e --screenshots

clean: ## remove everything that was made here
	@rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage htmlcov screenshots
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Each stamp is an environment that holds at least what its name needs; a second run finds it up to date.
$(VENV)/.made:
	@if [ -z "$(PYTHON)" ]; then \
		echo "paiyan needs Python 3.11 or newer with its venv module (on Debian: apt install python3-venv)." >&2; exit 2; fi
	@echo "Making the environment in $(VENV) with $(PYTHON) (once, a minute or two) …"
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.serve: $(VENV)/.made pyproject.toml constraints.txt
	@$(PIP) -e .
	@touch $@

$(VENV)/.test: $(VENV)/.made pyproject.toml constraints.txt
	@$(PIP) -e '.[test]'
	@touch $@ $(VENV)/.serve

$(VENV)/.check: $(VENV)/.made pyproject.toml constraints.txt
	@$(PIP) -e '.[test,check,e2e]'
	@touch $@ $(VENV)/.e2e $(VENV)/.test $(VENV)/.serve

$(VENV)/.e2e: $(VENV)/.made pyproject.toml constraints.txt
	@$(PIP) -e '.[test,e2e]'
	@touch $@ $(VENV)/.test $(VENV)/.serve

$(VENV)/.fuzz: $(VENV)/.made pyproject.toml constraints.txt
	@$(PIP) -e '.[test,fuzz]'
	@touch $@ $(VENV)/.test $(VENV)/.serve

$(VENV)/.bench: $(VENV)/.made pyproject.toml constraints.txt
	@$(PIP) -e '.[test,bench]'
	@touch $@ $(VENV)/.test $(VENV)/.serve
