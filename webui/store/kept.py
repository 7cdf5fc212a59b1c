"""The open database of an application."""

from __future__ import annotations

import os
from pathlib import Path

from flask import current_app
from flask.blueprints import BlueprintSetupState
from flask.sansio.app import App

from webui.store import DamagedDatabase, Store, sqlite_url

EXTENSION = "paiyan_store"
UNUSABLE = "paiyan_store_unusable"


def on_register(state: BlueprintSetupState) -> None:
    """Open and migrate the database when the first blueprint that needs it is registered.

    One that is damaged stops nothing but what needs it: that is told so by `store`.
    """
    app = state.app
    if EXTENSION not in app.extensions:
        store = Store(_url(app))
        app.extensions[EXTENSION] = store
        try:
            store.migrate()
        except DamagedDatabase as error:
            store.fault = error
            app.extensions[UNUSABLE] = error


def opened(app: App) -> Store:
    """The database of an application, usable or not."""
    found: Store = app.extensions[EXTENSION]
    return found


def _url(app: App) -> str:
    """`DATABASE_URL` of the settings, PAIYAN_DATABASE_URL, or the SQLite file of the data folder."""
    given = app.config.get("DATABASE_URL") or os.environ.get("PAIYAN_DATABASE_URL")
    if given:
        return str(given)
    folder = Path(str(app.config["DATA_DIR"]))
    folder.mkdir(parents=True, exist_ok=True)
    return sqlite_url(folder)


def store() -> Store:
    """The database of the application that answers this request; raises `DamagedDatabase`."""
    if UNUSABLE in current_app.extensions:
        raise current_app.extensions[UNUSABLE]
    found: Store = current_app.extensions[EXTENSION]
    return found
