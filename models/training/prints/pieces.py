"""What other games lay on a table that looks like our cards: upright tiles, round pieces and their board, old decks
with a picture above a small character, slips with large numbers."""

import cv2
import numpy as np

from models.training.prints import ink
from models.training.prints.beasts import bird, coiled, landscape
from models.training.prints.figures import figure
from models.training.prints.ink import WIDTH, Colour, Image, Layer, Mask, Rng
from models.training.prints.lettering import Hand, letter, plain_hand

Other = tuple[Image, float, float, float]

SUITED = "一二三四五六七八九"
HONOURS = "東南西北中發白春夏秋冬梅蘭菊竹"
MEN = ("帥仕相俥傌炮兵", "將士象車馬砲卒")
OLD = "將士象車馬炮卒帥仕相俥傌兵公侯伯子男"
SIDES: tuple[Colour, ...] = ((30, 120, 70), (225, 190, 60), (210, 170, 110), (235, 232, 220), (40, 70, 140))
INKS: tuple[Colour, ...] = ((190, 30, 30), (20, 110, 60), (25, 40, 120), (30, 30, 34))


def _hand(rng: Rng) -> Hand:
    return plain_hand(rng, "train", {"kai": 4, "song": 2, "gothic": 1, "brush": 2})


def upright_tile(rng: Rng) -> Other:
    """Draw a mahjong tile that stands: its face, and beneath it the edge that leans towards the camera."""
    face_h, edge = 36.0, rng.uniform(0, 20) * (rng.random() < 0.7)
    high = ink.height_px(26, face_h + edge)
    picture = ink.paper(rng, high, ink.vary(rng, (242, 240, 230), 6))
    face = ink.height_px(26, face_h)
    hand = _hand(rng)
    kind = int(rng.integers(4))
    if kind == 0:
        _upright(rng, hand, picture, str(rng.choice(list(SUITED))), (0.22, 0.06, 0.78, 0.62), INKS[3])
        _upright(rng, hand, picture, "萬", (0.2, 0.68, 0.8, 1.28), INKS[0])
    elif kind == 1:
        honour = str(rng.choice(list(HONOURS)))
        _upright(rng, hand, picture, honour, (0.14, 0.16, 0.86, 1.2), INKS[int(rng.integers(4))])
    else:
        _spots(rng, picture, face, round_ones=kind == 2)
    picture[face:] = np.asarray(ink.vary(rng, SIDES[int(rng.integers(len(SIDES)))], 12), np.float32)
    if edge > 8:
        picture[face : face + (high - face) // 2] = np.asarray(ink.vary(rng, (235, 232, 222), 6), np.float32)
    return ink.finish(picture), 26.0, face_h + edge, 0.1


def _upright(rng: Rng, hand: Hand, picture: ink.Picture, text: str, box: ink.Box, colour: Colour) -> None:
    mask = np.zeros(picture.shape[:2], np.uint8)
    x0, y0, x1, y1 = (v * WIDTH for v in box)
    ink.place(mask, letter(rng, hand, text), (x0, y0, x1, y1))
    ink.stamp(picture, Layer(mask, ink.vary(rng, colour, 12)))


def _spots(rng: Rng, picture: ink.Picture, high: int, round_ones: bool) -> None:
    """Stamp one to nine circles or bamboo sticks."""
    count = int(rng.integers(1, 10))
    columns = 1 if count < 4 else 2 if count in (4, 6, 8) and rng.random() < 0.6 else 3
    rows = -(-count // columns)
    for i in range(count):
        mask = np.zeros(picture.shape[:2], np.uint8)
        x = round(WIDTH * (i % columns + 1) / (columns + 1))
        y = round(high * (i // columns + 0.75) / (rows + 0.5))
        size = round(min(WIDTH / (columns + 1), high / (rows + 0.5)) * 0.42)
        if round_ones:
            cv2.circle(mask, (x, y), size, 255, int(rng.choice([-1, 8, 14])), cv2.LINE_AA)
        else:
            cv2.rectangle(mask, (x - size // 3, y - size), (x + size // 3, y + size), 255, -1)
        ink.stamp(picture, Layer(mask, ink.vary(rng, INKS[int(rng.integers(3))], 10)))


def round_piece(rng: Rng) -> Other:
    """Draw a round piece of xiangqi: a character in a ring, red or black or green, on wood, plastic or white."""
    size = rng.uniform(25, 50)
    grounds: tuple[Colour, ...] = ((222, 184, 130), (240, 225, 190), (245, 244, 240), (190, 140, 90))
    picture = ink.paper(rng, WIDTH, ink.vary(rng, grounds[int(rng.integers(4))], 8))
    side = int(rng.integers(2))
    colour = ink.vary(
        rng, (195, 30, 30) if side == 0 else ((25, 25, 28), (20, 100, 60))[int(rng.integers(2))], 10
    )
    mask = np.zeros((WIDTH, WIDTH), np.uint8)
    reach = rng.uniform(0.26, 0.36)
    box = ((0.5 - reach) * WIDTH, (0.5 - reach) * WIDTH, (0.5 + reach) * WIDTH, (0.5 + reach) * WIDTH)
    ink.place(mask, letter(rng, _hand(rng), str(rng.choice(list(MEN[side])))), box)
    for _ in range(int(rng.integers(1, 3))):
        radius = round(WIDTH * rng.uniform(0.38, 0.47))
        cv2.circle(mask, (WIDTH // 2, WIDTH // 2), radius, 255, int(rng.integers(3, 10)), cv2.LINE_AA)
    ink.stamp(picture, Layer(mask, colour))
    return ink.finish(picture), size, size, 0.5


def board(rng: Rng) -> Other:
    """Draw a board of nine by ten lines with its river."""
    step = WIDTH / 10
    high = round(step * 11)
    picture = ink.paper(
        rng, high, ink.vary(rng, (228, 200, 150) if rng.random() < 0.6 else (240, 238, 230), 12)
    )
    mask = np.zeros((high, WIDTH), np.uint8)
    for k in range(9):
        x = round(step * (k + 1))
        for a, b in ((1, 5), (6, 10)):
            cv2.line(mask, (x, round(step * a)), (x, round(step * b)), 255, 1, cv2.LINE_AA)
    for k in range(10):
        y = round(step * (k + 1))
        cv2.line(mask, (round(step), y), (round(step * 9), y), 255, 1, cv2.LINE_AA)
    for y in (1, 8):
        for a, b in ((4, 6), (6, 4)):
            cv2.line(
                mask, (round(step * a), round(step * y)), (round(step * b), round(step * (y + 2))), 255, 1
            )
    ink.stamp(picture, Layer(mask, ink.vary(rng, (60, 40, 30), 15)))
    width = rng.uniform(300, 420)
    return ink.finish(picture), width, width * 1.1, 0.01


def old_card(rng: Rng) -> Other:
    """Draw a card of an old deck: a picture with a small character in a box, once, on coloured or pale paper."""
    width, ratio = rng.uniform(22, 34), rng.uniform(2.4, 4.2)
    papers: tuple[Colour, ...] = (
        (225, 205, 165),
        (210, 70, 60),
        (70, 130, 90),
        (235, 230, 215),
        (230, 190, 80),
    )
    high = round(WIDTH * ratio)
    picture = ink.paper(rng, high, ink.vary(rng, papers[int(rng.integers(5))], 12))
    hand = _hand(rng)
    drawn = _old_picture(rng, round(high * rng.uniform(0.5, 0.75)), hand)
    ink.stamp(picture, Layer(drawn, (35, 28, 30), round(high * rng.uniform(0.05, 0.24))))
    mask = np.zeros((high, WIDTH), np.uint8)
    size, x = WIDTH * rng.uniform(0.28, 0.5), WIDTH * rng.uniform(0.05, 0.5)
    y = high * rng.uniform(0.02, 0.06) if rng.random() < 0.6 else high - size * 1.3
    ink.place(mask, letter(rng, hand, str(rng.choice(list(OLD)))), (x, y, x + size, y + size))
    if rng.random() < 0.6:
        corners = ((round(x - 6), round(y - 6)), (round(x + size + 6), round(y + size + 6)))
        cv2.rectangle(mask, corners[0], corners[1], 255, 3)
    line = ink.frame(high, rng.uniform(4, 14), rng.uniform(4, 14), int(rng.integers(2, 8)), 4)
    ink.stamp(picture, Layer(np.maximum(mask, line), (30, 26, 28)))
    return ink.finish(picture), width, width * ratio, 0.02


def _old_picture(rng: Rng, high: int, hand: Hand) -> Mask:
    kind = int(rng.integers(4))
    if kind == 0:
        return figure(rng, high, hand)
    return (bird, coiled, landscape)[kind - 1](rng, high)[1]


def number_slip(rng: Rng) -> Other:
    """Draw a slip with one large number or a few: tickets, calendar leaves, bingo squares."""
    width, ratio = rng.uniform(22, 60), rng.uniform(0.8, 3.0)
    high = round(WIDTH * ratio)
    picture = ink.paper(rng, high, ink.vary(rng, (246, 244, 238), 8))
    mask = np.zeros((high, WIDTH), np.uint8)
    rows = int(rng.integers(1, 4)) if ratio > 1.2 else 1
    for row in range(rows):
        text = str(rng.choice(["一", "二", "三", "十", "八", *(str(n) for n in range(1, 100))]))
        font = int(rng.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_DUPLEX]))
        y = high * row / rows
        box = (30.0, y + 12, WIDTH - 30.0, y + min(high / rows, WIDTH) - 12)
        if text.isascii():
            digits = np.zeros((90, 40 + 50 * len(text)), np.uint8)
            cv2.putText(digits, text, (15, 70), font, 2.2, 255, int(rng.integers(4, 9)), cv2.LINE_AA)
            ink.place(mask, ink.crop(digits), box)
        else:
            ink.place(mask, letter(rng, _hand(rng), text), box)
    ink.stamp(picture, Layer(mask, ink.vary(rng, INKS[int(rng.integers(4))], 12)))
    return ink.finish(picture), width, width * ratio, 0.02
