"""Find the ends of cards: photo to quads, whatever is printed on them.

The network (`card_ends.onnx`) is a function of uint8 RGB (1, H, W, 3), H and W multiples of 32, to the peaks of a heat
map of a quarter of that size, and what it says around them: `Peaks`. Peaks are ends; boxes and their overlaps play no
part, since thin crossing cards have boxes that all overlap.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import (
    Floats,
    quad_centre,
    quad_frame,
    quad_slant,
    slant_matrix,
    slanted_quad,
    table_metric,
)
from vision.photo import Image

View = Callable[[float], tuple[Image, float]]

# The maps, in their order. Offsets and lengths are pixels of the network's input.
MAPS = (
    "heat",  # 0 to 1, peak at the end's centre
    "offset_x",  # from the cell's centre to the end's centre, / STRIDE
    "offset_y",
    "outward_x",  # direction from the centre to the outer edge
    "outward_y",
    "log_size",  # log(size / BASE_SIZE), size being the square root of the end's area
    "slant_x",  # how aslant the table is seen: `vision.geometry.slanted_quad`
    "slant_y",
    "other_x",  # vector to the centre of the card's other end, / size
    "other_y",
    "visible",  # visible share, 0 to 1
)
STRIDE = 4
CELL_CENTRE = 1.5  # px: cell i stands for pixel STRIDE * i + CELL_CENTRE
BASE_SIZE = 32.0  # px

LOOK = 1280  # px, long side of one look of the network
# Times a smaller photo is enlarged at most: at 640 px it showed a card in ten too small to be told.
ENLARGED = 2.0
MULTIPLE = 32  # px, what its input's sides must divide by
PEAK = 0.25  # heat from which a cell hotter than its neighbours may be an end
AROUND = 2  # cells around a peak that are heard
SURE_PEAK = 0.4  # heat from which a peak tells how large the ends of this photo are
# Ends of one look, and of a photo: what noise, gravel or print may cost. The largest deck has 112 cards, so 224 ends.
# Where a first look sees more than any deck has, a second would see no cards either.
MOST_PEAKS, MOST_ENDS, NO_CARDS = 400, 248, 300
SIZES = (6.0, 480.0)  # px of the look, sizes that are believed
STEEPEST = 1.8  # slant that is believed: a circle six times as long as wide

# Two peaks are one end when closer on the table than this, in card widths, where they point the same way and where
# they cross. One look seldom sees an end twice, but often ends of which one lies half on the other: which of those
# really show is told by what they claim to show (`vision.cards.possible_ends`). Two looks see every end twice.
IN_ONE_LOOK, IN_TWO_LOOKS = (0.3, 0.2), (0.5, 0.35)
AGREEING = 0.8  # cosine between outward directions, either way round

SMALLEST_MEDIAN, LARGEST_MEDIAN = 28.0, 120.0  # px of the look: outside, look again at another scale
GOOD_MEDIAN = 48.0  # px, the width that a second look aims at
BLOB = 0.5  # share of the peak's heat from which a cell belongs to its blob
WORTH_ANOTHER = 1.2  # change of scale below which a look shows nothing new
OVERLAP = 192  # px shared by neighbouring tiles: two ends of 96 px
TRUSTED = (18.0, 140.0)  # px: a second look replaces the ends that it sees at these widths

ASLANT = 0.25  # slant from which the second look is as from straight above: 40 degrees from aside
ENOUGH_ENDS = 3  # sure ends that tell the slant
ABOVE_SIZE = 64.0  # px of that look, size of an end
AROUND_ENDS = 2.5  # sizes of an end around the outermost that are looked at
MOST_ABOVE = 2 * LOOK - OVERLAP  # px, long side of that look: two tiles
FINE_ENOUGH = 0.7  # px of that look for each px of the photo, under which stretching it would skip some


class Peaks(NamedTuple):
    """What the network says of a picture: P peaks of the heat.

    cells : (P, 2), row and column.
    around : (P, 11, 5, 5), the `MAPS` at the cells around each; cells outside the picture have no heat.
    """

    cells: NDArray[np.int64]
    around: NDArray[np.float32]


EndsNetwork = Callable[[Image], Peaks]


@dataclass(frozen=True)
class Ends:
    """N ends as arrays, in px of the full upright photo.

    quads : (N, 4, 2), outer-left, outer-right, inner-right, inner-left with the glyph upright.
    scores : (N,), peak heat 0 to 1.  others : (N, 2), where the card's other end should be.
    visible : (N,), visible share 0 to 1.
    """

    quads: Floats
    scores: Floats
    others: Floats
    visible: Floats

    def __post_init__(self) -> None:
        n = len(self.quads)
        shapes = (self.quads.shape, self.scores.shape, self.others.shape, self.visible.shape)
        if shapes != ((n, 4, 2), (n,), (n, 2), (n,)):
            raise ValueError(f"ends of unequal shapes {shapes}")

    def __len__(self) -> int:
        return len(self.quads)

    @property
    def widths(self) -> Floats:
        """(N,) px across the card."""
        return quad_frame(self.quads)[2]

    def take(self, which: NDArray[np.intp] | NDArray[np.bool_]) -> Ends:
        """The ends at these indices, or where this mask holds."""
        return Ends(self.quads[which], self.scores[which], self.others[which], self.visible[which])

    def first(self, number: int) -> Ends:
        """The first so many ends, or all where there are fewer."""
        return self.take(np.arange(min(number, len(self))))


def no_ends() -> Ends:
    """No end at all."""
    return Ends(np.zeros((0, 4, 2)), np.zeros(0), np.zeros((0, 2)), np.zeros(0))


def join(parts: list[Ends]) -> Ends:
    """The ends of all parts, in order."""
    if not parts:
        return no_ends()
    return Ends(
        np.concatenate([p.quads for p in parts]),
        np.concatenate([p.scores for p in parts]),
        np.concatenate([p.others for p in parts]),
        np.concatenate([p.visible for p in parts]),
    )


def find_ends(view: View, size: tuple[int, int], network: EndsNetwork) -> Ends:
    """The ends in a photo, best first, `MOST_ENDS` at most.

    Parameters
    ----------
    view : gives the photo at no less than a scale, and that picture's own scale (`Views.at_least`).
    size : width and height of the full photo, px.
    """
    return all_ends(view, size, network).first(MOST_ENDS)


def all_ends(view: View, size: tuple[int, int], network: EndsNetwork) -> Ends:
    """All ends in a photo, best first; parameters as for `find_ends`."""
    scale = first_scale(size)
    first = look(view, size, scale, network)
    if len(first) > NO_CARDS:
        return first
    slant = table_slant(first)
    if np.linalg.norm(slant) >= ASLANT:
        return added(look_from_above(view, size, first, slant, network), first)
    again = second_scale(first, scale)
    if again is None:
        return first
    second = look(view, size, again, network)
    unfit = (first.widths * again < TRUSTED[0]) | (first.widths * again > TRUSTED[1])
    return added(second, first.take(unfit))


def table_slant(ends: Ends) -> Floats:
    """How aslant a photo sees the table, (2,) as of `slant_matrix`: the median of what its sure ends say, or 0."""
    sure = ends.scores >= SURE_PEAK
    if np.count_nonzero(sure) < ENOUGH_ENDS:
        return np.zeros(2)
    slant: Floats = np.median(quad_slant(ends.quads[sure])[1], axis=0)
    return slant


def look_from_above(
    view: View, size: tuple[int, int], first: Ends, slant: Floats, network: EndsNetwork
) -> Ends:
    """The ends that the network sees in a photo from aside, stretched until the table looks as from straight above.

    Cards laid one above the other lie nearer in the photo itself than the network can part.

    Parameters
    ----------
    view, size : as for `find_ends`.
    first, slant : what a look at the photo as it is has shown, and how aslant that sees the table (`table_slant`).
    """
    sure = first.take(first.scores >= SURE_PEAK)
    end_size = float(np.median(quad_slant(sure.quads)[0]))
    margin = AROUND_ENDS * end_size * np.array([[-1, 0], [1, 0], [0, -1], [0, 1]])
    corners = (sure.quads[:, :, None] + margin).reshape(-1, 2).clip(0, np.array(size) - 1.0)
    stretch = np.linalg.inv(slant_matrix(slant)) * (ABOVE_SIZE / end_size)
    seen = corners @ stretch.T
    shrink = min(1.0, MOST_ABOVE / float(np.ptp(seen, axis=0).max()))
    stretch, low, high = stretch * shrink, shrink * seen.min(axis=0), shrink * seen.max(axis=0)
    picture, scale = view(min(1.0, float(np.linalg.norm(stretch, 2))))
    finer = 2 if np.linalg.norm(stretch, -2) / scale < FINE_ENOUGH else 1
    # Where the view's first pixel comes to lie: pixel centres are whole numbers.
    corner = stretch @ np.full(2, 0.5 / scale - 0.5) - low
    matrix = np.hstack([finer * stretch / scale, finer * (corner[:, None] + 0.5) - 0.5])
    width, height = np.ceil(high - low).astype(int).tolist()
    above = cv2.warpAffine(picture, matrix, (finer * width, finer * height), borderMode=cv2.BORDER_CONSTANT)
    if finer > 1:
        above = cv2.resize(above, (width, height), interpolation=cv2.INTER_AREA)
    found = suppress(look_in_tiles(np.asarray(above, dtype=np.uint8), network))
    back = np.linalg.inv(stretch).T
    return Ends((found.quads + low) @ back, found.scores, (found.others + low) @ back, found.visible)


def first_scale(size: tuple[int, int]) -> float:
    """Scale of the first look at a photo of this width and height: what is much smaller than a look is enlarged."""
    whole = LOOK / max(size)
    return min(ENLARGED, whole) if whole > WORTH_ANOTHER else min(1.0, whole)


def second_scale(ends: Ends, scale: float) -> float | None:
    """Scale of a second look where the first, at `scale`, met ends too small or too large for the network."""
    if not len(ends):
        return scale / 3  # one card filling the picture is too large to be seen as a card
    sure = ends.scores >= SURE_PEAK
    median = float(np.median((ends.widths[sure] if sure.any() else ends.widths) * scale))
    again = min(1.0, scale * GOOD_MEDIAN / median)
    if median < SMALLEST_MEDIAN and again > scale * WORTH_ANOTHER:
        return again
    return again if median > LARGEST_MEDIAN else None


def look(view: View, size: tuple[int, int], scale: float, network: EndsNetwork) -> Ends:
    """The ends that the network sees at one scale of the photo, in tiles where that is too large for one."""
    picture, own_scale = view(scale)
    width, height = (max(1, round(side * scale)) for side in size)
    if (width, height) != picture.shape[1::-1]:
        how = cv2.INTER_AREA if scale <= own_scale else cv2.INTER_LINEAR
        picture = np.asarray(cv2.resize(picture, (width, height), interpolation=how), dtype=np.uint8)
    x_scale, y_scale = width / size[0], height / size[1]
    return suppress(enlarged(look_in_tiles(picture, network), np.array([x_scale, y_scale])))


def look_in_tiles(picture: Image, network: EndsNetwork) -> Ends:
    """The ends that the network sees in a picture, each in the one tile whose core it lies in, in px of the picture."""
    found = []
    for x, y, tile, core in tiles(picture):
        ends = moved(ends_at(network(letterbox(tile))), x, y)
        centres = quad_centre(ends.quads)
        mine = np.all((centres >= core[0]) & (centres < core[1]), axis=-1)
        found.append(ends.take(mine))
    return join(found)


def letterbox(picture: Image) -> Image:
    """(1, H, W, 3), padded with black to the right and below to multiples of 32."""
    height, width = picture.shape[:2]
    below, right = -height % MULTIPLE, -width % MULTIPLE
    padded = cv2.copyMakeBorder(picture, 0, below, 0, right, cv2.BORDER_CONSTANT)
    return np.asarray(padded, dtype=np.uint8)[None]


def tiles(picture: Image) -> Iterator[tuple[int, int, Image, Floats]]:
    """(x, y, tile, core) over a picture; the cores, (2, 2) lowest and highest corner, do not overlap."""
    height, width = picture.shape[:2]
    for top, bottom, y0, y1 in _spans(height):
        for left, right, x0, x1 in _spans(width):
            yield left, top, picture[top:bottom, left:right], np.array([[x0, y0], [x1, y1]])


def _spans(length: int) -> list[tuple[int, int, float, float]]:
    """(start, end, core start, core end) of the tiles along one side."""
    if length <= LOOK:
        return [(0, length, -0.5, length - 0.5)]
    count = math.ceil((length - OVERLAP) / (LOOK - OVERLAP))
    starts = np.linspace(0, length - LOOK, count).round().astype(int).tolist()
    seams = [(a + LOOK + b) / 2 for a, b in pairwise(starts)]
    edges = [-0.5, *seams, length - 0.5]
    return [(s, s + LOOK, edges[i], edges[i + 1]) for i, s in enumerate(starts)]


def moved(ends: Ends, x: float, y: float) -> Ends:
    """Ends of a tile in the coordinates of the whole."""
    shift = np.array([x, y])
    return Ends(ends.quads + shift, ends.scores, ends.others + shift, ends.visible)


def enlarged(ends: Ends, scale: Floats) -> Ends:
    """Ends of a picture shrunk by `scale` (2,) in px of the full one: pixel centres lie at whole numbers."""
    return Ends(
        (ends.quads + 0.5) / scale - 0.5, ends.scores, (ends.others + 0.5) / scale - 0.5, ends.visible
    )


def ends_at(peaks: Peaks) -> Ends:
    """Every believable peak as an end, best first, in px of the network's input."""
    best = np.argsort(-peaks.around[:, 0, AROUND, AROUND], kind="stable")[:MOST_PEAKS]
    cells, around = peaks.cells[best], peaks.around[best].astype(np.float64)
    at = dict(zip(MAPS, together(around).T, strict=True))
    size = BASE_SIZE * np.exp(np.clip(at["log_size"], -4, 4))
    offset = np.stack([at["offset_x"], at["offset_y"]], axis=-1)
    centre = STRIDE * (cells[:, ::-1] + offset) + CELL_CENTRE
    outward = np.stack([at["outward_x"], at["outward_y"]], axis=-1)
    slant = np.clip(np.stack([at["slant_x"], at["slant_y"]], axis=-1), -4, 4)
    quads = slanted_quad(centre, outward, size, slant)
    others = centre + size[:, None] * np.stack([at["other_x"], at["other_y"]], axis=-1)
    ends = Ends(quads, np.clip(at["heat"], 0, 1), others, np.clip(at["visible"], 0, 1))
    believed = (size >= SIZES[0]) & (size <= SIZES[1]) & (np.linalg.norm(slant, axis=-1) <= STEEPEST)
    return ends.take(believed & (np.hypot(outward[:, 0], outward[:, 1]) > 0))


