"""The ledger without a database: folding, undo, who deals next, settling up."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from webui.ledger import turns
from webui.ledger.changes import (
    Change,
    Counted,
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
from webui.ledger.errors import (
    BadDealer,
    BadDrawer,
    BadField,
    BadName,
    BadOrder,
    BadPeopleCount,
    BadSequence,
    BadStake,
    BadWinner,
    LedgerError,
    NothingToRedo,
    NothingToUndo,
    NotZero,
    NoWinner,
    OtherSettlement,
    PaidWhileOut,
    SameName,
    UnknownField,
    UnknownKind,
    UnknownPerson,
    UnknownRound,
)
from webui.ledger.fold import Ledger, fold
from webui.ledger.money import Money
from webui.ledger.transfers import settle_up
from webui.ledger.wire import body_of, change_of, kind_of

FOUR = ("甲", "乙", "丙", "丁")
FIRST = Seating(0)


def created(
    rules: str = "shihu", people: Sequence[str] = FOUR, seats: int = 4, seating: Seating = FIRST
) -> Created:
    return Created(rules, Settings("周末", 1, seats), tuple(people), seating)


def numbers(*amounts: int, seating: Seating = FIRST, winner: int | None = None) -> Round:
    return Round("numbers", amounts, seating, 1, winner=winner)


def draw(people: int, seating: Seating = FIRST, last: int | None = None) -> Round:
    return Round("draw", (0,) * people, seating, 1, last=last)


def log(*changes: Change) -> list[Event]:
    return [Event(seq, 1000 * seq, change) for seq, change in enumerate(changes, start=1)]


def table(*changes: Change) -> Ledger:
    return fold(log(*changes))


# --- totals, edit, delete, undo ---------------------------------------------------------------------------


def test_a_new_table_is_empty() -> None:
    ledger = table(created())
    assert ledger.totals == (0, 0, 0, 0)
    assert ledger.rounds == ()
    assert ledger.coming == Seating(0)
    assert ledger.undo is None
    assert ledger.version == 1


def test_totals_are_the_sum_of_the_rounds() -> None:
    ledger = table(created(), RoundAdded(numbers(12, -4, -4, -4)), RoundAdded(numbers(-1, 3, -1, -1)))
    assert ledger.totals == (11, -1, -5, -5)
    assert [played.id for played in ledger.rounds] == [2, 3]


def test_an_edit_replaces_the_round_in_its_place() -> None:
    ledger = table(
        created(),
        RoundAdded(numbers(12, -4, -4, -4)),
        RoundAdded(numbers(-1, 3, -1, -1)),
        RoundEdited(2, numbers(15, -5, -5, -5)),
    )
    assert ledger.totals == (14, -2, -6, -6)
    assert [(played.id, played.seq, played.at_ms) for played in ledger.rounds] == [(2, 4, 2000), (3, 3, 3000)]


def test_a_deleted_round_is_gone_and_cannot_be_touched_again() -> None:
    changes = (created(), RoundAdded(numbers(12, -4, -4, -4)), RoundDeleted(2))
    assert table(*changes).totals == (0, 0, 0, 0)
    with pytest.raises(UnknownRound):
        table(*changes, RoundDeleted(2))
    with pytest.raises(UnknownRound):
        table(*changes, RoundEdited(2, numbers(3, -1, -1, -1)))


def test_undo_and_redo_walk_back_and_forth() -> None:
    base = (created(), RoundAdded(numbers(3, -1, -1, -1)), RoundDeleted(2))
    back = table(*base, Undone(3))
    assert back.totals == (3, -1, -1, -1)
    assert back.undo is not None
    assert back.undo.seq == 2
    assert back.redo is not None
    assert back.redo.seq == 3
    assert table(*base, Undone(3), Undone(2)).rounds == ()
    again = table(*base, Undone(3), Undone(2), Redone(2), Redone(3))
    assert again.totals == (0, 0, 0, 0)
    assert again.redo is None


def test_a_new_change_ends_what_can_be_brought_back() -> None:
    ledger = table(
        created(), RoundAdded(numbers(3, -1, -1, -1)), Undone(2), RoundAdded(numbers(6, -2, -2, -2))
    )
    assert ledger.redo is None
    with pytest.raises(NothingToRedo):
        table(
            created(),
            RoundAdded(numbers(3, -1, -1, -1)),
            Undone(2),
            RoundAdded(numbers(6, -2, -2, -2)),
            Redone(2),
        )


@pytest.mark.parametrize("seq", [1, 2, 9])
def test_undo_takes_back_only_the_last_change(seq: int) -> None:
    with pytest.raises(NothingToUndo):
        table(created(), RoundAdded(draw(4)), RoundAdded(draw(4)), Undone(seq))


@pytest.mark.parametrize(
    "events",
    [
        [Event(1, 0, RoundAdded(draw(4)))],
        [Event(2, 0, created())],
        [*log(created()), Event(3, 0, RoundAdded(draw(4)))],
        [*log(created()), Event(2, 0, created())],
        [],
    ],
)
def test_a_log_out_of_order_is_refused(events: list[Event]) -> None:
    with pytest.raises(BadSequence):
        fold(events)


# --- what does not fit ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (RoundAdded(numbers(1, 0, 0, 0)), NotZero),
        (RoundAdded(numbers(1, -1)), UnknownPerson),
        (RoundAdded(replace(numbers(1, -1, 0, 0), stake=0)), BadStake),
        (RoundAdded(numbers(1, -1, 0, 0, seating=Seating(0, None, (1,)))), PaidWhileOut),
        (RoundAdded(numbers(1, 0, -1, 0, seating=Seating(0, None, (1,)), winner=1)), BadWinner),
        (RoundAdded(numbers(1, -1, 0, 0, seating=Seating(0, None, (0,)))), BadDealer),
        (RoundAdded(numbers(1, -1, 0, 0, seating=Seating(7))), UnknownPerson),
        (RoundAdded(Round("draw", (1, -1, 0, 0), Seating(0), 1)), OtherSettlement),
        (RoundAdded(Round("hand", (1, -1, 0, 0), Seating(0), 1, winner=0)), OtherSettlement),
        (DealerSet(Seating(0, None, (1, 2, 3))), BadPeopleCount),
        (PlayerRenamed(1, "甲"), SameName),
        (PlayerRenamed(1, "  "), BadName),
        (PlayerRenamed(9, "戊"), UnknownPerson),
        (PlayerJoined("乙"), SameName),
        (PlayerReplaced(0, "乙"), SameName),
        (PlayerReplaced(4, "戊"), UnknownPerson),
        (SeatsTaken((0, 1, 2)), BadOrder),
        (SeatsTaken((0, 1, 2, 2)), BadOrder),
        (SeatsTaken((0, 1, 2, 4)), BadOrder),
        (OptionChanged(Settings("x", 0, 4)), BadStake),
    ],
)
def test_a_change_that_does_not_fit_is_refused(change: Change, error: type[LedgerError]) -> None:
    with pytest.raises(error):
        table(created(), change)


def test_a_scored_hand_must_pay_what_it_settles() -> None:
    counted = Counted("rK", {}, {}, {"settlement": [12, -4, -4, -4], "total": 13})
    hand = Round("hand", (-8, 24, -8, -8), Seating(0), 2, winner=1, counted=counted)
    assert table(created(), RoundAdded(hand)).totals == (-8, 24, -8, -8)
    with pytest.raises(OtherSettlement):
        table(created(), RoundAdded(replace(hand, stake=1)))
    with pytest.raises(OtherSettlement):
        table(created(), RoundAdded(replace(hand, winner=2)))
    with pytest.raises(NoWinner):
        table(created(), RoundAdded(replace(hand, winner=None)))


def test_a_count_that_was_said_has_no_hand_and_pays_what_it_settles() -> None:
    counted = Counted("", {"hu": 12}, {}, {"settlement": [9, -3, -3, -3], "total": 12})
    played = Round("numbers", (9, -3, -3, -3), Seating(0), 1, winner=0, counted=counted)
    assert table(created(), RoundAdded(played)).totals == (9, -3, -3, -3)
    for wrong in (
        replace(played, how="hand"),
        replace(played, counted=replace(counted, hand="rK")),
        replace(played, amounts=(6, -2, -2, -2)),
        replace(played, counted=None, how="hand"),
    ):
        with pytest.raises(OtherSettlement):
            table(created(), RoundAdded(wrong))
    with pytest.raises(NoWinner):
        table(created(), RoundAdded(replace(played, winner=None)))


def test_who_comes_later_has_nothing_from_before() -> None:
    changes = (created(), RoundAdded(numbers(3, -1, -1, -1)), PlayerJoined("戊"))
    ledger = table(*changes)
    assert ledger.totals == (3, -1, -1, -1, 0)
    assert ledger.coming.out == (4,)
    later = table(*changes, RoundAdded(numbers(0, -1, -1, -1, 3, seating=Seating(1, None, (0,)))))
    assert later.totals == (3, -2, -2, -2, 3)


# --- JSON -------------------------------------------------------------------------------------------------

EVERY_CHANGE: list[Change] = [
    created(),
    RoundAdded(numbers(3, -1, -1, -1, winner=0)),
    RoundAdded(
        Round(
            "hand",
            (3, -3),
            Seating(1),
            1,
            winner=0,
            counted=Counted("rK", {"a": 1}, {}, {"settlement": [3, -3]}),
        )
    ),
    RoundEdited(2, draw(4, last=3)),
    RoundDeleted(2),
    DealerSet(Seating(None, 2, (1,))),
    PlayerRenamed(0, "戊"),
    PlayerJoined("己"),
    PlayerReplaced(1, "庚"),
    SeatsTaken((1, 0, 2)),
    PlayerAway(1, True),
    OptionChanged(Settings("x", 2, 3, {"base": 2}, "next")),
    Undone(4),
    Redone(4),
]


@pytest.mark.parametrize("change", EVERY_CHANGE, ids=kind_of)
def test_a_change_survives_json(change: Change) -> None:
    assert change_of(kind_of(change), body_of(change)) == change


@pytest.mark.parametrize("change", EVERY_CHANGE, ids=kind_of)
def test_a_field_too_few_or_too_many_is_refused(change: Change) -> None:
    body = body_of(change)
    with pytest.raises(UnknownField):
        change_of(kind_of(change), {**body, "more": 1})
    body.popitem()
    with pytest.raises(BadField):
        change_of(kind_of(change), body)


def test_a_round_that_was_written_before_a_drawer_was_noted_is_read() -> None:
    body = body_of(RoundAdded(draw(4)))
    older = {"round": {name: value for name, value in dict(body["round"]).items() if name != "drawer"}}  # type: ignore[arg-type]
    assert change_of("round_added", older) == RoundAdded(draw(4))


@pytest.mark.parametrize("value", [True, 1.5, "1", None, 2**60])
def test_a_number_is_a_whole_number(value: object) -> None:
    with pytest.raises(BadField):
        change_of("undone", {"seq": value})


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(UnknownKind):
        change_of("cheated", {})


# --- who drew the winning card ----------------------------------------------------------------------------


def test_the_one_who_drew_the_winning_card_is_the_first_to_pay() -> None:
    assert turns.amounts(4, Seating(0, 1), 0, (4, -4, 0, 0), 2, drawer=3) == (8, 0, 0, -8)
    assert turns.amounts(4, Seating(0, 1), 0, (4, -4, 0, 0), 2) == (8, 0, -8, 0)


@pytest.mark.parametrize("drawer", [0, 2, 3])
def test_neither_the_winner_nor_who_does_not_play_drew_the_card(drawer: int) -> None:
    played = replace(numbers(2, -2, 0, 0, seating=Seating(0, 2, (3,)), winner=0), drawer=drawer)
    with pytest.raises(BadDrawer):
        table(created(), RoundAdded(played))


# --- who deals, sits and is out ---------------------------------------------------------------------------


def coming(rules: str, people: int, seats: int, *rounds: Round) -> Seating:
    changes = [RoundAdded(played) for played in rounds]
    return table(created(rules, FOUR[:people], seats), *changes).coming


def test_zipai_the_winner_deals_and_the_opposite_sits() -> None:
    start = Seating(0, 2, ())
    won = numbers(-2, 4, 0, -2, seating=start, winner=1)
    assert coming("zipai", 4, 4, won) == Seating(1, 3)
    assert coming("zipai", 4, 4, draw(4, start)) == Seating(0, 2), "after 黄庄 the dealer stays"


def test_a_corrected_winner_moves_the_dealer_of_the_rounds_after_it() -> None:
    changes = (
        created("zipai", FOUR, 4, Seating(0, 2)),
        RoundAdded(numbers(-2, 4, 0, -2, seating=Seating(0, 2), winner=1)),
        RoundAdded(draw(4, Seating(1, 3))),
        RoundAdded(draw(4, Seating(1, 3))),
    )
    edited = RoundEdited(2, numbers(4, -2, 0, -2, seating=Seating(0, 2), winner=0))
    ledger = table(*changes, edited)
    assert [played.round.seating for played in ledger.rounds] == [Seating(0, 2)] * 3
    assert ledger.coming == Seating(0, 2)
    undone = table(*changes, edited, Undone(5))
    assert [played.round.seating.dealer for played in undone.rounds] == [0, 1, 1]
    gone = table(*changes, RoundDeleted(2))
    assert [played.round.seating for played in gone.rounds] == [Seating(0, 2)] * 2


def test_a_dealer_set_by_hand_stays_and_the_rule_goes_on_from_there() -> None:
    changes = (
        created("yaodiren", FOUR[:3], 3),
        RoundAdded(numbers(-1, 2, -1, winner=1)),
        RoundAdded(numbers(2, -1, -1, seating=Seating(2), winner=0)),  # 丙 was chosen in the form
        RoundAdded(draw(3, Seating(0))),
        DealerSet(Seating(2)),
        RoundAdded(draw(3, Seating(2))),
    )
    edited = RoundEdited(2, numbers(2, -1, -1, winner=0))
    dealers = [played.round.seating.dealer for played in table(*changes, edited).rounds]
    assert dealers == [0, 2, 0, 2]
    won_by_other = RoundEdited(3, numbers(-1, 2, -1, seating=Seating(2), winner=1))
    dealers = [played.round.seating.dealer for played in table(*changes, won_by_other).rounds]
    assert dealers == [0, 2, 1, 2]
    by_hand = RoundEdited(4, draw(3, Seating(1)))
    dealers = [played.round.seating.dealer for played in table(*changes, by_hand, won_by_other).rounds]
    assert dealers == [0, 2, 1, 2]


def test_a_counted_hand_is_paid_by_those_who_play_when_the_sitter_moves() -> None:
    hand = Counted("s1", {}, {}, {"settlement": [4, -2, -2, 0]})
    second = Round("hand", (4, -2, -2, 0), Seating(1, 3), 1, winner=0, counted=hand)
    changes = (
        created("zipai", FOUR, 4, Seating(0, 2)),
        RoundAdded(numbers(-2, 4, 0, -2, seating=Seating(0, 2), winner=1)),
        RoundAdded(second),
    )
    by_three = RoundEdited(2, numbers(-2, -2, 0, 4, seating=Seating(0, 2), winner=3))
    moved = table(*changes, by_three).round(3).round
    assert (moved.seating, moved.amounts) == (Seating(3, 1), (4, 0, -2, -2))
    # 甲 won the second round and can't have sat 坐醒 in it: it stays as it was written.
    by_opposite = RoundEdited(2, numbers(-2, 0, 4, -2, seating=Seating(0, 1), winner=2))
    stays = table(*changes, by_opposite).round(3).round
    assert (stays.seating, stays.amounts) == (Seating(1, 3), (4, -2, -2, 0))


def test_zipai_with_three_has_nobody_sitting() -> None:
    assert coming("zipai", 3, 3, numbers(-1, 2, -1, winner=1)) == Seating(1)


def test_shihu_the_last_to_play_begins_after_a_draw() -> None:
    assert coming("shihu", 4, 4, draw(4, last=3)).dealer == 3
    assert coming("shihu", 4, 4, draw(4)).dealer == 0


def test_chuanpai_asks_for_the_dealer_and_names_who_cuts() -> None:
    ledger = table(created("chuanpai"), RoundAdded(numbers(-1, -1, 3, -1, winner=2)))
    assert ledger.coming.dealer is None
    assert ledger.cutter == 0


@pytest.mark.parametrize("rules", ["yaodiren", "guangshui"])
def test_a_draw_passes_on_and_a_winner_deals(rules: str) -> None:
    assert coming(rules, 3, 3, draw(3, Seating(2))).dealer == 0
    assert coming(rules, 3, 3, numbers(-1, 2, -1, winner=1)).dealer == 1


@pytest.mark.parametrize(("house", "dealer"), [("winner", 2), ("next", 1), ("stays", 0)])
def test_a_table_may_have_its_own_rule(house: str, dealer: int) -> None:
    own = Settings("x", 1, 4, {}, house)  # type: ignore[arg-type]
    made = replace(created("chuanpai"), settings=own)
    assert table(made, RoundAdded(numbers(-1, -1, 3, -1, winner=2))).coming.dealer == dealer


def test_the_dealer_set_by_hand_holds_until_the_next_round() -> None:
    changes: tuple[Change, ...] = (
        created(),
        RoundAdded(numbers(-1, 3, -1, -1, winner=1)),
        DealerSet(Seating(2)),
    )
    assert table(*changes).coming == Seating(2)
    assert table(*changes, RoundAdded(numbers(-1, -1, -1, 3, winner=3))).coming == Seating(3)
    assert table(*changes, Undone(3)).coming == Seating(1)


def test_deleting_the_last_round_gives_the_deal_back() -> None:
    changes: tuple[Change, ...] = (
        created(),
        RoundAdded(numbers(-1, 3, -1, -1, winner=1)),
        RoundAdded(numbers(-1, -1, 3, -1, winner=2)),
    )
    assert table(*changes).coming.dealer == 2
    assert table(*changes, RoundDeleted(3)).coming.dealer == 1
    assert table(*changes, RoundEdited(3, draw(4, Seating(1), last=0))).coming.dealer == 0


def test_everybody_sits_out_in_turn() -> None:
    circle = turns.Circle("guangshui", 4, frozenset(), 3, "stays")
    outs: list[tuple[int, ...]] = [(3,)]
    for _ in range(6):
        outs.append(turns.next_out(circle, Seating(0, None, outs[-1]), dealer=0))
    assert outs == [(3,), (1,), (2,), (3,), (1,), (2,), (3,)], "the dealer stays in, the others take turns"
    assert all(before != after for before, after in pairwise(outs))


@given(
    people=st.integers(3, 8),
    seats=st.integers(2, 4),
    order=st.permutations(range(8)),
    dealers=st.lists(st.integers(0, 7), min_size=2, max_size=12),
)
def test_nobody_sits_out_twice_running_while_others_can(
    people: int, seats: int, order: list[int], dealers: list[int]
) -> None:
    seated = tuple(person for person in order if person < people)
    circle = turns.Circle("shihu", people, frozenset(), seats, "stays", seated)
    spare = max(0, people - seats)
    last = Seating()
    for wish in dealers:
        playing = [person for person in range(people) if person not in last.out]
        seating = turns.seat(circle, playing[wish % len(playing)], last)
        assert len(seating.out) == spare
        if people > 2 * spare:
            assert not set(last.out) & set(seating.out)
        last = seating


@pytest.mark.parametrize(
    ("gone", "coming"),
    [
        (0, Seating(5, None, (2, 0))),
        (1, Seating(0, None, (2, 1))),
        (2, Seating(0, None, (2, 5))),
    ],
)
def test_who_sits_down_instead_takes_over_only_what_was_that_persons(gone: int, coming: Seating) -> None:
    five = created(people=(*FOUR, "戊"), seats=4, seating=Seating(0, None, (2,)))
    found = table(five, PlayerReplaced(gone, "己")).coming
    assert (found.dealer, found.sitter, set(found.out)) == (coming.dealer, coming.sitter, set(coming.out))


def test_who_sits_down_instead_takes_over_dealing_and_sitting() -> None:
    start = created("zipai", seating=Seating(0, 2))
    assert table(start, PlayerReplaced(0, "戊")).coming == Seating(4, 2, (0,))
    ledger = table(start, PlayerReplaced(2, "戊"))
    assert (ledger.order, ledger.coming) == ((0, 1, 2, 4, 3), Seating(0, 4, (2,)))
    won = RoundAdded(numbers(-2, 4, 0, -2, seating=Seating(0, 2), winner=1))
    ledger = table(start, won, PlayerReplaced(1, "戊"))
    assert (ledger.coming, ledger.totals) == (Seating(4, 3, (1,)), (-2, 4, 0, -2, 0))
    back = table(start, won, PlayerReplaced(1, "戊"), Undone(3))
    assert (back.coming, back.order) == (Seating(1, 3), (0, 1, 2, 3))


def test_who_sits_opposite_follows_the_seats() -> None:
    start = created("zipai", seating=Seating(0, 2))
    won = RoundAdded(numbers(-2, 4, 0, -2, seating=Seating(0, 2), winner=1))
    assert table(start, won, SeatsTaken((1, 0, 3, 2))).coming == Seating(1, 3)
    assert table(start, won, SeatsTaken((0, 1, 3, 2))).coming == Seating(1, 2)
    drawn = RoundAdded(draw(4, Seating(0)))
    assert table(created("yaodiren"), drawn).coming.dealer == 1
    assert table(created("yaodiren"), SeatsTaken((0, 3, 1, 2)), drawn).coming.dealer == 3


def test_who_goes_home_neither_deals_nor_plays() -> None:
    ledger = table(created(seats=3, seating=Seating(0, None, (3,))), PlayerAway(0, True))
    assert ledger.coming == Seating(None, None, (0,))
    won = table(created(), RoundAdded(numbers(-1, 3, -1, -1, winner=1)), PlayerAway(1, True))
    assert won.coming == Seating(2, None, (1,))


@given(
    rules=st.sampled_from(["zipai", "shihu", "chuanpai", "yaodiren", "guangshui"]),
    people=st.integers(3, 8),
    seats=st.integers(2, 4),
    away=st.sets(st.integers(0, 7), max_size=2),
    dealer=st.integers(0, 7),
    winner=st.integers(0, 7),
)
def test_a_coming_seating_always_fits(
    rules: str, people: int, seats: int, away: set[int], dealer: int, winner: int
) -> None:
    circle = turns.Circle(rules, people, frozenset(p for p in away if p < people), seats)
    played = Round("numbers", (0,) * people, Seating(dealer % people), 1, winner=winner % people)
    dealer_next = turns.next_dealer(circle, played)
    seating = turns.seat(circle, dealer_next, Seating())
    here = set(circle.present())
    if here:
        assert seating.dealer is None or seating.dealer in here - set(seating.out)
        assert seating.sitter not in (*seating.out, seating.dealer) or seating.sitter is None
        assert len(here - set(seating.out)) == min(seats, len(here))


def test_a_settlement_is_paid_in_order_from_the_winner() -> None:
    seating = Seating(1, 3, (0,))
    assert turns.settlement_order(6, seating, 4) == (4, 5, 1, 2, 3)
    assert turns.amounts(6, seating, 4, [9, -3, -3, -3, 0], 5) == (0, -15, -15, 0, 45, -15)
    with pytest.raises(ValueError, match="cannot be paid"):
        turns.amounts(6, seating, 4, [3, -3], 5)


# --- settling up ------------------------------------------------------------------------------------------


def fewest(totals: tuple[int, ...]) -> int:
    """Fewest payments, the slow obvious way: try every payment of one debtor to one creditor."""
    owing = sorted(total for total in totals if total)
    if not owing:
        return 0
    debt, rest = owing[0], owing[1:]
    best = len(owing)
    for place, gain in enumerate(rest):
        if gain > 0:
            left = (*rest[:place], gain + debt, *rest[place + 1 :])
            best = min(best, 1 + fewest(left))
    return best


amounts = st.lists(st.integers(-9, 9), min_size=1, max_size=5).map(lambda some: (*some, -sum(some)))


@given(amounts)
def test_settling_up_pays_everybody_with_the_fewest_payments(totals: tuple[int, ...]) -> None:
    transfers = settle_up(totals)
    left: list[Money] = list(totals)
    for transfer in transfers:
        assert transfer.amount > 0
        left[transfer.payer] += transfer.amount
        left[transfer.payee] -= transfer.amount
    assert not any(left)
    assert len(transfers) == fewest(totals)


def test_settling_up_needs_zero() -> None:
    with pytest.raises(ValueError, match="0"):
        settle_up((1, 2))


# --- people come and go -------------------------------------------------------------------------------------


class Seats(RuleBasedStateMachine):
    """People leave, come back, sit down for others and change seats, with rounds between; kept again by name."""

    def __init__(self) -> None:
        super().__init__()
        self.events: list[Event] = []
        self.money: dict[str, int] = {}

    def append(self, change: Change) -> None:
        seq = len(self.events) + 1
        event = Event(seq, seq, change_of(kind_of(change), body_of(change)))
        fold([*self.events, event])
        self.events.append(event)

    def here(self) -> list[int]:
        return [number for number, person in enumerate(fold(self.events).people) if not person.away]

    def newcomer(self) -> str:
        name = f"客{len(self.money)}"
        self.money[name] = 0
        return name

    @initialize(rules=st.sampled_from(["zipai", "shihu", "guangshui"]), seats=st.integers(2, 4))
    def create(self, rules: str, seats: int) -> None:
        self.append(created(rules, seats=seats))
        self.money = dict.fromkeys(FOUR, 0)

    @rule(data=st.lists(st.integers(-99, 99), min_size=8, max_size=8))
    def play(self, data: list[int]) -> None:
        ledger = fold(self.events)
        seated = turns.playing(len(ledger.people), ledger.coming)
        if len(seated) < 2:
            return
        amounts = [data[one] if one in seated[1:] else 0 for one in range(len(ledger.people))]
        amounts[seated[0]] = -sum(amounts)
        self.append(RoundAdded(numbers(*amounts, seating=ledger.coming)))
        for person, amount in zip(ledger.people, amounts, strict=True):
            self.money[person.name] += amount

    @precondition(lambda self: len(self.money) < 8)
    @rule(pick=st.integers(0, 7), instead=st.booleans())
    def join(self, pick: int, instead: bool) -> None:
        here = self.here()
        if instead:
            self.append(PlayerReplaced(here[pick % len(here)], self.newcomer()))
        else:
            self.append(PlayerJoined(self.newcomer()))

    @rule(pick=st.integers(0, 7))
    def leave_or_come_back(self, pick: int) -> None:
        people = fold(self.events).people
        person = pick % len(people)
        if people[person].away or len(self.here()) > 2:
            self.append(PlayerAway(person, not people[person].away))

    @rule(order=st.permutations(range(8)))
    def change_seats(self, order: list[int]) -> None:
        self.append(SeatsTaken(tuple(one for one in order if one < len(self.money))))

    @rule(pick=st.integers(0, 7))
    def move_one(self, pick: int) -> None:
        ledger = fold(self.events)
        self.append(SeatsTaken(turns.one_seat_earlier(ledger.circle(), pick % len(ledger.people))))

    @invariant()
    def everybody_keeps_the_own_money(self) -> None:
        if not self.events:
            return
        ledger = fold(self.events)
        names = [person.name for person in ledger.people]
        assert dict(zip(names, ledger.totals, strict=True)) == self.money
        assert sum(ledger.totals) == 0
        here = set(self.here())
        assert ledger.coming.dealer is None or ledger.coming.dealer in here - set(ledger.coming.out)
        assert len(turns.playing(len(names), ledger.coming)) >= 2 or len(here) < 3


TestSeats = Seats.TestCase
TestSeats.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)


# --- any sequence of changes equals the recomputation -----------------------------------------------------


class Evening(RuleBasedStateMachine):
    """Rounds kept twice: by the ledger, and as a plain list with a stack of copies for undo."""

    def __init__(self) -> None:
        super().__init__()
        self.events: list[Event] = []
        self.model: dict[int, tuple[int, ...]] = {}
        self.past: list[dict[int, tuple[int, ...]]] = []
        self.future: list[dict[int, tuple[int, ...]]] = []

    def append(self, change: Change) -> int:
        seq = len(self.events) + 1
        self.events.append(Event(seq, seq, change_of(kind_of(change), body_of(change))))
        return seq

    def remember(self) -> None:
        self.past.append(dict(self.model))
        self.future = []

    @initialize()
    def create(self) -> None:
        self.append(created())

    @rule(data=st.lists(st.integers(-99, 99), min_size=3, max_size=3))
    def add(self, data: list[int]) -> None:
        self.remember()
        amounts = (*data, -sum(data))
        self.model[self.append(RoundAdded(numbers(*amounts)))] = amounts

    @precondition(lambda self: self.model)
    @rule(pick=st.integers(0, 99), data=st.lists(st.integers(-99, 99), min_size=3, max_size=3))
    def edit(self, pick: int, data: list[int]) -> None:
        self.remember()
        round_id = sorted(self.model)[pick % len(self.model)]
        amounts = (*data, -sum(data))
        self.append(RoundEdited(round_id, numbers(*amounts)))
        self.model[round_id] = amounts

    @precondition(lambda self: self.model)
    @rule(pick=st.integers(0, 99))
    def delete(self, pick: int) -> None:
        self.remember()
        round_id = sorted(self.model)[pick % len(self.model)]
        self.append(RoundDeleted(round_id))
        del self.model[round_id]

    @precondition(lambda self: self.past)
    @rule()
    def undo(self) -> None:
        last = fold(self.events).undo
        assert last is not None
        self.append(Undone(last.seq))
        self.future.append(self.model)
        self.model = self.past.pop()

    @precondition(lambda self: self.future)
    @rule()
    def redo(self) -> None:
        last = fold(self.events).redo
        assert last is not None
        self.append(Redone(last.seq))
        self.past.append(self.model)
        self.model = self.future.pop()

    @invariant()
    def totals_agree(self) -> None:
        if self.events:
            ledger = fold(self.events)
            assert {played.id: played.round.amounts for played in ledger.rounds} == self.model
            expected = tuple(sum(column) for column in zip(*self.model.values(), strict=True)) or (0, 0, 0, 0)
            assert ledger.totals == expected
            assert sum(ledger.totals) == 0
            assert (ledger.undo is None) == (not self.past)


TestEvening = Evening.TestCase
TestEvening.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
