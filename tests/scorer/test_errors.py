"""Errors by cause, in the order in which they are looked for (RULES Z4)."""

from __future__ import annotations

import re

import pytest

import scorer
from scorer import Hand, Meld

WHOLE = "碰(gR gR gR) 碰(wA wA wA) 吃(rP yP wP) 槓(yC yC yC yC) rK rA rB gN gN wB wB !wB"


def failing(text: str, facts: dict[str, object], options: dict[str, object]) -> str:
    with pytest.raises(scorer.ScorerError) as caught:
        scorer.score(scorer.parse_hand(text, "shihu"), facts, options)
    assert re.fullmatch(r"[A-Z碰吃槓].*\.|[a-z_]+ (asks|has|is) .*\.", str(caught.value))
    return caught.value.code


ORDER: list[tuple[str, str, dict[str, object], dict[str, object]]] = [
    ("unknown_fact", "rK " * 5 + "吃(rP)", {"seats": 9, "moon": 1}, {"x": 1}),
    ("bad_fact", "rK " * 5 + "吃(rP)", {"seats": 9}, {"x": 1}),
    ("unknown_option", "rK " * 5 + "吃(rP)", {"seats": 3}, {"x": 1, "stake": -1}),
    ("bad_option", "rK " * 5 + "吃(rP)", {}, {"stake": "much"}),
    ("too_many_copies", "rK " * 5 + "吃(rP)", {}, {}),
    ("impossible_meld", "rK 吃(rP)", {}, {}),
    (
        "wrong_card_count",
        "碰(gR gR gR) 碰(wA wA wA) 槓(yC yC yC yC) rK rA rB gN gN wB wB !wB",
        {"turned": "yC"},
        {},
    ),
    ("contradicting_facts", WHOLE, {"turned": "yC"}, {}),
]


@pytest.mark.parametrize(("code", "text", "facts", "options"), ORDER, ids=[code for code, *_ in ORDER])
def test_order_of_errors(code: str, text: str, facts: dict[str, object], options: dict[str, object]) -> None:
    assert failing(text, facts, options) == code


def test_every_code_is_met() -> None:
    assert scorer.ERROR_CODES[4:] == tuple(code for code, *_ in ORDER)


@pytest.mark.parametrize(
    ("facts", "read"),
    [({"seats": 3}, 3), ({"seats": "2"}, 2), ({"seats": 4, "turned": None}, 4)],
)
def test_facts_as_typed(facts: dict[str, object], read: int) -> None:
    assert len(scorer.score(scorer.parse_hand(WHOLE, "shihu"), facts).settlement) == read


@pytest.mark.parametrize("value", ["five", "٣", -3, True, 2.0, None, "", "99999999", [3]])
def test_seats_that_are_none(value: object) -> None:
    assert failing(WHOLE, {"seats": value}, {}) == "bad_fact"


@pytest.mark.parametrize("value", ["xx", "红将红将", 3, "", "1-1"])
def test_turned_that_is_no_card(value: object) -> None:
    assert failing(WHOLE, {"turned": value}, {}) == "bad_fact"


@pytest.mark.parametrize(("value", "flower"), [("yes", True), (True, True), ("FALSE", False), ("0", False)])
def test_options_as_typed(value: object, flower: bool) -> None:
    hand = scorer.parse_hand("碰(yN yN yN) rK rA rB rR rN rC rP yP gP gK gA gA wB wB wR wR wC !wC", "shihu")
    assert scorer.score(hand, {"turned": "黄马"}, {"flower_reaches_ten": value}).wins is flower


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [("flower_reaches_ten", "maybe", "true or false"), ("winning_meld", "air", "one of table, hand"),
     ("winning_meld", 3, "one of table, hand"), ("stake", 1.5, "a whole number")],
)  # fmt: skip
def test_options_that_are_none(name: str, value: object, said: str) -> None:
    with pytest.raises(scorer.ScorerError, match=said) as caught:
        scorer.score(scorer.parse_hand(WHOLE, "shihu"), {}, {name: value})
    assert (caught.value.code, caught.value.culprit) == ("bad_option", name)


def test_hands_made_by_hand_are_checked_too() -> None:
    hand = Hand("shihu", (), ("1-1",), None)
    with pytest.raises(scorer.ScorerError) as caught:
        scorer.score_part(hand)
    assert caught.value.code == "unknown_card"
    synonym = Hand("shihu", (Meld("杠", ("yN",) * 4, True),), (), None)
    assert scorer.score_part(synonym).total == 6


def test_unknown_rules() -> None:
    with pytest.raises(scorer.ScorerError) as caught:
        scorer.score(Hand("bridge", (), (), None))
    assert caught.value.code == "unknown_rules"
    with pytest.raises(scorer.ScorerError):
        scorer.rule_set("bridge")
