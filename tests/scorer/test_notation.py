"""The notation of hands (DESIGN section 3): what is read, how it is written, what is no hand."""

from __future__ import annotations

import unicodedata

import pytest

import scorer
from scorer import Hand, Meld

GOOD = {
    "codes": ("rK rA !rB", "rK rA !rB"),
    "names": ("红将 紅士 ！红相", "rK rA !rB"),
    "run together": ("红帅红仕红相", "rK rA rB"),
    "codes run together": ("rKrAgK", "rK rA gK"),
    "full width": ("碰（红马红馬红傌）　rK", "碰(rN rN rN) rK"),
    "synonym": ("杠(yN yN yN yN)", "槓(yN yN yN yN)"),
    "deck order": ("wP rK gA yB", "rK gA yB wP"),
    "melds as given": ("吃(rB rA rK) 碰(gR gR gR)", "吃(rB rA rK) 碰(gR gR gR)"),
    "mark in the middle": ("rK !rA rB", "rK rB !rA"),
    "spaces in a meld": ("吃( rK  rA rB )", "吃(rK rA rB)"),
    "lines": ("rK\nrA\t!rB", "rK rA !rB"),
    "Vietnamese": ("碰(xe đỏ xe đỏ xe đỏ) tướng vàng !sĩ trắng", "碰(rR rR rR) yK !wA"),
    "Vietnamese, tone marks apart": (
        unicodedata.normalize("NFD", "碰(tượng xanh, tượng  xanh, Tượng Xanh)"),
        "碰(gB gB gB)",
    ),
    "another word": ("tốt đỏ sỹ đỏ", "rA rP"),
    "English": ("red chariot, white soldier, !Yellow general", "rR wP !yK"),
    "several alike": ("碰(xe đỏ x3) gP x2 红将 ×2", "碰(rR rR rR) rK rK gP gP"),
}


@pytest.mark.parametrize(("text", "canonical"), GOOD.values(), ids=GOOD)
def test_read_and_written(text: str, canonical: str) -> None:
    hand = scorer.parse_hand(text, "shihu")
    assert scorer.write_hand(hand) == canonical
    assert scorer.parse_hand(canonical, "shihu") == hand


def test_parts_of_a_hand() -> None:
    hand = scorer.parse_hand("碰(yN yN yN) rA rK !gK", "shihu")
    assert hand == Hand("shihu", (Meld("碰", ("yN", "yN", "yN"), True),), ("rK", "rA"), "gK")
    assert hand.cards() == ["yN", "yN", "yN", "rK", "rA", "gK"]


def test_hidden_kinds_are_not_shown() -> None:
    hand = scorer.parse_hand("暗(3-3 3-3 3-3) 碰(2-5 2-5 2-5) 杠(1-1 1-1 1-1 1-1)", "chuanpai")
    assert [(meld.kind, meld.shown) for meld in hand.melds] == [("暗", False), ("碰", True), ("扛", True)]


def test_one_name_per_card_and_game() -> None:
    """拐子 is a three here; 丁丁 is one card, so 丁 alone is none (RULES C16)."""
    assert scorer.parse_hand("拐子丁丁二三", "chuanpai").loose == ("1-2", "1-2", "2-3")
    assert scorer.deck("chuanpai").face("1-2").name.hans == "丁丁"
    assert scorer.deck("chuanpai").face("2-3").name.hans == "二三"
    with pytest.raises(scorer.ScorerError) as caught:
        scorer.parse_hand("丁", "chuanpai")
    assert caught.value.code == "unknown_card"


BAD = {
    "empty": ("", "bad_notation"),
    "blank": (" 　", "bad_notation"),
    "open": ("碰(rR rR rR", "bad_notation"),
    "closed": ("rR)", "bad_notation"),
    "nested": ("碰(碰(rR))", "bad_notation"),
    "no kind": ("(rR rR rR)", "bad_notation"),
    "no cards": ("碰()", "bad_notation"),
    "space before": ("碰 (rR rR rR)", "bad_notation"),
    "glued before": ("rK碰(rR rR rR)", "unknown_kind"),
    "glued after": ("碰(rR rR rR)rK", "bad_notation"),
    "glued melds": ("碰(rR rR rR)碰(rN rN rN)", "bad_notation"),
    "mark inside": ("碰(rR rR !rR)", "bad_notation"),
    "mark twice": ("rK !rA !rB", "bad_notation"),
    "mark alone": ("rK !", "bad_notation"),
    "mark apart": ("rK ! rA", "bad_notation"),
    "mark of two": ("rK !红士红士", "bad_notation"),
    "glued mark": ("rK!rA", "bad_notation"),
    "too long": ("rK " * 700, "bad_notation"),
    "unknown card": ("rK xQ", "unknown_card"),
    "half a Vietnamese name": ("xe", "unknown_card"),
    "several of the mark": ("!rK x2", "unknown_card"),
    "several of nothing": ("x3 rK", "unknown_card"),
    "too many at once": ("rK x9 " * 90, "bad_notation"),
    "card of another deck": ("1-1", "unknown_card"),
    "half a name": ("红将红", "unknown_card"),
    "unknown kind": ("偎(rR rR rR)", "unknown_kind"),
    "notation before card": ("xQ (rR)", "bad_notation"),
    "card before kind": ("偎(rR rR xQ)", "unknown_card"),
}


@pytest.mark.parametrize(("text", "code"), BAD.values(), ids=BAD)
def test_no_hand(text: str, code: str) -> None:
    with pytest.raises(scorer.ScorerError) as caught:
        scorer.parse_hand(text, "shihu")
    assert caught.value.code == code
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize(
    ("rules", "text", "culprit"),
    [
        ("shihu", "rK 红将红x", "红x"),
        ("shihu", "wild(rK)", "wild"),
        ("chuanpai", "天牌地牌王", "王"),
        ("chuanpai", "7-7", "7-7"),
    ],
)
def test_the_culprit_is_named(rules: str, text: str, culprit: str) -> None:
    with pytest.raises(scorer.ScorerError) as caught:
        scorer.parse_hand(text, rules)
    assert caught.value.culprit == culprit
    assert culprit in str(caught.value)


def test_unknown_rules_come_after_bad_notation() -> None:
    for text, code in (("rK", "unknown_rules"), ("(rK", "bad_notation")):
        with pytest.raises(scorer.ScorerError) as caught:
            scorer.parse_hand(text, "mahjong")
        assert caught.value.code == code


def test_cards_that_can_be_read_in_two_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    """No game's names are ambiguous today; a deck whose names are must say so instead of guessing."""
    names = {"ab": "rK", "a": "rA", "b": "rB", "abab": "gK"}
    rules = scorer.rule_set("shihu")
    monkeypatch.setitem(rules.__dict__, "spellings", names)
    from scorer.notation import read_cards

    for text in ("ab", "abab", "ababab"):
        with pytest.raises(scorer.ScorerError, match="can be read as") as caught:
            read_cards(rules, text)
        assert caught.value.code == "bad_notation"
