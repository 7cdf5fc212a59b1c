"""Writing a round down and correcting it: by a counted hand, by numbers of the count or of money, as a draw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from flask import Response, flash, jsonify, make_response, render_template, request, url_for

import scorer
from webui.games import asked, words
from webui.games.room import acknowledged, blueprint, change, flash_turned, form_says, ledger_of
from webui.games.rounds import Wish, from_form, from_json, keep_crops, to_round
from webui.games.rules import asked_facts, false_call_pays, option_values, paying_facts, rule_set
from webui.ledger import turns
from webui.ledger.changes import HOWS, Change, Round, RoundAdded, RoundEdited, Seating
from webui.ledger.errors import BadField, LedgerError
from webui.ledger.fold import Ledger
from webui.store import kept, tables
from webui.store.tables import Appended, Conflict, KeyReused

WAYS = ("count", "money", "false")


@blueprint.post("/<table_id>/rounds")
def add_counted(table_id: str) -> Response:
    """Write down a hand that the scan page counted (JSON)."""
    body = asked.json_body()
    wish: list[Wish] = []

    def make(ledger: Ledger) -> Change:
        wish.append(from_json(body, ledger))
        return RoundAdded(to_round(wish[0], ledger, ledger.settings.stake, ledger.settings.options))

    order = asked.order()
    done = tables.acknowledged(kept.store(), order)
    if done is None:
        made = make(ledger_of(table_id))
        done = tables.append(kept.store(), table_id, made, asked.base(), order, wish[0].pictures)
    return _written(done, done.seq, {"round": done.seq})


def _written(done: Appended, round_id: int, body: Mapping[str, object] | None = None) -> Response:
    """Go on to the table's page, which says first what was written down and who paid."""
    ledger = ledger_of(done.table_id)
    flash(words.written(ledger.round(round_id).round, words.number_of(round_id, ledger), ledger), "good")
    return acknowledged(done, url_for("games.table", table_id=done.table_id), body)


@blueprint.route("/<table_id>/rounds/new", methods=["GET", "POST"])
def add(table_id: str) -> Response:
    """The form of a new round."""
    ledger = ledger_of(table_id)
    if request.method == "GET":
        return make_response(_form(table_id, ledger))

    def make(now: Ledger) -> Change:
        return RoundAdded(to_round(from_form(now), now, now.settings.stake, now.settings.options))

    try:
        done = change(table_id, make)
    except LedgerError as error:
        return _again(table_id, ledger_of(table_id), error)
    return _written(done, done.seq)


@blueprint.route("/<table_id>/rounds/<int:round_id>/edit", methods=["GET", "POST"])
def edit(table_id: str, round_id: int) -> Response:
    """Correct a past round; its stake and options stay those that it was played with."""
    ledger = ledger_of(table_id)
    before = ledger.round(round_id).round
    if request.method == "GET":
        return make_response(_form(table_id, ledger, before, round_id))

    def make(now: Ledger) -> Change:
        there = now.round(round_id).round
        options = there.counted.options if there.counted else now.settings.options
        edited = to_round(from_form(now, there), now, there.stake, options)
        return RoundEdited(round_id, keep_crops(edited, there, now.rules))

    try:
        done = change(table_id, make)
    except LedgerError as error:
        return _again(table_id, ledger_of(table_id), error, before, round_id)
    answer = _written(done, round_id)
    flash_turned(table_id, done.seq, round_id)
    return answer


@blueprint.post("/<table_id>/count")
def count_now(table_id: str) -> Response:
    """What the form comes to, hand or count, without writing it down; `round` names the one that is corrected."""
    ledger = ledger_of(table_id)
    stake, options = ledger.settings.stake, ledger.settings.options
    cards = _cards_of(ledger.rules, request.form.get("hand", ""))
    try:
        before = _round_or_none(ledger, asked.parse_number(request.args.get("round", "")))
        if before:
            stake, options = before.stake, before.counted.options if before.counted else options
        wish = from_form(ledger, before)
        whole = _with_somebody(wish, len(ledger.people))
        played = to_round(whole, ledger, stake, options)
        if played.counted is None:  # a draw, or money
            raise BadField({"field": "way"})
    except LedgerError as error:
        return jsonify({"wins": False, "sentence": words.sentence(error), "cards": cards})
    rules, score = rule_set(ledger.rules), played.counted.score
    unsaid = wish.winner is None or (wish.drawer is None and played.drawer is not None)
    gains = () if unsaid else zip(ledger.people, played.amounts, strict=True)
    amounts = [words.gain(person.name, amount) for person, amount in gains if amount]
    said, payment = words.total_text(rules, score), words.payment_lines(rules, score, stake)
    return jsonify({"wins": True, "sentence": said, "payment": payment, "amounts": amounts, "cards": cards})


