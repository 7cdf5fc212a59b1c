"""What requests hold, as it is taken from outside: JSON, and the numbers in an address."""

from __future__ import annotations

from typing import Any

from flask.json.provider import DefaultJSONProvider
from werkzeug.routing import IntegerConverter

from webui.ledger import outside


class OutsideJson(DefaultJSONProvider):
    """What is asked is taken as from outside; answers hold Chinese as it is: half the bytes, and readable."""

    ensure_ascii = False

    def loads(self, s: str | bytes, **kwargs: Any) -> Any:
        """The value of a JSON text; raises `webui.ledger.outside.BadJson`, of which Flask makes status 400."""
        return outside.loads(s)


class SmallNumber(IntegerConverter):
    """A whole number in an address, of nine digits at most: a larger one is of nothing, and no database holds it."""

    regex = r"\d{1,9}"
