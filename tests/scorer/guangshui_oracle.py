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
    parts = [
        *(_car(car, sets, Counter(hand.cards()), options) for car in cars),
        *_qing_and_heaven(sets, options),
        _steps(sets, options),
    ]
    used = {card for _, _, cards in parts for card in cards}
    if not options["pong_in_bonus"]:
        hu -= sum(SETS["步"][card[1] in "KRP"] for card in used if sets.get(card) == "步")
    has = {word for _, words, _ in parts for word in words}
    called = [card for card, name in sets.items() if name == "楼"]
    has |= {"肥楼" if card[1] in "KRP" else "素楼" for card in called}
    return _paid(hu + sum(more for more, _, _ in parts), len(called), has, hand, options)


# What a part of the whole adds: 胡, words for `ENOUGH`, the cards that it takes.
Added = tuple[int, set[str], set[str]]


def _car(
    car: tuple[str, ...], sets: Mapping[str, str], held: Counter[str], options: Mapping[str, object]
) -> Added:
    def out(card: str) -> bool:
        if card in sets and (sets[card] in "步子" or options["four_is_out"]):
            return True
        return not options["out_needs_set"] and held[card] >= 3

    steps = sum(map(out, car))
    plain = car[0][0] == car[1][0]
    kind = "素车" if plain else {3: "肥车", 4: "长车"}[len(car)]
    hu = {"素车": (10, 20, 30, 40), "肥车": (20, 40, 60, 100), "长车": (40, 80, 120, 160, 200)}[kind][steps]
    has = {kind, *(["出车"] if steps else [])}
    if (kind, steps) in {("素车", 3), ("肥车", 2), ("肥车", 3)} or (kind == "长车" and steps):
        has.add("必胜")
    if (kind, steps) == ("素车", 3) or (not plain and steps):
        has.add("两楼小甲")
    if steps and options["plain_car_generals" if plain else "fat_car_generals"]:
        hu += 2 * sum(card[1] == "K" and card not in sets for card in car)
    return hu, has, set(car)


def _qing_and_heaven(sets: Mapping[str, str], options: Mapping[str, object]) -> Iterator[Added]:
    for kind in "ABRNC" + ("KP" if options["qing_kinds"] == "all" else ""):
        members = {colour + kind for colour in COLOURS if colour + kind in sets}
        if len(members) >= 3:
            yield 20 * (len(members) - 2), {"三清", *(["四清"] if len(members) == 4 else [])}, members
    for colour in COLOURS:
        pair = {colour + "K", colour + "P"}
        if pair <= set(sets):
            yield 20, {"天地"}, pair


def _steps(sets: Mapping[str, str], options: Mapping[str, object]) -> Added:
    steps = sum(name == "步" or options["steps_counted"] == "all" for name in sets.values())
    words = {word for least, word in ((5, "五步"), (6, "六步")) if steps >= least}
    return 20 * max(0, min(steps, 10) - 4), words, set()


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


def kinds_of(final: Final) -> list[tuple[int, tuple[str, ...]]]:
    """Return the melds as sorted (place of the kind in the rule table, cards in deck order)."""
    index = scorer.deck("sise").index.__getitem__
    kinds = {"将": 0, "圆": 0, "步": 1, "楼": 2, "对": 3, "占": 3, "子": 4, "闹": 5}
    melds = [(kinds[name], tuple(sorted(cards, key=index))) for name, cards in final]
    return sorted(melds, key=lambda meld: (meld[0], [index(card) for card in meld[1]]))


def best(
    hand: scorer.Hand, options: Mapping[str, object]
) -> tuple[Rank, int | None, list[tuple[int, tuple[str, ...]]]] | None:
    """Return the best rank, the 胡 of the next best division into other melds, and the melds of the best
    division that comes first among ties (Z1: fewer melds, then the smaller list); None without a division."""
    index = scorer.deck("sise").index.__getitem__
    found: dict[tuple[tuple[int, tuple[str, ...]], ...], Rank] = {}
    for final in finals(hand, options):
        key = tuple(kinds_of(final))
        found[key] = max(found.get(key, (0, 0, -1)), rank(final, hand, options))
    if not found:
        return None
    ranks = sorted(found.values(), reverse=True)
    ties = [key for key, value in found.items() if value == ranks[0]]
    first = min(ties, key=lambda key: (len(key), [(kind, [*map(index, cards)]) for kind, cards in key]))
    return ranks[0], (ranks[1][2] if len(ranks) > 1 else None), list(first)
