"""Photos of a deck as the page sends them to be kept: their cards, the files, and what the user said of them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
from flask import flash, request

import scorer
import vision
from webui.decks import prints
from webui.decks.counting import CountedPhoto
from webui.decks.looking import MAX_PHOTOS, photos_of
from webui.games import asked
from webui.language.said import gettext
from webui.ledger import outside
from webui.scanning import pictures
from webui.scanning.apart import done_by
from webui.scanning.api import RequestError
from webui.scanning.recognise import gate, prints_folder
from webui.store import decks, kept
from webui.store.decks import DeckChange, KeptCard, KeptPhoto
from webui.store.tables import check_key


@dataclass(frozen=True)
class Photographed:
    """What a request brings: photos and their cards as they are kept, and the lessons where the print is to learn."""

    photos: tuple[KeptPhoto, ...]
    cards: tuple[KeptCard, ...]
    lessons: tuple[prints.Lesson, ...]


def photographed(body: dict[str, object], deck: scorer.Deck) -> Photographed:
    """The photos of a request with what was said of them.

    Raises
    ------
    RequestError, PhotoError, BadPicture, BadKey
    """
    counted = photos_of(body, deck)
    files = [file.stream.read() for file in request.files.getlist("photo")][:MAX_PHOTOS]
    pictures.check_together(files)
    lessons = _lessons(body, files) if body.get("teach") else ()
    return Photographed(_kept_photos(body, counted, files), _kept_cards(body, counted), lessons)


def data() -> dict[str, object]:
    """The JSON object in the form's field `data`; raises `RequestError`."""
    try:
        body = outside.loads(request.form.get("data", ""))
    except outside.BadJson:
        body = None
    if not isinstance(body, dict):
        raise RequestError("'data' must be a JSON object")
    return body


def _kept_photos(
    body: Mapping[str, object], counted: list[CountedPhoto], files: list[bytes]
) -> tuple[KeptPhoto, ...]:
    key = str(body.get("key") or "")
    check_key(key)
    keep = body.get("keep_photos") is True and len(files) == len(counted)
    given = cast("list[Mapping[str, object]]", body["photos"])
    foreign, looks = [_foreign(photo) for photo in given], [_look(photo) for photo in given]
    return tuple(
        KeptPhoto(
            photo.relation,
            foreign[number],
            _photo_jpeg(files[number]) if keep else None,
            key,
            looks[number],
        )
        for number, photo in enumerate(counted)
    )


def _foreign(photo: Mapping[str, object]) -> int:
    given = photo.get("foreign", 0)
    return given if type(given) is int and 0 <= given <= 999 else 0


def _look(photo: Mapping[str, object]) -> str | None:
    given = photo.get("look")
    return given if isinstance(given, str) and re.fullmatch("[0-9a-f]{64}", given) else None


def _photo_jpeg(data: bytes) -> bytes:
    with gate().reader() as reader:
        return done_by(reader, pictures.kept_photo, data).jpeg


def _kept_cards(body: Mapping[str, object], counted: list[CountedPhoto]) -> tuple[KeptCard, ...]:
    found = []
    for number, photo in enumerate(counted):
        given = cast("list[dict[str, list[dict[str, object]]]]", body["photos"])[number]["cards"]
        for card, raw in zip(photo.cards, given, strict=True):
            jpeg = pictures.from_data_url(raw["image"]) if raw.get("image") else None
            found.append(KeptCard(number, card.code, card.counts, jpeg))
    return tuple(found)


def _lessons(body: Mapping[str, object], files: list[bytes]) -> tuple[prints.Lesson, ...]:
    """Each photo with the cards of which the user said what they are."""
    given = cast("list[Mapping[str, object]]", body["photos"])
    return tuple(prints.Lesson(data, _answers(photo)) for data, photo in zip(files, given, strict=False))


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


def teach(deck_id: str, name: str, deck: scorer.Deck, lessons: Sequence[prints.Lesson]) -> None:
    """Teach the print; the saved deck stays where that fails, and the user is told."""
    try:
        prints.teach(gate(), lessons, deck.id, prints_folder(), name)
    except vision.PhotoError:
        flash(gettext("The deck is saved, but its print could not be learnt from these photos."), "warning")
        return
    decks.change(kept.store(), deck_id, DeckChange(taught=True), None, asked.now_ms())
