"""Rule sets as tables: kinds of meld, facts to ask for, options, and the rows that a hand can score.

What is written here comes from `games/<id>.toml`; how a game counts stands in `games/<id>.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from types import MappingProxyType
from typing import Any

from scorer.cards import Deck, Names, deck, listed, names, read_toml
from scorer.errors import UnknownRules

# The order in which the games are listed; each has a module in `games` under the same name.
RULE_IDS = ("yaodiren", "zipai", "chuanpai", "guangshui", "shihu", "tusac", "paohuzi", "daer")

Value = bool | int | str | None
# Values that options must have, one or one of several each; true stands for anything but 0 and no.
When = Mapping[str, Value | tuple[Value, ...]]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of fixed meld; `hidden` kinds are locked in the hand, all others lie open; `sizes` in cards."""

    id: str
    synonyms: tuple[str, ...]
    name: Names
    hidden: bool
    sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that a photograph can't show. `type` is bool, int or card; no `choices` means any value.

    It is asked where the options have the values of `when`, as a `Said` is.
    """

    name: str
    type: str
    default: Value
    choices: tuple[Value, ...]
    label: Names
    help: Names
    lasts: bool  # holds for all hands of a table, as how many play does; the others are said of one hand
    when: When

    def asked(self, options: Mapping[str, object]) -> bool:
        """Whether it changes anything at a table with these options."""
        return _holds(self.when, options)


@dataclass(frozen=True, slots=True)
class Option:
    """A decision that a table may switch. `clause` is the row of RULES that it turns."""

    name: str
    type: str
    default: Value
    choices: tuple[Value, ...]
    words: Mapping[str, Names]  # what a choice that is a word says
    clause: str
    label: Names
    help: Names  # empty where the label says it all
    stake: bool  # says what a win is worth, so it is asked for where a table is made
    multiplies: bool  # such a one of 2 pays double one of 1, so money per 1 can stand in its place
    compositions: Mapping[str, str]  # value -> deck composition, where the option changes the deck

    def choice_name(self, choice: Value, language: str) -> str:
        """Return what a choice is called in a language of `cards.LANGUAGES`.

        >>> rule_set("shihu").options[0].choice_name("hand", "en")
        'in hand'
        """
        named = self.words.get(str(choice))
        return named.get(language) if named else str(choice)


@dataclass(frozen=True, slots=True)
class Said:
    """A number of a count that a payment is worked out from, as people say it: from `least` to `most`.

    `type` is int or bool (1 for yes); without a `default` it must be said. It is asked where the options have the
    values of `when`.
    """

    name: str
    type: str
    least: int
    most: int
    default: int | None
    label: Names
    help: Names
    when: When

    def asked(self, options: Mapping[str, object]) -> bool:
        """Whether a table with these options needs it."""
        return _holds(self.when, options)


@dataclass(frozen=True, slots=True)
class Alone:
    """When one of the losers pays for all, so that it must be known who: the fact has this value.

    The options must have the values of `when`. `label` asks who it is.
    """

    fact: str
    value: bool
    when: When
    label: Names


@dataclass(frozen=True, slots=True)
class Row:
    """One line that a score can have: its name, clause, and printed values in the order of `columns`."""

    id: str
    name: Names
    clause: str
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence that a score may carry: a warning, or the reason why a hand does not win."""

    code: str
    text: Names


