"""A sheet to print and photograph: cards in true size whose places follow from the sheet's name, which it carries.

sheet = Sheet("sise", "fan", "kai", "a4", 1)
page(sheet)                       to print
truth(sheet)                      what lies where, in mm
true_photo(image, "photo.jpg")    the same in px of a photograph of it
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

import cv2
import numpy as np
import numpy.typing as npt

from vision.sheets import (
    DICTIONARY,
    NAMES,
    NOTED_CURL,
    SQUARES,
    SheetError,
    SheetMap,
    find_markers,
    fit_sheet,
)
from vision.truth import TrueCard, TrueEnd, TruePhoto
from webui.printing.cards import codes
from webui.printing.layouts import LAYOUTS, Pose, Room, between
from webui.printing.looks import LOOKS, SIZES, face, outline
from webui.printing.paper import PAPERS
from webui.printing.shapes import Floats, Label, Page, Shape, placed, polygon, rectangle

MARKER = 16.0  # mm across
EDGE = 7.0  # mm between the paper's edge and a marker: printers reach no farther
QUIET = 3.0  # mm of white around a marker
RULER = 50.0  # mm, by which a user can see that nothing was scaled
MAP_PX_PER_MM = 6  # of the map that says what lies on top
DECKS = ("chuanpai", "sise", "zipai")


@dataclass(frozen=True)
class Sheet:
    """What a sheet is named by; `hand` tells sheets of one kind apart, 0 to 124."""

    deck: str
    layout: str
    look: str
    paper: str
    hand: int

    def numbers(self) -> tuple[int, int]:
        """The two numbers that its markers say."""
        kind = 0
        for name, names in (
            (self.deck, DECKS),
            (self.layout, tuple(LAYOUTS)),
            (self.look, LOOKS),
            (self.paper, tuple(PAPERS)),
        ):
            kind = kind * len(names) + names.index(name)
        return kind, self.hand


def named(numbers: tuple[int, int]) -> Sheet:
    """The sheet of two numbers; raises `SheetError` where no sheet has them."""
    kind, hand = numbers
    found = []
    for names in (tuple(PAPERS), LOOKS, tuple(LAYOUTS), DECKS):
        kind, at = divmod(kind, len(names))
        found.append(names[at])
    if kind:
        raise SheetError("unknown_sheet", "The marks name a sheet that this paiyan doesn't know; update it.")
    paper, look, layout, deck = found
    return Sheet(deck, layout, look, paper, hand)


def marker_corners(paper: str) -> dict[int, Floats]:
    """Corners (4, 2) mm of the marker at each place, clockwise from its upper left one."""
    width, height = PAPERS[paper]
    right, bottom = width - EDGE - MARKER, height - EDGE - MARKER
    across, down = (width - MARKER) / 2, (height - MARKER) / 2
    upper_left = (
        (EDGE, EDGE), (right, EDGE), (right, bottom), (EDGE, bottom),
        (across, EDGE), (right, down), (across, bottom), (EDGE, down),
    )  # fmt: skip
    return {place: rectangle(x, y, MARKER, MARKER) for place, (x, y) in enumerate(upper_left)}


def page(sheet: Sheet) -> Page:
    """The sheet to print."""
    width, height = PAPERS[sheet.paper]
    cards = [
        shape
        for code, pose in _lying(sheet)
        for shape in placed(
            face(sheet.deck, sheet.look, code), pose.x + width / 2, pose.y + height / 2, pose.angle
        )
    ]
    ruler = Shape((rectangle(EDGE + MARKER + QUIET, EDGE + 1, RULER, 0.3),), (60, 60, 60))
    at = EDGE + MARKER + QUIET
    labels = (
        Label(
            f"paiyan sheet: {sheet.deck}, {sheet.layout}, {sheet.look}, hand {sheet.hand}, {sheet.paper}",
            at,
            EDGE + 5,
            2,
        ),
        Label(f"Print at 100 %: the line above is {RULER:.0f} mm long.", at, EDGE + 8.5, 2),
    )
    return Page(width, height, (*cards, *_markers(sheet), ruler), labels)


def _markers(sheet: Sheet) -> Iterator[Shape]:
    """Each marker as a black square with its white squares on it."""
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    cell = MARKER / SQUARES
    for place, corners in marker_corners(sheet.paper).items():
        number = place * NAMES + sheet.numbers()[place % 2]
        pattern = cv2.aruco.generateImageMarker(dictionary, number, SQUARES)
        yield Shape((corners,), (0, 0, 0))
        x0, y0 = corners[0]
        for row, column in np.argwhere(pattern > 0).tolist():
            yield Shape((rectangle(x0 + column * cell, y0 + row * cell, cell, cell),), (255, 255, 255))


@cache
def _lying(sheet: Sheet) -> tuple[tuple[str, Pose], ...]:
    """The cards with their places, mm from the sheet's middle; later ones lie on top."""
    rng = Random(f"{sheet.deck} {sheet.layout} {sheet.look} {sheet.paper} {sheet.hand}")
    width, height = PAPERS[sheet.paper]
    border = 2 * (EDGE + MARKER + QUIET)
    size = SIZES[sheet.deck][sheet.look]
    poses = LAYOUTS[sheet.layout](rng, Room(width - border, height - border, size.width, size.height))
    rest = list(codes(sheet.deck))
    drawn = [rest.pop(int(between(rng, 0, len(rest)))) for _ in poses]
    return tuple(zip(drawn, poses, strict=True))


