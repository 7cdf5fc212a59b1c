"""The list of tables and one table: what stands, the rounds, taking back, settling up."""

from __future__ import annotations

from flask import Response, flash, jsonify, make_response, render_template, request, url_for

from webui.games import asked, words
from webui.games.room import (
    acknowledged,
    blueprint,
    change,
    flash_turned,
    ledger_of,
    see_other,
    table_json,
)
from webui.games.rules import option_values, paying_facts, rule_set, usual_counts
from webui.language.said import gettext
from webui.ledger import turns
from webui.ledger.changes import Change, Redone, RoundDeleted, Undone
from webui.ledger.chart import chart
from webui.ledger.errors import BadField, NothingToRedo, NothingToUndo
from webui.ledger.fold import Ledger
from webui.ledger.money import Money
from webui.ledger.transfers import settle_up
from webui.store import kept, tables

TABLES_PER_PAGE = 30
ROUNDS_SHOWN = 30
"""More come by one tap; a page of them all grows slow on an old phone."""


@blueprint.get("", endpoint="rooms")
def rooms() -> str:
    """All tables, the one changed last first."""
    start = asked.parse_number(request.args.get("from", "")) or 0
    found = tables.listed(kept.store(), max(0, start), TABLES_PER_PAGE)
    more = tables.count(kept.store()) > start + TABLES_PER_PAGE
    return render_template(
        "games/list.html",
        tables=found.tables,
        damaged=found.damaged,
        more=start + TABLES_PER_PAGE if more else None,
        winners=_leaders(found.tables),
    )


def _leaders(found: tuple[tuple[str, Ledger], ...]) -> dict[str, list[tuple[str, Money]]]:
    """People of each table by what they have, the most first."""
    return {
        table_id: sorted(
            zip((person.name for person in ledger.people), ledger.totals, strict=True),
            key=lambda pair: -pair[1],
        )
        for table_id, ledger in found
    }


@blueprint.get("/tables.json")
def tables_json() -> Response:
    """The tables for scripts."""
    found = tables.listed(kept.store(), 0, TABLES_PER_PAGE)
    return jsonify({"tables": [table_json(table_id, ledger) for table_id, ledger in found.tables]})


@blueprint.get("/<table_id>")
def table(table_id: str) -> str:
    """One table: totals, the coming round, the rounds so far."""
    ledger = ledger_of(table_id)
    log = {event.seq: event for event in tables.events(kept.store(), table_id)}
    rules = rule_set(ledger.rules)
    return render_template(
        "games/table.html",
        table_id=table_id,
        ledger=ledger,
        playing=turns.playing(len(ledger.people), ledger.coming),
        drawing=chart([played.round.amounts for played in ledger.rounds], len(ledger.people)),
        undo=words.change_sentence(ledger.undo, ledger, log) if ledger.undo else None,
        redo=words.change_sentence(ledger.redo, ledger, log) if ledger.redo else None,
        every=request.args.get("every") == "1",
        rounds_shown=ROUNDS_SHOWN,
        usual=usual_counts(ledger),
        leading=[number for number, total in enumerate(ledger.totals) if total == max(ledger.totals) > 0],
        one_pays=rules.may_pay_alone(option_values(rules, ledger.settings.options)),
        paying=paying_facts(rules, ledger.settings.options),
    )


@blueprint.get("/<table_id>/table.json")
def one_table_json(table_id: str) -> Response:
    """One table for scripts: who plays, who deals, which version."""
    return jsonify(table_json(table_id, ledger_of(table_id)))


@blueprint.get("/<table_id>/version.json")
def version_json(table_id: str) -> Response:
    """The version, for a page that wants to know whether it is still up to date."""
    answer = jsonify({"version": tables.version(kept.store(), table_id)})
    answer.cache_control.no_store = True
    return answer


@blueprint.post("/<table_id>/undo")
def undo(table_id: str) -> Response:
    """Take the last change back."""

    def make(ledger: Ledger) -> Change:
        if ledger.undo is None:
            raise NothingToUndo()
        return Undone(_seq())

    done = change(table_id, make)
    return _told(table_id, done.seq, acknowledged(done, url_for("games.table", table_id=table_id)))


