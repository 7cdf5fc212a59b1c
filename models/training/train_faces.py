"""Train the face network: ``python -m models.training.train_faces --minutes 60``. Resumes from its checkpoint."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from models.training.cache import Scene, shuffled
from models.training.fit import fit, told
from models.training.fresh import fresh_crops, kept
from models.training.lights import PHONE, spoilt
from models.training.nets import COLOURS, FacesNet
from scorer.cards import deck, deck_ids
from vision.geometry import (
    CROP_BOTTOM,
    CROP_CARD,
    CROP_LEFT,
    CROP_RIGHT,
    CROP_SIZE,
    CROP_TOP,
    apply_homography,
    crop_matrix,
    end_quad,
    frame_in_crop,
    quad_frame,
    turned_quad,
)

CLASSES = (*(f"{d}:{face.code}" for d in deck_ids() for face in deck(d).faces), "other")
OTHER = len(CLASSES) - 1
NUMBER = {name: i for i, name in enumerate(CLASSES)}
FRAME_WEIGHTS = torch.tensor([1.5, 1.5, 1.5, 1.5, 1.0, 0.5])  # x, y, turn, log width, log depth, skew
SCALE = 20.0  # of the cosines before the softmax
MARGIN = 0.15  # CosFace (Wang and others, 2018)
READABLE = 0.2  # visible share under which an end teaches nothing
MIN_WIDTH = 12.0  # px
USES = 3  # times a crop is shown on average, each time in another light
LIT = 0.5  # share of crops in one of `models.training.lights`
WIDTHS = (28.0, 120.0)  # px of a card at `PHONE`, where a crop's lights say how far they reach
Sample = tuple[NDArray[np.uint8], int, int, int, float, NDArray[np.float64]]
Lit = tuple[NDArray[np.uint8], int, int, int, float, NDArray[np.float64], bool]
UNKNOWN = np.zeros(6)  # frame of what is no end
# Half a turn of a crop about the middle of the end's square (0.5, 0.5) card widths.
HALF_TURN = np.array(
    [
        [-1.0, 0, (1 - 2 * CROP_LEFT) * CROP_SIZE[0] / (CROP_RIGHT - CROP_LEFT) - 1],
        [0, -1.0, (1 - 2 * CROP_TOP) * CROP_SIZE[1] / (CROP_BOTTOM - CROP_TOP) - 1],
    ]
)


def jittered(rng: np.random.Generator, quads: NDArray[np.float64]) -> NDArray[np.float64]:
    """Quads (n, 4, 2) as a detector gives them: moved, turned, scaled and skewed, some of them much more than most."""
    centre, outward, width, depth, skew = quad_frame(quads)
    n = len(quads)
    loose = np.exp(
        rng.normal(0, 0.5, n)
    )  # measured on held-out scenes: the worst tenth is off by three medians
    turn = rng.normal(0, 0.06, n) * loose
    c, s = np.cos(turn), np.sin(turn)
    outward = np.stack([c * outward[:, 0] - s * outward[:, 1], s * outward[:, 0] + c * outward[:, 1]], 1)
    moved = centre + rng.normal(0, 0.06, (n, 2)) * (loose * width)[:, None]
    width = width * np.exp(rng.normal(0, 0.08, n) * loose)
    depth = depth * np.exp(rng.normal(0, 0.1, n) * loose)
    return end_quad(moved, outward, width, depth, np.clip(skew + rng.normal(0, 0.05, n) * loose, -0.9, 0.9))


def random_quads(
    rng: np.random.Generator, scene: Scene, shape: tuple[int, ...], n: int
) -> NDArray[np.float64]:
    """Quads (n, 4, 2) where no end is: on the table, on things, across the cards' bodies."""
    widths = quad_frame(scene.quads)[2] if len(scene.quads) else np.array([50.0])
    centre = rng.uniform(0, 1, (n, 2)) * [shape[1], shape[0]]
    if len(scene.quads):
        middle = scene.quads.mean(axis=1)
        k = rng.integers(len(middle), size=n)
        t = rng.uniform(0.25, 0.75, (n, 1))
        along = middle[k] * t + middle[scene.partner[k]] * (1 - t)
        centre = np.where(rng.random((n, 1)) < 0.5, along, centre)
    angle = rng.uniform(0, 2 * math.pi, n)
    width = rng.choice(widths, n) * rng.uniform(0.7, 1.4, n)
    outward = np.stack([np.cos(angle), np.sin(angle)], 1)
    quads = end_quad(centre, outward, width, width * rng.uniform(0.7, 1.1, n), np.zeros(n))
    if not len(scene.quads):
        return quads
    seen = scene.quads[scene.visible > 0.1].mean(axis=1)
    if not len(seen):
        return quads
    far = np.linalg.norm(quads.mean(axis=1)[:, None] - seen[None], axis=2).min(axis=1) > 0.7 * width
    return quads[far]


