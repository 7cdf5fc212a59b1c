"""幺地人 (RULES 3): seven 卯 and at least 33 陀 (dealer 34) win; every 番 doubles what the others pay.

Two cards of 14 pips with a third like either are 吃; equal cards are 碰, 杠, 吐火 and 响, worth 陀 by their colour.
The feature of a division holds its 陀 and above them the 番 of 幺, 地 and 人, the rung 吐火, the number of units,
the 吃 among them, and the units that only the winning card may make (0 unless an option says so).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from scorer.book import NOTHING, Book, Shape, Unit
from scorer.book import make_book as bind
from scorer.cards import deck
from scorer.case import Case, Division, Problem, all_loose, plain_problems, reason, undivided_reason
from scorer.divide import divisions
from scorer.errors import WrongCardCount
from scorer.facts import Values, flag, number
from scorer.rules import RuleSet, Value
from scorer.settle import each_pays, nobody_pays
from scorer.tally import Count, Line, Note, Payment, Reason, Step

NEED = {True: 34, False: 33}  # 陀, by whether it is the dealer (A9)
STEP = 10  # 陀 of one 高番 (A10)
PAIR = 14  # pips of a 卯
CARDS = tuple(face for face in deck("chuanpai").faces if face.suit != "joker")
SEVENS = tuple(face.code for face in CARDS if face.rank == PAIR / 2)
PERSONS: Mapping[str, str] = {"1-4": "幺", "1-1": "地", "4-4": "人"}
STAGES = ("", "碰", "杠", "吐火")  # by the 番 that 幺, 地 or 人 is then worth

# Fields of a feature: 陀 (10 bits), then these, up to 35 units each in a part of a hand.
_TUO = (1 << 10) - 1
_FIELD = (1 << 6) - 1
_PERSON, _RUNG, _UNIT, _CHI, _UNMADE = (1 << at for at in (10, 16, 22, 28, 34))


def make_book(rules: RuleSet, options: Values) -> Book:
    """Return the units; loose ones that this table lets only the winning card make are marked (A20, A21)."""
    shapes = [_shape(rules, options, kind, row, cards) for kind, row, cards in _units(options)]
    closed, free = [], []
    for shape in shapes:
        if shape.kind not in ("杠", "响"):
            loose = replace(shape, feature=shape.feature + _unmade(options, shape))
            free.append(loose)
            if shape.kind != "吐火":
                closed.append(("closed", loose, shape))
    return bind(rules, free, shapes, closed)


def _units(options: Values) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield (kind, row, cards) of every unit."""
    for cards in _eaten(options):
        yield "吃", "吃", cards
    for face in CARDS:
        yield "碰", "碰", (face.code,) * 3
        yield "杠", "杠", (face.code,) * 4
        yield "吐火", "吐火", (face.code,) * 4
        yield "吐火", "五张吐火", (face.code,) * 5
        yield "响", "响", (face.code,) * 5


def _eaten(options: Values) -> Iterator[tuple[str, ...]]:
    """Yield the cards of every 吃: a pair of 14 pips and a third like either; of sevens any three (A4, A24)."""
    for at, one in enumerate(CARDS):
        for other in CARDS[at + 1 :]:
            if one.rank + other.rank == PAIR:
                yield one.code, one.code, other.code
                yield one.code, other.code, other.code
    if flag(options, "mixed_sevens"):
        yield SEVENS
    if flag(options, "alike_sevens"):
        for code in SEVENS:
            yield (code,) * 3


def _shape(rules: RuleSet, options: Values, kind: str, row: str, cards: tuple[str, ...]) -> Shape:
    red = reds(options["red"])
    rung = kind == "响" or (row == "五张吐火" and flag(options, "quint_rings"))
    tuo = rules.rows[row].points[cards[0] in red]
    if kind == "吃":
        tuo = sum(card in red for card in cards) * number(options, "chi_red_tuo")
    elif rung:
        tuo += number(options, "ring_tuo") * (1 + (cards[0] in red))
    fan = 0
    if cards[0] in PERSONS and kind != "吃":
        held = number(options, "held_fan") if row == "吐火" else 0
        fan = 3 if rung else {"碰": 1, "杠": 2}.get(kind, held)
    feature = tuo + fan * _PERSON + rung * _RUNG + _UNIT + (kind == "吃") * _CHI
    return Shape(kind, cards, row, tuo, feature, shown=kind != "吐火")


def _unmade(options: Values, shape: Shape) -> int:
    """Return the mark of a unit that loose cards make only with the winning card (A20, A21)."""
    allowed = flag(options, "loose_chi" if shape.kind == "吃" else "loose_alike")
    return 0 if allowed else _UNMADE


@cache
def reds(red: Value) -> frozenset[str]:
    """Return the red cards: with `any` red pip, or with `all` pips red (A2)."""
    tag = "red" if red == "any" else "all_red"
    return frozenset(face.code for face in CARDS if tag in face.tags)


