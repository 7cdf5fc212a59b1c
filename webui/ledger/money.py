"""Money of a table: exact numbers of at most two places, whole ones as int.

A stake of half a yuan makes decimals; their sums stay exact, so that what is won and what is paid still add up to 0.
"""

import re
from decimal import Decimal
from typing import TypeAlias

Money: TypeAlias = int | Decimal

PLACES = 2
LEAST = Decimal("0.01")
"""The smallest stake: one of the last place."""

_WRITTEN = re.compile(r"-?\d{1,16}(?:\.\d{1,2})?")


def plain(amount: Money) -> Money:
    """The same amount, as int where it is whole; raises ValueError for one of more than two places."""
    if isinstance(amount, int):
        return amount
    if amount != round(amount, PLACES):
        raise ValueError(f"{amount} has more than {PLACES} places")
    return int(amount) if amount == int(amount) else amount


def size(amount: Money) -> Money:
    """The amount without its sign."""
    return -amount if amount < 0 else amount


def written(amount: Money) -> str:
    """An amount in figures, with a plain minus.

    >>> written(Decimal("-1.50")), written(12)
    ('-1.5', '12')
    """
    return str(amount) if isinstance(amount, int) else f"{amount.normalize():f}"


def read(text: str) -> Money:
    """What `written` wrote; raises ValueError for anything else.

    >>> read("-1.5"), read("12.00")
    (Decimal('-1.5'), 12)
    """
    if not _WRITTEN.fullmatch(text):
        raise ValueError(f"{text!r} is no amount of money")
    return plain(Decimal(text)) if "." in text else int(text)
