"""幺地人 before play (RULES A3, A14, A17, A18, A25 to A27), also against trying all."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest

import scorer
from tests.scorer.test_yaodiren_oracle import PIPS, points

PAIRS = "1-1 6-6 1-2 5-6 1-3 5-5 1-4 4-5 1-6 2-5"
A14 = f"3-3 3-3 3-3 3-3 3-3 {PAIRS} 2-2 2-3 1-5 2-4 1-1"
A14B = f"3-3 3-3 3-3 3-3 {PAIRS} 2-2 2-3 1-5 2-4 1-1 1-2"


def dealt(text: str, dealer: bool = False, **options: object) -> scorer.Qualification:
    return scorer.qualification(text.split(), {"dealer": dealer}, options)


def test_a_14_five_alike_support_nothing() -> None:
    found = dealt(A14)
    assert (found.mao, found.support, found.may_play) == (6, 0, False)
    assert [(why.code, why.short) for why in found.reasons] == [
        ("before_support", {"杠": 1}),
        ("before_tuo", {"陀": 17}),
    ]
    assert [note.code for note in found.notes] == ["before_five"]


def test_a_14b_four_alike_do() -> None:
    found = dealt(A14B)
    assert (found.mao, found.support) == (6, 1)
    assert [why.code for why in found.reasons] == ["before_tuo"]
    assert sorted(found.units, key=len)[-1] == ("3-3",) * 4


def test_estimate_before_play() -> None:
    """A27: 碰 of pairs, 杠 of threes, 吐火 of four and five; 番 likewise."""
    cards = "1-1 1-1 1-4 1-4 1-4 4-4 4-4 4-4 4-4 2-2 2-2 3-3 3-3 3-3 2-5 2-5 2-5 2-5 2-5 6-6"
    found = dealt(cards, dealer=True)
    assert found.tuo == 8 + 12 + 16 + 4 + 6 + 8
    assert found.fan == 1 + 2 + 3
    assert found.need == 34
    assert [(each.name, each.tuo, each.fan, len(each.cards)) for each in found.coming] == [
        ("碰", 8, 1, 2),
        ("碰", 4, 0, 2),
        ("杠", 12, 2, 3),
        ("杠", 6, 0, 3),
        ("吐火", 8, 0, 5),
        ("吐火", 16, 3, 4),
    ]
    held = dealt(cards, estimate="held")
    assert (held.tuo, held.fan, held.need) == (8 + 16 + 4 + 8, 1 + 0, 33)
    assert dealt(cards, estimate="held", held_fan=3).fan == 4
    assert dealt(cards, red="all").tuo == 8 + 12 + 16 + 4 + 6 + 8


def test_a_hand_that_may_play_and_a_dealer_without_fan() -> None:
    cards = "1-3 1-3 4-6 4-6 1-5 1-5 4-4 2-6 4-5 4-5 2-3 2-3 6-6 6-6 1-1 1-2 5-6 1-6 3-4 5-5"
    other = dealt(cards)
    assert (other.mao, other.tuo, other.fan, other.may_play) == (9, 44, 0, True)
    assert other.notes == ()
    dealer = dealt(cards, dealer=True)
    assert dealer.may_play
    assert [note.code for note in dealer.notes] == ["before_no_fan"]
    assert "knock" in dealer.warnings[0]
    assert json.loads(json.dumps(scorer.qualification_json(dealer)))["may_play"] is True


def test_at_most_two_may_be_missing() -> None:
    """A25: 4 卯 with three supports are too few, 5 with two are enough."""
    threes = "2-2 2-2 2-2 2-3 2-3 2-3 3-3 3-3 3-3"
    four = dealt(f"{threes} 1-6 3-4 1-1 1-1 1-2 1-2 1-3 1-3 1-4 1-4 1-5")
    assert (four.mao, four.support, [why.code for why in four.reasons]) == (4, 3, ["before_mao"])
    five = dealt(f"{threes} 1-6 3-4 1-1 6-6 1-2 1-2 1-3 1-3 1-4 1-4 1-5")
    assert (five.mao, five.support, five.reasons) == (5, 3, ())


def test_options_before_play() -> None:
    threes = "2-2 2-2 2-2 2-3 2-3 2-3 3-3 3-3 3-3"
    hand = f"{threes} 1-6 3-4 1-1 6-6 1-2 1-2 1-3 1-3 1-4 1-4 1-5"
    (once,) = dealt(hand, triple_twice=False).reasons
    assert (once.code, once.short) == ("before_support", {"杠": 2})
    alike = dealt(hand, equal_pairs=True)
    assert (alike.mao, alike.mao_with_pairs, len(alike.units)) == (5, 8, 8)
    split = "3-3 3-3 3-3 4-4 2-6 3-5 1-1 6-6 1-2 5-6 1-6 2-2 2-2 2-3 2-3 1-4 1-3 1-3 1-1 1-2"
    strict, loose = dealt(split), dealt(split, whole_support=False)
    assert (strict.mao, strict.support) == (5, 0)
    assert (loose.mao, loose.support) == (5, 1)


@pytest.mark.parametrize(
    ("cards", "code"),
    [
        ("3-3 " * 6 + "1-1 " * 5 + "2-2 " * 5 + "4-4 " * 4, "too_many_copies"),
        ("1-1 6-6", "wrong_card_count"),
        (f"{A14B} 2-6 2-6", "wrong_card_count"),
        ("C " * 20, "unknown_card"),
    ],
)
def test_errors_before_play(cards: str, code: str) -> None:
    with pytest.raises(scorer.ScorerError) as caught:
        dealt(cards)
    assert caught.value.code == code


def test_drawn_cards_before_play() -> None:
    """One more for a 吐火, and one for the dealer's draw."""
    assert len(dealt(f"{A14B} 2-6").cards) == 21
    assert len(dealt(f"{A14B} 2-6 2-6", dealer=True).cards) == 22


