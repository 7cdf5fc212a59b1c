"""广水四色 (RULES 6) counted slowly, from the text alone: every division, every place of the winning card, every
choice of 车子. It shares no code with the scorer but reads its hands and options."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations

import scorer
from tests.scorer.oracle import OracleUnit, Units, covers

COLOURS = "rgyw"
DEFAULTS = {option.name: option.default for option in scorer.rule_set("guangshui").options}
# D-01: 素, 肥
SETS = {"步": (1, 2), "子": (3, 6), "楼": (6, 12), "闹": (9, 18)}
CALLED = {"对": "占", "子": "步", "闹": "楼"}
SMALL, GREAT = (250, 123, 61, 31), (500, 250, 123, 61)

Final = tuple[OracleUnit, ...]
Rank = tuple[int, int, int]


def all_units() -> Iterator[OracleUnit]:
    for colour in COLOURS:
        yield "将", (colour + "K",)
        yield "圆", (colour + "K", colour + "A", colour + "B")
        yield "圆", (colour + "R", colour + "N", colour + "C")
        yield "圆", tuple(other + "P" for other in COLOURS if other != colour)
        for kind in "KABRNCP":
            yield "对", (colour + kind,) * 2
            yield "子", (colour + kind,) * 3
            yield "闹", (colour + kind,) * 4
    yield "圆", tuple(other + "P" for other in COLOURS)


UNITS = Units(all_units())
KINDS = {"碰": "步", "楼": "楼", "占": "占", "子": "子", "闹": "闹"}


def finals(hand: scorer.Hand, options: Mapping[str, object]) -> Iterator[Final]:
    """Yield every division of the whole hand with every place of the winning card."""
    fixed = tuple(_fixed(meld) for meld in hand.melds)
    winning = hand.winning
    loose = [*hand.loose, *([winning] if winning else [])]
    held = [at for at, (name, cards) in enumerate(fixed) if name == "子" and winning in cards]
    must_call = options["must_call"] is True
    if not (must_call and held):
        for division in covers(loose, UNITS):
            if winning is None:
                yield fixed + division
            for at, (name, cards) in enumerate(division):
                if winning in cards and not (must_call and hand.loose.count(winning) == 3 and name != "闹"):
                    called = (_called(name, options), cards)
                    yield (*fixed, *division[:at], called, *division[at + 1 :])
    for at in held:
        four = "楼" if options["winning_set"] == "table" else "闹"
        for division in covers(hand.loose, UNITS):
            yield (*fixed[:at], (four, fixed[at][1] + (str(winning),)), *fixed[at + 1 :], *division)


def _called(name: str, options: Mapping[str, object]) -> str:
    return CALLED.get(name, name) if options["winning_set"] == "table" else name


def _fixed(meld: scorer.Meld) -> OracleUnit:
    if meld.kind == "吃":
        return "将" if len(meld.cards) == 1 else "圆", tuple(sorted(meld.cards))
    return KINDS[meld.kind], meld.cards


def value(unit: OracleUnit, options: Mapping[str, object]) -> int:
    name, cards = unit
    if name in SETS:
        if name == "子" and cards[0][1] == "K":
            return int(str(options["general_triplet"]))
        return SETS[name][cards[0][1] in "KRP"]
    return {"圆": 1, "将": 1, "对": 0, "占": 0}[name]


@lru_cache(maxsize=1000)
def car_choices(paired: frozenset[str], shared: bool) -> list[list[tuple[str, ...]]]:
    """Return every set of 车子 that can be made at once."""
    plain = [tuple(colour + kind for kind in kinds) for colour in COLOURS for kinds in ("KAB", "RNC")]
    large = [
        tuple(colour + kind for colour in colours)
        for kind in "KP"
        for number in (3, 4)
        for colours in combinations(COLOURS, number)
    ]
    can = [car for car in [*plain, *large] if paired.issuperset(car)]
    choices = []
    for number in range(len(can) + 1):
        for cars in combinations(can, number):
            uses = Counter(card for car in cars for card in car)
            one_large = all(sum(car[0][1] == car[1][1] == kind for car in cars) < 2 for kind in "KP")
            if one_large and (shared or max(uses.values(), default=0) < 2):
                choices.append(list(cars))
    return choices


def rank(final: Final, hand: scorer.Hand, options: Mapping[str, object]) -> Rank:
    """Return (wins, what a loser pays, 胡) of a final division, its 车子 chosen in the best way."""
    paired = frozenset(cards[0] for name, cards in final if name == "对" or name in SETS)
    shared = options["one_car_per_card"] is False
    return max(_rank(final, hand, options, cars) for cars in car_choices(paired, shared))


def _rank(
    final: Final, hand: scorer.Hand, options: Mapping[str, object], cars: list[tuple[str, ...]]
) -> Rank:
    sets = {cards[0]: name for name, cards in final if name in SETS}
    singles = sum(name == "将" for name, _ in final)
    hu = sum(value(unit, options) for unit in final) - max(0, singles - int(str(options["loose_generals"])))
    held = Counter(hand.cards())

    def out(card: str) -> bool:
        if card in sets and (sets[card] in "步子" or options["four_is_out"]):
            return True
        return not options["out_needs_set"] and held[card] >= 3

    has: set[str] = set()
    used = {card for car in cars for card in car}
    for car in cars:
        steps = sum(map(out, car))
        plain = car[0][0] == car[1][0]
        kind = "素车" if plain else {3: "肥车", 4: "长车"}[len(car)]
        worth = {"素车": (10, 20, 30, 40), "肥车": (20, 40, 60, 100), "长车": (40, 80, 120, 160, 200)}[kind]
        hu += worth[steps]
        has |= {kind, *(["出车"] if steps else [])}
        if (kind, steps) in {("素车", 3), ("肥车", 2), ("肥车", 3)} or (kind == "长车" and steps):
            has.add("必胜")
        if (kind, steps) == ("素车", 3) or (not plain and steps):
            has.add("两楼小甲")
        if steps and options["plain_car_generals" if plain else "fat_car_generals"]:
            hu += 2 * sum(card[1] == "K" and card not in sets for card in car)
    for kind in "ABRNC" + ("KP" if options["qing_kinds"] == "all" else ""):
        members = [colour + kind for colour in COLOURS if colour + kind in sets]
        if len(members) >= 3:
            hu += 20 * (len(members) - 2)
            has |= {"三清", *(["四清"] if len(members) == 4 else [])}
            used.update(members)
    for colour in COLOURS:
        if {colour + "K", colour + "P"} <= set(sets):
            hu += 20
            has.add("天地")
            used |= {colour + "K", colour + "P"}
    pongs = [card for card, name in sets.items() if name == "步"]
    steps = len(sets) if options["steps_counted"] == "all" else len(pongs)
    hu += 20 * max(0, min(steps, 10) - 4)
    if not options["pong_in_bonus"]:
        hu -= sum(SETS["步"][card[1] in "KRP"] for card in pongs if card in used)
    called = [card for card, name in sets.items() if name == "楼"]
    if any(card[1] in "KRP" for card in called):
        has.add("肥楼")
    if any(card[1] not in "KRP" for card in called):
        has.add("素楼")
    if steps >= 5:
        has.add("五步")
    if steps >= 6:
        has.add("六步")
    return _paid(hu, len(called), has, hand, options)


ENOUGH = (
    {"四清"}, {"三清", "五步"}, {"五步", "出车"}, {"六步"}, {"必胜"}, {"天地", "五步"}, {"三清", "天地"},
    {"三清", "出车"}, {"出车", "天地"}, {"素车", "肥楼"}, {"肥车", "素楼"}, {"长车", "素楼"},
)  # fmt: skip


def _paid(hu: int, lou: int, has: set[str], hand: scorer.Hand, options: Mapping[str, object]) -> Rank:
    wins = lou >= 2 or hu >= (48, 23)[lou] or any(need <= has for need in ENOUGH)
    if not options["xianggong_wins"] and (hand.winning or "")[1:] == "K" and len(hand.loose) == 1:
        wins = False
    if not wins:
        return 0, 0, hu
    jia = (hu >= SMALL[min(lou, 3)] or (lou >= 2 and "两楼小甲" in has)) + (hu >= GREAT[min(lou, 3)])
    doublings = min(lou, int(str(options["lou_at_most"]))) if options["lou_doubles"] else 0
    pai = max(1, hu * 2**doublings // 50, 5 * jia if options["jia_at_least"] else 0)
    if jia and options["jia_replaces"]:
        pai = 5 * jia
    return 1, hu if options["pay_by"] == "胡" else pai, hu


def best(hand: scorer.Hand, options: Mapping[str, object]) -> tuple[Rank | None, int | None]:
    """Return the best rank, and the 胡 of the best division into other melds."""
    found: dict[Final, Rank] = {}
    for final in finals(hand, options):
        # 对 and 占 are one kind of meld.
        key = tuple(sorted(("对" if name == "占" else name, cards) for name, cards in final))
        found[key] = max(found.get(key, (0, 0, -1)), rank(final, hand, options))
    ranks = sorted(found.values(), reverse=True)
    return (ranks[0] if ranks else None), (ranks[1][2] if len(ranks) > 1 else None)
