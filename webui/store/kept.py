"""The open database of an application."""

from __future__ import annotations

import os
from pathlib import Path

from flask import current_app
from flask.blueprints import BlueprintSetupState
from flask.sansio.app import App

from webui.store import Store, sqlite_url

EXTENSION = "paiyan_store"


def on_register(state: BlueprintSetupState) -> None:
    """Open and migrate the database when the first blueprint that needs it is registered."""
    app = state.app
    if EXTENSION not in app.extensions:
        store = Store(_url(app))
        store.migrate()
        app.extensions[EXTENSION] = store


def of_folder(folder: Path) -> Store:
    """The database that a command works on, brought up to date: PAIYAN_DATABASE_URL, or the file in a data folder."""
    store = Store(os.environ.get("PAIYAN_DATABASE_URL") or sqlite_url(folder))
    store.migrate()
    return store


def _url(app: App) -> str:
    """`DATABASE_URL` of the settings, PAIYAN_DATABASE_URL, or the SQLite file of the data folder."""
    given = app.config.get("DATABASE_URL") or os.environ.get("PAIYAN_DATABASE_URL")
    if given:
        return str(given)
    folder = Path(str(app.config["DATA_DIR"]))
    folder.mkdir(parents=True, exist_ok=True)
    return sqlite_url(folder)


def store() -> Store:
    """The database of the application that answers this request."""
    found: Store = current_app.extensions[EXTENSION]
    return found
