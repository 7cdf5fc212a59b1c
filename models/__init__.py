"""The networks: verified ONNX files and how to load them.

``card_ends``
    Input ``image`` uint8 (1, H, W, 3) RGB, H and W multiples of 32. Outputs for each of P peaks of a heat map of
    (H/4, W/4) cells ``cells`` int64 (P, 2), its row and column, and ``around`` float32 (P, 11, 5, 5), the maps at the
    cells around it (`vision.ends.MAPS`); the cell (row, column) has its pixel centre at (4 * column + 1.5,
    4 * row + 1.5).
``card_faces``
    Input ``crops`` uint8 (N, 96, 64, 3) RGB (`vision.geometry.crop_matrix`). Outputs ``logits`` (N, K),
    ``embedding`` (N, 128) of length 1, ``upside_down`` (N,) 0..1, ``colour`` (N, 5) probabilities of r, y, g, w, none,
    ``frame`` (N, 6) how the end really lies in the crop (`vision.geometry.frame_in_crop`).

What a network was taught on and how it measured stands in ``manifest.toml`` and ``RESULTS.md``.
"""

from __future__ import annotations

import hashlib
import os
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

# Read once, when onnxruntime is first imported; set later it is ignored. Without it the library asks for its maker's
# host, queues a report about this computer for it, and keeps a device id in the user's cache.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

if TYPE_CHECKING:
    import onnxruntime

__all__ = ["Entry", "ModelError", "check", "load", "manifest"]


class ModelError(ValueError):
    """A network's file is missing, damaged or not the one that the manifest names."""


@dataclass(frozen=True)
class Entry:
    """One network in the manifest."""

    name: str
    file: str
    sha256: str


def manifest() -> dict[str, Entry]:
    """Every network by its name, from ``manifest.toml``."""
    table = tomllib.loads((resources.files(__package__) / "manifest.toml").read_text("utf-8"))
    return {name: Entry(name, row["file"], row["sha256"]) for name, row in table.items()}


def check() -> None:
    """Raise `ModelError` unless the file of every network is there and whole; one that stays as it was is read once."""
    for entry in manifest().values():
        try:
            there = Path(str(resources.files(__package__) / entry.file)).stat()
        except OSError:
            raise ModelError(f"the network file {entry.file} is missing") from None
        _checked(entry.name, there.st_size, there.st_mtime_ns)


@lru_cache
def _checked(name: str, size: int, changed_ns: int) -> None:
    _whole(name)


def _whole(name: str) -> bytes:
    """The bytes of a network, checked against the manifest; raises `ModelError`."""
    entries = manifest()
    if name not in entries:
        raise ModelError(f"there is no network named {name}")
    entry = entries[name]
    path = resources.files(__package__) / entry.file
    if not path.is_file():
        raise ModelError(f"the network file {entry.file} is missing")
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != entry.sha256:
        raise ModelError(
            f"the network file {entry.file} is damaged: its SHA-256 is not the one in manifest.toml"
        )
    return data


def load(name: str, threads: int | None = None) -> onnxruntime.InferenceSession:
    """Load a network after checking its bytes against the manifest.

    Parameters
    ----------
    name : ``"card_ends"`` or ``"card_faces"``.
    threads : CPU threads for one run; None leaves the choice to onnxruntime.

    Raises
    ------
    ModelError : the manifest has no such network, or its file is missing or altered.
    """
    data = _whole(name)
    import onnxruntime  # half a second to load, and only who reads photos needs it

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    # Its arena would keep for good what one large photo needed; without it reading is as fast (models/RESULTS.md).
    options.enable_cpu_mem_arena = False
    # Threads that wait busily would slow whatever runs between two networks by a fifth where cores are few.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    if threads is not None:
        options.intra_op_num_threads = threads
    return onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