@dataclass(frozen=True)
class RuleSet:
    """One game's table. `columns` says what the values of a row stand for."""

    id: str
    name: Names
    deck: str
    composition: str
    unit: Names
    seats: tuple[int, ...]
    kinds: tuple[Kind, ...]
    facts: tuple[Fact, ...]
    options: tuple[Option, ...]
    said: tuple[Said, ...]
    table: tuple[Row, ...]
    columns: tuple[str, ...]
    notices: tuple[Notice, ...]
    payments: tuple[Notice, ...]  # the steps of a payment, with {names} of numbers
    card_names: Mapping[str, str]  # names that only this rule set gives to a card
    alone: Alone | None = None
    column_names: Mapping[str, Names] = field(default_factory=dict)  # of those columns that are not the unit
    details: Mapping[str, Names] = field(default_factory=dict)  # what a count says beside its lines

    @cached_property
    def cards(self) -> Deck:
        """The deck that the game is played with."""
        return deck(self.deck)

    @cached_property
    def rows(self) -> Mapping[str, Row]:
        """Rows by id."""
        return {row.id: row for row in self.table}

    @cached_property
    def kind_by_name(self) -> Mapping[str, Kind]:
        """Kinds by id and by synonym."""
        return {name: kind for kind in self.kinds for name in (kind.id, *kind.synonyms)}

    @cached_property
    def notice_by_code(self) -> Mapping[str, Notice]:
        """Warnings and reasons by code."""
        return {notice.code: notice for notice in self.notices}

    @cached_property
    def payment_by_code(self) -> Mapping[str, Notice]:
        """Steps of a payment by code."""
        return {step.code: step for step in self.payments}

    @cached_property
    def spellings(self) -> Mapping[str, str]:
        """Every way to write a card of this game -> its code."""
        playable = {code for code in self.cards.index if self.most(code)}
        written = {**self.cards.aliases, **self.card_names}
        return MappingProxyType({name: code for name, code in written.items() if code in playable})

    def copies(self, options: Mapping[str, Value]) -> Mapping[str, int]:
        """Return how many of each card the deck holds under these options."""
        for option in self.options:
            if option.compositions:
                return self.cards.copies[option.compositions[str(options[option.name])]]
        return self.cards.copies[self.composition]

    def say(self, code: str, language: str, n: int = 0, cards: Iterable[str] = ()) -> str:
        """Return a notice in a language of `cards.LANGUAGES`, with its number and cards filled in."""
        meant = listed([self.cards.face(card).name.get(language) for card in cards], language)
        return self.notice_by_code[code].text.get(language).format(n=n, cards=meant)

    def say_payment(self, code: str, language: str, numbers: Mapping[str, int]) -> str:
        """Return a step of a payment in a language of `cards.LANGUAGES`, with its numbers filled in."""
        return self.payment_by_code[code].text.get(language).format(**numbers)

    def may_pay_alone(self, options: Mapping[str, object]) -> bool:
        """Whether at a table with these options one of the losers may have to pay for all."""
        return self.alone is not None and _holds(self.alone.when, options)

    def pays_alone(self, options: Mapping[str, object], facts: Mapping[str, object]) -> bool:
        """Whether one of the losers pays for all, given what is known of the hand."""
        if self.alone is None or not self.may_pay_alone(options):
            return False
        return bool(facts.get(self.alone.fact)) is self.alone.value

    def most(self, code: str) -> int:
        """Return the largest number of this card that the game may have, whatever the options."""
        return max(self.cards.copies[name][code] for name in self._compositions())

    def _compositions(self) -> list[str]:
        chosen = [name for option in self.options for name in option.compositions.values()]
        return [self.composition, *chosen]


def rule_ids() -> tuple[str, ...]:
    """Return the ids of all rule sets.

    >>> "shihu" in rule_ids()
    True
    """
    return RULE_IDS


@cache
def rule_set(rules_id: str) -> RuleSet:
    """Return a rule set by id.

    Raises
    ------
    UnknownRules
        When there is no such rule set.

    >>> rule_set("shihu").unit.hans
    '胡'
    """
    if rules_id not in rule_ids():
        raise UnknownRules(f"There is no rule set {rules_id!r}; there are {', '.join(rule_ids())}.", rules_id)
    table = read_toml("games", rules_id)
    shared = read_toml("games", "common")
    return RuleSet(
        id=rules_id,
        name=names(table["name"]),
        deck=table["deck"],
        composition=table["composition"],
        unit=names(table["unit"]),
        seats=tuple(table["seats"]),
        kinds=tuple(_kind(row) for row in table["kinds"]),
        facts=tuple(_fact(row) for row in table["facts"]),
        options=tuple(_option(row) for row in table["options"]),
        said=tuple(_said(row) for row in table.get("said", ())),
        table=tuple(_row(row) for row in table["table"]),
        columns=tuple(table["columns"]),
        notices=tuple(_notice(row) for row in (*shared["notices"], *table["notices"])),
        payments=tuple(_notice(row) for row in table["payments"]),
        card_names=MappingProxyType(dict(table.get("cards", {}))),
        alone=_alone(table["alone"]) if "alone" in table else None,
        details={name: names(said) for name, said in (shared["details"] | table.get("details", {})).items()},
        column_names=MappingProxyType(
            {
                column: names(shared["columns"][column])
                for column in table["columns"]
                if column in shared["columns"]
            }
        ),
    )


