"""The state of a table, worked out from its events and from nothing else.

A round whose dealer was the one that the game's rule gave when it was written down follows that rule: when a round
before it is corrected, deleted or comes back, its dealer, and who sits 坐醒 opposite, are worked out anew. A dealer
who was set by hand stays.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from webui.ledger import turns
from webui.ledger.changes import (
    MAX_PEOPLE,
    Change,
    Created,
    DealerSet,
    Event,
    OptionChanged,
    PlayerAway,
    PlayerJoined,
    PlayerRenamed,
    PlayerReplaced,
    Redone,
    Round,
    RoundAdded,
    RoundDeleted,
    RoundEdited,
    Seating,
    SeatsTaken,
    Settings,
    Undone,
)
from webui.ledger.checks import (
    Person,
    check_name,
    check_order,
    check_person,
    check_round,
    check_seating,
    check_settings,
)
from webui.ledger.errors import (
    BadPeopleCount,
    BadSequence,
    LedgerError,
    NothingToRedo,
    NothingToUndo,
    UnknownRound,
)
from webui.ledger.money import Money, plain


@dataclass(frozen=True)
class Played:
    """A round of the ledger: `id` is the event that added it, `seq` the one that last changed it."""

    id: int
    seq: int
    at_ms: int
    round: Round


@dataclass(frozen=True)
class Ledger:
    """A table as it stands after all its events.

    Parameters
    ----------
    version
        Number of the last event; a change names the version it was made on.
    order
        The people in the order in which they sit.
    totals
        Money won and lost so far, per person; adds up to 0.
    coming
        Seating of the next round.
    cutter
        Who cuts for the lead, where the game decides the dealer that way.
    undo, redo
        The event that an undo or a redo would touch, or None.
    """

    version: int
    created_ms: int
    changed_ms: int
    rules: str
    settings: Settings
    people: tuple[Person, ...]
    order: tuple[int, ...]
    rounds: tuple[Played, ...]
    totals: tuple[Money, ...]
    coming: Seating
    cutter: int | None
    undo: Event | None
    redo: Event | None

    def circle(self) -> turns.Circle:
        """The people as the rules of turning see them."""
        return _circle(self.rules, self.settings, self.people, self.order)

    def circle_of(self, played: Round) -> turns.Circle:
        """The same for a round of the past: everybody who had come by then, also who left since."""
        later = range(len(played.amounts), len(self.people))
        return replace(self.circle(), away=frozenset(later))

    def round(self, round_id: int) -> Played:
        """The round with this id; raises `UnknownRound`."""
        for played in self.rounds:
            if played.id == round_id:
                return played
        raise UnknownRound()


@dataclass
class _Desk:
    """What `fold` has in hand while it walks through the events."""

    created: Created
    settings: Settings
    people: list[Person]
    order: list[int] = field(default_factory=list)
    rounds: dict[int, Played] = field(default_factory=dict)
    # What decides the coming seating, oldest first: rounds by id, seatings set by hand; and where each round stands.
    marks: list[int | Seating] = field(default_factory=list)
    places: dict[int, int] = field(default_factory=dict)
    # The people as they sat when a round was written down whose dealer was the one that the rule gave.
    turning: dict[int, turns.Circle] = field(default_factory=dict)

    def circle(self) -> turns.Circle:
        return _circle(self.created.rules, self.settings, self.people, self.order)


def fold(events: Sequence[Event]) -> Ledger:
    """Work out a table from its log.

    Raises
    ------
    LedgerError
        Where an event does not fit what came before it; so a new change is checked by folding it in.
    """
    alive, undone = _standing(events)
    desk = _open(alive[0].change)
    for event in alive[1:]:
        _apply(desk, event)
    people = tuple(desk.people)
    rounds = tuple(desk.rounds.values())
    coming, cutter = _coming(desk)
    return Ledger(
        version=len(events),
        created_ms=events[0].at_ms,
        changed_ms=events[-1].at_ms,
        rules=desk.created.rules,
        settings=desk.settings,
        people=people,
        order=tuple(desk.order),
        rounds=rounds,
        totals=totals(len(people), [played.round for played in rounds]),
        coming=coming,
        cutter=cutter,
        undo=alive[-1] if len(alive) > 1 else None,
        redo=undone[-1] if undone else None,
    )


def totals(people: int, rounds: Sequence[Round]) -> tuple[Money, ...]:
    """Money per person over these rounds; who came later has 0 in the rounds before."""
    return tuple(
        plain(sum(played.amounts[person] for played in rounds if person < len(played.amounts)))
        for person in range(people)
    )


def _standing(events: Sequence[Event]) -> tuple[list[Event], list[Event]]:
    """The events that hold, and those that a redo would bring back, newest last."""
    alive: list[Event] = []
    undone: list[Event] = []
    for number, event in enumerate(events, start=1):
        if event.seq != number or (number == 1) != isinstance(event.change, Created):
            raise BadSequence({"seq": event.seq})
        if isinstance(event.change, Undone):
            if len(alive) < 2 or alive[-1].seq != event.change.seq:
                raise NothingToUndo()
            undone.append(alive.pop())
        elif isinstance(event.change, Redone):
            if not undone or undone[-1].seq != event.change.seq:
                raise NothingToRedo()
            alive.append(undone.pop())
        else:
            alive.append(event)
            undone.clear()
    if not alive:
        raise BadSequence({"seq": 1})
    return alive, undone


def _open(change: Change) -> _Desk:
    assert isinstance(change, Created)
    if not 2 <= len(change.people) <= MAX_PEOPLE:
        raise BadPeopleCount({"least": 2, "most": MAX_PEOPLE})
    check_settings(change.settings)
    desk = _Desk(change, change.settings, [])
    for name in change.people:
        check_name(desk.people, name)
        _sit_down(desk, name)
    check_seating(desk.people, change.seating)
    desk.marks.append(change.seating)
    return desk


def _apply(desk: _Desk, event: Event) -> None:
    """Carry one event out; raises LedgerError where it does not fit."""
    match event.change:
        case RoundAdded(played):
            check_round(desk.people, played)
            if played.seating.dealer is not None and played.seating.dealer == _coming(desk)[0].dealer:
                desk.turning[event.seq] = desk.circle()
            desk.rounds[event.seq] = Played(event.seq, event.seq, event.at_ms, played)
            desk.places[event.seq] = len(desk.marks)
            desk.marks.append(event.seq)
        case RoundEdited(round_id, played):
            before = _played(desk, round_id)
            check_round(desk.people, played)
            desk.rounds[round_id] = Played(round_id, event.seq, before.at_ms, played)
            if played.seating.dealer != before.round.seating.dealer:
                desk.turning.pop(round_id, None)
            _turn_again(desk, round_id)
        case RoundDeleted(round_id):
            _played(desk, round_id)
            del desk.rounds[round_id]
            _turn_again(desk, round_id)
        case DealerSet(seating):
            check_seating(desk.people, seating)
            desk.marks.append(seating)
        case OptionChanged(settings):
            check_settings(settings)
            desk.settings = settings
        case _:
            _apply_to_people(desk, event.change)


def _apply_to_people(desk: _Desk, change: Change) -> None:
    match change:
        case PlayerRenamed(person, name):
            check_person(desk.people, person)
            check_name(desk.people, name, besides=person)
            desk.people[person] = Person(name, desk.people[person].away)
        case PlayerJoined(name):
            _sit_down(desk, name)
        case PlayerReplaced(person, name):
            _replace(desk, person, name)
        case SeatsTaken(order):
            check_order(desk.people, order)
            desk.order = list(order)
        case PlayerAway(person, away):
            check_person(desk.people, person)
            desk.people[person] = Person(desk.people[person].name, away)
        case _:
            raise LedgerError()


def _sit_down(desk: _Desk, name: str, after: int | None = None) -> int:
    """Give somebody new the last seat, or the one after a person; gives the newcomer's number."""
    if len(desk.people) >= MAX_PEOPLE:
        raise BadPeopleCount({"least": 2, "most": MAX_PEOPLE})
    check_name(desk.people, name)
    newcomer = len(desk.people)
    desk.people.append(Person(name))
    desk.order.insert(len(desk.order) if after is None else desk.order.index(after) + 1, newcomer)
    return newcomer


