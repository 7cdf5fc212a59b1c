"""广水四色 with four-colour cards (RULES 6): a hand of 31 cards wins at 48 胡, less with a 楼, or by its sets.

Sets in hand are 子 and 闹, on the table 步 (碰) and 楼; pairs, single 将, 将士相, 车马炮 and 卒 of three or four
colours fill up the hand. What 车子, 清, 天地 and many 步 add depends on the whole hand: `guangshui_worth`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from scorer.book import Book, Shape, Unit
from scorer.book import make_book as bind
from scorer.case import Case, Division, Problem, plain_problems, reason, undivided_reason
from scorer.errors import WrongCardCount
from scorer.facts import Values, flag, number
from scorer.games import guangshui_house as pack
from scorer.games import guangshui_worth as worth
from scorer.games.guangshui_house import Car, House, cell, coloured, make_house, paying_of
from scorer.rules import RuleSet
from scorer.settle import each_pays, nobody_pays
from scorer.tally import Count, Line, Note, Payment, Reason, Step

CARDS = 31  # winning card included; 楼 and 闹 draw no other card (D18)
_LOU_HU = 6  # the fewest 胡 of a 楼
_JIA = ("", "小甲", "大甲")
_ROWS = {"子": "子", "闹": "闹", "碰": "步", "楼": "楼"}  # kind of a set -> its rows, 素 or 肥 before them
_SIZES = {"子": 3, "闹": 4, "碰": 3, "楼": 4}
_IN_HAND = {"碰": "子", "楼": "闹"}


def make_book(rules: RuleSet, options: Values) -> Book:
    """Return the units; the winning card makes 占, 步 and 楼 of what it joins in hand (D28, D31)."""
    codes = [colour + kind for colour in pack.COLOURS for kind in pack.KINDS]
    free = [Shape("吃", cards, row, 1, _alone(row, options)) for row, cards in _wholes()]
    closed = [replace(shape, shown=True) for shape in free]
    pairs = [Shape("占", (code,) * 2, "对", 0, cell(code, 1) << pack.CELLS) for code in codes]
    shown_pairs = [Shape("占", (code,) * 2, "占", 0, 0, shown=True) for code in codes]
    hand = {kind: [_set(rules, options, kind, code) for code in codes] for kind in ("子", "闹")}
    table = {kind: [_set(rules, options, kind, code) for code in codes] for kind in ("碰", "楼")}
    free += [*pairs, *hand["子"], *hand["闹"]]
    fixed = [*closed, *shown_pairs, *hand["子"], *hand["闹"], *table["碰"], *table["楼"]]
    open_hand = options["winning_set"] == "table"
    closed += [*shown_pairs, *table["碰"], *table["楼"]] if open_hand else [*pairs, *hand["子"], *hand["闹"]]
    turned = [("closed", *both) for both in zip(free, closed, strict=True)]
    fours = table["楼"] if open_hand else hand["闹"]
    turned += [("called", *both) for both in zip(hand["子"], fours, strict=True)]
    house = make_house(rules, options)
    return replace(bind(rules, free, fixed, turned), house=house, monotone=house.monotone)


def _wholes() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield (row, cards) of every 圆."""
    for colour in pack.COLOURS:
        king, advisor, elephant, chariot, horse, cannon, _ = (colour + kind for kind in pack.KINDS)
        yield "将", (king,)
        yield "将士相", (king, advisor, elephant)
        yield "车马炮", (chariot, horse, cannon)
    soldiers = tuple(colour + "P" for colour in pack.COLOURS)
    yield "四色卒", soldiers
    for missing in soldiers:
        yield "三色卒", tuple(code for code in soldiers if code != missing)


def _alone(row: str, options: Values) -> int:
    capped = row == "将" and number(options, "loose_generals") < pack.ALL_GENERALS
    return 1 << pack.LOOSE if capped else 1


def _set(rules: RuleSet, options: Values, kind: str, code: str) -> Shape:
    """Return three or four equal cards."""
    fat = code[1] in pack.FAT
    row = rules.rows[("肥" if fat else "素") + _ROWS[kind]]
    points = number(options, "general_triplet") if kind == "子" and code[1] == "K" else row.points[0]
    out = _SIZES[kind] == 3 or flag(options, "four_is_out")
    feature = points + (cell(code, 3 if out else 1) << pack.CELLS)
    if not flag(options, "four_is_out"):
        feature += cell(code, 3) << pack.SETS
    if kind == "楼":
        feature += 1 << pack.LOU
    if kind == "碰":
        feature += 1 << pack.PONGS
        if not flag(options, "pong_in_bonus"):
            feature += cell(code, 3) << pack.PONG_CELLS
    return Shape(kind, (code,) * _SIZES[kind], row.id, points, feature, shown=kind in _IN_HAND)


