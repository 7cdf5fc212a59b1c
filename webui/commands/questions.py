"""Words of the command line that go with a hand: facts, options and the winning card."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import scorer
from webui.commands.terminal import CommandError


def settings(words: Sequence[str], flag: str) -> dict[str, object]:
    """`NAME[=VALUE]` words by name; a bare name means yes. The scorer turns the texts into their types.

    Raises
    ------
    CommandError
        Where a word has no name, or a name stands twice.
    """
    found: dict[str, object] = {}
    for word in words:
        name, equals, value = word.partition("=")
        name = name.strip()
        if not name or name in found:
            raise CommandError("usage", f"{flag} {word}: {f'{name} stands twice' if name else 'no name'}")
        found[name] = value.strip() if equals else True
    return found


def card_code(rules: scorer.RuleSet, word: str) -> str:
    """The code of a card given by code or name, as the rule set's own notation reads it.

    Raises
    ------
    scorer.ScorerError
        Where the deck of this game lacks it.
    CommandError
        Where the word is more or less than one card.
    """
    hand = scorer.parse_hand(word, rules.id)
    cards = [*hand.loose, *([hand.winning] if hand.winning else [])]
    if len(cards) != 1 or hand.melds:
        raise CommandError("usage", f"--win {word}: give one card")
    return cards[0]


def with_winning_card(hand: scorer.Hand, word: str | None) -> scorer.Hand:
    """The hand with one of its loose cards as the winning one; unchanged where `word` is None.

    Raises
    ------
    CommandError
        Where the hand names a winning card already, or has no such loose card.
    """
    if word is None:
        return hand
    code = card_code(scorer.rule_set(hand.rules), word)
    if hand.winning == code:
        return hand
    if hand.winning is not None:
        raise CommandError("usage", f"the hand names its winning card, !{hand.winning}, and --win another")
    loose = list(hand.loose)
    if code not in loose:
        raise CommandError("usage", f"--win {word}: the hand has no such loose card")
    loose.remove(code)
    return dataclasses.replace(hand, loose=tuple(loose), winning=code)
