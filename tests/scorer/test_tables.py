"""The decks and rule sets as tables: complete, in three languages, and what the documents say."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import FrozenInstanceError

import pytest

import scorer
from scorer import Names
from scorer.cards import names


@pytest.mark.parametrize(
    ("deck", "composition", "cards"),
    [("chuanpai", "84", 84), ("chuanpai", "84+2", 86), ("chuanpai", "82+2", 84), ("chuanpai", "105", 105),
     ("chuanpai", "105+10", 115), ("sise", "112", 112),
     ("zipai", "80", 80), ("zipai", "80+2", 82), ("zipai", "80+4", 84)],
)  # fmt: skip
def test_compositions(deck: str, composition: str, cards: int) -> None:
    assert sum(scorer.deck(deck).copies[composition].values()) == cards


def test_faces_of_the_decks() -> None:
    assert [len(scorer.deck(deck).faces) for deck in scorer.deck_ids()] == [23, 28, 21]
    chuanpai = scorer.deck("chuanpai")
    pips = [face for face in chuanpai.faces if face.suit != "joker"]
    assert all(face.rank == int(face.code[0]) + int(face.code[2]) for face in pips)
    red = {face.code for face in pips if "red" in face.tags}
    assert red == {face.code for face in pips if set("14") & set(face.code)} | {"6-6"}
    assert sum("red" in face.tags for face in scorer.deck("zipai").faces) == 6
    assert chuanpai.max_copies("C") == 5
    assert chuanpai.index["1-1"] == 0


def test_unknown_deck() -> None:
    with pytest.raises(scorer.ScorerError) as caught:
        scorer.deck("poker")
    assert caught.value.code == "unknown_rules"


@pytest.mark.parametrize("deck", scorer.deck_ids())
def test_a_name_means_one_card(deck: str) -> None:
    found = scorer.deck(deck)
    assert set(found.aliases.values()) == {face.code for face in found.faces}
    for face in found.faces:
        assert found.aliases[face.name.hans] == found.aliases[face.name.get("zh-Hant")] == face.code
    described = json.loads(json.dumps(scorer.describe_deck(deck)))
    assert [face["code"] for face in described["faces"]] == [face.code for face in found.faces]
    assert sum(len(face["also"]) + 1 for face in described["faces"]) == len(found.aliases)


def names_of(rules: str) -> Iterator[Names]:
    table = scorer.rule_set(rules)
    yield table.name
    yield table.unit
    yield from (kind.name for kind in table.kinds)
    yield from (row.name for row in table.table)
    yield from (notice.text for notice in table.notices)
    for fact in table.facts:
        yield from (fact.label, fact.help)
    yield from (step.text for step in table.payments)
    for said in table.said:
        yield from (said.label, said.help)
    yield from (option.label for option in table.options)
    yield from (option.help for option in table.options if option.stake)


@pytest.mark.parametrize("rules", scorer.rule_ids())
def test_everything_has_a_name_in_three_languages(rules: str) -> None:
    for said in names_of(rules):
        assert all(said.by_language.get(language) for language in ("zh-Hans", "zh-Hant", "en"))


def test_what_a_language_lacks_is_said_in_english_else_in_chinese() -> None:
    card = Names({"zh-Hans": "红车", "en": "red chariot", "vi": "xe đỏ"})
    assert [card.get(tag) for tag in ("zh-Hans", "en", "vi")] == ["红车", "red chariot", "xe đỏ"]
    assert card.get("zh-Hant") == card.get("fr") == "red chariot"
    assert card.json() == {"zh-Hans": "红车", "zh-Hant": "red chariot", "en": "red chariot", "vi": "xe đỏ"}
    assert Names({"zh-Hans": "胡"}).get("vi") == Names({"zh-Hans": "胡"}).en == "胡"


def test_a_table_names_no_language_that_there_is_not() -> None:
    with pytest.raises(KeyError):
        names({"zh_Hans": "车", "hans": "车"})


@pytest.mark.parametrize("rules", scorer.rule_ids())
def test_players_words_are_chinese_in_english_too(rules: str) -> None:
    spelled_out = re.compile(r"(?<![{])\b(hu|tuo|fan|kezi|xing|wei|kan|pao|qing|ti|bu|lou|jia|[Ww]ang\w*)\b")
    assert [names.en for names in names_of(rules) if spelled_out.search(names.en)] == []
    unit = scorer.rule_set(rules).unit
    assert unit.en == {"chuanpai": "points", "tusac": "lệnh", "daer": "points"}.get(rules, unit.hans)


@pytest.mark.parametrize("rules", scorer.rule_ids())
def test_rules_are_described_with_defaults_and_clauses(rules: str) -> None:
    table = scorer.rule_set(rules)
    described = json.loads(json.dumps(scorer.describe_rules(rules)))
    assert described["rules"] == rules
    for option in described["options"]:
        assert option["clause"]
        assert option["default"] is not None
        assert not option["choices"] or option["default"] in option["choices"]
    for row in described["table"]:
        assert row["clause"]
        assert len(row["points"]) in (0, len(described["columns"]))
    seats = next(fact for fact in described["facts"] if fact["name"] == "seats")
    assert seats["choices"] == list(table.seats)
    assert [fact["name"] for fact in described["facts"] if fact["lasts"]] == ["seats"]
    assert len({row.id for row in table.table}) == len(table.table)


@pytest.mark.parametrize(
    ("rules", "facts"),
    [("yaodiren", {"dealer": False, "seats": 3}), ("chuanpai", {"seats": 4}), ("guangshui", {"seats": 3}),
     ("zipai", {"self_drawn": False, "seats": 3, "turned": None, "wang_diao": False, "wang_chuang": False}),
     ("shihu", {"seats": 4, "turned": None}), ("tusac", {"seats": 4}),
     ("paohuzi", {"seats": 3, **dict.fromkeys(
         ("self_drawn", "discard", "tian_hu", "di_hu", "last_card", "ting_hu"), False)}),
     ("daer", {"seats": 3, "sha_bao": 0, **dict.fromkeys(
         ("self_drawn", "discard", "tian_hu", "di_hu", "first_draw", "last_draw", "bao"), False)})],
)  # fmt: skip
def test_facts_and_defaults(rules: str, facts: dict[str, object]) -> None:
    """RULES Z9."""
    if rules in scorer.rule_ids():
        assert {fact.name: fact.default for fact in scorer.rule_set(rules).facts} == facts


def test_notices_are_said_in_every_language() -> None:
    rules = scorer.rule_set("shihu")
    assert rules.say("undivided", "zh-Hans", 2, ("rK", "gA")) == "还有 2 张牌凑不成：红将、绿士。"
    assert rules.say("undivided", "en", 1, ("rK",)) == "Cards that fit into no meld (1): red general."


def test_values_are_frozen() -> None:
    hand = scorer.parse_hand("rK", "shihu")
    with pytest.raises(FrozenInstanceError):
        hand.winning = "rK"  # type: ignore[misc]