def describe_rules(rules_id: str) -> dict[str, Any]:
    """Return a rule set as plain data for JSON: kinds, facts, options and the table with its clauses."""
    rules = rule_set(rules_id)
    return {
        "rules": rules.id,
        "name": rules.name.json(),
        "deck": rules.deck,
        "composition": rules.composition,
        "unit": rules.unit.json(),
        "seats": list(rules.seats),
        "kinds": [_kind_json(kind) for kind in rules.kinds],
        "facts": [_fact_json(fact) for fact in rules.facts],
        "options": [_option_json(option) for option in rules.options],
        "columns": list(rules.columns),
        "table": [
            {"name": row.id, "names": row.name.json(), "clause": row.clause, "points": list(row.points)}
            for row in rules.table
        ],
        "cards": dict(rules.card_names),
    }


def _kind_json(kind: Kind) -> dict[str, Any]:
    return {
        "kind": kind.id,
        "synonyms": list(kind.synonyms),
        "name": kind.name.json(),
        "hidden": kind.hidden,
        "sizes": list(kind.sizes),
    }


def _fact_json(fact: Fact) -> dict[str, Any]:
    return {
        "name": fact.name,
        "type": fact.type,
        "default": fact.default,
        "choices": list(fact.choices),
        "label": fact.label.json(),
        "help": fact.help.json(),
        "lasts": fact.lasts,
        "when": {
            name: list(value) if isinstance(value, tuple) else value for name, value in fact.when.items()
        },
    }


def _option_json(option: Option) -> dict[str, Any]:
    return {
        "name": option.name,
        "type": option.type,
        "default": option.default,
        "choices": list(option.choices),
        "words": {choice: said.json() for choice, said in option.words.items()},
        "clause": option.clause,
        "label": option.label.json(),
        "help": option.help.json(),
    }


def _kind(row: Mapping[str, Any]) -> Kind:
    synonyms = tuple(row.get("synonyms", ()))
    return Kind(row["id"], synonyms, names(row["name"]), row.get("hidden", False), tuple(row["sizes"]))


def _fact(row: Mapping[str, Any]) -> Fact:
    return Fact(
        name=row["name"],
        type=row["type"],
        default=row.get("default"),
        choices=tuple(row.get("choices", ())),
        label=names(row["label"]),
        help=names(row["help"]),
        lasts=row.get("lasts", False),
        when=_when(row),
    )


def _option(row: Mapping[str, Any]) -> Option:
    return Option(
        name=row["name"],
        type=row["type"],
        default=row["default"],
        choices=tuple(row.get("choices", ())),
        words={choice: names(said) for choice, said in row.get("words", {}).items()},
        clause=row["clause"],
        label=names(row["label"]),
        help=names(row.get("help", {})),
        stake=row.get("stake", False),
        multiplies=row.get("multiplies", False),
        compositions=MappingProxyType(dict(row.get("compositions", {}))),
    )


def _said(row: Mapping[str, Any]) -> Said:
    return Said(
        name=row["name"],
        type=row["type"],
        least=row.get("least", 0),
        most=row.get("most", 1),
        default=row.get("default"),
        label=names(row["label"]),
        help=names(row["help"]),
        when=_when(row),
    )


def _when(row: Mapping[str, Any]) -> When:
    given = row.get("when", {})
    return MappingProxyType(
        {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
    )


def _holds(when: When, options: Mapping[str, object]) -> bool:
    """Return whether all these options have their value, or one of theirs."""
    return all(_fits(options[name], wanted) for name, wanted in when.items())


def _fits(value: object, wanted: Value | tuple[Value, ...]) -> bool:
    if isinstance(wanted, tuple):
        return value in wanted
    return bool(value) == wanted if isinstance(wanted, bool) else value == wanted


def _alone(row: Mapping[str, Any]) -> Alone:
    return Alone(row["fact"], row["value"], _when(row), names(row["label"]))


def _row(row: Mapping[str, Any]) -> Row:
    return Row(row["id"], names(row["name"]), row["clause"], tuple(row.get("points", ())))


def _notice(row: Mapping[str, Any]) -> Notice:
    return Notice(row["code"], names(row["text"]))