@blueprint.post("/<table_id>/redo")
def redo(table_id: str) -> Response:
    """Let the change that was taken back last hold again."""

    def make(ledger: Ledger) -> Change:
        if ledger.redo is None:
            raise NothingToRedo()
        return Redone(_seq())

    done = change(table_id, make)
    return _told(table_id, done.seq, acknowledged(done, url_for("games.table", table_id=table_id)))


@blueprint.post("/<table_id>/rounds/<int:round_id>/delete")
def delete_round(table_id: str, round_id: int) -> Response:
    """Delete a round; undo brings it back."""
    done = change(table_id, lambda _: RoundDeleted(round_id))
    return _told(table_id, done.seq, acknowledged(done, url_for("games.table", table_id=table_id)))


def _seq() -> int:
    """The event that an undo or redo names: what the user saw as the last one."""
    given = asked.json_body().get("seq") if request.is_json else asked.number("seq")
    if type(given) is not int:
        raise BadField({"field": "seq"})
    return given


def _told(table_id: str, seq: int, answer: Response) -> Response:
    """Say on the next page what was done."""
    if not request.is_json:
        events = tables.events(kept.store(), table_id)
        log = {event.seq: event for event in events}
        flash(words.change_sentence(log[seq], ledger_of(table_id), log), "good")
        flash_turned(table_id, seq)
    return answer


@blueprint.get("/<table_id>/settle")
def settle(table_id: str) -> str:
    """Who pays whom at the end of the evening, with the fewest payments."""
    ledger = ledger_of(table_id)
    names = [person.name for person in ledger.people]
    transfers = settle_up(ledger.totals)
    ranked = sorted(range(len(names)), key=lambda person: -ledger.totals[person])
    return render_template(
        "games/settle.html",
        table_id=table_id,
        ledger=ledger,
        transfers=transfers,
        ranked=ranked,
        # The rows of the picture that can be shared.
        paid=[(f"{names[one.payer]} → {names[one.payee]}", words.plain(one.amount)) for one in transfers],
        totals=[(names[person], words.signed(ledger.totals[person])) for person in ranked],
    )


@blueprint.get("/<table_id>/log")
def log(table_id: str) -> str:
    """Everything that was ever done at this table, newest first."""
    events = tables.events(kept.store(), table_id)
    ledger = ledger_of(table_id)
    by_seq = {event.seq: event for event in events}
    lines = [(event, words.change_sentence(event, ledger, by_seq)) for event in reversed(events)]
    return render_template("games/log.html", table_id=table_id, ledger=ledger, lines=lines)


@blueprint.get("/<table_id>/crops/<sha256>.jpg")
def crop(table_id: str, sha256: str) -> Response:
    """A kept picture of a card."""
    data = tables.crop(kept.store(), table_id, sha256)
    if data is None:
        return make_response("", 404)
    answer = Response(data, mimetype="image/jpeg")
    answer.cache_control.private = True
    answer.cache_control.max_age = 365 * 24 * 3600
    answer.cache_control.immutable = True
    return answer


@blueprint.route("/<table_id>/delete", methods=["GET", "POST"])
def delete(table_id: str) -> Response:
    """Delete a table with everything in it, after a question; also a damaged one."""
    name = tables.name(kept.store(), table_id) or gettext("Damaged table")
    if request.method == "GET":
        return make_response(render_template("games/delete.html", table_id=table_id, name=name))
    if request.form.get("sure") != "on":
        flash(gettext("Tick the box to delete the table."), "error")
        return back_to_delete(table_id)
    tables.remove(kept.store(), table_id)
    flash(gettext("Deleted: %(name)s", name=name), "good")
    return see_other(url_for("games.rooms"))


def back_to_delete(table_id: str) -> Response:
    """Ask again."""
    return see_other(url_for("games.delete", table_id=table_id))
