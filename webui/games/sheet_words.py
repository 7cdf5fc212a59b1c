"""A table's CSV in words: headings and cells in a language of the page, people and cards by name; and back to codes.

A file is read in any of the three languages, in codes, and as it was before it noted who drew the winning card.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from flask_babel import force_locale

import scorer
from webui.games.rules import rule_set
from webui.games.words import with_names
from webui.language.languages import LANGUAGES
from webui.language.said import gettext
from webui.ledger.errors import N_
from webui.ledger.sheet import AWAY, COLUMNS, FALSE, OUT

Rows: TypeAlias = list[list[str]]
Cell: TypeAlias = Callable[[str], str]
Asks: TypeAlias = Sequence[scorer.Fact | scorer.Option | scorer.Said]

HEADINGS: Mapping[str, str] = {
    "row": N_("Line"),
    "time": N_("Time (UTC)"),
    "rules": N_("Game"),
    "how": N_("How"),
    "dealer": N_("Dealer"),
    "sitter": N_("Sits 坐醒"),
    "winner": N_("Winner"),
    "last": N_("Played or drew last"),
    "drawer": N_("Drew the winning card"),
    "stake": N_("Stake"),
    "hand": N_("The cards"),
    "facts": N_("At this table"),
    "options": N_("House rules of this table"),
    "total": N_("Total"),
    "unit": N_("Unit"),
    "seats": N_("Seats in a round"),
    "dealer_rule": N_("Who deals next"),
    "note": N_("Note"),
}

WORDS: Mapping[str, Mapping[str, str]] = {
    "row": {"table": N_("table"), "round": N_("round"), "total": N_("totals")},
    "how": {"hand": N_("By hand"), "numbers": N_("By numbers"), FALSE: N_("False call"), "draw": N_("Draw")},
    "dealer_rule": {
        "game": N_("as the game has it"),
        "winner": N_("the winner deals"),
        "next": N_("everybody in turn"),
        "stays": N_("the dealer stays until changed by hand"),
    },
}
STATES: Mapping[str, str] = {AWAY: N_("left"), OUT: N_("sits out")}
SAID: Mapping[str, str] = {"true": N_("yes"), "false": N_("no")}
BETWEEN, IS = " | ", " = "
# The columns of a file that was saved before one could say who drew the winning card.
OLDER = tuple(name for name in COLUMNS if name != "drawer")


@dataclass(frozen=True)
class Wording:
    """Codes of one game and the words for them in one language; `back` leads from the words to the codes."""

    language: str
    rules: scorer.RuleSet
    back: bool

    def word(self, words: Mapping[str, str]) -> Cell:
        """A cell that is one of these codes in words; any other stays as it is."""
        pairs = {word: code for code, word in words.items()} if self.back else words
        return lambda cell: pairs.get(cell, cell)

    def translated(self, words: Mapping[str, str]) -> Cell:
        """The same of words that are translated."""
        return self.word({code: gettext(text) for code, text in words.items()})

    def line(self, cell: str) -> str:
        """What a line is: the table, a round, whose number in words goes on the way back, or the totals."""
        numbered = re.escape(gettext("Round %(num)s", num="#")).replace(r"\#", r"\d+")
        if self.back and re.fullmatch(numbered, cell):
            return "round"
        return self.translated(WORDS["row"])(cell)

    def names(self) -> dict[str, str]:
        """The names of the cards by their codes."""
        return {face.code: face.name.get(self.language) for face in scorer.deck(self.rules.deck).faces}

    def hand(self, cell: str) -> str:
        """The cards of a hand by name, set apart by commas where a name may have a blank in it."""
        if not self.back:
            return with_names(cell, self.word(self.names()), self.language)
        between = " " if self.language.startswith("zh") else ", "
        codes = self.word(self.names())
        longest = sorted(self.names().values(), key=len, reverse=True)
        return re.sub("|".join(map(re.escape, longest)), lambda name: codes(name[0]), cell).replace(
            between, " "
        )

    def answers(self, asks: Asks) -> Cell:
        """What was said to questions of the rule set: a JSON object, in words `question = answer | …`."""
        return (lambda cell: self._object(asks, cell)) if self.back else (lambda cell: self._said(asks, cell))

    def _said(self, asks: Asks, cell: str) -> str:
        given = json.loads(cell or "{}")
        said = [(ask, given[ask.name]) for ask in asks if given.get(ask.name) is not None]
        return BETWEEN.join(
            f"{ask.label.get(self.language)}{IS}{self._value(ask)(_text(one))}" for ask, one in said
        )

    def _object(self, asks: Asks, cell: str) -> str:
        by_label = {ask.label.get(self.language): ask for ask in asks}
        parts = [part.rpartition(IS) for part in cell.split(BETWEEN)] if cell else []
        if not all(label in by_label for label, _, _ in parts):
            return cell
        found = {}
        for label, _, word in parts:
            ask = by_label[label]
            said = self._value(ask)(word)
            whole = ask.type == "int" and re.fullmatch(r"-?\d+", said)
            found[ask.name] = said == "true" if ask.type == "bool" else int(said) if whole else said
        return json.dumps(found, ensure_ascii=False, sort_keys=True) if found else ""

    def _value(self, ask: scorer.Fact | scorer.Option | scorer.Said) -> Cell:
        if ask.type == "bool":
            return self.translated(SAID)
        if ask.type == "card":
            return self.word(self.names())
        words = ask.words if isinstance(ask, scorer.Option) else {}
        return self.word({choice: said.get(self.language) for choice, said in words.items()})


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def worded(rows: Rows, language: str) -> Rows:
    """Rows in codes, as `webui.ledger.sheet` makes them, in words."""
    with force_locale(language.replace("-", "_")):
        rules = rule_set(rows[1][COLUMNS.index("rules")])
        body = _changed(rows[1:], Wording(language, rules, back=False))
        for number, row in enumerate(body[1:-1], start=1):
            row[0] = gettext("Round %(num)s", num=number)
        return [[*_headings(), *rows[0][len(COLUMNS) :]], *body]


def coded(rows: Rows) -> Rows:
    """Rows in the words of any language, or in codes, as `webui.ledger.sheet` reads them; others as they are."""
    if rows and tuple(rows[0][: len(OLDER)]) == OLDER:
        place = COLUMNS.index("drawer")
        return [[*row[:place], "drawer" if row is rows[0] else "", *row[place:]] for row in rows]
    for language in LANGUAGES:
        with force_locale(language.replace("-", "_")):
            if len(rows) > 1 and rows[0][: len(COLUMNS)] == _headings():
                return [[*COLUMNS, *rows[0][len(COLUMNS) :]], *_coded(rows[1:], language)]
    return rows


def are_headings(cells: Sequence[str]) -> bool:
    """Whether a line begins as a table's first one does: in codes, older codes or the words of any language."""
    known = [list(COLUMNS), list(OLDER)]
    for language in LANGUAGES:
        with force_locale(language.replace("-", "_")):
            known.append(_headings())
    return any(list(cells[: len(one)]) == one for one in known)


