"""The house: who may import whom, what the wheel holds, what the repository must not hold."""

from __future__ import annotations

import ast
import hashlib
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("scorer", "models", "vision", "webui")
MAY_IMPORT = {
    "scorer": set(),
    "models": set(),
    "vision": {"models", "scorer"},
    "webui": {"vision", "scorer"},
}
TRAINING = ROOT / "models" / "training"
MAX_FILE_BYTES = 5_000_000
MAX_WEIGHTS_BYTES = 10_000_000
# In pieces, or this file would hold what it looks for.
REGISTRIES = [
    "pypi" + ".org",
    "python" + "hosted.org",
    "registry.npm" + "js",
    "deb.debian" + ".org",
    "index" + "-url",
    "find" + "-links",
]


@cache
def files() -> list[Path]:
    """Everything that is, or would be, in the repository."""
    if (ROOT / ".git").exists():
        listed = subprocess.run(
            ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True, check=True
        )
        found = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
        return [path for path in found if path.is_file()]
    return [path for path in ROOT.rglob("*") if path.is_file() and ".venv" not in path.parts]


def python_files(room: str) -> list[Path]:
    return [path for path in files() if path.suffix == ".py" and path.relative_to(ROOT).parts[0] == room]


def imported(path: Path) -> set[str]:
    """The first names of everything that a file imports, also inside functions."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").partition(".")[0] if not node.level else path.parent.name)
    return names


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_import_only_what_they_may(room: str) -> None:
    sources = [path for path in python_files(room) if TRAINING not in path.parents]
    assert sources
    wrong = {
        str(path.relative_to(ROOT)): bad
        for path in sources
        if (bad := (imported(path) & {*ROOMS, "tests", "datasets"}) - MAY_IMPORT[room] - {room})
    }
    assert not wrong


def modules_imported(path: Path, known: set[str]) -> set[str]:
    """Our modules that a file imports, also inside functions."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found & known


@pytest.mark.parametrize("room", ROOMS)
def test_no_two_modules_import_each_other(room: str) -> None:
    paths = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts): path
        for path in python_files(room)
        if path.name != "__init__.py"
    }
    wanted = {name: modules_imported(path, set(paths)) for name, path in paths.items()}
    assert not [(name, other) for name in wanted for other in wanted[name] if name in wanted[other]]


@pytest.mark.parametrize("room", ROOMS)
def test_only_training_imports_torch(room: str) -> None:
    heavy = {"torch", "torchvision", "onnx", "fontTools"}
    users = [p for p in python_files(room) if imported(p) & heavy and TRAINING not in p.parents]
    assert not users


def test_rooms_need_no_training_code() -> None:
    pattern = re.compile(r"^\s*(from|import) models\.training", re.MULTILINE)
    outside = [path for room in ROOMS for path in python_files(room) if TRAINING not in path.parents]
    assert not [path for path in outside if pattern.search(path.read_text(encoding="utf-8"))]


def test_datasets_is_no_package() -> None:
    assert not [
        path for path in files() if path.suffix == ".py" and "datasets" in path.relative_to(ROOT).parts
    ]


def test_every_dependency_is_declared() -> None:
    """What the rooms import at run time stands in pyproject.toml, or comes with it; `--dask` is an extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["dask"]]
    declared = {re.split(r"[<>=\[]", name)[0].replace("-", "_") for name in wanted}
    comes_as = {"cv2": "opencv_python_headless", "PIL": "pillow"}
    brought = {"click", "itsdangerous", "markupsafe", "werkzeug", "jinja2", "babel", "wtforms"}
    used = {
        name
        for room in ROOMS
        for path in python_files(room)
        if TRAINING not in path.parents
        for name in imported(path)
    }
    ours = {*ROOMS, "__future__", *sys.stdlib_module_names}
    assert not {comes_as.get(name, name) for name in used - ours} - declared - brought


def test_every_pinned_version_is_plain() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert len(pins) > 30
    assert not [line for line in pins if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.]+", line)]


def test_no_registry_is_named() -> None:
    text_files = [
        path for path in files() if path.suffix not in {".onnx", ".jpg", ".png", ".webp", ".mo", ".heic"}
    ]
    texts = {path: path.read_text(encoding="utf-8", errors="replace") for path in text_files}
    assert not [(path, name) for path, text in texts.items() for name in REGISTRIES if name in text]


def test_no_file_is_large() -> None:
    """Weights have a limit of their own, all of them together."""
    large = [path for path in files() if path.stat().st_size > MAX_FILE_BYTES]
    assert not [path for path in large if path.suffix != ".onnx"]


def test_weights_are_those_of_the_manifest_and_small() -> None:
    weights = [path for path in files() if path.suffix == ".onnx"]
    assert sum(path.stat().st_size for path in weights) < MAX_WEIGHTS_BYTES
    manifest = tomllib.loads((ROOT / "models" / "manifest.toml").read_text(encoding="utf-8"))
    listed = {row["file"]: row["sha256"] for row in manifest.values()}
    assert {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in weights} == listed


def test_every_table_loads() -> None:
    tables = [path for path in files() if path.suffix == ".toml"]
    assert len(tables) > 5
    for path in tables:
        assert tomllib.loads(path.read_text(encoding="utf-8")), path


def test_every_setting_is_described() -> None:
    named = re.compile(r"PAIYAN_[A-Z_]+[A-Z]")
    users = [
        path
        for path in files()
        if path.suffix in {".py", ".mjs", ".js"} or path.name in {"Makefile", "e2e", "run"}
    ]
    settings = {name for path in users for name in named.findall(path.read_text(encoding="utf-8"))}
    pages = [(ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "CONTRIBUTING.md")]
    described = {name for page in pages for name in named.findall(page)}
    assert settings - described == set()
    assert described - settings == set(), "described, but nothing reads it"


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_pages_name_only_files_that_there_are(name: str) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", (ROOT / name).read_text(encoding="utf-8"))
    assert not [link for link in links if not (ROOT / link).exists()]


def test_licence_and_version_stand_in_the_project_file() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["license"] == "MIT"
    assert "Private :: Do Not Upload" in project["classifiers"]
    assert project["scripts"] == {"paiyan": "webui.cli:main"}
    assert f"## {project['version']}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def wheel_names(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Names in a wheel built from the repository's files alone, in a folder of its own."""
    tree = tmp_path_factory.mktemp("tree")
    for path in files():
        copy = tree / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-qq",
        "--no-deps",
        "--wheel-dir",
        str(tree / "out"),
        str(tree),
    ]
    built = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    assert built.returncode == 0, built.stderr
    (wheel,) = (tree / "out").glob("paiyan-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.mark.slow
def test_wheel_holds_every_file_of_the_rooms(wheel_names: set[str]) -> None:
    left_out = {".md", ".cfg", ".pot"}
    wanted = {
        str(path.relative_to(ROOT))
        for path in files()
        if path.relative_to(ROOT).parts[0] in ROOMS
        and TRAINING not in path.parents
        and path.suffix not in left_out
    }
    assert wanted - wheel_names == set()


@pytest.mark.slow
def test_wheel_holds_nothing_else(wheel_names: set[str]) -> None:
    assert {name.partition("/")[0].partition("-")[0] for name in wheel_names} == {*ROOMS, "paiyan"}
    assert not [name for name in wheel_names if name.startswith("models/training")]
