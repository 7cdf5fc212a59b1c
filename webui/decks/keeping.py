"""Saved decks: saving a catalogue, showing, renaming and deleting it, taking it away as a file."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from typing import cast

import numpy as np
from flask import Response, flash, jsonify, make_response, render_template, request, url_for
from PIL import Image

import scorer
import vision
from webui import kept, pictures
from webui.api import RequestError
from webui.catalogue import Catalogue
from webui.decks import prints
from webui.decks.counting import CountedCard, CountedPhoto, Relation, compared
from webui.decks.looking import MAX_PHOTOS, deck_and_composition, photos_of
from webui.decks.room import blueprint, gate, prints_folder
from webui.games import asked
from webui.games.room import see_other
from webui.said import gettext
from webui.store import decks
from webui.store.decks import DeckChange, KeptCard, KeptDeck, KeptPhoto, NewDeck

KEPT_PHOTO_SIDE_PX = 2400


@blueprint.get("", endpoint="rooms")
def rooms() -> str:
    """All saved decks."""
    found = [(one, catalogue_of(one)) for one in decks.listed(kept.store())]
    return render_template("decks/list.html", decks=found)


@blueprint.get("/new")
def new() -> str:
    """The page where photos become a catalogue."""
    found = [scorer.deck(one) for one in scorer.deck_ids()]
    return render_template("decks/new.html", kinds=found, most_photos=MAX_PHOTOS, key=asked.new_key())


def catalogue_of(saved: KeptDeck) -> Catalogue:
    """The count of a saved deck, compared with the composition it names or the nearest one."""
    photos = [
        CountedPhoto(
            cast("Relation", photo.relation),
            tuple(CountedCard(card.code, card.counts) for card in saved.cards if card.photo == number),
        )
        for number, photo in enumerate(saved.photos)
    ]
    return compared(scorer.deck(saved.deck), photos, saved.composition)


@blueprint.post("")
def save() -> Response:
    """Save a catalogue: `data` (JSON), and the photos as files where they teach the print or are kept."""
    body = _data()
    name = prints.check_name(asked.clean(str(body.get("name") or "")))
    deck, composition = deck_and_composition(body)
    counted = photos_of(body, deck)
    files = [file.stream.read() for file in request.files.getlist("photo")][:MAX_PHOTOS]
    lessons = _lessons(body, files)
    new_deck = NewDeck(
        name, deck.id, composition, _kept_photos(body, counted, files), _kept_cards(body, counted)
    )
    deck_id = decks.save(kept.store(), new_deck, str(body.get("key") or ""), asked.now_ms())
    if body.get("teach") and lessons and not decks.load(kept.store(), deck_id).taught:
        _teach(deck_id, name, deck, lessons)
    url = url_for("decks.deck", deck_id=deck_id)
    answer = jsonify({"id": deck_id, "url": url})
    answer.status_code = 201
    return answer


def _data() -> dict[str, object]:
    try:
        body = json.loads(request.form.get("data", ""))
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        raise RequestError("'data' must be a JSON object")
    return body


def _kept_photos(
    body: Mapping[str, object], counted: list[CountedPhoto], files: list[bytes]
) -> tuple[KeptPhoto, ...]:
    keep = body.get("keep_photos") is True and len(files) == len(counted)
    foreign = [_foreign(photo) for photo in cast("list[Mapping[str, object]]", body["photos"])]
    return tuple(
        KeptPhoto(photo.relation, foreign[number], _photo_jpeg(files[number]) if keep else None)
        for number, photo in enumerate(counted)
    )


def _foreign(photo: Mapping[str, object]) -> int:
    given = photo.get("foreign", 0)
    return given if type(given) is int and 0 <= given <= 999 else 0


def _photo_jpeg(data: bytes) -> bytes:
    """A photo re-encoded, so that no metadata of it is left; raises `PhotoError`."""
    picture = Image.fromarray(vision.decode(data))
    picture.thumbnail((KEPT_PHOTO_SIDE_PX, KEPT_PHOTO_SIDE_PX))
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=85)
    return out.getvalue()


def _kept_cards(body: Mapping[str, object], counted: list[CountedPhoto]) -> tuple[KeptCard, ...]:
    found = []
    for number, photo in enumerate(counted):
        given = cast("list[dict[str, list[dict[str, object]]]]", body["photos"])[number]["cards"]
        for card, raw in zip(photo.cards, given, strict=True):
            jpeg = pictures.from_data_url(raw["image"]) if raw.get("image") else None
            found.append(KeptCard(number, card.code, card.counts, jpeg))
    return tuple(found)


def _lessons(body: Mapping[str, object], files: list[bytes]) -> list[prints.Lesson]:
    """Each photo with the cards of which the user said what they are."""
    given = cast("list[Mapping[str, object]]", body["photos"])
    return [prints.Lesson(data, _answers(photo)) for data, photo in zip(files, given, strict=False)]


def _answers(photo: Mapping[str, object]) -> tuple[tuple[np.ndarray, str | None], ...]:
    said = photo.get("said")
    if not isinstance(said, list):
        return ()
    found = []
    for one in said:
        quad = np.array(one["quad"] if isinstance(one, dict) else None, dtype=object)
        code = one.get("code") if isinstance(one, dict) else None
        if quad.shape != (4, 2) or not all(isinstance(x, int | float) for x in quad.flat):
            raise RequestError("an answer must be an object with 'quad', four points, and 'code'")
        found.append((quad.astype(np.float64), code if isinstance(code, str) else None))
    return tuple(found)


def _teach(deck_id: str, name: str, deck: scorer.Deck, lessons: list[prints.Lesson]) -> None:
    """Teach the print; the saved deck stays where that fails, and the user is told."""
    try:
        prints.teach(gate(), lessons, deck.id, prints_folder(), name)
    except vision.PhotoError:
        flash(gettext("The deck is saved, but its print could not be learnt from these photos."), "warning")
        return
    decks.change(kept.store(), deck_id, DeckChange(taught=True), None, asked.now_ms())


@blueprint.get("/<deck_id>")
def deck(deck_id: str) -> str:
    """One saved deck."""
    saved = decks.load(kept.store(), deck_id)
    found = catalogue_of(saved)
    shown: dict[str, list[int]] = {}
    for number, card in enumerate(saved.cards):
        shown.setdefault(card.code, []).append(number)
    kind = scorer.deck(saved.deck)
    return render_template(
        "decks/deck.html",
        saved=saved,
        kind=kind,
        found=found,
        wanted=kind.copies[found.composition],
        shown=shown,
        foreign=sum(photo.foreign for photo in saved.photos),
        total=sum(found.counts.values()),
        known=prints.known_faces(prints_folder(), saved.name),
        learnt=prints.learnt(prints_folder(), saved.name),
    )


@blueprint.post("/<deck_id>/change")
def change(deck_id: str) -> Response:
    """Rename a deck or compare it with another composition."""
    saved = decks.load(kept.store(), deck_id)
    kind = scorer.deck(saved.deck)
    composition = request.form.get("composition", saved.composition or "")
    if composition and composition not in kind.copies:
        raise RequestError("'composition' must name a composition of the deck")
    name = prints.check_name(asked.line("name") or saved.name)
    prints.refuse_taken(prints_folder(), saved.name, name)
    decks.change(kept.store(), deck_id, DeckChange(name, composition), asked.base(), asked.now_ms())
    prints.rename(prints_folder(), saved.name, name)
    flash(gettext("Saved"), "good")
    return _changed(url_for("decks.deck", deck_id=deck_id))


def _changed(url: str) -> Response:
    return jsonify({"url": url}) if asked.wants_json() else see_other(url)


@blueprint.route("/<deck_id>/delete", methods=["GET", "POST"])
def delete(deck_id: str) -> Response:
    """Delete a deck with its pictures and its print, after a question."""
    saved = decks.load(kept.store(), deck_id)
    if request.method == "GET":
        return make_response(render_template("decks/delete.html", saved=saved))
    if request.form.get("sure") != "on":
        flash(gettext("Tick the box to delete the deck."), "error")
        return see_other(url_for("decks.delete", deck_id=deck_id))
    decks.remove(kept.store(), deck_id)
    prints.forget(prints_folder(), saved.name)
    flash(gettext("Deleted: %(name)s", name=saved.name), "good")
    return see_other(url_for("decks.rooms"))
