"""A deck's own print, once taught: kept examples of its faces, and how they join in reading.

Examples come from photos of the deck laid out, and from cards that a player put right while checking a hand. What
a player says is right nearly always, but not always, so such an example is heard only once another one of its face
is like it: a slip of the finger changes no reading, and two that agree do.

A print lies in a folder of its own: `print.json` names the deck, the codes and the file with the arrays; that file
is written first under a new name and `print.json` put in place last, so that whoever reads finds the old print
or the new one, whole. Crops are kept beside their embeddings, so that a print outlives the network it was taught to.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import struct
import unicodedata
import uuid
import zipfile
import zlib
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

import scorer
from vision.faces import LARGEST_BATCH, FacesNetwork, deck_of
from vision.geometry import CROP_SIZE, Floats, unit
from vision.header import PhotoError
from vision.networks import Networks
from vision.photo import Image

FILE = "print.json"
# Starts with no dot, dash or apostrophe, ends in no blank, leads to no other folder.
# What reading a file raises whose bytes are not those that were written: NumPy, the zip and the JSON in it.
BROKEN = (
    *(ValueError, LookupError, TypeError, AttributeError, OSError, EOFError, ArithmeticError, RuntimeError),
    *(MemoryError, zipfile.BadZipFile, zlib.error, struct.error),
)
LAST_MS = 253_402_300_800_000  # the first millisecond, since 1970, of a year that no calendar here has
NAME = re.compile(r"(?![.\s'’_-])[^/\\]{0,39}[^/\\\s]")
NO_LETTER = ("Cc", "Cs", "Zl", "Zp")
# What a file name can't hold on every system, and what would lead elsewhere; it stands in a folder's name as %XX.
NO_FILE_NAME = re.compile(r'[<>:"|?*%.]|^(?:CON|PRN|AUX|NUL|COM\d|LPT\d)$', re.IGNORECASE)
CLASS_WEIGHT = 0.5  # of the cosine to a class beside the cosine to its prototype (CARDS.md)
FITS = 0.80  # mean cosine between the ends of a photo and their nearest prototypes, from which `auto` takes a print
MOST_EXAMPLES = 24  # from photos of the deck, kept for each face, the newest
MOST_PUT_RIGHT = 8  # from checking hands, beside them
# Cosine from which two examples show one face. Between scenes of held-out drawn prints 95 % of the pairs of one face
# lie above 0.71, 99 % of those of two faces below 0.55.
ALIKE = 0.65
# Cosine to a prototype from which an end is no stranger, though the network may never have seen its like: a dragon for
# 王. Of 277 ends of no card in held-out photos read with a print none lies above 0.7.
NO_STRANGER = 0.75


class PrintError(PhotoError):
    """A taught print that does not exist, is damaged, or has no good name."""


LEAST_TEMPERATURE, MOST_TEMPERATURE = 0.5, 4.0  # of a deck's own doubt


@dataclass(frozen=True)
class Print:
    """Examples of a deck's faces: E codes, crops (E, 96, 64, 3) and embeddings (E, D) of length 1.

    `network` names the network that the embeddings come from. `put_right_ms` is when a player put the card right, in
    ms since 1970, and 0 for an example from a photo of the deck. `temperature` is what the deck's logits are divided by
    besides the network's own, so that doubt means what it says on this deck, too.
    """

    deck: str
    codes: tuple[str, ...]
    crops: Image
    embeddings: Floats
    network: str
    put_right_ms: tuple[int, ...]
    temperature: float = 1.0

    def __post_init__(self) -> None:
        n = len(self.codes)
        shapes = (self.crops.shape, self.embeddings.shape[:1], len(self.put_right_ms))
        if shapes != ((n, CROP_SIZE[1], CROP_SIZE[0], 3), (n,), n):
            raise ValueError(f"{n} examples with crops, embeddings and times {shapes}")

    def take(self, which: Sequence[int] | NDArray[np.intp]) -> Print:
        """The examples at these indices."""
        return Print(
            self.deck,
            tuple(self.codes[i] for i in which),
            self.crops[which],
            self.embeddings[which],
            self.network,
            tuple(self.put_right_ms[i] for i in which),
            self.temperature,
        )


def checked_name(name: str) -> str:
    """The name of a print, if one may have it: a line of text in any script with at least one letter, digit or emoji.

    Raises
    ------
    PrintError
        `bad_name`.
    """
    hidden = any(unicodedata.category(letter) in NO_LETTER for letter in name)
    if not NAME.fullmatch(name) or hidden or name in ("auto", "none"):
        raise PrintError(
            "bad_name", f"{name[:60]!r} is no name for a deck; use up to 40 letters, no / or \\."
        )
    return name


def print_folder(folder: Path, name: str) -> Path:
    """Where the print of this name lies in the folder of all prints; raises `PrintError` (`bad_name`)."""
    whole = checked_name(name)
    return folder / NO_FILE_NAME.sub(lambda found: f"%{ord(found[0][0]):02X}{found[0][1:]}", whole)


def print_names(folder: Path) -> tuple[str, ...]:
    """The names of all prints taught so far."""
    names = (unquote(path.parent.name) for path in folder.glob(f"*/{FILE}"))
    return tuple(sorted(name for name in names if _is_name(name)))


def _is_name(name: str) -> bool:
    try:
        return checked_name(name) == name
    except PrintError:
        return False


def save_print(folder: Path, name: str, taught: Print) -> None:
    """Keep a print, in place of the one with this name if there is one.

    Raises
    ------
    PrintError
        `bad_name`.
    """
    place = print_folder(folder, name)
    place.mkdir(parents=True, exist_ok=True)
    before = set(place.glob("examples-*.npz"))
    arrays = f"examples-{uuid.uuid4().hex}.npz"
    packed = io.BytesIO()
    np.savez(packed, crops=taught.crops, embeddings=taught.embeddings)
    _put(place / arrays, packed.getvalue())
    facts = {
        "deck": taught.deck,
        "codes": taught.codes,
        "network": taught.network,
        "put_right_ms": taught.put_right_ms,
        "temperature": taught.temperature,
        "arrays": arrays,
    }
    _put(place / FILE, json.dumps(facts).encode())
    newest = max(before, key=lambda path: path.stat().st_mtime, default=None)
    for old in before - {newest}:  # the last one may be being read
        old.unlink(missing_ok=True)


def stored_print(folder: Path, name: str) -> Print:
    """A print by its name, as it is kept.

    Raises
    ------
    PrintError
        `unknown_print`, `damaged_print` or `bad_name`.
    """
    place = print_folder(folder, name)
    if not (place / FILE).exists():
        raise PrintError("unknown_print", f"No deck named {name!r} has been taught.")
    try:
        facts, crops, embeddings = _whole(place)
        codes = tuple(facts["codes"])
        times = tuple(int(at) for at in facts.get("put_right_ms", (0,) * len(codes)))  # once there were none
        own = float(facts.get("temperature", 1.0))
        found = Print(facts["deck"], codes, crops, embeddings, facts["network"], times, own)
    except BROKEN:
        raise _damaged(name) from None
    if not _makes_sense(found):
        raise _damaged(name)
    return found


def _makes_sense(found: Print) -> bool:
    """Whether all that reading relies on is what it must be, of a print whose parts belong together."""
    return (
        isinstance(found.network, str)
        and found.deck in scorer.deck_ids()
        and set(found.codes) <= scorer.deck(found.deck).index.keys()
        and all(0 <= at < LAST_MS for at in found.put_right_ms)
        and LEAST_TEMPERATURE <= found.temperature <= MOST_TEMPERATURE
        and found.crops.dtype == np.uint8
        and found.embeddings.dtype.kind == "f"
        and found.embeddings.ndim == 2
        and bool(np.all(np.abs(found.embeddings) <= 1.01))  # nor is NaN
        and bool(np.all(np.abs(np.linalg.norm(found.embeddings, axis=1) - 1) < 1e-3))
    )


def _whole(place: Path) -> tuple[dict[str, Any], Image, Floats]:
    """What `print.json` says and the arrays that it names; read anew where these were replaced in between."""
    text = (place / FILE).read_text("utf-8")
    while True:
        facts = json.loads(text)
        try:
            path = place / Path(facts["arrays"]).name
            with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
                return facts, arrays["crops"], arrays["embeddings"]
        except FileNotFoundError:
            before, text = text, (place / FILE).read_text("utf-8")
            if text == before:
                raise


def _damaged(name: str) -> PrintError:
    return PrintError("damaged_print", f"What was taught of the deck {name!r} is damaged; teach it again.")


def load_print(folder: Path, name: str, networks: Networks) -> Print:
    """A print by its name; its embeddings are made anew where another network made them.

    Raises
    ------
    PrintError
        `unknown_print`, `damaged_print`, or `bad_name`.
    """
    found = stored_print(folder, name)
    if not {f"{found.deck}:{code}" for code in found.codes} <= set(networks.classes):
        raise _damaged(name)
    if found.network == networks.name and found.embeddings.shape[1] == networks.dimensions:
        return found
    return replace(found, embeddings=embed(found.crops, networks.faces), network=networks.name)


def embed(crops: Image, network: FacesNetwork) -> Floats:
    """Embeddings (E, D) of crops (E, 96, 64, 3)."""
    parts = [network(crops[i : i + LARGEST_BATCH]).embedding for i in range(0, len(crops), LARGEST_BATCH)]
    return np.concatenate(parts).astype(np.float64) if parts else np.zeros((0, 1))


def joined(old: Print, new: Print) -> Print:
    """Both prints' examples, of each face only the newest; of the same crop told twice, the last word."""
    again = set(_tellings(new))
    first = old.take([i for i, told in enumerate(_tellings(old)) if told not in again])
    both = Print(
        new.deck,
        first.codes + new.codes,
        np.concatenate([first.crops, new.crops]),
        np.concatenate([first.embeddings, new.embeddings]),
        new.network,
        first.put_right_ms + new.put_right_ms,
        old.temperature,
    )
    number: Counter[tuple[str, bool]] = Counter()
    kept = []
    for i in reversed(range(len(both.codes))):
        put_right = both.put_right_ms[i] > 0
        number[both.codes[i], put_right] += 1
        if number[both.codes[i], put_right] <= (MOST_PUT_RIGHT if put_right else MOST_EXAMPLES):
            kept.append(i)
    return both.take(kept[::-1])


