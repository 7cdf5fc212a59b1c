"""The HTTP API: photos to cards, a hand to its score and its waits; changes nothing and needs no token."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flask import Blueprint, Response, jsonify, request
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.exceptions import BadRequest

import scorer
import vision
from vision.networks import weights_fault
from webui.scanning import pictures
from webui.scanning.apart import NoReader, done_by
from webui.scanning.before import NotDealtError, before_play, before_play_or_none
from webui.scanning.recognise import BusyError, gate, prints_folder
from webui.shell.failures import error_object
from webui.store import StoreError, kept, tables

MAX_PHOTOS = 6
"""Photos of one request."""

MAX_HAND_CHARACTERS = 2000
"""The longest legal hand, every card in a meld of its own, is far below this."""

MAX_PILES, MAX_PILE_CARDS = 60, 60
"""More than one hand can be; a bound on the work of one request."""

RETRY_SECONDS = 3

GROUPS_SECONDS = 3600
"""They change with the program only."""

PHOTO_STATUS = {
    "too_large": 413,
    "too_many_pixels": 413,
    "too_many_scans": 413,
    "not_an_image": 415,
    "moving_picture": 415,
    "empty_file": 400,
}
"""HTTP status of a photo's error; every other one is 422."""

blueprint = Blueprint("api", __name__)


class RequestError(ValueError):
    """A request that names no photo, no rules, or values of the wrong kind."""

    code = "bad_request"


@dataclass(frozen=True)
class Question:
    """What a request to count says: the rule set, the player's facts and the table's options."""

    rules: str
    facts: Mapping[str, object]
    options: Mapping[str, object]


@dataclass(frozen=True)
class PhotoFault:
    """Why a photo could not be read; the error object of the answer."""

    code: str
    message: str


@blueprint.errorhandler(RequestError)
def _bad_request(error: RequestError) -> Response:
    return error_object(error.code, str(error), 400)


@blueprint.errorhandler(scorer.ScorerError)
@blueprint.errorhandler(NotDealtError)
def _bad_hand(error: scorer.ScorerError | NotDealtError) -> Response:
    return error_object(error.code, str(error), 422)


@blueprint.errorhandler(vision.PhotoError)
def _bad_photo(error: vision.PhotoError) -> Response:
    return error_object(error.code, str(error), PHOTO_STATUS.get(error.code, 422))


@blueprint.errorhandler(NoReader)
def _no_networks(error: NoReader) -> Response:
    return error_object(error.code, str(error), 503)


@blueprint.errorhandler(BusyError)
def _busy(error: BusyError) -> Response:
    answer = error_object(error.code, str(error), 429)
    answer.headers["Retry-After"] = str(RETRY_SECONDS)
    return answer


@blueprint.get("/healthz")
def healthz() -> Response:
    """Say that the server answers, and its database and networks are there; 503 with what is not, by its name."""
    faults = {"database": _database_fault(), "networks": weights_fault()}
    said = {name: fault for name, fault in faults.items() if fault}
    answer = jsonify({"status": "failing" if said else "ok", **said})
    answer.status_code = 503 if said else 200
    return answer


def _database_fault() -> str | None:
    """What is wrong with the database, without where it is: who asks may be anybody."""
    try:
        tables.count(kept.store())
    except StoreError as error:
        return error.code
    except SQLAlchemyError as error:
        return type(error).__name__
    return None


@blueprint.post("/api/read")
def read() -> Response:
    """Read every `photo` of the form; where all of them fail, the status and `error` of the first.

    With `same` they show the same cards and are read as one; then one that fails fails all.
    """
    photos = request.files.getlist("photo")
    if not photos:
        raise RequestError("no photo was sent; send one or more files named 'photo'")
    if len(photos) > MAX_PHOTOS:
        raise RequestError(f"{len(photos)} photos are too many for one request; send {MAX_PHOTOS} at most")
    deck = request.form.get("deck", "auto")
    if deck != "auto" and deck not in scorer.deck_ids():
        raise RequestError(f"unknown deck: {deck[:40]}")
    taught = request.form.get("taught", "auto")
    data = [photo.stream.read() for photo in photos]
    pictures.check_together(data)
    if request.form.get("same"):
        return _read_together(data, deck, taught)
    read_all = [_read_one(photo, f"photo-{n}", deck, taught) for n, photo in enumerate(data, 1)]
    found = [
        {"file": f"photo-{n}", "error": one} if isinstance(one, PhotoFault) else one
        for n, one in enumerate(read_all, 1)
    ]
    faults = [one for one in read_all if isinstance(one, PhotoFault)]
    if len(faults) < len(found):
        return jsonify({"photos": found})
    answer = jsonify({"photos": found, "error": faults[0]})
    answer.status_code = PHOTO_STATUS.get(faults[0].code, 422)
    return answer


def _read_together(photos: Sequence[bytes], deck: str, taught: str) -> Response:
    """The reading of photos of the same cards, and after it one of each photo that shows others."""
    names = [f"photo-{n}" for n in range(1, len(photos) + 1)]
    with gate().reader() as reader:
        found = reader.read_together(
            photos, names=names, deck=deck, taught=taught, taught_dir=prints_folder()
        )
    return jsonify({"photos": [vision.reading_json(one) for one in found]})


