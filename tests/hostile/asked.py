"""Requests that mean harm: every address of the page with every kind of value where another is wanted."""

from __future__ import annotations

import io
import json
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from flask import Flask
from werkzeug.routing import Rule

KEY, BASE = "the-key-of-a-request", 987_654
"""Stand for a key that is used once, and for the version of the table or deck as it is."""

DEEP = "[" * 2000 + "]" * 2000
ODD_TEXTS = (
    "",
    " ",
    "\ud800",
    "\x00",
    "a" * 5000,
    "../../etc/passwd",
    "<script>",
    "%s%n",
    "\u202e\u0301",
    "１２",
)
ODD_NUMBERS = (-1, 0, 2**31, 2**63, 10**400, 1.5, 1e308)
ODD_DIGITS = ("-1", "1e9", "9" * 30, "NaN", "１")
WHOLE_JSON = (
    "[]",
    "null",
    "7",
    '"x"',
    "{",
    "",
    DEEP,
    '{"rules": ' + DEEP + "}",
    "NaN",
    '{"a": 1e999}',
    "\ufeff{}",
)
ODD_VALUES: tuple[Any, ...] = (None, True, [], {}, [[]], [{}], {"a": []}, ["x"] * 3, *ODD_NUMBERS, *ODD_TEXTS)

FIELDS: dict[str, dict[str, Any]] = {
    "api.score": {"rules": "shihu", "hand": "rK rA", "facts": {}, "options": {}},
    "api.waits": {"rules": "zipai", "hand": "s1 s2", "facts": {}, "options": {}},
    "api.dealt": {"rules": "yaodiren", "hand": "1-1", "facts": {}, "options": {}},
    "api.hand_of_piles": {
        "rules": "shihu",
        "piles": [{"cards": ["rK", "rA"], "table": True, "kind": "吃"}],
        "winning": "rK",
        "facts": {"seat": 1},
        "options": {},
    },
    "decks.count": {
        "deck": "sise",
        "composition": None,
        "photos": [{"relation": "more", "cards": [{"code": "rK"}]}],
    },
    "decks.learn": {
        "print": "x",
        "ends": [
            {"code": "rK", "quad": [[0, 0], [9, 0], [9, 9], [0, 9]], "image": "data:image/png;base64,AA"}
        ],
        "flash": True,
    },
    "games.add_counted": {
        "rules": "shihu",
        "hand": "rK",
        "facts": {},
        "options": {},
        "winner": 0,
        "base": BASE,
        "key": KEY,
        "note": "n",
        "total": 1,
        "crops": [{"code": "rK", "image": "data:image/png;base64,AA"}],
    },
}
"""A request of each address that takes JSON, as the page's scripts send it."""

CATALOGUE = {
    "name": "外婆的牌",
    "key": KEY,
    "deck": "sise",
    "composition": None,
    "teach": True,
    "keep_photos": True,
    "base": BASE,
    "photos": [
        {
            "relation": "more",
            "foreign": 0,
            "cards": [{"code": "rK", "counts": True, "image": "data:image/png;base64,AA"}],
            "said": [{"quad": [[0, 0], [9, 0], [9, 9], [0, 9]], "code": "rK"}],
        }
    ],
}
"""What the form of a deck holds in its field `data`."""

FORMS: dict[str, dict[str, str]] = {
    "games.create": {
        "rules": "shihu",
        "name": "x",
        "seats": "4",
        "player": "甲",
        "stake": "1",
        "key": KEY,
        "dealer": "0",
    },
    "games.count_now": {
        "way": "draw",
        "winner": "0",
        "hand": "rK rA",
        "drawer": "1",
        "dealer": "0",
        "amount-0": "1",
    },
    "games.add": {
        "way": "draw",
        "base": str(BASE),
        "key": KEY,
        "winner": "0",
        "amount": "1",
        "note": "n",
        "each": "1",
    },
    "games.edit": {"way": "money", "base": str(BASE), "key": KEY, "winner": "0", "amount": "1", "hand": "rK"},
    "games.settings": {"name": "x", "stake": "1", "base": str(BASE), "key": KEY, "seats": "4"},
    "games.people": {"name": "x", "base": str(BASE), "key": KEY, "person": "0"},
    "games.seats": {"base": str(BASE), "key": KEY, "dealer": "0", "out": "1", "seat": "0"},
    "games.undo": {"base": str(BASE), "key": KEY},
    "games.redo": {"base": str(BASE), "key": KEY},
    "games.delete": {"sure": "on", "base": str(BASE), "key": KEY},
    "games.delete_round": {"base": str(BASE), "key": KEY},
    "games.bring": {"key": KEY},
    "decks.change": {
        "name": "x",
        "composition": "112",
        "bought": "1988",
        "away-box": "1",
        "base": str(BASE),
    },
    "decks.forget": {"print": "x", "example": "y"},
    "languages.choose": {"language": "en"},
}


