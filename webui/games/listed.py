"""The games as they are chosen: by the deck that they are played with."""

from __future__ import annotations

from collections.abc import Mapping

import scorer

EMBLEM: Mapping[str, str] = {"sise": "rK", "zipai": "b2", "chuanpai": "6-6"}
"""The card that stands for a deck where a game is chosen, in the order of the decks."""


def by_deck(language: str) -> list[tuple[scorer.Deck, str, list[scorer.RuleSet]]]:
    """Each deck, its emblem and its games; those that have a name of their own in this language come first."""
    games = [scorer.rule_set(one) for one in scorer.rule_ids()]
    games.sort(key=lambda rules: language not in rules.name.by_language)
    return [
        (scorer.deck(one), card, [rules for rules in games if rules.deck == one])
        for one, card in EMBLEM.items()
    ]