def _headings() -> list[str]:
    return [gettext(HEADINGS[name]) for name in COLUMNS]


def _coded(rows: Rows, language: str) -> Rows:
    place = COLUMNS.index("rules")
    called = rows[0][place] if len(rows[0]) > place else ""
    known = [scorer.rule_set(one) for one in scorer.rule_ids()]
    found = next((rules for rules in known if called in (rules.name.get(language), rules.id)), None)
    # Of a game that nobody knows nothing can be read; who reads the rows says so.
    wording = Wording(language, found or known[0], back=True)
    return _changed(rows, wording)


def _changed(rows: Rows, wording: Wording) -> Rows:
    """Rows without their headings, each cell by what its column holds."""
    rules, language = wording.rules, wording.language
    cells: dict[str, Cell] = {name: wording.translated(words) for name, words in WORDS.items()} | {
        "row": wording.line,
        "rules": wording.word({rules.id: rules.name.get(language)}),
        "unit": wording.word({rules.unit.hans: rules.unit.get(language)}),
        "hand": wording.hand,
        "facts": wording.answers((*rules.facts, *rules.said)),
        "options": wording.answers(rules.options),
    }
    state = wording.translated(STATES)
    by_place = [cells.get(name, str) for name in COLUMNS]
    return [
        [
            *(change(cell) for change, cell in zip(by_place, row, strict=False)),
            *map(state, row[len(COLUMNS) :]),
        ]
        for row in rows
    ]
