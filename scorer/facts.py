"""Facts and options as given by a person: known, of the right type, among the choices; defaults filled in."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from scorer.errors import (
    BadFact,
    BadNotation,
    BadNumber,
    BadOption,
    ScorerError,
    UnknownCard,
    UnknownFact,
    UnknownOption,
)
from scorer.notation import read_cards
from scorer.rules import Fact, Option, RuleSet, Value, rule_set

Values = Mapping[str, Value]

_BOOLS: Mapping[str, bool] = {
    "true": True, "yes": True, "on": True, "1": True,
    "false": False, "no": False, "off": False, "0": False,
}  # fmt: skip


@cache
def defaults(rules_id: str, what: str) -> Values:
    """Return the defaults of a rule set's `facts` or `options`."""
    settings: tuple[Fact, ...] | tuple[Option, ...] = getattr(rule_set(rules_id), what)
    return MappingProxyType({setting.name: setting.default for setting in settings})


def check_facts(rules: RuleSet, given: Mapping[str, object]) -> Values:
    """Return all facts of the rule set, those given in place of their defaults.

    Raises
    ------
    UnknownFact, BadFact
        In this order over all given facts.

    >>> check_facts(rule_set("shihu"), {"seats": "3"})["seats"]
    3
    """
    usual = defaults(rules.id, "facts")
    if not given:
        return usual
    known = {fact.name: fact for fact in rules.facts}
    for name in given:
        if name not in known:
            raise UnknownFact(f"{rules.id} asks for no fact {name!r}; it knows {', '.join(known)}.", name)
    read = {name: _read(rules, known[name], value, BadFact) for name, value in given.items()}
    return MappingProxyType({**usual, **read})


def check_options(rules: RuleSet, given: Mapping[str, object]) -> Values:
    """Return all options of the rule set, those given in place of their defaults.

    Raises
    ------
    UnknownOption, BadOption
        In this order over all given options.
    """
    usual = defaults(rules.id, "options")
    if not given:
        return usual
    known = {option.name: option for option in rules.options}
    for name in given:
        if name not in known:
            raise UnknownOption(f"{rules.id} has no option {name!r}; it knows {', '.join(known)}.", name)
    read = {name: _read(rules, known[name], value, BadOption) for name, value in given.items()}
    return MappingProxyType({**usual, **read})


def check_said(rules: RuleSet, given: Mapping[str, object]) -> Mapping[str, int]:
    """Return all numbers of a count of the rule set, those given in place of their defaults.

    Raises
    ------
    BadNumber
        For one that the rule set does not know, that is missing, or out of its bounds.

    >>> dict(check_said(rule_set("shihu"), {"hu": 12}))
    {'hu': 12, 'flower': 0}
    """
    known = {said.name: said for said in rules.said}
    for name in given:
        if name not in known:
            raise BadNumber(f"{rules.id} knows no number {name!r}; it knows {', '.join(known)}.", name)
    found = {}
    for name, said in known.items():
        value = given.get(name, said.default)
        if not isinstance(value, int) or not said.least <= value <= said.most:
            raise BadNumber(
                f"{name} is a whole number from {said.least} to {said.most}, not {value!r}.", name
            )
        found[name] = int(value)
    return MappingProxyType(found)


def number(values: Values, name: str) -> int:
    """Return a fact or option of type int."""
    value = values[name]
    assert isinstance(value, int)
    return value


def flag(values: Values, name: str) -> bool:
    """Return a fact or option of type bool."""
    return values[name] is True


def card(values: Values, name: str) -> str | None:
    """Return a fact of type card, None where it is not given."""
    value = values[name]
    assert value is None or isinstance(value, str)
    return value


def _read(rules: RuleSet, setting: Fact | Option, value: object, error: type[ScorerError]) -> Value:
    """Turn what was typed into the setting's own type, or raise `error`."""
    if value is None and setting.default is None:
        return None
    read = _parse(rules, setting.type, value)
    if read is None or (setting.choices and read not in setting.choices):
        allowed = _allowed(setting)
        raise error(f"{setting.name} is {allowed}, not {value!r}.", setting.name)
    return read


def _parse(rules: RuleSet, kind: str, value: object) -> Value:
    """Return the value in type `kind`, None where it is none."""
    if kind == "bool":
        return value if isinstance(value, bool) else _BOOLS.get(str(value).lower())
    if kind == "int":
        return _whole_number(value)
    if not isinstance(value, str):
        return None
    return _single_card(rules, value) if kind == "card" else value


def _whole_number(value: object) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 7:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _single_card(rules: RuleSet, text: str) -> str | None:
    try:
        cards = read_cards(rules, text)
    except (UnknownCard, BadNotation):
        return None
    return cards[0] if len(cards) == 1 else None


def _allowed(setting: Fact | Option) -> str:
    if setting.choices:
        return "one of " + ", ".join(str(choice) for choice in setting.choices)
    return {"bool": "true or false", "int": "a whole number", "card": "one card"}.get(setting.type, "a text")
