"""字牌 永州 (RULES 4): the vectors, the options, and a brute force that knows the rules only from the text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest

import scorer
from scorer.book import stands_for
from scorer.hand import make_hand
from tests.scorer.hands import complete, near
from tests.scorer.oracle import SCALE
from tests.scorer.zipai_oracle import CODES, Told, divisions, place

B01 = "碰(伍伍伍) 偎(陆陆陆) 一二三 二七十 四五六 八八捌 九九 !玖"
B05 = "清(玖玖玖玖) 碰(三三三) 一二三 四五六 七柒柒 六七八"
B07 = "清(捌捌捌捌) 坎(伍伍伍) 吃(三四五) 九九玖 四五六 三三叁 肆 !肆"
B08 = B07.replace("九九玖", "七八九")
B09 = "坎(贰贰贰) 二七十 碰(拾拾拾) 一二三 四五六 八八捌 九九 !玖"
B19 = "伍伍伍 一二三 二七十 吃(六七八) 八八捌 九九玖 拾拾 !伍"
B20 = "吃(一二三) 吃(二七十) 吃(壹贰叁) 吃(八八捌) 吃(九九玖) 吃(四五六) 伍 王 !伍"
B21 = "吃(一二三) 吃(二七十) 吃(八八捌) 吃(九九玖) 伍伍伍 王 十十 四五 !六"
B23 = "吃(一二三) 吃(一二三) 坎(壹壹壹) 清(贰贰贰贰) 吃(四肆肆) 叁 王 三三 !叁"
ZIMO: Mapping[str, object] = {"self_drawn": True}


def scored(
    text: str, facts: Mapping[str, object] | None = None, options: Mapping[str, object] | None = None
) -> scorer.Score:
    return scorer.score(scorer.parse_hand(text, "zipai"), facts or {}, options or {})


def refused(text: str, facts: Mapping[str, object] | None = None, **options: object) -> str:
    with pytest.raises(scorer.ScorerError) as caught:
        scored(text, facts, options)
    return caught.value.code


def part(text: str) -> int:
    return scorer.score_part(scorer.parse_hand(text, "zipai")).total


# ---- the vectors of RULES 4.2 ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("vector", "text", "facts", "hu", "kezi", "total"),
    [
        ("B-01 点炮", B01, {}, 15, 1, 1),
        ("B-01 自摸", B01, ZIMO, 15, 1, 2),
        ("B-02", "碰(伍伍伍) 碰(陆陆陆) 偎(三三三) 二七十 碰(九九九) 碰(八八八) 四五 !六", {}, 14, 0, 0),
        ("B-03", "清(一一一一) 碰(捌捌捌) 碰(三三三) 碰(五五五) 二七十 六七八 玖 !玖", {}, 17, 1, 1),
        ("B-04", "清(一一一一) 碰(捌捌捌) 偎(三三三) 二七十 五五伍 六七八 玖 !玖", {}, 18, 2, 2),
        ("B-05", f"{B05} 捌 !捌", {}, 16, 1, 1),
        ("B-06", "跑(八八八八) 清(玖玖玖玖) 一二三 吃(四五六) 陆柒捌 五五伍 叁 !叁", {}, 21, 3, 3),
        ("B-07 点炮", B07, {}, 18, 2, 8),
        ("B-07 自摸", B07, ZIMO, 18, 2, 16),
        ("B-08 点炮", B08, {}, 18, 2, 6),
        ("B-08 自摸", B08, ZIMO, 18, 2, 12),
        ("B-09 点炮", B09, {}, 15, 1, 2),
        ("B-09 自摸", B09, ZIMO, 15, 1, 4),
        ("B-10", B09.replace("一二三", "坎(陆陆陆)"), {}, 18, 2, 2),
        ("B-11", "碰(伍伍伍) 吃(六七八) 吃(八八捌) 吃(九九玖) 一一二二三三壹贰 !叁", {}, 15, 1, 1),
        ("B-12", "跑(捌捌捌捌) 四五六 五六七 壹壹贰贰叁叁肆肆九九 !玖", {}, 21, 3, 3),
        ("B-16", f"{B05} 王 !捌", ZIMO, 16, 1, 4),
        ("B-16 by the fact", f"{B05} 王 捌", {"wang_diao": True}, 16, 1, 4),
        ("B-19 drawn by another", B19, {}, 15, 1, 1),
        ("B-20 drawn by another", B20, {}, 15, 1, 1),
        ("B-20 self-drawn", B20, ZIMO, 18, 2, 4),
        ("B-21", B21, {}, 18, 2, 2),
        ("B-22", B21.replace("伍伍伍", "偎(伍伍伍)"), {}, 15, 1, 1),
        ("B-23", B23, {}, 24, 4, 16),
    ],
)
def test_vector(vector: str, text: str, facts: Mapping[str, object], hu: int, kezi: int, total: int) -> None:
    found = scored(text, facts)
    assert (found.detail["胡"], found.detail["颗子"], found.total) == (hu, kezi, total), vector
    assert found.wins == (total > 0)


@pytest.mark.parametrize(
    ("cards", "loose_three", "peng", "loose_four", "run"),
    [("捌", 6, 3, 12, 9), ("八", 3, 1, 9, 6)],
)
def test_b13_values_of_equal_cards(
    cards: str, loose_three: int, peng: int, loose_four: int, run: int
) -> None:
    assert part(cards * 3) == part(f"坎({cards * 3})") == part(f"偎({cards * 3})") == loose_three
    assert part(f"碰({cards * 3})") == peng
    assert part(cards * 4) == part(f"清({cards * 4})") == loose_four
    assert part(f"跑({cards * 4})") == run


@pytest.mark.parametrize(
    ("cards", "value"),
    [("贰柒拾", 6), ("壹贰叁", 6), ("二七十", 3), ("一二三", 3), ("三四五", 0), ("十十拾", 0), ("九九", 0)],
)
def test_b13_values_of_other_units(cards: str, value: int) -> None:
    assert part(cards) == part(f"吃({cards})") == value


@pytest.mark.parametrize(
    ("hu", "kezi", "melds"),
    [
        (14, 0, "偎(伍伍伍) 偎(陆陆陆) 碰(一一一) 碰(九九九) 吃(六七八) 吃(二三四)"),
        (15, 1, "偎(伍伍伍) 偎(陆陆陆) 碰(叁叁叁) 吃(三四五) 吃(六七八) 吃(二三四)"),
        (17, 1, "偎(伍伍伍) 偎(陆陆陆) 碰(叁叁叁) 碰(一一一) 碰(九九九) 吃(二三四)"),
        (18, 2, "偎(伍伍伍) 偎(陆陆陆) 偎(捌捌捌) 吃(三四五) 吃(六七八) 吃(二三四)"),
        (20, 2, "偎(伍伍伍) 偎(陆陆陆) 偎(捌捌捌) 碰(一一一) 碰(九九九) 吃(二三四)"),
        (21, 3, "偎(伍伍伍) 偎(陆陆陆) 偎(捌捌捌) 碰(叁叁叁) 吃(六七八) 吃(二三四)"),
        (23, 3, "偎(伍伍伍) 偎(陆陆陆) 偎(捌捌捌) 碰(叁叁叁) 碰(一一一) 碰(九九九)"),
        (24, 4, "偎(伍伍伍) 偎(陆陆陆) 偎(捌捌捌) 偎(玖玖玖) 吃(六七八) 吃(二三四)"),
        (27, 5, "偎(伍伍伍) 偎(陆陆陆) 偎(捌捌捌) 偎(玖玖玖) 碰(叁叁叁) 吃(二三四)"),
        (30, 6, "偎(伍伍伍) 偎(陆陆陆) 偎(捌捌捌) 偎(玖玖玖) 坎(肆肆肆) 吃(二三四)"),
    ],
)
def test_b14_kezi_by_hu(hu: int, kezi: int, melds: str) -> None:
    found = scored(f"{melds} 十十 !拾")
    assert (found.detail["胡"], found.detail["颗子"], found.wins) == (hu, kezi, kezi > 0)


@pytest.mark.parametrize(("turned", "xing"), [("七", 2), ("柒", 1), ("十", 1), ("拾", 0)])
def test_b15_xing(turned: str, xing: int) -> None:
    three = scored(B01, {"turned": turned})
    assert (three.detail["醒"], three.total, three.settlement) == (
        xing,
        1 + xing,
        (2 + 2 * xing, -1 - xing, -1 - xing),
    )
    four = scored(B01, {"turned": turned, "seats": 4})
    assert (four.detail["醒"], four.total) == (2 * xing, 1 + 2 * xing)
    assert four.settlement == (2 + 4 * xing, -1 - 2 * xing, -1 - 2 * xing, 0)


def test_b17_pair_exactly_with_a_four() -> None:
    assert refused(f"{B05} !捌") == "wrong_card_count"
    assert refused("清(玖玖玖玖) 碰(三三三) 一二三 四五六 七柒柒 捌捌 肆 !肆") == "wrong_card_count"
    two_pairs = scored(f"{B05} 捌捌 肆 !肆")
    no_four = scored(f"{B01.replace('!', '')} 肆 !肆")
    assert [(each.wins, each.lines) for each in (two_pairs, no_four)] == [(False, ())] * 2
    assert no_four.reason is not None
    assert no_four.reason.code == "wrong_shape"


def test_b18_fifth_copy() -> None:
    assert refused("碰(伍伍伍) 伍伍 一二三 二七十 四五六 八八捌 九九玖 !六") == "too_many_copies"
    # With three 捌 set down and the fourth drawn, no 王 can stand for 捌 in its pair (B32).
    assert scored("清(玖玖玖玖) 碰(捌捌捌) 吃(一二三) 吃(四五六) 吃(七柒柒) 吃(六七八) 王 !捌").melds == ()


def test_b19_self_drawn_fourth() -> None:
    found = scored(B19, ZIMO)
    assert (found.wins, found.total, found.settlement) == (False, 0, (0, 0, 0))
    assert found.reason is not None
    assert found.reason.code == "must_qing"
    assert ("清", ("b5",) * 4) in [(meld.kind, meld.cards) for meld in found.melds]


def test_b21_b22_where_the_wang_stands() -> None:
    made = {meld.cards: meld.kind for meld in scored(B21).melds}
    assert made["b5", "b5", "b5", "W=b5"] == "清"
    made = {meld.cards: meld.kind for meld in scored(B21.replace("伍伍伍", "偎(伍伍伍)")).melds}
    assert made["b5", "b5", "b5"] == "偎"


# ---- the winning card ------------------------------------------------------------------------------------


def test_self_drawn_third_wins_nowhere() -> None:
    text = "碰(伍伍伍) 偎(陆陆陆) 吃(贰柒拾) 吃(一二三) 吃(二七十) 八八捌 六七 !八"
    assert scored(text).wins
    drawn = scored(text, ZIMO)
    assert not drawn.wins
    assert drawn.reason is not None
    assert (drawn.reason.code, drawn.reason.cards) == ("must_xiao", ("s8",))


@pytest.mark.parametrize("kind", ["偎", "坎"])
def test_fourth_on_a_closed_three(kind: str) -> None:
    text = f"{kind}(伍伍伍) 吃(一二三) 吃(二七十) 吃(六七八) 吃(八八捌) 吃(九九玖) 拾拾 !伍"
    by_other = scored(text)
    assert (by_other.total, by_other.melds[0].kind, by_other.melds[0].shown) == (1, "跑", True)
    drawn = scored(text, ZIMO)
    assert (drawn.wins, drawn.melds[0].kind, drawn.melds[0].shown) == (False, "清", False)
    allowed = scored(text, ZIMO, {"win_by_qing": True})
    assert (allowed.wins, allowed.detail["胡"], allowed.total) == (True, 18, 4)


def test_winning_wang() -> None:
    text = "清(玖玖玖玖) 碰(三三三) 吃(一二三) 吃(四五六) 吃(七柒柒) 吃(六七八) 王 !王"
    assert refused(text) == "contradicting_facts"
    assert scored(text, ZIMO).factor == 4
    beside_a_card = text.replace("王 !王", "捌 !王")
    assert scored(beside_a_card, ZIMO).factor == 2
    assert scored(beside_a_card, ZIMO, {"drawn_wang_waited": True}).factor == 4


def test_wang_chuang() -> None:
    text = "碰(伍伍伍) 偎(陆陆陆) 吃(一二三) 吃(二七十) 吃(四五六) 吃(九九玖) 王王 !捌"
    found = scored(text)
    assert (found.detail["胡"], found.factor, found.total) == (21, 8, 24)
    assert scored(text, ZIMO).factor == 8
    assert scored(text, ZIMO, {"zimo_times_wang": True}).factor == 16
    # All four 一 are in the hand, so the two 王 beside one can make no three alike.
    only_eaten = "碰(伍伍伍) 偎(陆陆陆) 偎(捌捌捌) 坎(一一一) 吃(六七八) 吃(二三四) 王王 !一"
    assert scored(only_eaten).factor == 8
    assert scored(only_eaten, {}, {"chuang_alike": True}).factor == 1


def test_facts_without_a_winning_card() -> None:
    pair = f"{B05} 王 捌"
    assert scored(pair).factor == 1
    assert scored(pair, {"wang_diao": True}).factor == 4
    assert refused(pair, {"wang_chuang": True}) == "contradicting_facts"
    three = "碰(伍伍伍) 偎(陆陆陆) 吃(一二三) 吃(二七十) 吃(四五六) 吃(九九玖) 王王 捌"
    assert scored(three, {"wang_chuang": True}).factor == 8
    assert scored(three, {"wang_diao": True}).factor == 1
    assert refused(three, {"wang_diao": True, "wang_chuang": True}) == "contradicting_facts"
    assert refused(B01, {"wang_diao": True}) == "contradicting_facts"
    marked = scored(f"{B05} 王 !捌", {"wang_diao": True})
    assert (marked.factor, "marked" in " ".join(marked.warnings)) == (4, True)


def test_turned_card_can_not_be_in_the_hand_four_times() -> None:
    assert refused(f"{B05} 捌 !捌", {"turned": "玖"}) == "contradicting_facts"
    assert refused(f"{B05} 王 !王", {"turned": "王", **ZIMO}) == "contradicting_facts"


# ---- options, each with its clause in the table ------------------------------------------------------------


def test_b1_number_of_wang() -> None:
    text = "碰(伍伍伍) 偎(陆陆陆) 吃(一二三) 吃(二七十) 吃(四五六) 王王王 捌 玖 !玖"
    assert refused(text) == "too_many_copies"
    assert scored(text, {}, {"wang": 4}).wins
    assert refused(text, wang=0) == "too_many_copies"


def test_b2_kan_without_hu() -> None:
    text = "坎(伍伍伍) 偎(陆陆陆) 捌捌捌 吃(一二三) 吃(二七十) 吃(四五六) 九九 !玖"
    assert scored(text).detail["胡"] == 24
    assert scored(text, {}, {"kan_hu": False}).detail["胡"] == 12


def test_b9_red_win() -> None:
    assert (scored(B09).factor, scored(B09, {}, {"red_win": False}).factor) == (2, 1)


def test_b10_self_drawn_times_wang() -> None:
    text = f"{B05} 王 !捌"
    assert [scored(text, ZIMO, {"zimo_times_wang": on}).factor for on in (False, True)] == [4, 8]


def test_b11_xing_multiplies() -> None:
    found = scored(B01, {"turned": "七", "seats": 4, **ZIMO}, {"xing": "multiply", "share_xing": True})
    # One 颗子 x (1 + 4) x 2 = 10, of which 8 for the 醒: half of 2 x 8 goes to the one who sits out.
    assert (found.total, found.factor, found.settlement) == (10, 10, (12, -10, -10, 8))


def test_b12_exposed_xing() -> None:
    exposed = {"xing_exposed": True}
    assert scored(B01, {"turned": "七"}, exposed).detail["醒"] == 0
    assert scored(B01, {"turned": "肆"}, exposed).detail["醒"] == 3
    assert scored(B01, {"turned": "伍"}, exposed).detail["醒"] == 0
    assert scored(B19, {"turned": "肆"}, exposed).detail["醒"] == 4
    assert scored(B20, {"turned": "肆"}, exposed).detail["醒"] == 3
    assert scored(B20, {"turned": "肆", **ZIMO}, exposed).detail["醒"] == 0


def test_b15_wang_and_xing() -> None:
    assert scored(B20, {"turned": "肆"}).detail["醒"] == 3
    assert scored(B20, {"turned": "肆"}, {"xing_wang": False}).detail["醒"] == 2
    assert scored(B01, {"turned": "王"}).total == 1
    assert scored(B01, {"turned": "王", "seats": 4}, {"turned_wang": 2}).total == 5


def test_b16_colour_of_a_wang() -> None:
    text = "坎(贰贰贰) 碰(拾拾拾) 吃(二七十) 碰(伍伍伍) 碰(陆陆陆) 吃(四五六) 八九 !王"
    assert [scored(text, ZIMO, {"wang_colour": on}).factor for on in (True, False)] == [4, 2]


def test_b21_who_pays() -> None:
    assert scored(B01, {"seats": 4}, {"drawer_pays": True, "stake": 5}).settlement == (10, -10, 0, 0)
    assert scored(B01, ZIMO, {"drawer_pays": True}).settlement == (4, -2, -2)


def test_b31_third_beside_a_wang() -> None:
    assert [scored(B20, {}, {"wang_third_kan": on}).detail["胡"] for on in (False, True)] == [15, 18]


def test_b32_wang_as_a_fourth() -> None:
    fixed = B21.replace("伍伍伍", "碰(伍伍伍)")
    assert [scored(B21, {}, {"wang_fourth": where}).detail["胡"] for where in ("none", "kan", "any")] == [
        15,
        18,
        18,
    ]
    assert [scored(fixed, {}, {"wang_fourth": where}).detail["胡"] for where in ("kan", "any")] == [12, 15]


def test_b34_wang_needs_self_drawn() -> None:
    by_other = scored(B20, {}, {"wang_needs_zimo": True})
    assert (by_other.wins, by_other.total) == (False, 0)
    assert by_other.reason is not None
    assert by_other.reason.code == "wang_zimo"
    assert scored(B20, ZIMO, {"wang_needs_zimo": True}).wins


def test_b36_shared_xing() -> None:
    facts = {"turned": "七", "seats": 4}
    assert scored(B01, facts, {"share_xing": True}).settlement == (6, -5, -5, 4)
    assert scored(B01, {"turned": "七"}, {"share_xing": True}).settlement == (6, -3, -3)


# ---- warnings and waits ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "facts", "word"),
    [
        (B01, {}, "Only a drawn card wins"),
        (B01.replace("!", ""), {}, "winning card"),
        (B20, {}, "only self-drawn"),
        ("碰(捌捌捌) 偎(伍伍伍) 吃(一二三) 吃(二七十) 吃(四五六) 碰(玖玖玖) 陆柒 !捌", {}, "run (跑)"),
        (B19, {}, "下火"),
    ],
)
def test_warning(text: str, facts: Mapping[str, object], word: str) -> None:
    assert any(word in warning for warning in scored(text, facts).warnings)


def test_waits() -> None:
    waiting = scorer.parse_hand(f"{B05} 王", "zipai")
    found = {wait.code: wait.score for wait in scorer.waits(waiting).waits}
    # Every card of which two copies may count is a pair with the 王; only the fourth 玖 and the 王 are not to come.
    assert {"b8", "s10", "b1"} <= set(found)
    assert "W" not in found
    assert "b9" not in found
    assert found["b8"] == 4
    assert "W" in {wait.code for wait in scorer.waits(waiting, ZIMO).waits}


# ---- properties ------------------------------------------------------------------------------------------


def test_dealt_threes_and_fours_are_never_split() -> None:
    rng = Random(4)
    seen = 0
    for _ in range(400):
        hand = complete("zipai", rng, rng.randrange(4))
        found = scorer.score(hand)
        own = found.melds[len(hand.melds) :]
        for code, number in Counter(hand.loose).items():
            if number > 2 and own:
                (holder,) = [meld for meld in own if meld.cards.count(code) >= number]
                assert {stands_for(card) for card in holder.cards} == {code}
                seen += 1
    assert seen > 100


def test_big_and_small_change_places() -> None:
    rng = Random(5)
    swap = str.maketrans("sb", "bs")
    for _ in range(200):
        hand = complete("zipai", rng, rng.randrange(5), winning=False)
        melds = tuple(
            replace(meld, cards=tuple(card.translate(swap) for card in meld.cards)) for meld in hand.melds
        )
        loose = [card.translate(swap) for card in hand.loose]
        one, other = scorer.score(hand), scorer.score(make_hand(scorer.rule_set("zipai"), melds, loose, None))
        assert bool(one.melds) == bool(other.melds)
        if "W" not in hand.loose and one.melds:
            assert one.detail["红"] == other.detail["红"]


def test_a_kan_written_as_fixed_is_the_same() -> None:
    rng = Random(6)
    moved = 0
    for _ in range(200):
        hand = complete("zipai", rng, rng.randrange(3))
        threes = [code for code, number in Counter(hand.loose).items() if number == 3]
        if threes and "W" not in hand.loose:
            kan = scorer.Meld("坎", (threes[0],) * 3, False)
            loose = [card for card in hand.loose if card != threes[0]]
            fixed = make_hand(scorer.rule_set("zipai"), (*hand.melds, kan), loose, hand.winning)
            one, other = scorer.score(hand), scorer.score(fixed)
            assert (one.total, one.wins, Counter(one.lines)) == (
                other.total,
                other.wins,
                Counter(other.lines),
            )
            moved += 1
    assert moved > 50


# ---- against brute force ---------------------------------------------------------------------------------


def with_wang(rng: Random, hand: scorer.Hand, number: int) -> scorer.Hand:
    """Return the hand with so many loose cards replaced by 王, now and then the winning card too."""
    loose = list(hand.loose)
    for _ in range(number - loose.count("W")):
        loose[rng.randrange(len(loose))] = "W"
    drawn = number and rng.random() < 0.15 and loose.count("W") < 4
    return make_hand(scorer.rule_set("zipai"), hand.melds, loose, "W" if drawn else hand.winning)


def house(rng: Random) -> dict[str, Any]:
    """Return some options away from their defaults."""
    chosen: dict[str, Any] = {"wang": 4}
    for option in scorer.rule_set("zipai").options:
        if rng.random() < 0.3 and option.name not in ("wang", "stake"):
            chosen[option.name] = rng.choice(option.choices or (True, False))
    return chosen


def any_case(rng: Random) -> tuple[scorer.Hand, dict[str, Any]]:
    """Return a random hand with facts."""
    number = rng.choices((0, 1, 2, 3, 4), (50, 30, 12, 5, 3))[0]
    make = complete if rng.random() < 0.7 else near
    hand = with_wang(rng, make("zipai", rng, rng.randrange(number, 7)), number)
    if rng.random() < 0.2:
        hand = make_hand(scorer.rule_set("zipai"), hand.melds, [*hand.loose, str(hand.winning)], None)
    facts: dict[str, Any] = {
        "self_drawn": rng.random() < 0.4 or hand.winning == "W",
        "seats": rng.choice((3, 4)),
    }
    if rng.random() < 0.4:
        facts["turned"] = rng.choice([*CODES, "W"])
    if hand.winning is None and "W" in hand.loose and rng.random() < 0.6:
        facts[rng.choice(("wang_diao", "wang_chuang"))] = True
    return hand, facts


def told(hand: scorer.Hand, facts: Mapping[str, Any], options: Mapping[str, Any]) -> Told:
    melds = [(meld.kind, meld.cards) for meld in hand.melds]
    return Told(melds, hand.loose, hand.winning, options=options, **facts)


def check(hand: scorer.Hand, facts: Mapping[str, Any], options: Mapping[str, Any]) -> str:
    """Compare a hand with the brute force; return what came out."""
    try:
        found = scorer.score(hand, facts, options)
    except scorer.ScorerError as error:
        return error.code
    ways = sorted(
        divisions(told(hand, facts, options)).values(),
        key=lambda way: ([-each for each in way.rank], way.tie),
    )
    if not ways:
        assert (found.total, found.wins, found.melds) == (0, False, ())
        return "undivided"
    wins, _, hu, total = ways[0].rank
    assert (found.wins, found.total, found.detail["胡"]) == (bool(wins), total, hu)
    assert tuple(sorted(place(meld.kind, meld.cards) for meld in found.melds)) == ways[0].tie
    assert found.runner_up == (ways[1].rank[3] if len(ways) > 1 else None)
    return "wins" if wins else "short"


@pytest.mark.parametrize("seed", range(4))
def test_against_brute_force(seed: int) -> None:
    """A thousand hands at the defaults (with four 王), a thousand in twenty other houses."""
    rng = Random(seed)
    houses = [{"wang": 4}] if seed < 2 else [house(rng) for _ in range(10)]
    seen: Counter[str] = Counter()
    for at in range(500 * SCALE):
        seen[check(*any_case(rng), houses[at * len(houses) // (500 * SCALE)])] += 1
    assert seen["wins"] > 150 * SCALE
    assert seen["short"] > 30 * SCALE
    assert seen["undivided"] > 50 * SCALE
    assert seen["wins"] + seen["short"] + seen["undivided"] > 450 * SCALE
