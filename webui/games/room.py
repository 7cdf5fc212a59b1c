"""The room's blueprint, and what all its views share."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flask import (
    Blueprint,
    Response,
    flash,
    jsonify,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)

import scorer
from webui.games import asked, words
from webui.games.holding import check_log
from webui.games.rounds import CountedOtherwise
from webui.games.rules import option_values
from webui.language.said import gettext
from webui.ledger.changes import Change
from webui.ledger.errors import LedgerError
from webui.ledger.fold import Ledger, fold
from webui.ledger.turns import playing
from webui.shell.failures import error_object
from webui.store import kept, tables
from webui.store.logs import DamagedLog
from webui.store.tables import Appended, Conflict, UnknownTable

blueprint = Blueprint("games", __name__, url_prefix="/games")
blueprint.record_once(kept.on_register)
blueprint.record_once(lambda state: kept.opened(state.app).logs.also(check_log))


@blueprint.context_processor
def _helpers() -> dict[str, object]:
    return {
        "signed": words.signed,
        "average": words.average,
        "plain": words.plain,
        "short_name": words.short_name,
        "clock": words.clock,
        "day": words.day,
        "iso": words.iso,
        "round_title": words.round_title,
        "option_values": option_values,
        "total_text": words.total_text,
        "payment_lines": words.payment_lines,
        "otherwise": words.otherwise,
        "named_hand": words.named_hand,
        "new_key": asked.new_key,
        "rule_set": scorer.rule_set,
        "deck": scorer.deck,
    }


@blueprint.errorhandler(LedgerError)
def _refused(error: LedgerError) -> Response:
    """A refusal that no form shows in its place: an object for scripts, else a notice on the table's page."""
    if asked.wants_json():
        return refusal_json(error)
    if isinstance(error, UnknownTable):
        page = render_template("failure.html", status=404, sentence=words.sentence(error))
        return make_response(page, 404)
    if isinstance(error, DamagedLog):
        return damaged_page(str((request.view_args or {}).get("table_id")))
    flash(words.sentence(error), "error")
    table_id = (request.view_args or {}).get("table_id")
    return back_to(str(table_id)) if table_id else see_other(url_for("games.rooms"))


def damaged_page(table_id: str) -> Response:
    """What can still be done with a damaged table: save it as it is, and delete it."""
    name = tables.name(kept.store(), table_id) or gettext("Damaged table")
    page = render_template("games/damaged.html", table_id=table_id, name=name)
    return make_response(page, 422)


def refusal_json(error: LedgerError) -> Response:
    """The error object, with the table's version or the other count where that helps the client on."""
    answer = error_object(error.code, str(error), words.status_of(error))
    body = answer.get_json()
    # The message is for programs; a page shows the sentence, which is in its language.
    body["error"]["sentence"] = words.sentence(error)
    table_id = (request.view_args or {}).get("table_id")
    if isinstance(error, Conflict) and table_id:
        body["version"] = tables.version(kept.store(), str(table_id))
    if isinstance(error, CountedOtherwise):
        body["score"] = error.score
    answer.set_data(jsonify(body).get_data())
    return answer


def form_says(error: LedgerError) -> str:
    """What a form that is shown again says of a refusal; a script gets the error object: the error goes on."""
    if asked.wants_json():
        raise error
    return words.sentence(error)


def see_other(url: str) -> Response:
    """Go on to a page after a change (303, so that a reload changes nothing again)."""
    return make_response(redirect(url, 303))


def back_to(table_id: str, fragment: str = "") -> Response:
    """Go on to the table's page."""
    return see_other(url_for("games.table", table_id=table_id, _anchor=fragment or None))


def ledger_of(table_id: str) -> Ledger:
    """The table as it stands; raises `UnknownTable`."""
    return tables.ledger(kept.store(), table_id)


def change(
    table_id: str, make: Callable[[Ledger], Change], pictures: Mapping[str, bytes] | None = None
) -> Appended:
    """Carry out what the request asks for, once however often it is sent.

    `make` gets the table as it stands and is not called for a repetition.
    """
    order = asked.order()
    done = tables.acknowledged(kept.store(), order)
    if done:
        return done
    wanted = make(ledger_of(table_id))
    return tables.append(kept.store(), table_id, wanted, asked.base(), order, pictures)


def acknowledged(done: Appended, url: str, body: Mapping[str, object] | None = None) -> Response:
    """The answer to a change that is saved: an object for scripts (201, or 200 for a repetition), else the page."""
    if not asked.wants_json():
        return see_other(url)
    answer = jsonify(
        {"table": done.table_id, "seq": done.seq, "version": done.seq, "repeated": done.repeated, "url": url}
        | dict(body or {})
    )
    answer.status_code = 200 if done.repeated else 201
    return answer


def table_json(table_id: str, ledger: Ledger) -> dict[str, object]:
    """A table as the scan page needs it."""
    return {
        "id": table_id,
        "url": url_for("games.table", table_id=table_id),
        "name": ledger.settings.name,
        "rules": ledger.rules,
        "options": ledger.settings.options,
        "stake": ledger.settings.stake,
        "version": ledger.version,
        "changed_ms": ledger.changed_ms,
        "seats": len(ledger.people) - len(ledger.coming.out),
        "people": [{"name": person.name, "away": person.away} for person in ledger.people],
        "order": list(ledger.order),
        "playing": sorted(playing(len(ledger.people), ledger.coming), key=ledger.order.index),
        "next": {
            "dealer": ledger.coming.dealer,
            "sitter": ledger.coming.sitter,
            "out": list(ledger.coming.out),
        },
        "rounds": [played.id for played in ledger.rounds],
        "totals": list(ledger.totals),
        "undo": ledger.undo.seq if ledger.undo else None,
        "redo": ledger.redo.seq if ledger.redo else None,
    }


def flash_turned(table_id: str, seq: int, besides: int | None = None) -> None:
    """Say on the next page what event `seq` changed in later rounds, since another one deals there now."""
    log = tables.log(kept.store(), table_id)
    if log.ledger.version == seq and log.before:
        said = words.turned(log.before, log.ledger, besides)
    else:
        said = words.turned(fold(log.events[: seq - 1]), fold(log.events[:seq]), besides)
    if said:
        flash(" ".join(said), "warning")


def saved_notice(ledger: Ledger, done: Appended) -> str:
    """What is flashed after a change: the line of the log."""
    log = {event.seq: event for event in tables.events(kept.store(), done.table_id)}
    return gettext("Saved: %(what)s", what=words.change_sentence(log[done.seq], ledger, log))