def extended(folder: Path, name: str, new: Print, networks: Networks) -> Print:
    """What is kept under a name together with `new`; `new` alone where nothing is, or it is damaged.

    Raises
    ------
    PrintError
        `bad_name`, or `different_decks` where the name belongs to another kind of deck.
    """
    try:
        old = load_print(folder, name, networks)
    except PrintError as error:
        if error.code == "bad_name":
            raise
        return new
    if old.deck != new.deck:
        raise PrintError(
            "different_decks",
            f"{name!r} is a deck of another kind, {old.deck}; these photos show {new.deck}.",
        )
    return joined(old, new)


def example_ids(taught: Print) -> tuple[str, ...]:
    """What each example is called: the beginning of its crop's SHA-256."""
    return tuple(hashlib.sha256(crop.tobytes()).hexdigest()[:16] for crop in taught.crops)


def _tellings(taught: Print) -> list[tuple[str, bool]]:
    """Each example's crop, and whether a player put it right: that never stands in place of a photo of the deck."""
    return [(name, at > 0) for name, at in zip(example_ids(taught), taught.put_right_ms, strict=True)]


def without(taught: Print, examples: Collection[str]) -> Print:
    """The print without these examples, as far as a player put them right."""
    named = zip(example_ids(taught), taught.put_right_ms, strict=True)
    return taught.take([i for i, (name, at) in enumerate(named) if not at or name not in examples])


