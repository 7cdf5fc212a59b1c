"""Seven units of number cards (RULES-MORE 10 and 11) found slowly: every place of the winning card, every division.

It shares no code with the scorer but reads its hands; what a division is worth, each game's own oracle says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import scorer
from tests.scorer.oracle import OracleUnit, Units, covers

CODES = [f"{size}{number}" for size in "sb" for number in range(1, 11)]
RED = {f"{size}{number}" for size in "sb" for number in (2, 7, 10)}
RUNS = {("b1", "b2", "b3"), ("s1", "s2", "s3")}
SEVENS = {("b10", "b2", "b7"), ("s10", "s2", "s7")}

Meld = tuple[str, tuple[str, ...]]  # kind, cards sorted by code


def all_units() -> Iterator[OracleUnit]:
    for size, other in (("s", "b"), ("b", "s")):
        for number in range(1, 11):
            code = f"{size}{number}"
            yield "吃", (code,) * 2
            yield "吃", (code, code, f"{other}{number}")
        for first in range(1, 9):
            yield "吃", tuple(f"{size}{first + step}" for step in range(3))
        yield "吃", (f"{size}2", f"{size}7", f"{size}10")


UNITS = Units(all_units())


def divisions(
    hand: scorer.Hand, four: str, third: str, fourth: Mapping[str, str], must: Sequence[str]
) -> Iterator[tuple[Meld, ...]]:
    """Yield every division of a whole hand into seven units.

    Parameters
    ----------
    four : kind of four alike in the hand
    third : kind of what the winning card makes with two loose ones
    fourth : kind of a three -> kind of the four that the winning card makes of it
    must : kinds that it must make where it can
    """
    counts = Counter(hand.loose)
    fixed: list[Meld] = [(meld.kind, tuple(sorted(meld.cards))) for meld in hand.melds]
    fixed += [("坎" if held == 3 else four, (card,) * held) for card, held in counts.items() if held > 2]
    rest = [card for card in hand.loose if counts[card] < 3]
    for melds, loose in _placements(fixed, rest, hand.winning, third, fourth, must):
        for cover in covers(loose, UNITS):
            whole = (*melds, *cover)
            sizes = [len(cards) for _, cards in whole]
            if len(sizes) == 7 and sizes.count(2) == (1 if 4 in sizes else 0):
                yield tuple(sorted(whole))


def _placements(
    fixed: list[Meld],
    rest: list[str],
    winning: str | None,
    third: str,
    fourth: Mapping[str, str],
    must: Sequence[str],
) -> list[tuple[list[Meld], list[str]]]:
    if winning is None:
        return [(fixed, rest)]
    sets: list[tuple[str, list[Meld], list[str]]] = []
    if rest.count(winning) == 2:
        sets.append((third, [*fixed, (third, (winning,) * 3)], [card for card in rest if card != winning]))
    for at, (kind, cards) in enumerate(fixed):
        if kind in fourth and cards == (winning,) * 3:
            four = (fourth[kind], (winning,) * 4)
            sets.append((four[0], [*fixed[:at], four, *fixed[at + 1 :]], rest))
    forced = [(melds, loose) for kind, melds, loose in sets if kind in must]
    return forced or [(fixed, [*rest, winning]), *[(melds, loose) for _, melds, loose in sets]]


def is_alike(meld: Meld) -> bool:
    return len(set(meld[1])) == 1 and len(meld[1]) > 2


def tie_order(melds: tuple[Meld, ...], kinds: Sequence[str]) -> tuple[int, list[tuple[int, list[int]]]]:
    places = [(kinds.index(kind), sorted(map(CODES.index, cards))) for kind, cards in melds]
    return len(melds), sorted(places)
