"""What the ledger refuses, one class per cause; the page translates `text` and fills in `values`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self


def N_(text: str) -> str:  # noqa: N802 - the usual mark of a message that is translated where it is shown
    """Mark a message for the translation catalogues and give it back as it is."""
    return text


class LedgerError(ValueError):
    """A change, a file or a number that the ledger does not take.

    Parameters
    ----------
    values
        What stands in the named places (`%(name)s`) of the message.

    Attributes
    ----------
    code
        Short name of the cause for programs.
    text
        English sentence with named places: the message id of the translations.
    """

    code = "bad_ledger"
    text = N_("The ledger does not take this.")

    def __init__(self, values: Mapping[str, object] | None = None) -> None:
        self.values = dict(values or {})
        super().__init__(self.text % self.values if self.values else self.text)

    def __reduce__(self) -> tuple[type[Self], tuple[dict[str, object]]]:
        """So that it can be sent from one process to another."""
        return type(self), (self.values,)


class BadField(LedgerError):
    """A field of an event that is missing or not what it must be."""

    code = "bad_field"
    text = N_("“%(field)s” is missing or is not what it must be.")


class UnknownField(LedgerError):
    """A field that no event of this kind has."""

    code = "unknown_field"
    text = N_("Nothing here is called “%(field)s”.")


class UnknownKind(LedgerError):
    """An event of a kind that this program does not know."""

    code = "unknown_kind"
    text = N_("There is no event of the kind “%(kind)s”.")


class BadSequence(LedgerError):
    """Events that do not run 1, 2, 3 … from the creation of the table on."""

    code = "bad_sequence"
    text = N_("The events are not in order: number %(seq)s is out of place.")


class BadName(LedgerError):
    """A name that is empty or too long."""

    code = "bad_name"
    text = N_("A name needs 1 to %(longest)s letters.")


class SameName(LedgerError):
    """Two people of one table with one name."""

    code = "same_name"
    text = N_("Two people are called “%(name)s”; give each a name of their own.")


class BadPeopleCount(LedgerError):
    """Fewer or more people than the game and the ledger allow."""

    code = "bad_people_count"
    text = N_("This game needs %(least)s to %(most)s people at the table.")


class UnknownPerson(LedgerError):
    """A seat number that nobody has."""

    code = "unknown_person"
    text = N_("Nobody at this table has seat number %(person)s.")


class BadSeats(LedgerError):
    """A number of seats that the game does not allow."""

    code = "bad_seats"
    text = N_("This game is not played by %(seats)s.")


class BadStake(LedgerError):
    """A stake that is no amount of money in range."""

    code = "bad_stake"
    text = N_("The stake is a number from 0.01 to %(most)s, with two places at most.")


class BadOrder(LedgerError):
    """An order of seats that leaves somebody out or names somebody twice."""

    code = "bad_order"
    text = N_("Everybody at the table needs exactly one seat.")


class BadDealer(LedgerError):
    """A dealer who does not play this round."""

    code = "bad_dealer"
    text = N_("%(name)s sits out and cannot be the dealer.")


class BadWinner(LedgerError):
    """A winner who does not play this round."""

    code = "bad_winner"
    text = N_("%(name)s sits out and cannot have won.")


class BadDrawer(LedgerError):
    """One who cannot have drawn the card that another won with."""

    code = "bad_drawer"
    text = N_("%(name)s cannot be the one who pays alone for this hand.")


class NoDrawer(LedgerError):
    """A hand that only one of the others pays for, and nobody said who."""

    code = "no_drawer"
    text = N_("Say who gave the winning card: that one pays alone.")


class NoWinner(LedgerError):
    """A scored hand that belongs to nobody."""

    code = "no_winner"
    text = N_("Say whose hand it is.")


class NotZero(LedgerError):
    """Amounts that do not add up to nothing."""

    code = "not_zero"
    text = N_("What is won and what is paid must add up to 0; %(rest)s left to place.")


class TooMuch(NotZero):
    """Amounts of which more was won than paid."""

    text = N_("What is won and what is paid must add up to 0; %(rest)s too much.")


class AmountTooLarge(LedgerError):
    """An amount beyond what the ledger keeps."""

    code = "amount_too_large"
    text = N_("No amount may be larger than %(most)s.")


class BadAmount(LedgerError):
    """An amount of more places than money has."""

    code = "bad_amount"
    text = N_("An amount has two places at most.")


class PaidWhileOut(LedgerError):
    """An amount for somebody who sits out."""

    code = "paid_while_out"
    text = N_("%(name)s sits out this round and can neither win nor pay.")


class OtherSettlement(LedgerError):
    """Amounts that differ from what the scored hand settles."""

    code = "other_settlement"
    text = N_("The amounts are not those that the hand comes to.")


class UnknownRound(LedgerError):
    """A round that is not, or is no longer, in the ledger."""

    code = "unknown_round"
    text = N_("This round is not in the ledger any more.")


class NothingToUndo(LedgerError):
    """An undo that does not name the last change."""

    code = "nothing_to_undo"
    text = N_("There is nothing to undo.")


class NothingToRedo(LedgerError):
    """A redo where nothing was undone last."""

    code = "nothing_to_redo"
    text = N_("There is nothing to bring back.")
