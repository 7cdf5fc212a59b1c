"""A slow, obvious count of 字牌 hands (RULES 4), against which the engine is compared. It shares no code with it.

Cards are tokens: `b8`, `!b8` for the winning card, `W` and `!W`, and `W=b8` once a 王 stands for something. Every
way to put tokens together is tried, with every place of the winning card and everything that a 王 can stand for; the
rules are applied to whole divisions afterwards. No memo, no packing, no bounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations

CODES = [f"{size}{number}" for number in range(1, 11) for size in "sb"]
RED = {f"{size}{number}" for size in "sb" for number in (2, 7, 10)}
SIXES = {("b1", "b2", "b3"), ("b10", "b2", "b7"), ("s1", "s2", "s3"), ("s10", "s2", "s7")}
ALIKE = {"碰": (3, 1), "偎": (6, 3), "坎": (6, 3), "跑": (9, 6), "清": (12, 9)}
Group = tuple[str, ...]
Meld = tuple[str, Group]
KINDS = ["吃", "碰", "偎", "坎", "跑", "清"]


def all_units() -> list[Group]:
    units = []
    for size, other in (("s", "b"), ("b", "s")):
        for number in range(1, 11):
            code = f"{size}{number}"
            units += [(code,) * 2, (code,) * 3, (code,) * 4, (code, code, f"{other}{number}")]
        units += [tuple(f"{size}{first + step}" for step in range(3)) for first in range(1, 9)]
        units.append((f"{size}2", f"{size}7", f"{size}10"))
    return units


UNITS = all_units()
WITH = {code: [unit for unit in UNITS if code in unit] for code in CODES}


@dataclass(frozen=True)
class Told:
    """What the oracle is told about a hand; `options` as in the rule set, those left out at their defaults."""

    melds: Sequence[Meld]
    loose: Sequence[str]
    winning: str | None = None
    self_drawn: bool = False
    seats: int = 3
    turned: str | None = None
    wang_diao: bool = False
    wang_chuang: bool = False
    options: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Found:
    """A division: rank (wins, what a loser pays, 胡, total), order among ties, and its melds."""

    rank: tuple[int, int, int, int]
    tie: tuple[object, ...]
    melds: tuple[Meld, ...]


def code_of(token: str) -> str:
    return token.replace("!", "").partition("=")[2] or token.replace("!", "").partition("=")[0]


def is_wang(token: str) -> bool:
    return "W" in token


def groups(tokens: tuple[str, ...], pairs: int) -> Iterator[list[Group]]:
    """Yield every way to put all tokens into units, with so many pairs at most."""
    real = [token for token in tokens if not is_wang(token)]
    if not tokens:
        yield []
        return
    first = real[0] if real else ""
    left = list(tokens)
    if first:
        left.remove(first)
    for unit in WITH[code_of(first)] if first else UNITS:
        if len(unit) == 2 and not pairs:
            continue
        others = list(unit)
        if first:
            others.remove(code_of(first))
        for filled, still in _fills(others, tuple(left)):
            for rest in groups(still, pairs - (len(unit) == 2)):
                yield [(first, *filled) if first else filled, *rest]


def _fills(codes: list[str], tokens: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Yield the ways to find tokens for these cards, and the tokens that are left."""
    if not codes:
        yield (), tokens
        return
    for token in dict.fromkeys(tokens):
        if is_wang(token) or code_of(token) == codes[0]:
            at = tokens.index(token)
            named = f"{token}={codes[0]}" if is_wang(token) else token
            for filled, left in _fills(codes[1:], tokens[:at] + tokens[at + 1 :]):
                yield (named, *filled), left


def divisions(told: Told) -> dict[tuple[Group, ...], Found]:
    """Return the best count of every division (its cards as grouped, wherever the winning card is)."""
    best: dict[tuple[Group, ...], Found] = {}
    for start, loose, blocked in _placements(told):
        for melds, locked, tokens in _with_fourths(told, start, loose):
            for grouped in groups(tuple(sorted(tokens)), 1):
                found = _judge(told, melds, [*locked, *grouped], blocked)
                if found is not None:
                    key = tuple(sorted(tuple(sorted(cards)) for _, cards in found.melds))
                    if key not in best or best[key].rank < found.rank:
                        best[key] = found
    return best


