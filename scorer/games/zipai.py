"""字牌 永州扯胡子 with 王 and 醒 (RULES 4): seven units, with one pair exactly when four are alike, and fifteen 胡.

What is locked (坎 and 清 in the hand) is set aside first; the rest is divided by `zipai_ways`. Where the winning
card lies follows from the division: it can only be inside a unit that holds all the copies of it that are left
to divide, and otherwise it closes whichever unit is best.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import prod
from operator import itemgetter

from scorer.book import Book
from scorer.book import make_book as bind
from scorer.case import Case, Division, reason
from scorer.divide import tie_order
from scorer.errors import ContradictingFacts, WrongCardCount
from scorer.facts import Values, card, flag, number
from scorer.games.zipai_deal import (
    COPIES,
    RED_WIN,
    SIZE,
    Deal,
    deals,
    divide,
    forced,
    house_of,
    left_over,
    mode_of,
    reds,
    room,
    xing_beside,
    xing_card,
    xing_in,
)  # fmt: skip
from scorer.games.zipai_house import (
    CHUANG,
    DIAO,
    OPENED,
    XING,
    Cover,
    Covers,
    make_house,
    mark,
    places,
)  # fmt: skip
from scorer.games.zipai_units import units
from scorer.games.zipai_ways import overdrawn
from scorer.rules import RuleSet
from scorer.settle import nobody_pays
from scorer.tally import Count, Detail, Line, Note, Payment, Reason, Step

NEED = 15  # 胡
MOST_FOURS = 6

_NO_DETAIL: Detail = {}
_NO_CLASS = CHUANG << 4  # more than any class
_NO_WINNING_CARD = Note("no_winning_card")
_DRAWN_ONLY = Note("drawn_only")
_WANG_ONLY_ZIMO = Note("wang_only_zimo")
_MARKED_WINS = Note("marked_wins")


def make_book(rules: RuleSet, options: Values) -> Book:
    """Return the units, with the house of these options."""
    book = bind(rules, *units(rules, options))
    return replace(book, house=make_house(options, book))


def check(case: Case) -> None:
    """Raise WrongCardCount (Z5), then ContradictingFacts."""
    size = case.size
    fours = sum([len(meld.cards) == 4 for meld in case.hand.melds])
    if not (size == SIZE + 1 and not fours) and not max(fours, 1) <= size - SIZE <= MOST_FOURS:
        raise WrongCardCount(
            f"A hand of {case.rules.id} with {fours} fixed fours has no {size} cards.",
            str(size),
            (SIZE + max(fours, 1), SIZE + MOST_FOURS),
        )
    _check_facts(case)


def _check_facts(case: Case) -> None:
    turned, held = card(case.facts, "turned"), case.held
    if turned and held.get(turned, 0) == case.rules.copies(case.options)[turned]:
        raise ContradictingFacts(f"All {turned} of the deck are in the hand, so none can be turned.", turned)
    if case.hand.winning == "W" and not flag(case.facts, "self_drawn"):
        raise ContradictingFacts("A 王 as the winning card must be self_drawn.", "W")
    diao, chuang = flag(case.facts, "wang_diao"), flag(case.facts, "wang_chuang")
    if diao and chuang:
        raise ContradictingFacts("A hand is won by wang_diao or by wang_chuang, not by both.", "wang_chuang")
    if held.get("W", 0) < diao + 2 * chuang:
        name = "wang_chuang" if chuang else "wang_diao"
        raise ContradictingFacts(f"{name} needs more 王 than the hand has.", name)


# (wins, what a loser pays, 胡, total); of a part (0, 胡).
Rank = tuple[int, ...]
# Rank, index of the deal, cover.
_Ranked = tuple[Rank, int, Cover]


def best(case: Case) -> tuple[Division | None, int | None]:
    """Return the best division, and the total of the next best."""
    every = deals(case)
    found = [divide(case, deal) for deal in every]
    top = _best_two(case, every, found)
    if case.held.get("W", 0) > 1:
        counted = [0] * len(every)
        while over := _overdrawn(case, every, top):
            for at, faces in over.items():
                counted[at] |= faces
                found[at] = divide(case, every[at], counted[at])
            top = _best_two(case, every, found)
    if not top:
        return None, None
    return _division(case, every[top[0][1]], top[0][2]), top[1][0][-1] if len(top) > 1 else None


def _overdrawn(case: Case, every: Sequence[Deal], top: Sequence[_Ranked]) -> dict[int, int]:
    """Return the deals of these divisions in which more 王 stand for some faces than there are copies."""
    over: dict[int, int] = {}
    for _, at, cover in top:
        faces = overdrawn(house_of(case), room(every[at]), cover)
        if faces:
            over[at] = over.get(at, 0) | faces
    return over


def _best_two(case: Case, every: Sequence[Deal], found: Sequence[Covers]) -> list[_Ranked]:
    """Return the best two divisions; one that is alone unranked, as there is nothing to compare it with."""
    flat = [(at, cover) for at, covers in enumerate(found) for cover in covers]
    if len(flat) < 2:
        return [((), *each) for each in flat]
    judges = {at: _judge(case, every[at]) for at, covers in enumerate(found) if covers}
    ranked = sorted([(judges[at](cover), at, cover) for at, cover in flat], key=itemgetter(0), reverse=True)
    if ranked[0][0] == ranked[1][0]:
        ranked = sorted([each for each in ranked if each[0] == ranked[0][0]], key=partial(_tie, every))
    if house_of(case).xing_exposed:
        # Cards grouped alike are one division, wherever the winning card is seen.
        grouped = _grouped(case, every, ranked[0])
        ranked[1:] = [each for each in ranked[1:] if _grouped(case, every, each) != grouped]
    return ranked[:2]


def _tie(every: Sequence[Deal], found: _Ranked) -> tuple[int, tuple[int, ...]]:
    _, at, cover = found
    return tie_order([*[unit.place for unit in every[at].units], *places(cover[2])])


def _grouped(case: Case, every: Sequence[Deal], found: _Ranked) -> list[tuple[str, ...]]:
    unit_at = house_of(case).unit_at
    loose = [unit_at[place].shape.cards for place in places(found[2][2])]
    return sorted([*[unit.shape.cards for unit in every[found[1]].units], *loose])


def _division(case: Case, deal: Deal, cover: Cover) -> Division:
    at = places(cover[2])
    if len(deal.units) > deal.given:
        at = sorted([*at, *[unit.place for unit in deal.units[deal.given :]]])
    unit_at = house_of(case).unit_at
    return Division(deal.units[: deal.given], tuple([unit_at[place] for place in at]), None)


def _judge(case: Case, deal: Deal) -> Callable[[Cover], Rank]:
    """Return what ranks a cover of a deal."""
    points = sum([unit.feature for unit in deal.units])
    red, seen, barred = len(reds(case, deal.units)), xing_beside(case, deal), _barred(case)
    adds_xing = house_of(case).xing_adds
    opened = OPENED if xing_card(case) == case.hand.winning else _NO_CLASS

    def judge(cover: Cover) -> Rank:
        adds, hu = cover[0], points + cover[1]
        if case.part:
            return 0, hu
        if hu < NEED or barred:
            return 0, 0, hu, 0
        factor = 1
        for _, times in _factors(case, adds % CHUANG >= DIAO, adds >= CHUANG, red + adds % XING):
            factor *= times
        xing = seen + adds % OPENED // XING + adds % DIAO // opened
        total = _total(adds_xing, hu, _times(case.facts, _xing(case, xing)), factor)
        return 1, total, hu, total

    return judge


def _barred(case: Case) -> str | None:
    """Return why this hand may not win whatever its 胡, None where it may."""
    house = house_of(case)
    if house.wang_needs_zimo and "W" in case.held and not flag(case.facts, "self_drawn"):
        return "wang_zimo"
    must = forced(case)
    return None if must == "must_qing" and house.win_by_qing else must


def _factors(case: Case, diao: bool, chuang: bool, red: int) -> list[tuple[str, int]]:
    """Return (row, factor): how the hand was won (B10), then its colour (B8, B9)."""
    house, found = house_of(case), []
    if chuang or diao:
        found.append(("王撞", 8) if chuang else ("王吊", 4))
    if flag(case.facts, "self_drawn") and (house.zimo_times_wang or not found):
        found.append(("自摸", 2))
    if red >= RED_WIN and house.red_win:
        found.append(("红和", 2))
    elif red < 2:
        found.append(("一点珠", 3) if red else ("全黑", 4))
    return found


def _kezi(hu: int) -> int:
    """Return the 颗子 of so many 胡 (B7)."""
    return (hu - NEED) // 3 + 1 if hu >= NEED else 0


def _xing(case: Case, cards: int) -> int:
    """Return the 醒 of so many 醒 cards, for a turned 王 as the table says (B15)."""
    turned = card(case.facts, "turned")
    if turned is None:
        return 0
    return house_of(case).turned_wang if turned == "W" else cards


def _times(facts: Values, xing: int) -> int:
    """Return what so many 醒 count: twice with four seats (B14)."""
    return xing * (1 + (facts["seats"] == 4))


def _total(adds: bool, hu: int, xing: int, factor: int) -> int:
    """Return (颗子 + 醒) x 倍, or 颗子 x (1 + 醒) x 倍 (B11)."""
    kezi = _kezi(hu)
    return (kezi + xing if adds else kezi * (1 + xing)) * factor


def count(case: Case, division: Division) -> Count:
    """Return one line per unit, then what is added to the 颗子 and what multiplies, and who pays."""
    every = division.fixed + division.units
    lines = [unit.line for unit in every]
    hu = sum([line.points for line in lines])
    if case.part:
        return Count(tuple(lines), hu, False, nobody_pays(number(case.facts, "seats")))
    red = reds(case, every)
    detail = {"胡": hu, "颗子": _kezi(hu), "红": len(red)}
    barred = _barred(case)
    if hu < NEED or barred:
        why = _must(case, barred) if barred else reason(case, "under_fifteen", {"胡": NEED - hu})
        return _no_win(case, why, tuple(lines), detail)
    factors = _factor_lines(case, division, red)
    factor = prod([line.times for line in factors])
    xing = xing_in(case, every)
    said = {"hu": hu, "xing": _xing(case, len(xing)), "factor": factor}
    paid = pay(said, case.facts, case.options)
    detail["醒"] = _times(case.facts, said["xing"])
    times = 1 if house_of(case).xing_adds else 1 + detail["醒"]
    if detail["醒"]:
        lines.append(Line("醒", 0, times, tuple(xing), case.rules.rows["醒"].clause))
    return Count(
        (*lines, *factors),
        paid.total,
        True,
        paid.changes,
        factor=factor * times,
        detail=detail,
        notes=_notes(case, division),
        payment=paid.steps,
    )


def pay(said: Mapping[str, int], facts: Values, options: Values) -> Payment:
    """Both losers pay the 颗子 with 醒 and 倍 (B7, B11), or the one who drew the card pays for both (B21)."""
    hu, factor, stake = said["hu"], said["factor"], number(options, "stake")
    kezi, xing, adds = _kezi(hu), _times(facts, said["xing"]), options["xing"] == "add"
    total = _total(adds, hu, xing, factor)
    each = total * stake
    code = "plain" if not xing else "add" if adds else "multiply"
    numbers = {"kezi": kezi, "xing": xing, "factor": factor, "stake": stake, "each": each}
    steps = [Step("kezi", {"hu": hu, "need": NEED, "kezi": kezi}), Step(code, numbers)]
    alone = flag(options, "drawer_pays") and not flag(facts, "self_drawn")
    if alone:
        steps.append(Step("drawer", {"each": each, "both": 2 * each}))
    four = facts["seats"] == 4
    # Half of what each of the two losers pays for the 醒 is together one loser's share of it (B36).
    shared = each - kezi * factor * stake if flag(options, "share_xing") and four else 0
    if shared:
        steps.append(Step("share", {"shared": shared}))
    losers = (-2 * each, 0) if alone else (-each, -each)
    return Payment(total, (2 * each - shared, *losers, *((shared,) if four else ())), tuple(steps))


def doubt(said: Mapping[str, int], facts: Values, options: Values) -> Note | None:
    """Return that no win has such a 倍, nor a self-drawn one (B8 to B10)."""
    wang = {4, 8} if number(options, "wang") else set[int]()
    if flag(options, "zimo_times_wang"):
        wang |= {2 * times for times in wang}
    ways = {2, *wang} if flag(facts, "self_drawn") else {1, 2, *wang}
    colours = (1, 2, 3, 4) if flag(options, "red_win") else (1, 3, 4)
    factor = said["factor"]
    return (
        None
        if factor in {way * colour for way in ways for colour in colours}
        else Note("no_such_factor", factor)
    )


def undivided(case: Case) -> Count:
    """Name what the winning card must make, or else the cards that fit nowhere."""
    must = forced(case)
    return _no_win(case, _must(case, must) if must else left_over(case))


def _no_win(case: Case, why: Reason, lines: tuple[Line, ...] = (), detail: Detail = _NO_DETAIL) -> Count:
    notes = (_NO_WINNING_CARD,) if case.hand.winning is None else ()
    return Count(
        lines, 0, False, nobody_pays(number(case.facts, "seats")), detail=detail, reason=why, notes=notes
    )


def _must(case: Case, code: str) -> Reason:
    return reason(case, code, {}, (str(case.hand.winning),) if code != "wang_zimo" else ())


def _factor_lines(case: Case, division: Division, red: list[str]) -> list[Line]:
    """Return a line for each factor, with the cards that earn it."""
    marked: dict[int, tuple[str, ...]] = {}
    winning, rows = case.hand.winning, case.rules.rows
    if "W" in case.held:
        house, mode = house_of(case), mode_of(case)
        held = [unit for unit in division.units if unit.stand]
        marked = {mark(house, mode, unit): unit.shape.cards for unit in held
                  if not mode.beside or winning in unit.shape.cards}  # fmt: skip
    factors = _factors(case, DIAO in marked, CHUANG in marked, len(red))
    if not factors:
        return []
    cards = {
        "王吊": marked.get(DIAO, ()),
        "王撞": marked.get(CHUANG, ()),
        "自摸": () if winning is None else (winning,),
        "全黑": (),
    }
    return [Line(row, 0, times, cards.get(row, tuple(red)), rows[row].clause) for row, times in factors]


def _notes(case: Case, division: Division) -> tuple[Note, ...]:
    """Return what the rules ask beyond the cards."""
    winning, facts = case.hand.winning, case.facts
    notes = []
    if not flag(facts, "self_drawn"):
        notes += [_DRAWN_ONLY, _WANG_ONLY_ZIMO] if "W" in case.held else [_DRAWN_ONLY]
    if winning is None:
        notes.append(_NO_WINNING_CARD)
    elif flag(facts, "wang_diao") or flag(facts, "wang_chuang"):
        notes.append(_MARKED_WINS)
    if winning is not None and case.held[winning] == COPIES:
        every = division.fixed + division.units
        if any(unit.shape.cards == (winning,) * 3 for unit in every):
            notes.append(Note("must_run", 1, (winning,)))
    return (*notes, *_eaten_notes(case))


def _eaten_notes(case: Case) -> tuple[Note, ...]:
    """Return the note on 下火: cards of an eaten unit that are in hand too."""
    eaten = [name for meld in case.hand.melds if meld.kind == "吃" for name in meld.cards]
    left = tuple([code for code in dict.fromkeys(case.hand.loose) if code in eaten]) if eaten else ()
    return (Note("xia_huo", len(left), left),) if left else ()
