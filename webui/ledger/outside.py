"""JSON from outside: what comes in is shallow, text that can be written and numbers that can be kept.

A number with thousands of digits, a list in a list in a list, half of a character: each is fine JSON, and each breaks
something far behind the place where it came in. They are refused here, once for all.
"""

from __future__ import annotations

import json

DEEPEST = 32
"""Lists and objects in one another; the deepest of ours, a line of a count in a saved table, is at 8."""

MOST_PARTS = 2_000_000
"""Values of one text: a saved table of thousands of rounds has a third. 12 MB could hold six million empty lists."""

LARGEST = 2**63 - 1
"""The largest whole number that a database keeps."""


class BadJson(ValueError):
    """Text that is no JSON, or JSON of which no program means any good."""


def loads(text: str | bytes) -> object:
    """The value of a JSON text; raises `BadJson`."""
    try:
        letters = text if isinstance(text, str) else text.decode("utf-8-sig")
        if sum(letters.count(sign) for sign in "[{,") > MOST_PARTS:
            raise BadJson("this holds too many values")
        value: object = json.loads(letters, parse_constant=_refused)
    except (ValueError, RecursionError) as error:
        raise BadJson("this is no JSON") from error
    _check(value)
    return value


def is_text(value: str) -> bool:
    """Whether a text can be written: it holds no half of a character."""
    return value.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in value)


def _refused(name: str) -> object:
    raise BadJson(f"{name} is no number")


def _check(value: object) -> None:
    """Level by level, for a walk that calls itself is what deep JSON breaks."""
    level = [value]
    for _ in range(DEEPEST):
        inside: list[object] = []
        for one in level:
            if isinstance(one, dict):
                inside += one.keys()
                inside += one.values()
            elif isinstance(one, list):
                inside += one
            else:
                _check_plain(one)
        if not inside:
            return
        level = inside
    raise BadJson("lists and objects stand too deep in one another")


def _check_plain(value: object) -> None:
    if isinstance(value, str):
        if not is_text(value):
            raise BadJson("a text holds half of a character")
    elif (
        isinstance(value, int | float) and not -LARGEST <= value <= LARGEST
    ):  # nor is 1e999, which is infinite
        raise BadJson("a number is too large")
