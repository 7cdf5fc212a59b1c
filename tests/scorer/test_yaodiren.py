"""幺地人 (RULES 3): its vectors by id, what they leave open, and its options."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

import scorer
from tests.scorer.hands import complete
from tests.scorer.test_yaodiren_before import A14, A14B, dealt
from tests.scorer.test_yaodiren_oracle import PIPS, points

FIVE = "碰(4-4 4-4 4-4) 碰(1-4 1-4 1-4) 杠(3-3 3-3 3-3 3-3) 碰(2-4 2-4 2-4) 碰(2-2 2-2 2-2)"
OPEN = "碰(1-1 1-1 1-1) 碰(4-4 4-4 4-4) 碰(1-4 1-4 1-4)"
EATEN = "吃(1-6 2-5 3-4) 吃(1-2 5-6 5-6)"
BIG = "杠(1-3 1-3 1-3 1-3) 杠(4-5 4-5 4-5 4-5) 碰(4-6 4-6 4-6) 碰(1-5 1-5 1-5) 碰(2-4 2-4 2-4)"
FOURS = "杠(1-1 1-1 1-1 1-1) 杠(1-3 1-3 1-3 1-3) 碰(4-5 4-5 4-5) 碰(4-6 4-6 4-6) 碰(2-2 2-2 2-2)"
PONGS = "碰(2-2 2-2 2-2) 碰(3-3 3-3 3-3) 碰(2-5 2-5 2-5) 碰(2-6 2-6 2-6) 碰(3-5 3-5 3-5)"
LARGE = "碰(1-5 1-5 1-5) 碰(2-4 2-4 2-4) 碰(1-6 1-6 1-6) 碰(3-4 3-4 3-4) 杠(3-3 3-3 3-3 3-3) 碰(2-2 2-2 2-2)"
RED_HAND = f"{OPEN} 杠(3-4 3-4 3-4 3-4) 吃(1-1 6-6 6-6) 吃(1-5 4-4 1-5) 吃(1-4 4-5 4-5)"
A02 = f"{OPEN} 杠(3-3 3-3 3-3 3-3) 碰(2-2 2-2 2-2) 吃(1-3 5-5 1-3) 吃(1-6 2-5 3-4)"
A03 = A02.replace("杠(3-3 3-3 3-3 3-3)", "碰(3-3 3-3 3-3)")
A17 = "碰(4-4 4-4 4-4) 碰(1-4 1-4 1-4) 杠(3-3 3-3 3-3 3-3) 碰(2-2 2-2 2-2) 吃(1-3 5-5 1-3)"
A20 = "碰(4-5 4-5 4-5) 碰(4-6 4-6 4-6) 碰(2-2 2-2 2-2) 吃(1-6 2-5 3-4) " + "1-4 " * 5 + "3-6 " * 5


def scored(text: str, dealer: bool = False, seats: int = 3, **options: object) -> scorer.Score:
    return scorer.score(scorer.parse_hand(text, "yaodiren"), {"dealer": dealer, "seats": seats}, options)


def part(text: str) -> scorer.Score:
    return scorer.score_part(scorer.parse_hand(text, "yaodiren"))


@pytest.mark.parametrize(
    ("unit", "worth"),
    [("碰(2-2 2-2 2-2)", 4), ("碰(1-3 1-3 1-3)", 8), ("杠(3-3 3-3 3-3 3-3)", 6), ("杠(4-5 4-5 4-5 4-5)", 12),
     ("吐火(2-5 2-5 2-5 2-5)", 8), ("吐火(6-6 6-6 6-6 6-6)", 16)],
)  # fmt: skip
def test_a_01(unit: str, worth: int) -> None:
    assert part(unit).total == worth
    loose = unit[unit.index("(") + 1 : -1]
    if not unit.startswith("杠"):
        assert part(loose).total == worth


@pytest.mark.parametrize(
    ("vector", "hand", "dealer", "total", "wins", "fans", "high"),
    [
        ("A-02", A02, True, 34, True, 3, 0),
        ("A-03", A03, True, 32, False, 3, 0),
        ("A-03", A03, False, 32, False, 3, 0),
        ("A-04", f"{FOURS} {EATEN}", True, 44, True, 3, 1),
        ("A-05", f"{FOURS} {EATEN}", False, 44, True, 3, 1),
        ("A-06", f"{LARGE} 吃(1-2 5-6 5-6)", True, 42, True, 0, 0),
        ("A-06", f"{LARGE} 吃(1-2 5-6 5-6)", False, 42, True, 0, 0),
        ("A-07", f"{BIG} 杠(3-3 3-3 3-3 3-3) 吃(1-2 5-6 5-6)", True, 54, True, 2, 2),
        ("A-07", f"{BIG} 杠(3-3 3-3 3-3 3-3) 吃(1-2 5-6 5-6)", False, 54, True, 2, 2),
        ("A-08", f"{BIG} 碰(3-3 3-3 3-3) 吃(1-2 5-6 5-6)", True, 52, True, 1, 1),
        ("A-08", f"{BIG} 碰(3-3 3-3 3-3) 吃(1-2 5-6 5-6)", False, 52, True, 1, 1),
        ("A-11", f"{PONGS} 碰(1-3 1-3 1-3) 碰(4-5 4-5 4-5)", False, 36, True, 1, 0),
        ("A-12", f"{PONGS} 碰(2-3 2-3 2-3) 碰(3-6 3-6 3-6)", False, 28, False, 1, 0),
        ("A-13", RED_HAND, False, 36, True, 4, 0),
        ("A-17", f"{A17} 6-6 6-6 1-1 1-1 1-1 !6-6", False, 42, True, 3, 0),
        ("A-18", f"{FIVE} 1-3 1-3 5-5 5-6 1-2 !1-2", False, 34, True, 2, 0),
        ("A-20", A20, False, 36, True, 1, 0),
    ],
)  # fmt: skip
def test_whole_hands(
    vector: str, hand: str, dealer: bool, total: int, wins: bool, fans: int, high: int
) -> None:
    for seats in (2, 3):
        found = scored(hand, dealer, seats)
        assert (found.total, found.wins) == (total, wins), vector
        assert (found.detail["番"], found.detail.get("高番", 0)) == (fans, high)
        assert found.settlement[0] == (2**fans * (seats - 1) if wins else 0)


def test_a_06_where_only_all_red_cards_are_red() -> None:
    found = scored(f"{LARGE} 吃(1-2 5-6 5-6)", red="all")
    assert (found.total, found.wins) == (26, False)


def test_a_09_and_a_10() -> None:
    assert (part("响(3-3 3-3 3-3 3-3 3-3)").total, part("响(3-3 3-3 3-3 3-3 3-3)").detail["番"]) == (8, 1)
    assert (part("响(1-1 1-1 1-1 1-1 1-1)").total, part("响(1-1 1-1 1-1 1-1 1-1)").detail["番"]) == (16, 4)
    assert part("吐火(1-1 1-1 1-1 1-1 1-1)").detail["番"] == 0


@pytest.mark.parametrize(
    ("pair", "fits"),
    [("2-5 2-5", True), ("2-5 1-6", True), ("1-2 5-6", True), ("1-2 6-6", False), ("4-4 3-3", True),
     ("5-5 2-2", True), ("5-5 2-3", False)],
)  # fmt: skip
def test_a_15(pair: str, fits: bool) -> None:
    one, other = pair.split()
    thirds = [third for third in PIPS if len({one, other, third}) > 1 and not kinds_of(one, other, third)]
    eaten = [third for third in PIPS if kinds_of(one, other, third) == ("吃",)]
    expected = {one, other} if one != other else set()
    if fits and points(one) == 7:
        expected = {"1-6", "2-5", "3-4"} - ({one} if one == other else set())
    assert set(eaten) == (expected if fits else set())
    assert len(thirds) == 21 - len(eaten) - (one == other)


def kinds_of(*cards: str) -> tuple[str, ...]:
    return scorer.pile_kinds("yaodiren", cards)


def test_a_14_and_a_14b() -> None:
    """More of them in test_yaodiren_before."""
    five, four = dealt(A14), dealt(A14B)
    assert (five.mao, five.support, five.may_play) == (6, 0, False)
    assert (four.mao, four.support) == (6, 1)
    assert [why.code for why in four.reasons] == ["before_tuo"]


def test_a_16() -> None:
    with pytest.raises(scorer.ScorerError) as caught:
        part("2-6 2-6 2-6 2-6 2-6 !2-6")
    assert caught.value.code == "too_many_copies"


def test_a_18_alone_and_a_19() -> None:
    found = scored(f"{FIVE} 吃(1-3 5-5 1-3) 1-1 1-1 1-1 !1-1")
    assert (found.wins, found.total) == (False, 0)
    assert found.reason is not None
    assert (found.reason.code, found.reason.cards) == ("winning_card", ("1-1",))
    rung = scored(f"{FIVE} 吃(1-3 5-5 1-3) 1-1 1-1 1-1 1-1 !1-1")
    assert rung.reason is not None
    assert rung.reason.code == "winning_card"


def test_a_20_the_dearer_division_is_the_runner_up() -> None:
    found = scored(A20)
    assert (found.runner_up, found.settlement) == (40, (4, -2, -2))


def test_a_21() -> None:
    with pytest.raises(scorer.ScorerError) as caught:
        part("吃(1-6 1-6 1-6)")
    assert caught.value.code == "impossible_meld"


# ---- What the vectors leave open -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "warned"),
    [
        (f"{A17} 6-6 6-6 1-1 1-1 1-1 !6-6", False),
        (f"{A17} 6-6 6-6 1-1 1-1 1-1 !1-1", True),
        (f"{A17} 6-6 6-6 1-1 1-1 1-1 1-1 !1-1", True),
        ("吐火(1-3 1-3 1-3 1-3) 碰(4-4 4-4 4-4) 碰(1-4 1-4 1-4) 碰(2-4 2-4 2-4) 吃(1-6 2-5 3-4) 5-5 5-5 "
         "3-3 3-3 3-3 !1-3", True),
        ("碰(1-3 1-3 1-3) 碰(4-4 4-4 4-4) 碰(1-4 1-4 1-4) 碰(2-4 2-4 2-4) 吃(1-6 2-5 3-4) 5-5 5-5 "
         "3-3 3-3 3-3 !1-3", False),
    ],
)  # fmt: skip
def test_a_card_that_could_kong_is_warned_of(hand: str, warned: bool) -> None:
    """Three in hand or a 吐火 on the table; a 碰 on the table never grows."""
    found = scored(hand)
    assert found.wins
    assert [note.code for note in found.notes] == ["kong_first"] * warned
    refused = scored(hand, kong_first=True)
    assert refused.wins is not warned
    assert refused.total == found.total
    assert sum(refused.settlement) == 0
    if warned:
        assert refused.reason is not None
        assert (refused.reason.code, refused.settlement) == ("kong_first", (0, 0, 0))


def test_without_a_winning_card_a_warning_says_so() -> None:
    loose = scored(f"{FIVE} 1-3 1-3 5-5 5-6 1-2 1-2")
    assert [note.code for note in loose.notes] == ["no_winning_card"]
    assert scored(A02).notes == ()


@pytest.mark.parametrize(
    ("loose", "code", "short"),
    [
        ("1-3 1-3 5-5 5-6 1-2 !6-6", "undivided", {"闲牌": 3}),
        ("2-3 2-3 2-3 2-5 2-5 2-5 2-6 2-6 !2-6", "unit_count", {"卯": 1}),
        ("2-3 2-3 2-3 2-3 2-5 2-5 2-5 2-5 !2-5", "winning_card", {}),
        ("2-3 2-3 2-3 1-2 1-2 !5-6", "", {}),
    ],
)
def test_reasons(loose: str, code: str, short: dict[str, int]) -> None:
    why = scored(f"{FIVE} {loose}").reason
    assert (why.code, why.short) == (code, short) if why else not code


@pytest.mark.parametrize("loose", ["2-3 2-3 2-3 2-5 !2-5", "2-3 " * 5 + "2-5 " * 5 + "!1-6", "!2-3"])
def test_wrong_number_of_cards(loose: str) -> None:
    with pytest.raises(scorer.ScorerError) as caught:
        scored(f"{FIVE} {loose}")
    assert caught.value.code == "wrong_card_count"


def test_too_many_melds() -> None:
    with pytest.raises(scorer.ScorerError, match="too many") as caught:
        scored(f"{A02} 碰(2-3 2-3 2-3)")
    assert caught.value.code == "wrong_card_count"


def test_piles() -> None:
    assert kinds_of(*["3-3"] * 4) == ("杠", "吐火")
    assert kinds_of(*["3-3"] * 5) == ("响", "吐火")
    assert kinds_of(*["3-3"] * 3) == ("碰",)
    assert kinds_of("3-3", "4-4") == ()
    assert kinds_of("C", "3-3", "3-3") == ()


def test_names_of_this_game() -> None:
    hand = scorer.parse_hand("吃(高脚 二五 三四) 拐子 天牌 地 人 !幺四", "yaodiren")
    assert scorer.write_hand(hand) == "吃(1-6 2-5 3-4) 1-1 2-3 4-4 6-6 !1-4"
    for text in ("财神", "C", "丁"):
        with pytest.raises(scorer.ScorerError) as caught:
            scorer.parse_hand(text, "yaodiren")
        assert caught.value.code == "unknown_card"


def test_waits() -> None:
    found = scorer.waits(scorer.parse_hand(f"{FIVE} 1-3 1-3 5-5 5-6 1-2", "yaodiren"))
    assert [(wait.code, wait.score) for wait in found.waits] == [("1-2", 34), ("5-6", 34)]
    pongs = scorer.waits(scorer.parse_hand(f"{A17} 6-6 6-6 1-1 1-1 1-1", "yaodiren"))
    assert [(wait.code, wait.score) for wait in pongs.waits] == [("1-1", 34), ("6-6", 42)]
    assert any("有杠必杠" in warning for warning in pongs.warnings)
    assert scorer.waits(scorer.parse_hand(f"{FIVE} 1-3 1-3 2-6 5-6 1-2", "yaodiren")).waits == ()


def test_moving_a_meld_to_the_table_changes_nothing_but_its_kind() -> None:
    """RULES 8.7: a 吃 or 碰 is worth the same wherever it lies, and so is a 吐火 that is set down as one."""
    rng = Random(8)
    for _ in range(200):
        hand = complete("yaodiren", rng, rng.randrange(4), winning=False)
        before = scorer.score(hand)
        moved = rng.choice(before.melds[len(hand.melds) :])
        loose = Counter(hand.loose) - Counter(moved.cards)
        after = scorer.score(replace(hand, melds=(*hand.melds, moved), loose=tuple(sorted(loose.elements()))))
        assert Counter(after.lines) == Counter(before.lines)
        assert (after.total, after.settlement) == (before.total, before.settlement)


# ---- Options ---------------------------------------------------------------------------------------------


def test_a_4_mixed_sevens() -> None:
    assert scored(A02, mixed_sevens=True).wins
    with pytest.raises(scorer.ScorerError) as caught:
        scored(A02, mixed_sevens=False)
    assert caught.value.code == "impossible_meld"


def test_a_5_number_of_units() -> None:
    six = f"{OPEN} 碰(1-3 1-3 1-3) 碰(2-2 2-2 2-2) 2-5 2-5 !2-5"
    assert scored(six, units=6).total == 40
    with pytest.raises(scorer.ScorerError, match="6 to 10"):
        scored(six)


def test_a_6_and_a_7_rings() -> None:
    red, black = "响(1-1 1-1 1-1 1-1 1-1)", "响(3-3 3-3 3-3 3-3 3-3)"
    rung = scorer.parse_hand(f"{red} {black}", "yaodiren")
    assert scorer.score_part(rung, {}, {"ring_tuo": 4}).total == 16 + 8 + 8 + 4
    dealt = scorer.parse_hand("1-1 1-1 1-1 1-1 1-1", "yaodiren")
    counted = scorer.score_part(dealt, {}, {"quint_rings": True, "ring_tuo": 2})
    assert (counted.total, counted.detail["番"], counted.lines[0].name) == (20, 4, "五张吐火")


def test_a_16_two_players() -> None:
    assert scored(A02, dealer=True, seats=2).wins
    more = scored(A02, dealer=True, seats=2, two_player_tuo=2)
    assert more.reason is not None
    assert more.reason.short == {"陀": 2}
    assert scored(A02, dealer=True, two_player_tuo=2).wins


def test_a_20_loose_cards_alike() -> None:
    assert scored(f"{A17} 6-6 6-6 1-1 1-1 1-1 !6-6", loose_alike=False).wins is False
    closed = f"{A17} 吃(1-2 5-6 5-6) 6-6 6-6 !6-6"
    assert scored(closed, loose_alike=False).total == 34
    fire = f"{FIVE} 6-6 6-6 6-6 6-6 1-2 5-6 !5-6"
    assert scored(fire).total == 50
    why = scored(fire, loose_alike=False).reason
    assert why is not None
    assert why.code == "loose_units"


def test_a_21_loose_chi() -> None:
    hand = f"{FIVE} 1-3 1-3 5-5 5-6 1-2 !1-2"
    assert scored(hand, loose_chi=False).wins is False
    assert scored(f"{FIVE} 吃(1-3 1-3 5-5) 5-6 1-2 !1-2", loose_chi=False).total == 34


def test_a_22_and_a_23() -> None:
    rings = (
        "响(1-4 1-4 1-4 1-4 1-4) 响(4-4 4-4 4-4 4-4 4-4) 吃(1-2 5-6 5-6) 吃(1-3 1-3 5-5) 吃(1-6 1-6 2-5)"
        " 碰(3-3 3-3 3-3) 吃(1-1 6-6 6-6)"
    )
    assert scored(rings).detail["番"] == 8
    once = scored(rings, ring_once=True)
    assert once.detail["番"] == 7
    assert [(line.times, len(line.cards)) for line in once.lines if line.name == "吐火响"] == [(2, 10)]


def test_a_24_sevens_alike() -> None:
    hand = scorer.parse_hand("吃(1-6 1-6 1-6)", "yaodiren")
    assert scorer.score_part(hand, {}, {"alike_sevens": True}).total == 0
    loose = scorer.parse_hand("1-6 1-6 1-6", "yaodiren")
    assert scorer.score_part(loose, {}, {"alike_sevens": True}).total == 8


def test_a_28_payment() -> None:
    assert scored(A02, base=3).settlement == (48, -24, -24)
    assert scored(A02, base=3, payment="add").settlement == (24, -12, -12)
    lines = scored(A02, payment="add").lines
    assert [(line.name, line.times) for line in lines if line.times != 1] == [("一加番", 4)]
