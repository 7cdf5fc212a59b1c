"""The units of a game as integers: what loose cards can form, worked out once per rule set and options.

Counts of cards are packed into one integer, `BITS` bits per face, so that taking a unit out of a hand is one
subtraction and one test of the guard bits. Faces that can share a unit form a component; a component's cards
are divided on their own, so its fields lie side by side. All wild cards share the topmost field and may go to
any component.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from types import MappingProxyType

from scorer.hand import Meld
from scorer.rules import RuleSet
from scorer.tally import Line

BITS = 4  # per face: counts up to 7 and a guard bit

FIELD_MASK = (1 << BITS) - 1
MOST = 7  # copies of one face that a field can hold
_FEW = 100  # ways to use up a face that are tried at once
# The field in which a single bit lies.
FIELD_AT: Mapping[int, int] = {1 << bit: FIELD_MASK << bit - bit % BITS for bit in range(BITS * 40)}

# One way to divide some cards: sum of features, places of the units in ascending order, and the id of the unit
# that the winning card closes (-1 without).
Way = tuple[int, tuple[int, ...], int]
# Ways of a component that may matter, and a feature that none of them exceeds.
Part = tuple[Sequence[Way], int]
NOTHING: tuple[Way, ...] = ((0, (), -1),)  # the one way to divide no cards


@dataclass(frozen=True, slots=True)
class Shape:
    """A unit as a game describes it.

    `cards` are codes; a wild that stands for a certain card is written `W=b8`, one that stands for none `W`.
    `feature` is a packed integer; the game adds up those of a division and judges the sum. `takes` are tokens of
    the game's own that a loose unit uses up: a problem puts as many into its loose cards as there must be such
    units (`book.weight` has them by name).
    """

    kind: str
    cards: tuple[str, ...]
    row: str
    points: int
    feature: int
    shown: bool = False
    takes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit ready to use.

    Attributes
    ----------
    id : its own number, in the order of places
    place : place in the order of ties (kind in the rule set's order, then cards in deck order); units that
        differ only in value share it
    need : packed counts of the cards, and of the tokens, that it takes
    stand : packed counts of the cards that its wilds stand for
    """

    id: int
    place: int
    shape: Shape
    need: int
    stand: int
    feature: int
    meld: Meld
    line: Line


# Taking free units out of a component's holding: (need, feature, places), and (need, stand, feature, place) of one
# unit where wilds may stand for cards; all in the component's own packing. They are found by the lowest field of
# the holding that is not empty, and take no more of that face than it holds. Where it can be used up in few ways,
# a step is such a way; else it is one unit.
Step = tuple[int, int, tuple[int, ...]]
Steps = Mapping[int, tuple[Step, ...]]
StandingSteps = Mapping[int, tuple[tuple[int, int, int, int], ...]]


@dataclass(frozen=True, slots=True)
class Component:
    """Faces that share units.

    A holding is the component's field of the packed counts with the wilds in the field right above
    (`wild_shift`). `plain` are the steps without wilds, `every` all steps, `standing[n]` those of at most n wilds
    with what these stand for; `stands` says whether any does. `tokens` are the fields of tokens. `small` has the
    ways of every holding of a few cards, worked out with the book (`divide.tabulate`); `{0: ...}` until then.
    """

    index: int
    shift: int
    mask: int
    wild_shift: int
    guard: int
    plain: Steps
    every: Steps
    standing: tuple[StandingSteps, ...]
    stands: bool
    tokens: int
    small: Mapping[int, Sequence[Way]]