def together(around: Floats) -> Floats:
    """What the cells around each of P peaks (P, 11, 5, 5) say together, (P, 11); the heat is the peak's own.

    Every cell of an end's blob foretells the whole end, so their mean, weighted by heat, errs less than one cell.
    """
    heat = around[:, 0]
    top = heat[:, AROUND, AROUND]
    weights = np.where(heat > BLOB * top[:, None, None], heat, 0.0)
    steps = np.arange(-AROUND, AROUND + 1)
    said = around.copy()
    said[:, 1] += steps  # of a cell farther right, that its end lies as much nearer
    said[:, 2] += steps[:, None]
    mean: Floats = np.einsum("pmyx,pyx->pm", said, weights) / weights.sum(axis=(1, 2))[:, None]
    mean[:, 0] = top
    return mean


def suppress(ends: Ends) -> Ends:
    """Each end of one look once, best first."""
    ends = best_first(ends)
    same = one_end(ends, IN_ONE_LOOK)
    kept = np.zeros(len(ends), dtype=bool)
    for i in range(len(ends)):
        kept[i] = not np.any(same[i, :i] & kept[:i])
    return ends.take(kept)


def added(ends: Ends, more: Ends) -> Ends:
    """Ends and those of another look that are not among them, best first."""
    both = join([ends, more])
    known = np.any(one_end(both, IN_TWO_LOOKS)[len(ends) :, : len(ends)], axis=1)
    return best_first(join([ends, more.take(~known)]))


def best_first(ends: Ends) -> Ends:
    """Ends by falling heat."""
    return ends.take(np.argsort(-ends.scores, kind="stable"))


def one_end(ends: Ends, nearer: tuple[float, float]) -> NDArray[np.bool_]:
    """Which ends (N, N) lie nearer on the table, in card widths, than those that agree and those that cross may."""
    centre, outward, _, _, _ = quad_frame(ends.quads)
    apart = centre[:, None] - centre[None]
    by_each = np.einsum("ijk,ikl,ijl->ij", apart, table_metric(ends.quads), apart)
    distance = np.sqrt((by_each + by_each.T) / 2)
    agreeing = np.abs(outward @ outward.T) > AGREEING
    near: NDArray[np.bool_] = distance < np.where(agreeing, *nearer)
    return near
