"""The page of a game in words, and the words that lead there."""

import re

import pytest
from flask.testing import FlaskClient

import scorer
from tests.webui.games.forms import new_table, page, plain
from tests.webui.page import LANGUAGES


@pytest.mark.parametrize("rules", scorer.rule_ids())
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_says_what_it_is_and_counts_two_hands(client: FlaskClient, rules: str, language: str) -> None:
    client.set_cookie("language", language)
    text = page(client, f"/games/rules/{rules}")
    found, table = scorer.glossary(rules), scorer.rule_set(rules)
    told = plain(text)
    for part in (found.about, found.counting, found.pays, *(word.text for word in found.words)):
        assert part.get(language) in told
    assert text.count('class="sum"') == 2
    for example in found.hands:
        counted = scorer.score(scorer.parse_hand(example.hand, rules), example.facts)
        assert not counted.total or f"{counted.total} {table.unit.get(language)}" in told
        for step in counted.payment:
            assert table.say_payment(step.code, language, step.numbers) in told


def test_there_is_no_page_of_a_game_that_there_is_not(client: FlaskClient) -> None:
    page(client, "/games/rules/poker", 404)


@pytest.mark.parametrize(
    ("language", "words"), [("en", ["醒", "颗子", "王撞"]), ("vi", ["醒", "颗子"]), ("zh-Hans", [])]
)
def test_a_word_that_a_language_keeps_leads_to_what_it_means(
    client: FlaskClient, language: str, words: list[str]
) -> None:
    table = new_table(client, "zipai", "甲乙丙")
    client.set_cookie("language", language)
    text = page(client, f"{table}/settings")
    links = dict(re.findall(r'<a class="term" href="/games/rules/zipai#([^"]+)">([^<]+)</a>', text))
    assert set(words) <= set(links.values())
    assert bool(links) == bool(words)
    there = page(client, "/games/rules/zipai")
    for word in words:
        assert f'id="w-{word}"' in there


def test_a_word_of_letters_is_no_part_of_another(app) -> None:  # type: ignore[no-untyped-def]
    from webui.games.glossary import explained

    with app.test_request_context(headers={"Accept-Language": "en"}):
        said = str(explained("Lệnh of a khạp, <b>khạps</b>", "tusac"))
        assert said.count('class="term"') == 2
        assert "&lt;b&gt;khạps&lt;/b&gt;" in said
