"""A deck's own print, once taught: kept examples of its faces, and how they join in reading.

A print lies in a folder of its own: `print.json` names the deck, the codes and the file with the arrays; that file
is written first under a new name and `print.json` put in place last, so that whoever reads finds the old print
or the new one, whole. Crops are kept beside their embeddings, so that a print outlives the network it was taught to.
"""

from __future__ import annotations

import io
import json
import os
import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vision.faces import LARGEST_BATCH, FacesNetwork, deck_of
from vision.geometry import CROP_SIZE, Floats, unit
from vision.header import PhotoError
from vision.networks import Networks
from vision.photo import Image

FILE = "print.json"
NAME = re.compile(r"\w[\w \-]{0,39}")  # a folder's name on every system, in any script
CLASS_WEIGHT = 0.5  # of the cosine to a class beside the cosine to its prototype (CARDS.md)
FITS = 0.80  # mean cosine between the ends of a photo and their nearest prototypes, from which `auto` takes a print
MOST_EXAMPLES = 24  # kept for each face, the newest


class PrintError(PhotoError):
    """A taught print that does not exist, is damaged, or has no good name."""


@dataclass(frozen=True)
class Print:
    """Examples of a deck's faces: E codes, crops (E, 96, 64, 3) and embeddings (E, D) of length 1.

    `network` names the network that the embeddings come from.
    """

    deck: str
    codes: tuple[str, ...]
    crops: Image
    embeddings: Floats
    network: str

    def __post_init__(self) -> None:
        n = len(self.codes)
        if self.crops.shape != (n, CROP_SIZE[1], CROP_SIZE[0], 3) or self.embeddings.shape[:1] != (n,):
            raise ValueError(
                f"{n} examples with crops {self.crops.shape}, embeddings {self.embeddings.shape}"
            )


def checked_name(name: str) -> str:
    """The name of a print, if a folder may have it.

    Raises
    ------
    PrintError
        `bad_name`.
    """
    if not NAME.fullmatch(name) or name in ("auto", "none"):
        raise PrintError(
            "bad_name", f"{name[:60]!r} is no name for a deck; use up to 40 letters, digits, - or spaces."
        )
    return name


def print_names(folder: Path) -> tuple[str, ...]:
    """The names of all prints taught so far."""
    return tuple(
        sorted(path.parent.name for path in folder.glob(f"*/{FILE}") if NAME.fullmatch(path.parent.name))
    )


def save_print(folder: Path, name: str, taught: Print) -> None:
    """Keep a print, in place of the one with this name if there is one.

    Raises
    ------
    PrintError
        `bad_name`.
    """
    place = folder / checked_name(name)
    place.mkdir(parents=True, exist_ok=True)
    before = set(place.glob("examples-*.npz"))
    arrays = f"examples-{uuid.uuid4().hex}.npz"
    packed = io.BytesIO()
    np.savez(packed, crops=taught.crops, embeddings=taught.embeddings)
    _put(place / arrays, packed.getvalue())
    facts = {"deck": taught.deck, "codes": taught.codes, "network": taught.network, "arrays": arrays}
    _put(place / FILE, json.dumps(facts).encode())
    newest = max(before, key=lambda path: path.stat().st_mtime, default=None)
    for old in before - {newest}:  # the last one may be being read
        old.unlink(missing_ok=True)


def load_print(folder: Path, name: str, networks: Networks) -> Print:
    """A print by its name; its embeddings are made anew where another network made them.

    Raises
    ------
    PrintError
        `unknown_print`, `damaged_print` or `bad_name`.
    """
    path = folder / checked_name(name) / FILE
    try:
        facts = json.loads(path.read_text("utf-8"))
        with np.load(path.parent / Path(facts["arrays"]).name, allow_pickle=False) as arrays:
            crops, embeddings = arrays["crops"], arrays["embeddings"]
        found = Print(facts["deck"], tuple(facts["codes"]), crops, embeddings, facts["network"])
        if not {f"{found.deck}:{code}" for code in found.codes} <= set(networks.classes):
            raise ValueError("a face that the network does not know")
    except FileNotFoundError:
        raise PrintError("unknown_print", f"No deck named {name!r} has been taught.") from None
    except (ValueError, KeyError, TypeError, OSError, EOFError):
        raise PrintError(
            "damaged_print", f"What was taught of the deck {name!r} is damaged; teach it again."
        ) from None
    if found.network == networks.name:
        return found
    return Print(found.deck, found.codes, found.crops, embed(found.crops, networks.faces), networks.name)