def check(case: Case) -> None:
    """Raise WrongCardCount unless there are 31 cards (Z5)."""
    if case.size != CARDS:
        text = f"A hand of {case.rules.id} has {CARDS} cards, not {case.size}."
        raise WrongCardCount(text, str(case.size), (CARDS, CARDS))


def problems(case: Case) -> Sequence[Problem]:
    """The winning card closes a unit or makes a 楼 of a 子 that was given as fixed."""
    found = plain_problems(case, "called")
    return found[1:] if len(found) > 1 and flag(case.options, "must_call") else found


def closing(case: Case, unit: Unit) -> Sequence[Unit]:
    """The winning card may complete any unit; as the fourth of three in hand only a 楼, by `must_call` (D33)."""
    must_call = flag(case.options, "must_call") and case.hand.loose.count(case.hand.winning or "") == 3
    if must_call and unit.shape.kind != "闹":
        return ()
    return (case.book.turned_into["closed", unit.place],)


def ranking(case: Case) -> Callable[[int], tuple[int, ...]]:
    """Ranks are (wins, what a loser pays, 胡)."""
    judge = _judge(case)
    return lambda feature: judge(feature)[0]


def _judge(case: Case) -> Callable[[int], worth.Judged]:
    house = case.book.house
    assert isinstance(house, House)
    may_win = not case.part and (house.xianggong_wins or not _drawn_to_one(case))
    crowded = 0 if house.usual else _crowded(case)
    return lambda feature: worth.judge(house, feature, may_win, crowded)


def _crowded(case: Case) -> int:
    """Return the cells of which the hand has three cards or more."""
    return sum([cell(code, 3) for code, held in case.held.items() if held > 2])


def _drawn_to_one(case: Case) -> bool:
    """Return whether a 将 came to the single card that was left: 相公."""
    winning = case.hand.winning
    return winning is not None and winning[1] == "K" and len(case.hand.loose) == 1


def count(case: Case, division: Division) -> Count:
    """Return one line per unit, then those of 车子, 清, 天地 and 步; both others pay (D34)."""
    house = case.book.house
    assert isinstance(house, House)
    units = (*division.fixed, *division.units)
    feature = sum([unit.feature for unit in units])
    (wins, _, hu), cars, flags = _judge(case)(feature)
    lines = _unit_lines(house, units, feature, cars)
    if cars or flags:
        lines += _bonus_lines(case, house, units, feature, cars)
    seats = number(case.facts, "seats")
    if case.part:
        return Count(tuple(lines), hu, False, nobody_pays(seats))
    calls = house.calls[feature >> pack.PONGS & pack.CALLS_MASK]
    said = {"hu": hu, "lou": calls.lou, "grand": int(flags & pack.GRAND > 0)}
    paid = pay(said, case.facts, case.options) if wins else None
    pai, jia = worth.pai_of(house.paying, hu, flags, calls.lou) if wins else (0, 0)
    detail: dict[str, int | str] = {"胡": hu, "牌": pai, "楼": calls.lou, "步": feature >> pack.PONGS & 15}
    if jia:
        detail["甲"] = _JIA[jia]
    return Count(
        tuple(lines),
        hu,
        wins > 0,
        paid.changes if paid else nobody_pays(seats),
        detail=detail,
        reason=None if wins else _why_not(case, hu, calls.lou),
        notes=_notes(case, units, cars, wins > 0),
        payment=paid.steps if paid else (),
    )


