"""Cards that are none of ours: playing cards, tiles, dominoes, picture cards, name cards, notes, tickets, slips."""

import cv2
import numpy as np

from models.training.prints import ink
from models.training.prints.backs import back
from models.training.prints.beasts import dragon, landscape, phoenix
from models.training.prints.ink import WIDTH, Colour, Image, Layer, Mask, Picture, Rng
from models.training.prints.pieces import number_slip, old_card, round_piece, upright_tile
from models.training.prints.typefaces import ALPHABET, Font, fonts, glyph

Other = tuple[Image, float, float, float]

WINDS = "東南西北中發"
STRANGERS = "東南西北中發白春夏秋冬梅蘭菊竹福祿壽喜財公侯伯子男花鳥風月龍鳳虎人口手心雨石田金黃"
COMMON = "年月日公司有限茶酒店地址經理先生女士路東西南北中山川大小一二三五元合同"


def other_card(seed: int) -> Other:
    """Return (picture (H, 256, 3) RGB, width_mm, height_mm, corner in card widths) of a card that is not ours."""
    rng = np.random.default_rng([77, seed])
    picture, width, height, corner = KINDS[int(rng.choice(len(KINDS), p=SHARES))](rng)
    worn = picture.astype(np.float32)
    ink.dirty(rng, worn, ink.make_wear(rng))
    return ink.finish(worn), width, height, corner


def _font(rng: Rng) -> Font:
    """Return a font with every character that is written here."""
    full = [font for font in fonts("train") if font.has(ALPHABET.replace("龹", ""))]
    latin = [font for font in fonts("train") if font.style in ("kai", "song", "gothic", "round")]
    usable = full or latin
    return usable[int(rng.integers(len(usable)))]


def _text(rng: Rng, mask: Mask, text: str, box: ink.Box) -> None:
    ink.place(mask, glyph(_font(rng), text, 160), box)


def _sheet(rng: Rng, width: float, height: float, colour: Colour, spread: float) -> Picture:
    return ink.paper(rng, ink.height_px(width, height), ink.vary(rng, colour, spread))


# ---- playing cards ----------------------------------------------------------------------------------


def _heart(size: int) -> Mask:
    mask = np.zeros((size, size), np.uint8)
    half = size / 2
    for x in (half * 0.52, half * 1.48):
        cv2.circle(mask, (round(x), round(half * 0.55)), round(half * 0.5), 255, -1, cv2.LINE_AA)
    tip = np.array([(2, half * 0.72), (size - 2, half * 0.72), (half, size - 1)])
    cv2.fillPoly(mask, [np.round(tip).astype(np.int32)], 255, cv2.LINE_AA)
    return mask


def _stem(mask: Mask) -> None:
    size = len(mask)
    foot = np.array([(0.5, 0.55), (0.66, 1.0), (0.34, 1.0)]) * (size - 1)
    cv2.fillPoly(mask, [np.round(foot).astype(np.int32)], 255, cv2.LINE_AA)


