"""Commands that keep what is kept: a backup, bringing one back, the devices that were let in."""

from __future__ import annotations

import time
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from webui.commands.terminal import CommandError, print_json, table

# The store is imported by the commands that need it: `paiyan --help` answers at once.
if TYPE_CHECKING:
    from webui.store import Store
    from webui.store.backup import Contents

FILE = click.argument("file", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE")


@click.command()
@FILE
def backup(file: Path) -> None:
    """Write games, decks, their prints and kept examples into one FILE, also while the page is open."""
    from webui import data_folder
    from webui.decks.changing import changing
    from webui.store import backup as backups
    from webui.store import kept

    folder = data_folder()
    with closing(kept.of_folder(folder)) as store, changing(folder / "decks"):
        click.echo(f"{file}: {_said(backups.write(store, folder, file))}")


@click.command()
@FILE
@click.option("--yes", is_flag=True, help="Replace what is here without being asked.")
def restore(file: Path, yes: bool) -> None:
    """Bring a backup back: all of it, or nothing where that can't be. What is here is replaced, after a question."""
    from webui import data_folder
    from webui.store import backup as backups

    folder = data_folder()
    with backups.opened(file) as (_, contents):
        pass
    with closing(_target(folder, yes)) as store:
        if not backups.is_empty(store, folder) and not yes:
            question = f"Replace all games and decks that are here by {_said(contents)}?"
            if not click.confirm(question, err=True):
                raise CommandError("not_replaced", "nothing was changed")
        click.echo(f"{file}: brought back {_said(backups.restore(store, folder, file))}")


def _target(folder: Path, yes: bool) -> Store:
    """The database to bring a backup back into; a damaged file is put aside, after a question, and a new one begun."""
    from webui.store import DamagedDatabase, kept

    try:
        store = kept.of_folder(folder)
        if store.fault is None:
            return store
        damage = store.fault
        store.close()
    except DamagedDatabase as error:
        damage = error
    file = Path(damage.database)
    if not file.is_file():
        raise damage
    if not yes and not click.confirm(f"{file} is damaged. Put it aside and begin a new one?", err=True):
        raise CommandError("not_replaced", "nothing was changed")
    aside = f"damaged-{datetime.now():%Y%m%d-%H%M%S}"
    for part in (file, *(file.with_name(file.name + end) for end in ("-wal", "-shm"))):
        if part.exists():
            part.rename(part.with_name(f"{part.name}.{aside}"))
    return kept.of_folder(folder)


def _said(contents: Contents) -> str:
    """What a backup holds, in words."""
    rows = contents.rows
    counts = [
        (rows.get("game_table", 0), "table"),
        (rows.get("deck", 0), "deck"),
        (rows.get("example", 0), "example"),
    ]
    words = [f"{number} {word}{'' if number == 1 else 's'}" for number, word in counts]
    return ", ".join(words) + f", {contents.files} files of prints"


@click.command()
@click.option(
    "--forget",
    multiple=True,
    metavar="ID",
    help="Let this device in no more; may be said again.",
)
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def devices(forget: tuple[str, ...], as_json: bool) -> None:
    """List the devices that were let in with a pairing code, or forget some."""
    from webui import data_folder
    from webui.store import devices as paired
    from webui.store import kept

    with closing(kept.of_folder(data_folder())) as store:
        for device_id in forget:
            if not paired.forget(store, device_id):
                raise CommandError("unknown_device", f"no device has the number {device_id}")
        found = paired.listed(store)
    if as_json:
        print_json([vars(one) for one in found])
    elif found:
        click.echo(table([(one.id, one.name, f"seen {_day(one.seen_ms)}") for one in found], indent=""))
    else:
        click.echo("no device is paired")


def _day(at_ms: int) -> str:
    return time.strftime("%Y-%m-%d", time.localtime(at_ms / 1000))
