"""The room's blueprint, its errors, and its pictures."""

from __future__ import annotations

from flask import Blueprint, Response, flash, jsonify, make_response, render_template, request, url_for

import scorer
import vision
from webui.games import asked, words
from webui.games.room import see_other
from webui.language.said import gettext
from webui.ledger.errors import N_, LedgerError
from webui.scanning.api import PHOTO_STATUS, RETRY_SECONDS
from webui.scanning.recognise import BusyError
from webui.shell.failures import error_object
from webui.store import kept
from webui.store.decks import UnknownDeck

PRINT_SENTENCES = {
    "print_busy": N_("Somebody else is changing what a deck has learnt; try again in a moment."),
    "unknown_print": N_("What this deck had learnt is gone."),
    "damaged_print": N_("What this deck has learnt is damaged; teach it again from a photo."),
}
"""What a player is told of a print that can't be used now, by the code of the error."""

blueprint = Blueprint("decks", __name__, url_prefix="/decks")
blueprint.record_once(kept.on_register)


@blueprint.context_processor
def _helpers() -> dict[str, object]:
    return {
        "day": words.day,
        "clock": words.clock,
        "iso": words.iso,
        "new_key": asked.new_key,
        "deck": scorer.deck,
    }


@blueprint.errorhandler(LedgerError)
def _refused(error: LedgerError) -> Response:
    status = 404 if isinstance(error, UnknownDeck) else words.status_of(error)
    if asked.wants_json():
        return error_object(error.code, str(error), status, sentence=words.sentence(error))
    if status == 404:
        return make_response(render_template("failure.html", status=404, sentence=words.sentence(error)), 404)
    flash(words.sentence(error), "error")
    deck_id = (request.view_args or {}).get("deck_id")
    return see_other(url_for("decks.deck", deck_id=deck_id) if deck_id else url_for("decks.rooms"))


@blueprint.errorhandler(vision.PhotoError)
def _bad_photo(error: vision.PhotoError) -> Response:
    said = PRINT_SENTENCES.get(error.code)
    more = {"sentence": gettext(said)} if said else {}
    return error_object(error.code, str(error), PHOTO_STATUS.get(error.code, 422), **more)


@blueprint.errorhandler(BusyError)
def _busy(error: BusyError) -> Response:
    answer = error_object(error.code, str(error), 429)
    answer.headers["Retry-After"] = str(RETRY_SECONDS)
    return answer


def changed(url: str) -> Response:
    """Where a form that did its work leads: a redirect, or the address for a script."""
    return jsonify({"url": url}) if asked.wants_json() else see_other(url)


def jpeg_answer(data: bytes | None) -> Response:
    """A kept picture, or 404 where there is none."""
    if data is None:
        return make_response("", 404)
    answer = Response(data, mimetype="image/jpeg")
    answer.cache_control.private = True
    answer.cache_control.max_age = 24 * 3600
    return answer
