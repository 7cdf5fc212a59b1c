"""What of a 字牌 hand is up for division, and the best two ways to divide it (RULES 4, B22 to B33).

Threes and fours in the hand are locked; the winning card and 王 may lie on threes; and how the winning card came
decides what some units become.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from scorer.book import BITS, Unit, stands_for
from scorer.case import Case, lock_alike, reason
from scorer.facts import card, flag
from scorer.games.zipai_house import (
    FOUR,
    GUARD,
    NEVER,
    ONES,
    PAIR,
    WANG,
    WANG_SHIFT,
    Cover,
    Covers,
    House,
    Mode,
    steps,
)  # fmt: skip
from scorer.games.zipai_ways import ANY, Search, fewest_left, natural
from scorer.tally import Reason

UNITS = 7
SIZE = 20  # cards beside one for each four, or beside one where there is no four (B5)
RED_CARDS = tuple(f"{size}{rank}" for size in "sb" for rank in (2, 7, 10))
RED_WIN = 10  # red cards
COPIES = 4  # of each face
_PLAIN = Mode()
_DRAWN = Mode(1, 2, beside=True)
# Another drew the winning card; [copies of it that are up for division].
_BY_OTHER = tuple(Mode(1, 2, beside=True, alone=alone) for alone in range(COPIES + 1))
_NEXT = {f"{size}{rank}": f"{size}{rank % 10 + 1}" for size in "sb" for rank in range(1, 11)}


@dataclass(frozen=True, slots=True)
class Deal:
    """A hand with what is not up for division set aside.

    `units` are the `given` fixed melds and then the 坎 and 清 of the hand, all as they became; `loose` are the
    packed cards to divide.
    """

    units: tuple[Unit, ...]
    given: int
    loose: int


def house_of(case: Case) -> House:
    """Return the house of a case."""
    house = case.book.house
    assert isinstance(house, House)
    return house


def forced(case: Case) -> str | None:
    """Return what a self-drawn third or fourth must make instead of winning (B27, B29)."""
    if not flag(case.facts, "self_drawn") or case.hand.winning in (None, "W"):
        return None
    weight = case.book.weight[str(case.hand.winning)]
    held = case.loose // weight & 7
    if held == 3 or any(unit.need == 3 * weight and unit.shape.kind in "偎坎" for unit in case.fixed):
        return "must_qing"
    return "must_xiao" if held == 2 else None


def deals(case: Case) -> list[Deal]:
    """Return every way to set aside what is locked, with the winning card on it or not and 王 on it or not."""
    found = _by_winning_card(case)
    if "W" in case.held:
        for deal in tuple(found):
            found += _with_fourth_wang(case, deal)
    return found


def _by_winning_card(case: Case) -> list[Deal]:
    # Threes and fours in the hand are never split (B26); 王 are not cards of a kind.
    locked = lock_alike(case, "坎", "清")
    units, given, loose = case.fixed + locked.units, len(case.fixed), locked.loose
    if case.hand.winning is None:
        return [Deal(units, given, loose)]
    weight = case.book.weight[case.hand.winning]
    must = forced(case)
    if must == "must_xiao":
        return [Deal((*units, case.book.fixed["偎", 3 * weight]), given, loose - 2 * weight)]
    found = [Deal(units, given, loose + weight)] if must is None else []
    for at, unit in enumerate(units):
        if unit.need == 3 * weight:
            word = "drawn" if flag(case.facts, "self_drawn") else "run"
            found.append(Deal(_turned(case, units, word, (at,)), given, loose))
    return found


def _turned(case: Case, units: tuple[Unit, ...], word: str, which: tuple[int, ...]) -> tuple[Unit, ...]:
    """Return units, some of which are threes turned into fours."""
    turned_into = case.book.turned_into
    return tuple([turned_into[word, unit.place] if at in which else unit for at, unit in enumerate(units)])


def _with_fourth_wang(case: Case, deal: Deal) -> Iterator[Deal]:
    """Yield the deal with 王 as the fourth of some of its threes (B32)."""
    where, units = house_of(case).wang_fourth, deal.units
    first = 0 if where == "any" else deal.given
    if where == "none" or first == len(units):
        return
    most = deal.loose >> WANG_SHIFT
    if not case.part:
        most = min(most, case.size - SIZE - [len(unit.shape.cards) for unit in units].count(4))
    threes = [at for at in range(first, len(units)) if _takes_wang(case, deal, at)] if most > 0 else []
    for some in range(1, min(most, len(threes)) + 1):
        for which in combinations(threes, some):
            yield Deal(_turned(case, units, "wang", which), deal.given, deal.loose - some * WANG)


def _takes_wang(case: Case, deal: Deal, at: int) -> bool:
    """Say whether a unit is a given three, or a 坎 in hand, of a card of which the deck has one more."""
    unit = deal.units[at]
    kinds = "碰偎坎" if at < deal.given else "坎"
    return unit.shape.kind in kinds and case.held[unit.shape.cards[0]] == 3


def starts(case: Case, deal: Deal) -> list[int]:
    """Return the cards to divide with how many pairs and fours there must be (B4, B5)."""
    loose = deal.loose
    if case.part:
        return [loose + 7 * PAIR + 7 * FOUR]
    sizes = [len(unit.shape.cards) for unit in deal.units]
    fours, pairs, size = sizes.count(4), sizes.count(2), case.size - SIZE
    found = [loose] if size == 1 and not fours and not pairs else []
    # Beside three with the winning card there are at most two alike, so a four takes at least two 王.
    alike = loose & loose >> 1 & ONES > 0
    if pairs < 2 and fours <= size and 2 * (size - fours) - alike <= loose >> WANG_SHIFT:
        found.append(loose + (1 - pairs) * PAIR + (size - fours) * FOUR)
    return found


def divide(case: Case, deal: Deal, counted: int = 0) -> list[Cover]:
    """Return the covers of a deal's loose cards that may matter, with the class and 胡 of its other units on top.

    `counted` are the fields of faces for which no more 王 may stand than there are copies (see `Search`).
    """
    house, units = house_of(case), ANY if case.part else UNITS - len(deal.units)
    begin = starts(case, deal)
    if not begin:
        return []
    if deal.loose < WANG:
        memo: dict[int, Covers] = {}
        return [cover for start in begin for cover in natural(house, start | GUARD, units, memo)]
    search = _search(case, deal, counted)
    return [cover for start in begin for cover in search.covers(start, units)]


def _search(case: Case, deal: Deal, counted: int) -> Search:
    house = house_of(case)
    mode, at = _mode(case, deal)
    coloured = house.wang_colour and _colour_open(case, deal)
    xing = xing_card(case) if house.xing_wang and not house.xing_exposed else None
    stand = case.book.weight[xing] if xing else 0
    return Search(house, steps(house, mode, coloured, at), room(deal), counted, stand)


def _mode(case: Case, deal: Deal) -> tuple[Mode, int]:
    """Return how the winning card came, and its face where only units with it change, else -1."""
    mode = mode_of(case)
    if not mode.beside:
        return mode, -1
    weight = case.book.weight[str(case.hand.winning)]
    alone = deal.loose // weight & 7
    if not alone:
        return _PLAIN, -1
    return _BY_OTHER[alone] if mode.alone else mode, (weight.bit_length() - 1) // BITS


def mode_of(case: Case) -> Mode:
    """Return how the winning card came: by the winning card (B30, B33), without one by the facts."""
    winning = case.hand.winning
    if winning is None:
        diao, chuang = flag(case.facts, "wang_diao"), flag(case.facts, "wang_chuang")
        return Mode(1 if diao else NEVER, 2 if chuang else NEVER)
    if winning == "W":
        new = not house_of(case).drawn_wang_waited
        return Mode(1 + new, 2 + new)
    return _DRAWN if flag(case.facts, "self_drawn") else _BY_OTHER[1]


def room(deal: Deal) -> int:
    """Return the packed copies for which 王 may still stand: neither in the hand nor stood for on a three."""
    held = sum([unit.need + unit.stand for unit in deal.units]) + deal.loose
    return COPIES * ONES - held % WANG


def left_over(case: Case) -> Reason:
    """Return which cards fit into no unit, or that the units themselves are not as they must be.

    The cards left are the fewest of any division with at most one pair, and with none where the number of cards has no
    room for one.
    """
    deal = deals(case)[0]
    fours = [len(unit.shape.cards) for unit in deal.units].count(4)
    pair = PAIR if fours or case.size > SIZE + 1 else 0
    cards = case.book.unpack(fewest_left(house_of(case), deal.loose + pair, room(deal)))
    return (
        reason(case, "undivided", {"闲牌": len(cards)}, cards) if cards else reason(case, "wrong_shape", {})
    )


def reds(case: Case, units: Sequence[Unit]) -> list[str]:
    """Return the red cards of the hand, and 王 that stand for red ones in these units (B8, B16)."""
    held = case.held
    found = [code for code in RED_CARDS if code in held for _ in range(held[code])]
    if "W" in held and house_of(case).wang_colour:
        stood = [name for unit in units if unit.stand for name in unit.shape.cards if "=" in name]
        found += [name for name in stood if stands_for(name) in RED_CARDS]
    return found


def _colour_open(case: Case, deal: Deal) -> bool:
    """Say whether 王 that stand for red cards can still change the colour of the hand (B16)."""
    count = len(reds(case, deal.units))
    return count < 2 or count < RED_WIN <= count + (deal.loose >> WANG_SHIFT)


def xing_card(case: Case) -> str | None:
    """Return the card that is 醒 by the turned one: the next number of its size (B13)."""
    turned = card(case.facts, "turned")
    return None if turned is None else _NEXT.get(turned)


def xing_in(case: Case, units: Sequence[Unit]) -> list[str]:
    """Return the 醒 cards of units: of those that lie open where only these count (B12, B15)."""
    xing = xing_card(case)
    if xing is None:
        return []
    house = house_of(case)
    return [name for unit in units if unit.shape.shown or not house.xing_exposed for name in unit.shape.cards
            if stands_for(name) == xing and (house.xing_wang or "=" not in name)]  # fmt: skip


def xing_beside(case: Case, deal: Deal) -> int:
    """Return the number of 醒 cards that do not hang on how the loose cards are divided."""
    xing = xing_card(case)
    if xing is None:
        return 0
    set_aside = xing_in(case, deal.units)
    if house_of(case).xing_exposed:
        return len(set_aside)
    return case.held.get(xing, 0) + len([name for name in set_aside if "=" in name])