def _placements(told: Told) -> Iterator[tuple[list[Meld], list[str], bool]]:
    """Yield (given melds, tokens to group, whether the card makes something that does not win)."""
    melds, loose, win = list(told.melds), list(told.loose), told.winning
    if win is None:
        yield melds, loose, False
        return
    held = Counter(loose)[win] if win != "W" else 0
    threes = [at for at, (kind, cards) in enumerate(melds) if kind in "碰偎坎" and cards[0] == win]
    closed = any(melds[at][0] in "偎坎" for at in threes)
    if told.self_drawn and (held == 3 or closed):
        stops = not told.options.get("win_by_qing", False)
        if held == 3:
            rest = [card for card in loose if card != win]
            yield [*melds, ("清", (win,) * 4)], rest, stops
        else:
            yield (
                [("清", (win,) * 4) if at in threes else meld for at, meld in enumerate(melds)],
                loose,
                stops,
            )
        return
    if told.self_drawn and held == 2:
        yield [*melds, ("偎", (win,) * 3)], [card for card in loose if card != win], True
        return
    yield melds, [*loose, f"!{win}"], False
    for at in threes:
        yield [*melds[:at], ("跑", (win,) * 4), *melds[at + 1 :]], loose, False
    if held == 3:
        yield [*melds, ("跑", (win,) * 4)], [card for card in loose if card != win], False


def _judge(
    told: Told,
    melds: list[Meld],
    grouped: list[Group],
    blocked: bool,
) -> Found | None:
    """Return the count of a whole division, None where the rules don't allow it."""
    sizes = [len(cards) for _, cards in melds] + [len(tokens) for tokens in grouped]
    if len(sizes) != 7 or sizes.count(2) != (1 if 4 in sizes else 0):
        return None
    named = [*melds, *[(_kind(told, tokens), _named(tokens)) for tokens in grouped]]
    every = [name for _, cards in named for name in cards]
    if max(Counter(map(code_of, every)).values()) > 4:
        return None
    hu = sum(_points(told, kind, cards) for kind, cards in named)
    rank = _rank(told, named, grouped, hu, blocked)
    tie = tuple(sorted(place(kind, cards) for kind, cards in named))
    return Found(rank, tie, tuple(named))


def _with_fourths(
    told: Told, melds: list[Meld], tokens: list[str]
) -> Iterator[tuple[list[Meld], list[Group], list[str]]]:
    """Yield (given melds, locked groups, other tokens): three and four alike of the hand stay together (B6, B26).

    A 王 may be the fourth of a 坎 in hand (B32), or of given melds too where the table says so.
    """
    counts = Counter(told.loose)
    locked: list[Group] = [
        (code,) * number
        for code, number in counts.items()
        if number > 2 and tokens.count(code) > 2 and code != "W"
    ]
    rest = [token for token in tokens if (token,) * counts[token] not in locked]
    where = told.options.get("wang_fourth", "kan")
    open_locked = [at for at, cards in enumerate(locked) if len(cards) == 3 and where != "none"]
    given = enumerate(melds[: len(told.melds)])
    open_melds = [at for at, (kind, _) in given if kind in "碰偎坎" and where == "any"]
    spots = [(0, at) for at in open_melds] + [(1, at) for at in open_locked]
    wang = [token for token in rest if is_wang(token)]
    for some in range(min(len(wang), len(spots)) + 1):
        for which in combinations(spots, some):
            for chosen in set(permutations(wang, some)):
                yield _laid_on(melds, locked, rest, list(zip(which, chosen, strict=True)))


def _laid_on(
    melds: list[Meld], locked: list[Group], rest: list[str], fourths: list[tuple[tuple[int, int], str]]
) -> tuple[list[Meld], list[Group], list[str]]:
    melds, locked, rest = list(melds), list(locked), list(rest)
    for (in_hand, at), token in fourths:
        rest.remove(token)
        if in_hand:
            locked[at] = (*locked[at], f"{token}={locked[at][0]}")
        else:
            kind, cards = melds[at]
            melds[at] = ("跑" if kind == "碰" else "清", (*cards, f"W={cards[0]}"))
    return melds, locked, rest


