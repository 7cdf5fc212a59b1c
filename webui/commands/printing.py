"""Commands that print: a deck to cut out, and sheets to photograph and measure on."""

from __future__ import annotations

from pathlib import Path

import click

from webui.commands.options import LAYOUTS, PRINTED_DECKS, print_options
from webui.commands.terminal import CommandError

SCREEN_DOTS_PER_INCH = 200  # of a PNG: an A4 page is then 1654 x 2339 px

DECK = click.argument("deck", type=click.Choice(PRINTED_DECKS), metavar="DECK")


@click.command()
@DECK
@print_options
def cards(deck: str, look: str, paper: str, out: Path) -> None:
    """Print a whole deck in true size, with backs and cut marks, into a PDF file.

    Print both sides at actual size (100 %), flipped on the long edge, and cut along the marks.
    """
    from webui.printing.cards import pages
    from webui.printing.pdf import pdf

    _kind(out, ".pdf")
    made = pages(deck, look, paper)
    _write(out, pdf(made, f"paiyan cards: {deck}, {look}"))
    click.echo(f"{out}: {len(made)} pages; print both sides at actual size (100 %), flipped on the long edge")


def _kind(out: Path, *kinds: str) -> str:
    """The kind of file that a name asks for; refuses any other than these."""
    kind = out.suffix.lower()
    if kind not in kinds:
        raise CommandError("unknown_kind", f"{out} must end in {' or '.join(kinds)}")
    return kind


@click.command()
@DECK
@click.option(
    "--layout", type=click.Choice(LAYOUTS), default="rows", show_default=True, help="How the cards lie."
)
@click.option(
    "--hand",
    type=click.IntRange(0, 124),
    default=0,
    show_default=True,
    help="Which cards lie there: every number is another hand.",
)
@print_options
def sheet(deck: str, layout: str, hand: int, look: str, paper: str, out: Path) -> None:
    """Print a sheet of cards in true size that says itself what lies on it, into a PDF or PNG file.

    Print it at actual size (100 %), photograph it under any lamp and from anywhere, all eight square marks in view,
    and let 'paiyan evaluate --sheets PHOTO...' say how well it was read.
    """
    from webui.printing.pdf import pdf
    from webui.printing.raster import png
    from webui.printing.sheets import Sheet, page

    made = page(Sheet(deck, layout, look, paper, hand))
    kind = _kind(out, ".pdf", ".png")
    _write(out, png(made, SCREEN_DOTS_PER_INCH) if kind == ".png" else pdf([made], out.stem))
    click.echo(f"{out}: print at actual size (100 %), photograph it, then: paiyan evaluate --sheets PHOTO...")


def _write(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise CommandError("unwritable", f"{path} cannot be written: {error.strerror}") from error