def _replace(desk: _Desk, person: int, name: str) -> None:
    """Let somebody new take the seat of a person, and that one's part in a seating that was set by hand."""
    check_person(desk.people, person)
    newcomer = _sit_down(desk, name, after=person)
    desk.people[person] = Person(desk.people[person].name, away=True)
    mark = _mark(desk)
    if isinstance(mark, Seating):
        dealer, sitter = (newcomer if one == person else one for one in (mark.dealer, mark.sitter))
        out = tuple(newcomer if one == person else one for one in mark.out)
        desk.marks.append(Seating(dealer, sitter, out))


def _played(desk: _Desk, round_id: int) -> Played:
    if round_id not in desk.rounds:
        raise UnknownRound()
    return desk.rounds[round_id]


def _coming(desk: _Desk) -> tuple[Seating, int | None]:
    """Seating of the next round and who cuts for it, from the last round or the last word by hand."""
    circle, mark = desk.circle(), _mark(desk)
    if isinstance(mark, Seating):
        return _by_hand(circle, mark), None
    played = desk.rounds[mark].round
    dealer = turns.next_dealer(circle, played)
    return turns.seat(circle, dealer, played.seating), turns.cutter(circle, played)


def _turn_again(desk: _Desk, changed: int) -> None:
    """Work out anew who deals after a round that was changed or deleted, in the rounds that follow the game's rule.

    Each hangs on the one before alone, so that it is done with the first that stays as it was: a table with as many
    corrections as rounds is still folded in the time of both.
    """
    before = _standing_before(desk, desk.places[changed])
    for place in range(desk.places[changed], len(desk.marks)):
        mark = desk.marks[place]
        if isinstance(mark, Seating):
            return
        if mark not in desk.rounds:
            continue
        if mark in desk.turning:
            dealer = _dealer_after(desk, desk.turning[mark], before)
            turned = _dealt_by(desk, desk.rounds[mark], dealer)
            if turned is desk.rounds[mark] and mark != changed:
                return
            desk.rounds[mark] = turned
        elif mark != changed:
            return
        before = mark


