"""A round as somebody wants it written down, from a form or from the scan page, made into a round of the ledger."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from flask import request

import scorer
from webui.games import asked
from webui.games.rules import (
    Count,
    asked_facts,
    count,
    count_said,
    paying_facts,
    pays_alone,
    refuse_no_win,
    rule_set,
)
from webui.ledger import turns
from webui.ledger.changes import HOWS, NOTE_LETTERS, Body, Counted, Crop, How, Json, Round, Seating
from webui.ledger.errors import N_, BadField, BadWinner, LedgerError, NoDrawer, NoWinner
from webui.ledger.fold import Ledger
from webui.ledger.money import Money, plain, size
from webui.scanning import pictures

MAX_HAND_CHARACTERS = 2000
MAX_CROPS = 64
WINS, PAYS = "wins", "pays"


class CountedOtherwise(LedgerError):
    """The table counts the hand differently from what the client showed."""

    code = "counted_otherwise"
    text = N_("At this table, with its options and seats, the hand counts %(total)s, not %(shown)s.")

    def __init__(self, shown: int, score: Mapping[str, Json]) -> None:
        super().__init__({"shown": shown, "total": score["total"]})
        self.score = score


class TwoEmpty(LedgerError):
    """Amounts that do not balance while more than one is empty: only one can take the rest."""

    code = "two_empty"
    text = N_("The amounts do not balance. Leave only one empty, and the rest goes there.")


@dataclass(frozen=True)
class Wish:
    """What is to be written down; amounts per person, None where the rest is to go.

    `by_count` says that the numbers are those of the game's count, among the facts, and no amounts.
    """

    how: How
    seating: Seating
    winner: int | None = None
    last: int | None = None
    drawer: int | None = None
    note: str = ""
    hand: str = ""
    facts: Body = field(default_factory=dict)
    by_count: bool = False
    amounts: tuple[Money | None, ...] = ()
    shown_total: int | None = None
    crops: tuple[Crop, ...] = ()
    pictures: Mapping[str, bytes] = field(default_factory=dict)


def from_form(ledger: Ledger, before: Round | None = None) -> Wish:
    """Read the form of a round, or of the correction of one (`before`); raises `LedgerError` with what is wrong."""
    how = request.form.get("how", "")
    if how not in HOWS:
        raise BadField({"field": "how"})
    circle = ledger.circle_of(before) if before else ledger.circle()
    seating = _whole(circle, Seating(asked.person("dealer"), asked.person("sitter"), asked.people("out")))
    wish = Wish(how=how, seating=seating, note=asked.line("note")[:NOTE_LETTERS])
    if how == "draw":
        return replace(wish, last=asked.person("last"))
    wish = replace(wish, winner=asked.person("winner"))
    rules = rule_set(ledger.rules)
    if how == "hand":
        hand = request.form.get("hand", "")[:MAX_HAND_CHARACTERS]
        facts = form_values(asked_facts(rules), "fact")
        return replace(wish, drawer=asked.person("drawer"), hand=hand, facts=facts)
    if request.form.get("way") == "false":
        return replace(wish, amounts=_false_call(wish.winner, len(ledger.people), seating))
    if request.form.get("way") == "count":
        return replace(
            wish,
            drawer=asked.person("drawer"),
            facts=_form_count(rules, _options(ledger, before)),
            by_count=True,
        )
    return replace(wish, amounts=_form_amounts(len(ledger.people), seating.out, seating.sitter))


def _options(ledger: Ledger, before: Round | None) -> Body:
    """The options that a round is counted by: those it was played with, else those of the table."""
    return before.counted.options if before and before.counted else ledger.settings.options


def _form_count(rules: scorer.RuleSet, options: Body) -> dict[str, Json]:
    """The numbers of a count, and the facts that its payment hangs on."""
    return form_values(paying_facts(rules, options), "fact") | form_values(rules.said, "said")


def _false_call(caller: int | None, people: int, seating: Seating) -> tuple[Money, ...]:
    """What somebody pays who called a win falsely (相公): the same to each of the others who hold cards."""
    each = asked.money("each")
    if caller is None:
        raise NoWinner()
    if each is None:
        raise asked.BadMoney({"number": ""})
    paid: list[Money] = [
        size(each) if one in turns.playing(people, seating) and one != caller else 0 for one in range(people)
    ]
    paid[caller : caller + 1] = [-sum(paid)] if caller < people else []
    return tuple(paid)


def _whole(circle: turns.Circle, said: Seating) -> Seating:
    """What was said of a seating, with those who left among those who sit out, and the 坐醒 that nobody named."""
    out = tuple(sorted({*said.out, *circle.away}))
    sitter = said.sitter if turns.has_sitter(circle, out) else None
    return Seating(said.dealer, turns.sitter(circle, said.dealer, out) if sitter is None else sitter, out)


def _form_amounts(people: int, out: Sequence[int], sitter: int | None) -> tuple[Money | None, ...]:
    # Who sits out has nothing unless somebody typed it; then the ledger says why not.
    amounts = [_form_amount(person) for person in range(people)]
    idle = [*out]
    if sitter is not None and any(amounts[one] is None for one in range(people) if one not in (*out, sitter)):
        # The rest is for one of those who played; who sits 坐醒 is often left empty.
        idle.append(sitter)
    return tuple(0 if amount is None and person in idle else amount for person, amount in enumerate(amounts))


def _form_amount(person: int) -> Money | None:
    amount = asked.money(f"amount-{person}")
    if amount is None:
        return None
    return -size(amount) if request.form.get(f"side-{person}") == PAYS else amount


def form_values(asks: Sequence[scorer.Fact | scorer.Option | scorer.Said], prefix: str) -> dict[str, Json]:
    """Values of facts, options or numbers from a form: boxes for bool, numbers for int, text for the others."""
    values: dict[str, Json] = {}
    for ask in asks:
        name = f"{prefix}-{ask.name}"
        text = request.form.get(name, "")
        if ask.type == "bool":
            values[ask.name] = text == "on"
        elif ask.type == "int":
            given = asked.parse_number(text)
            values[ask.name] = cast("Json", ask.default) if given is None else given
        elif text:
            values[ask.name] = text
    return {name: value for name, value in values.items() if value is not None}


def from_json(body: Mapping[str, object], ledger: Ledger) -> Wish:
    """Read what the scan page hands over; raises `LedgerError`."""
    hand, facts = body.get("hand"), body.get("facts", {})
    winner, drawer = body.get("winner"), body.get("drawer")
    if not isinstance(hand, str) or len(hand) > MAX_HAND_CHARACTERS:
        raise BadField({"field": "hand"})
    if not isinstance(facts, dict):
        raise BadField({"field": "facts"})
    if body.get("rules", ledger.rules) != ledger.rules:
        raise BadField({"field": "rules"})
    if type(winner) is not int:
        raise NoWinner()
    if drawer is not None and type(drawer) is not int:
        raise BadField({"field": "drawer"})
    crops, kept = _json_crops(body.get("crops") or [], rule_set(ledger.rules))
    total = body.get("total")
    return Wish(
        how="hand",
        seating=_json_seating(body.get("seating"), ledger),
        winner=winner,
        drawer=drawer,
        note=asked.clean(str(body.get("note") or ""))[:NOTE_LETTERS],
        hand=hand,
        facts=facts,
        shown_total=total if type(total) is int else None,
        crops=crops,
        pictures=kept,
    )


def _json_seating(given: object, ledger: Ledger) -> Seating:
    if given is None:
        return ledger.coming
    if not isinstance(given, dict):
        raise BadField({"field": "seating"})
    dealer, sitter, out = given.get("dealer"), given.get("sitter"), given.get("out", [])
    numbers = [dealer, sitter, *out] if isinstance(out, list) else [""]
    if not all(one is None or type(one) is int for one in numbers):
        raise BadField({"field": "seating"})
    return _whole(ledger.circle(), Seating(dealer, sitter, tuple(out)))


def _json_crops(given: object, rules: scorer.RuleSet) -> tuple[tuple[Crop, ...], dict[str, bytes]]:
    if not isinstance(given, list) or len(given) > MAX_CROPS:
        raise BadField({"field": "crops"})
    crops: list[Crop] = []
    kept: dict[str, bytes] = {}
    for entry in given:
        code = entry.get("code") if isinstance(entry, dict) else None
        if not isinstance(code, str) or code not in rules.cards.index:
            raise BadField({"field": "crops"})
        data = pictures.from_data_url(entry.get("image"))
        name = pictures.sha256(data)
        kept[name] = data
        crops.append(Crop(code, name))
    return tuple(crops), kept


def to_round(wish: Wish, ledger: Ledger, stake: Money, options: Body) -> Round:
    """Work out what everybody gets; raises `LedgerError` where the wish makes no round."""
    if wish.how == "hand" or wish.by_count:
        return _counted_round(wish, ledger, stake, options)
    amounts: tuple[Money, ...] = (0,) * len(ledger.people) if wish.how == "draw" else _balanced(wish.amounts)
    winner = wish.winner if wish.winner is not None else _single_gain(amounts)
    return Round(wish.how, amounts, wish.seating, stake, winner=winner, last=wish.last, note=wish.note)


def _balanced(amounts: Sequence[Money | None]) -> tuple[Money, ...]:
    """The amounts: where one is left empty the rest goes there, where all given ones balance the others are 0."""
    rest = plain(-sum(amount for amount in amounts if amount is not None))
    if rest and amounts.count(None) > 1:
        raise TwoEmpty()
    return tuple(rest if amount is None else amount for amount in amounts)


def _single_gain(amounts: Sequence[Money]) -> int | None:
    """The only one who won something, if there is only one."""
    gains = [person for person, amount in enumerate(amounts) if amount > 0]
    return gains[0] if len(gains) == 1 else None


def _counted_round(wish: Wish, ledger: Ledger, stake: Money, options: Body) -> Round:
    people, winner = len(ledger.people), wish.winner
    if winner is None:
        raise NoWinner()
    if winner not in turns.playing(people, wish.seating):
        name = ledger.people[winner].name if 0 <= winner < people else str(winner)
        raise BadWinner({"name": name})
    counted = _count(wish, ledger.rules, options, people, winner)
    refuse_no_win(ledger.rules, counted.score)
    if wish.shown_total is not None and wish.shown_total != counted.score["total"]:
        raise CountedOtherwise(wish.shown_total, counted.score)
    alone = pays_alone(rule_set(ledger.rules), options, counted.facts)
    if alone and wish.drawer is None:
        raise NoDrawer()
    drawer = wish.drawer if alone else None
    amounts = turns.amounts(people, wish.seating, winner, counted.settlement, stake, drawer)
    kept = Counted(counted.hand, counted.facts, options, counted.score, wish.crops)
    return Round(
        wish.how, amounts, wish.seating, stake, winner=winner, counted=kept, note=wish.note, drawer=drawer
    )


def _count(wish: Wish, rules_id: str, options: Body, people: int, winner: int) -> Count:
    if wish.by_count:
        return count_said(rules_id, wish.facts, options, people, wish.seating, winner)
    return count(rules_id, wish.hand, wish.facts, options, people, wish.seating, winner)


def keep_crops(edited: Round, before: Round, rules_id: str) -> Round:
    """Leave the pictures with those cards of a hand that an edit did not change."""
    if not edited.counted or not edited.counted.hand or not before.counted:
        return edited
    left = Counter(scorer.parse_hand(edited.counted.hand, rules_id).cards())
    kept = []
    for crop in before.counted.crops:
        if left[crop.code] > 0:
            left[crop.code] -= 1
            kept.append(crop)
    return replace(edited, counted=replace(edited.counted, crops=tuple(kept)))
