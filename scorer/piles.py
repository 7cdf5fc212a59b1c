"""From piles of cards in a photograph to a hand.

Every card is loose unless its pile is marked, with a kind by a person or by lying in a photo of the table
(DESIGN section 2): a hidden triple read as 碰 would change the score, so nothing is marked by guess.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scorer.errors import ContradictingFacts, UnknownCard
from scorer.facts import check_options
from scorer.games import book_for
from scorer.hand import Hand, Meld, make_hand, make_meld
from scorer.rules import RuleSet, rule_set

# The kind that a table pile most likely is, by its size; the first that the rule set has.
_USUAL: dict[int, tuple[str, ...]] = {
    2: ("摆", "占", "吃"),
    3: ("吃",),
    4: ("跑", "楼", "扛", "开", "杠", "槓"),
    5: ("响",),
}


@dataclass(frozen=True, slots=True)
class PileIn:
    """Cards that lie together; `table` for a pile of a table photo, `kind` where a person has said it."""

    cards: tuple[str, ...]
    table: bool = False
    kind: str | None = None


def pile_kinds(rules_id: str, cards: Sequence[str]) -> tuple[str, ...]:
    """Return the kinds that a pile could be as a fixed meld, the default first; none when it is no meld.

    >>> pile_kinds("shihu", ["rR", "rR", "rR"])
    ('碰',)
    >>> pile_kinds("shihu", ["rR", "rA"])
    ()
    """
    rules = rule_set(rules_id)
    book = book_for(rules_id, check_options(rules, {}))
    if any(card not in book.weight for card in cards):
        return ()
    packed = book.pack(cards)
    kinds = [kind.id for kind in rules.kinds if (kind.id, packed) in book.fixed]
    usual = _usual_kind(rules, cards)
    return tuple(sorted(kinds, key=lambda kind: kind != usual))


def laid_groups(rules_id: str) -> tuple[tuple[str, ...], ...]:
    """Return the cards of every group that can lie on the table, without house rules.

    >>> ("rK", "rA", "rB") in laid_groups("shihu")
    True
    """
    book = book_for(rules_id, check_options(rule_set(rules_id), {}))
    units = sorted(book.fixed.values(), key=lambda unit: unit.place)
    return tuple(dict.fromkeys(unit.meld.cards for unit in units))


def hand_from_piles(rules_id: str, piles: Sequence[PileIn], winning: str | None = None) -> Hand:
    """Return the hand that lies in piles. A pile of several melds or of none stays loose.

    Parameters
    ----------
    winning : code of the winning card, one of the cards; a marked pile that holds it is opened only when no
        loose card is it

    Raises
    ------
    UnknownCard, UnknownKind, ContradictingFacts
        The last when the winning card is not among the cards.

    >>> hand = hand_from_piles("shihu", [PileIn(("rR",) * 3, table=True), PileIn(("gK", "rK"))], "gK")
    >>> from scorer.hand import write_hand
    >>> write_hand(hand)
    '碰(rR rR rR) rK !gK'
    """
    rules = rule_set(rules_id)
    playable = set(rules.spellings.values())
    for card in [card for pile in piles for card in pile.cards]:
        if card not in playable:
            raise UnknownCard(f"{rules_id} has no card {card!r}.", card)
    melds: list[Meld] = []
    loose: list[str] = []
    for pile in piles:
        meld = _meld(rules, pile)
        if meld is None:
            loose.extend(pile.cards)
        else:
            melds.append(meld)
    if winning is not None:
        _take_winning(rules, winning, melds, loose)
    return make_hand(rules, tuple(melds), loose, winning)


def _take_winning(rules: RuleSet, winning: str, melds: list[Meld], loose: list[str]) -> None:
    """Take the winning card out of the loose cards, opening a marked pile if it lies only there."""
    if winning not in loose:
        holder = next((meld for meld in melds if winning in meld.cards), None)
        if holder is None:
            raise ContradictingFacts(f"The winning card {winning} is not among the cards.", winning)
        melds.remove(holder)
        loose.extend(holder.cards)
    loose.remove(winning)


def _meld(rules: RuleSet, pile: PileIn) -> Meld | None:
    if pile.kind is not None:
        return make_meld(rules, pile.kind, pile.cards)
    if not pile.table:
        return None
    kinds = pile_kinds(rules.id, pile.cards)
    kind = kinds[0] if kinds else _usual_kind(rules, pile.cards)
    return make_meld(rules, kind, pile.cards) if kind is not None else None


def _usual_kind(rules: RuleSet, cards: Sequence[str]) -> str | None:
    alike = len(set(cards)) == 1
    if len(cards) == 3 and alike:
        return rules.kind_by_name["碰"].id
    names = ("吃",) if len(cards) == 4 and not alike else _USUAL.get(len(cards), ())
    return next((rules.kind_by_name[name].id for name in names if name in rules.kind_by_name), None)
