"""From piles of a photograph to a hand: nothing is marked by guess (DESIGN section 2)."""

from __future__ import annotations

import pytest

import scorer
from scorer import PileIn, hand_from_piles, pile_kinds, write_hand


@pytest.mark.parametrize(
    ("rules", "cards", "kinds"),
    [
        ("shihu", "rK", ("吃",)),
        ("shihu", "gA gA", ("吃",)),
        ("shihu", "gA gA gA", ("碰",)),
        ("shihu", "gA gA gA gA", ("槓",)),
        ("shihu", "rP gP yP wP", ("吃",)),
        ("shihu", "rK gK", ()),
        ("shihu", "rK 1-1", ()),
        ("chuanpai", "2-6 6-6", ("摆",)),
        ("chuanpai", "2-6 2-6 2-6", ("碰", "暗")),
        ("chuanpai", "1-2 C 1-2", ("碰", "暗")),
        ("chuanpai", "1-6 3-4 2-5", ("燕",)),
        ("chuanpai", "2-6 2-6 2-6 2-6", ("扛",)),
    ],
)
def test_kinds_of_a_pile(rules: str, cards: str, kinds: tuple[str, ...]) -> None:
    assert pile_kinds(rules, cards.split()) == kinds


def table(cards: str) -> PileIn:
    return PileIn(tuple(cards.split()), table=True)


def test_only_marked_piles_are_melds() -> None:
    piles = [PileIn(("gA", "gA", "gA")), table("rR rR rR"), PileIn(("rK", "rA", "rB"), kind="吃")]
    assert write_hand(hand_from_piles("shihu", piles)) == "碰(rR rR rR) 吃(rK rA rB) gA gA gA"


def test_a_table_pile_that_is_no_meld_gets_the_usual_kind() -> None:
    """So that the count names the pile, instead of taking cards on the table for cards in hand."""
    hand = hand_from_piles("shihu", [table("rK gK"), table("rA rA rB rB"), table("rR rR rN")])
    assert [meld.kind for meld in hand.melds] == ["吃", "吃", "吃"]
    with pytest.raises(scorer.ScorerError) as caught:
        scorer.score_part(hand)
    assert caught.value.code == "impossible_meld"


def test_a_table_pile_of_no_kind_stays_loose() -> None:
    assert write_hand(hand_from_piles("shihu", [table("rA")])) == "rA"
    assert write_hand(hand_from_piles("shihu", [table("rA rB rK rR rN rC")])) == "rK rA rB rR rN rC"
    assert write_hand(hand_from_piles("chuanpai", [table("1-1 1-1 2-2 2-2")])) == "1-1 1-1 2-2 2-2"


def test_the_winning_card_leaves_the_loose_cards_first() -> None:
    piles = [table("rR rR rR"), PileIn(("rR", "rN", "rC"))]
    assert write_hand(hand_from_piles("shihu", piles, "rR")) == "碰(rR rR rR) rN rC !rR"


def test_a_pile_that_holds_the_winning_card_is_opened() -> None:
    assert write_hand(hand_from_piles("shihu", [table("rR rR rR"), PileIn(("rK",))], "rR")) == "rK rR rR !rR"


def test_wrong_piles() -> None:
    for piles, winning, code in (
        ([PileIn(("rK",))], "gK", "contradicting_facts"),
        ([PileIn(("C",))], None, "unknown_card"),
        ([PileIn(("rK",), kind="偎")], None, "unknown_kind"),
    ):
        with pytest.raises(scorer.ScorerError) as caught:
            hand_from_piles("shihu", piles, winning)
        assert caught.value.code == code
