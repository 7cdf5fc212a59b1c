"""Tứ sắc (RULES-MORE 9) against a brute force, and what its numbers can be."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

import scorer
from scorer.hand import make_hand
from tests.scorer.hands import complete, near, scattered
from tests.scorer.oracle import SCALE
from tests.scorer.tusac_oracle import best_two

BASE = "rK rA rB rR rC rN rP gP yP gA gA wB wB wR wR"
P8 = "rR rR rN rN gR gR gN gN wR wR wN wN wA wA gA gA"
CHOICES: dict[str, tuple[object, ...]] = {
    "break_khap": (False, True),
    "winning_meld": ("table", "hand"),
    "khui_of_ba": (False, True),
    "khap": (3, 6),
    "toi": (3, 0, 7),
    "quan_doubles": (True, False),
    "pay": ("lenh", "flat"),
}


def check(hand: scorer.Hand, options: dict[str, object]) -> None:
    scored = scorer.score(hand, options=options)
    best, second = best_two(hand, options)
    if best is None:
        assert (scored.total, scored.wins, scored.melds, scored.runner_up) == (0, False, (), None)
        return
    text = scorer.write_hand(hand)
    assert (scored.total, scored.wins, scored.runner_up) == (best.lenh, True, second), (text, options)
    assert scored.settlement == (3 * best.pays, *[-best.pays] * 3)
    found = Counter((meld.kind, tuple(sorted(meld.cards))) for meld in scored.melds)
    assert found == Counter(best.melds), (text, options)


def hands(rng: Random) -> list[scorer.Hand]:
    found = [
        complete("tusac", rng, rng.randrange(5), winning=rng.random() < 0.8),
        near("tusac", rng, rng.randrange(5)),
    ]
    return [*found, scattered("tusac", rng, 21, rng.randint(6, 12))] if rng.random() < 0.1 else found


@pytest.mark.parametrize("seed", range(4))
def test_against_brute_force(seed: int) -> None:
    rng = Random(seed)
    for _ in range(250 * SCALE):
        for hand in hands(rng):
            check(hand, {})


@pytest.mark.parametrize("seed", range(4))
def test_house_rules_against_brute_force(seed: int) -> None:
    rng = Random(100 + seed)
    for _ in range(60 * SCALE):
        options = {name: rng.choice(choices) for name, choices in CHOICES.items() if rng.random() < 0.4}
        for hand in hands(rng):
            check(hand, options)


def test_lệnh_are_even_with_tới() -> None:
    """T13: every group has as many lệnh as cards, modulo 2."""
    rng = Random(5)
    totals = {scorer.score(complete("tusac", rng, rng.randrange(5))).total % 2 for _ in range(300)}
    assert totals == {0}


def test_colours_may_be_renamed() -> None:
    rng = Random(7)
    for _ in range(200):
        hand = complete("tusac", rng, rng.randrange(5))
        names = dict(zip("rgyw", rng.sample("rgyw", 4), strict=True))
        loose = [names[card[0]] + card[1] for card in hand.loose]
        melds = tuple(
            replace(meld, cards=tuple(names[card[0]] + card[1] for card in meld.cards)) for meld in hand.melds
        )
        last = hand.winning and names[hand.winning[0]] + hand.winning[1]
        renamed = make_hand(scorer.rule_set("tusac"), melds, loose, last)
        assert scorer.score(renamed).total == scorer.score(hand).total


def said(lenh: int, options: dict[str, object], quan: int = 0, yellow: int = 0) -> scorer.Payment | str:
    try:
        return scorer.pay("tusac", {"lenh": lenh, "quan": quan, "yellow": yellow}, {}, options)
    except scorer.ScorerError as error:
        return error.culprit


def test_lệnh_that_no_hand_has_are_refused() -> None:
    """T13: the arithmetic check, and what a hand with or without a four can have."""
    assert [lenh for lenh in range(50) if isinstance(said(lenh, {}), scorer.Payment)] == [*range(4, 25, 2)]
    assert [lenh for lenh in range(50) if isinstance(said(lenh, {}, 1), scorer.Payment)] == [
        *range(10, 45, 2)
    ]
    assert said(9, {}) == "wrong_parity"
    assert said(26, {}) == "no_such_lenh"
    assert said(8, {}, 1) == "no_such_lenh_quan"
    assert isinstance(said(9, {"toi": 0}), scorer.Payment)
    assert isinstance(said(9, {"khap": 6}), scorer.Payment)
    with pytest.raises(scorer.ScorerError, match="9 lệnh can't be") as caught:
        scorer.pay("tusac", {"lenh": 9})
    assert caught.value.code == "impossible_count"


def test_every_hand_can_be_said() -> None:
    rng = Random(9)
    for _ in range(300):
        options = {name: rng.choice(choices) for name, choices in CHOICES.items()}
        scored = scorer.score(complete("tusac", rng, rng.randrange(5)), {}, options)
        fours = any(len(set(meld.cards)) == 1 and len(meld.cards) == 4 for meld in scored.melds)
        paid = said(scored.total, options, int(fours))
        assert not scored.wins or (isinstance(paid, scorer.Payment) and paid.changes == scored.settlement)


def test_a_false_call_by_number() -> None:
    paid = said(0, {"den": 5, "stake": 2})
    assert isinstance(paid, scorer.Payment)
    assert (paid.fault, paid.changes) == (True, (-30, 10, 10, 10))
    assert said(0, {}) == "no_such_lenh"


def test_yellow_generals_are_asked_for_where_they_pay() -> None:
    asked = {
        yellow: [
            one.name
            for one in scorer.rule_set("tusac").said
            if one.asked({"yellow": yellow, "quan_doubles": True})
        ]
        for yellow in (0, 5)
    }
    assert asked == {0: ["lenh", "quan"], 5: ["lenh", "quan", "yellow"]}
    hand = scorer.parse_hand(f"{BASE} wC wC yN yN yN yK", "tusac")
    scored = scorer.score(hand, {}, {"yellow": 5})
    assert (scored.settlement, scored.detail["tướng vàng"]) == ((45, -15, -15, -15), 1)
    assert [step.code for step in scored.payment] == ["lenh", "yellow"]


def test_the_fourth_of_an_open_three_by_house_rule() -> None:
    hand = scorer.parse_hand(f"ba(yN yN yN) gK {P8} !yN", "tusac")
    assert not scorer.score(hand).wins
    assert scorer.score(hand, {}, {"khui_of_ba": True}).total == 10


def test_warnings() -> None:
    assert scorer.score(
        scorer.parse_hand(f"yR yR yR yC yN rK {P8.removesuffix(' gA gA')} !yR", "tusac")
    ).warnings == (
        "The fourth card of a khạp came (yellow chariot): the win must be called before anybody asks for the khui.",
    )
    bare = scorer.parse_hand(f"{BASE} wC wC yN yN yN gK", "tusac")
    assert "No winning card" in scorer.score(bare).warnings[0]
    assert scorer.score(bare, {}, {"winning_meld": "hand"}).warnings == ()


def test_kinds_are_read_with_and_without_marks() -> None:
    for text in ("khap(yN yN yN)", "坎(yN yN yN)", "khạp(yN yN yN)"):
        assert scorer.parse_hand(text, "tusac").melds[0].kind == "khạp"
