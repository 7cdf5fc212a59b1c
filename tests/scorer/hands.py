"""Random hands for tests and benchmarks: complete ones put together from units, near misses, and random cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from types import MappingProxyType

from scorer import Hand, Meld, rule_set
from scorer.book import Book, Shape
from scorer.facts import check_options
from scorer.games import book_for
from scorer.hand import make_hand


@dataclass(frozen=True)
class Recipe:
    """How a complete hand of a game is put together.

    Attributes
    ----------
    whole : for the units chosen so far: True when they are a whole hand, False when they can't become one
        any more, None when units are missing
    likely : how often a unit of this kind and row is drawn
    sizes : numbers of cards of a hand without fixed melds, for dense hands
    dense_faces : numbers of different faces that make dense hands
    dense_copies : most copies of one of these
    dense_options : options of the house that has the densest hands
    wild : share of hands in which a card is replaced by a wild
    takes_wild : whether a wild may stand in a unit
    wild_wins : whether a wild may be the winning card whatever the facts
    """

    whole: Callable[[list[Shape]], bool | None]
    sizes: tuple[int, ...]
    dense_faces: tuple[int, ...]
    likely: Callable[[Shape], float] = lambda shape: 1.0
    wild: float = 0.0
    takes_wild: Callable[[Shape], bool] = lambda shape: True
    wild_wins: bool = True
    dense_copies: int = 9
    dense_options: Mapping[str, object] = field(default_factory=dict)


def _of_size(size: int) -> Callable[[list[Shape]], bool | None]:
    def whole(units: list[Shape]) -> bool | None:
        cards = sum(len(unit.cards) for unit in units)
        return None if cards < size else cards == size

    return whole


def _of_number(number: int) -> Callable[[list[Shape]], bool | None]:
    def whole(units: list[Shape]) -> bool | None:
        return None if len(units) < number else True

    return whole


def _unsplit(units: list[Shape], eaten: str) -> bool:
    """Whether three alike are in no other units, so that none of them is taken for a set that stays together."""
    loose = Counter(card for unit in units if unit.kind == eaten for card in unit.cards)
    alike = {unit.cards[0] for unit in units if unit.kind != eaten}
    return max(loose.values(), default=0) < 3 and not alike & loose.keys()


def _seven_units(units: list[Shape]) -> bool | None:
    """字牌: seven units, with one pair exactly when four are alike."""
    sizes = [len(unit.cards) for unit in units]
    if sizes.count(2) > 1 or not _unsplit(units, "吃"):
        return False
    return None if len(units) < 7 else (4 in sizes) == (2 in sizes)


def _groups_of_21(units: list[Shape]) -> bool | None:
    return _of_size(21)(units) if _unsplit(units, "ăn") else False


RECIPES: Mapping[str, Recipe] = {
    "chuanpai": Recipe(
        _of_number(8),
        (16, 18, 20, 24),
        (5, 6, 8),
        lambda shape: 0.0 if "C" in shape.cards else 2.0 if shape.kind == "摆" else 0.5,
        wild=0.35,
        takes_wild=lambda shape: shape.kind == "摆",
    ),
    "guangshui": Recipe(
        _of_size(31),
        (31,),
        (8, 9, 10, 12),
        lambda shape: {"吃": 1.0, "占": 1.5, "楼": 0.3, "闹": 0.3}.get(shape.kind, 1.0),
    ),
    "daer": Recipe(
        _seven_units,
        (21, 22, 23),
        (10, 12, 14, 17),
        lambda shape: 1.0 if len(shape.cards) == 3 else 0.5,
        dense_copies=2,
    ),
    "paohuzi": Recipe(
        _seven_units,
        (21, 22, 23),
        (10, 12, 14, 17),
        lambda shape: 1.0 if len(shape.cards) == 3 else 0.5,
        dense_copies=2,
        dense_options={"mingtang": "quan", "hang_xi": True},
    ),
    "shihu": Recipe(
        _of_size(21),
        (21,),
        (6, 7, 9, 12),
        lambda shape: 0.3 if shape.kind == "槓" or shape.row == "將" else 1.0,
    ),
    "tusac": Recipe(
        _groups_of_21,
        (21,),
        (6, 7, 9, 12),
        lambda shape: {"khui": 0.3, "quan": 0.3}.get(shape.kind, 0.3 if shape.row == "tướng" else 1.0),
        dense_options={"break_khap": True},
    ),
    "zipai": Recipe(
        _seven_units,
        (21, 22, 23),
        (10, 12, 14, 17),
        lambda shape: 1.0 if len(shape.cards) == 3 else 0.5,
        wild=0.3,
        wild_wins=False,
        dense_copies=2,
        dense_options={"wang": 4},
    ),
    "yaodiren": Recipe(
        _of_number(7),
        (21, 24, 28, 30, 35),
        (5, 6, 7, 9, 12),
        lambda shape: {"吃": 1.0, "碰": 2.0}.get(shape.kind, 0.4),
    ),
}


def complete(rules_id: str, rng: Random, melds: int = 0, winning: bool = True) -> Hand:
    """Return a hand that divides: `melds` fixed melds, the rest loose, one loose card the winning card."""
    rules = rule_set(rules_id)
    book = book_for(rules_id, check_options(rules, {}))
    recipe = RECIPES[rules_id]
    while True:
        units = _units(rng, book, recipe, melds)
        if units is not None:
            break
    fixed = tuple(Meld(unit.kind, unit.cards, unit.shown) for unit in units[:melds])
    loose = [card for unit in units[melds:] for card in unit.cards]
    if recipe.wild and rng.random() < recipe.wild:
        loose = _with_wild(rng, book, recipe, units, melds)
    wilds = set() if recipe.wild_wins else {face.code for face in rules.cards.faces if "wild" in face.tags}
    may_win = [at for at, card in enumerate(loose) if card not in wilds]
    last = loose.pop(rng.choice(may_win)) if winning else None
    return make_hand(rules, fixed, loose, last)


def _with_wild(rng: Random, book: Book, recipe: Recipe, units: list[Shape], melds: int) -> list[str]:
    """Return the loose cards of the units with a wild in place of one of them, where a wild may stand."""
    copies = book.rules.copies(check_options(book.rules, {}))
    held = Counter(card for unit in units for card in unit.cards)
    wilds = [
        face.code
        for face in book.rules.cards.faces
        if "wild" in face.tags and held[face.code] < copies[face.code]
    ]
    groups = [list(unit.cards) for unit in units[melds:]]
    open_to_wilds = [
        group for group, unit in zip(groups, units[melds:], strict=True) if recipe.takes_wild(unit)
    ]
    if wilds and open_to_wilds:
        group = rng.choice(open_to_wilds)
        group[rng.randrange(len(group))] = rng.choice(wilds)
    return [card for group in groups for card in group]


def near(rules_id: str, rng: Random, melds: int = 0) -> Hand:
    """Return a complete hand in which one or two loose cards are swapped for others of the deck."""
    hand = complete(rules_id, rng, melds)
    loose = list(hand.loose)
    for _ in range(rng.randint(1, 2)):
        left = _left(rules_id, Counter(hand.cards()))
        loose[rng.randrange(len(loose))] = rng.choice(left)
        hand = make_hand(rule_set(rules_id), hand.melds, loose, hand.winning)
    return hand


def scattered(rules_id: str, rng: Random, size: int, faces: int = 8) -> Hand:
    """Return `size` loose cards, one of them the winning card, drawn from a few faces so that many ways exist."""
    held = Counter(_left(rules_id, Counter()))
    deck = [card for card, number in held.items() for _ in range(min(number, RECIPES[rules_id].dense_copies))]
    chosen = set(rng.sample(sorted(set(deck)), faces))
    some = [card for card in deck if card in chosen]
    while len(some) < size:
        chosen.add(rng.choice(deck))
        some = [card for card in deck if card in chosen]
    cards = rng.sample(some, size)
    return make_hand(rule_set(rules_id), (), cards[1:], cards[0])


def _left(
    rules_id: str, held: Counter[str], options: Mapping[str, object] = MappingProxyType({})
) -> list[str]:
    rules = rule_set(rules_id)
    copies = rules.copies(check_options(rules, options))
    return [card for card, number in copies.items() for _ in range(number - held[card])]


def _units(rng: Random, book: Book, recipe: Recipe, melds: int) -> list[Shape] | None:
    """Return units that make a whole hand within the deck, the first `melds` of them fixed; None when unlucky."""
    copies = book.rules.copies(check_options(book.rules, {}))
    held: Counter[str] = Counter()
    chosen: list[Shape] = []
    fixed = list({unit.id: unit.shape for unit in book.fixed.values()}.values())
    free = [unit.shape for unit in book.free.values() if not any("=" in card for card in unit.shape.cards)]
    for _ in range(40):
        pool = fixed if len(chosen) < melds else free
        unit = rng.choices(pool, [recipe.likely(shape) for shape in pool])[0]
        if all(held[card] + number <= copies[card] for card, number in Counter(unit.cards).items()):
            chosen.append(unit)
            held.update(unit.cards)
        whole = recipe.whole(chosen)
        if whole is not None:
            return chosen if whole and len(chosen) > melds else None
    return None


def densest(rules_id: str, rng: Random, number: int = 60) -> list[Hand]:
    """Return hands with as many ways to divide as can be found: few faces, all copies, every wild."""
    rules = rule_set(rules_id)
    recipe = RECIPES[rules_id]
    hands = [scattered(rules_id, rng, size, faces) for size in recipe.sizes for faces in recipe.dense_faces]
    deck = _left(rules_id, Counter(), recipe.dense_options)
    wilds = [card for card in deck if "wild" in rules.cards.face(card).tags]
    for hand in list(hands) if wilds else []:
        cards = [card for card in hand.cards() if card not in wilds]
        every = (
            [*cards[: len(hand.cards()) - len(wilds)], *wilds]
            if recipe.wild_wins
            else [*wilds, *cards[: len(hand.cards()) - len(wilds)]]
        )
        hands.append(make_hand(rules, (), every[:-1], every[-1]))
    while len(hands) < number:
        hands.append(scattered(rules_id, rng, rng.choice(recipe.sizes), rng.choice(recipe.dense_faces)))
    return hands
