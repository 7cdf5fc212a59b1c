"""What holds for every rule set, whatever the hand (RULES 8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Literal, TypeVar
from unicodedata import normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scorer
from scorer.book import itself
from scorer.cards import LANGUAGES
from tests.scorer.hands import complete, near

T = TypeVar("T")
RULES = scorer.rule_ids()
rules_ids = st.sampled_from(RULES)
seeds = st.integers(0, 2**32)


def any_hand(rules: str, rng: Random) -> scorer.Hand:
    return rng.choice((complete, near))(rules, rng, rng.randrange(5))


def tried(work: Callable[[], T]) -> T | scorer.ScorerError:
    """Return what the work returns, or the named error that it raises; anything else is a failure."""
    try:
        return work()
    except scorer.ScorerError as error:
        return error


def counted(hand: scorer.Hand) -> scorer.Score | str:
    scored = tried(lambda: scorer.score(hand))
    return scored.code if isinstance(scored, scorer.ScorerError) else scored


@given(rules_ids, seeds)
def test_notation_round_trip(rules: str, seed: int) -> None:
    hand = any_hand(rules, Random(seed))
    assert scorer.parse_hand(scorer.write_hand(hand), rules) == hand


@given(rules_ids, seeds, st.sampled_from(["zh-Hans", "zh-Hant"]))
def test_chinese_names_run_together(rules: str, seed: int, script: str) -> None:
    """Every card can be written by its name; run together they are read the same."""
    hand = any_hand(rules, Random(seed))
    face = scorer.rule_set(rules).cards.face
    text = "".join(face(card).name.get(script) for card in hand.loose)
    assert scorer.parse_hand(text, rules).loose == hand.loose


@given(rules_ids, seeds, st.sampled_from(LANGUAGES), st.sampled_from(["NFC", "NFD"]))
def test_names_of_every_language_are_read(
    rules: str, seed: int, language: str, form: Literal["NFC", "NFD"]
) -> None:
    """Set apart by commas, with composed and decomposed letters."""
    hand = any_hand(rules, Random(seed))
    face = scorer.rule_set(rules).cards.face
    text = ", ".join(face(card).name.get(language) for card in hand.loose)
    assert scorer.parse_hand(normalize(form, text), rules).loose == hand.loose


@given(rules_ids, seeds)
def test_order_never_matters(rules: str, seed: int) -> None:
    rng = Random(seed)
    hand = any_hand(rules, rng)
    loose, melds = list(hand.loose), list(hand.melds)
    rng.shuffle(loose)
    rng.shuffle(melds)
    shuffled = replace(hand, melds=tuple(melds), loose=tuple(loose))
    one, other = counted(hand), counted(shuffled)
    if isinstance(one, str) or isinstance(other, str):
        assert one == other
        return
    assert (one.total, one.wins, one.fault, one.factor, one.runner_up) == (
        other.total, other.wins, other.fault, other.factor, other.runner_up)  # fmt: skip
    assert Counter(one.lines) == Counter(other.lines)
    assert one.settlement == other.settlement
    assert one.detail == other.detail


@given(rules_ids, seeds)
def test_lines_and_melds_account_for_the_hand(rules: str, seed: int) -> None:
    """Every card is in exactly one meld, every line names cards of the hand, a settlement sums to zero."""
    hand = any_hand(rules, Random(seed))
    scored = counted(hand)
    if isinstance(scored, str):
        return
    assert sum(scored.settlement) == 0
    if not scored.melds:
        assert (scored.total, scored.lines, scored.wins) == (0, (), False)
        assert scored.reason is not None
        return
    cards = Counter(hand.cards())
    assert Counter(itself(card) for meld in scored.melds for card in meld.cards) == cards
    for line in scored.lines:
        assert not Counter(map(itself, line.cards)) - cards
        assert line.clause
    times = 1
    for line in scored.lines:
        times *= line.times
    assert times == scored.factor or not scored.wins
    points = sum(line.points for line in scored.lines)
    assert points == (scored.total if rules not in ("zipai", "paohuzi", "daer") else scored.detail["胡"])
    assert scored.wins or scored.reason is not None


@given(rules_ids, seeds)
def test_scoring_leaves_its_arguments(rules: str, seed: int) -> None:
    hand = any_hand(rules, Random(seed))
    facts: dict[str, object] = {"seats": scorer.rule_set(rules).seats[0]}
    before = (hand, dict(facts))
    first = scorer.score_json(scorer.score(hand, facts)) if not isinstance(counted(hand), str) else None
    again = scorer.score_json(scorer.score(hand, facts)) if first else None
    assert first == again
    assert (hand, facts) == before


@given(rules_ids, st.lists(st.integers(0, 40), min_size=1, max_size=40))
def test_any_cards_are_a_score_or_a_named_error(rules: str, picks: list[int]) -> None:
    codes = sorted(set(scorer.rule_set(rules).spellings.values()))
    cards = [codes[pick % len(codes)] for pick in picks]
    text = " ".join(cards[1:]) + f" !{cards[0]}"
    scored = tried(lambda: scorer.score(scorer.parse_hand(text, rules)))
    if isinstance(scored, scorer.ScorerError):
        assert scored.code in scorer.ERROR_CODES
    else:
        assert scored.wins or scored.reason is not None


@given(rules_ids, st.text(max_size=60))
def test_any_text_is_a_hand_or_a_named_error(rules: str, text: str) -> None:
    hand = tried(lambda: scorer.parse_hand(text, rules))
    if isinstance(hand, scorer.ScorerError):
        assert hand.code in scorer.ERROR_CODES
        assert str(hand)
    else:
        assert scorer.parse_hand(scorer.write_hand(hand), rules) == hand


@settings(max_examples=20)
@given(rules_ids, seeds)
def test_waits_are_exactly_the_cards_that_win(rules: str, seed: int) -> None:
    rng = Random(seed)
    whole = complete(rules, rng, rng.randrange(5))
    waiting = replace(whole, winning=None)
    found = {wait.code: wait.score for wait in scorer.waits(waiting).waits}
    for code in scorer.rule_set(rules).cards.index:
        scored = counted(replace(waiting, winning=code))
        wins = not isinstance(scored, str) and scored.wins
        assert wins == (code in found)
        if not isinstance(scored, str) and wins:
            assert found[code] == scored.total


@pytest.mark.parametrize("rules", RULES)
def test_a_card_too_many_is_named(rules: str) -> None:
    names = scorer.rule_set(rules)
    copies = names.cards.copies[names.composition]
    code = next(iter(copies))
    hand = scorer.parse_hand(" ".join([code] * (copies[code] + 1)), rules)
    with pytest.raises(scorer.ScorerError) as caught:
        scorer.score(hand)
    assert caught.value.code == "too_many_copies"
    assert code in str(caught.value)
