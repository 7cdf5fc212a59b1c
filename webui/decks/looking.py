"""Looking at photos of a deck before anything is kept: read one, count several together."""

from __future__ import annotations

from flask import Response, jsonify, request

import scorer
import vision
from webui.decks.counting import RELATIONS, CountedCard, CountedPhoto, Relation, compared
from webui.decks.room import blueprint
from webui.games import asked
from webui.scanning import pictures
from webui.scanning.apart import done_by
from webui.scanning.api import RequestError
from webui.scanning.recognise import gate, prints_folder
from webui.shell.failures import error_object

MAX_PHOTOS = 12
MAX_CARDS = 600
"""Cards of one catalogue, copies seen twice included: five times the largest deck."""


class TooManyCards(RequestError):
    """A catalogue of more than `MAX_CARDS`."""

    code = "too_many_cards"


@blueprint.errorhandler(RequestError)
def _bad_request(error: RequestError) -> Response:
    return error_object(error.code, str(error), 400)


@blueprint.post("/read")
def read() -> Response:
    """Read one photo of a deck: the reading, and a small picture of every card in it."""
    photo = request.files.get("photo")
    deck_id, taught = request.form.get("deck", "auto"), request.form.get("taught", "auto")
    if photo is None:
        raise RequestError("no photo was sent; send one file named 'photo'")
    if deck_id != "auto" and deck_id not in scorer.deck_ids():
        raise RequestError(f"unknown deck: {deck_id[:40]}")
    data = photo.stream.read()
    with gate().reader() as reader:
        reading, crops, others, look = done_by(
            reader, pictures.read_and_cut, data, deck_id, taught, prints_folder()
        )
    return jsonify(
        {
            "reading": vision.reading_json(reading),
            "crops": [pictures.data_url(one) for one in crops],
            "others": [pictures.data_url(one) for one in others],
            "look": look,
        }
    )


@blueprint.post("/count")
def count() -> Response:
    """Count the photos of a catalogue together and compare with a composition; changes nothing."""
    body = asked.json_body()
    deck, composition = deck_and_composition(body)
    found = compared(deck, photos_of(body, deck), composition)
    return jsonify(
        {
            "deck": found.deck,
            "composition": found.composition,
            "nearest": composition is None,
            "wanted": dict(deck.copies[found.composition]),
            "counts": dict(found.counts),
            "missing": dict(found.missing),
            "extra": dict(found.extra),
        }
    )


def deck_and_composition(body: dict[str, object]) -> tuple[scorer.Deck, str | None]:
    """Deck and composition (None for the nearest) of a request; raises `RequestError`."""
    deck_id, composition = body.get("deck"), body.get("composition") or None
    if not isinstance(deck_id, str) or deck_id not in scorer.deck_ids():
        raise RequestError("'deck' must name a deck")
    deck = scorer.deck(deck_id)
    if composition is None:
        return deck, None
    if not isinstance(composition, str) or composition not in deck.copies:
        raise RequestError("'composition' must name a composition of the deck or be null")
    return deck, composition


def photos_of(body: dict[str, object], deck: scorer.Deck) -> list[CountedPhoto]:
    """The photos of a request; raises `RequestError`."""
    given = body.get("photos")
    if not isinstance(given, list) or not 1 <= len(given) <= MAX_PHOTOS:
        raise RequestError(f"'photos' must be a list of 1 to {MAX_PHOTOS} photos")
    photos = [_photo(one, deck) for one in given]
    if sum(len(photo.cards) for photo in photos) > MAX_CARDS:
        raise TooManyCards(f"a catalogue has at most {MAX_CARDS} cards")
    return photos


def _photo(given: object, deck: scorer.Deck) -> CountedPhoto:
    if not isinstance(given, dict) or not isinstance(given.get("cards"), list):
        raise RequestError("a photo must be an object with 'relation' and 'cards'")
    relation = given.get("relation")
    if relation not in RELATIONS:
        raise RequestError(f"'relation' must be one of {', '.join(RELATIONS)}")
    return CountedPhoto(_relation(relation), tuple(_card(one, deck) for one in given["cards"]))


def _relation(given: object) -> Relation:
    return next(one for one in RELATIONS if one == given)


def _card(given: object, deck: scorer.Deck) -> CountedCard:
    code = given.get("code") if isinstance(given, dict) else None
    if not isinstance(given, dict) or not isinstance(code, str) or code not in deck.index:
        raise RequestError("a card must be an object with a 'code' of the deck")
    return CountedCard(code, given.get("counts") is not False)
