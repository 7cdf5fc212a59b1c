"""Who pays whom: changes per seat, seat 0 the scored hand. Every settlement sums to zero (RULES Z8)."""

from __future__ import annotations


def each_pays(amount: int, seats: int) -> tuple[int, ...]:
    """Every other seat pays `amount` to seat 0 (or gets it, when negative).

    >>> each_pays(4, 4)
    (12, -4, -4, -4)
    """
    return (amount * (seats - 1),) + (-amount,) * (seats - 1)


def nobody_pays(seats: int) -> tuple[int, ...]:
    """Nothing changes hands.

    >>> nobody_pays(3)
    (0, 0, 0)
    """
    return (0,) * seats
