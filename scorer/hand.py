"""Hands and their notation, e.g. `吃(rK rA rB) yN yN yN gK !gK`.

`KIND(cards)` is a meld already fixed, bare cards are loose, `!card` is the winning card: a card of its own,
written once and counted. A card is written by its code or by its name in any language of the tables (`红车`,
`red chariot`, `xe đỏ`), set apart by blanks or commas; `x3` behind one writes it three times. Parsing and writing
are a pair: `parse_hand(write_hand(hand), hand.rules) == hand`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from scorer.errors import BadNotation, UnknownKind
from scorer.notation import composed, in_codes, read_cards
from scorer.rules import RuleSet, rule_set

_MAX_TEXT = 2000  # characters; the longest hand in Chinese names has well under 300
_TOKEN = re.compile(r"([^\s()!]*)\(([^()!]*)\)|!([^\s()!]*)|([^\s()!]+)")


@dataclass(frozen=True, slots=True)
class Meld:
    """Cards set down as one unit. `shown` is false for kinds that lie closed or stay in the hand.

    A wild card inside a scored meld is written with what it stands for: `W=b8`.
    """

    kind: str
    cards: tuple[str, ...]
    shown: bool


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand of one game: fixed melds as given, loose cards in deck order, and the winning card if known."""

    rules: str
    melds: tuple[Meld, ...]
    loose: tuple[str, ...]
    winning: str | None = None

    def cards(self) -> list[str]:
        """Return every card of the hand, the winning card last."""
        cards = [card for meld in self.melds for card in meld.cards]
        cards.extend(self.loose)
        if self.winning is not None:
            cards.append(self.winning)
        return cards


def parse_hand(text: str, rules_id: str) -> Hand:
    """Read a hand in notation.

    Raises
    ------
    BadNotation, UnknownRules, UnknownCard, UnknownKind
        In this order over the whole text (without rules no card can be looked up).

    >>> parse_hand("杠(红马红马红马红马) gK rA !rA", "shihu").melds[0].kind
    '槓'
    """
    plain = composed(text)
    _tokens(plain)  # what is no notation in any game is said before anything else
    rules = rule_set(rules_id)
    tokens = _tokens(in_codes(rules, plain))
    read = [(kind, [card for word in cards.split() for card in read_cards(rules, word)], mark)
            for kind, cards, mark in tokens]  # fmt: skip
    winning = [cards for _, cards, mark in read if mark]
    if winning and len(winning[0]) != 1:
        raise BadNotation(f"! marks one card, not {len(winning[0])}.", "!")
    melds = tuple(make_meld(rules, kind, cards) for kind, cards, _ in read if kind)
    loose = [card for kind, cards, mark in read if not kind and not mark for card in cards]
    return make_hand(rules, melds, loose, winning[0][0] if winning else None)


def write_hand(hand: Hand) -> str:
    """Write a hand canonically: melds as given, loose cards in deck order, then `!card`.

    >>> write_hand(parse_hand("红士 红将 ！红象", "shihu"))
    'rK rA !rB'
    """
    words = [f"{meld.kind}({' '.join(meld.cards)})" for meld in hand.melds]
    words.extend(hand.loose)
    if hand.winning is not None:
        words.append(f"!{hand.winning}")
    return " ".join(words)


def make_meld(rules: RuleSet, kind: str, cards: list[str] | tuple[str, ...]) -> Meld:
    """Return a fixed meld, its kind by its first name.

    Raises
    ------
    UnknownKind
        When the rule set has no such kind.
    """
    found = rules.kind_by_name.get(kind) or rules.kind_by_name.get(kind.lower())
    if found is None:
        known = " ".join(each.id for each in rules.kinds)
        raise UnknownKind(f"{rules.id} has no kind {kind!r}; it knows {known}.", kind)
    return Meld(found.id, tuple(cards), not found.hidden)


def make_hand(rules: RuleSet, melds: tuple[Meld, ...], loose: list[str], winning: str | None) -> Hand:
    """Return a hand with its loose cards in deck order."""
    return Hand(rules.id, melds, tuple(sorted(loose, key=rules.cards.index.__getitem__)), winning)


def _tokens(plain: str) -> list[tuple[str, str, bool]]:
    """Cut a text into (kind or "", cards, is the winning card); raise BadNotation where it is no hand."""
    if len(plain) > _MAX_TEXT:
        raise BadNotation(f"A hand of {len(plain)} characters is too long.", "")
    tokens: list[tuple[str, str, bool]] = []
    place = 0
    while rest := plain[place:].lstrip():
        place = len(plain) - len(rest)
        match = _TOKEN.match(rest)
        if match is None:
            raise BadNotation(f"Can't read the hand at {rest[:12]!r}.", rest[:12])
        tokens.append(_token(match))
        place += match.end()
        if place < len(plain) and not plain[place].isspace():
            raise BadNotation(
                f"Set {plain[place : place + 12]!r} apart from what stands before it.", rest[:12]
            )
    if not tokens:
        raise BadNotation("The hand is empty.", "")
    if sum(mark for _, _, mark in tokens) > 1:
        raise BadNotation("Only one card can be the winning card.", "!")
    return tokens


def _token(match: re.Match[str]) -> tuple[str, str, bool]:
    kind, inside, winning, bare = match.groups()
    if bare is not None:
        return "", bare, False
    if winning is not None:
        if not winning:
            raise BadNotation("! stands right before the winning card.", "!")
        return "", winning, True
    if not kind or not inside.strip():
        raise BadNotation(
            f"{match.group()!r} lacks its {'kind' if inside.strip() else 'cards'}.", match.group()
        )
    return kind, inside, False