@cache
def truth(sheet: Sheet) -> tuple[TrueCard, ...]:
    """The cards with both ends of each, their quads in mm of the sheet."""
    middle = np.array(PAPERS[sheet.paper]) / 2
    lying = _lying(sheet)
    top = _on_top(sheet)
    return tuple(
        TrueCard(
            code,
            pose.pile,
            tuple(TrueEnd(quad, _share(top, number, quad)) for quad in _ends(sheet, pose, middle)),
        )
        for number, (code, pose) in enumerate(lying, 1)
    )


def _ends(sheet: Sheet, pose: Pose, middle: Floats) -> list[Floats]:
    """Quads of both ends: squares as wide as the card, from its short edges inwards."""
    size = SIZES[sheet.deck][sheet.look]
    half, top = size.width / 2, -size.height / 2
    square = Shape(
        (polygon((-half, top), (half, top), (half, top + size.width), (-half, top + size.width)),), (0, 0, 0)
    )
    x, y = middle[0] + pose.x, middle[1] + pose.y
    return [placed([square], x, y, pose.angle + turn)[0].contours[0] for turn in (0.0, np.pi)]


def _on_top(sheet: Sheet) -> npt.NDArray[np.uint8]:
    """Which card, counted from 1, is seen at each place of the sheet."""
    width, height = PAPERS[sheet.paper]
    edge = Shape((outline(sheet.deck, sheet.look),), (0, 0, 0))
    top = np.zeros((round(height * MAP_PX_PER_MM), round(width * MAP_PX_PER_MM)), np.uint8)
    for number, (_, pose) in enumerate(_lying(sheet), 1):
        shape = placed([edge], pose.x + width / 2, pose.y + height / 2, pose.angle)[0]
        cv2.fillPoly(top, [_map_px(shape.contours[0])], number)
    return top


def _share(top: npt.NDArray[np.uint8], number: int, quad: Floats) -> float:
    """Share of an end's square, as far as the card has it, at which the card is on top."""
    square = np.zeros_like(top)
    cv2.fillPoly(square, [_map_px(quad)], 1)
    alone = cv2.contourArea(quad.astype(np.float32)) * MAP_PX_PER_MM**2
    return float(min(1.0, np.count_nonzero((square > 0) & (top == number)) / alone))


def _map_px(points: Floats) -> npt.NDArray[np.int32]:
    return np.round(points * MAP_PX_PER_MM).astype(np.int32)


def true_photo(image: npt.NDArray[np.uint8], file: str) -> tuple[TruePhoto, str | None]:
    """What a photo of a sheet truly shows, with the light, tilt and size it is counted under; a remark, if any.

    Raises
    ------
    SheetError
        Where no sheet is seen, or it is cut off, or bent too much.
    """
    markers = find_markers(image)
    sheet = named(markers.numbers)
    places = marker_corners(sheet.paper)
    found = fit_sheet(markers, places, (image.shape[1], image.shape[0]))
    cards = tuple(
        TrueCard(
            card.code, card.pile, tuple(TrueEnd(found.to_photo(end.quad), end.visible) for end in card.ends)
        )
        for card in truth(sheet)
    )
    reach = np.array(PAPERS[sheet.paper]) / 2 - EDGE
    rise = found.rise(reach)
    remark = (
        f"The sheet is curled by about {rise:.0f} mm; this was allowed for." if rise > NOTED_CURL else None
    )
    groups = (f"light {light(image, found, places)}", f"tilt {_tilt(found.tilt)}", f"size {_size(cards)}")
    return TruePhoto(file, sheet.deck, sheet.layout, cards, groups), remark


DIM, UNEVEN = 150, 2.0  # mean level of the white paper; brightest by darkest of the marks' surroundings
WARM, COOL = 1.12, 0.95  # red by blue of the white paper


def light(image: npt.NDArray[np.uint8], found: SheetMap, places: dict[int, Floats]) -> str:
    """What light the sheet lies in, by its own white beside the markers: warm, cool, dim, uneven or plain."""
    white = np.array([_white(image, found, quad) for quad in places.values()])
    level = white.mean(axis=1)
    red, _, blue = white.mean(axis=0)
    if level.mean() < DIM:
        return "dim"
    if red > WARM * blue:
        return "warm"
    if red < COOL * blue:
        return "cool"
    return "uneven" if level.max() > UNEVEN * max(1.0, float(level.min())) else "plain"


def _white(image: npt.NDArray[np.uint8], found: SheetMap, quad: Floats) -> Floats:
    """Mean RGB (3,) of the paper around a marker."""
    middle = quad.mean(axis=0)
    around = middle + (quad - middle) * (1 + QUIET / MARKER)
    ring = np.concatenate([around + (np.roll(around, -1, axis=0) - around) * t for t in (0, 0.25, 0.5, 0.75)])
    x, y = np.round(found.to_photo(ring)).astype(int).T
    inside = (x >= 0) & (y >= 0) & (x < image.shape[1]) & (y < image.shape[0])
    return np.asarray(image[y[inside], x[inside]].mean(axis=0), np.float64) if inside.any() else np.zeros(3)


def _tilt(degrees: float) -> str:
    return next((f"under {limit}" for limit in (15, 30, 45) if degrees < limit), "45 and more") + " degrees"


def _size(cards: Sequence[TrueCard]) -> str:
    widths = [np.linalg.norm(end.quad[1] - end.quad[0]) for card in cards for end in card.ends]
    typical = float(np.median(widths))
    return next((f"under {limit}" for limit in (40, 80, 160) if typical < limit), "160 and more") + " px"
