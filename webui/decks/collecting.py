"""The album: all decks, sought and in order; noting what is known of one, pictures of its back and box."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Response, flash, render_template, request, url_for

from vision import PhotoError
from webui.decks.album import NOTE_LETTERS, NOTES, ORDERS, Entry, LongNote, ordered, sought
from webui.decks.keeping import catalogue_of
from webui.decks.room import blueprint, changed, jpeg_answer
from webui.games import asked
from webui.language.said import gettext
from webui.ledger.errors import N_, LedgerError
from webui.scanning import pictures
from webui.scanning.apart import done_by
from webui.scanning.recognise import gate
from webui.store import album, decks, kept
from webui.store.decks import KeptDeck


class NoPicture(LedgerError):
    """No picture of back or box was chosen, or it can't be read."""

    code = "no_picture"
    text = N_("Choose a picture that can be read first.")


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


@blueprint.post("/<deck_id>/notes")
def take_notes(deck_id: str) -> Response:
    """Keep what is noted of a deck."""
    texts = {name: _note(name) for name in NOTES}
    album.note(kept.store(), deck_id, texts, asked.base(), asked.now_ms())
    flash(gettext("Saved"), "good")
    return changed(url_for("decks.deck", deck_id=deck_id))


def _note(name: str) -> str:
    lines = request.form.get(name, "").splitlines() if name == "notes" else [request.form.get(name, "")]
    text = "\n".join(asked.clean(line) for line in lines).strip()
    if len(text) > NOTE_LETTERS:
        raise LongNote({"name": gettext(NOTES[name]), "most": NOTE_LETTERS})
    return text


@blueprint.get("/<deck_id>/<any(back, box):side>.jpg")
def side(deck_id: str, side: str) -> Response:
    """The picture of the back or of the box."""
    return jpeg_answer(album.picture(kept.store(), deck_id, side))


@blueprint.post("/<deck_id>/<any(back, box):side>")
def put_side(deck_id: str, side: str) -> Response:
    """Keep a picture of the back or of the box, or take it away (`away`)."""
    jpeg = None
    if not request.form.get("away"):
        file = request.files.get("photo")
        try:
            with gate().reader() as reader:
                jpeg = done_by(reader, pictures.kept_photo, file.stream.read() if file else b"").jpeg
        except PhotoError:
            raise NoPicture() from None
    album.put_picture(kept.store(), deck_id, side, jpeg)
    return changed(url_for("decks.deck", deck_id=deck_id))
