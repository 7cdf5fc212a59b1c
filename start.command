#!/bin/sh
# A double click on macOS (or ./start.command on Linux): set up once, then open the page in the browser.
cd "$(dirname "$0")" || exit 2
here=.venv
for python in python3.14 python3.13 python3.12 python3.11 python3; do
    "$python" -c 'import ensurepip, venv, sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && break
    python=
done
if [ ! -x "$here/bin/paiyan" ] || ! cmp -s pyproject.toml "$here/installed.toml"; then
    if [ -z "$python" ]; then
        echo "paiyan needs Python 3.11 or newer: install it from python.org, then open this file again." >&2
        exit 2
    fi
    echo "Setting paiyan up with $python (once, a minute or two) …"
    { [ -x "$here/bin/python" ] || "$python" -m venv "$here"; } &&
        "$here/bin/python" -m pip install -qq --disable-pip-version-check -c constraints.txt -e . &&
        cp pyproject.toml "$here/installed.toml" || exit 2
fi
exec "$here/bin/paiyan" serve --open "$@"
