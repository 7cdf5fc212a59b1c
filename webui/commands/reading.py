"""Commands that look at photos: read and catalogue."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from webui.commands import readers
from webui.commands.options import PHOTO, deck_option, json_option, same_option, taught_option
from webui.commands.terminal import USAGE_STATUS, CommandError, print_json, progress, sentence

# vision and scorer are imported by the commands that need them: `paiyan --help` answers at once.
if TYPE_CHECKING:
    import vision
    from webui.commands.photos import Failed


@click.command()
@click.argument("photos", nargs=-1, required=True, type=PHOTO, metavar="PHOTO...")
@deck_option
@taught_option
@same_option
@json_option
def read(photos: tuple[Path, ...], deck: str, taught: str, same: bool, as_json: bool) -> int:
    """Say which cards lie in each PHOTO.

    A photo that can't be read is named and the others are still read; the exit status is then 2. With --same the
    photos are read as one, and a photo that shows other cards by itself.
    """
    import vision
    from webui.commands import plain
    from webui.commands.photos import Failed

    status = 0
    for found in together(photos, deck, taught) if same else _readings(photos, deck, taught):
        if isinstance(found, Failed):
            status = USAGE_STATUS
            show_failed(found, as_json)
        elif as_json:
            print_json(vision.reading_json(found))
        else:
            click.echo(plain.reading_text(vision.reading_json(found)))
        sys.stdout.flush()
    return status


def _readings(
    photos: Sequence[Path], deck: str, taught: str, dask: str | None = None
) -> Iterable[vision.Reading | Failed]:
    from webui.commands.photos import read_photos
    from webui.commands.spread import read_spread

    results = (
        read_spread(photos, dask, deck=deck, taught=taught)
        if dask
        else read_photos(
            photos, readers.open_reader, deck=deck, taught=taught, taught_dir=readers.taught_dir()
        )
    )
    return progress(results, len(photos), "reading")


def together(photos: Sequence[Path], deck: str, taught: str) -> tuple[vision.Reading, ...]:
    """The reading of photos of the same cards, and one of each photo that shows others; a failing photo ends it."""
    import vision
    from webui.commands.photos import file_bytes

    data, names = [file_bytes(path) for path in photos], [str(path) for path in photos]
    try:
        return readers.open_reader().read_together(
            data, names=names, deck=deck, taught=taught, taught_dir=readers.taught_dir()
        )
    except vision.PhotoError as error:
        raise CommandError(error.code, str(error)) from error


def show_failed(failed: Failed, as_json: bool = False) -> None:
    """Say why a photo could not be read, beside the others."""
    if as_json:
        print_json(failed.json())
    place = "" if failed.file in failed.message else f"{failed.file}: "
    click.echo(f"paiyan: {place}{sentence(failed.message)}", err=True)


def all_readings(
    photos: Sequence[Path], deck: str, taught: str, dask: str | None = None
) -> list[vision.Reading]:
    """Every photo's reading; the first one that fails ends the command, since a part is no hand and no deck."""
    from webui.commands.photos import Failed

    readings: list[vision.Reading] = []
    for found in _readings(photos, deck, taught, dask):
        if isinstance(found, Failed):
            place = "" if found.file in found.message else f"{found.file}: "
            raise CommandError(found.code, f"{place}{found.message}")
        readings.append(found)
    return readings


def same_cards(photos: Sequence[Path], deck: str, taught: str) -> list[vision.Reading]:
    """The one reading of photos of the same cards; where one shows others nobody can say what to count."""
    if not photos:
        return []
    found, *others = together(photos, deck, taught)
    if others:
        raise CommandError(
            "not_the_same", f"{others[0].file} does not seem to show the same cards as {found.file}"
        )
    return [found]


@click.command()
@click.argument("photos", nargs=-1, required=True, type=PHOTO, metavar="PHOTO...")
@deck_option
@click.option("--rules", "rules_id", metavar="RULES", help="Compare with the deck of this game.")
@taught_option
@click.option(
    "--dask",
    metavar="ADDRESS",
    help="Read on the workers of this Dask scheduler (tcp://HOST:PORT), with the prints that were taught there.",
)
@json_option
def catalogue(
    photos: tuple[Path, ...],
    deck: str,
    rules_id: str | None,
    taught: str,
    dask: str | None,
    as_json: bool,
) -> None:
    """Count a deck: what is missing, what double.

    The deck may be spread over several photos, each card in one of them: a card in two is counted twice.
    """
    import scorer
    from webui.commands import plain
    from webui.commands.photos import deck_of, doubts, others_json, seen_twice
    from webui.decks.catalogue import catalogue_json, compare

    rules = scorer.rule_set(rules_id) if rules_id else None
    if rules and deck not in ("auto", rules.deck):
        raise click.UsageError(f"{rules.id} is played with {rules.deck}, not with {deck}")
    readings = all_readings(photos, rules.deck if rules else deck, taught, dask)
    found_deck = deck_of(readings)
    codes = [card.code for one in readings if one.deck == found_deck for card in one.cards]
    found = (
        compare(scorer.deck(found_deck), codes, rules.composition if rules else None) if found_deck else None
    )
    strange = [
        f"{r.file} shows another deck, {scorer.deck(r.deck).name.hans}; its cards are not counted"
        for r in readings
        if r.deck and r.deck != found_deck
    ]
    again = [] if dask else seen_twice(photos)
    answer = catalogue_json(found, others_json(readings), doubts(readings) + strange + again)
    print_json(answer) if as_json else click.echo(plain.catalogue_text(answer))
