"""Tứ sắc (RULES-MORE 9) counted slowly, from the text alone: every division, every group that the winning card can
close, every khạp that it can open. It shares no code with the scorer but reads its hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import scorer
from tests.scorer.oracle import OracleUnit, Units, covers

DEFAULTS = {option.name: option.default for option in scorer.rule_set("tusac").options}
KINDS = ["ăn", "ba", "khạp", "khui", "quan"]
DECK = [colour + kind for colour in "rgyw" for kind in "KABRNCP"]

Meld = tuple[str, tuple[str, ...]]  # kind, cards sorted by code


def all_units() -> Iterator[OracleUnit]:
    for colour in "rgyw":
        yield "ăn", (colour + "K",)
        yield "ăn", (colour + "K", colour + "A", colour + "B")
        yield "ăn", (colour + "R", colour + "C", colour + "N")
        yield "ăn", tuple(other + "P" for other in "rgyw" if other != colour)
        for kind in "KABRNCP":
            if kind != "K":
                yield "ăn", (colour + kind,) * 2
            yield "khạp", (colour + kind,) * 3
            yield "quan", (colour + kind,) * 4
    yield "ăn", tuple(colour + "P" for colour in "rgyw")


UNITS = Units(all_units())


@dataclass(frozen=True)
class Found:
    """A division: lệnh with tới, what a loser pays beside yellow generals, and its melds."""

    lenh: int
    pays: int
    melds: tuple[Meld, ...]


def divisions(hand: scorer.Hand, options: Mapping[str, object]) -> dict[tuple[Meld, ...], Found]:
    """Return every division by its melds."""
    option = {**DEFAULTS, **options}
    given: list[Meld] = [(meld.kind, tuple(sorted(meld.cards))) for meld in hand.melds]
    found: dict[tuple[Meld, ...], Found] = {}
    for fixed, loose, opened in _placements(hand, given, option):
        for cover in covers(loose, UNITS):
            for melds in _closed([*cover], hand.winning if not opened else None, option):
                whole = tuple(sorted([*fixed, *melds]))
                found[whole] = _count(whole, option)
    return found


def _placements(
    hand: scorer.Hand, given: list[Meld], option: Mapping[str, object]
) -> Iterator[tuple[list[Meld], list[str], bool]]:
    """Yield (melds that are fixed, cards to divide, whether the winning card opened one of them)."""
    locked: list[Meld] = []
    rest = list(hand.loose)
    for card, held in Counter(hand.loose).items():
        if held > 2 and not option["break_khap"]:
            locked.append(("khạp" if held == 3 else "quan", (card,) * held))
            rest = [other for other in rest if other != card]
    fixed = [*given, *locked]
    if hand.winning is None:
        yield fixed, rest, False
        return
    yield fixed, [*rest, hand.winning], False
    threes = ["khạp", "ba"] if option["khui_of_ba"] else ["khạp"]
    for at, (kind, cards) in enumerate(fixed):
        if kind in threes and cards[0] == hand.winning:
            four = "khui" if option["winning_meld"] == "table" else "quan"
            yield [*fixed[:at], (four, cards + cards[:1]), *fixed[at + 1 :]], rest, True


def _closed(
    cover: list[OracleUnit], winning: str | None, option: Mapping[str, object]
) -> Iterator[list[Meld]]:
    if winning is None:
        yield cover
        return
    for at, (kind, cards) in enumerate(cover):
        if winning in cards and (kind, winning[1]) != ("khạp", "K"):
            closed = {"khạp": "ba", "quan": "khui"}.get(kind, kind)
            became = closed if option["winning_meld"] == "table" else kind
            yield [*cover[:at], (became, cards), *cover[at + 1 :]]


def _value(kind: str, cards: tuple[str, ...], option: Mapping[str, object]) -> int:
    if kind != "ăn":
        return {"ba": 1, "khạp": int(str(option["khap"])), "khui": 6, "quan": 8}[kind]
    return {1: 1, 2: 0, 3: 1, 4: 4}[len(cards)]


def _count(melds: tuple[Meld, ...], option: Mapping[str, object]) -> Found:
    lenh = sum(_value(kind, cards, option) for kind, cards in melds) + int(str(option["toi"]))
    doubled = option["quan_doubles"] and any(len(set(cards)) == 1 and len(cards) == 4 for _, cards in melds)
    return Found(lenh, (1 if option["pay"] == "flat" else lenh) * (2 if doubled else 1), melds)


def best_two(hand: scorer.Hand, options: Mapping[str, object]) -> tuple[Found | None, int | None]:
    """Return the best division (Z1), and the lệnh of the next best."""
    every = sorted(
        divisions(hand, options).values(), key=lambda each: (-each.pays, -each.lenh, tie_order(each.melds))
    )
    return (every[0] if every else None), (every[1].lenh if len(every) > 1 else None)


def tie_order(melds: tuple[Meld, ...]) -> tuple[int, list[tuple[int, list[int]]]]:
    places = [(KINDS.index(kind), sorted(map(DECK.index, cards))) for kind, cards in melds]
    return len(melds), sorted(places)
