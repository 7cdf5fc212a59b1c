"""A game in words: what it is, how it is counted on two hands, who pays, and its own words, which a tap explains."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from flask import abort, render_template, url_for
from markupsafe import Markup, escape

import scorer
from webui.games.room import blueprint
from webui.language.languages import language
from webui.language.words import kept_words


@blueprint.get("/rules/<rules_id>")
def glossary(rules_id: str) -> str:
    """The game in words."""
    if rules_id not in scorer.rule_ids():
        abort(404)
    found = scorer.glossary(rules_id)
    return render_template(
        "games/glossary.html",
        rules=scorer.rule_set(rules_id),
        found=found,
        scores=[worked(rules_id, number) for number in range(len(found.hands))],
    )


@lru_cache
def worked(rules_id: str, number: int) -> Mapping[str, object]:
    """The score object of one of the game's own examples, at a table without house rules."""
    example = scorer.glossary(rules_id).hands[number]
    return scorer.score_json(scorer.score(scorer.parse_hand(example.hand, rules_id), example.facts))


@blueprint.app_template_filter("words_of")
def explained(text: str, rules_id: str) -> Markup:
    """A text with the words of the game that the language keeps as links to what they mean."""
    meant = dict(kept_words(rules_id, language()))
    if not meant:
        return escape(text)
    parts = re.split(f"({'|'.join(map(_form, meant))})", text, flags=re.IGNORECASE)
    links = (_link(part, meant[part.lower()], rules_id) if part.lower() in meant else part for part in parts)
    return Markup("").join(links)


def _form(word: str) -> str:
    """A pattern for a word; one of letters does not begin or end within another."""
    return rf"(?<!\w){re.escape(word)}(?!\w)" if word[0] < "\u2e80" else re.escape(word)


def _link(text: str, word: str, rules_id: str) -> Markup:
    there = url_for("games.glossary", rules_id=rules_id, _anchor=f"w-{word.replace(' ', '-')}")
    return Markup('<a class="term" href="{}">{}</a>').format(there, text)
