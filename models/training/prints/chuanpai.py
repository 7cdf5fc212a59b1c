"""Draws 川牌: pairs of pip groups at both ends, a figure or nothing between, and the two jokers."""

from dataclasses import dataclass, replace

import numpy as np

from models.training.prints import ink
from models.training.prints.beasts import dragon, landscape, phoenix
from models.training.prints.figures import figure
from models.training.prints.ink import WIDTH, Colour, Layer, Mask, Rng
from models.training.prints.lettering import Hand, letter, plain_hand
from models.training.prints.pips import STAIR_SHARE, Pips, group, make_pips, staired

PAIRS = tuple((a, b) for a in range(1, 7) for b in range(a, 7))


def _red_places(pair: tuple[int, int], which: int, pips: Pips) -> frozenset[int]:
    """Return which pips of the `which`-th number (0 left or top, 1) of a pair are red."""
    number = pair[which]
    everything = frozenset(range(len(pips.spots[number])))
    if number in pips.reds:
        return everything
    if pair != (6, 6) or pips.sixes == 1:
        return frozenset()
    if pips.sixes == 2:
        return everything if which == 0 else frozenset()
    top = frozenset(i for i, (_, y) in enumerate(pips.spots[6]) if y < 0)
    if len(top) != 3:
        top = frozenset(i for i, (x, _) in enumerate(pips.spots[6]) if x < 0)
    if pips.sixes == 3:
        return top
    return everything - top if which == 0 else top


def _index(rng: Rng, pair: tuple[int, int], pips: Pips) -> tuple[Mask, Mask]:
    """Return the (black, red) ink of a pair, from the card's top edge."""
    order = (1, 0) if pips.mirrored else (0, 1)
    ambiguous = 4 not in pips.reds or 2 in pips.reds
    gap = pips.gap + (0.06 if ambiguous else 0.0)
    middle = pips.start + pips.group_h / 2
    half = (pips.group_w + gap) / 2
    if pips.stacked:
        centres = [(0.5, middle), (0.5, middle + pips.group_h + gap)]
    else:
        centres = [(0.5 - half, middle), (0.5 + half, middle)]
    layers = []
    for place, which in enumerate(order):
        centre = (centres[place][0] * WIDTH, centres[place][1] * WIDTH)
        layers.append(group(rng, pair[which], centre, pips, _red_places(pair, which, pips)))
    black, red = (np.maximum(layers[0][i], layers[1][i]) for i in (0, 1))
    if pips.edge > 0.1:
        black, red = ink.rough(rng, black, pips.edge), ink.rough(rng, red, pips.edge)
    return black, red


# Shares of the layouts of `joker_index`; 2 x 2 by rows is kept out of training.
JOKER_LAYOUTS = {"train": (0.5, 0.32, 0.0, 0.18), "held": (0.3, 0.2, 0.3, 0.2)}


def joker_index(rng: Rng, text: str, hand: Hand, layout: int, span: tuple[float, float]) -> Mask:
    """Return the ink of a joker's two characters at one end, between `span` card widths from the edge.

    `layout` 0: one above the other; 1: twice side by side, 2 x 2 by columns; 2: 2 x 2 by rows; 3: side by side.
    """
    mask = np.zeros((round(WIDTH * 2.1), WIDTH), np.uint8)
    a, b = (letter(rng, hand, character) for character in text)
    size = rng.uniform(0.56, 0.8) if layout == 0 else rng.uniform(0.4, 0.46)
    if layout == 0:
        cells = [(a, 0.5, 0), (b, 0.5, 1)]
    elif layout == 1:
        cells = [(a, 0.27, 0), (b, 0.27, 1), (a, 0.73, 0), (b, 0.73, 1)]
    elif layout == 2:
        cells = [(a, 0.27, 0), (b, 0.73, 0), (a, 0.27, 1), (b, 0.73, 1)]
    else:
        cells = [(a, 0.27, 0), (b, 0.73, 0)]
    start, rows = span[0], 1 if layout == 3 else 2
    tall = min(size * rng.uniform(0.85, 1.3), (span[1] - start) / (1.06 * rows))
    for ink_mask, x, row in cells:
        y = start + row * tall * 1.06
        box = ((x - size / 2) * WIDTH, y * WIDTH, (x + size / 2) * WIDTH, (y + tall) * WIDTH)
        ink.place(mask, ink_mask, box)
    return mask


