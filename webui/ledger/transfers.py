"""Settling up at the end of the evening with as few payments as can be."""

from collections.abc import Sequence
from dataclasses import dataclass

from webui.ledger.money import Money, plain


@dataclass(frozen=True)
class Transfer:
    """One payment: who pays, who gets, how much (above 0)."""

    payer: int
    payee: int
    amount: Money


def settle_up(totals: Sequence[Money]) -> tuple[Transfer, ...]:
    """The fewest payments that bring every total to 0.

    People whose totals add up to 0 among themselves settle among themselves; the more such groups, the fewer
    payments (a group of n needs n - 1). The best split is searched exactly over all groups: 2^8 for
    the at most eight people of a table.

    >>> settle_up((5, -5, 7, -7))
    (Transfer(payer=1, payee=0, amount=5), Transfer(payer=3, payee=2, amount=7))
    """
    if sum(totals):
        raise ValueError("totals that do not add up to 0 cannot be settled")
    owing = [person for person, total in enumerate(totals) if total]
    return tuple(
        transfer
        for group in _most_groups(owing, totals)
        for transfer in _within({p: totals[p] for p in group})
    )


def _most_groups(people: Sequence[int], totals: Sequence[Money]) -> list[list[int]]:
    """Split people into as many groups that add up to 0 as there can be."""
    size = 1 << len(people)
    sums: list[Money] = [0] * size
    # most groups closed inside mask when its people are taken one after another, and who came last
    best = [0] * size
    last = [0] * size
    for mask in range(1, size):
        low = (mask & -mask).bit_length() - 1
        sums[mask] = sums[mask & (mask - 1)] + totals[people[low]]
        choices = [place for place in range(len(people)) if mask >> place & 1]
        last[mask] = max(choices, key=lambda place: best[mask ^ (1 << place)])
        best[mask] = best[mask ^ (1 << last[mask])] + (sums[mask] == 0)
    groups: list[list[int]] = []
    mask = size - 1
    while mask:
        if sums[mask] == 0:
            groups.append([])
        groups[-1].append(people[last[mask]])
        mask ^= 1 << last[mask]
    return [sorted(group) for group in reversed(groups)]


def _within(totals: dict[int, Money]) -> list[Transfer]:
    """Payments inside one group: the largest debt to the largest gain until nothing is left."""
    left = dict(totals)
    transfers = []
    while any(left.values()):
        payee = max(left, key=lambda person: (left[person], -person))
        payer = min(left, key=lambda person: (left[person], person))
        amount = min(left[payee], -left[payer])
        left[payee] -= amount
        left[payer] += amount
        transfers.append(Transfer(payer, payee, plain(amount)))
    return transfers
