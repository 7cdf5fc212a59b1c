"""The page of paiyan: scan, check, score, games and decks on a phone, and the same as JSON."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

# Everything heavy is imported when an application is made, so that the command line starts at once.
if TYPE_CHECKING:
    from flask import Flask

    from webui.scanning.apart import Recogniser

MAX_REQUEST_BYTES = 80 * 1024 * 1024
"""A whole request: six photos of the 12 MB that one photo may have, and the form around them."""

MAX_FORM_PARTS = 64
"""Parts of one form; six photos and their fields need fewer than twenty."""


def data_folder() -> Path:
    """The folder of the user's data: PAIYAN_DATA, or what the platform has for it; made when missing."""
    folder = Path(os.environ.get("PAIYAN_DATA") or platformdirs.user_data_dir("paiyan"))
    make_private(folder)
    return folder


def make_private(folder: Path) -> None:
    """Make a folder where it is missing, for its owner alone: what it holds is nobody else's business."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)


def trusted_hosts(names: Iterable[str]) -> list[str]:
    """`names` and those of PAIYAN_TRUSTED_HOSTS, as Flask's TRUSTED_HOSTS wants them: IPv6 in brackets."""
    extra = [name.strip() for name in os.environ.get("PAIYAN_TRUSTED_HOSTS", "").split(",")]
    return [f"[{name}]" if ":" in name else name for name in [*names, *extra] if name]


def create_app(config: Mapping[str, object] | None = None, *, reader: Recogniser | None = None) -> Flask:
    """Make the application.

    Parameters
    ----------
    config
        Flask settings that win over the defaults; `DATA_DIR` (a path) replaces the data folder.
    reader
        What reads the photos, any object with the `read` of `vision.Reader`; by default that one,
        loaded at the first photo.
    """
    from flask import Flask
    from flask_wtf.csrf import CSRFProtect

    from webui import decks, examples, games
    from webui.access import headers
    from webui.access.secrets import secret_key
    from webui.language import languages
    from webui.scanning import api, openapi, scan
    from webui.scanning.recognise import EXTENSION, Gate
    from webui.shell import app as shell
    from webui.shell import faces_svg, failures, limits, look, packing
    from webui.shell.outside import OutsideJson, SmallNumber

    app = Flask(__name__)
    app.json = OutsideJson(app)
    app.url_map.converters["int"] = SmallNumber
    app.config.from_mapping(
        MAX_CONTENT_LENGTH=MAX_REQUEST_BYTES,
        MAX_FORM_PARTS=MAX_FORM_PARTS,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_NAME="paiyan",
        TRUSTED_HOSTS=trusted_hosts(["localhost", "127.0.0.1", "::1"]),
        WTF_CSRF_TIME_LIMIT=None,
        READ_AT_ONCE=1,
        READ_WAITING=4,
    )
    app.config.from_mapping(config or {})
    folder = Path(str(app.config.setdefault("DATA_DIR", None) or data_folder()))
    make_private(folder)
    app.config["DATA_DIR"] = folder
    if not app.config.get("SECRET_KEY"):
        app.config["SECRET_KEY"] = secret_key(folder)
    limits.init_app(app)
    csrf = CSRFProtect(app)
    app.extensions[EXTENSION] = Gate(reader, app.config["READ_AT_ONCE"], app.config["READ_WAITING"])
    languages.init_app(app)
    headers.init_app(app)
    packing.init_app(app)
    look.init_app(app)
    failures.init_app(app)
    for room in (scan, api, openapi, games, decks, examples, faces_svg, shell):
        app.register_blueprint(room.blueprint)
    csrf.exempt(api.blueprint)
    return app
