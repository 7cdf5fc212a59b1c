"""Plane geometry of a card end: its frame, its quad, and the crop that shows it upright.

Points are (x, y) pixels of an image, y pointing down, pixel centres at whole numbers.
An *end* is the square [0, w] x [0, w] of a card of width w, measured from its short outer edge inwards.
Its quad is (4, 2): outer-left, outer-right, inner-right, inner-left, seen with the glyph of this end upright
(outer edge up), which is clockwise on the screen.
Every function takes any number of leading dimensions and works in float64.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

# What a crop shows of the card, in card widths: a little of the table at the sides and above the edge,
# and enough below the square for the long tails of 肆 and 十 (CARDS.md).
CROP_LEFT, CROP_RIGHT = -0.10, 1.10
CROP_TOP, CROP_BOTTOM = -0.15, 1.65
CROP_SIZE = (64, 96)  # width, height in px


def unit(vectors: ArrayLike) -> Floats:
    """Vectors (..., 2) scaled to length 1; a zero vector stays zero."""
    given = np.asarray(vectors, dtype=np.float64)
    length = np.linalg.norm(given, axis=-1, keepdims=True)
    scaled: Floats = given / np.where(length > 0, length, 1.0)
    return scaled


def quarter_turn(vectors: ArrayLike) -> Floats:
    """Vectors (..., 2) turned by 90 degrees clockwise on the screen: up (0, -1) becomes right (1, 0)."""
    given = np.asarray(vectors, dtype=np.float64)
    return np.stack([-given[..., 1], given[..., 0]], axis=-1)


def right_direction(outward: ArrayLike, skew: ArrayLike) -> Floats:
    """Unit vector (..., 2) to the reader's right, from the outward direction and the skew.

    Parameters
    ----------
    outward : (..., 2), from the end's centre to the outer edge; need not have length 1.
    skew : (...), cosine of the angle between right and outward, -1 < skew < 1; 0 without perspective.
    """
    out = unit(outward)
    cosine = np.clip(np.asarray(skew, dtype=np.float64), -0.999, 0.999)[..., None]
    right: Floats = cosine * out + np.sqrt(1.0 - cosine**2) * quarter_turn(out)
    return right


def end_quad(
    center: ArrayLike, outward: ArrayLike, width: ArrayLike, depth: ArrayLike, skew: ArrayLike
) -> Floats:
    """The parallelogram (..., 4, 2) that an end's frame describes.

    Parameters
    ----------
    center : (..., 2) px.
    outward : (..., 2), direction from the centre to the card's short outer edge.
    width, depth : (...) px, lengths of the end across and along the card.
    skew : (...), cosine of the angle between the right and the outward direction.
    """
    middle = np.asarray(center, dtype=np.float64)
    across = right_direction(outward, skew) * np.asarray(width, dtype=np.float64)[..., None] / 2
    along = unit(outward) * np.asarray(depth, dtype=np.float64)[..., None] / 2
    corners = [along - across, along + across, across - along, -across - along]
    return np.stack([middle + corner for corner in corners], axis=-2)


def quad_frame(quad: ArrayLike) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """Centre, unit outward vector, width, depth and skew of the parallelogram nearest to a quad (..., 4, 2).

    The inverse of `end_quad`. For a quad that is no parallelogram (strong perspective) opposite sides are
    averaged, which is the least-squares fit; the centre is the mean of the corners.
    """
    corners = np.asarray(quad, dtype=np.float64)
    outer_left, outer_right, inner_right, inner_left = (corners[..., i, :] for i in range(4))
    across = (outer_right - outer_left + inner_right - inner_left) / 2
    along = (outer_left - inner_left + outer_right - inner_right) / 2
    width, depth = np.linalg.norm(across, axis=-1), np.linalg.norm(along, axis=-1)
    outward = unit(along)
    skew = np.sum(unit(across) * outward, axis=-1)
    return corners.mean(axis=-2), outward, width, depth, skew


def slant_matrix(slant: ArrayLike) -> Floats:
    """Symmetric matrix (..., 2, 2) of determinant 1 that maps a table seen from straight above to its picture.

    slant : (..., 2), how a circle on the table looks: log of its long by its short axis, times cosine and sine of twice
        the long axis' angle (x to y); (0, 0) where it is seen from straight above.
    """
    x, y = np.moveaxis(np.asarray(slant, dtype=np.float64) / 2, -1, 0)
    lean = np.hypot(x, y)
    even, uneven = np.cosh(lean), np.sinh(lean) / np.where(lean > 0, lean, 1.0)
    rows = [np.stack([even + uneven * x, uneven * y], -1), np.stack([uneven * y, even - uneven * x], -1)]
    return np.stack(rows, axis=-2)


def slanted_quad(center: ArrayLike, outward: ArrayLike, size: ArrayLike, slant: ArrayLike) -> Floats:
    """The parallelogram (..., 4, 2) that a square on a table seen aslant becomes.

    How the table is seen is told apart from how the square lies on it, so that all ends on a table share it.

    Parameters
    ----------
    center : (..., 2) px.
    outward : (..., 2), direction in the picture from the centre to the card's short outer edge.
    size : (...) px, the square root of the parallelogram's area.
    slant : (..., 2), as of `slant_matrix`.
    """
    from_table = slant_matrix(slant)
    out = unit(outward)[..., None]
    on_table = unit(np.linalg.solve(from_table, out)[..., 0])
    half = np.asarray(size, dtype=np.float64)[..., None] / 2
    across, along = (
        half * (from_table @ vector[..., None])[..., 0] for vector in (quarter_turn(on_table), on_table)
    )
    middle = np.asarray(center, dtype=np.float64)
    return np.stack(
        [middle + corner for corner in (along - across, along + across, across - along, -across - along)],
        axis=-2,
    )


def quad_slant(quad: ArrayLike) -> tuple[Floats, Floats]:
    """Size (...) and slant (..., 2) of the parallelogram nearest to a quad (..., 4, 2): see `slanted_quad`."""
    axes = end_axes(quad)
    size = np.sqrt(np.maximum(np.abs(np.linalg.det(axes)), 1e-9))
    seen = axes @ np.swapaxes(axes, -1, -2) / size[..., None, None] ** 2
    x, y = (seen[..., 0, 0] - seen[..., 1, 1]) / 2, seen[..., 0, 1]
    uneven = np.hypot(x, y)
    log = np.arcsinh(uneven)  # `seen` has determinant 1, and axes exp(log) and exp(-log)
    return size, np.stack([x, y], axis=-1) * (log / np.where(uneven > 0, uneven, 1.0))[..., None]


def end_axes(quad: ArrayLike) -> Floats:
    """Matrix (..., 2, 2) whose columns are a card width to the right and one outwards, in px of the picture.

    quad : (..., 4, 2) of the end at which they are taken.
    """
    _, outward, width, depth, skew = quad_frame(quad)
    right = right_direction(outward, skew)
    return np.stack([right * width[..., None], outward * depth[..., None]], axis=-1)


def end_to_table(quad: ArrayLike) -> Floats:
    """Inverse (..., 2, 2) of `end_axes`: of px of the picture near an end to card widths right and outwards of it."""
    return np.asarray(np.linalg.inv(end_axes(quad)), dtype=np.float64)


def table_metric(quad: ArrayLike) -> Floats:
    """Matrix (..., 2, 2) such that v @ matrix @ v is the squared length on the table, in card widths, of a vector v px
    of the picture near an end with this quad (..., 4, 2)."""
    to_table = end_to_table(quad)
    metric: Floats = np.swapaxes(to_table, -1, -2) @ to_table
    return metric


def turned_quad(quad: ArrayLike) -> Floats:
    """The same square (..., 4, 2) with its glyph the other way up: outward becomes inward."""
    return np.asarray(quad, dtype=np.float64)[..., [2, 3, 0, 1], :]


def square_to_quad(quad: ArrayLike) -> Floats:
    """Homography (..., 3, 3) from card units to pixels.

    (0, 0), (1, 0), (1, 1), (0, 1) go to the four corners in their order. Closed form of P. Heckbert,
    "Fundamentals of Texture Mapping and Image Warping" (1989), section 2.2.3.
    """
    p = np.asarray(quad, dtype=np.float64)
    p0, p1, p2, p3 = (p[..., i, :] for i in range(4))
    d1, d2, bend = p1 - p2, p3 - p2, p0 - p1 + p2 - p3
    area = d1[..., 0] * d2[..., 1] - d1[..., 1] * d2[..., 0]
    area = np.where(np.abs(area) < 1e-12, 1e-12, area)
    g = (bend[..., 0] * d2[..., 1] - bend[..., 1] * d2[..., 0]) / area
    h = (d1[..., 0] * bend[..., 1] - d1[..., 1] * bend[..., 0]) / area
    matrix = np.empty((*p.shape[:-2], 3, 3))
    matrix[..., :2, 0] = p1 - p0 + g[..., None] * p1
    matrix[..., :2, 1] = p3 - p0 + h[..., None] * p3
    matrix[..., :2, 2] = p0
    matrix[..., 2, 0], matrix[..., 2, 1], matrix[..., 2, 2] = g, h, 1.0
    return matrix


def crop_matrix(quad: ArrayLike, size: tuple[int, int] = CROP_SIZE) -> Floats:
    """Homography (..., 3, 3) that maps photo pixels to pixels of the upright crop of an end.

    The crop shows x in [-0.1, 1.1] and y in [-0.15, 1.65] card widths from the outer edge inwards; these
    bounds are the outer borders of the first and last pixels.

    Parameters
    ----------
    quad : (..., 4, 2) px of the photo, with an area that is not zero.
    size : width and height of the crop in px.
    """
    width, height = size
    scale_x, scale_y = width / (CROP_RIGHT - CROP_LEFT), height / (CROP_BOTTOM - CROP_TOP)
    to_crop = np.array(
        [[scale_x, 0, -CROP_LEFT * scale_x - 0.5], [0, scale_y, -CROP_TOP * scale_y - 0.5], [0, 0, 1.0]]
    )
    matrix = to_crop @ np.linalg.inv(square_to_quad(quad))
    normalised: Floats = matrix / matrix[..., 2:, 2:]
    return normalised


# The end that a crop is cut for, in px of the crop: its square's middle and the length of a card width.
CROP_CARD = CROP_SIZE[0] / (CROP_RIGHT - CROP_LEFT)
CROP_MIDDLE = np.array([(0.5 - CROP_LEFT) * CROP_CARD - 0.5, (0.5 - CROP_TOP) * CROP_CARD - 0.5])


def frame_in_crop(quad: ArrayLike) -> Floats:
    """How an end with a quad (..., 4, 2) px of a crop lies in it, (..., 6): what `quad_from_crop` undoes.

    Centre x and y against the middle of the crop's own end in card widths, turn of the outward direction in radians
    (clockwise), logarithms of width and depth in card widths, skew. All are 0 for the end the crop was cut for.
    """
    centre, outward, width, depth, skew = quad_frame(quad)
    x, y = np.moveaxis((centre - CROP_MIDDLE) / CROP_CARD, -1, 0)
    turn = np.arctan2(outward[..., 0], -outward[..., 1])
    return np.stack([x, y, turn, np.log(width / CROP_CARD), np.log(depth / CROP_CARD), skew], -1)


def quad_from_crop(frame: ArrayLike) -> Floats:
    """Quad (..., 4, 2) in px of a crop of an end that lies in it as `frame` (..., 6) says (`frame_in_crop`)."""
    x, y, turn, log_width, log_depth, skew = np.moveaxis(np.asarray(frame, dtype=np.float64), -1, 0)
    centre = CROP_MIDDLE + CROP_CARD * np.stack([x, y], -1)
    outward = np.stack([np.sin(turn), -np.cos(turn)], -1)
    return end_quad(centre, outward, CROP_CARD * np.exp(log_width), CROP_CARD * np.exp(log_depth), skew)


def apply_homography(matrix: ArrayLike, points: ArrayLike) -> Floats:
    """Points (..., 2) mapped by one homography (3, 3)."""
    given = np.asarray(points, dtype=np.float64)
    m = np.asarray(matrix, dtype=np.float64)
    lifted = given @ m[:, :2].T + m[:, 2]
    mapped: Floats = lifted[..., :2] / lifted[..., 2:]
    return mapped


def quad_centre(quads: ArrayLike) -> Floats:
    """Mean of the corners (..., 2) of quads (..., 4, 2)."""
    mean: Floats = np.asarray(quads, dtype=np.float64).mean(axis=-2)
    return mean


def lies_in(point: Floats, quad: Floats) -> bool:
    """Whether a point (2,) lies in a convex quad (4, 2) or on its border."""
    side, to_point = np.roll(quad, -1, axis=0) - quad, point - quad
    turn = side[:, 0] * to_point[:, 1] - side[:, 1] * to_point[:, 0]
    return bool(np.all(turn >= 0) or np.all(turn <= 0))


def logit(probability: ArrayLike) -> Floats:
    """Log-odds of probabilities (...), which count as .01 at least and .99 at most."""
    p = np.clip(np.asarray(probability, dtype=np.float64), 0.01, 0.99)
    odds: Floats = np.log(p / (1 - p))
    return odds


def log_softmax(scores: ArrayLike) -> Floats:
    """Log-probabilities (N, K) whose differences are those of the scores."""
    given = np.asarray(scores, dtype=np.float64)
    shifted = given - given.max(axis=1, keepdims=True)
    logs: Floats = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return logs
