"""Taught prints that went bad: on a failing disk, by a hand that edited them, by a program of another time."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from vision.taught import FILE

Rng = np.random.Generator


def damage(place: Path, rng: Rng) -> str:
    """Damage a print in its folder in one way out of `KINDS`; says which."""
    name = str(rng.choice(list(KINDS)))
    KINDS[name](place, rng)
    return name


def _arrays(place: Path) -> Path:
    return next(place.glob("examples-*.npz"))


def _either(place: Path, rng: Rng) -> Path:
    return place / FILE if rng.random() < 0.4 else _arrays(place)


def _flip(place: Path, rng: Rng) -> None:
    path = _either(place, rng)
    data = bytearray(path.read_bytes())
    for at in rng.integers(len(data), size=rng.integers(1, 4)):
        data[at] ^= 1 << rng.integers(8)
    path.write_bytes(bytes(data))


def _cut(place: Path, rng: Rng) -> None:
    path = _either(place, rng)
    data = path.read_bytes()
    path.write_bytes(data[: rng.integers(len(data))])


def _block(place: Path, rng: Rng) -> None:
    """A block of the disk that came back as zeros."""
    path = _arrays(place)
    data = path.read_bytes()
    at = int(rng.integers(len(data)))
    path.write_bytes(data[:at] + bytes(len(data[at : at + 512])) + data[at + 512 :])


def _gone(place: Path, rng: Rng) -> None:
    _either(place, rng).unlink()


def _field(place: Path, rng: Rng) -> None:
    facts = json.loads((place / FILE).read_text("utf-8"))
    field = str(rng.choice(sorted(facts)))
    values: list[object] = [None, 7, 10**400, -1, [], {}, "\ud800", ["x"], "../../x", [[1]], True, [10**17]]
    facts[field] = values[rng.integers(len(values))]
    (place / FILE).write_text(json.dumps(facts), "ascii")


def _text(place: Path, rng: Rng) -> None:
    texts = ["", "[" * 100_000, '{"deck": ' * 50_000, "NaN", "{}", "[1e999]", "\x00" * 900]
    before = (place / FILE).read_text("utf-8")
    texts += [before.replace(f'"{field}": [', f'"{field}": [1e999, ') for field in ("put_right_ms", "codes")]
    (place / FILE).write_text(texts[rng.integers(len(texts))], "utf-8")


def _shapes(place: Path, rng: Rng) -> None:
    with np.load(_arrays(place)) as found:
        arrays = dict(found)
    crops, embeddings = arrays["crops"], arrays["embeddings"]
    wrong: list[dict[str, np.ndarray]] = [
        {"crops": crops[..., :1]},
        {"crops": crops.astype(np.float64)},
        {"crops": crops.astype(np.uint8)[0]},
        {"embeddings": embeddings[:, :-1]},
        {"embeddings": embeddings[0]},
        {"embeddings": embeddings * np.nan},
        {"embeddings": embeddings * 1e300},
        {"embeddings": embeddings.astype("S8")},
        {"embeddings": embeddings.astype(np.complex128)},
        {"embeddings": np.array(7.0)},
    ]
    packed = io.BytesIO()
    np.savez(packed, **(arrays | wrong[rng.integers(len(wrong))]))
    _arrays(place).write_bytes(packed.getvalue())


def _packing(place: Path, rng: Rng) -> None:
    """What says how the arrays are packed: a method that nobody knows, a password."""
    data = bytearray(_arrays(place).read_bytes())
    for sign, offset in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        at = data.index(sign)
        if rng.random() < 0.5:
            data[at + offset] = int(rng.integers(1, 255))
        else:
            data[at + offset - 2] |= 1
    _arrays(place).write_bytes(bytes(data))


def _folder(place: Path, rng: Rng) -> None:
    path = _either(place, rng)
    path.unlink()
    path.mkdir()


KINDS: Mapping[str, Callable[[Path, Rng], None]] = {
    "flipped bits": _flip,
    "cut short": _cut,
    "zeros": _block,
    "gone": _gone,
    "wrong field": _field,
    "wrong text": _text,
    "wrong arrays": _shapes,
    "wrong packing": _packing,
    "a folder in its place": _folder,
}