def heard(taught: Print) -> NDArray[np.bool_]:
    """Which examples speak: all from photos of the deck, and those put right whose nearest other is of their face.

    That one must be like it, too. What is misread because half of it is covered lies nearest to the face that it was
    taken for, and would draw its own face there (D. Wilson, "Asymptotic properties of nearest neighbor rules using
    edited data", IEEE Transactions on Systems, Man and Cybernetics 2 (1972)).
    """
    codes = np.array(taught.codes, dtype=np.str_)
    from_photo: NDArray[np.bool_] = np.array(taught.put_right_ms, dtype=np.int64) == 0
    if len(codes) < 2:
        return from_photo
    nearness = taught.embeddings @ taught.embeddings.T
    np.fill_diagonal(nearness, -np.inf)
    nearest = nearness.argmax(axis=1)
    speaks: NDArray[np.bool_] = from_photo | ((nearness.max(axis=1) >= ALIKE) & (codes[nearest] == codes))
    return speaks


def prototypes(taught: Print) -> tuple[tuple[str, ...], Floats]:
    """The codes that have examples, and for each the mean direction (P, D) of the embeddings of those that speak."""
    spoken = taught.take(np.flatnonzero(heard(taught)))
    codes = tuple(dict.fromkeys(spoken.codes))
    owner = np.array([codes.index(code) for code in spoken.codes], dtype=np.intp)
    total = np.zeros((len(codes), spoken.embeddings.shape[1]))
    np.add.at(total, owner, spoken.embeddings)
    return codes, unit(total)