def _standing_before(desk: _Desk, place: int) -> int | Seating:
    """What decides the seating at a place: the last round before it that stands, or the last word by hand."""
    marks = (desk.marks[one] for one in range(place - 1, -1, -1))
    return next(mark for mark in marks if isinstance(mark, Seating) or mark in desk.rounds)


def _dealer_after(desk: _Desk, circle: turns.Circle, mark: int | Seating) -> int | None:
    if isinstance(mark, Seating):
        return _by_hand(circle, mark).dealer
    return turns.next_dealer(circle, desk.rounds[mark].round)


def _dealt_by(desk: _Desk, played: Played, dealer: int | None) -> Played:
    """The round with another dealer, and who then sits 坐醒; as it was where nobody played so."""
    this, circle = played.round, desk.turning[played.id]
    seating = this.seating
    if dealer is None or dealer == seating.dealer:
        return played
    sitter = seating.sitter
    if sitter == turns.sitter(circle, seating.dealer, seating.out):
        sitter = turns.sitter(circle, dealer, seating.out)
    try:
        turned = _seated(this, Seating(dealer, sitter, seating.out))
        check_round(desk.people, turned)
    except (LedgerError, ValueError):
        return played
    return replace(played, round=turned)


def _seated(this: Round, seating: Seating) -> Round:
    """The round in another seating: what a counted hand comes to is paid by those who then played."""
    if this.counted is None or this.winner is None:
        return replace(this, seating=seating)
    points = cast("Sequence[int]", this.counted.score["settlement"])
    people = len(this.amounts)
    amounts = turns.amounts(people, seating, this.winner, points, this.stake, this.drawer)
    return replace(this, seating=seating, amounts=amounts)


def _mark(desk: _Desk) -> int | Seating:
    """What the coming seating hangs on: the last round that stands, by id, or the last word by hand."""
    while isinstance(mark := desk.marks[-1], int) and mark not in desk.rounds:
        desk.marks.pop()  # deleted for good: what was undone is not in the events that are walked through
    return mark


def _by_hand(circle: turns.Circle, mark: Seating) -> Seating:
    """A seating set by hand, with whoever has gone home or come since."""
    dealer = None if mark.dealer in circle.away else mark.dealer
    resting = [person for person in mark.out if person not in circle.away]
    spare = max(0, len(circle.present()) - circle.seats)
    # Fewer players than seats may be meant; but where somebody went home, the seat is for who rested.
    if len(resting) < spare or (circle.away and len(resting) > spare):
        out = turns.next_out(circle, mark, dealer)
    else:
        out = tuple(sorted({*resting, *circle.away}))
    if mark.sitter is not None and mark.sitter not in out and turns.has_sitter(circle, out):
        return Seating(dealer, mark.sitter, out)
    return Seating(dealer, turns.sitter(circle, dealer, out), out)


def _circle(rules: str, settings: Settings, people: Sequence[Person], order: Sequence[int]) -> turns.Circle:
    away = frozenset(number for number, person in enumerate(people) if person.away)
    return turns.Circle(rules, len(people), away, settings.seats, settings.dealer_rule, tuple(order))
