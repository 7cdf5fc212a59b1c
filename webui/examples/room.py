"""The room's blueprint, its errors, and the kept photo that a request names."""

from __future__ import annotations

from flask import Blueprint, Response, flash, make_response, render_template, url_for

import scorer
import vision
from webui.examples.truth import BadTruth
from webui.games import asked, words
from webui.games.room import see_other
from webui.language.said import gettext
from webui.ledger.errors import LedgerError
from webui.scanning.api import PHOTO_STATUS, RETRY_SECONDS, RequestError
from webui.scanning.recognise import BusyError
from webui.shell.failures import error_object
from webui.store import kept
from webui.store.examples import UnknownExample

blueprint = Blueprint("examples", __name__, url_prefix="/examples")
blueprint.record_once(kept.on_register)


@blueprint.context_processor
def _helpers() -> dict[str, object]:
    return {"day": words.day, "iso": words.iso, "deck": scorer.deck}


@blueprint.errorhandler(LedgerError)
def _refused(error: LedgerError) -> Response:
    status = 404 if isinstance(error, UnknownExample) else words.status_of(error)
    if asked.wants_json():
        return error_object(error.code, str(error), status, sentence=words.sentence(error))
    if status == 404:
        return make_response(render_template("failure.html", status=404, sentence=words.sentence(error)), 404)
    flash(words.sentence(error), "error")
    return see_other(url_for("examples.rooms"))


@blueprint.errorhandler(RequestError)
@blueprint.errorhandler(BadTruth)
def _bad_request(error: RequestError | BadTruth) -> Response:
    return error_object(error.code, str(error), 400)


@blueprint.errorhandler(vision.PhotoError)
def _bad_photo(error: vision.PhotoError) -> Response:
    return error_object(error.code, str(error), PHOTO_STATUS.get(error.code, 422))


@blueprint.errorhandler(BusyError)
def _busy(error: BusyError) -> Response:
    if not asked.wants_json():
        flash(gettext("Too many photos are being read; try again in a few seconds."), "error")
        return see_other(url_for("examples.rooms"))
    answer = error_object(error.code, str(error), 429)
    answer.headers["Retry-After"] = str(RETRY_SECONDS)
    return answer