def cut(picture: NDArray[np.uint8], quad: NDArray[np.float64]) -> NDArray[np.uint8]:
    """The upright crop (96, 64, 3) of a quad; shrinks first where the end is much larger than the crop."""
    width = float(quad_frame(quad)[2])
    low = np.maximum(np.floor(quad.min(axis=0) - width * 1.2), 0).astype(int)
    high = np.minimum(np.ceil(quad.max(axis=0) + width * 1.2), [picture.shape[1], picture.shape[0]]).astype(
        int
    )
    part, moved = picture, quad
    if (high - low > 4).all():
        part, moved = picture[low[1] : high[1], low[0] : high[0]], quad - low
        factor = 60.0 / width
        if factor < 0.8:
            part = cv2.resize(part, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA).astype(np.uint8)
            moved = moved * factor
    warped = cv2.warpPerspective(
        part, crop_matrix(moved), CROP_SIZE, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(warped, np.uint8)


def varied(rng: np.random.Generator, crop: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Light, blur and noise beyond what the scene had."""
    out = crop.astype(np.float32)
    if rng.random() < 0.5:
        out = out * rng.normal(1, 0.04, 3).astype(np.float32) * np.float32(
            rng.uniform(0.75, 1.2)
        ) + np.float32(rng.normal(0, 6))
    if rng.random() < 0.2:
        small = cv2.resize(
            out,
            None,
            fx=1 / rng.uniform(1.2, 2.2),
            fy=1 / rng.uniform(1.2, 2.2),
            interpolation=cv2.INTER_AREA,
        )
        out = np.asarray(cv2.resize(small, CROP_SIZE, interpolation=cv2.INTER_LINEAR), np.float32)
    if rng.random() < 0.3:
        out = out + rng.normal(0, rng.uniform(1, 8), out.shape).astype(np.float32)
    return np.clip(out, 0, 255).astype(np.uint8)


def in_light(rng: np.random.Generator, crop: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], bool]:
    """A crop as some phone in some room gives it, and whether its colours can still be told."""
    if rng.random() >= LIT:
        return varied(rng, crop), True
    width = math.exp(rng.uniform(*np.log(WIDTHS)))
    return spoilt(rng, crop, PHONE * CROP_CARD / width)


def samples(rng: np.random.Generator, scene: Scene) -> list[Sample]:
    """All ends of a scene as (crop, class, paper colour, upside down, weight), with some crops of no card."""
    picture = scene.picture()
    found: list[Sample] = []
    if len(scene.quads):
        width = quad_frame(scene.quads)[2]
        keep = np.flatnonzero((scene.visible > READABLE) & (width > MIN_WIDTH))
        for i, quad in zip(keep, jittered(rng, scene.quads[keep]), strict=True):
            down = rng.random() < 0.12
            frame = frame_in_crop(apply_homography(crop_matrix(quad), scene.quads[i]))
            crop = cut(picture, turned_quad(quad) if down else quad)
            code = scene.codes[i]
            tint = COLOURS.index(code[0]) if scene.deck == "sise" else COLOURS.index("none")
            weight = min(1.0, max(0.15, (scene.visible[i] - 0.15) / 0.5))
            found.append((crop, NUMBER[f"{scene.deck}:{code}"], tint, int(down), weight, frame))
    strange = scene.others[scene.others_visible > 0.4] if len(scene.others) else scene.others
    strange = strange[rng.permutation(len(strange))[:6]]
    empty = random_quads(rng, scene, picture.shape, 2 if len(scene.quads) else 8)
    for quad in [*jittered(rng, strange), *empty] if len(strange) else empty:
        if quad_frame(quad)[2] > MIN_WIDTH:
            found.append((cut(picture, quad), OTHER, COLOURS.index("none"), 2, 1.0, UNKNOWN))
    return found


def fresh_samples(rng: np.random.Generator, split: str) -> Iterator[Sample]:
    """Samples of new prints for ever, those that were drawn beforehand first."""
    for deck_id, code, crop, visible, quad in chain(kept(), fresh_crops(rng, split)):
        if not code:
            yield crop, OTHER, COLOURS.index("none"), 2, 1.0, UNKNOWN
            continue
        down = rng.random() < 0.08  # turned about the middle of the end's square, as a wrong direction would
        if down:
            crop = cv2.warpAffine(crop, HALF_TURN, CROP_SIZE, borderMode=cv2.BORDER_REPLICATE).astype(
                np.uint8
            )
        tint = COLOURS.index(code[0] if deck_id == "sise" else "none")
        weight = min(1.0, max(0.15, (visible - 0.15) / 0.5))
        yield crop, NUMBER[f"{deck_id}:{code}"], tint, int(down), weight, frame_in_crop(quad)


class FaceCrops(IterableDataset[Lit]):
    """Endless crops mixed from the cached scenes and, as many again, from new prints."""

    def __init__(self, folder: Path, seed: int, mixing: int = 12000) -> None:
        super().__init__()
        self.folder, self.seed, self.mixing = folder, seed, mixing

    def __iter__(self) -> Iterator[Lit]:
        info = get_worker_info()
        rng = np.random.default_rng([self.seed, info.id if info else 0])
        cv2.setNumThreads(1)
        fresh = fresh_samples(rng, "train")
        held: list[Sample] = []
        for scene in shuffled(rng, self.folder):
            seen = samples(rng, scene)
            held += seen
            held += islice(fresh, len(seen))
            while len(held) > self.mixing:
                i = int(rng.integers(len(held)))
                crop, coloured = in_light(rng, held[i][0])
                yield crop, *held[i][1:], coloured
                if rng.random() < 1 / USES:
                    held[i] = held[-1]
                    held.pop()


def alike_grey() -> Tensor:
    """For each class (K, K) the shares of what its end may be once colours are gone: 四色 of any suit, else itself."""
    kind = [f"sise:{name[-1]}" if name.startswith("sise:") else name for name in CLASSES]
    same = torch.tensor([[float(a == b) for b in kind] for a in kind])
    return same / same.sum(1, keepdim=True)


ALIKE_GREY = alike_grey()
PAPERS_GREY = torch.block_diag(torch.full((4, 4), 0.25), torch.eye(1))


def wanted(label: Tensor, coloured: Tensor, alike: Tensor) -> Tensor:
    """Shares (N, K) that a softmax should give: the label, or without colours all labels that look alike."""
    return torch.where(coloured[:, None], functional.one_hot(label, len(alike)).float(), alike[label])


def batch_loss(net: FacesNet, batch: Sequence[Tensor]) -> tuple[Tensor, Sequence[float]]:
    """The loss of a batch of `FaceCrops`, and its value and share of right faces."""
    crop, label, tint, down, given, frame, coloured = batch
    weight = given.float()
    picture = crop.permute(0, 3, 1, 2).float().contiguous(memory_format=torch.channels_last)
    with torch.autocast("cpu", torch.bfloat16):
        cosine, _, upside, colours, lies = net(picture)
    cosine = cosine.float()
    face_shares, paper_shares = wanted(label, coloured, ALIKE_GREY), wanted(tint, coloured, PAPERS_GREY)
    marked = cosine - MARGIN * (face_shares > 0)
    face = functional.cross_entropy(SCALE * marked, face_shares, reduction="none")
    known = (down < 2).float()
    stand = functional.binary_cross_entropy_with_logits(upside, (down == 1).float(), reduction="none") * known
    paper = functional.cross_entropy(colours, paper_shares, reduction="none")
    off = functional.smooth_l1_loss(lies, frame.float(), beta=0.02, reduction="none") @ FRAME_WEIGHTS
    off = off * (down == 0).float()
    value = ((face + 0.3 * stand + 0.3 * paper + off) * weight).sum() / weight.sum()
    right = (face_shares.gather(1, cosine.argmax(1, keepdim=True))[:, 0] > 0).float()
    right = (right * weight).sum() / weight.sum()
    return value, (value.item(), right.item(), off.mean().item())


def main() -> None:
    """Command line."""
    run = told(__doc__, "faces.pt", steps=8000, batch=128)
    net = FacesNet(len(CLASSES)).to(memory_format=torch.channels_last)

    def batches(step: int) -> Iterator[Sequence[Tensor]]:
        return iter(
            DataLoader(
                FaceCrops(run.scenes, seed=step), batch_size=run.batch, num_workers=1, prefetch_factor=4
            )
        )

    fit(net, batches, lambda batch: batch_loss(net, batch), run, ("loss", "right", "frame"))


if __name__ == "__main__":
    main()