def with_print(
    logits: Floats, embedding: Floats, taught: Print, classes: Sequence[str], scale: float
) -> Floats:
    """Logits (N, K) that listen to a print as well as to what the network knows of all prints.

    For a face with examples: the cosine to its prototype and half the cosine to its class, brought to the scale of the
    network's own logits, so that its temperature holds. A face of the deck without any is raised by what those with
    examples gain where they lie, or a print that knows a part of the deck would see that part everywhere. Where an end
    is much like a prototype, "no card" is judged as a face that it is not like at all.
    """
    codes, directions = prototypes(taught)
    known = np.array([classes.index(f"{taught.deck}:{code}") for code in codes], dtype=np.intp)
    mixed = logits.copy()
    nearness = embedding @ directions.T
    mixed[:, known] = (scale * nearness + CLASS_WEIGHT * logits[:, known]) / (1 + CLASS_WEIGHT)
    none = np.array([deck_of(name) == "other" for name in classes])
    alike = np.max(nearness, axis=1, initial=0.0) >= NO_STRANGER
    mixed[np.ix_(alike, none)] *= CLASS_WEIGHT / (1 + CLASS_WEIGHT)
    best = logits.argmax(axis=1)
    told = np.flatnonzero(np.isin(best, known))
    if len(told):
        gain = max(0.0, float(np.median((mixed - logits)[told, best[told]])))
        unknown = [k for k, name in enumerate(classes) if deck_of(name) == taught.deck and k not in known]
        mixed[:, unknown] += gain
    return mixed / taught.temperature


def fit(embedding: Floats, log_faces: Floats, taught: Print, classes: Sequence[str]) -> float:
    """How well a print fits a photo: over the ends of its deck, the mean cosine to the nearest prototype; 0 without."""
    decks = np.array([deck_of(name) for name in classes])
    mass = np.array([np.exp(log_faces[:, decks == deck]).sum(axis=1) for deck in (taught.deck, "other")])
    ours = (mass[0] > 0.5) & (mass[1] < 0.5)
    known, directions = prototypes(taught)
    if not np.any(ours) or not known:
        return 0.0
    return float((embedding[ours] @ directions.T).max(axis=1).mean())


def choose_print(
    folder: Path, networks: Networks, embedding: Floats, log_faces: Floats
) -> tuple[str, Print] | None:
    """The taught print that fits a photo best with its name, or None where none fits; a damaged one is passed over."""
    best, best_fit = None, FITS
    for name in print_names(folder):
        try:
            taught = load_print(folder, name, networks)
        except PrintError:
            continue
        nearness = fit(embedding, log_faces, taught, networks.classes)
        if nearness >= best_fit:
            best, best_fit = (name, taught), nearness
    return best


def _put(path: Path, data: bytes) -> None:
    """Write a file so that it is there whole or not at all."""
    partial = path.with_name(f"{path.name}.{uuid.uuid4().hex}.part")
    with partial.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)