@dataclass(frozen=True)
class Inks:
    """The inks of one print."""

    black: Colour
    red: Colour
    green: Colour


def make_inks(rng: Rng) -> Inks:
    """Draw one print's inks."""
    black = ink.vary(rng, (22, 20, 22), 10)
    red = ink.vary(rng, (rng.uniform(150, 225), rng.uniform(5, 55), rng.uniform(5, 50)), 8)
    green = ink.vary(rng, (rng.uniform(0, 60), rng.uniform(90, 150), rng.uniform(40, 90)), 10)
    return Inks(black, red, green)


@dataclass(frozen=True)
class Faces:
    """What is drawn on each face: inks of one end, and of the whole card; and the family of forms, if of any."""

    ends: dict[str, list[Layer]]
    wholes: dict[str, list[Layer]]
    family: str = ""


def faces(rng: Rng, height: int, split: str, family: str | None) -> Faces:
    """Draw every face of one print, `height` px, of the family "stair" or not ("") or by chance (None)."""
    room = height / WIDTH / 2 - 0.05
    pips, inks = make_pips(rng, room), make_inks(rng)
    stair = rng.random() < STAIR_SHARE if family is None else family == "stair"
    if stair:
        pips = staired(rng, pips)
    if rng.random() < 0.06:
        pips = replace(pips, ring=rng.uniform(2, 5), wide=pips.wide * 0.8, high=pips.high * 0.8)
    hand = plain_hand(rng, split, {"kai": 3, "song": 2, "gothic": 2, "brush": 4, "hand": 1})
    ends: dict[str, list[Layer]] = {}
    for pair in PAIRS:
        black, red = _index(rng, pair, pips)
        ends[f"{pair[0]}-{pair[1]}"] = [Layer(black, inks.black), Layer(red, inks.red)]
    if rng.random() < 0.8:
        layout = int(rng.choice(4, p=JOKER_LAYOUTS[split]))
        use = "听用" if rng.random() < 0.5 else "聽用"
        wealth = "财神" if rng.random() < 0.5 else "財神"
        colours = (inks.red, inks.green) if rng.random() < 0.85 else (inks.red, inks.red)
        for code, text, colour in (("C", wealth, colours[0]), ("T", use, colours[1])):
            ends[code] = [Layer(joker_index(rng, text, hand, layout, (pips.start, room)), colour)]
    return Faces(ends, _wholes(rng, height, ends, inks, hand), "stair" if stair else "")


def _wholes(
    rng: Rng, height: int, ends: dict[str, list[Layer]], inks: Inks, hand: Hand
) -> dict[str, list[Layer]]:
    """Draw the middles: a figure between the ends, or nothing; sometimes a frame around all."""
    figures = rng.random() < 0.65
    framed = rng.random() < 0.12
    edge = ink.frame(
        height, rng.uniform(4, 10), rng.uniform(4, 12), int(rng.integers(1, 4)), rng.uniform(0, 16)
    )
    wholes: dict[str, list[Layer]] = {}
    for code, layers in ends.items():
        bottom = max(round(ink.box_of(layer.mask)[3] * WIDTH) for layer in layers)
        colour = next(layer.colour for layer in reversed(layers) if ink.box_of(layer.mask)[3] > 0)
        room = height - 2 * bottom - 24
        whole = [Layer(edge, colour)] if framed else []
        if figures and room > 60:
            whole += _middle(rng, code, room, hand, colour, bottom + 12)
        wholes[code] = whole
    return wholes


def _middle(rng: Rng, code: str, room: int, hand: Hand, colour: Colour, top: int) -> list[Layer]:
    """Draw what stands between the ends: a person on the pip cards, a beast or landscape on the jokers."""
    if len(code) > 1:
        return [Layer(figure(rng, room, hand), colour, top)]
    draw = (landscape, dragon, phoenix)[int(rng.choice(3, p=[0.4, 0.45, 0.15]))]
    fill, lines = draw(rng, room)
    if rng.random() < 0.6:
        return [Layer(lines, colour, top)]
    tint = ink.vary(rng, (225, 190, 90), 40)
    return [Layer(fill, tint, top), Layer(lines, colour, top)]
