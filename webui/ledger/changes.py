"""The changes of a table, each the body of one event.

A table is an append-only list of events; an event is a change with its number and its time. People are
numbered 0, 1, 2 … in the order in which they came; the number of a person never changes. They sit in that order,
counter-clockwise or however they play, until somebody takes another seat. Amounts are money: points times the stake
of the round.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from webui.ledger.money import Money

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
Body: TypeAlias = Mapping[str, Json]
How: TypeAlias = Literal["hand", "numbers", "draw"]
DealerRule: TypeAlias = Literal["game", "winner", "next", "stays"]

HOWS: tuple[How, ...] = ("hand", "numbers", "draw")
DEALER_RULES: tuple[DealerRule, ...] = ("game", "winner", "next", "stays")
MAX_PEOPLE = 8
NAME_LETTERS = 24
NOTE_LETTERS = 200
MAX_STAKE = 1_000_000
MAX_AMOUNT = 1_000_000_000


@dataclass(frozen=True)
class Seating:
    """Who deals, who sits 坐醒 and who sits out in a round.

    Parameters
    ----------
    dealer
        Person, or None where nobody noted it.
    sitter
        The 坐醒 of 字牌 with four: part of the round (醒 counts twice) without playing.
    out
        People who have no part in the round.
    """

    dealer: int | None = None
    sitter: int | None = None
    out: tuple[int, ...] = ()


@dataclass(frozen=True)
class Crop:
    """A small picture of one card of a scored hand: its code and the SHA-256 of its JPEG bytes."""

    code: str
    sha256: str


@dataclass(frozen=True)
class Counted:
    """A hand as it was counted: notation, facts, options and the whole score object (DESIGN section 3).

    Where the count was said by its numbers, without the cards, the hand is empty and the numbers are among the facts.
    """

    hand: str
    facts: Body
    options: Body
    score: Body
    crops: tuple[Crop, ...] = ()


@dataclass(frozen=True)
class Round:
    """One round as it was played.

    Parameters
    ----------
    how
        By a counted hand, by numbers (of the count, or of money), or a draw (流局).
    amounts
        What each person won (above 0) or paid (below 0); adds up to 0.
    winner
        Person whose hand it is (for a false call the one who pays); in a draw None.
    last
        In a draw: who played or drew last, where the next dealer hangs on it.
    drawer
        Who drew or discarded the card that another won with (点炮), where it was said.
    """

    how: How
    amounts: tuple[Money, ...]
    seating: Seating
    stake: Money
    winner: int | None = None
    last: int | None = None
    counted: Counted | None = None
    note: str = ""
    drawer: int | None = None

    @property
    def called_falsely(self) -> bool:
        """Whether the round is a false call (相公): the one whose hand it is pays."""
        return self.winner is not None and self.amounts[self.winner] < 0


@dataclass(frozen=True)
class Settings:
    """What of a table can be changed while it is played."""

    name: str
    stake: Money
    seats: int
    options: Body = field(default_factory=dict)
    dealer_rule: DealerRule = "game"


@dataclass(frozen=True)
class Created:
    """A new table."""

    rules: str
    settings: Settings
    people: tuple[str, ...]
    seating: Seating


@dataclass(frozen=True)
class RoundAdded:
    """A round was played; its id is the number of this event."""

    round: Round


@dataclass(frozen=True)
class RoundEdited:
    """Round `id` was in truth `round`."""

    id: int
    round: Round


@dataclass(frozen=True)
class RoundDeleted:
    """Round `id` was never played."""

    id: int


@dataclass(frozen=True)
class DealerSet:
    """Who deals, sits and is out in the coming round, set by hand."""

    seating: Seating


@dataclass(frozen=True)
class PlayerRenamed:
    """A person has another name."""

    person: int
    name: str


@dataclass(frozen=True)
class PlayerJoined:
    """Somebody came later; takes the last seat."""

    name: str


@dataclass(frozen=True)
class PlayerReplaced:
    """Somebody new sits down in the place of a person, who leaves the table; deals or sits 坐醒 instead of that one."""

    person: int
    name: str


@dataclass(frozen=True)
class SeatsTaken:
    """The people sit in another order from now on, each with what that one has won or paid."""

    order: tuple[int, ...]


@dataclass(frozen=True)
class PlayerAway:
    """A person left the table (or came back): sits out until said otherwise."""

    person: int
    away: bool


@dataclass(frozen=True)
class OptionChanged:
    """The settings of the table from now on."""

    settings: Settings


@dataclass(frozen=True)
class Undone:
    """The last change, event `seq`, was taken back."""

    seq: int


@dataclass(frozen=True)
class Redone:
    """The change taken back last, event `seq`, holds again."""

    seq: int


Change: TypeAlias = (
    Created
    | RoundAdded
    | RoundEdited
    | RoundDeleted
    | DealerSet
    | PlayerRenamed
    | PlayerJoined
    | PlayerReplaced
    | SeatsTaken
    | PlayerAway
    | OptionChanged
    | Undone
    | Redone
)


@dataclass(frozen=True)
class Event:
    """One line of the log: its number from 1, its time in milliseconds since 1970 (UTC), its change."""

    seq: int
    at_ms: int
    change: Change