def _read_one(photo: bytes, name: str, deck: str, taught: str) -> Mapping[str, object] | PhotoFault:
    """The reading of one photo as JSON, or what is wrong with it; the file's own name is never used."""
    with gate().reader() as reader:
        try:
            reading = reader.read(photo, name=name, deck=deck, taught=taught, taught_dir=prints_folder())
        except vision.PhotoError as error:
            return PhotoFault(error.code, str(error))
    return vision.reading_json(reading)


@blueprint.post("/api/picture")
def picture() -> Response:
    """A photo as an upright JPEG of its own size, for a browser that can't show its kind."""
    photo = request.files.get("photo")
    if photo is None:
        raise RequestError("no photo was sent; send one file named 'photo'")
    data = photo.stream.read()
    with gate().reader() as reader:
        shown = done_by(reader, pictures.shown_jpeg, data)
    return Response(shown, mimetype="image/jpeg")


@blueprint.post("/api/score")
def score() -> Response:
    """Count a hand in notation."""
    question, hand = _question_with_hand()
    return jsonify(scorer.score_json(scorer.score(hand, question.facts, question.options)))


@blueprint.post("/api/waits")
def waits() -> Response:
    """The cards that would complete a hand which lacks one."""
    question, hand = _question_with_hand()
    return jsonify(scorer.waits_json(scorer.waits(hand, question.facts, question.options)))


@blueprint.post("/api/before-play")
def dealt() -> Response:
    """Whether a dealt hand of 幺地人 may play."""
    question, hand = _question_with_hand()
    return jsonify(before_play(hand, question.facts, question.options))


@blueprint.get("/api/groups/<rules_id>")
def groups(rules_id: str) -> Response:
    """The cards of every group that can lie on the table, for who types a hand."""
    answer = jsonify({"groups": scorer.laid_groups(rules_id)})
    answer.cache_control.max_age = GROUPS_SECONDS
    return answer


@blueprint.post("/api/hand")
def hand_of_piles() -> Response:
    """Turn the piles of the page into a hand and count it; a hand that can't be counted is an `error` in the answer."""
    body = _json_object()
    question = _question(body)
    scorer.rule_set(question.rules)  # or there is no such game, piles or none
    piles = _piles(body.get("piles"))
    winning = body.get("winning")
    if winning is not None and not isinstance(winning, str):
        raise RequestError("'winning' must be a card or null")
    kinds = [list(scorer.pile_kinds(question.rules, pile.cards)) for pile in piles]
    answer: dict[str, object] = {"kinds": kinds, "hand": None, "before": None}
    try:
        hand = scorer.hand_from_piles(question.rules, piles, winning)
        answer["hand"] = scorer.write_hand(hand)
        answer["before"] = before_play_or_none(hand, question.facts, question.options)
        answer["score"] = scorer.score_json(scorer.score(hand, question.facts, question.options))
    except scorer.ScorerError as error:
        told = {"code": error.code, "message": str(error), "culprit": error.culprit}
        answer["error"] = told | ({"takes": list(error.takes)} if error.takes else {})
        answer["waits"] = _waits_or_none(answer["hand"], question)
    return jsonify(answer)


def _waits_or_none(hand: object, question: Question) -> list[object] | None:
    """The waits of a hand that is one card short; None where it is none."""
    if not isinstance(hand, str):
        return None
    try:
        found = scorer.waits(scorer.parse_hand(hand, question.rules), question.facts, question.options)
    except scorer.ScorerError:
        return None
    listed = scorer.waits_json(found)["waits"]
    return list(listed) if isinstance(listed, list) else None


def _piles(value: object) -> list[scorer.PileIn]:
    if not isinstance(value, list) or len(value) > MAX_PILES:
        raise RequestError(f"'piles' must be a list of at most {MAX_PILES} piles")
    return [_pile(entry) for entry in value]


def _pile(entry: object) -> scorer.PileIn:
    if not isinstance(entry, dict):
        raise RequestError("a pile must be an object with 'cards', 'table' and 'kind'")
    cards, kind = entry.get("cards"), entry.get("kind")
    if (
        not isinstance(cards, list)
        or len(cards) > MAX_PILE_CARDS
        or not all(isinstance(c, str) for c in cards)
    ):
        raise RequestError(f"the 'cards' of a pile must be a list of at most {MAX_PILE_CARDS} card codes")
    if kind is not None and not isinstance(kind, str):
        raise RequestError("the 'kind' of a pile must be a text or null")
    return scorer.PileIn(cards=tuple(cards), table=entry.get("table") is True, kind=kind)


def _json_object() -> dict[str, object]:
    body = request.get_json()
    if not isinstance(body, dict):
        raise BadRequest("the request must be a JSON object")
    return body


def _question(body: Mapping[str, object]) -> Question:
    rules = body.get("rules")
    if not isinstance(rules, str):
        raise RequestError("'rules' must name a rule set")
    facts, options = body.get("facts", {}), body.get("options", {})
    if not isinstance(facts, dict) or not isinstance(options, dict):
        raise RequestError("'facts' and 'options' must be objects of names and values")
    return Question(rules, facts, options)


def _question_with_hand() -> tuple[Question, scorer.Hand]:
    body = _json_object()
    question = _question(body)
    text = body.get("hand")
    if not isinstance(text, str):
        raise RequestError("'hand' must be a text of cards")
    if len(text) > MAX_HAND_CHARACTERS:
        raise RequestError(f"the hand is longer than {MAX_HAND_CHARACTERS} characters")
    return question, scorer.parse_hand(text, question.rules)
