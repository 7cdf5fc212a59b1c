"""Train the ends network: ``python -m models.training.train_ends --minutes 60``. Resumes from its checkpoint."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from models.training.busy import busy
from models.training.cache import Scene, shuffled
from models.training.fit import fit, told
from models.training.lights import spoilt
from models.training.nets import MAPS, EndsNet
from vision.geometry import quad_frame, quad_slant

CROP = 384  # px
STRIDE = 4
SIGMA = 0.2  # of the end's width: clearly better than 0.1 (recall at .5 from .68 to .89)
SURE, SEEN = 0.3, 0.05  # visible share from which an end is wanted, and under which it is nothing
SIZES = (18.0, 130.0)  # px of an end in a training crop
MIN_WIDTH = 10.0
SQUEEZED, MOST_SQUEEZE = 0.3, math.log(2.0)  # share of crops seen more aslant still, and how much
# Ends of which less shows are missed most often: crops are cut around them so much more often, and their heat weighs so
# much more.
PARTLY, PARTLY_CUT, PARTLY_WEIGHS = 0.95, 3.0, 2.0
TURNED = 0.5  # share of crops turned by quarters: a phone is held either way
BUSY = 0.04  # share of crops of nothing but noise, gravel, print
LIT = 0.5  # share of crops in another light than their scene's
Floats = NDArray[np.float32]
Sample = tuple[NDArray[np.uint8], Floats, Floats, Floats]


def crop_view(
    rng: np.random.Generator, scene: Scene, shape: tuple[int, ...]
) -> tuple[NDArray[np.float64], float]:
    """Affine map (2, 3) from a picture of ``shape`` (h, w) to a training crop, and its scale.

    A place (mostly where ends are), a scale that gives ends of usual sizes, a small turn or a quarter, perhaps
    mirrored, perhaps squeezed as by a camera farther aside.
    """
    widths = quad_frame(scene.quads)[2] if len(scene.quads) else np.array([60.0])
    here = float(np.median(widths))
    low, high = (math.log(v / here) for v in SIZES)
    scale = math.exp(float(np.clip(rng.normal(math.log(0.8), 0.4), low, high)))
    turn = rng.normal(0, 0.1) + (math.pi / 2 * rng.integers(4) if rng.random() < TURNED else 0)
    size = np.array([shape[1], shape[0]], np.float64)
    seen = scene.visible > SURE
    if seen.any() and rng.random() < 0.85:
        chance = np.where(scene.visible < PARTLY, PARTLY_CUT, 1.0) * seen
        chosen = scene.quads[rng.choice(len(seen), p=chance / chance.sum())].mean(axis=0)
        centre = chosen + rng.normal(0, 0.2 * CROP / scale, 2)
    else:
        centre = rng.uniform(0, 1, 2) * size
    reach = np.minimum(CROP / scale / 2, size / 2)
    centre = np.clip(centre, reach * 0.8, size - reach * 0.8)
    c, s = math.cos(turn) * scale, math.sin(turn) * scale
    mirror = -1.0 if rng.random() < 0.5 else 1.0
    linear = np.array([[c * mirror, -s], [s * mirror, c]])
    if rng.random() < SQUEEZED:
        linear = squeeze(rng) @ linear
    return np.hstack([linear, (CROP / 2 - linear @ centre)[:, None]]), scale


def squeeze(rng: np.random.Generator) -> NDArray[np.float64]:
    """Matrix (2, 2) that keeps areas and makes a picture flatter, mostly from top to bottom."""
    half, angle = rng.uniform(0, MOST_SQUEEZE) / 2, rng.normal(0, 0.3)
    c, s = math.cos(angle), math.sin(angle)
    turn = np.array([[c, -s], [s, c]])
    flat: NDArray[np.float64] = turn @ np.diag([math.exp(half), math.exp(-half)]) @ turn.T
    return flat


def cut(
    rng: np.random.Generator, picture: NDArray[np.uint8], view: NDArray[np.float64], scale: float
) -> NDArray[np.uint8]:
    """The crop (384, 384, 3) that a view shows, shrunk first where sampling far apart would leave aliasing."""
    corners = np.array([[0, 0], [CROP, 0], [CROP, CROP], [0, CROP]], np.float64)
    back = (corners - view[:, 2]) @ np.linalg.inv(view[:, :2]).T
    low = np.maximum(back.min(axis=0).astype(int) - 2, 0)
    high = np.minimum(back.max(axis=0).astype(int) + 3, [picture.shape[1], picture.shape[0]])
    source = picture[low[1] : high[1], low[0] : high[0]]
    here = view.copy()
    here[:, 2] += view[:, :2] @ low
    if scale < 0.75:
        factor = scale * 1.3
        source = cv2.resize(source, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA).astype(np.uint8)
        here[:, :2] /= factor
    border = (0.0, 0.0, 0.0) if rng.random() < 0.7 else tuple(float(v) for v in rng.integers(0, 256, 3))
    return np.asarray(
        cv2.warpAffine(source, here, (CROP, CROP), borderMode=cv2.BORDER_CONSTANT, borderValue=border),
        np.uint8,
    )


def targets(
    quads: NDArray[np.float64],
    partners: NDArray[np.float64],
    visible: NDArray[np.float64],
    size: tuple[int, int],
) -> tuple[Floats, Floats, Floats]:
    """Maps to learn from ends in crop px.

    Parameters
    ----------
    quads : (n, 4, 2), clockwise from the outer left corner.
    partners : (n, 2) centres of the other ends.
    visible : (n,) shares.
    size : cells (h, w).

    Returns
    -------
    maps (11, h, w) with heat 0..1 in channel 0, weight (h, w) of the shape channels, care (h, w) that weighs the
    heat's errors, 0 where it is not judged.
    """
    h, w = size
    maps, weight, care = (
        np.zeros((MAPS, h, w), np.float32),
        np.zeros((h, w), np.float32),
        np.ones((h, w), np.float32),
    )
    ignore = np.zeros((h, w), np.bool_)
    centres, outward, widths, depths, _ = quad_frame(quads)
    sizes, slants = quad_slant(quads)
    for i in np.argsort(visible):
        width, depth = widths[i], depths[i]
        cx, cy = (centres[i] - 1.5) / STRIDE
        reach = int(max(width, depth) / STRIDE * 0.75) + 2
        x0, x1, y0, y1 = (
            int(max(cx - reach, 0)),
            int(min(cx + reach + 1, w)),
            int(max(cy - reach, 0)),
            int(min(cy + reach + 1, h)),
        )
        if x1 <= x0 or y1 <= y0 or visible[i] < SEEN:
            continue
        xs, ys = np.meshgrid(np.arange(x0, x1) - cx, np.arange(y0, y1) - cy)
        ox, oy = outward[i]
        along, across = (xs * ox + ys * oy) * STRIDE / depth, (-xs * oy + ys * ox) * STRIDE / width
        heat = np.exp(-(along**2 + across**2) / (2 * SIGMA**2)).astype(np.float32)
        box = np.s_[y0:y1, x0:x1]
        if visible[i] < SURE or width < MIN_WIDTH:
            ignore[box] |= heat > 0.1
            continue
        if visible[i] < PARTLY:
            care[box] = np.maximum(care[box], 1 + (PARTLY_WEIGHS - 1) * heat)
        maps[0][box] = np.maximum(maps[0][box], np.where(heat > 0.02, heat, 0))
        mine = (heat > 0.3) & (heat >= weight[box])
        to_other = (partners[i] - centres[i]) / sizes[i]
        values = (ox, oy, math.log(sizes[i] / 32), *slants[i], *to_other, visible[i])
        maps[1][box][mine], maps[2][box][mine] = -xs[mine], -ys[mine]
        for channel, value in enumerate(values, 3):
            maps[channel][box][mine] = value
        weight[box][mine] = heat[mine]
        if 0 <= round(cx) < w and 0 <= round(cy) < h:
            maps[0][round(cy), round(cx)] = 1.0
    care[ignore & (maps[0] < 0.3)] = 0
    return maps, weight, care


class Crops(IterableDataset[Sample]):
    """Endless random crops of the cached scenes; several from each decoded picture."""

    def __init__(self, folder: Path, seed: int, per_scene: int = 6) -> None:
        super().__init__()
        self.folder, self.seed, self.per_scene = folder, seed, per_scene

    def __iter__(self) -> Iterator[Sample]:
        info = get_worker_info()
        rng = np.random.default_rng([self.seed, info.id if info else 0])
        cv2.setNumThreads(1)
        held: list[Sample] = []
        for scene in shuffled(rng, self.folder):
            picture = scene.picture()
            held += [one_crop(rng, scene, picture) for _ in range(self.per_scene)]
            if rng.random() < BUSY * self.per_scene:
                held.append(nothing(rng))
            while len(held) > 300:
                yield held.pop(int(rng.integers(len(held))))


def one_crop(rng: np.random.Generator, scene: Scene, picture: NDArray[np.uint8]) -> Sample:
    """A crop (384, 384, 3) with its maps, and the weights of shape and heat."""
    view, scale = crop_view(rng, scene, picture.shape)
    crop = cut(rng, picture, view, scale)
    quads = scene.quads @ view[:, :2].T + view[:, 2]
    if np.linalg.det(view[:, :2]) < 0:  # mirrored: left and right change places
        quads = quads[:, [1, 0, 3, 2]]
    partners = quads.mean(axis=1)[scene.partner] if len(quads) else np.empty((0, 2))
    maps, weight, care = targets(quads, partners, scene.visible, (CROP // STRIDE, CROP // STRIDE))
    if rng.random() < LIT:
        crop = spoilt(rng, crop, scale * max(picture.shape))[0]
    elif rng.random() < 0.3:
        gains = rng.uniform(0.7, 1.3, 3).astype(np.float32)
        lit = crop.astype(np.float32) * gains + np.float32(rng.uniform(-20, 20))
        crop = np.clip(lit, 0, 255).astype(np.uint8)
    return crop, maps, weight, care


def nothing(rng: np.random.Generator) -> Sample:
    """A crop (384, 384, 3) full of detail and without an end, with its maps and weights."""
    cells, none = (CROP // STRIDE, CROP // STRIDE), np.empty((0, 2))
    maps, weight, care = targets(np.empty((0, 4, 2)), none, np.empty(0), cells)
    crop = busy(rng, CROP)
    return (spoilt(rng, crop, 1600.0)[0] if rng.random() < LIT else crop), maps, weight, care


def heat_loss(logit: Tensor, heat: Tensor, care: Tensor) -> Tensor:
    """Quality focal loss of Li and others, Generalized Focal Loss (2020), per unit of heat wanted.

    Every cell of a blob pulls, not only its peak, so it settles several times sooner than CornerNet's loss.
    """
    cost = functional.binary_cross_entropy_with_logits(logit, heat, reduction="none")
    focus = (torch.sigmoid(logit) - heat).abs() ** 2
    return (cost * focus * care).sum() / heat.sum().clamp(min=1)


# Of offset x, y (in sizes), outward cos, sin, log size, slant x, y, vector to the other end x, y: weights of their
# losses, and the errors from which the loss grows evenly. Most tables are hardly aslant: a small error costs little, or
# nothing would be learned but the median.
SHAPE_WEIGHTS = (4.0, 4.0, 2.0, 2.0, 3.0, 6.0, 6.0, 0.3, 0.3)
SHAPE_BETAS = (0.05, 0.05, 0.05, 0.05, 0.05, 0.4, 0.4, 0.05, 0.05)


def losses(out: Tensor, maps: Tensor, weight: Tensor, care: Tensor) -> tuple[Tensor, Tensor]:
    """Heat loss and the weighted sum of the shape losses."""
    heat = heat_loss(out[:, 0], maps[:, 0], care)
    total = weight.sum().clamp(min=1)
    cells = (32.0 / STRIDE) * torch.exp(maps[:, 5:6])  # an end's size
    difference = torch.cat([(out[:, 1:3] - maps[:, 1:3]) / cells, out[:, 3:10] - maps[:, 3:10]], 1)
    scale, beta = (torch.tensor(one)[None, :, None, None] for one in (SHAPE_WEIGHTS, SHAPE_BETAS))
    off = difference.abs()
    error = torch.where(off < beta, off**2 / (2 * beta), off - beta / 2)
    shape = (error * scale * weight[:, None]).sum() / total
    share = functional.binary_cross_entropy_with_logits(out[:, 10], maps[:, 10], reduction="none")
    return 4 * heat, shape + 0.5 * (share * weight).sum() / total


def batch_loss(net: EndsNet, batch: Sequence[Tensor]) -> tuple[Tensor, Sequence[float]]:
    """The loss of a batch of `Crops`, and its heat and shape parts."""
    crop, maps, weight, care = batch
    picture = crop.permute(0, 3, 1, 2).float().contiguous(memory_format=torch.channels_last)
    with torch.autocast("cpu", torch.bfloat16):
        out = net(picture)
    heat, shape = losses(out.float(), maps, weight, care)
    return heat + shape, (heat.item(), shape.item())


def main() -> None:
    """Command line."""
    run = told(__doc__, "ends.pt", steps=7000, batch=16)
    net = EndsNet().to(memory_format=torch.channels_last)

    def batches(step: int) -> Iterator[Sequence[Tensor]]:
        return iter(
            DataLoader(Crops(run.scenes, seed=step), batch_size=run.batch, num_workers=1, prefetch_factor=3)
        )

    fit(net, batches, lambda batch: batch_loss(net, batch), run, ("heat", "shape"))


if __name__ == "__main__":
    main()
