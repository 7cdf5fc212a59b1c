"""Making a table and changing it: people, seats, stake, options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from flask import Response, flash, make_response, render_template, request, url_for

import scorer
from webui.games import asked, words
from webui.games.listed import by_deck
from webui.games.room import acknowledged, blueprint, change, form_says, ledger_of, saved_notice
from webui.games.rounds import form_values
from webui.games.rules import check_seats, option_values, rule_set
from webui.language.languages import language
from webui.language.said import gettext
from webui.ledger import turns
from webui.ledger.changes import (
    DEALER_RULES,
    MAX_PEOPLE,
    MAX_STAKE,
    NAME_LETTERS,
    Change,
    Created,
    DealerSet,
    Json,
    OptionChanged,
    PlayerAway,
    PlayerJoined,
    PlayerRenamed,
    PlayerReplaced,
    Seating,
    SeatsTaken,
    Settings,
)
from webui.ledger.errors import BadDealer, BadField, BadPeopleCount, BadStake, LedgerError
from webui.ledger.fold import Ledger
from webui.ledger.money import Money
from webui.store import kept, tables

LAST_TABLES = 10
"""Tables that a new one takes its people and the number in its name from."""

KNOWN_TABLES, KNOWN_PEOPLE = 40, 24
"""Tables whose people are offered to a new one, and how many of them at most."""


@blueprint.get("/new")
def new() -> str:
    """Choose the game, then fill in the form of a new table."""
    rules_id = request.args.get("rules", "")
    if rules_id not in scorer.rule_ids():
        return render_template("games/choose.html", games=by_deck(language()))
    last = _last_tables()
    return _new_form(rules_id, _last_people(rules_id, last), last)


def _last_tables() -> list[Ledger]:
    """The tables that were written at last, the newest first."""
    return [ledger for _, ledger in tables.listed(kept.store(), 0, LAST_TABLES).tables]


def _new_form(rules_id: str, names: list[str], last: Sequence[Ledger], error: str = "", key: str = "") -> str:
    rules = rule_set(rules_id)
    rows = min(MAX_PEOPLE, max(rules.seats) + 2)
    return render_template(
        "games/new.html",
        rules=rules,
        names=[*names, *[""] * MAX_PEOPLE][: max(rows, len(names))],
        needed=min(rules.seats),
        error=error,
        key=key or asked.new_key(),
        form=request.form,
        values=_typed_options(rules) if request.form else _first_options(rules),
        dealer_rules=DEALER_RULES,
        most_stake=MAX_STAKE,
        name_letters=NAME_LETTERS,
        first_name=_first_name(rules, last),
        known=_known_people(),
    )


def _first_name(rules: scorer.RuleSet, last: Sequence[Ledger]) -> str:
    """The name a new table is offered: its game and the day, with a number where a table is called so already."""
    name = f"{rules.name.get(language())} {words.short_day(asked.now_ms())}"
    taken = {ledger.settings.name for ledger in last}
    numbered = (f"{name} ({n})" for n in range(2, len(last) + 2))
    return next(one for one in (name, *numbered) if one not in taken)


def _typed_options(rules: scorer.RuleSet) -> dict[str, str | None]:
    return {option.name: request.form.get(f"option-{option.name}") for option in rules.options}


def _first_options(rules: scorer.RuleSet) -> dict[str, Json]:
    """Options of a new table: the defaults, but a table plays for something, also where the rules name no points."""
    defaults = option_values(rules, {})
    return defaults | {option.name: 1 for option in rules.options if option.stake and not option.default}


def _known_people() -> list[str]:
    """Names of everybody who sat at one of the last tables, who sat down last first."""
    ledgers = (ledger for _, ledger in tables.listed(kept.store(), 0, KNOWN_TABLES).tables)
    return list(dict.fromkeys(person.name for ledger in ledgers for person in ledger.people))[:KNOWN_PEOPLE]


def _stake_said(rules: scorer.RuleSet, settings: Settings) -> Money:
    """The stake as it is said: with the house rule that multiplies it, which older tables have apart."""
    values = option_values(rules, settings.options)
    times = [int(str(values[option.name])) or 1 for option in rules.options if option.multiplies]
    return settings.stake * (times[0] if times else 1)


def _last_people(rules_id: str, last: Sequence[Ledger]) -> list[str]:
    """Who sat at the last table of this game: mostly the same people sit down again."""
    for ledger in last:
        if ledger.rules == rules_id:
            return [person.name for person in ledger.people]
    return []


@blueprint.post("/new")
def create() -> Response:
    """Make the table."""
    rules_id = request.form.get("rules", "")
    rule_set(rules_id)
    names = [asked.line(f"name-{number}") for number in range(MAX_PEOPLE)]
    try:
        order = asked.order()
        done = tables.acknowledged(kept.store(), order) or tables.create(
            kept.store(), [_created(rules_id, names)], order
        )
    except LedgerError as error:
        said = form_says(error)
        page = _new_form(rules_id, names, _last_tables(), said, request.form.get("key", ""))
        return make_response(page, words.status_of(error))
    table = url_for("games.table", table_id=done.table_id)
    # A hand that was counted before its table was there is still in the browser: it is the first round.
    first = url_for("scan.page", game=done.table_id, _anchor="score")
    return acknowledged(done, first if request.form.get("hand") else table)


def _created(rules_id: str, fields: list[str]) -> Created:
    rules = rule_set(rules_id)
    people = [(number, name) for number, name in enumerate(fields) if name]
    if len(people) < min(rules.seats):
        raise BadPeopleCount({"least": min(rules.seats), "most": MAX_PEOPLE})
    name = asked.line("title") or rules.name.get(language())
    settings = _settings(rules, name, len(people))
    chosen = asked.person("dealer")
    numbers = [number for number, _ in people]
    dealer = numbers.index(chosen) if chosen in numbers else 0
    circle = turns.Circle(rules_id, len(people), frozenset(), settings.seats, settings.dealer_rule)
    return Created(
        rules_id, settings, tuple(name for _, name in people), turns.seat(circle, dealer, Seating())
    )


def _settings(rules: scorer.RuleSet, name: str, people: int) -> Settings:
    """The settings of the form; seats left open are as many as the game allows for these people."""
    stake = asked.money("stake")
    if stake is None:
        raise BadStake({"most": MAX_STAKE})
    seats = asked.number("seats") or max(one for one in rules.seats if one <= max(people, min(rules.seats)))
    check_seats(rules.id, seats)
    rule = request.form.get("dealer_rule", "game")
    if rule not in DEALER_RULES:
        raise BadField({"field": "dealer_rule"})
    # What a stake multiplies is said once: as money.
    options = form_values(rules.options, "option") | {
        option.name: 1
        for option in rules.options
        if option.multiplies and f"option-{option.name}" not in request.form
    }
    return Settings(name, stake, seats, options, rule)


@blueprint.route("/<table_id>/settings", methods=["GET", "POST"])
def settings(table_id: str) -> Response:
    """Name, stake, seats, options and dealer rule of a table, from now on."""
    ledger = ledger_of(table_id)
    error = ""
    if request.method == "POST":
        try:
            done = change(table_id, _settings_change)
        except LedgerError as refused:
            error = form_says(refused)
        else:
            flash(saved_notice(ledger_of(table_id), done), "good")
            return acknowledged(done, url_for("games.table", table_id=table_id))
    page = render_template(
        "games/settings.html",
        table_id=table_id,
        ledger=ledger,
        rules=rule_set(ledger.rules),
        values=option_values(rule_set(ledger.rules), ledger.settings.options),
        stake=_stake_said(rule_set(ledger.rules), ledger.settings),
        error=error,
        dealer_rules=DEALER_RULES,
        most_stake=MAX_STAKE,
    )
    return make_response(page, 422 if error else 200)


def _settings_change(ledger: Ledger) -> Change:
    name = asked.line("title") or ledger.settings.name
    return OptionChanged(_settings(rule_set(ledger.rules), name, len(ledger.circle().present())))


@blueprint.post("/<table_id>/people")
def people(table_id: str) -> Response:
    """Let somebody leave the table, come back, join, take another seat or another name."""
    done = change(table_id, _people_change)
    flash(saved_notice(ledger_of(table_id), done), "good")
    return acknowledged(done, url_for("games.seats", table_id=table_id, _anchor="people"))


def _people_change(ledger: Ledger) -> Change:
    what, person = request.form.get("what", ""), asked.person("person")
    if what == "join":
        name = asked.line("name")
        return PlayerJoined(name) if person is None else PlayerReplaced(person, name)
    if person is None or person >= len(ledger.people):
        raise BadField({"field": "person"})
    if what == "rename":
        return PlayerRenamed(person, asked.line("name"))
    if what == "earlier":
        return SeatsTaken(turns.one_seat_earlier(ledger.circle(), person))
    if what in ("away", "back"):
        return PlayerAway(person, what == "away")
    raise BadField({"field": "what"})


@blueprint.route("/<table_id>/seats", methods=["GET", "POST"])
def seats(table_id: str) -> Response:
    """Who deals, sits and is out in the coming round, by hand."""
    ledger = ledger_of(table_id)
    if request.method == "GET":
        circle, coming = ledger.circle(), ledger.coming
        page = render_template(
            "games/seats.html",
            table_id=table_id,
            ledger=ledger,
            present=circle.present(),
            sits=turns.has_sitter(circle, coming.out),
            opposite=turns.sitter(circle, coming.dealer, coming.out),
            name_letters=NAME_LETTERS,
            most_people=MAX_PEOPLE,
        )
        return make_response(page)
    done = change(table_id, _seats_change)
    flash(gettext("The seats of the coming round are set."), "good")
    return acknowledged(done, url_for("games.table", table_id=table_id))


def _seats_change(ledger: Ledger) -> Change:
    circle = ledger.circle()
    out = tuple(sorted({*asked.people("out"), *circle.away}))
    dealer, sitter = asked.person("dealer"), asked.person("sitter")
    if dealer is not None and dealer in out and dealer < len(ledger.people):
        raise BadDealer({"name": ledger.people[dealer].name})
    seating = Seating(dealer, sitter if turns.has_sitter(circle, out) else None, out)
    if seating.sitter is None:
        seating = replace(seating, sitter=turns.sitter(circle, dealer, out))
    return DealerSet(seating)
