"""十胡 (RULES 7) against a brute force that knows the units only from the text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

import scorer
from tests.scorer.hands import complete, near, scattered
from tests.scorer.oracle import SCALE, OracleUnit, Units, covers

# (in hand, on the table), RULES 7.2 E-01
VALUES = {
    "pair": (0, 0),
    "general": (1, 1),
    "RNC": (1, 1),
    "KAB": (2, 2),
    "triple": (3, 1),
    "three soldiers": (3, 3),
    "four soldiers": (5, 5),
    "quad": (8, 6),
    "general quad": (6, 8),
}


def all_units() -> Iterator[OracleUnit]:
    for colour in "rgyw":
        yield "general", (colour + "K",)
        yield "general quad", (colour + "K",) * 4
        yield "KAB", tuple(colour + kind for kind in "KAB")
        yield "RNC", tuple(colour + kind for kind in "RNC")
        for kind in "ABRNC":
            yield "pair", (colour + kind,) * 2
        for kind in "ABRNCP":
            yield "triple", (colour + kind,) * 3
            yield "quad", (colour + kind,) * 4
        yield "three soldiers", tuple(other + "P" for other in "rgyw" if other != colour)
    yield "four soldiers", tuple(colour + "P" for colour in "rgyw")


UNITS = Units(all_units())
NAMES = {tuple(sorted(cards)): name for name, cards in all_units()}


def totals(hand: scorer.Hand) -> dict[tuple[OracleUnit, ...], int]:
    """Return for every division the 胡 of its best placement of the winning card."""
    table = sum(VALUES[NAMES[tuple(sorted(meld.cards))]][1] for meld in hand.melds)
    loose = [*hand.loose, *([hand.winning] if hand.winning else [])]
    found = {}
    for division in covers(loose, UNITS):
        in_hand = sum(VALUES[name][0] for name, _ in division)
        gains = [VALUES[name][1] - VALUES[name][0] for name, cards in division if hand.winning in cards]
        found[division] = table + in_hand + max(gains, default=0)
    return found


def tie_order(division: tuple[OracleUnit, ...]) -> tuple[int, list[tuple[int, list[int]]]]:
    """Return what Z1 sorts ties by: fewer melds, then the smaller sorted list of (kind, cards in deck order)."""
    index = {face.code: at for at, face in enumerate(scorer.deck("sise").faces)}
    kinds = {"triple": 1, "quad": 2, "general quad": 2}
    return len(division), sorted(
        (kinds.get(name, 0), sorted(map(index.__getitem__, cards))) for name, cards in division
    )


def check(hand: scorer.Hand) -> None:
    scored = scorer.score(hand)
    found = sorted(totals(hand).values())
    if not found:
        assert (scored.total, scored.wins, scored.fault, scored.melds) == (0, False, False, ())
        assert scored.settlement == (0, 0, 0, 0)
        return
    assert scored.total == found[-1]
    assert scored.runner_up == (found[-2] if len(found) > 1 else None)
    assert scored.wins == (found[-1] >= 10)
    assert scored.fault != scored.wins
    loose = scored.melds[len(hand.melds) :]
    division = tuple(sorted((NAMES[key], key) for key in (tuple(sorted(meld.cards)) for meld in loose)))
    best = [each for each, total in totals(hand).items() if total == found[-1]]
    assert division == min(best, key=tie_order)


@pytest.mark.parametrize("seed", range(4))
def test_against_brute_force(seed: int) -> None:
    rng = Random(seed)
    for _ in range(400 * SCALE):
        check(complete("shihu", rng, rng.randrange(5), winning=rng.random() < 0.8))
        check(near("shihu", rng, rng.randrange(5)))
    for _ in range(40 * SCALE):
        check(scattered("shihu", rng, 21, rng.randint(6, 12)))


def test_colours_may_be_renamed() -> None:
    rng = Random(7)
    for _ in range(200):
        hand = complete("shihu", rng, rng.randrange(5))
        names = dict(zip("rgyw", rng.sample("rgyw", 4), strict=True))
        text = "".join(names.get(letter, letter) for letter in scorer.write_hand(hand))
        renamed = scorer.score(scorer.parse_hand(text, "shihu"))
        before = scorer.score(hand)
        assert (renamed.total, renamed.runner_up, renamed.wins) == (
            before.total,
            before.runner_up,
            before.wins,
        )


def test_moving_a_meld_to_the_table_changes_only_its_line() -> None:
    rng = Random(8)
    moved = 0
    for _ in range(300):
        hand = complete("shihu", rng, winning=False)
        scored = scorer.score(hand)
        meld = max(scored.melds, key=lambda each: (each.kind != "吃", len(each.cards)))
        loose = list((Counter(hand.loose) - Counter(meld.cards)).elements())
        table = scorer.score(replace(hand, melds=(replace(meld, shown=True),), loose=tuple(loose)))
        before, after = Counter(scored.lines), Counter(table.lines)
        if [each for each in scored.melds if each != meld] == [*table.melds[1:]]:
            assert sum((before - after).values()) <= 1
            assert sum((after - before).values()) <= 1
            moved += 1
    assert moved > 200


def test_flower_is_at_most_three() -> None:
    hand = scorer.parse_hand("槓(rR rR rR rR) yN yN yN rP gP yP gK gA gA wB wB wN wN yA yA rC !rC", "shihu")
    assert [scorer.score(hand, {"turned": card}).detail["花"] for card in ("yN", "rC", "gK", "rA")] == [
        3,
        2,
        1,
        0,
    ]
    without = scorer.score(hand, {"turned": "rC"}, {"flower_winning_card": False})
    assert without.detail["花"] == 1


def test_options_of_a_false_call() -> None:
    hand = scorer.parse_hand("碰(yN yN yN) rK rA rB rR rN rC rP yP gP gK gA gA wB wB wR wR wC !wC", "shihu")
    shown = scorer.score(hand, {"turned": "yN"}, {"fault_flower": True})
    assert (shown.total, shown.fault, shown.settlement) == (11, True, (-33, 11, 11, 11))
    over = replace(hand, winning="rP")
    assert scorer.score(over).settlement == (0, 0, 0, 0)
    paid = scorer.score(over, {}, {"undivided_fault": True})
    assert (paid.fault, paid.total, paid.settlement) == (True, 0, (-33, 11, 11, 11))


def test_without_a_winning_card_a_warning_says_so() -> None:
    marked = scorer.parse_hand("碰(yN yN yN) rK rA rB rR rN rC rP yP gP gK gA gA wB wB wR wR wC !wC", "shihu")
    assert scorer.score(marked).warnings == ()
    bare = scorer.parse_hand("碰(yN yN yN) rK rA rB rR rN rC rP yP gP gK gA gA wB wB wR wR wC wC", "shihu")
    (warning,) = scorer.score(bare).warnings
    assert "winning card" in warning
    assert scorer.score(bare, {}, {"winning_meld": "hand"}).warnings == ()
