"""Whether a change fits a table: people, seats, names, amounts."""

from collections.abc import Sequence
from dataclasses import dataclass

from webui.ledger import money, turns
from webui.ledger.changes import (
    MAX_AMOUNT,
    MAX_PEOPLE,
    MAX_STAKE,
    NAME_LETTERS,
    NOTE_LETTERS,
    Round,
    Seating,
    Settings,
)
from webui.ledger.errors import (
    AmountTooLarge,
    BadAmount,
    BadDealer,
    BadDrawer,
    BadName,
    BadOrder,
    BadPeopleCount,
    BadSeats,
    BadStake,
    BadWinner,
    NotZero,
    NoWinner,
    OtherSettlement,
    PaidWhileOut,
    SameName,
    TooMuch,
    UnknownPerson,
)
from webui.ledger.money import Money


@dataclass(frozen=True)
class Person:
    """Somebody at the table: name, and whether that one went home."""

    name: str
    away: bool = False


def check_settings(settings: Settings) -> None:
    if not 1 <= len(settings.name.strip()) <= 2 * NAME_LETTERS:
        raise BadName({"longest": 2 * NAME_LETTERS})
    check_stake(settings.stake)
    if not 2 <= settings.seats <= MAX_PEOPLE:
        raise BadSeats({"seats": settings.seats})


def check_stake(stake: Money) -> None:
    if not money.LEAST <= stake <= MAX_STAKE or not _is_money(stake):
        raise BadStake({"most": MAX_STAKE})


def _is_money(amount: Money) -> bool:
    try:
        money.plain(amount)
    except ValueError:
        return False
    return True


def check_name(people: Sequence[Person], name: str, besides: int | None = None) -> None:
    if not 1 <= len(name.strip()) <= NAME_LETTERS:
        raise BadName({"longest": NAME_LETTERS})
    for number, person in enumerate(people):
        if person.name == name and number != besides:
            raise SameName({"name": name})


def check_order(people: Sequence[Person], order: Sequence[int]) -> None:
    if sorted(order) != list(range(len(people))):
        raise BadOrder()


def check_person(people: Sequence[Person], person: int | None) -> None:
    if person is not None and not 0 <= person < len(people):
        raise UnknownPerson({"person": person})


def check_seating(people: Sequence[Person], seating: Seating) -> None:
    for person in (seating.dealer, seating.sitter, *seating.out):
        check_person(people, person)
    for idle in (*seating.out, seating.sitter):
        if idle is not None and idle == seating.dealer:
            raise BadDealer({"name": people[idle].name})
    if len(turns.playing(len(people), seating)) < 2:
        raise BadPeopleCount({"least": 2, "most": MAX_PEOPLE})


def check_round(people: Sequence[Person], played: Round) -> None:
    """Whether a round fits the people, adds up to 0 and pays what its hand comes to."""
    check_seating(people, played.seating)
    check_person(people, played.winner)
    check_person(people, played.last)
    check_drawer(people, played)
    check_amounts(people, played)
    check_stake(played.stake)
    if len(played.note) > NOTE_LETTERS:
        raise BadName({"longest": NOTE_LETTERS})
    if played.winner is not None and played.winner not in turns.playing(len(people), played.seating):
        raise BadWinner({"name": people[played.winner].name})
    check_counted(people, played)


def check_drawer(people: Sequence[Person], played: Round) -> None:
    check_person(people, played.drawer)
    if played.drawer is None:
        return
    if played.drawer == played.winner or played.drawer not in turns.playing(len(people), played.seating):
        raise BadDrawer({"name": people[played.drawer].name})


def check_amounts(people: Sequence[Person], played: Round) -> None:
    if len(played.amounts) != len(people):
        raise UnknownPerson({"person": len(played.amounts)})
    if rest := -sum(played.amounts):
        raise NotZero({"rest": money.written(rest)}) if rest > 0 else TooMuch({"rest": money.written(-rest)})
    if not all(map(_is_money, played.amounts)):
        raise BadAmount()
    if played.how == "draw" and (any(played.amounts) or played.winner is not None):
        raise OtherSettlement()
    for person, amount in enumerate(played.amounts):
        if not -MAX_AMOUNT <= amount <= MAX_AMOUNT:
            raise AmountTooLarge({"most": MAX_AMOUNT})
        if amount and person in played.seating.out:
            raise PaidWhileOut({"name": people[person].name})


def check_counted(people: Sequence[Person], played: Round) -> None:
    by_hand = played.how == "hand"
    if played.counted is None and not by_hand:
        return
    if played.counted is None or bool(played.counted.hand) != by_hand:
        raise OtherSettlement()
    if played.winner is None:
        raise NoWinner()
    settlement = played.counted.score.get("settlement")
    if not isinstance(settlement, list | tuple) or not all(type(change) is int for change in settlement):
        raise OtherSettlement()
    points = [int(change) for change in settlement if isinstance(change, int)]
    try:
        due = turns.amounts(len(people), played.seating, played.winner, points, played.stake, played.drawer)
    except ValueError:
        raise OtherSettlement() from None
    if due != played.amounts:
        raise OtherSettlement()
