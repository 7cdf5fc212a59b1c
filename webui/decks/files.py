"""What of a saved deck can be fetched: pictures, photos, JSON, CSV, the contact sheet."""

from __future__ import annotations

import base64
import csv
import io
import json

from flask import Response, send_file

import scorer
from webui.decks.contact import Cell, cells_of, contact_sheet
from webui.decks.keeping import catalogue_of
from webui.decks.room import blueprint, jpeg_answer
from webui.language.languages import language
from webui.language.said import gettext
from webui.ledger.errors import N_
from webui.ledger.sheet import escaped
from webui.store import decks, kept
from webui.store.decks import KeptDeck

FORMAT = "paiyan-deck"
HEADINGS = (N_("Card code"), N_("Name"), N_("Count"), N_("Should be"), N_("Missing"), N_("Too many"))


@blueprint.get("/<deck_id>/cards/<int:number>.jpg")
def card(deck_id: str, number: int) -> Response:
    """The picture of one card."""
    return jpeg_answer(decks.picture(kept.store(), deck_id, number))


@blueprint.get("/<deck_id>/photos/<int:number>.jpg")
def photo(deck_id: str, number: int) -> Response:
    """A kept photo."""
    return jpeg_answer(decks.photograph(kept.store(), deck_id, number))


@blueprint.get("/<deck_id>/export.json")
def export_json(deck_id: str) -> Response:
    """The catalogue with its pictures."""
    saved = decks.load(kept.store(), deck_id)
    found = catalogue_of(saved)
    there = decks.pictures(kept.store(), deck_id)
    photos = [
        {
            "relation": one.relation,
            "others": one.foreign,
            "cards": [
                {"code": card.code, "counts": card.counts, "picture": _base64(there.get(number))}
                for number, card in enumerate(saved.cards)
                if card.photo == place
            ],
        }
        for place, one in enumerate(saved.photos)
    ]
    body = {
        "format": FORMAT,
        "version": 1,
        "name": saved.name,
        "deck": saved.deck,
        "composition": found.composition,
        "counts": dict(found.counts),
        "missing": dict(found.missing),
        "extra": dict(found.extra),
        "others": sum(one.foreign for one in saved.photos),
        "photos": photos,
    }
    text = json.dumps(body, ensure_ascii=False, indent=1) + "\n"
    return download(text.encode(), "application/json", saved.name, "json")


def _base64(data: bytes | None) -> str | None:
    return None if data is None else base64.b64encode(data).decode("ascii")


@blueprint.get("/<deck_id>/export.csv")
def export_csv(deck_id: str) -> Response:
    """The counts for a spreadsheet."""
    saved = decks.load(kept.store(), deck_id)
    found = catalogue_of(saved)
    kind = scorer.deck(saved.deck)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([gettext(one) for one in HEADINGS])
    for face in kind.faces:
        counts = [found.counts, kind.copies[found.composition], found.missing, found.extra]
        row = [face.code, face.name.get(language()), *(one.get(face.code, 0) for one in counts)]
        writer.writerow([escaped(str(cell)) for cell in row])
    return download(("\ufeff" + out.getvalue()).encode(), "text/csv; charset=utf-8", saved.name, "csv")


@blueprint.get("/<deck_id>/contact.png")
def contact(deck_id: str) -> Response:
    """The contact sheet."""
    saved = decks.load(kept.store(), deck_id)
    return download(contact_sheet(cells_of_deck(saved)), "image/png", saved.name, "png")


def cells_of_deck(saved: KeptDeck) -> list[Cell]:
    """The cells of a saved deck's contact sheet."""
    found, kind = catalogue_of(saved), scorer.deck(saved.deck)
    first: dict[str, bytes] = {}
    for number, data in decks.pictures(kept.store(), saved.id).items():
        first.setdefault(saved.cards[number].code, data)
    return cells_of(found.counts, kind.copies[found.composition], first, kind.faces, language())


def download(data: bytes, mimetype: str, name: str, ending: str) -> Response:
    """A file to take along, named after what it holds."""
    return send_file(io.BytesIO(data), mimetype, as_attachment=True, download_name=f"{name}.{ending}")
