"""Who deals, who sits 坐醒 and who sits out in the next round, by each game's own rule.

From the rule texts (`shared/sources` where this program was planned):

- zipai: whoever wins deals next, the one opposite the dealer sits 坐醒 ("以后谁胡牌谁就是庄家，对家座醒");
  nothing moves the dealer after 黄庄, so the dealer stays.
- shihu: the next round is begun by whoever last played, drew or won
  ("下一局由前一局最後出牌／抽牌／胡牌的玩家開始").
- chuanpai: the second player after the winner cuts, and the card turned up says who leads
  ("用和牌的人下第二家负责抬牌、翻牌看牌面大小决定下一牌谁是头家"): nobody can know it, so it is asked for.
- yaodiren: the text moves the dealer only when the deal is given up, to the next person ("换下一人当庄");
  so a draw moves on, and the winner deals next as in the other games (our decision).
- guangshui: a round that nobody won passes on ("过头进行下一轮游戏"); the winner deals next (our decision).
- tusac, paohuzi: the winner deals next (our decision T16; P22), nothing moves the dealer after a draw.
- daer: the deal goes round (R20).

Each table can choose another rule, and each round's dealer can be set by hand.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from webui.ledger.changes import DealerRule, Round, Seating
from webui.ledger.money import Money, plain

Move: TypeAlias = Literal["winner", "cut", "last", "next", "stays"]

WON: Mapping[str, Move] = {
    "zipai": "winner",
    "shihu": "winner",
    "chuanpai": "cut",
    "yaodiren": "winner",
    "guangshui": "winner",
    "tusac": "winner",
    "paohuzi": "winner",
    "daer": "next",
}
DRAWN: Mapping[str, Move] = {
    "zipai": "stays",
    "shihu": "last",
    "chuanpai": "stays",
    "yaodiren": "next",
    "guangshui": "next",
    "tusac": "stays",
    "paohuzi": "stays",
    "daer": "next",
}
# With this many at the table the one opposite the dealer sits 坐醒.
SITTER_SEATS: Mapping[str, int] = {"zipai": 4}


@dataclass(frozen=True)
class Circle:
    """The people around a table and how many of them a round takes.

    Parameters
    ----------
    people
        How many people the table has.
    away
        Those who went home.
    seats
        How many a round takes, 坐醒 among them.
    order
        Everybody in the order in which they sit; empty where that is by their numbers.
    """

    rules: str
    people: int
    away: frozenset[int]
    seats: int
    dealer_rule: DealerRule = "game"
    order: tuple[int, ...] = ()

    def ring(self) -> tuple[int, ...]:
        """Everybody in the order in which they sit, also who is away."""
        return self.order or tuple(range(self.people))

    def present(self) -> tuple[int, ...]:
        """Everybody who is here, in the order in which they sit."""
        return tuple(person for person in self.ring() if person not in self.away)

    def after(self, person: int) -> tuple[int, ...]:
        """Everybody in the order in which they sit, from the one after `person` round to that one."""
        ring = self.ring()
        start = ring.index(person) + 1
        return ring[start:] + ring[:start]


def following(circle: Circle, among: Sequence[int], person: int, steps: int = 1) -> int:
    """The one of `among` who sits `steps` places after `person`, who need not be one of them."""
    seated = [one for one in circle.after(person) if one in among]
    return seated[(steps - 1) % len(seated)]


def one_seat_earlier(circle: Circle, person: int) -> tuple[int, ...]:
    """The order of seats when a person changes places with who sits before; the first one goes to the last seat."""
    ring = [one for one in circle.ring() if one != person]
    place = circle.ring().index(person)
    ring.insert(place - 1 if place else len(ring), person)
    return tuple(ring)


def next_dealer(circle: Circle, played: Round) -> int | None:
    """Who deals after `played`; None where it has to be asked for."""
    move = _move(circle, drawn=played.how == "draw")
    dealer = played.seating.dealer
    if move == "cut":
        return None
    if move == "winner" and played.winner is not None:
        return _present(circle, played.winner)
    if move == "last" and played.last is not None:
        return _present(circle, played.last)
    if move == "next" and dealer is not None:
        return following(circle, circle.present(), dealer) if circle.present() else None
    return _present(circle, dealer)


def _move(circle: Circle, drawn: bool) -> Move:
    if circle.dealer_rule != "game":
        return circle.dealer_rule
    return (DRAWN if drawn else WON).get(circle.rules, "stays" if drawn else "winner")


def has_sitter(circle: Circle, out: Sequence[int]) -> bool:
    """Whether one of those who do not sit out sits 坐醒."""
    seated = [person for person in circle.present() if person not in out]
    return len(seated) == SITTER_SEATS.get(circle.rules)


def _present(circle: Circle, person: int | None) -> int | None:
    """The person, or who sits next where that one went home."""
    if person is None or person not in circle.away:
        return person
    return following(circle, circle.present(), person) if circle.present() else None


def cutter(circle: Circle, played: Round) -> int | None:
    """Who cuts for the lead after a win in chuanpai: the second player after the winner."""
    if played.winner is None or _move(circle, drawn=False) != "cut":
        return None
    seated = [person for person in circle.present() if person not in played.seating.out]
    return following(circle, seated, played.winner, 2) if len(seated) > 1 else None


def next_out(circle: Circle, last: Seating, dealer: int | None) -> tuple[int, ...]:
    """Who sits out next: everybody away, and in turn as many of the others as the game has no seat for.

    The ones who sit out change every round, on from the last who did in the seating before; the dealer stays in.
    """
    here = circle.present()
    spare = max(0, len(here) - circle.seats)
    waiting = [person for person in here if person != dealer]
    rested = _last_rested(circle, last)
    queue = waiting[::-1] if rested is None else [one for one in circle.after(rested) if one in waiting]
    # Who just sat out comes last, also where the dealer's turn was skipped.
    queue.sort(key=lambda person: person in last.out)
    return tuple(sorted({*queue[:spare], *circle.away}))


def _last_rested(circle: Circle, last: Seating) -> int | None:
    """Of those here who sat out, the one after whom it is the next one's turn; None where nobody did."""
    here = circle.present()
    resting = [person for person in here if person in last.out]
    takers = [person for person in here if person != last.dealer]
    ends = [person for person in resting if following(circle, takers, person) not in resting]
    return (ends or resting)[-1] if resting else None


