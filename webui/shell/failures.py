"""Errors: one sentence in the language of the page, or the error object of the JSON API."""

from __future__ import annotations

from pathlib import Path

from flask import Flask, Response, current_app, jsonify, make_response, render_template, request
from flask_babel import gettext
from flask_wtf.csrf import CSRFError
from sqlalchemy.exc import DBAPIError
from werkzeug.exceptions import (
    HTTPException,
    InternalServerError,
    MethodNotAllowed,
    RequestEntityTooLarge,
    SecurityError,
)

from webui.store import DamagedDatabase, kept
from webui.store.faults import Trouble, says_damage, trouble

CODES = {
    400: "bad_request",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    409: "conflict",
    413: "too_large",
    415: "unsupported_type",
    422: "unprocessable",
    429: "busy",
    500: "internal_error",
    503: "unavailable",
    507: "no_room",
}


def N_(text: str) -> str:  # noqa: N802 - the usual mark of a message that is translated where it is shown
    return text


SENTENCES = {
    400: N_("The page could not understand this request."),
    403: N_("This is not allowed from here."),
    404: N_("There is no such page."),
    405: N_("This page does not do that."),
    409: N_("Somebody changed this meanwhile; load the page again."),
    413: N_("That is too large: a photo may have 12 MB and 50 megapixels."),
    415: N_("This kind of file can't be read here."),
    422: N_("What was sent can't be used."),
    429: N_("Too many photos are being read; try again in a few seconds."),
    500: N_("Something went wrong in paiyan. Look whether what you did last was saved."),
}

DAMAGED = N_(
    "The file %(file)s, in which games and decks are kept, is damaged. Bring a backup back, or move the file away. "
    "Scanning and counting go on."
)


TROUBLE = {
    Trouble.FULL: (
        507,
        N_(
            "The disk of the computer that runs paiyan is full: nothing was saved. Make room there and do it again."
        ),
    ),
    Trouble.CLOSED: (
        503,
        N_("The computer that runs paiyan can't write into its data folder now: nothing was saved."),
    ),
    Trouble.LOCKED: (
        503,
        N_("Another program holds paiyan's data: nothing was saved. Try again in a moment."),
    ),
}
"""What keeps paiyan from writing, with its status; scanning and counting go on."""


def error_object(code: str, message: str, status: int, **more: str) -> Response:
    """The error object of the API (DESIGN 3) with its status; `more` may be its `sentence` in the page's language."""
    answer = jsonify({"error": {"code": code, "message": message, **more}})
    answer.status_code = status
    return answer


def _wants_json() -> bool:
    if request.path.startswith("/api/"):
        return True
    best = request.accept_mimetypes.best_match(["text/html", "application/json"])
    return best == "application/json"


def _show(error: HTTPException) -> Response:
    status = error.code or 500
    if error.response is not None:
        return make_response(error.response)
    code = CODES.get(status, "error")
    if isinstance(error, SecurityError):
        # Asked for under a name that is not ours: no address of a page can be made, so no page either.
        return make_response(
            "This computer is not known by that name.\n", status, {"Content-Type": "text/plain"}
        )
    if _wants_json():
        answer = error_object(code, _english(error), status)
    else:
        sentence = gettext(SENTENCES.get(status, SENTENCES[400]))
        answer = make_response(render_template("failure.html", status=status, sentence=sentence), status)
    if isinstance(error, MethodNotAllowed) and error.valid_methods:
        answer.headers["Allow"] = ", ".join(error.valid_methods)  # RFC 9110, 15.5.6
    return answer


def _english(error: HTTPException) -> str:
    if isinstance(error, RequestEntityTooLarge):
        return "the request is too large: a photo may have 12 MB"
    text = (error.description or error.name).strip()
    return text[0].lower() + text[1:].rstrip(".")


def _without_database(error: DamagedDatabase) -> Response:
    """Which file is damaged, and what can be done; the whole of it goes to whoever sits at the computer."""
    current_app.logger.error("%s: %s", request.path, error)
    name = Path(error.database).name
    sentence = gettext(DAMAGED, file=name)
    if _wants_json():
        return error_object(error.code, f"the database {name} is damaged", 503, sentence=sentence)
    return make_response(render_template("failure.html", status=503, sentence=sentence), 503)


def _database_failed(error: DBAPIError) -> Response:
    if says_damage(error):
        return _without_database(DamagedDatabase(kept.opened(current_app).name, str(error.orig)))
    return _not_written(error)


def _not_written(error: DBAPIError | OSError) -> Response:
    why = trouble(error)
    if why is None:
        return _broken(error)
    current_app.logger.error("%s: %s", request.path, error)
    status, said = TROUBLE[why]
    if _wants_json():
        return error_object(CODES[status], f"nothing was saved: {why.value}", status, sentence=gettext(said))
    return make_response(render_template("failure.html", status=status, sentence=gettext(said)), status)


def _expired(error: CSRFError) -> Response:
    if _wants_json():
        return error_object("csrf", "the page is too old or came from elsewhere; load it again", 400)
    sentence = gettext("This page is too old; load it again and repeat what you did.")
    return make_response(render_template("failure.html", status=400, sentence=sentence), 400)


def _broken(error: Exception) -> Response:
    current_app.logger.exception("unexpected error on %s", request.path)
    if current_app.config["TESTING"]:
        raise error
    return _show(InternalServerError())


def init_app(app: Flask) -> None:
    """Let `app` answer every error in a sentence."""
    app.register_error_handler(HTTPException, _show)
    app.register_error_handler(CSRFError, _expired)
    app.register_error_handler(DamagedDatabase, _without_database)
    app.register_error_handler(DBAPIError, _database_failed)
    app.register_error_handler(OSError, _not_written)
    app.register_error_handler(Exception, _broken)