def most_pairs(cards: Counter[str], equal: bool) -> int:
    """Return the most pairs by trying all."""
    if not cards:
        return 0
    first = min(cards)
    rest = cards - Counter([first])
    found = most_pairs(rest, equal)
    for other in rest:
        if points(first) + points(other) == 14 or (equal and first == other):
            found = max(found, 1 + most_pairs(rest - Counter([other]), equal))
    return found


def counts(held: Counter[str], equal: bool) -> set[tuple[int, int]]:
    """Return (卯, support) for every choice of sets kept whole."""
    alike = [card for card in held if held[card] > 2]
    found = set()
    for size in range(len(alike) + 1):
        for kept in combinations(alike, size):
            rest = Counter({card: held[card] for card in held if card not in kept})
            pairs = sum(most_pairs(Counter(group), equal) for group in groups(rest))
            found.add((size + pairs, sum(held[card] < 5 for card in kept)))
    return found


def groups(cards: Counter[str]) -> Iterator[list[str]]:
    for low in range(2, 8):
        yield [card for card in cards.elements() if points(card) in (low, 14 - low)]


@pytest.mark.parametrize("seed", range(2))
def test_before_play_against_brute_force(seed: int) -> None:
    rng = Random(seed)
    deck = [card for card in PIPS for _ in range(5)]
    met = set()
    for _ in range(60):
        few = rng.sample(PIPS, rng.randint(7, 21))
        cards = rng.sample([card for card in deck if card in few], 20)
        held = Counter(cards)
        found = scorer.qualification(cards)
        strict = counts(held, equal=False)
        enough = any(7 - mao <= min(2, support) for mao, support in strict)
        best = max(strict, key=lambda each: (7 - each[0] <= min(2, each[1]), each))
        assert (found.mao, found.support) == best
        assert (
            found.mao_with_pairs
            == max(counts(held, equal=True), key=lambda each: (7 - each[0] <= min(2, each[1]), each))[0]
        )
        assert ({"before_mao", "before_support"} & {why.code for why in found.reasons} == set()) == enough
        for units in (found.units, found.units_strict, found.units_with_pairs):
            assert not Counter(card for unit in units for card in unit) - held
        assert (len(found.units_strict), len(found.units_with_pairs)) == (found.mao, found.mao_with_pairs)
        assert all(len(set(alike)) == 1 and len(alike) in (3, 4) for alike in found.supports)
        assert (found.tuo, found.fan) == (
            sum(each.tuo for each in found.coming),
            sum(each.fan for each in found.coming),
        )
        met.add(found.mao)
    assert len(met) > 3
