"""The album: all decks, sought and in order; changing what is known of one, with pictures of its back and box."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Response, flash, render_template, request, url_for

import scorer
from vision import PhotoError
from webui.decks import prints
from webui.decks.album import NOTE_LETTERS, NOTES, ORDERS, Entry, LongNote, ordered, sought
from webui.decks.keeping import catalogue_of
from webui.decks.room import blueprint, changed, jpeg_answer
from webui.games import asked
from webui.language.said import gettext
from webui.ledger.errors import N_, LedgerError
from webui.scanning import pictures
from webui.scanning.apart import done_by
from webui.scanning.api import RequestError
from webui.scanning.recognise import gate, prints_folder
from webui.store import album, decks, kept
from webui.store.decks import DeckChange, KeptDeck


class NoPicture(LedgerError):
    """The picture of back or box can't be read."""

    code = "no_picture"
    text = N_("The picture of the back or the box can't be read. Choose another one.")


def entry_of(saved: KeptDeck) -> Entry:
    """A saved deck with its count and its notes."""
    return Entry(saved, catalogue_of(saved), album.notes(kept.store()).get(saved.id, {}))


def entries() -> list[Entry]:
    """All decks, the one changed last first."""
    noted = album.notes(kept.store())
    return [Entry(one, catalogue_of(one), noted.get(one.id, {})) for one in decks.listed(kept.store())]


def chosen(every: Sequence[Entry]) -> list[Entry]:
    """Those of the decks that the page's address asks for: `words` that stand in them, in an `order`."""
    found = sought(every, request.args.get("words", ""))
    return ordered(found, request.args.get("order", ""))


@blueprint.get("", endpoint="rooms")
def rooms() -> str:
    """All saved decks."""
    every = entries()
    return render_template(
        "decks/list.html",
        entries=chosen(every),
        all=len(every),
        words=request.args.get("words", ""),
        order=request.args.get("order", "changed"),
        orders=ORDERS,
    )


@blueprint.post("/<deck_id>/change")
def change(deck_id: str) -> Response:
    """Change what a deck is called, compared with, what is noted of it, its back and box; what is not sent stays."""
    saved = decks.load(kept.store(), deck_id)
    composition = request.form.get("composition", saved.composition or "")
    if composition and composition not in scorer.deck(saved.deck).copies:
        raise RequestError("'composition' must name a composition of the deck")
    name = prints.check_name(asked.line("name") or saved.name)
    prints.refuse_taken(prints_folder(), saved.name, name)
    texts, sides = {one: _note(one) for one in NOTES if one in request.form}, _sides()
    wanted = DeckChange(name, composition)
    album.change(kept.store(), deck_id, wanted, texts, sides, asked.base(), asked.now_ms())
    prints.rename(prints_folder(), saved.name, name)
    flash(gettext("Saved"), "good")
    return changed(url_for("decks.deck", deck_id=deck_id))


def _note(name: str) -> str:
    lines = request.form.get(name, "").splitlines() if name == "notes" else [request.form.get(name, "")]
    text = "\n".join(asked.clean(line) for line in lines).strip()
    if len(text) > NOTE_LETTERS:
        raise LongNote({"name": gettext(NOTES[name]), "most": NOTE_LETTERS})
    return text


def _sides() -> dict[str, bytes | None]:
    """The pictures of back and box that were sent; None where one is to be taken away (`away-SIDE`)."""
    found: dict[str, bytes | None] = {side: None for side in album.SIDES if request.form.get(f"away-{side}")}
    for side in album.SIDES:
        file = request.files.get(f"photo-{side}")
        if file and file.filename:
            found[side] = _picture(file.stream.read())
    return found


def _picture(data: bytes) -> bytes:
    try:
        with gate().reader() as reader:
            return done_by(reader, pictures.kept_photo, data).jpeg
    except PhotoError:
        raise NoPicture() from None


@blueprint.get("/<deck_id>/<any(back, box):side>.jpg")
def side(deck_id: str, side: str) -> Response:
    """The picture of the back or of the box."""
    return jpeg_answer(album.picture(kept.store(), deck_id, side))
