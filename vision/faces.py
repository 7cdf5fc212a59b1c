"""What each card end shows: cut every end upright from the photo and ask the network about all at once.

The network (`card_faces.onnx`) is a function of uint8 RGB (N, 96, 64, 3) to a `FaceAnswer`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.ends import Ends, View
from vision.geometry import (
    CROP_CARD,
    CROP_SIZE,
    Floats,
    crop_matrix,
    log_softmax,
    quad_frame,
    quad_from_crop,
    turned_quad,
)
from vision.photo import Image

SHARP_ENOUGH = 0.8  # view px for each crop px from which more pixels show nothing new
AREA_FROM = 1.25  # view px for each crop px from which sampling needs averaging first
LARGEST_BATCH = 256  # crops in one run of the network: four whole decks' ends would not fit otherwise
UPSIDE_DOWN = 0.5  # probability from which an end is looked at the other way up
MOST_MOVED = 0.5  # of each number of a frame: what is farther off is another end or none
READ = 0.9999  # probability, not calibrated, from which an end is read: a second crop changes nothing
MOST_AGAIN = 96  # ends of a photo that are cut once more for one reason: more are noise, no cards
WORTH_ANOTHER_CUT = 0.06  # change of a frame's numbers below which a second crop shows the same
EMPTY = 128  # grey level of a crop that lies outside the photo

COLOURS = ("r", "y", "g", "w", "none")  # paper colours, in the order of the network's answer
# Where the crop surely shows card: rows and columns well inside the edges, down to one card width.
PAPER_ROWS, PAPER_COLUMNS = slice(11, 61), slice(10, 54)
PAPER_STEP = 2  # of these, every so many tell the colour as well
PAPER_RANKS = (0.5, 0.9)  # of the lightness: darker is ink, lighter is glare


class FaceAnswer(NamedTuple):
    """For N crops: logits (N, K), embedding (N, D) of length 1, upside_down (N,), colour (N, 5), and frame (N, 6),
    how the end really lies in the crop (`vision.geometry.frame_in_crop`)."""

    logits: NDArray[np.float32]
    embedding: NDArray[np.float32]
    upside_down: NDArray[np.float32]
    colour: NDArray[np.float32]
    frame: NDArray[np.float32]


FacesNetwork = Callable[[Image], FaceAnswer]


@dataclass(frozen=True)
class Faces:
    """N ends as seen by the face network.

    quads : (N, 4, 2) px, turned where the end lay the other way up and mended as the network saw it.
    crops : (N, 96, 64, 3) as the network saw them.
    logits : (N, K).  embedding : (N, D), length 1.  upside_down : (N,) 0 to 1.
    colour : (N, 5) probabilities of `COLOURS`.  paper : (N, 3) CIE Lab of the paper.
    """

    quads: Floats
    crops: Image
    logits: Floats
    embedding: Floats
    upside_down: Floats
    colour: Floats
    frame: Floats
    paper: Floats

    def __len__(self) -> int:
        return len(self.quads)

    def take(self, which: NDArray[np.intp] | NDArray[np.bool_]) -> Faces:
        """The ends at these indices, or where this mask holds."""
        return Faces(*(getattr(self, name)[which] for name in self.__dataclass_fields__))


class Seen(NamedTuple):
    """The ends of a photo, their faces and log-probabilities (N, K), after both networks and the print `taught` have
    spoken."""

    ends: Ends
    faces: Faces
    log_faces: Floats
    taught: str | None = None


def no_faces(classes: int) -> Faces:
    """No end at all, of a network that knows this many classes."""
    return Faces(
        quads=np.zeros((0, 4, 2)),
        crops=np.zeros((0, CROP_SIZE[1], CROP_SIZE[0], 3), dtype=np.uint8),
        logits=np.zeros((0, classes)),
        embedding=np.zeros((0, 1)),
        upside_down=np.zeros(0),
        colour=np.zeros((0, len(COLOURS))),
        frame=np.zeros((0, 6)),
        paper=np.zeros((0, 3)),
    )


def read_faces(view: View, quads: Floats, network: FacesNetwork) -> Faces:
    """Faces of one or more ends with these quads (N, 4, 2), in px of the full photo.

    Ends that lie the other way up are turned; then every quad is mended by what its crop shows, and where that moves
    it much the end is cut and read again, unless it was surely read.
    """
    picture, scale = view(view_scale(quads))

    def read(these: Floats) -> Faces:
        return _read(cut_ends(picture, (these + 0.5) * scale - 0.5), these, network)

    faces = read(quads)
    doubted = np.flatnonzero(faces.upside_down > UPSIDE_DOWN)[:MOST_AGAIN]
    if len(doubted):
        turned = read(turned_quad(quads[doubted]))
        better = turned.upside_down < faces.upside_down[doubted]
        faces = replaced(faces, doubted[better], turned.take(better))
    loose = np.abs(faces.frame).max(axis=1) > WORTH_ANOTHER_CUT
    unread = log_softmax(faces.logits).max(axis=1) < np.log(READ)
    moved = np.flatnonzero(loose & unread)[:MOST_AGAIN]
    if len(moved):
        faces = replaced(faces, moved, read(mended_quads(faces.quads[moved], faces.frame[moved])))
    return replace(faces, quads=mended_quads(faces.quads, faces.frame))


def mended_quads(quads: Floats, frame: Floats) -> Floats:
    """Quads (N, 4, 2) px moved to where their crops show the ends, given `frame` (N, 6)."""
    seen = quad_from_crop(np.clip(frame, -MOST_MOVED, MOST_MOVED))
    lifted = np.concatenate([seen, np.ones((*seen.shape[:-1], 1))], axis=-1)
    mapped = lifted @ np.swapaxes(np.linalg.inv(crop_matrix(quads)), -1, -2)
    mended: Floats = mapped[..., :2] / mapped[..., 2:]
    return mended


def view_scale(quads: Floats) -> float:
    """The least share of the full size at which half of the ends are as sharp as a crop can show."""
    return min(1.0, SHARP_ENOUGH * CROP_CARD / max(1.0, float(np.median(quad_frame(quads)[2]))))


def cut_ends(picture: Image, quads: Floats) -> Image:
    """Upright crops (N, 96, 64, 3) of ends with quads (N, 4, 2) in px of the picture."""
    crops = np.full((len(quads), CROP_SIZE[1], CROP_SIZE[0], 3), EMPTY, dtype=np.uint8)
    matrices, widths = crop_matrix(quads), quad_frame(quads)[2]
    right, bottom = CROP_SIZE[0] - 0.5, CROP_SIZE[1] - 0.5
    border = np.array([[-0.5, -0.5, 1], [right, -0.5, 1], [right, bottom, 1], [-0.5, bottom, 1]])
    seen = border @ np.swapaxes(np.linalg.inv(matrices), -1, -2)
    corners = seen[..., :2] / seen[..., 2:]
    lows = np.maximum(np.floor(corners.min(axis=1)).astype(int) - 2, 0)
    highs = np.minimum(np.ceil(corners.max(axis=1)).astype(int) + 3, picture.shape[1::-1])
    for i in np.flatnonzero(np.all(highs - lows >= 2, axis=1)):
        _cut(picture, matrices[i], float(widths[i]), lows[i], highs[i], crops[i])
    return crops


def _cut(
    picture: Image, matrix: Floats, width: float, low: NDArray[np.intp], high: NDArray[np.intp], crop: Image
) -> None:
    """Fill one crop from the picture between two corners; a large end is averaged down there first."""
    patch = picture[low[1] : high[1], low[0] : high[0]]
    place = np.array([[1, 0, low[0]], [0, 1, low[1]], [0, 0, 1.0]])
    excess = width / CROP_CARD / AREA_FROM
    if excess > 1:
        size = np.maximum(1, np.round((high - low) / excess)).astype(int)
        x, y = (high - low) / size
        patch = np.asarray(cv2.resize(patch, size.tolist(), interpolation=cv2.INTER_AREA), dtype=np.uint8)
        place = place @ np.array([[x, 0, x / 2 - 0.5], [0, y, y / 2 - 0.5], [0, 0, 1]])
    cv2.warpPerspective(
        patch, matrix @ place, CROP_SIZE, dst=crop, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )


def _read(crops: Image, quads: Floats, network: FacesNetwork) -> Faces:
    answers = [network(crops[i : i + LARGEST_BATCH]) for i in range(0, len(crops), LARGEST_BATCH)]
    logits, embedding, upside_down, colour, frame = (
        np.concatenate(part).astype(np.float64) for part in zip(*answers, strict=True)
    )
    return Faces(quads, crops, logits, embedding, upside_down, colour, frame, paper_colours(crops))


def replaced(faces: Faces, which: NDArray[np.intp], new: Faces) -> Faces:
    """Faces with those at `which` exchanged for new ones, in order."""
    columns = []
    for name in faces.__dataclass_fields__:
        column = getattr(faces, name).copy()
        column[which] = getattr(new, name)
        columns.append(column)
    return Faces(*columns)


def paper_colours(crops: Image) -> Floats:
    """CIE Lab (N, 3) of the paper in crops (N, 96, 64, 3): the median of what is neither ink nor glare."""
    inside = crops[:, PAPER_ROWS, PAPER_COLUMNS]
    region = inside[:, ::PAPER_STEP, ::PAPER_STEP].reshape(len(crops), -1, 3)
    red, green, blue = np.moveaxis(region, -1, 0).astype(np.uint16)
    low, high = (int(rank * region.shape[1]) for rank in PAPER_RANKS)
    order = np.argpartition(2 * red + 5 * green + blue, (low, high), axis=1)
    middle = np.take_along_axis(region, order[:, low:high, None], axis=1)
    colour = np.median(middle, axis=1).astype(np.float32) / 255
    return np.asarray(cv2.cvtColor(colour[None], cv2.COLOR_RGB2Lab)[0], dtype=np.float64)


def deck_of(class_name: str) -> str:
    """Deck of a class such as `sise:rK`; `other` for whatever is no card of ours."""
    return "other" if class_name.startswith("other") else class_name.partition(":")[0]


def other_share(log_faces: Floats, ours: NDArray[np.bool_]) -> Floats:
    """Probability (N,) that ends with these log-probabilities (N, K) are no card; `ours` (K,) are the faces."""
    share: Floats = np.exp(log_faces[:, ~ours]).sum(axis=1)
    return share


def class_decks(classes: Sequence[str]) -> tuple[str, ...]:
    """The decks that the classes speak of, in their order, without `other`."""
    return tuple(dict.fromkeys(deck for deck in map(deck_of, classes) if deck != "other"))
