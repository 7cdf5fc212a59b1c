"""The tables that the page's scripts need, in one language: decks, rule sets, samples."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import scorer

HAND_CARDS: Mapping[str, int] = {
    "yaodiren": 21,
    "zipai": 21,
    "chuanpai": 16,
    "guangshui": 31,
    "shihu": 21,
    "tusac": 21,
    "paohuzi": 21,
    "daer": 21,
}
"""Cards of a winning hand without quads (RULES Z5): what the live preview counts towards."""

N_ = str
"""Marks a text for the catalogues (what `vision` says of a photo is shown by the scripts)."""

REMARKS = (
    N_("This photo does not seem to show the same cards as the others; it was read by itself."),
    N_("No card was found in this photo."),
    N_("The cards are very small in this photo; come closer."),
    N_("This photo is very dark; more light would help."),
    N_("This photo is blurred; hold still and take it again."),
    N_("This photo has no colour; what only colour tells is marked."),
    N_("The light has a strong colour of its own; a whiter lamp would help."),
    N_("Some cards are cut off at the edge of the photo."),
    N_("Light glares on some cards; turn them or the lamp."),
    N_("Many cards show hardly more than their edge; spread them a little."),
    N_("These look like pip cards (川牌), not like the chosen game's."),
    N_("These look like four-colour cards (四色牌), not like the chosen game's."),
    N_("These look like number cards (字牌), not like the chosen game's."),
    N_("More copies of a card were seen than the deck has; look at the marked ones."),
)

Table = dict[str, object]

_SAID_BY_SCRIPT = re.compile(r'\b_\(\s*"((?:[^"\\]|\\.)*)"')


@lru_cache
def script_texts(folder: Path) -> tuple[str, ...]:
    """Every text that the scripts of `folder` show, in English, and what is said of photos."""
    found = set(REMARKS)
    for path in folder.glob("*.js"):
        for text in _SAID_BY_SCRIPT.findall(path.read_text(encoding="utf-8")):
            found.add(str(json.loads(f'"{text}"')))
    return tuple(sorted(found))


def _deck(deck_id: str, language: str) -> Table:
    deck = scorer.deck(deck_id)
    faces = [[face.code, face.name.get(language), face.name.en] for face in deck.faces]
    most = {face.code: deck.max_copies(face.code) for face in deck.faces}
    return {"id": deck_id, "name": deck.name.get(language), "faces": faces, "most": most}


def _kind(kind: scorer.Kind, language: str) -> Table:
    return {"id": kind.id, "name": kind.name.get(language), "hidden": kind.hidden}


def _fact(fact: scorer.Fact, language: str) -> Table:
    return {
        "name": fact.name,
        "type": fact.type,
        "default": fact.default,
        "choices": list(fact.choices or ()),
        "label": fact.label.get(language),
        "help": fact.help.get(language),
        "lasts": fact.lasts,
        "when": dict(fact.when),
    }


def _option(option: scorer.Option, language: str) -> Table:
    return {
        "name": option.name,
        "type": option.type,
        "default": option.default,
        "choices": list(option.choices or ()),
        "words": {choice: said.get(language) for choice, said in option.words.items()},
        "clause": option.clause,
        "label": option.label.get(language),
        "help": option.help.get(language),
    }


def kept_words(rules_id: str, language: str) -> list[list[str]]:
    """The words of a game that a language keeps, and the word that explains each; the longest first.

    None in Chinese, whose words they are.
    """
    if language.startswith("zh"):
        return []
    words = scorer.glossary(rules_id).words
    forms = [[form.lower(), one.word] for one in words for form in (one.word, *one.also)]
    return sorted(forms, key=lambda pair: -len(pair[0]))


def _column(rules: scorer.RuleSet, column: str, language: str) -> str:
    named = rules.column_names.get(column)
    return named.get(language) if named else ""


def _alone(alone: scorer.Alone, language: str) -> Table:
    label = alone.label.get(language)
    return {"fact": alone.fact, "value": alone.value, "when": dict(alone.when), "label": label}


def _most(rules: scorer.RuleSet) -> dict[str, int]:
    """Cards of the game and how many of each there can be, under any of its options."""
    copies = scorer.deck(rules.deck).copies
    names = {rules.composition, *(name for option in rules.options for name in option.compositions.values())}
    most = {code: max(copies[name][code] for name in names) for code in copies[rules.composition]}
    return {code: number for code, number in most.items() if number}


def _rule_set(rules_id: str, language: str) -> Table:
    rules = scorer.rule_set(rules_id)
    return {
        "id": rules_id,
        "name": rules.name.get(language),
        "deck": rules.deck,
        "unit": rules.unit.get(language),
        "seats": list(rules.seats),
        "cards": HAND_CARDS[rules_id],
        "most": _most(rules),
        "kinds": [_kind(kind, language) for kind in rules.kinds],
        "facts": [_fact(fact, language) for fact in rules.facts],
        "options": [_option(option, language) for option in rules.options],
        "alone": _alone(rules.alone, language) if rules.alone else None,
        "columns": [_column(rules, column, language) for column in rules.columns],
        "words": kept_words(rules.id, language),
        "table": [{"id": row.id, "clause": row.clause, "points": list(row.points)} for row in rules.table],
        "lines": {name: said.get(language) for name, said in rules.details.items()}
        | {rules.unit.hans: rules.unit.get(language)}
        | {row.id: row.name.get(language) for row in rules.table},
        "payments": {step.code: step.text.get(language) for step in rules.payments},
        "notices": [
            {"code": notice.code, "said": notice.text.en, "text": notice.text.get(language)}
            for notice in rules.notices
        ],
    }


def tables(language: str) -> Table:
    """Decks and rule sets with the names of `language`, ready for JSON."""
    return {
        "decks": [_deck(deck_id, language) for deck_id in scorer.deck_ids()],
        "rules": [_rule_set(rules_id, language) for rules_id in scorer.rule_ids()],
    }


def samples(folder: Path, language: str) -> list[Table]:
    """The demo photos of `folder` by its `samples.json`: file and rule set, not the truth that stands there too.

    Those of games that have a name of their own in this language come first.
    """
    path = folder / "samples.json"
    listed = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []
    known = [sample for sample in listed if sample["rules"] in scorer.rule_ids()]
    known.sort(key=lambda sample: language not in scorer.rule_set(sample["rules"]).name.by_language)
    return [{"file": sample["file"], "rules": sample["rules"]} for sample in known]
