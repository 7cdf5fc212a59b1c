"""泸州大贰 (RULES-MORE 11) counted slowly, from the text alone; no code is shared with the scorer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import scorer
from tests.scorer.seven_oracle import RED, RUNS, SEVENS, Meld, divisions, tie_order

DEFAULTS = {option.name: option.default for option in scorer.rule_set("daer").options}
KINDS = ["吃", "碰", "坎", "招", "拢"]
# small black, small red, big black, big red
VALUES = {"碰": (1, 6, 3, 9), "坎": (6, 9, 9, 12), "招": (9, 12, 12, 15), "拢": (12, 15, 15, 18)}
TABLE = {0: 4, 10: 3, 20: 4, 30: 6, 40: 8, 50: 10, 60: 12, 70: 14, 80: 16}


@dataclass(frozen=True)
class Found:
    """A division: rank (wins, what a loser pays, 胡, total), 番, melds."""

    rank: tuple[int, int, int, int]
    fan: int
    melds: tuple[Meld, ...]


def best_two(
    hand: scorer.Hand, facts: Mapping[str, object], options: Mapping[str, object]
) -> tuple[Found | None, int | None]:
    option = {**DEFAULTS, **options}
    every = {melds: _count(melds, facts, option) for melds in divisions(hand, "拢", "碰", {"坎": "招"}, ())}
    order = sorted(
        every.values(), key=lambda each: ([-one for one in each.rank], tie_order(each.melds, KINDS))
    )
    return (order[0] if order else None), (order[1].rank[3] if len(order) > 1 else None)


def points(meld: Meld) -> int:
    kind, cards = meld
    big = cards[0][0] == "b"
    if kind != "吃":
        return VALUES[kind][2 * big + (cards[0] in RED)]
    return (6 if big else 3) if cards in RUNS else (9 if big else 6) if cards in SEVENS else 0


def worth(ka: object, hu: int) -> int:
    if ka == "table":
        return 18 if hu >= 90 else TABLE.get(hu, hu // 10 + 1)
    return 2 if hu < 20 else min(5, hu // 10 + 1)


def _count(melds: tuple[Meld, ...], facts: Mapping[str, object], option: Mapping[str, object]) -> Found:
    hu = sum(map(points, melds))
    fan = _fan(melds, hu, facts, option)
    if not (hu >= int(str(option["need"])) or (hu == 0 and option["zero"])):
        return Found((0, 0, hu, 0), fan, melds)
    add, thrown = option["fan"] == "add", bool(facts.get("discard"))
    total = worth(option["ka"], hu) * (1 + fan if add else 2**fan)
    cap = int(str(option["cap"])) * (2 if thrown and not add else 1)
    total = min(total, cap) if cap else total
    return Found((1, total, hu, total), fan, melds)


def _fan(melds: tuple[Meld, ...], hu: int, facts: Mapping[str, object], option: Mapping[str, object]) -> int:
    cards = Counter(card for _, meld in melds for card in meld)
    red = sum(held for card, held in cards.items() if card in RED)
    fan = 1 if red >= 10 else 3 if red == 0 else 0
    fan += all(points(meld) for meld in melds if len(meld[1]) > 2)
    fan += sum(held == 4 for held in cards.values()) if option["gui"] else 0
    fan += option["ka"] == "fan" and hu % 10 == 0
    fan += bool(facts.get("self_drawn")) and not facts.get("tian_hu")
    fan += bool(facts.get("discard")) and option["fan"] == "double"
    tian, bao = bool(facts.get("tian_hu")), bool(facts.get("bao"))
    fan += 3 if tian and bao else tian + bao
    fan += sum(bool(facts.get(fact)) for fact in ("di_hu", "first_draw", "last_draw"))
    return fan + int(str(facts.get("sha_bao", 0)))