def _with_somebody(wish: Wish, people: int) -> Wish:
    """The wish with anybody as the winner, or as the drawer of the card, where that was not said yet."""
    ring = turns.playing(people, wish.seating)
    winner = ring[0] if wish.winner is None else wish.winner
    drawer = next(one for one in ring if one != winner) if wish.drawer is None else wish.drawer
    return replace(wish, winner=winner, drawer=drawer)


def _cards_of(rules_id: str, text: str) -> dict[str, object] | None:
    """A hand as the page draws it, also one that does not win; None where the text is no hand."""
    try:
        hand = scorer.parse_hand(text, rules_id)
    except scorer.ScorerError:
        return None
    melds = [{"kind": meld.kind, "cards": meld.cards} for meld in hand.melds]
    return {"melds": melds, "loose": hand.loose, "winning": hand.winning}


def _round_or_none(ledger: Ledger, round_id: int | None) -> Round | None:
    return None if round_id is None else ledger.round(round_id).round


def _again(
    table_id: str,
    ledger: Ledger,
    error: LedgerError,
    before: Round | None = None,
    round_id: int | None = None,
) -> Response:
    """The form with what was typed and what was wrong; for a script the error object."""
    said = form_says(error)
    # A key that another request used up would be refused for ever.
    key = asked.new_key() if isinstance(error, KeyReused) else request.form.get("key", "")
    page = _form(table_id, ledger, before, round_id, said, key, fresh=isinstance(error, Conflict))
    return make_response(page, words.status_of(error))


def _form(
    table_id: str,
    ledger: Ledger,
    before: Round | None = None,
    round_id: int | None = None,
    error: str = "",
    key: str = "",
    fresh: bool = False,
) -> str:
    rules = rule_set(ledger.rules)
    how = request.values.get("how") or (before.how if before else "hand")
    way = _way(how, before)
    seating = _seating(ledger, before)
    circle = ledger.circle_of(before) if before else ledger.circle()
    options = before.counted.options if before and before.counted else ledger.settings.options
    values = option_values(rules, options)
    return render_template(
        "games/round.html",
        table_id=table_id,
        ledger=ledger,
        rules=rules,
        how=how if how in HOWS else "hand",
        way=way,
        facts=[fact for fact in asked_facts(rules) if fact.asked(values)],
        seating=seating,
        present=circle.present(),
        sits=turns.has_sitter(circle, seating.out),
        opposite=turns.sitter(circle, seating.dealer, seating.out),
        before=before,
        round_id=round_id,
        stake=before.stake if before else ledger.settings.stake,
        options=options,
        penalty=false_call_pays(ledger.rules, options) if way == "false" else None,
        one_pays=rules.may_pay_alone(values),
        paying=paying_facts(rules, options),
        error=error,
        key=key or asked.new_key(),
        typed=request.form if request.method == "POST" else None,
        number=words.number_of(round_id or ledger.version + 1, ledger),
        newest=ledger.rounds[-1] if fresh and ledger.rounds else None,
    )


def _way(how: str, before: Round | None) -> str:
    """How numbers are written down: `count`, by what the payment multiplies, `money`, `false` call; else nothing."""
    if how != "numbers":
        return ""
    usual = "count"
    if before and before.how == how and not before.counted:
        usual = "false" if before.called_falsely else "money"
    asked_for = request.values.get("way", usual)
    return asked_for if asked_for in WAYS else usual


def _seating(ledger: Ledger, before: Round | None) -> Seating:
    """What the form shows as seats: what was typed, what was played, or what comes."""
    if request.method == "POST":
        return Seating(asked.person("dealer"), asked.person("sitter"), asked.people("out"))
    return before.seating if before else ledger.coming