def embed(crops: Image, network: FacesNetwork) -> Floats:
    """Embeddings (E, D) of crops (E, 96, 64, 3)."""
    parts = [network(crops[i : i + LARGEST_BATCH]).embedding for i in range(0, len(crops), LARGEST_BATCH)]
    return np.concatenate(parts).astype(np.float64) if parts else np.zeros((0, 1))


def joined(old: Print, new: Print) -> Print:
    """Both prints' examples, of each face only the newest."""
    codes = (*old.codes, *new.codes)
    left: dict[str, int] = {}
    kept = []
    for i in reversed(range(len(codes))):
        left[codes[i]] = left.get(codes[i], 0) + 1
        if left[codes[i]] <= MOST_EXAMPLES:
            kept.append(i)
    order = sorted(kept)
    crops, embeddings = (
        np.concatenate([old.crops, new.crops]),
        np.concatenate([old.embeddings, new.embeddings]),
    )
    return Print(new.deck, tuple(codes[i] for i in order), crops[order], embeddings[order], new.network)


def prototypes(taught: Print) -> tuple[tuple[str, ...], Floats]:
    """The codes that have examples, and for each the mean direction (P, D) of their embeddings."""
    codes = tuple(dict.fromkeys(taught.codes))
    owner = np.array([codes.index(code) for code in taught.codes], dtype=np.intp)
    total = np.zeros((len(codes), taught.embeddings.shape[1]))
    np.add.at(total, owner, taught.embeddings)
    return codes, unit(total)


def with_print(
    logits: Floats, embedding: Floats, taught: Print, classes: Sequence[str], scale: float
) -> Floats:
    """Logits (N, K) that listen to a print as well as to what the network knows of all prints.

    For a face with examples: the cosine to its prototype and half the cosine to its class; a face without is judged
    as before. Both are brought to the scale of the network's own logits, so that its temperature holds.
    """
    codes, directions = prototypes(taught)
    mixed = logits.copy()
    for code, nearness in zip(codes, (embedding @ directions.T).T, strict=True):
        k = classes.index(f"{taught.deck}:{code}")
        mixed[:, k] = (scale * nearness + CLASS_WEIGHT * logits[:, k]) / (1 + CLASS_WEIGHT)
    return mixed


def fit(embedding: Floats, log_faces: Floats, taught: Print, classes: Sequence[str]) -> float:
    """How well a print fits a photo: over the ends of its deck, the mean cosine to the nearest prototype; 0 without."""
    decks = np.array([deck_of(name) for name in classes])
    mass = np.array([np.exp(log_faces[:, decks == deck]).sum(axis=1) for deck in (taught.deck, "other")])
    ours = (mass[0] > 0.5) & (mass[1] < 0.5)
    if not np.any(ours) or not taught.codes:
        return 0.0
    return float((embedding[ours] @ prototypes(taught)[1].T).max(axis=1).mean())


def choose_print(folder: Path, networks: Networks, embedding: Floats, log_faces: Floats) -> Print | None:
    """The taught print that fits a photo best, or None where none fits; a damaged one is passed over."""
    best, best_fit = None, FITS
    for name in print_names(folder):
        try:
            taught = load_print(folder, name, networks)
        except PrintError:
            continue
        nearness = fit(embedding, log_faces, taught, networks.classes)
        if nearness >= best_fit:
            best, best_fit = taught, nearness
    return best


def _put(path: Path, data: bytes) -> None:
    """Write a file so that it is there whole or not at all."""
    partial = path.with_name(f"{path.name}.{uuid.uuid4().hex}.part")
    with partial.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)