def sitter(circle: Circle, dealer: int | None, out: Sequence[int]) -> int | None:
    """Who sits 坐醒: opposite the dealer, in a game and number of seats that know it."""
    seated = [person for person in circle.present() if person not in out]
    if dealer not in seated or len(seated) != SITTER_SEATS.get(circle.rules):
        return None
    return seated[(seated.index(dealer) + len(seated) // 2) % len(seated)]


def seat(circle: Circle, dealer: int | None, last: Seating) -> Seating:
    """The whole seating of a coming round with this dealer, after a round that was seated like `last`."""
    out = next_out(circle, last, dealer)
    return Seating(dealer, sitter(circle, dealer, out), out)


def playing(people: int, seating: Seating) -> tuple[int, ...]:
    """Those who hold cards in a round, by number."""
    idle = {*seating.out, seating.sitter}
    return tuple(person for person in range(people) if person not in idle)


def settlement_order(
    people: int, seating: Seating, winner: int, drawer: int | None = None
) -> tuple[int, ...]:
    """The people in the order of a settlement (RULES Z8): the scored hand, the others, 坐醒 last.

    Of the others the one who drew the winning card (点炮) comes first, as that one may pay for all; they go by
    number, not by seat: else they pay alike, and a round stays as it was when seats change.
    """
    ring = playing(people, seating)
    start = ring.index(winner)
    order = (winner, *sorted(ring[start + 1 :] + ring[:start], key=lambda person: person != drawer))
    return order if seating.sitter is None else (*order, seating.sitter)


def amounts(
    people: int,
    seating: Seating,
    winner: int,
    settlement: Sequence[int],
    stake: Money,
    drawer: int | None = None,
) -> tuple[Money, ...]:
    """Money per person of a settlement in points: points times stake, 0 for who sits out.

    Raises
    ------
    ValueError
        Where the settlement has more or fewer seats than the round.
    """
    order = settlement_order(people, seating, winner, drawer)
    if len(order) != len(settlement):
        raise ValueError(f"a settlement for {len(settlement)} cannot be paid by {len(order)}")
    paid = dict(zip(order, settlement, strict=True))
    return tuple(plain(paid.get(person, 0) * stake) for person in range(people))
