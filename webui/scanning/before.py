"""幺地人 before play: whether a dealt hand may play, asked of a hand in notation or of the page's piles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import scorer

RULES = "yaodiren"
"""The one game that asks it (RULES 3)."""


class NotDealtError(ValueError):
    """A hand of which nobody asks whether it may play: another game's, or one that is being played already."""

    code = "not_dealt"


def before_play(
    hand: scorer.Hand, facts: Mapping[str, object], options: Mapping[str, object]
) -> dict[str, Any]:
    """What the check before play finds in a dealt hand, as `scorer.qualification_json` has it.

    Raises
    ------
    NotDealtError
        Where the hand is of another game, or has fixed melds or a winning card.
    scorer.ScorerError
        Where the cards or the facts can't be (RULES Z4).
    """
    if hand.rules != RULES:
        raise NotDealtError(f"only {RULES} is checked before play, not {hand.rules}")
    if hand.melds or hand.winning:
        raise NotDealtError("before play every card is still loose in the hand, and none has won")
    return scorer.qualification_json(scorer.qualification(hand.cards(), facts, options))


def before_play_or_none(
    hand: scorer.Hand, facts: Mapping[str, object], options: Mapping[str, object]
) -> dict[str, Any] | None:
    """The same; None where nobody would ask it, or the hand is not as large as a dealt one."""
    try:
        return before_play(hand, facts, options)
    except (NotDealtError, scorer.ScorerError):
        return None