@dataclass(frozen=True)
class Book:
    """All units of a rule set under some options.

    Attributes
    ----------
    weight : code or token -> its 1 in the packed counts (the same for all wilds)
    wild_shift : where the field of the wilds starts
    guard : the guard bits of all fields
    copies : how many of each card the deck has
    limit : the same packed, without the wilds
    units : all units by id
    free : place -> the unit that loose cards form
    fixed : (kind, packed counts) -> the unit that a fixed meld is
    turned_into : (word, place) -> what a free or fixed unit becomes, e.g. when the winning card closes it
    holding : weight of a face -> the free units that take it
    component_at : weight of a face -> index of its component
    house : what the game has worked out from its options, for itself
    monotone : whether a feature that holds more of everything never ranks lower, and with more points higher
    parts : in such a game for each component, what every holding can become (`bound.with_parts`)
    """

    rules: RuleSet
    weight: Mapping[str, int]
    wild_shift: int
    guard: int
    units: tuple[Unit, ...]
    free: Mapping[int, Unit]
    fixed: Mapping[tuple[str, int], Unit]
    turned_into: Mapping[tuple[str, int], Unit]
    holding: Mapping[int, tuple[Unit, ...]]
    components: tuple[Component, ...]
    component_at: Mapping[int, int]
    copies: Mapping[str, int] = field(default_factory=dict)
    limit: int = 0
    house: object = None
    monotone: bool = False
    parts: tuple[Mapping[int, Part], ...] = ()

    def of_deck(self, copies: Mapping[str, int]) -> Book:
        """Return the book for a deck with so many copies."""
        real = [
            (code, one) for code, one in self.weight.items() if code in copies and not one >> self.wild_shift
        ]
        return replace(self, copies=dict(copies), limit=sum(copies[code] * one for code, one in real))

    @property
    def stands(self) -> bool:
        """Whether any wild stands for a certain card."""
        return self.components[0].stands

    def pack(self, cards: Iterable[str]) -> int:
        """Return the packed counts of cards (KeyError for a code that this game lacks)."""
        weight = self.weight
        return sum([weight[card] for card in cards])

    def unpack(self, packed: int) -> tuple[str, ...]:
        """Return the cards of packed counts in deck order, wilds by the code of the first wild."""
        cards: list[str] = []
        seen: set[int] = set()
        for code, weight in self.weight.items():
            if weight not in seen and code in self.rules.cards.index:
                seen.add(weight)
                cards.extend([code] * (packed // weight & FIELD_MASK))
        return tuple(cards)


def stands_for(card: str) -> str:
    """Return the code that a card counts as inside a unit.

    >>> stands_for("W=b8"), stands_for("b8")
    ('b8', 'b8')
    """
    return card.partition("=")[2] or card


def itself(card: str) -> str:
    """Return the code of the card that lies there.

    >>> itself("W=b8"), itself("b8")
    ('W', 'b8')
    """
    return card.partition("=")[0]


def make_book(
    rules: RuleSet,
    free: Sequence[Shape],
    fixed: Sequence[Shape],
    turned_into: Sequence[tuple[str, Shape, Shape]] = (),
    order: Sequence[str] = (),
) -> Book:
    """Work out the book of a game.

    Parameters
    ----------
    free : what loose cards can form
    fixed : what fixed melds can be
    turned_into : (word, a free or fixed shape, the shape that it becomes)
    order : codes in the order in which division branches on them, deck order by default; faces that share
        units should stand close together
    """
    codes = order or [face.code for face in rules.cards.faces if rules.most(face.code)]
    tokens = tuple(dict.fromkeys(token for shape in free for token in shape.takes))
    wilds = {face.code for face in rules.cards.faces if "wild" in face.tags}
    groups = _groups([*[code for code in codes if code not in wilds], *tokens], free)
    weight = _weights(groups, [code for code in codes if code in wilds])
    made = _Maker(rules, weight)
    results = [shape for _, _, shape in turned_into]
    units = made.units([*free, *fixed, *results])
    free_units = [units[shape] for shape in free]
    wild_shift = BITS * sum(map(len, groups))
    components = _components(groups, free_units, weight, wild_shift, sum(weight[token] for token in tokens))
    return Book(
        rules=rules,
        weight={code: weight[code] for code in (*rules.cards.index, *tokens) if code in weight},
        wild_shift=wild_shift,
        guard=sum(1 << at + BITS - 1 for at in range(0, wild_shift + 1, BITS)),
        units=tuple(sorted(units.values(), key=lambda unit: unit.id)),
        free=MappingProxyType({unit.place: unit for unit in free_units}),
        fixed=_fixed(rules, [units[shape] for shape in fixed], weight),
        turned_into={(word, units[source].place): units[result] for word, source, result in turned_into},
        holding=_holding(free_units, weight),
        components=components,
        component_at={weight[code]: at for at, group in enumerate(groups) for code in group},
    )


@dataclass(frozen=True, slots=True)
class _Maker:
    """Turns shapes into numbered units."""

    rules: RuleSet
    weight: Mapping[str, int]

    def units(self, shapes: Iterable[Shape]) -> dict[Shape, Unit]:
        distinct = list(dict.fromkeys(shapes))
        keys = sorted({self.key(shape) for shape in distinct})
        place = {key: at for at, key in enumerate(keys)}
        distinct.sort(key=lambda shape: place[self.key(shape)])
        return {
            shape: self.unit(number, place[self.key(shape)], shape) for number, shape in enumerate(distinct)
        }

    def key(self, shape: Shape) -> tuple[int, tuple[tuple[int, int], ...]]:
        """Return (kind in the rule set's order, cards in deck order; a wild right after what it stands for)."""
        index = self.rules.cards.index
        kinds = [kind.id for kind in self.rules.kinds]
        cards = tuple(sorted((index[stands_for(card)], int("=" in card)) for card in shape.cards))
        return kinds.index(shape.kind), cards

    def unit(self, number: int, place: int, shape: Shape) -> Unit:
        row = self.rules.rows[shape.row]
        return Unit(
            id=number,
            place=place,
            shape=shape,
            need=sum(self.weight[itself(card)] for card in (*shape.cards, *shape.takes)),
            stand=sum(self.weight[stands_for(card)] for card in shape.cards if "=" in card),
            feature=shape.feature,
            meld=Meld(shape.kind, shape.cards, shape.shown),
            line=Line(row.id, shape.points, 1, shape.cards, row.clause),
        )


def _groups(codes: list[str], free: Sequence[Shape]) -> list[list[str]]:
    """Return the codes grouped by component, each group and the list of groups in the order of `codes`."""
    root = {code: code for code in codes}
    for shape in free:
        real = [card for card in (*shape.cards, *shape.takes) if card in root]
        for card in real[1:]:
            old, new = root[card], root[real[0]]
            root = {code: new if found == old else found for code, found in root.items()}
    groups: dict[str, list[str]] = {}
    for code in codes:
        groups.setdefault(root[code], []).append(code)
    return list(groups.values())


def _weights(groups: list[list[str]], wilds: list[str]) -> dict[str, int]:
    codes = [code for group in groups for code in group]
    weight = {code: 1 << BITS * at for at, code in enumerate(codes)}
    return weight | {code: 1 << BITS * len(codes) for code in wilds}


def _fixed(rules: RuleSet, units: list[Unit], weight: Mapping[str, int]) -> Mapping[tuple[str, int], Unit]:
    names = {kind.id: (kind.id, *kind.synonyms) for kind in rules.kinds}
    return {
        (name, sum(weight[itself(card)] for card in unit.shape.cards)): unit
        for unit in units
        for name in names[unit.shape.kind]
    }


def _holding(units: list[Unit], weight: Mapping[str, int]) -> Mapping[int, tuple[Unit, ...]]:
    held: dict[int, list[Unit]] = {value: [] for value in weight.values()}
    for unit in units:
        for value in {weight[itself(card)] for card in unit.shape.cards}:
            held[value].append(unit)
    return {value: tuple(found) for value, found in held.items()}


def _components(
    groups: list[list[str]], units: list[Unit], weight: Mapping[str, int], wild_shift: int, tokens: int
) -> tuple[Component, ...]:
    components: list[Component] = []
    for group in groups:
        shift = weight[group[0]].bit_length() - 1
        components.append(_component(len(components), len(group), shift, units, wild_shift, tokens))
    return tuple(components)


def _component(
    index: int, faces: int, shift: int, units: list[Unit], wild_shift: int, tokens: int
) -> Component:
    top = BITS * faces
    mask = (1 << top) - 1
    steps: list[list[tuple[int, int, int, int]]] = [[] for _ in range(faces + 1)]
    for unit in units:
        real = unit.need >> shift & mask
        wild = unit.need >> wild_shift
        # A unit of wilds alone belongs to every component; any other has real cards in exactly one.
        if real or unit.need == wild << wild_shift:
            need = real | wild << top
            low = ((need & -need).bit_length() - 1) // BITS
            steps[low].append((need, unit.stand >> shift & mask, unit.feature, unit.place))
    fields = [(held << BITS * face, held, face) for face in range(faces + 1) for held in range(1, MOST + 1)]
    taking = {
        field: tuple([step for step in steps[face] if (step[0] >> BITS * face & FIELD_MASK) <= held])
        for field, held, face in fields
    }
    guard = sum(1 << BITS * at + BITS - 1 for at in range(faces + 1))
    every = {
        field: _steps(field, guard, [(need, feature, (place,)) for need, _, feature, place in found])
        for field, found in taking.items()
    }
    return Component(
        index=index,
        shift=shift,
        mask=mask,
        wild_shift=top,
        guard=guard,
        plain={
            field: tuple([step for step in found if not step[0] >> top]) for field, found in every.items()
        },
        every=every,
        standing=tuple(
            {
                field: tuple([step for step in found if step[0] >> top <= wilds])
                for field, found in taking.items()
            }
            for wilds in range(MOST + 1)
        ),
        stands=any(stand for found in steps for _, stand, _, _ in found),
        tokens=(tokens >> shift & mask) * FIELD_MASK,
        small={0: NOTHING},
    )


def _steps(held: int, guard: int, single: Sequence[Step]) -> tuple[Step, ...]:
    """Return the ways to use up what is held of the lowest face if they are few, else its single units."""
    whole = tuple(islice(_using_up(held, guard, single), _FEW + 1))
    return whole if len(whole) <= _FEW else tuple(single)


def _using_up(held: int, guard: int, single: Sequence[Step]) -> Iterator[Step]:
    """Yield every combination of units that takes all that is held of the lowest face."""
    face = FIELD_AT[held & -held]
    for at, step in enumerate(single):
        need, feature, places = step
        left = held - (need & face)
        if not left:
            yield step
        elif left > 0:
            for more, also, others in _using_up(left, guard, single[at:]):
                if not need + more & guard:
                    yield need + more, feature + also, (*places, *others)
