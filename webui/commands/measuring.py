"""The command that measures the reader: on annotated photos, on photos of printed sheets, on kept examples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from webui.commands import readers, reading
from webui.commands.options import PHOTO, json_option
from webui.commands.terminal import USAGE_STATUS, CommandError, bar, print_json, progress

# vision is imported by the commands that need it: `paiyan --help` answers at once.
if TYPE_CHECKING:
    import vision
    from vision.evaluate import Judged, Marked
    from webui.commands.photos import Failed

PICTURES = (".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif")


@click.command()
@click.argument("places", nargs=-1, type=PHOTO, metavar="FOLDER | PHOTO...")
@click.option(
    "--sheets", is_flag=True, help="The photos show sheets printed with 'paiyan sheet', one in each."
)
@click.option(
    "--kept", "on_kept", is_flag=True, help="Measure on the photos that are kept ('paiyan examples')."
)
@click.option("--deck", "name", metavar="NAME", help="With --kept: only photos of the deck of this name.")
@click.option(
    "--taught",
    default="none",
    show_default=True,
    metavar="auto|none|NAME",
    help="A deck's own print, learnt with 'teach'.",
)
@click.option(
    "--charts", type=click.Path(path_type=Path), metavar="FOLDER", help="Write charts there, as PNG."
)
@json_option
def evaluate(
    places: tuple[Path, ...],
    sheets: bool,
    on_kept: bool,
    name: str | None,
    taught: str,
    charts: Path | None,
    as_json: bool,
) -> int:
    """Measure how well photos are read whose truth is known.

    FOLDER holds photos and their truth in annotations.json (COCO, one annotation per card end). With --sheets the
    photos (or folders of photos) show printed sheets, which say themselves what lies on them. With --kept the photos
    that are kept are read by themselves, and with what the other photos of their deck teach. The exit status is 2 where
    a photo could not be read or measured on; the others are counted all the same.
    """
    from webui.commands.plain import evaluation_text

    if on_kept:
        _kept(name, charts, as_json)
        return 0
    if not places:
        raise click.UsageError("say which photos: a FOLDER, or --sheets PHOTO..., or --kept")
    marked, failed = _sheets(places, taught) if sheets else (_annotated(places, taught), [])
    if charts:
        _write_charts(marked, charts)
    answer = _evaluation_json(places, marked, failed)
    for one in failed:
        reading.show_failed(one)
    print_json(answer) if as_json else click.echo(evaluation_text(answer))
    return USAGE_STATUS if failed or any(one.reading is None for one in marked) else 0


def _kept(name: str | None, charts: Path | None, as_json: bool) -> None:
    """What paiyan is worth on the kept photos."""
    from webui.commands.kept import measured
    from webui.commands.plain import report_text

    there, found = measured(name)
    if charts:
        _draw(charts, found.judged, found.figures)
    answer = found.json()
    print_json(answer) if as_json else click.echo(report_text(answer, len(there)))


def _annotated(places: Sequence[Path], taught: str) -> Sequence[Marked]:
    from vision.evaluate import evaluate_folder

    if len(places) > 1:
        raise click.UsageError("one FOLDER of annotated photos is measured at a time")
    with bar("evaluating") as draw:
        return evaluate_folder(
            places[0], readers.open_reader(), taught=taught, taught_dir=readers.taught_dir(), progress=draw
        )


def _sheets(places: Sequence[Path], taught: str) -> tuple[list[Marked], list[Failed]]:
    """Photos of printed sheets beside what the sheets say, and the photos that cannot be measured on."""
    from webui.commands.photos import Failed

    photos = [photo for place in places for photo in _photos(place)]
    if not photos:
        raise CommandError("no_photos", f"there is no photo in {places[0]}")
    reader = readers.open_reader()
    marked: list[Marked] = []
    failed: list[Failed] = []
    for found in progress((_sheet(photo, reader, taught) for photo in photos), len(photos), "evaluating"):
        failed.append(found) if isinstance(found, Failed) else marked.append(found)
    return marked, failed


def _photos(place: Path) -> Iterator[Path]:
    """The photo itself, or the pictures of a folder in order of their names."""
    if not place.is_dir():
        yield place
        return
    yield from sorted(path for path in place.iterdir() if path.suffix.lower() in PICTURES)


def _sheet(path: Path, reader: vision.Reader, taught: str) -> Marked | Failed:
    import vision
    from vision.evaluate import measured
    from webui.commands.photos import Failed, file_bytes
    from webui.printing.sheets import true_photo

    try:
        data = file_bytes(path)
        photo, remark = true_photo(vision.decode(data), str(path))
    except (CommandError, vision.PhotoError) as error:
        return Failed(str(path), error.code, str(error))
    if remark:
        click.echo(f"{path}: {remark}", err=True)
    return measured(photo, data, reader, taught=taught, taught_dir=readers.taught_dir())


def _write_charts(marked: Sequence[Marked], folder: Path) -> None:
    from vision.evaluate import summary

    _draw(folder, [card for one in marked for card in one.cards], summary(marked))


def _draw(folder: Path, cards: Sequence[Judged], figures: Sequence[Mapping[str, Any]]) -> None:
    from vision.charts import write_charts

    try:
        write_charts(cards, figures, folder)
    except OSError as error:
        raise CommandError("unwritable", f"the charts cannot be written to {folder}: {error}") from error


def _evaluation_json(
    places: Sequence[Path], marked: Sequence[Marked], failed: Sequence[Failed]
) -> dict[str, object]:
    """The figures of all photos together and by what they have in common, and each photo's errors."""
    from vision.evaluate import summary
    from vision.reliability import confusions, reliability

    cards = [card for one in marked for card in one.cards]
    return {
        "folder": " ".join(map(str, places)),
        "figures": summary(marked),
        "expected_error": round(reliability(cards).expected_error, 4),
        "confusions": confusions(cards),
        "photos": [
            {
                "file": one.photo.file,
                "errors": one.counts.errors,
                "missed": one.counts.cards - one.counts.found,
                "wrong": one.counts.wrong,
                "extra": one.counts.extra,
                "read": one.reading is not None,
            }
            for one in marked
        ],
        "failed": [one.json() for one in failed],
    }
