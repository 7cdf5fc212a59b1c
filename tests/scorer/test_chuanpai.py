"""川牌 挤儿 (RULES 5) against a brute force that knows the units only from the text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random

import pytest

import scorer
from tests.scorer.hands import complete, near, scattered
from tests.scorer.oracle import SCALE, OracleUnit, Units, covers

PIPS = [f"{one}-{two}" for one in range(1, 7) for two in range(one, 7)]


def points(card: str) -> int:
    return int(card[0]) + int(card[2])


def all_units() -> Iterator[OracleUnit]:
    for at, one in enumerate(PIPS):
        for other in PIPS[at:]:
            if points(one) + points(other) in (10, 20):
                yield "摆", (one, other)
        yield "摆", (one, "C")
        yield "暗", (one,) * 3
        yield "扛", (one,) * 4
    yield "燕", ("1-6", "2-5", "3-4")
    yield "暗", ("1-2", "1-2", "C")
    yield "扛", ("1-2", "1-2", "C", "C")


UNITS = Units(all_units())


KINDS = ("摆", "碰", "暗", "燕", "扛")
INDEX = {face.code: at for at, face in enumerate(scorer.deck("chuanpai").faces)} | {"T": 21}
Melds = list[tuple[int, list[int]]]  # (kind in the rule set's order, cards in deck order), sorted


def melds_of(found: Iterable[tuple[str, tuple[str, ...]]]) -> Melds:
    """Return a division of the whole hand as ties are sorted by it; both wild cards are the same."""
    return sorted((KINDS.index(kind), sorted(INDEX[card] for card in cards)) for kind, cards in found)


def divisions(hand: scorer.Hand) -> list[Melds]:
    """Return every division into eight units, with the winning card loose or on a fixed three."""
    loose = ["C" if card == "T" else card for card in hand.loose]
    fixed = [(meld.kind, meld.cards) for meld in hand.melds]
    if hand.winning is None:
        found = [melds_of([*fixed, *division]) for division in covers(loose, UNITS)]
        return [each for each in found if len(each) == 8]
    last = "C" if hand.winning == "T" else hand.winning
    found = [
        melds_of([*fixed, *division[:at], ("碰" if kind == "暗" else kind, cards), *division[at + 1 :]])
        for division in covers([*loose, last], UNITS)
        for at, (kind, cards) in enumerate(division)
        if last in cards
    ]
    for at, (kind, cards) in enumerate(fixed):
        four = tuple(sorted("C" if card == "T" else card for card in (*cards, last)))
        if kind in "碰暗" and ("扛", four) in all_units():
            onto = [*fixed[:at], ("扛", four), *fixed[at + 1 :]]
            found += [melds_of([*onto, *division]) for division in covers(loose, UNITS)]
    distinct = {repr(each): each for each in found if len(each) == 8}
    return list(distinct.values())


def check(hand: scorer.Hand) -> bool:
    try:
        scored = scorer.score(hand)
    except scorer.ScorerError as error:
        assert error.code == "wrong_card_count"  # noqa: PT017 - hands of any size are made
        return False
    found = divisions(hand)
    assert scored.wins == bool(found)
    assert scored.runner_up == (0 if len(found) > 1 else None)
    if found:
        melds = [(meld.kind, tuple(card.partition("=")[0] for card in meld.cards)) for meld in scored.melds]
        assert melds_of(melds) == min(found)
        left = Counter(hand.cards())
        for _, cards in melds:
            left.subtract(cards)
        assert not any(left.values())
    return True


@pytest.mark.parametrize("seed", range(4))
def test_against_brute_force(seed: int) -> None:
    rng = Random(seed)
    counted = 0
    for _ in range(300 * SCALE):
        counted += check(complete("chuanpai", rng, rng.randrange(5), winning=rng.random() < 0.8))
        counted += check(near("chuanpai", rng, rng.randrange(5)))
    for _ in range(30 * SCALE):
        counted += check(scattered("chuanpai", rng, rng.randint(16, 20), rng.randint(5, 9)))
    assert counted > 500 * SCALE


def test_wilds_never_stand_for_a_fifth_copy() -> None:
    rng = Random(3)
    copies = scorer.deck("chuanpai").copies["82+2"]
    seen = 0
    for _ in range(400):
        hand = complete("chuanpai", rng, rng.randrange(3))
        stands = [
            card.partition("=")[2]
            for meld in scorer.score(hand).melds
            for card in meld.cards
            if "=" in card and "1-2" not in meld.cards
        ]
        held = Counter(hand.cards())
        for card, number in Counter(stands).items():
            assert held[card] + number <= copies[card]
            seen += 1
    assert seen > 50


@pytest.mark.parametrize(
    ("options", "hand", "wins"),
    [
        ({}, "摆(1-1 4-4) 摆(2-6 6-6) 摆(1-3 1-5) 摆(2-2 3-3) 摆(4-5 5-6) 摆(1-4 2-3) 摆(4-6 5-5) 1-6 1-6 !1-6", True),
        ({"triple_sevens": False},
         "摆(1-1 4-4) 摆(2-6 6-6) 摆(1-3 1-5) 摆(2-2 3-3) 摆(4-5 5-6) 摆(1-4 2-3) 摆(4-6 5-5) 1-6 1-6 !1-6", False),
        ({"two_wild_kong": False},
         "摆(1-1 4-4) 摆(2-6 6-6) 摆(1-3 1-5) 摆(2-2 3-3) 摆(4-5 5-6) 摆(1-4 2-3) 摆(4-6 5-5) 1-2 1-2 C !T", False),
        ({"loose_kong": False},
         "摆(1-1 4-4) 摆(2-6 6-6) 摆(1-3 1-5) 摆(2-2 3-3) 摆(4-5 5-6) 摆(1-4 2-3) 摆(4-6 5-5) 3-5 3-5 3-5 !3-5", False),
        ({"one_swallow": True},
         "燕(1-6 2-5 3-4) 摆(2-6 6-6) 摆(1-3 1-5) 摆(2-2 3-3) 摆(4-5 5-6) 摆(1-4 2-3) 摆(4-6 5-5) 1-6 2-5 !3-4", False),
        ({"one_swallow": False},
         "燕(1-6 2-5 3-4) 摆(2-6 6-6) 摆(1-3 1-5) 摆(2-2 3-3) 摆(4-5 5-6) 摆(1-4 2-3) 摆(4-6 5-5) 1-6 2-5 !3-4", True),
        ({"units": 7},
         "摆(1-1 4-4) 摆(2-6 6-6) 摆(1-3 1-5) 摆(2-2 3-3) 摆(4-5 5-6) 摆(1-4 2-3) 4-6 !5-5", True),
    ],
)  # fmt: skip
def test_options(options: dict[str, object], hand: str, wins: bool) -> None:
    assert scorer.score(scorer.parse_hand(hand, "chuanpai"), {}, options).wins is wins


def test_too_many_fixed_melds() -> None:
    hand = scorer.parse_hand("扛(3-3 3-3 3-3 3-3) " + "摆(1-4 2-3) 摆(1-3 1-5) " * 4, "chuanpai")
    with pytest.raises(scorer.ScorerError, match="too many"):
        scorer.score(hand)


def test_the_winning_wild_lies_in_the_meld_that_it_closes() -> None:
    text = "摆(1-1 4-4) 摆(2-6 6-6) 摆(1-3 1-5) 摆(2-2 3-3) 摆(4-5 5-6) 摆(1-4 2-3) 1-6 C 5-5 !T"
    melds = scorer.score(scorer.parse_hand(text, "chuanpai")).melds
    assert [(meld.cards, meld.shown) for meld in melds[-2:]] == [
        (("1-6", "T=1-2"), True),
        (("5-5", "C=4-6"), False),
    ]
    upgraded = (
        "摆(1-1 4-4) 摆(2-6 6-6) 摆(1-3 1-5) 摆(2-2 3-3) 摆(4-5 5-6) 摆(1-4 2-3) 暗(1-2 1-2 C) 4-6 5-5 !T"
    )
    scored = scorer.score(scorer.parse_hand(upgraded, "chuanpai"))
    assert scored.melds[6] == scorer.Meld("扛", ("1-2", "1-2", "C=1-2", "T=1-2"), True)


def test_advice_follows_the_cards() -> None:
    base = "摆(1-1 4-4) 摆(2-6 6-6) 摆(1-4 2-3) 摆(4-5 5-6) 摆(4-6 5-5)"
    notes = {
        loose: [note.code for note in scorer.score(scorer.parse_hand(f"{base} {loose}", "chuanpai")).notes][
            :-1
        ]
        for loose in (
            "3-3 3-3 3-3 1-3 1-3 !1-3",
            "3-3 3-3 3-3 2-2 1-3 !1-3",
            "1-2 1-2 C 2-2 3-3 1-3 !1-5",
            "1-2 1-2 C T 2-2 3-3 1-3 !1-5",
        )
    }
    assert list(notes.values()) == [
        ["must_set_down"],
        ["must_set_down"],
        ["may_set_down_threes"],
        ["must_set_down_threes"],
    ]


def test_what_a_hand_is_short_of() -> None:
    """The winning card may stand on a fixed meld: then only the loose card is left over."""
    text = "碰(3-3 3-3 3-3) 摆(2-6 6-6) 摆(1-3 1-5) 摆(1-1 4-4) 摆(4-5 5-6) 摆(1-4 2-3) 摆(4-6 5-5) 1-2 !3-3"
    why = scorer.score(scorer.parse_hand(text, "chuanpai")).reason
    assert why is not None
    assert (why.code, why.short, why.cards) == ("undivided", {"闲牌": 1}, ("1-2",))
    two = (
        "燕(1-6 2-5 3-4) 摆(2-6 6-6) 摆(1-3 1-5) 摆(2-2 3-3) 摆(4-5 5-6) 摆(1-4 2-3) 摆(4-6 5-5) 1-6 2-5 !3-4"
    )
    why = scorer.score(scorer.parse_hand(two, "chuanpai"), {}, {"one_swallow": True}).reason
    assert why is not None
    assert (why.code, why.short) == ("unit_count", {"副": 1})
