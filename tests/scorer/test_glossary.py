"""Each game in words: complete in every language, its hands counted by the game itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

import scorer
from scorer import Names
from scorer.cards import LANGUAGES
from tests.scorer.test_tables import names_of


def said(rules: str) -> Iterator[Names]:
    found = scorer.glossary(rules)
    yield from (found.about, found.counting, found.pays)
    yield from (word.text for word in found.words)


@pytest.mark.parametrize("rules", scorer.rule_ids())
def test_a_game_is_told_in_every_language(rules: str) -> None:
    for text in said(rules):
        assert set(text.by_language) == set(LANGUAGES)
        assert all(text.by_language.values())


@pytest.mark.parametrize("rules", scorer.rule_ids())
def test_every_word_that_english_keeps_is_explained(rules: str) -> None:
    kept = re.compile(r"[\u4e00-\u9fff]+|\b\w*[^\W\da-zA-Z\u4e00-\u9fff]\w*\b")
    words = [form.lower() for word in scorer.glossary(rules).words for form in (word.word, *word.also)]
    assert len(words) == len(set(words))
    forms = sorted(words, key=len, reverse=True)
    for names in names_of(rules):
        if names is scorer.rule_set(rules).name:
            continue
        left = names.get("en").lower()
        for form in forms:
            left = left.replace(form, "")
        assert kept.findall(left) == [], names.get("en")


@pytest.mark.parametrize("rules", scorer.rule_ids())
def test_the_hands_win(rules: str) -> None:
    examples = scorer.glossary(rules).hands
    assert len(examples) == 2
    for example in examples:
        counted = scorer.score(scorer.parse_hand(example.hand, rules), example.facts)
        assert counted.wins
        assert counted.lines or rules == "chuanpai"


def test_an_unknown_game_has_no_words() -> None:
    with pytest.raises(scorer.ScorerError):
        scorer.glossary("poker")