def needed(case: Case) -> int:
    """Return the 陀 that win (A9, A16)."""
    return need(case.facts, case.options)


def need(facts: Values, options: Values) -> int:
    """Return the 陀 that win, or that a hand must have before play (A9, A16).

    >>> from scorer.facts import defaults
    >>> need({"dealer": True, "seats": 2}, defaults("yaodiren", "options"))
    34
    """
    more = number(options, "two_player_tuo") if facts["seats"] == 2 else 0
    return NEED[facts["dealer"] is True] + more


def check(case: Case) -> None:
    """Raise WrongCardCount unless the cards beside the m missing units are 3m to 5m (Z5)."""
    missing = number(case.options, "units") - len(case.fixed)
    loose = len(case.hand.loose) + (case.hand.winning is not None)
    if missing < 0:
        raise WrongCardCount(f"{len(case.fixed)} fixed melds are too many.", str(len(case.fixed)))
    if not 3 * missing <= loose <= 5 * missing:
        fixed = case.size - loose
        raise WrongCardCount(
            f"{missing} units beside the fixed ones take {3 * missing} to {5 * missing} cards, not {loose}.",
            str(loose),
            (fixed + 3 * missing, fixed + 5 * missing),
        )


def problems(case: Case) -> Sequence[Problem]:
    """Return the loose cards with the winning one, which may complete 吃 and 碰 only (A22).

    Of at most three equal loose cards nothing else can be made; of four or five the one 吐火 of them all is
    barred. Where loose units are barred too, the engine looks for the one that the winning card closes.
    """
    winning = case.hand.winning
    if winning is None or not (flag(case.options, "loose_alike") and flag(case.options, "loose_chi")):
        return plain_problems(case)
    held = 1 + (case.hand.loose.count(winning) if case.held[winning] > 3 else 0)
    book = _without(case.book, winning, held) if held > 3 else None
    return (Problem(all_loose(case), case.fixed, winning=False, book=book),)


def _without(book: Book, card: str, held: int) -> Book:
    """Return the book in which loose cards never form the 吐火 of so many cards."""
    one = book.weight[card]
    component = book.components[book.component_at[one]]
    need = (one >> component.shift) * held
    steps = {
        key: tuple([step for step in found if step[0] != need]) if key == need else found
        for key, found in component.every.items()
    }
    changed = replace(component, plain=steps, every=steps, small={0: NOTHING})
    components = list(book.components)
    components[component.index] = changed
    return replace(book, components=tuple(components))


def closing(case: Case, unit: Unit) -> Sequence[Unit]:
    """The winning card may complete 吃 and 碰 only (A22)."""
    closed = case.book.turned_into.get(("closed", unit.place))
    return () if closed is None else (closed,)


def ranking(case: Case) -> Callable[[int], tuple[int, ...]]:
    """Ranks are (wins, what each other seat pays, 陀); a division into another number of 卯 is none."""
    part, units, need, refused = case.part, case.options["units"], needed(case), _refused(case)

    def rank(feature: int) -> tuple[int, ...]:
        tuo = feature & _TUO
        if feature >= _UNMADE:
            return ()
        if part:
            return 0, 0, tuo
        if feature // _UNIT & _FIELD != units:
            return ()
        if tuo < need or refused:
            return 0, 0, tuo
        return 1, _pays(case.options, sum(_fans(case, feature).values())), tuo

    return rank


def _refused(case: Case) -> bool:
    """Whether this table refuses a win on a card that must 杠 first (A22)."""
    return flag(case.options, "kong_first") and _could_kong(case)


def _could_kong(case: Case) -> bool:
    """Whether the winning card could also have made a 杠 of three in hand or rung a 吐火 (A19)."""
    winning = case.hand.winning
    if winning is None or case.held[winning] < 4:
        return False
    held = [unit.shape.cards[0] for unit in case.fixed if unit.shape.row == "吐火"]
    return winning in held or case.hand.loose.count(winning) >= 3


def _fans(case: Case, feature: int) -> dict[str, int]:
    """Return the 番 of a division by row, those of 幺, 地 and 人 together; a part has only those of its units."""
    rung = feature // _RUNG & _FIELD
    found = {}
    if person := feature // _PERSON & _FIELD:
        found["幺地人"] = person
    if rung:
        found["吐火响"] = 1 if flag(case.options, "ring_once") else rung
    if case.part:
        return found
    if (over := (feature & _TUO) - needed(case)) >= STEP:
        found["高番"] = over // STEP
    if not feature // _CHI & _FIELD:
        found["对子胡"] = 1
    if reds(case.options["red"]).issuperset(case.held):
        found["全红"] = 1
    return found


def _pays(options: Values, fan: int) -> int:
    """Return what each other seat pays (A13, A28)."""
    return number(options, "base") * _factor(options, fan)


