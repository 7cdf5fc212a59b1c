"""What a request asks for: its fields, its key, the version it was made on."""

from __future__ import annotations

import re
import secrets
import time
import unicodedata
from collections.abc import Mapping

from flask import request

from webui.ledger.errors import N_, BadField, LedgerError
from webui.ledger.money import Money, read
from webui.store.tables import Order, fingerprint

# Not part of what is asked: they differ between a request and its repetition.
NOT_ASKED = ("csrf_token", "base", "key")

_PARTS = {"½": ".5", "¼": ".25", "¾": ".75"}


class BadMoney(LedgerError):
    """A field that holds no amount of money."""

    code = "bad_number"
    text = N_("“%(number)s” is no amount: figures, with two places at most.")


class BadNumber(LedgerError):
    """A field that holds no whole number."""

    code = "bad_number"
    text = N_("“%(number)s” is no whole number.")


def new_key() -> str:
    """A key for a form: sent back with it, however often it is sent."""
    return secrets.token_hex(16)


def wants_json() -> bool:
    """Whether the client is a script that wants an object, not a page."""
    if request.is_json:
        return True
    return request.accept_mimetypes.best_match(["text/html", "application/json"]) == "application/json"


def json_body() -> dict[str, object]:
    """The JSON object of the request; raises `BadField` where it is none."""
    body = request.get_json(silent=True)
    if not isinstance(body, dict):
        raise BadField({"field": "JSON"})
    return body


def order() -> Order:
    """Key and contents of the request, form or JSON, and the time."""
    fields: Mapping[str, object] = json_body() if request.is_json else request.form.to_dict(flat=False)
    wish = {name: value for name, value in fields.items() if name not in NOT_ASKED}
    key = fields.get("key", "")
    if isinstance(key, list):
        key = key[0] if key else ""
    return Order(str(key), fingerprint([request.path, wish]), now_ms())


def now_ms() -> int:
    """Milliseconds since 1970."""
    return int(time.time() * 1000)


JOINERS = "\u200c\u200d"  # ZERO WIDTH NON-JOINER and JOINER, of Persian letters and of emoji families
JOINING = frozenset(JOINERS) | frozenset(map(chr, range(0xE0020, 0xE0080)))  # and the tags of a flag


def base() -> int:
    """The version of the table on which the request was made; raises `BadField` without one."""
    given = json_body().get("base") if request.is_json else _integer(request.form.get("base", ""))
    if type(given) is not int:
        raise BadField({"field": "base"})
    return given


def _integer(text: str) -> int | None:
    return int(text) if re.fullmatch(r"\d{1,9}", text) else None


def line(name: str) -> str:
    """A text field without control characters, its blanks made single."""
    return clean(request.form.get(name, ""))


def clean(text: str) -> str:
    """One line of text as people see it: composed, without control characters, blanks made single.

    What joins letters or emoji to one another stays where it joins: it is a part of what is seen.
    """
    composed = unicodedata.normalize("NFC", text)
    seen = "".join(
        " " if unicodedata.category(letter)[0] in "CZ" and letter not in JOINING else letter
        for letter in composed
    )
    return " ".join(seen.split()).strip(JOINERS)


def number(name: str) -> int | None:
    """A whole number field, None where it is left empty; digits and signs of any script."""
    return parse_number(request.form.get(name, ""))


def parse_number(text: str) -> int | None:
    """A whole number as people type it (`＋１２`, `−4`), None for nothing; raises `BadNumber`."""
    plain = unicodedata.normalize("NFKC", text).replace("\u2212", "-").replace(" ", "")
    if not plain:
        return None
    if not re.fullmatch(r"[+-]?[0-9]{1,10}", plain):
        raise BadNumber({"number": text.strip()[:20]})
    return int(plain)


def money(name: str) -> Money | None:
    """An amount of money, None where the field is left empty; `0.5`, `０，５` and `½` are the same."""
    return parse_money(request.form.get(name, ""))


def parse_money(text: str) -> Money | None:
    """An amount as people type it, None for nothing; raises `BadMoney`."""
    typed = "".join(_PARTS.get(letter, letter) for letter in text)
    plain = unicodedata.normalize("NFKC", typed).replace("\u2212", "-").replace(" ", "").replace(",", ".")
    if not plain:
        return None
    found = re.fullmatch(r"([+-]?)([0-9]{0,10})(\.[0-9]{1,2})?", plain)
    if not found or not (found[2] or found[3]):
        raise BadMoney({"number": text.strip()[:20]})
    return read(f"{found[1].replace('+', '')}{found[2] or '0'}{found[3] or ''}")


def people(name: str) -> tuple[int, ...]:
    """The people ticked in a list of boxes."""
    return tuple(sorted({int(one) for one in request.form.getlist(name) if re.fullmatch(r"\d", one)}))


def person(name: str) -> int | None:
    """The person chosen in a field; None where none is."""
    text = request.form.get(name, "")
    return int(text) if re.fullmatch(r"\d", text) else None
