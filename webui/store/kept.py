"""The open database of an application."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

from flask import current_app
from flask.blueprints import BlueprintSetupState
from flask.sansio.app import App
from sqlalchemy import Connection

from webui.store import DamagedDatabase, Store, backup, sqlite_url

EXTENSION = "paiyan_store"
COPIES = "backups"
"""Folder, in the data folder, of the copies that are made before the tables change."""

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
            _bring_up(store, Path(str(app.config["DATA_DIR"])))
        except DamagedDatabase as error:
            store.fault = error
            app.extensions[UNUSABLE] = error


def _bring_up(store: Store, folder: Path) -> None:
    """Migrate the database, after a copy of it, and end what was begun when a backup was brought back."""

    def copied(connection: Connection, found: str) -> None:
        copies = folder / COPIES
        copies.mkdir(exist_ok=True, mode=0o700)
        backup.copy(connection, copies / f"before-update-from-{found}-{datetime.now():%Y%m%d-%H%M%S}.zip")

    store.migrate(copied)
    backup.settle(store, folder)


def opened(app: App) -> Store:
    """The database of an application, usable or not."""
    found: Store = app.extensions[EXTENSION]
    return found


def of_folder(folder: Path) -> Store:
    """The database that a command works on, brought up to date: PAIYAN_DATABASE_URL, or the file in a data folder."""
    store = Store(os.environ.get("PAIYAN_DATABASE_URL") or sqlite_url(folder))
    _bring_up(store, folder)
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
    """The database of the application that answers this request; raises `DamagedDatabase`."""
    if UNUSABLE in current_app.extensions:
        raise current_app.extensions[UNUSABLE]
    found: Store = current_app.extensions[EXTENSION]
    return found