def _factor(options: Values, fan: int) -> int:
    return 1 << fan if options["payment"] == "double" else 1 + fan


def count(case: Case, division: Division) -> Count:
    """Return one line per unit, then the 番, by which every other seat pays."""
    units = (*division.fixed, *division.units)
    feature = sum([unit.feature for unit in units])
    tuo = feature & _TUO
    fans = _fans(case, feature)
    fan = sum(fans.values())
    why = None if case.part else _short_of(case, tuo)
    wins = why is None and not case.part
    paid = pay({"fan": fan}, case.facts, case.options)
    return Count(
        lines=(*[unit.line for unit in units], *_fan_lines(case, units, fans)),
        total=tuo,
        wins=wins,
        changes=paid.changes if wins else nobody_pays(number(case.facts, "seats")),
        factor=_factor(case.options, fan),
        detail={"陀": tuo, "番": fan, **fans},
        reason=why,
        notes=_notes(case) if wins else (),
        payment=paid.steps if wins else (),
    )


def pay(said: Mapping[str, int], facts: Values, options: Values) -> Payment:
    """Every other seat pays the base and what the 番 make of it (A13, A28)."""
    fan, base = said["fan"], number(options, "base")
    each, factor = _pays(options, fan), _factor(options, fan)
    code = str(options["payment"]) if fan else "plain"
    step = Step(code, {"base": base, "fan": fan, "factor": factor, "each": each})
    return Payment(fan, each_pays(each, number(facts, "seats")), (step,), unit="番")


def _short_of(case: Case, tuo: int) -> Reason | None:
    """Return why seven 卯 of so many 陀 don't win, if they don't."""
    if (short := needed(case) - tuo) > 0:
        return reason(case, "under_need", {"陀": short})
    if _refused(case):
        return reason(case, "kong_first", {}, (case.hand.winning or "",))
    return None


def _fan_lines(case: Case, units: Sequence[Unit], fans: Mapping[str, int]) -> list[Line]:
    """Return the lines of the 番: of 幺, 地 and 人, of rung 吐火, and of the whole hand."""
    double = case.options["payment"] == "double"
    lines = _unit_fan_lines(case, units, double) if "幺地人" in fans or "吐火响" in fans else []
    for name in ("高番", "对子胡", "全红"):
        if name in fans:
            cards = [
                card for unit in units if unit.shape.points or name != "高番" for card in unit.shape.cards
            ]
            lines.append(_fan_line(case, name, fans[name] * double, cards))
    if fans and not double:
        row = case.rules.rows["一加番"]
        lines.append(Line(row.id, 0, 1 + sum(fans.values()), (), row.clause))
    return lines


def _unit_fan_lines(case: Case, units: Sequence[Unit], double: bool) -> list[Line]:
    lines: list[Line] = []
    rung: list[tuple[str, ...]] = []
    for unit in units:
        cards = unit.shape.cards
        if fan := unit.feature // _PERSON & _FIELD:
            lines.append(_fan_line(case, PERSONS[cards[0]] + STAGES[fan], fan * double, cards))
        if unit.feature // _RUNG & _FIELD:
            rung.append(cards)
    if rung and flag(case.options, "ring_once"):
        rung = [sum(rung, ())]
    return lines + [_fan_line(case, "吐火响", double, cards) for cards in rung]


def _fan_line(case: Case, name: str, doublings: int, cards: Iterable[str]) -> Line:
    row = case.rules.rows[name]
    ordered = tuple(sorted(cards, key=case.rules.cards.index.__getitem__))
    return Line(row.id, 0, 1 << doublings, ordered, row.clause)


def _notes(case: Case) -> tuple[Note, ...]:
    """Warn of what the cards alone don't settle: whether the last card may win at all (A19)."""
    winning = case.hand.winning
    if winning is None:
        return (Note("no_winning_card"),) if case.hand.loose else ()
    return (Note("kong_first", cards=(winning,)),) if _could_kong(case) else ()


def undivided(case: Case) -> Count:
    """Name the cards that fit nowhere, or else the number of 卯, or the winning card that completes none."""
    return Count((), 0, False, nobody_pays(number(case.facts, "seats")), reason=_why_undivided(case))


def _why_undivided(case: Case) -> Reason:
    found = {feature // _UNIT & _FIELD for feature, _, _ in divisions(case.book, all_loose(case))}
    if not found:
        return undivided_reason(case)
    missing = number(case.options, "units") - len(case.fixed)
    if not case.part and missing not in found:
        return reason(case, "unit_count", {"卯": min([abs(missing - units) for units in found])})
    if not (flag(case.options, "loose_alike") and flag(case.options, "loose_chi")):
        return reason(case, "loose_units", {})
    return reason(case, "winning_card", {}, (case.hand.winning or "",))
