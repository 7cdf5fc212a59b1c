"""跑胡子 (RULES-MORE 10) counted slowly, from the text alone; no code is shared with the scorer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import scorer
from tests.scorer.seven_oracle import RED, RUNS, SEVENS, Meld, divisions, is_alike, tie_order

DEFAULTS = {option.name: option.default for option in scorer.rule_set("paohuzi").options}
KINDS = ["吃", "碰", "偎", "坎", "跑", "提"]
BIG, SMALL = {"提": 12, "跑": 9, "坎": 6, "偎": 6, "碰": 3}, {"提": 9, "跑": 6, "坎": 3, "偎": 3, "碰": 1}
COLOURS = {"hhd": {0: 5, 1: 3}, "quan": {0: 8, 1: 6}, "duo": {0: 6, 1: 4}}


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
    drawn = facts.get("self_drawn") or (facts.get("tian_hu") and option["tian_drawn"])
    fourth = {"坎": "提", "偎": "提", "碰": "跑"} if drawn else {"坎": "跑", "偎": "跑", "碰": "跑"}
    if facts.get("discard"):
        del fourth["碰"]
    must = (["偎", "提"] if drawn and option["forced"] else []) + ([] if option["fourth_free"] else ["跑"])
    every = {
        melds: _count(melds, hand, facts, option)
        for melds in divisions(hand, "提", "偎" if drawn else "碰", fourth, must)
    }
    order = sorted(
        every.values(), key=lambda each: ([-one for one in each.rank], tie_order(each.melds, KINDS))
    )
    return (order[0] if order else None), (order[1].rank[3] if len(order) > 1 else None)


def points(meld: Meld) -> int:
    kind, cards = meld
    big = cards[0][0] == "b"
    if kind != "吃":
        return (BIG if big else SMALL)[kind]
    return (6 if big else 3) if cards in RUNS | SEVENS else 0


def _count(
    melds: tuple[Meld, ...], hand: scorer.Hand, facts: Mapping[str, object], option: Mapping[str, object]
) -> Found:
    hu, need = sum(map(points, melds)), int(str(option["need"]))
    fan = _fan(melds, hand, facts, option)
    if hu < need or (facts.get("discard") and option["pao"] == "no"):
        return Found((0, 0, hu, 0), fan, melds)
    tun = 1 + (hu - need) // int(str(option["tun"])) + int(str(option["chong"]))
    drawn = bool(facts.get("self_drawn"))
    total = (tun + (drawn and option["zimo"] == "tun")) * max(fan, 1)
    total *= 2 if drawn and option["zimo"] == "double" else 1
    if option["cap"]:
        total = min(total, int(str(option["cap"])))
    return Found((1, total, hu, total), fan, melds)


def _fan(
    melds: tuple[Meld, ...], hand: scorer.Hand, facts: Mapping[str, object], option: Mapping[str, object]
) -> int:
    town = option["mingtang"]
    if town == "none":
        return 0
    cards = Counter(card for _, meld in melds for card in meld)
    red = sum(held for card, held in cards.items() if card in RED)
    fan = 0
    if red < 2:
        fan += int(str(option["wu"])) if town == "hhd" and not red else COLOURS[str(town)][red]
    elif red >= 10:
        fan += (4 if red > 12 else 2) if town == "hhd" else {"quan": 3, "duo": 2}[str(town)] + red - 10
    if all(is_alike(meld) or len(meld[1]) == 2 for meld in melds) and (town != "hhd" or option["duizi"]):
        fan += {"hhd": 4, "quan": 8, "duo": 6}[str(town)]
    if town == "duo" and option["duo_first"]:
        fan += 4 * sum(bool(facts.get(fact)) for fact in ("tian_hu", "di_hu", "last_card", "ting_hu"))
    return fan + (_quan(melds, hand, cards, red, facts, option) if town == "quan" else 0)


def _quan(
    melds: tuple[Meld, ...],
    hand: scorer.Hand,
    cards: Counter[str],
    red: int,
    facts: Mapping[str, object],
    option: Mapping[str, object],
) -> int:
    big = sum(held for card, held in cards.items() if card[0] == "b")
    small = cards.total() - big
    fan = 8 + big - 18 if big >= 18 else 10 + small - 16 if small >= 16 else 0
    fan += 6 * sum(bool(facts.get(fact)) for fact in ("tian_hu", "di_hu", "last_card"))
    fan += 6 if option["ting"] and facts.get("ting_hu") else 0
    fan += 8 if option["shua_hou"] and hand.winning and len(hand.loose) == 1 else 0
    if option["tuan_yuan"]:
        fan += 8 * sum(cards[f"s{n}"] == cards[f"b{n}"] == 4 for n in range(1, 11))
    pays = all(points(meld) for meld in melds if len(meld[1]) > 2)
    pair = any(len(meld[1]) == 2 for meld in melds)
    fan += 8 if option["hang_xi"] and pays and not pair else 0
    fan += 4 if option["jia_hang"] and pays and pair else 0
    return fan + (2 if option["si_qi_hong"] and red in (4, 7) else 0)
