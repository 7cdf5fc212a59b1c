"""The print of a deck: taught from its photos and by what players put right, renamed and deleted with the deck."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from PIL import Image

from webui.decks.changing import changing
from webui.ledger.errors import N_, LedgerError
from webui.scanning import pictures
from webui.scanning.apart import done_by
from webui.store.decks import NameTaken

if TYPE_CHECKING:
    import vision
    from vision.taught import Print
    from vision.teach import PutRight
    from webui.scanning.apart import Recogniser
    from webui.scanning.recognise import Gate


class BadDeckName(LedgerError):
    """A name that a deck can't have."""

    code = "bad_deck_name"
    text = N_("A deck needs a name of up to 40 letters.")


@dataclass(frozen=True)
class Learnt:
    """A card that a player put right: its name among the examples, code, when (ms), and whether it is heard yet."""

    id: str
    code: str
    at_ms: int
    heard: bool


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
    """Learn the print of a deck from photos of it and keep it under its name, with what was known of it before.

    Raises
    ------
    vision.PhotoError
        Where nothing can be learnt from them.
    """
    with gate.reader() as reader:
        done_by(reader, _teach, lessons, deck, folder, name, photos=len(lessons))


def _teach(lent: Recogniser, lessons: Sequence[Lesson], deck: str, folder: Path, name: str) -> None:
    from vision.taught import extended, save_print
    from vision.teach import confirmed, learned, propose

    reader = _teachable(lent)
    told = [confirmed(propose(reader, one.data, deck=deck), one.answers) for one in lessons]
    new = learned(told, reader.networks)
    with changing(folder):
        save_print(folder, name, extended(folder, name, new, reader.networks))


def put_right(
    gate: Gate, ends: Callable[[], Sequence[PutRight]], folder: Path, name: str, at_ms: int
) -> tuple[str, ...]:
    """Let a print learn card ends that a player named; gives what these examples are called.

    `ends` is called where the reader is, so that their pictures are decoded there.

    Raises
    ------
    vision.PhotoError
        Where there is no such print, or its deck has no such card.
    """
    with gate.reader() as reader:
        return done_by(reader, _put_right, ends, folder, name, at_ms)


def _put_right(
    lent: Recogniser, ends: Callable[[], Sequence[PutRight]], folder: Path, name: str, at_ms: int
) -> tuple[str, ...]:
    from vision.taught import example_ids, load_print, save_print
    from vision.teach import with_put_right

    networks, told = _teachable(lent).networks, ends()
    with changing(folder):
        more = with_put_right(load_print(folder, name, networks), told, networks, at_ms)
        save_print(folder, name, more)
    return tuple(one for one, at in zip(example_ids(more), more.put_right_ms, strict=True) if at == at_ms)


def _teachable(reader: Recogniser) -> vision.Reader:
    import vision

    if not isinstance(reader, vision.Reader):
        raise vision.PhotoError("nothing_learned", "This reader can't be taught.")
    return reader


def stored(folder: Path, name: str) -> Print | None:
    """The print of this name as it is kept; None where there is none, or it is damaged."""
    return look(folder, name)[0]


def look(folder: Path, name: str) -> tuple[Print | None, bool]:
    """The print of this name, None where there is none, and whether there is one and it is damaged."""
    from vision.taught import PrintError, stored_print

    try:
        return stored_print(folder, name), False
    except PrintError as error:
        return None, error.code == "damaged_print"


def known_faces(own: Print, codes: Sequence[str]) -> tuple[list[str], list[str]]:
    """Of these codes those that a print knows, and those that it lacks."""
    from vision.teach import taught_faces

    known, _ = taught_faces(own)
    return [code for code in codes if code in known], [code for code in codes if code not in known]


def learnt(own: Print) -> list[Learnt]:
    """What players put right of a print, the newest first."""
    from vision.taught import example_ids, heard

    columns = zip(example_ids(own), own.codes, own.put_right_ms, heard(own).tolist(), strict=True)
    return [Learnt(*one) for one in columns if one[2]][::-1]


def example_picture(folder: Path, name: str, example: str) -> bytes | None:
    """JPEG bytes of an example, or None."""
    from vision.taught import example_ids

    own = stored(folder, name)
    crops = dict(zip(example_ids(own), own.crops, strict=True)) if own else {}
    return pictures.jpeg(Image.fromarray(crops[example])) if example in crops else None


def forget_examples(folder: Path, name: str, examples: Collection[str]) -> int:
    """Forget what players put right; says how many examples are gone. Raises `vision.PrintError`."""
    from vision.taught import save_print, stored_print, without

    with changing(folder):
        kept = stored_print(folder, name)
        left = without(kept, examples)
        if len(left.codes) < len(kept.codes):
            save_print(folder, name, left)
    return len(kept.codes) - len(left.codes)


def refuse_taken(folder: Path, old: str, new: str) -> None:
    """Raise `NameTaken` where another print, taught by `paiyan teach`, has the new name."""
    from vision.taught import print_folder

    if old.lower() != new.lower() and print_folder(folder, new).exists():
        raise NameTaken({"name": new})


def rename(folder: Path, old: str, new: str) -> None:
    """Let the print follow the new name of its deck."""
    from vision.taught import print_folder

    there = print_folder(folder, old)
    with changing(folder):
        if old != new and (there / "print.json").is_file():
            there.rename(print_folder(folder, new))


def forget(folder: Path, name: str) -> None:
    """Delete the print of a deleted deck."""
    from vision.taught import print_folder

    with changing(folder):
        there = print_folder(folder, name)
        if (there / "print.json").is_file():
            shutil.rmtree(there)
