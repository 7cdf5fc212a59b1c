"""What can be wrong with a hand, one class per cause.

The codes and the order in which they are looked for are those of RULES Z4. Every message is one English
sentence that names the culprit; the page translates by `code` and shows `culprit`.
"""

from __future__ import annotations


class ScorerError(ValueError):
    """A hand, fact or option that the rules don't allow.

    `takes` is the fewest and the most cards of a hand that wins, where their number is what is wrong and that is known.
    """

    code = "error"
    takes: tuple[int, int] | None = None

    def __init__(self, message: str, culprit: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.culprit = culprit


class BadNotation(ScorerError):
    """The text is no hand."""

    code = "bad_notation"


class UnknownCard(ScorerError):
    """A card that the deck of this game lacks."""

    code = "unknown_card"


class UnknownKind(ScorerError):
    """A kind of meld that this rule set lacks."""

    code = "unknown_kind"


class UnknownRules(ScorerError):
    """No such rule set (or deck)."""

    code = "unknown_rules"


class UnknownFact(ScorerError):
    """A fact that this rule set does not ask for."""

    code = "unknown_fact"


class BadFact(ScorerError):
    """A fact with a value that it can't have."""

    code = "bad_fact"


class UnknownOption(ScorerError):
    """An option that this rule set lacks."""

    code = "unknown_option"


class BadOption(ScorerError):
    """An option with a value that it can't have."""

    code = "bad_option"


class TooManyCopies(ScorerError):
    """More copies of a card than the deck holds."""

    code = "too_many_copies"


class ImpossibleMeld(ScorerError):
    """A fixed meld that is no unit of the rule set (RULES Z3)."""

    code = "impossible_meld"


class WrongCardCount(ScorerError):
    """A number of cards that no winning hand has (RULES Z5)."""

    code = "wrong_card_count"

    def __init__(self, message: str, culprit: str, takes: tuple[int, int] | None = None) -> None:
        super().__init__(message, culprit)
        self.takes = takes


class ContradictingFacts(ScorerError):
    """Facts that can't be true together, or not with this hand."""

    code = "contradicting_facts"


class BadNumber(ScorerError):
    """A number said of a count that is missing, unknown to this rule set or impossible; no hand has this error."""

    code = "bad_number"


class ImpossibleCount(ScorerError):
    """Numbers of a count that no hand gives; no hand has this error.

    The culprit is the code of the rule set's notice about it, and `n` the number that fills it.
    """

    code = "impossible_count"

    def __init__(self, message: str, notice: str, n: int) -> None:
        super().__init__(message, notice)
        self.n = n


ERROR_CODES: tuple[str, ...] = tuple(
    error.code
    for error in (
        BadNotation,
        UnknownCard,
        UnknownKind,
        UnknownRules,
        UnknownFact,
        BadFact,
        UnknownOption,
        BadOption,
        TooManyCopies,
        ImpossibleMeld,
        WrongCardCount,
        ContradictingFacts,
    )
)
