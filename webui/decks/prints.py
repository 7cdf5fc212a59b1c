"""The print of a saved deck: taught from its photos, renamed and deleted with it."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from webui.ledger.errors import N_, LedgerError
from webui.store.decks import NameTaken

if TYPE_CHECKING:
    from webui.recognise import Gate


class BadDeckName(LedgerError):
    """A name that a deck can't have."""

    code = "bad_deck_name"
    text = N_("A deck needs a name of up to 40 letters, digits, blanks or hyphens.")


@dataclass(frozen=True)
class Lesson:
    """One photo of the deck and what the user said of cards in it: quad (4, 2) px and code, None for no card."""

    data: bytes
    answers: tuple[tuple[npt.NDArray[np.float64], str | None], ...]


def check_name(name: str) -> str:
    """The name; raises `BadDeckName` where no deck may have it."""
    from vision.taught import PrintError, checked_name

    try:
        return checked_name(name)
    except PrintError:
        raise BadDeckName() from None


def teach(gate: Gate, lessons: Sequence[Lesson], deck: str, folder: Path, name: str) -> None:
    """Learn the print of a deck from its photos and keep it under its name.

    Raises
    ------
    vision.PhotoError
        Where nothing can be learnt from them.
    """
    import vision
    from vision.teach import confirmed, learned, propose

    with gate.reader() as reader:
        if not isinstance(reader, vision.Reader):
            raise vision.PhotoError("nothing_learned", "This reader can't be taught.")
        told = [confirmed(propose(reader, one.data, deck=deck), one.answers) for one in lessons]
        vision.save_print(folder, name, learned(told, reader.networks))


def refuse_taken(folder: Path, old: str, new: str) -> None:
    """Raise `NameTaken` where another print, taught by `paiyan teach`, has the new name."""
    if old.lower() != new.lower() and (folder / new).exists():
        raise NameTaken({"name": new})


def rename(folder: Path, old: str, new: str) -> None:
    """Let the print follow the new name of its deck."""
    there = folder / old
    if old != new and (there / "print.json").is_file():
        there.rename(folder / new)


def forget(folder: Path, name: str) -> None:
    """Delete the print of a deleted deck."""
    if (folder / name / "print.json").is_file():
        shutil.rmtree(folder / name)