def pay(said: Mapping[str, int], facts: Values, options: Values) -> Payment:
    """Each of the others pays by the 胡, or by the 牌 that 胡, 楼 and 甲 make (D24, D26, D27, D34)."""
    paying, hu, stake, seats = (
        paying_of(options),
        said["hu"],
        number(options, "stake"),
        number(facts, "seats"),
    )
    if paying.by_hu:
        each = hu * stake
        return Payment(hu, each_pays(each, seats), (Step("by_hu", {"hu": hu, "stake": stake, "each": each}),))
    lou = said["lou"]
    pai, _ = worth.pai_of(paying, hu, pack.GRAND * said["grand"], lou)
    doubled = 1 << min(lou, paying.lou_at_most)
    by_count = pai == max(1, hu * doubled // 50)
    code = "jia" if not by_count else "pai_lou" if doubled > 1 else "pai"
    each = pai * stake
    steps = (
        Step(code, {"hu": hu, "lou": lou, "doubled": doubled, "pai": pai}),
        Step("by_pai", {"pai": pai, "stake": stake, "each": each}),
    )
    return Payment(hu, each_pays(each, seats), steps)


def doubt(said: Mapping[str, int], facts: Values, options: Values) -> Note | None:
    """Return that no hand wins with so few 胡 (D2, D3, D27)."""
    if options["pay_by"] == "胡":
        # Nobody says how many 楼 there are: with two a hand wins with the least.
        least = 2 * _LOU_HU + 1
    else:
        usual = flag(options, "pong_in_bonus") and flag(options, "out_needs_set")
        lou = said["lou"]
        # What wins alone without a 楼 brings 40, and 1 for each of its three sets where those count beside it.
        least = (43 if usual else 40) if lou < 1 else worth.NEED[1] if lou < 2 else _LOU_HU * lou + 1
        if said["grand"]:
            least = max(least, 40 + _LOU_HU * lou)
    return Note("too_few_to_say", least) if said["hu"] < least else None


def _why_not(case: Case, hu: int, lou: int) -> Reason:
    if hu < worth.NEED[lou]:
        return reason(case, "too_few_hu", {"胡": worth.NEED[lou] - hu})
    return reason(case, "xianggong", {}, case.hand.loose)


def undivided(case: Case) -> Count:
    """A hand with cards left over does not win, and nobody pays."""
    return Count((), 0, False, nobody_pays(number(case.facts, "seats")), reason=undivided_reason(case))


def _unit_lines(house: House, units: Sequence[Unit], feature: int, cars: Sequence[Car]) -> list[Line]:
    """Return the lines of the units; some count 0: 将 above the cap and, by an option, 步 within a bonus."""
    lines = [unit.line for unit in units]
    if not house.pong_in_bonus:
        within = worth.pongs_within(house, feature, cars)
        for at, unit in enumerate(units):
            if unit.shape.kind == "碰" and unit.shape.cards[0] in within:
                lines[at] = replace(lines[at], points=0)
    if not house.usual:
        alone = [at for at, line in enumerate(lines) if line.name == "将"]
        for at in alone[house.loose_generals :]:
            lines[at] = replace(lines[at], points=0)
    return lines


def _bonus_lines(
    case: Case, house: House, units: Sequence[Unit], feature: int, cars: Sequence[Car]
) -> list[Line]:
    """Return the lines of 车子, 清, 天地 and 步, each with the cards of the pairs and sets that make it."""
    held = {
        unit.shape.cards[0]: unit.shape.cards
        for unit in units
        if unit.shape.row == "对" or unit.shape.kind in _ROWS
    }
    found = [*worth.bonuses(house, feature, cars)]
    steps = worth.steps_of(house, feature)
    if steps > 4:
        kinds = _ROWS if house.all_steps else ("碰",)
        codes = {unit.shape.cards[0] for unit in units if unit.shape.kind in kinds}
        in_order = tuple(sorted(codes, key=case.rules.cards.index.__getitem__))
        found.append((worth.step_row(steps), house.pongs[steps], in_order))
    rows = case.rules.rows
    return [
        Line(row, hu, 1, tuple([card for code in codes for card in held[code]]), rows[row].clause)
        for row, hu, codes in found
    ]


def _notes(case: Case, units: Sequence[Unit], cars: Sequence[Car], wins: bool) -> tuple[Note, ...]:
    """Return what the cards can't show and a referee must ask about (D33)."""
    notes = _about_the_winning_card(case, wins)
    order = case.rules.cards.index.__getitem__
    triplets = [unit.shape.cards[0] for unit in units if unit.shape.kind == "子"]
    if triplets:
        notes.append(Note("call_triplets", len(triplets), tuple(sorted(triplets, key=order))))
    if cars:
        pairs = {unit.shape.cards[0] for unit in units if unit.shape.row == "对"}
        of_cars = [card for car in cars for kind in car.kinds for card in coloured(kind, car.colours)]
        waiting = tuple(sorted(pairs.intersection(of_cars), key=order))
        if waiting:
            notes.append(Note("step_cars", len(waiting), waiting))
    return tuple(notes)


def _about_the_winning_card(case: Case, wins: bool) -> list[Note]:
    hand = case.hand
    if hand.winning is None:
        return [Note("no_winning_card")] if case.options["winning_set"] == "table" else []
    notes = [Note("passed", 1, (hand.winning,))] if wins else []
    if _drawn_to_one(case):
        notes.append(Note("xianggong", 1, hand.loose))
    elif hand.winning[1] == "K" and not wins and all([card[1] == "K" for card in hand.loose]):
        notes.append(Note("only_generals", len(hand.loose), hand.loose))
    return notes
