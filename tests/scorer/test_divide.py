"""Division by itself, on a small made-up game with wilds that stand for cards and a pair that may come once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random
from types import MappingProxyType

import pytest

from scorer.book import Book, Shape, make_book, stands_for
from scorer.cards import Names, deck
from scorer.divide import divisions, tabulate, tie_order, unplaced
from scorer.rules import Kind, Row, RuleSet
from tests.scorer.oracle import OracleUnit, Units, covers

NAMES = Names({"zh-Hans": "戏", "en": "play"})
CARDS = ("s1", "s2", "s3", "b1", "b2", "b3")
RULES = RuleSet(
    id="play", name=NAMES, deck="zipai", composition="80+4", unit=NAMES, seats=(2,),
    kinds=(Kind("吃", (), NAMES, False, (2, 3)), Kind("坎", (), NAMES, True, (3,))),
    facts=(), options=(), said=(), table=(Row("吃", NAMES, "B3", ()), Row("坎", NAMES, "B2", ())),
    columns=(), notices=(), payments=(), card_names=MappingProxyType({}),
)  # fmt: skip


def bare() -> Iterator[tuple[str, tuple[str, ...], int]]:
    """Yield (kind, cards, feature)."""
    yield "吃", ("s1", "s2", "s3"), 3
    yield "吃", ("b1", "b2", "b3"), 6
    for rank in "123":
        yield "吃", ("s" + rank, "s" + rank, "b" + rank), 0
        yield "吃", ("s" + rank, "b" + rank, "b" + rank), 0
    for card in CARDS:
        yield "坎", (card,) * 3, 3 if card[0] == "s" else 6
        yield "吃", (card,) * 2, 100


def shapes() -> list[Shape]:
    """Return the units, with every card of a unit but one replaced by a wild or not."""
    found = {}
    for kind, cards, feature in bare():
        for wild in product((False, True), repeat=len(cards)):
            if not all(wild):
                written = tuple(
                    sorted(f"W={card}" if mark else card for card, mark in zip(cards, wild, strict=True))
                )
                takes = ("pair",) if len(cards) == 2 else ()
                found[kind, written] = Shape(kind, written, kind, 0, feature, takes=takes)
    return list(found.values())


SHAPES = shapes()
UNITS = Units(
    (str(at), tuple(card.partition("=")[0] for card in shape.cards)) for at, shape in enumerate(SHAPES)
)
COPIES = deck("zipai").copies["80+4"]


@pytest.fixture(scope="module", params=["tabulated", "bare"])
def book(request: pytest.FixtureRequest) -> Book:
    made = make_book(RULES, SHAPES, [], (), (*CARDS, "W")).of_deck(COPIES)
    return tabulate(made) if request.param == "tabulated" else made


def possible(cards: list[str], division: tuple[OracleUnit, ...], pairs: int) -> bool:
    """Return whether no card is stood for beyond its copies, and there are so many pairs."""
    used = [SHAPES[int(name)] for name, _ in division]
    all_cards = Counter(cards) + Counter(
        stands_for(card) for shape in used for card in shape.cards if "=" in card
    )
    del all_cards["W"]
    return max(all_cards.values(), default=0) <= 4 and sum("pair" in shape.takes for shape in used) == pairs


def expected(book: Book, cards: list[str], pairs: int) -> dict[int, list[tuple[int, ...]]]:
    """Return the first two divisions, as sorted places, for each sum of features."""
    place = {unit.shape: unit.place for unit in book.free.values()}
    found: dict[int, list[tuple[int, ...]]] = {}
    for division in covers(cards, UNITS):
        if possible(cards, division, pairs):
            used = [SHAPES[int(name)] for name, _ in division]
            found.setdefault(sum(shape.feature for shape in used), []).append(
                tuple(sorted(place[shape] for shape in used))
            )
    return {feature: sorted(ways, key=tie_order)[:2] for feature, ways in found.items()}


def holding(rng: Random, wilds: int) -> list[str]:
    """Return nine cards, most often such that they divide without wilds, some of them turned into wilds."""
    while True:
        cards = [
            card
            for _, unit, _ in rng.choices([each for each in bare() if len(each[1]) == 3], k=3)
            for card in unit
        ]
        if rng.random() < 0.2:
            cards[0] = rng.choice(CARDS)
        if max(Counter(cards).values()) <= 4:
            for at in rng.sample(range(len(cards)), wilds):
                cards[at] = "W"
            return cards


@pytest.mark.parametrize("wilds", range(5))
def test_first_two_ways_of_every_sum(book: Book, wilds: int) -> None:
    rng = Random(wilds)
    ways = 0
    for _ in range(60 if wilds < 3 else 12):
        pairs = rng.randint(0, 1)
        cards = holding(rng, wilds)[pairs:]
        loose = book.pack(cards) + pairs * book.weight["pair"]
        room = book.limit - book.pack([card for card in cards if card != "W"])
        found: dict[int, list[tuple[int, ...]]] = {}
        for feature, places, closed in divisions(book, loose, None, room):
            assert closed == -1
            found.setdefault(feature, []).append(tuple(sorted(places)))
        assert {feature: sorted(each, key=tie_order) for feature, each in found.items()} == expected(
            book, cards, pairs
        )
        ways += len(found)
    assert ways > 20


def test_the_winning_card_closes_one_of_the_units_given(book: Book) -> None:
    cards = ["s1", "s2", "s3", "s1", "s1", "W"]
    loose, room = book.pack(cards), book.limit - book.pack(cards[:5])
    triples = [unit for unit in book.free.values() if unit.shape.kind == "坎" and "s1" in unit.shape.cards]
    found = divisions(book, loose, [(unit, unit) for unit in triples], room)
    assert {book.units[closed].shape.cards for _, _, closed in found} == {
        ("W=s1", "s1", "s1"),
        ("s1", "s1", "s1"),
    }
    assert list(divisions(book, loose, [], room)) == []
    assert list(divisions(book, loose, [(unit, unit) for unit in triples], room - book.weight["s1"])) == []


def test_tokens_are_no_cards(book: Book) -> None:
    assert unplaced(book, book.pack(["s1", "s2", "s3", "b1"]) + book.weight["pair"]) == ("b1",)
    assert unplaced(book, book.pack(["s1", "s1", "W"])) == ()
    assert book.unpack(book.pack(["W", "s1"]) + book.weight["pair"]) == ("s1", "W")