def _suit(kind: int, size: int) -> Mask:
    """Return a heart, diamond, spade or club, (size, size)."""
    if kind == 0:
        return _heart(size)
    mask = np.zeros((size, size), np.uint8)
    if kind == 1:
        points = np.array([(0.5, 0), (0.86, 0.5), (0.5, 1), (0.14, 0.5)]) * (size - 1)
        cv2.fillPoly(mask, [np.round(points).astype(np.int32)], 255, cv2.LINE_AA)
    elif kind == 2:
        mask[: size * 8 // 10] = cv2.resize(_heart(size)[::-1], (size, size * 8 // 10))
        _stem(mask)
    else:
        for x, y in ((0.5, 0.24), (0.25, 0.56), (0.75, 0.56)):
            cv2.circle(mask, (round(x * size), round(y * size)), round(size * 0.23), 255, -1, cv2.LINE_AA)
        _stem(mask)
    return mask


def _pip_places(count: int) -> list[tuple[float, float]]:
    """Return the places of `count` pips, shares of the card."""
    if count <= 3:
        rows = ([0.5], [0.18, 0.82], [0.18, 0.5, 0.82])[count - 1]
        return [(0.5, y) for y in rows]
    per_side = min(4, count // 2)
    places = [(x, y) for y in np.linspace(0.18, 0.82, per_side).tolist() for x in (0.3, 0.7)]
    extra = count - len(places)
    return places + [(0.5, y) for y in (0.3, 0.7)[: max(0, extra)]]


def _poker(rng: Rng) -> Other:
    width, height = (63.0, 88.0) if rng.random() < 0.6 else (57.0, 88.0)
    if rng.random() < 0.15:
        return back(rng, ink.height_px(width, height)), width, height, 0.05
    picture = _sheet(rng, width, height, (246, 245, 240), 4)
    high = len(picture)
    suit, rank = int(rng.integers(4)), int(rng.integers(1, 14))
    colour = ink.vary(rng, (200, 25, 35) if suit < 2 else (20, 20, 24), 8)
    corner = np.zeros((140, WIDTH), np.uint8)
    scale = rng.uniform(0.8, 1.6)
    _text(
        rng,
        corner,
        {1: "A", 11: "J", 12: "Q", 13: "K"}.get(rank, str(rank)),
        (10, 12, 10 + 32 * scale, 12 + 44 * scale),
    )
    ink.place(corner, _suit(suit, 60), (12, 16 + 46 * scale, 12 + 28 * scale, 16 + 76 * scale))
    middle = np.zeros((high, WIDTH), np.uint8)
    size = 100.0 if rank == 1 else 44.0
    for x, y in _pip_places(rank) if rank <= 10 else ():
        shape = _suit(suit, 80)
        at = (x * WIDTH, y * high)
        box = (at[0] - size / 2, at[1] - size / 2, at[0] + size / 2, at[1] + size / 2)
        ink.place(middle, shape if y <= 0.5 else shape[::-1], box)
    if rank > 10:
        _court(rng, picture)
    ink.stamp(picture, Layer(middle, colour))
    for view in (picture, picture[::-1, ::-1]):
        ink.stamp(view, Layer(corner, colour))
    return ink.finish(picture), width, height, 0.05


def _court(rng: Rng, picture: Picture) -> None:
    """Fill the middle of a court card with coloured shapes, the same turned by 180 degrees."""
    high = len(picture)
    for _ in range(int(rng.integers(10, 30))):
        mask = np.zeros((high // 2, WIDTH), np.uint8)
        points = rng.uniform((55, high * 0.12), (WIDTH - 55, high * 0.5), (int(rng.integers(3, 6)), 2))
        cv2.fillPoly(mask, [np.round(points).astype(np.int32)], 255, cv2.LINE_AA)
        inks: tuple[Colour, ...] = (
            (200, 40, 40),
            (30, 50, 130),
            (230, 190, 60),
            (25, 25, 30),
            (245, 240, 235),
        )
        colour = inks[int(rng.integers(len(inks)))]
        for view in (picture, picture[::-1, ::-1]):
            ink.stamp(view, Layer(mask, colour))


# ---- tiles and dominoes -----------------------------------------------------------------------------


def _tile(rng: Rng) -> Other:
    """Draw a mahjong tile's face: 萬, dots, bamboo or a wind."""
    picture = _sheet(rng, 26, 36, (240, 238, 228), 6)
    high = len(picture)
    mask = np.zeros((high, WIDTH), np.uint8)
    colour = ink.vary(rng, ((190, 30, 30), (20, 110, 60), (25, 40, 120))[int(rng.integers(3))], 12)
    kind = int(rng.integers(4))
    if kind == 0:
        upper = np.zeros_like(mask)
        _text(rng, upper, str(rng.choice(list("一二三四五六七八九"))), (60, 25, 196, 150))
        ink.stamp(picture, Layer(upper, (30, 30, 40)))
        _text(rng, mask, "萬", (50, 175, 206, 330))
    elif kind == 1:
        for i in range(int(rng.integers(1, 10))):
            cv2.circle(
                mask, (64 + 64 * (i % 3), 70 + 105 * (i // 3)), 26, 255, int(rng.choice([-1, 8])), cv2.LINE_AA
            )
    elif kind == 2:
        for i in range(int(rng.integers(2, 10))):
            x, y = 58 + 56 * (i % 3), 24 + 105 * (i // 3)
            cv2.rectangle(mask, (x, y), (x + 24, y + 86), 255, -1)
    else:
        _text(rng, mask, str(rng.choice(list(WINDS))), (45, 70, 211, 290))
    ink.stamp(picture, Layer(mask, colour))
    return ink.finish(picture), 26, 36, 0.1


SPOTS = {1: (4,), 2: (0, 8), 3: (0, 4, 8), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8), 6: (0, 2, 3, 5, 6, 8)}


def _domino(rng: Rng) -> Other:
    width, height = 25.0, rng.uniform(50, 65)
    dark = rng.random() < 0.6
    picture = _sheet(rng, width, height, (25, 25, 28) if dark else (240, 236, 222), 6)
    high = len(picture)
    plain, red = np.zeros((high, WIDTH), np.uint8), np.zeros((high, WIDTH), np.uint8)
    coloured = rng.random() < 0.6
    for half in (0, 1):
        number = int(rng.integers(1, 7))
        for spot in SPOTS[number]:
            x, y = WIDTH * (0.25 + 0.25 * (spot % 3)), high * (0.5 * half + 0.11 + 0.14 * (spot // 3))
            mask = red if coloured and number in (1, 4) else plain
            cv2.circle(mask, (round(x), round(y)), 24, 255, -1, cv2.LINE_AA)
    cv2.line(plain, (25, high // 2), (WIDTH - 25, high // 2), 255, 4, cv2.LINE_AA)
    ink.stamp(picture, Layer(plain, (240, 240, 235) if dark else (20, 20, 22)))
    ink.stamp(picture, Layer(red, ink.vary(rng, (205, 40, 40), 10)))
    return ink.finish(picture), width, height, 0.12


# ---- pictures and paper -----------------------------------------------------------------------------


def _any_colour(rng: Rng, low: float, high: float) -> Colour:
    r, g, b = rng.uniform(low, high, 3)
    return float(r), float(g), float(b)


def _art(rng: Rng) -> Other:
    """Draw a tarot or trading card: a coloured picture in a frame with a title."""
    width, height = (70.0, 120.0) if rng.random() < 0.4 else (63.0, 88.0)
    picture = _sheet(rng, width, height, _any_colour(rng, 40, 240), 4)
    high = len(picture)
    for _ in range(int(rng.integers(6, 25))):
        mask = np.zeros((high, WIDTH), np.uint8)
        centre = (int(rng.integers(0, WIDTH)), int(rng.integers(0, high)))
        axes = (int(rng.integers(5, 110)), int(rng.integers(5, 110)))
        turn, sweep, thick = int(rng.integers(180)), int(rng.integers(90, 361)), int(rng.choice([-1, 2, 6]))
        cv2.ellipse(mask, centre, axes, turn, 0, sweep, 255, thick, cv2.LINE_AA)
        ink.stamp(picture, Layer(mask, _any_colour(rng, 0, 255)), float(rng.uniform(0.3, 1)))
    if rng.random() < 0.5:
        fill, lines = (dragon, phoenix, landscape)[int(rng.integers(3))](rng, high - 60)
        ink.stamp(picture, Layer(fill, _any_colour(rng, 60, 255), 20))
        ink.stamp(picture, Layer(lines, _any_colour(rng, 0, 90), 20))
    line = ink.frame(high, 8, 8, int(rng.integers(3, 14)), 10)
    ink.stamp(picture, Layer(line, ink.vary(rng, (215, 190, 110), 30)))
    title = np.zeros((high, WIDTH), np.uint8)
    _text(rng, title, _words(rng, 1), (50, high - 60, WIDTH - 50, high - 32))
    ink.stamp(picture, Layer(title, (20, 20, 20) if rng.random() < 0.6 else (250, 250, 250)))
    return ink.finish(picture), width, height, 0.05


def _words(rng: Rng, count: int) -> str:
    if rng.random() < 0.5:
        return "".join(rng.choice(list(COMMON), 4 * count))
    if rng.random() < 0.3:
        return "".join(rng.choice(list("0123456789-.:/ "), 4 * count + 3))
    letters = list("abcdefghijklmnoprstuvw")
    return " ".join("".join(rng.choice(letters, int(rng.integers(2, 9)))) for _ in range(count)).capitalize()


NOTES = ((90.0, 54.0), (54.0, 90.0), (60.0, 140.0), (30.0, 90.0), (155.0, 77.0), (40.0, 120.0), (25.0, 75.0))
STOCKS: tuple[Colour, ...] = (
    (245, 244, 240),
    (250, 240, 200),
    (225, 235, 240),
    (240, 220, 215),
    (215, 230, 210),
)


def _note(rng: Rng) -> Other:
    """Draw a name card, receipt, ticket or banknote-like slip: lines of text, sometimes a pattern and a stamp."""
    width, height = NOTES[int(rng.integers(len(NOTES)))]
    picture = _sheet(rng, width, height, STOCKS[int(rng.integers(len(STOCKS)))], 8)
    high = len(picture)
    if rng.random() < 0.35:
        pattern = back(rng, high).astype(np.float32)
        picture += rng.uniform(0.1, 0.6) * (pattern - picture)
    mask = np.zeros((high, WIDTH), np.uint8)
    size, y = int(rng.integers(12, 40)), int(rng.integers(8, 40))
    while y < high - size:
        if rng.random() < 0.8:
            words = _words(rng, int(rng.integers(1, 4)))
            reach = min(WIDTH - 20, size * 0.6 * len(words) * rng.uniform(0.8, 1.3))
            x = float(rng.uniform(8, max(9, WIDTH - reach - 8)))
            _text(rng, mask, words, (x, y, x + reach, y + size))
        y += round(size * rng.uniform(1.2, 2.4))
    ink.stamp(picture, Layer(mask, ink.vary(rng, (40, 40, 50), 20)))
    if rng.random() < 0.4:
        stamp = np.zeros((high, WIDTH), np.uint8)
        centre = (int(rng.integers(30, 226)), int(rng.integers(20, high)))
        cv2.circle(stamp, centre, int(rng.integers(18, 60)), 255, int(rng.choice([-1, 4])), cv2.LINE_AA)
        ink.stamp(picture, Layer(stamp, (200, 40, 40)), 0.7)
    return ink.finish(picture), width, height, float(rng.choice([0, 0.03]))


def _stranger(rng: Rng) -> Other:
    """Draw a long card like ours but with a character that is on none of our faces, or a picture at both ends."""
    width, height = rng.uniform(20, 36), rng.uniform(75, 140)
    picture = _sheet(rng, width, height, _any_colour(rng, 150, 250), 4)
    high = len(picture)
    end = np.zeros((high // 2, WIDTH), np.uint8)
    size, y = WIDTH * rng.uniform(0.4, 0.85), WIDTH * rng.uniform(0.08, 0.4)
    kind = rng.random()
    if kind < 0.65:
        x = (WIDTH - size) / 2
        box = (x, y, x + size, y + size * rng.uniform(0.9, 1.3))
        _text(rng, end, str(rng.choice(list(STRANGERS))), box)
    elif kind < 0.85:
        _, lines = landscape(rng, min(high // 2 - 20, round(WIDTH * 1.5)))
        end[10 : 10 + len(lines)] = lines
    colour = ink.vary(
        rng, ((25, 25, 25), (190, 30, 30), (20, 100, 60), (30, 50, 130))[int(rng.integers(4))], 10
    )
    for view in (picture, picture[::-1, ::-1]):
        ink.stamp(view, Layer(end, colour))
    return ink.finish(picture), width, height, float(rng.choice([0.03, 0.1, 0.5]))


KINDS = (_poker, _tile, _domino, _art, _note, _stranger, upright_tile, round_piece, old_card, number_slip)
SHARES = (0.17, 0.05, 0.07, 0.08, 0.14, 0.16, 0.13, 0.08, 0.08, 0.04)
