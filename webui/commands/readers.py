"""The networks and the taught prints, as every command that looks at photos opens them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

# vision is imported by the commands that need it: `paiyan --help` answers at once.
if TYPE_CHECKING:
    import vision


def open_reader() -> vision.Reader:
    """The networks, ready to read."""
    import vision

    return vision.Reader()


def taught_dir() -> Path:
    """Where the prints that were taught are kept."""
    from webui import data_folder

    return data_folder() / "decks"