def _named(tokens: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(token.replace("!", "") for token in tokens)


def _kind(told: Told, tokens: tuple[str, ...]) -> str:
    """Return what a loose unit is (B17, B22, B23, B31)."""
    if len(tokens) == 2 or len(set(map(code_of, tokens))) > 1:
        return "吃"
    by_other = not told.self_drawn and any(token.startswith("!") for token in tokens)
    if len(tokens) == 4:
        return "跑" if by_other else "清"
    wang = sum(map(is_wang, tokens))
    return "碰" if by_other and wang <= (0 if told.options.get("wang_third_kan", False) else 1) else "坎"


def _points(told: Told, kind: str, cards: tuple[str, ...]) -> int:
    codes = tuple(sorted(map(code_of, cards)))
    big = codes[0][0] == "b"
    if kind != "吃":
        counts = kind != "坎" or told.options.get("kan_hu", True)
        return ALIKE[kind][0 if big else 1] if counts else 0
    return (6 if big else 3) if codes in SIXES else 0


def place(kind: str, cards: tuple[str, ...]) -> tuple[int, list[tuple[int, int]]]:
    deck = [f"{size}{number}" for size in "sb" for number in range(1, 11)]
    return KINDS.index(kind), sorted((deck.index(code_of(name)), is_wang(name)) for name in cards)


def _rank(
    told: Told,
    named: list[Meld],
    grouped: list[Group],
    hu: int,
    blocked: bool,
) -> tuple[int, int, int, int]:
    option = told.options.get
    held_wang = any(is_wang(name) for _, cards in named for name in cards)
    if hu < 15 or blocked or (option("wang_needs_zimo", False) and held_wang and not told.self_drawn):
        return 0, 0, hu, 0
    diao, chuang = _waited(told, grouped)
    factor = 8 if chuang else 4 if diao else 1
    if told.self_drawn and (factor == 1 or option("zimo_times_wang", False)):
        factor *= 2
    reds = [
        name
        for _, cards in named
        for name in cards
        if code_of(name) in RED and (option("wang_colour", True) or not is_wang(name))
    ]
    factor *= {0: 4, 1: 3}.get(len(reds), 2 if len(reds) >= 10 and option("red_win", True) else 1)
    kezi, xing = (hu - 15) // 3 + 1, _xing(told, named)
    total = (kezi * (1 + xing) if option("xing", "add") == "multiply" else kezi + xing) * factor
    return 1, total, hu, total


def _waited(told: Told, grouped: list[Group]) -> tuple[bool, bool]:
    """Say whether the hand is a 王吊, and whether a 王撞 (B30, B33)."""
    diao = chuang = False
    for tokens in grouped:
        alike = len(set(map(code_of, tokens))) == 1
        waiting = sum(is_wang(token) and not token.startswith("!") for token in tokens)
        if told.options.get("drawn_wang_waited", False):
            waiting = sum(map(is_wang, tokens)) if told.winning == "W" else waiting
        holds = any(token.startswith("!") for token in tokens)
        if told.winning == "W" and told.options.get("drawn_wang_waited", False):
            holds = True
        if told.winning is None:
            pair, three = told.wang_diao and waiting >= 1, told.wang_chuang and waiting >= 2
        else:
            pair, three = holds and waiting >= 1, holds and waiting >= 2
        diao |= len(tokens) == 2 and pair
        chuang |= len(tokens) == 3 and three and (alike or not told.options.get("chuang_alike", False))
    return diao, chuang


def _xing(told: Told, named: list[Meld]) -> int:
    if told.turned is None:
        return 0
    twice = 2 if told.seats == 4 else 1
    if told.turned == "W":
        return twice * int(str(told.options.get("turned_wang", 0)))
    wanted = told.turned[0] + str(int(told.turned[1:]) % 10 + 1)
    count = 0
    for at, (kind, cards) in enumerate(named):
        shown = kind in "碰跑" or (kind == "吃" and at < len(told.melds))
        if shown or not told.options.get("xing_exposed", False):
            count += sum(
                code_of(name) == wanted and (told.options.get("xing_wang", True) is True or not is_wang(name))
                for name in cards
            )
    return count * twice
