"""Commands around photos that are kept to measure with: list, show, delete, give away, take in, check."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from webui.commands.options import PHOTO, json_option
from webui.commands.terminal import CommandError, print_json, table

# The store and vision are imported by the commands that need them: `paiyan --help` answers at once.
if TYPE_CHECKING:
    from webui.store.engine import Store
    from webui.store.examples import Example


@contextmanager
def opened() -> Iterator[Store]:
    """The user's database."""
    from webui import data_folder
    from webui.store import kept

    store = kept.of_folder(data_folder())
    try:
        yield store
    finally:
        store.close()


@click.group()
def examples() -> None:
    """Photos that are kept to measure with; the page keeps one where you ask it to."""


def _row(one: Example) -> dict[str, Any]:
    photo = one.photo
    return {
        "id": one.id,
        "deck": one.deck,
        "name": one.name,
        "cards": len(photo.cards),
        "light": photo.groups[0].removeprefix("light "),
        "source": one.source,
        "created_ms": one.created_ms,
    }


@examples.command("list")
@click.option("--deck", "name", metavar="NAME", help="Only photos of the deck of this name.")
@json_option
def list_(name: str | None, as_json: bool) -> None:
    """List the kept photos."""
    from webui.store.examples import listed

    with opened() as store:
        rows = [_row(one) for one in listed(store, name)]
    if as_json:
        print_json({"examples": rows})
    elif rows:
        click.echo(
            table(
                [
                    [r["id"], r["name"] or r["deck"], f"{r['cards']} cards", r["light"], r["source"]]
                    for r in rows
                ]
            )
        )
    else:
        click.echo("no photo is kept")


@examples.command()
@click.argument("example_id", metavar="ID")
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Write the photo there."
)
@json_option
def show(example_id: str, out: Path | None, as_json: bool) -> None:
    """Say what lies on a kept photo."""
    import scorer
    from webui.commands.plain import card_name
    from webui.store.examples import load, picture

    with opened() as store:
        found = load(store, example_id)
        data = picture(store, example_id)
    if out:
        _write(out, data)
    if as_json:
        print_json({**_row(found), "coco": found.coco})
        return
    deck = scorer.deck(found.deck)
    names = " ".join(card_name(deck, card.code) for card in found.photo.cards)
    click.echo(f"{found.id}: {found.name or deck.name.hans}, {len(found.photo.cards)} cards\n  {names}")


@examples.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
def delete(ids: tuple[str, ...]) -> None:
    """Delete kept photos, and what was measured on them."""
    from webui.store.examples import load, remove

    with opened() as store:
        for one in ids:
            load(store, one)  # all or none: a wrong id ends it before anything is gone
        for one in ids:
            remove(store, one)
    click.echo(f"{len(ids)} deleted")


@examples.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.argument("ids", nargs=-1, metavar="[ID...]")
@click.option(
    "--licence", type=click.Choice(("CC0", "CC-BY-4.0")), required=True, help="Under which they are given."
)
@click.option("--blur", is_flag=True, help="Blur what is no card.")
def export(file: Path, ids: tuple[str, ...], licence: str, blur: bool) -> None:
    """Pack your kept photos, or some of them, into a ZIP file to give away.

    They are cut to their cards; names, places, times and cameras are not in it. Look at every picture before you hand
    the file on; the page shows them, too.
    """
    from webui.examples.giving import own, prepared
    from webui.examples.package import SHORT, pack
    from webui.store.examples import household

    with opened() as store:
        mine = own(store)
        unknown = set(ids) - {one.id for one in mine}
        if unknown:
            raise CommandError("unknown_example", f"there is no photo {sorted(unknown)[0]} of your own")
        chosen = [one for one in mine if not ids or one.id in ids]
        if not chosen:
            raise CommandError("no_examples", "no photo of your own is kept")
        photos = prepared(store, chosen, blurred=blur)
        packed = pack(photos, SHORT[licence], household(store))
    _write(file, packed)
    click.echo(f"{file}: {_photos(len(photos))} under {SHORT[licence]}")


@examples.command("import")
@click.argument("file", type=PHOTO)
def import_(file: Path) -> None:
    """Keep the photos of somebody's package beside your own."""
    import time

    from webui.examples.giving import take_in

    found = _unpacked(file)
    with opened() as store:
        number = take_in(store, found, int(time.time() * 1000))
    click.echo(f"{_photos(number)} taken in, under {found.licence}")


@examples.command()
@click.argument("file", type=PHOTO)
@json_option
def check(file: Path, as_json: bool) -> None:
    """Say whether a file is a package that others can use, and what is in it."""
    found = _unpacked(file)
    cards = sum(len(one.photo.cards) for one in found.photos)
    if as_json:
        decks = sorted({one.photo.deck for one in found.photos})
        print_json(
            {
                "licence": found.licence,
                "household": found.household,
                "photos": len(found.photos),
                "cards": cards,
                "decks": decks,
            }
        )
        return
    click.echo(
        f"{file}: {_photos(len(found.photos))} with {cards} cards under {found.licence}, in good order"
    )


def _unpacked(file: Path) -> Any:
    from webui.commands.photos import file_bytes
    from webui.examples.package import unpack

    return unpack(file_bytes(file))


def _photos(number: int) -> str:
    return f"{number} photo{'' if number == 1 else 's'}"


def _write(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise CommandError("unwritable", f"{path} cannot be written: {error.strerror}") from error


def measured(name: str | None) -> tuple[Sequence[Example], Any]:
    """The kept photos, of one deck or all, and the report on them; what was not measured yet is read first."""
    import time

    from webui.commands import readers
    from webui.commands.terminal import bar
    from webui.examples.figures import report
    from webui.examples.measuring import measure
    from webui.scanning.recognise import Gate
    from webui.store.examples import answers, listed

    with opened() as store:
        there = listed(store, name)
        if not there:
            raise CommandError(
                "no_examples", "no photo is kept to measure with" + (f" of {name}" if name else "")
            )
        left = report(there, answers(store)).unmeasured
        door = Gate(readers.open_reader(), 1, 0) if left else None
        with bar("measuring") as draw:
            for done, one in enumerate([one for one in there if one.id in left]):
                draw(done, len(left))
                assert door is not None
                measure(store, door, one, int(time.time() * 1000))
        return there, report(there, answers(store))
