"""What can be printed from the album: a deck to play with, and sheets to measure with."""

from __future__ import annotations

import io
from collections.abc import Mapping

from flask import Response, render_template, request, send_file

import scorer
from vision.sheets import NAMES
from webui.decks.room import blueprint
from webui.ledger.errors import N_
from webui.printing import cards, sheets
from webui.printing.layouts import LAYOUTS
from webui.printing.looks import LOOKS
from webui.printing.paper import PAPERS
from webui.printing.pdf import pdf
from webui.scanning.api import RequestError

LOOK_NAMES = {"kai": N_("regular hand (楷)"), "brush": N_("brush (毫)"), "poster": N_("poster (黑)")}
LAYOUT_NAMES = {
    "rows": N_("in rows"),
    "columns": N_("in columns"),
    "fan": N_("as a fan"),
    "heap": N_("in heaps"),
    "spread": N_("spread out"),
}
PAPER_NAMES = {"a4": "A4", "letter": "Letter"}


@blueprint.get("/paper")
def paper() -> str:
    """The page that offers both."""
    return render_template(
        "decks/paper.html",
        kinds=[scorer.deck(one) for one in sheets.DECKS],
        looks=LOOK_NAMES,
        layouts=LAYOUT_NAMES,
        papers=PAPER_NAMES,
    )


@blueprint.get("/cards.pdf")
def cards_pdf() -> Response:
    """A whole deck, with backs and cut marks."""
    deck, look, size = (_chosen(name, choices) for name, choices in _CHOICES.items())
    return _download(
        pdf(cards.pages(deck, look, size), f"paiyan cards: {deck}, {look}"), f"cards-{deck}-{look}"
    )


@blueprint.get("/sheet.pdf")
def sheet_pdf() -> Response:
    """A sheet that says itself what lies on it."""
    deck, look, size = (_chosen(name, choices) for name, choices in _CHOICES.items())
    layout, hand = _chosen("layout", LAYOUTS), request.args.get("hand", 0, int)
    if not 0 <= hand < NAMES:
        raise RequestError(f"'hand' must be a number from 0 to {NAMES - 1}")
    made = sheets.page(sheets.Sheet(deck, layout, look, size, hand))
    return _download(pdf([made], "paiyan sheet"), f"sheet-{deck}-{layout}-{look}-{hand}")


_CHOICES: Mapping[str, tuple[str, ...]] = {"deck": sheets.DECKS, "look": LOOKS, "paper": tuple(PAPERS)}


def _chosen(name: str, choices: Mapping[str, object] | tuple[str, ...]) -> str:
    """What a form chose; raises `RequestError` where it is none of the choices."""
    found = request.args.get(name, "")
    if found not in choices:
        raise RequestError(f"'{name}' must be one of {', '.join(choices)}")
    return found


def _download(data: bytes, name: str) -> Response:
    return send_file(
        io.BytesIO(data), "application/pdf", as_attachment=True, download_name=f"paiyan-{name}.pdf"
    )
