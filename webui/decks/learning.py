"""What players put right while checking a hand improves the print that it was read with; it is shown, and forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt
from flask import Response, flash, jsonify, request, url_for

import scorer
from vision.taught import stored_print
from vision.teach import PutRight
from webui.decks import prints
from webui.decks.room import blueprint, jpeg_answer
from webui.games import asked
from webui.games.room import see_other
from webui.language.said import ngettext
from webui.scanning import pictures
from webui.scanning.api import RequestError
from webui.scanning.recognise import gate, prints_folder
from webui.store import decks, kept

MOST_ENDS = 60
"""Cards of one request; the longest hand has half as many."""

LEAST_AREA_PX = 100
"""Of a card end in its picture: what is smaller shows nothing."""


class Named(NamedTuple):
    """A card end as it was sent: the code, the bytes of its picture, and what shall be its quad there."""

    code: str
    picture: bytes
    quad: object


@blueprint.post("/learn")
def learn() -> Response:
    """Learn what a player put right: `print`, a taught print's name, and `ends` with `code`, `quad` and `image` each.

    `image` is a piece of the photo as a data URL, `quad` the end in pixels of it. With `flash` the next page says so.
    """
    body = asked.json_body()
    name = str(body.get("print"))
    kind = scorer.deck(stored_print(prints_folder(), name).deck)
    given = body.get("ends")
    if not isinstance(given, list) or not 1 <= len(given) <= MOST_ENDS:
        raise RequestError(f"'ends' must be a list of 1 to {MOST_ENDS} card ends")
    ends = [_named(one, kind) for one in given]
    examples = prints.put_right(gate(), partial(_opened, ends), prints_folder(), name, asked.now_ms())
    if body.get("flash") is True:
        number = len(examples)
        flash(
            ngettext(
                "“%(name)s” has learnt %(num)s card that you put right.",
                "“%(name)s” has learnt %(num)s cards that you put right.",
                number,
                name=name,
            ),
            "good",
        )
    return jsonify({"url": _page_of(name), "examples": examples})


def _page_of(name: str) -> str | None:
    """Where a print is shown; None where it was taught by `paiyan teach` and is no saved deck's."""
    try:
        return url_for("decks.deck", deck_id=decks.named(kept.store(), name).id)
    except decks.UnknownDeck:
        return None


def _named(given: object, deck: scorer.Deck) -> Named:
    code = given.get("code") if isinstance(given, dict) else None
    if not isinstance(given, dict) or not isinstance(code, str) or code not in deck.index:
        raise RequestError("a card end must be an object with a 'code' of the deck, 'quad' and 'image'")
    return Named(code, pictures.bytes_of(given.get("image")), given.get("quad"))


def _opened(ends: Sequence[Named]) -> list[PutRight]:
    """The ends with their pictures decoded; raises `BadPicture` or `RequestError`."""
    opened = ((one, pictures.piece(one.picture)) for one in ends)
    return [PutRight(one.code, picture, _quad(one.quad, picture)) for one, picture in opened]


def _quad(given: object, picture: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
    """The quad (4, 2) px of an end within its picture; raises `RequestError`."""
    try:
        quad = np.array(given, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        quad = np.zeros(0)
    side = max(picture.shape)
    if quad.shape != (4, 2) or not np.all(np.abs(quad) < 2 * side):  # NaN is not less either
        raise RequestError("'quad' must be four points of the picture")
    corners = quad.astype(np.float32)
    if not cv2.isContourConvex(corners) or cv2.contourArea(corners) < LEAST_AREA_PX:
        raise RequestError("'quad' must be the corners of a card end, in order")
    return quad


@blueprint.get("/<deck_id>/learnt/<example>.jpg")
def example(deck_id: str, example: str) -> Response:
    """The picture of a card that was put right."""
    saved = decks.load(kept.store(), deck_id)
    return jpeg_answer(prints.example_picture(prints_folder(), saved.name, example))


@blueprint.post("/forget")
def forget() -> Response:
    """Forget examples that were put right: the field `print`, and each one's name in a field `example`."""
    name = request.form.get("print", "")
    number = prints.forget_examples(prints_folder(), name, set(request.form.getlist("example")))
    url = _page_of(name)
    if asked.wants_json():
        return jsonify({"url": url, "forgotten": number})
    flash(ngettext("%(num)s card forgotten", "%(num)s cards forgotten", number), "good")
    return see_other(url or url_for("decks.rooms"))