@dataclass(frozen=True)
class Asked:
    """One request: how, where, and what it carries (JSON text, or fields and files of a form)."""

    method: str
    path: str
    json: str | None = None
    form: dict[str, Any] | None = None

    @property
    def name(self) -> str:
        """For a report."""
        return f"{self.method} {self.path} {(self.json or str(self.form))[:120]!r}"

    def send(self, client: Any, headers: dict[str, str], base: int = 1) -> Any:
        """The answer of a test client, with a key of its own and the version that it is made on."""

        def now(text: str) -> str:
            return text.replace(KEY, secrets.token_hex(16)).replace(str(BASE), str(base))

        if self.json is not None:
            return client.open(
                self.path,
                method=self.method,
                data=now(self.json),
                content_type="application/json",
                headers=headers,
            )
        form = {
            name: (io.BytesIO(value[0]), value[1]) if isinstance(value, tuple) else now(value)
            for name, value in (self.form or {}).items()
        }
        return client.open(self.path, method=self.method, data=form or None, headers=headers)


def wounded(body: Any) -> Iterator[Any]:
    """The value with each part of it, at any depth, taken away or put in place of by each odd one."""
    if isinstance(body, dict):
        for name in body:
            yield {k: v for k, v in body.items() if k != name}
            for odd in (*ODD_VALUES, *wounded(body[name])):
                yield body | {name: odd}
    elif isinstance(body, list):
        for at in range(len(body)):
            for odd in (*ODD_VALUES, *wounded(body[at])):
                yield [*body[:at], odd, *body[at + 1 :]]


def dumped(value: Any) -> str:
    """As JSON, with what Python alone calls JSON left in."""
    return json.dumps(value)


def paths(rule: Rule, known: dict[str, str]) -> list[str]:
    """The address of a rule with what is there, and with what can't be."""
    there, odd = rule.rule, rule.rule
    for name, value in known.items():
        there = there.replace(name, value)
    wrong = {
        "<table_id>": "%00",
        "<deck_id>": "%ED%A0%80",
        "<int:number>": str(2**63),
        "<int:round_id>": str(2**64),
    }
    for name, value in (wrong | {"<int:size>": "9" * 30}).items():
        odd = odd.replace(name, value)
    for name, value in known.items():
        odd = odd.replace(name, value)
    return list(dict.fromkeys((there, odd)))


def requests(app: Flask, known: dict[str, str]) -> Iterator[Asked]:
    """Every request; `known` says what stands for the parts of addresses, such as the id of a table."""
    for rule in sorted(app.url_map.iter_rules(), key=lambda rule: rule.rule):
        for path in paths(rule, known):
            if "GET" in (rule.methods or ()):
                yield Asked("GET", path)
                yield Asked("GET", path + "?base=x&rules=%00&code=" + "9" * 5000)
            if "POST" in (rule.methods or ()):
                yield from _posted(path, rule.endpoint)


def _posted(path: str, endpoint: str) -> Iterator[Asked]:
    for text in WHOLE_JSON:
        yield Asked("POST", path, json=text)
    for body in wounded(FIELDS.get(endpoint, {})):
        yield Asked("POST", path, json=dumped(body))
    form = FORMS.get(endpoint, {})
    yield Asked("POST", path, form=form)
    for name in form:
        for odd in (*(odd for odd in ODD_TEXTS if odd.isprintable()), *ODD_DIGITS):
            yield Asked("POST", path, form=form | {name: odd})
    if endpoint in ("decks.save", "decks.add"):
        for body in wounded(CATALOGUE):
            yield Asked("POST", path, form={"data": dumped(body)})
