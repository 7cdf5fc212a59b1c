"""Cards that are none of ours: playing cards, tiles, name cards, notes, tickets, banknote-like slips."""

import cv2
import numpy as np

from models.training.prints import ink
from models.training.prints.backs import back
from models.training.prints.fonts import Font, fonts, glyph
from models.training.prints.ink import WIDTH, Image, Layer, Mask, Rng

Other = tuple[Image, float, float, float]


def _font(rng: Rng, text: str) -> Font:
    usable = [font for font in fonts("train") if font.has(text)]
    return usable[int(rng.integers(len(usable)))]


def _text(rng: Rng, mask: Mask, text: str, box: ink.Box) -> None:
    ink.place(mask, glyph(_font(rng, text), text, 160), box)


def other_card(seed: int) -> Other:
    """Return (picture (H, 256, 3) RGB, width_mm, height_mm, corner in card widths) of a card that is not ours."""
    rng = np.random.default_rng([77, seed])
    kind = rng.choice(len(KINDS), p=SHARES)
    return KINDS[kind](rng)


def _poker(rng: Rng) -> Other:
    width, height = (63, 88) if rng.random() < 0.6 else (57, 88)
    high = ink.height_px(width, height)
    if rng.random() < 0.15:
        return back(rng, high), width, height, 0.05
    picture = ink.paper(rng, high, ink.vary(rng, (246, 245, 240), 4))
    red = rng.random() < 0.5
    colour = ink.vary(rng, (200, 25, 35) if red else (20, 20, 24), 8)
    rank = int(rng.integers(1, 14))
    mark = {1: "A", 11: "J", 12: "Q", 13: "K"}.get(rank, str(rank))
    corner = np.zeros((120, WIDTH), np.uint8)
    _text(rng, corner, mark, (12, 12, 44, 58))
    kind = int(rng.integers(2)) + (0 if red else 2)
    ink.place(corner, _suit(kind, 30), (14, 64, 42, 96))
    for view in (picture, picture[::-1, ::-1]):
        ink.stamp(view, Layer(corner, colour))
    middle = np.zeros((high, WIDTH), np.uint8)
    count = rank if rank <= 10 else 1
    size = 46 if rank <= 10 else 120
    for i in range(count):
        x = WIDTH * (0.5 if count < 4 else 0.34 + 0.32 * (i % 2))
        y = high * (
            0.5
            if count == 1
            else 0.18 + 0.64 * (i // (1 if count < 4 else 2)) / max(1, (count - 1) // (1 if count < 4 else 2))
        )
        ink.place(
            middle,
            _suit(kind, 60),
            (x - size / 2, y - size / 2, x + size / 2, y + size / 2),
        )
    ink.stamp(picture, Layer(middle, colour))
    return ink.finish(picture), width, height, 0.05


def _suit(kind: int, size: int) -> Mask:
    """Return a heart, diamond, spade or club, (size, size)."""
    mask = np.zeros((size, size), np.uint8)
    s = size / 2
    if kind == 1:
        points = np.array([(s, 0), (size, s), (s, size), (0, s)])
        cv2.fillPoly(mask, [points.astype(np.int32)], 255, cv2.LINE_AA)
        return mask
    r = round(s * 0.5)
    for x in (s * 0.52, s * 1.48):
        cv2.circle(mask, (round(x), round(s * 0.55)), r, 255, -1, cv2.LINE_AA)
    if kind == 3:
        cv2.circle(mask, (round(s), round(s * 1.2)), r, 255, -1, cv2.LINE_AA)
    else:
        cv2.fillPoly(
            mask,
            [np.array([(1, s * 0.7), (size - 1, s * 0.7), (s, size)]).astype(np.int32)],
            255,
            cv2.LINE_AA,
        )
    if kind >= 2:
        mask = mask if kind == 3 else mask[::-1].copy()
        cv2.rectangle(mask, (round(s * 0.88), round(s)), (round(s * 1.12), size - 1), 255, -1)
    return mask


def _tile(rng: Rng) -> Other:
    """A mahjong tile face: 万, dots, bamboo or a wind."""
    high = ink.height_px(26, 36)
    picture = ink.paper(rng, high, ink.vary(rng, (240, 238, 228), 6))
    mask = np.zeros((high, WIDTH), np.uint8)
    colour = ink.vary(rng, ((190, 30, 30), (20, 110, 60), (25, 40, 120))[int(rng.integers(3))], 12)
    kind = rng.integers(3)
    if kind == 0:
        upper = np.zeros_like(mask)
        _text(rng, upper, str(rng.choice(list("一二三四五六七八九"))), (60, 25, 196, 150))
        ink.stamp(picture, Layer(upper, (30, 30, 40)))
        _text(rng, mask, "萬", (50, 175, 206, 330))
    elif kind == 1:
        count = int(rng.integers(1, 10))
        for i in range(count):
            x, y = 64 + 64 * (i % 3), 70 + 105 * (i // 3)
            cv2.circle(mask, (x, y), 26, 255, int(rng.choice([-1, 8])), cv2.LINE_AA)
    else:
        _text(rng, mask, str(rng.choice(list("東南西北中發春竹"))), (45, 70, 211, 290))
    ink.stamp(picture, Layer(mask, colour))
    return ink.finish(picture), 26, 36, 0.1


def _domino(rng: Rng) -> Other:
    width, height = 25.0, rng.uniform(50, 65)
    high = ink.height_px(width, height)
    dark = rng.random() < 0.6
    picture = ink.paper(rng, high, ink.vary(rng, (25, 25, 28) if dark else (240, 236, 222), 6))
    white, red = np.zeros((high, WIDTH), np.uint8), np.zeros((high, WIDTH), np.uint8)
    spots = {1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8]}
    for half in (0, 1):
        number = int(rng.integers(1, 7))
        for spot in spots[number]:
            x, y = WIDTH * (0.25 + 0.25 * (spot % 3)), high * (0.5 * half + 0.11 + 0.14 * (spot // 3))
            cv2.circle(red if number in (1, 4) else white, (round(x), round(y)), 24, 255, -1, cv2.LINE_AA)
    if rng.random() < 0.5:
        cv2.line(white, (25, high // 2), (WIDTH - 25, high // 2), 255, 4, cv2.LINE_AA)
    ink.stamp(picture, Layer(white, (240, 240, 235) if dark else (20, 20, 22)))
    ink.stamp(picture, Layer(red, ink.vary(rng, (205, 40, 40), 10)))
    return ink.finish(picture), width, height, 0.12


def _art(rng: Rng) -> Other:
    """A tarot or trading card: a coloured picture in a frame with a title."""
    width, height = (70.0, 120.0) if rng.random() < 0.4 else (63.0, 88.0)
    high = ink.height_px(width, height)
    picture = ink.paper(rng, high, ink.vary(rng, tuple(rng.uniform(40, 240, 3)), 4))
    for _ in range(int(rng.integers(6, 25))):
        mask = np.zeros((high, WIDTH), np.uint8)
        centre = (int(rng.integers(0, WIDTH)), int(rng.integers(0, high)))
        axes = (int(rng.integers(5, 110)), int(rng.integers(5, 110)))
        cv2.ellipse(
            mask,
            centre,
            axes,
            int(rng.integers(180)),
            0,
            int(rng.integers(90, 361)),
            255,
            int(rng.choice([-1, 2, 6])),
            cv2.LINE_AA,
        )
        ink.stamp(picture, Layer(mask, tuple(rng.uniform(0, 255, 3))), float(rng.uniform(0.3, 1)))
    line = ink.frame(high, 8, 8, int(rng.integers(3, 14)), 10)
    ink.stamp(picture, Layer(line, ink.vary(rng, (215, 190, 110), 30)))
    title = np.zeros((high, WIDTH), np.uint8)
    _text(rng, title, _words(rng, 1), (40, high - 60, WIDTH - 40, high - 32))
    ink.stamp(picture, Layer(title, (20, 20, 20) if rng.random() < 0.6 else (250, 250, 250)))
    return ink.finish(picture), width, height, 0.05


def _words(rng: Rng, count: int) -> str:
    if rng.random() < 0.5:
        common = "年月日公司有限茶酒店电话地址經理先生女士号路东西南北中山川大小一二三五元收据合同"
        return "".join(rng.choice(list(common), 4 * count))
    letters = "abcdefghijklmnoprstuvw"
    return " ".join(
        "".join(rng.choice(list(letters), int(rng.integers(2, 9)))) for _ in range(count)
    ).capitalize()


def _note(rng: Rng) -> Other:
    """A name card, receipt, ticket or banknote-like slip: lines of text, sometimes a stamp and a pattern."""
    sizes = (
        (90.0, 54.0),
        (54.0, 90.0),
        (60.0, 140.0),
        (30.0, 90.0),
        (155.0, 77.0),
        (40.0, 120.0),
        (25.0, 75.0),
    )
    width, height = sizes[int(rng.integers(len(sizes)))]
    high = ink.height_px(width, height)
    base = ((245, 244, 240), (250, 240, 200), (225, 235, 240), (240, 220, 215), (215, 230, 210))[
        int(rng.integers(5))
    ]
    picture = ink.paper(rng, high, ink.vary(rng, base, 8))
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


def _character_card(rng: Rng) -> Other:
    """A long card with a character that is on none of our decks, or with scribbles: close, but not ours."""
    width, height = rng.uniform(20, 36), rng.uniform(75, 140)
    high = ink.height_px(width, height)
    picture = ink.paper(rng, high, ink.vary(rng, tuple(rng.uniform(180, 250, 3)), 4))
    end = np.zeros((high // 2, WIDTH), np.uint8)
    text = str(rng.choice(list("東南西北中發白春夏秋冬梅蘭菊竹福祿壽喜財花鳥風月龍鳳虎人口手心雨石田")))
    size, y = WIDTH * rng.uniform(0.4, 0.85), WIDTH * rng.uniform(0.08, 0.4)
    x = (WIDTH - size) / 2
    _text(rng, end, text, (x, y, x + size, y + size * rng.uniform(0.9, 1.3)))
    colour = ink.vary(
        rng, ((25, 25, 25), (190, 30, 30), (20, 100, 60), (30, 50, 130))[int(rng.integers(4))], 10
    )
    for view in (picture, picture[::-1, ::-1]):
        ink.stamp(view, Layer(end, colour))
    return ink.finish(picture), width, height, 0.1


KINDS = (_poker, _tile, _domino, _art, _note, _character_card)
SHARES = (0.28, 0.12, 0.1, 0.12, 0.2, 0.18)
