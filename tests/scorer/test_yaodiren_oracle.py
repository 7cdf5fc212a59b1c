"""幺地人 (RULES 3) against a brute force that knows the units only from the text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random

import pytest

import scorer
from tests.scorer.hands import complete, near, scattered
from tests.scorer.oracle import SCALE, OracleUnit, Units, covers

# In the order of RULES 2.1, which decides among ties.
PIPS = [
    "1-1", "1-2", "1-3", "2-2", "1-4", "2-3", "1-5", "2-4", "3-3", "1-6", "3-4",
    "2-5", "4-4", "2-6", "3-5", "4-5", "3-6", "4-6", "5-5", "5-6", "6-6",
]  # fmt: skip
RED = {"1-1", "1-2", "1-3", "1-4", "1-5", "1-6", "2-4", "3-4", "4-4", "4-5", "4-6", "6-6"}
VALUE = {"pong": (4, 8), "kong": (6, 12), "fire": (8, 16), "five": (8, 16), "rung": (8, 16), "chi": (0, 0)}


def points(card: str) -> int:
    return int(card[0]) + int(card[2])


def all_units() -> Iterator[OracleUnit]:
    for card in PIPS:
        yield "pong", (card,) * 3
        yield "fire", (card,) * 4
        yield "five", (card,) * 5
    for one, other in combinations(PIPS, 2):
        if points(one) + points(other) == 14:
            yield "chi", (one, one, other)
            yield "chi", (one, other, other)
    yield "chi", ("1-6", "2-5", "3-4")


UNITS = Units(all_units())
NAMES = {"吃": "chi", "碰": "pong", "杠": "kong", "响": "rung"}


def fixed(hand: scorer.Hand) -> list[OracleUnit]:
    found = []
    for meld in hand.melds:
        name = {4: "fire", 5: "five"}[len(meld.cards)] if meld.kind == "吐火" else NAMES[meld.kind]
        found.append((name, tuple(sorted(meld.cards))))
    return found


def divisions(hand: scorer.Hand) -> list[list[OracleUnit]]:
    """Return every division into seven units in which the winning card completes a 吃 or a 碰."""
    melds = fixed(hand)
    loose = [*hand.loose, *([hand.winning] if hand.winning else [])]
    found = []
    for division in covers(loose, UNITS):
        closes = any(name in ("chi", "pong") and hand.winning in cards for name, cards in division)
        if len(melds) + len(division) == 7 and (closes or hand.winning is None):
            found.append([*melds, *division])
    return found


def tuo(units: Sequence[OracleUnit]) -> int:
    return sum(VALUE[name][cards[0] in RED] for name, cards in units)


def fan(units: Sequence[OracleUnit], need: int) -> int:
    """Return the 番 of a won hand."""
    found = 0
    for name, cards in units:
        if cards[0] in ("1-1", "1-4", "4-4"):
            found += {"pong": 1, "kong": 2, "rung": 3}.get(name, 0)
        found += name == "rung"
    found += sum(1 for threshold in range(need + 10, 1000, 10) if tuo(units) >= threshold)
    found += all(name != "chi" for name, _ in units)
    return found + all(card in RED for _, cards in units for card in cards)


def pays(units: Sequence[OracleUnit], need: int) -> int:
    return 2 ** fan(units, need) if tuo(units) >= need else 0


def tie(units: Sequence[OracleUnit]) -> list[tuple[int, list[int]]]:
    kinds = {"chi": 0, "pong": 1, "kong": 2, "fire": 3, "five": 3, "rung": 4}
    return sorted((kinds[name], sorted(map(PIPS.index, cards))) for name, cards in units)


def check(hand: scorer.Hand, dealer: bool) -> str:
    """Compare a hand with the brute force; say what it was."""
    need = 34 if dealer else 33
    scored = scorer.score(hand, {"dealer": dealer})
    found = divisions(hand)
    assert scored.wins == any(tuo(units) >= need for units in found)
    if not found:
        assert (scored.total, scored.lines, scored.settlement) == (0, (), (0, 0, 0))
        assert scored.reason is not None
        return "divides not"
    ranked = sorted(found, key=lambda units: (-pays(units, need), -tuo(units), tie(units)))
    best = ranked[0]
    assert scored.total == tuo(best)
    assert scored.settlement == (2 * pays(best, need), -pays(best, need), -pays(best, need))
    assert scored.runner_up == (tuo(ranked[1]) if len(ranked) > 1 else None)
    assert (scored.detail["番"], scored.factor) == (fan(best, need), 2 ** fan(best, need))
    kinds = {"fire": "吐火", "five": "吐火", **{name: kind for kind, name in NAMES.items()}}
    assert Counter((meld.kind, tuple(sorted(meld.cards))) for meld in scored.melds) == Counter(
        (kinds[name], cards) for name, cards in best
    )
    return "wins" if scored.wins else "too few"


@pytest.mark.parametrize("seed", range(4))
def test_against_brute_force(seed: int) -> None:
    rng = Random(seed)
    met: Counter[str] = Counter()
    for _ in range(300 * SCALE):
        winning = rng.random() < 0.8
        met[check(complete("yaodiren", rng, rng.randrange(5), winning=winning), rng.random() < 0.5)] += 1
        met[check(near("yaodiren", rng, rng.randrange(5)), rng.random() < 0.5)] += 1
    for _ in range(40 * SCALE):
        size = rng.randint(21, 24)
        met[check(scattered("yaodiren", rng, size, rng.randint(6, 10)), rng.random() < 0.5)] += 1
    assert min(met["wins"], met["too few"], met["divides not"]) > 40 * SCALE
