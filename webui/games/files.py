"""Tables as files: saving as JSON or CSV, bringing one back in as a table of its own, all or nothing."""

from __future__ import annotations

import io
import re
from codecs import BOM_UTF8
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flask import Response, flash, make_response, render_template, request, send_file, url_for

import scorer
from webui.games import asked, sheet_words, words
from webui.games.holding import check_log
from webui.games.room import acknowledged, blueprint, form_says, ledger_of
from webui.games.rules import HandRefused, payment, rule_set
from webui.games.spreadsheets import rows_of
from webui.language.languages import language
from webui.language.said import gettext
from webui.ledger.changes import Body, Event, Json
from webui.ledger.errors import N_, LedgerError
from webui.ledger.exchange import NotOurFile, from_json, to_json
from webui.ledger.fold import Ledger, fold
from webui.ledger.sheet import csv_text, to_rows
from webui.ledger.sheet_reader import from_rows
from webui.scanning import pictures
from webui.store import kept, remains, tables
from webui.store.tables import Order

MAX_FILE_BYTES = 24 * 1024 * 1024
"""A table of a thousand rounds with all their pictures."""


class FileTooLarge(LedgerError):
    """A file larger than any table."""

    code = "file_too_large"
    text = N_("The file is larger than any saved table.")


class NoFile(LedgerError):
    """No file was chosen."""

    code = "no_file"
    text = N_("Choose a file first.")


class AlreadyHere(LedgerError):
    """A file whose table is here: it was brought in before, or saved here."""

    code = "already_here"
    text = N_("This table is here already, as “%(name)s”. Tick the box to bring it in once more.")

    def __init__(self, table_id: str, name: str) -> None:
        super().__init__({"name": name})
        self.table_id = table_id


@dataclass(frozen=True)
class Brought:
    """A log from a file, checked, and its pictures."""

    log: Sequence[Event]
    crops: Mapping[str, bytes]


@blueprint.get("/<table_id>/export.json")
def export_json(table_id: str) -> Response:
    """The whole log and its pictures."""
    text = to_json(tables.events(kept.store(), table_id), tables.crops(kept.store(), table_id))
    return _download(text, "application/json", f"{_named(ledger_of(table_id))}.json")


@blueprint.get("/<table_id>/as-it-is.json")
def export_remains(table_id: str) -> Response:
    """The rows of a damaged table as they are, for who may be able to mend it."""
    text = remains.as_they_are(kept.store(), table_id)
    return _download(text, "application/json", f"paiyan {table_id} damaged.json")


@blueprint.get("/<table_id>/export.csv")
def export_csv(table_id: str) -> Response:
    """The rounds for a spreadsheet, in the language of the page."""
    ledger = ledger_of(table_id)
    rows = sheet_words.worded(to_rows(ledger), language())
    return _download(csv_text(rows), "text/csv; charset=utf-8", f"{_named(ledger)}.csv")


def _named(ledger: Ledger) -> str:
    """The name of a table's file: the table's own and the day of its last round, as any file system takes it."""
    plain = re.sub(r'[\\/:*?"<>|\x00-\x1f]', " ", ledger.settings.name).strip(" .")
    return f"{plain or 'paiyan'} {words.day(ledger.changed_ms)}"


def _download(text: str, mimetype: str, name: str) -> Response:
    return send_file(io.BytesIO(text.encode()), mimetype, as_attachment=True, download_name=name)


@blueprint.route("/import", methods=["GET", "POST"])
def bring() -> Response:
    """Bring a saved table in."""
    if request.method == "GET":
        return make_response(render_template("games/import.html", error="", key=""))
    file = request.files.get("file")
    data = file.stream.read(MAX_FILE_BYTES + 1) if file else b""
    try:
        done = _restored(data)
    except LedgerError as error:
        there = error.table_id if isinstance(error, AlreadyHere) else None
        page = render_template("games/import.html", error=form_says(error), key=asked.new_key(), there=there)
        return make_response(page, words.status_of(error))
    flash(gettext("The table was brought in."), "good")
    return acknowledged(done, url_for("games.table", table_id=done.table_id))


def _restored(data: bytes) -> tables.Appended:
    order = asked.order()
    # The file is part of what is asked for.
    order = Order(order.key, tables.fingerprint([order.asked, pictures.sha256(data)]), order.at_ms)
    done = tables.acknowledged(kept.store(), order)
    if done:
        return done
    brought = read_file(data)
    there = tables.twin(kept.store(), brought.log)
    if there and request.form.get("again") != "on":
        raise AlreadyHere(there, ledger_of(there).settings.name)
    return tables.restore(kept.store(), brought.log, order, brought.crops)


def read_file(data: bytes) -> Brought:
    """A saved table from the bytes of a file, JSON or CSV; raises `LedgerError` with what is wrong."""
    if not data:
        raise NoFile()
    if len(data) > MAX_FILE_BYTES:
        raise FileTooLarge()
    if data.removeprefix(BOM_UTF8).lstrip().startswith(b"{"):
        saved = from_json(_json_text(data))
        brought = Brought(saved.log, saved.crops)
    else:
        brought = Brought(from_rows(rows_of(data), recount), {})
    _check(brought)
    return brought


def _json_text(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise NotOurFile() from None


def recount(rules_id: str, hand: str, facts: Body, options: Body) -> Mapping[str, Json]:
    """Count a hand of a file again, or without one what was said of the count."""
    rule_set(rules_id)
    if not hand:
        return payment(rules_id, facts, options)
    try:
        score = scorer.score(scorer.parse_hand(hand, rules_id), facts, options)
    except scorer.ScorerError as error:
        raise HandRefused(error, rules_id) from error
    return scorer.score_json(score)


def _check(brought: Brought) -> None:
    """Whether the rules are known and everything that the pages show of a hand is what it must be."""
    check_log(brought.log, fold(brought.log))
    for name, data in brought.crops.items():
        if pictures.sha256(data) != name or not pictures.is_kept(data):
            raise pictures.BadPicture()
