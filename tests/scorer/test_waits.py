"""Waits: every card that wins and what it then scores; for a hand further off nothing is invented."""

from __future__ import annotations

import json

import pytest

import scorer

READY = "碰(gR gR gR) 碰(wA wA wA) 吃(rP yP wP) 槓(yC yC yC yC) rK rA rB gN gN wB wB"


def found(text: str, rules: str = "shihu", facts: dict[str, object] | None = None) -> dict[str, int]:
    waits = scorer.waits(scorer.parse_hand(text, rules), facts or {})
    return {wait.code: wait.score for wait in waits.waits}


def test_two_pairs_and_single_generals() -> None:
    """Either pair becomes a 碰, or a general stands alone: 13 in melds and 1 for the last card."""
    assert found(READY) == {"rK": 14, "gK": 14, "gN": 14, "yK": 14, "wK": 14, "wB": 14}


def test_what_the_flower_adds() -> None:
    assert found(READY, facts={"turned": "wB"})["wB"] == 17


def test_a_card_that_is_all_turned_or_held_is_no_wait() -> None:
    text = "碰(gR gR gR) 碰(wA wA wA) 吃(rP yP wP) 槓(yC yC yC yC) rK rK rK rK rK"[:-3]
    hand = text.replace("rK rK rK rK", "rK rK rK gN gN gK gK")
    assert "rK" in found(hand)
    assert "rK" not in found(hand, facts={"turned": "rK"})
    assert "yC" not in found(hand)


def test_a_hand_further_off_has_none() -> None:
    waits = scorer.waits(
        scorer.parse_hand("碰(gR gR gR) 碰(wA wA wA) 槓(yC yC yC yC) rP rA gN gB yN yA wB wR wC gP", "shihu")
    )
    assert (waits.waits, waits.warnings) == ((), ())


def test_a_false_call_is_no_wait() -> None:
    assert found("碰(gR gR gR) 碰(wA wA wA) 碰(gC gC gC) 碰(rN rN rN) 碰(yR yR yR) wB wB gN gN gB") == {}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (READY + " wB", "wrong_card_count"),
        (READY[:-3], "wrong_card_count"),
        (READY + " !wB", "bad_notation"),
        (READY.replace("rK rA rB", "rP rP rP rP rP"), "too_many_copies"),
        (READY.replace("吃(rP yP wP)", "吃(rP yP yP)"), "impossible_meld"),
    ],
)
def test_hands_that_cannot_wait(text: str, code: str) -> None:
    with pytest.raises(scorer.ScorerError) as caught:
        found(text)
    assert caught.value.code == code


def test_as_json() -> None:
    waits = scorer.waits_json(scorer.waits(scorer.parse_hand(READY, "shihu")))
    assert json.loads(json.dumps(waits, ensure_ascii=False)) == waits
    assert set(waits) == {"rules", "hand", "waits", "warnings"}
    assert waits["waits"][0] == {"code": "rK", "name": "红将", "score": 14}
    assert waits["hand"] == "碰(gR gR gR) 碰(wA wA wA) 吃(rP yP wP) 槓(yC yC yC yC) rK rA rB gN gN wB wB"


def test_waits_of_chuanpai() -> None:
    base = "摆(1-1 4-4) 摆(2-6 6-6) 摆(1-3 1-5) 摆(2-2 3-3) 摆(4-5 5-6) 摆(1-4 2-3) 摆(4-6 5-5)"
    assert found(f"{base} 1-2", "chuanpai") == {"1-6": 0, "3-4": 0, "2-5": 0, "C": 0, "T": 0}
    assert set(found(f"{base} C", "chuanpai")) == set(scorer.deck("chuanpai").index) - {"C", "T"}
    assert "forced" not in str(scorer.waits(scorer.parse_hand(f"{base} C", "chuanpai")).warnings)
    assert "过牌" in scorer.waits(scorer.parse_hand(f"{base} C", "chuanpai")).warnings[0]
