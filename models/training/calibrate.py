"""Measure the face network on held-out prints and fit its temperature: ``python -m models.training.calibrate``.

Accuracy by deck and visible share on crops of annotated ends (jittered as a detector would give them), and the
temperature that minimises the negative log likelihood over all of them, within the card's own deck and ``other``,
as the reader uses the logits. Of every folder (prints, lights, families of forms) it says how many ends were sure and
wrong.
"""

from __future__ import annotations

import argparse
from collections import Counter
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from models.training.cache import Scene, scenes
from models.training.exported import load_exported
from models.training.nets import FacesNet
from models.training.scenes import CACHE
from models.training.train_faces import CLASSES, MIN_WIDTH, NUMBER, OTHER, SCALE, cut, jittered
from vision.geometry import quad_frame

BUCKETS = (0.3, 0.6, 0.85, 1.01)
SURE = 0.95  # probability from which an end counts as sure


def crops_of(
    rng: np.random.Generator, scene: Scene
) -> tuple[list[NDArray[np.uint8]], list[int], list[float]]:
    """Crops, classes and visible shares of a scene's readable ends."""
    if not len(scene.quads):
        return [], [], []
    keep = np.flatnonzero((scene.visible > BUCKETS[0]) & (quad_frame(scene.quads)[2] > MIN_WIDTH))
    picture = scene.picture()
    crops = [cut(picture, quad) for quad in jittered(rng, scene.quads[keep])] if len(keep) else []
    return (
        crops,
        [NUMBER[f"{scene.deck}:{scene.codes[i]}"] for i in keep],
        [float(scene.visible[i]) for i in keep],
    )


def run(net: FacesNet, crops: list[NDArray[np.uint8]]) -> NDArray[np.float64]:
    """Logits (n, K)."""
    out = []
    with torch.no_grad():
        for start in range(0, len(crops), 256):
            batch = torch.from_numpy(np.stack(crops[start : start + 256])).permute(0, 3, 1, 2).float()
            out.append(net(batch.contiguous(memory_format=torch.channels_last))[0].numpy() * SCALE)
    return np.concatenate(out).astype(np.float64)


def within_deck(logits: NDArray[np.float64], labels: NDArray[np.int64]) -> NDArray[np.float64]:
    """Logits with the classes of all other decks shut out."""
    decks = np.array([name.split(":")[0] for name in CLASSES])
    allowed = (decks[None, :] == decks[labels][:, None]) | (np.arange(len(CLASSES)) == OTHER)[None, :]
    return np.where(allowed, logits, -1e9)


def temperature(logits: NDArray[np.float64], labels: NDArray[np.int64]) -> float:
    """The temperature of least negative log likelihood."""

    def cost(log_t: float) -> float:
        z = logits / np.exp(log_t)
        z = z - z.max(axis=1, keepdims=True)
        return float((np.log(np.exp(z).sum(axis=1)) - z[np.arange(len(z)), labels]).mean())

    return float(np.exp(minimize_scalar(cost, bounds=(-2.5, 2.5), method="bounded").x))


def report(logits: NDArray[np.float64], labels: NDArray[np.int64], shares: NDArray[np.float64]) -> None:
    """Print accuracy by deck and share, and the most confused pairs."""
    right = logits.argmax(axis=1) == labels
    decks = np.array([CLASSES[i].split(":")[0] for i in labels])
    for deck in sorted(set(decks)):
        cells = []
        for low, high in pairwise(BUCKETS):
            here = (decks == deck) & (shares >= low) & (shares < high)
            cells.append(
                f"{low:.2f}+ {right[here].mean() if here.any() else float('nan'):.4f} ({here.sum()})"
            )
        print(f"{deck:9} " + "  ".join(cells))
    sure = ~right & (shares > 0.6)
    pairs = Counter(
        (CLASSES[t], CLASSES[p]) for t, p in zip(labels[sure], logits[sure].argmax(axis=1), strict=True)
    )
    print("  ".join(f"{t}->{p.split(':')[-1]} {n}" for (t, p), n in pairs.most_common(20)))


def network(name: str) -> FacesNet:
    """The face network of a checkpoint in the cache, or of an exported file."""
    net = FacesNet(len(CLASSES))
    if name.endswith(".onnx"):
        load_exported(net, Path(name))
    else:
        net.load_state_dict(torch.load(CACHE / name)["average"])
    return net.eval().to(memory_format=torch.channels_last)


def summary(
    logits: NDArray[np.float64], labels: NDArray[np.int64], shares: NDArray[np.float64], t: float
) -> str:
    """Of ends of which most shows: shares right, right but for the suit, and wrong all the same when they are sure."""
    most = shares > BUCKETS[1]
    z = logits[most] / t
    probability = np.exp(z - z.max(axis=1, keepdims=True))
    sure = probability.max(axis=1) / probability.sum(axis=1) > SURE
    told, truth = z.argmax(axis=1), labels[most]
    kinds = np.array([name[:5] + name[-1] if name.startswith("sise:") else name for name in CLASSES])
    right, kind = told == truth, kinds[told] == kinds[truth]
    return (
        f"right {right.mean():.4f} but for the suit {kind.mean():.4f} sure {sure.mean():.3f} "
        f"sure and wrong {100 * (sure & ~right).mean():.2f} per 100 of {len(truth)}"
    )


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", nargs="+", default=["scenes-held"], help="folders in the cache")
    parser.add_argument("--checkpoint", default="faces.pt", help="file in the cache, or an exported network")
    parser.add_argument(
        "--temperature", type=float, default=2.0, help="at which it is said how sure ends are"
    )
    parser.add_argument("--limit", type=int, default=100000, help="scenes of each folder at most")
    args = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    net = network(args.checkpoint)
    parts: list[tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]] = []
    for folder in args.scenes:
        rng = np.random.default_rng(0)
        crops: list[NDArray[np.uint8]] = []
        labels: list[int] = []
        shares: list[float] = []
        for scene in scenes(CACHE / folder)[: args.limit]:
            more = crops_of(rng, scene)
            crops, labels, shares = crops + more[0], labels + more[1], shares + more[2]
        truth = np.array(labels)
        parts.append((within_deck(run(net, crops), truth), truth, np.array(shares)))
        print(f"{folder}: {summary(*parts[-1], args.temperature)}", flush=True)
    logits, truth, visible = (np.concatenate(part) for part in zip(*parts, strict=True))
    report(logits, truth, visible)
    print(f"temperature {temperature(logits, truth):.4f} over {len(truth)} ends")


if __name__ == "__main__":
    main()
