"""A reader that sees what a table says, and the command line run within the test."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vision
from tests.readers import EachAlone
from webui.cli import main

QUAD = np.array([[10.0, 10.0], [30.0, 10.0], [30.0, 30.0], [10.0, 30.0]])
E_02 = "rK rA rB rR rN rC rP yP gP yN yN yN gK gA gA wB wB wR wR wC wC"
"""RULES E-02: 21 cards, all in hand, exactly 10."""


@dataclass(frozen=True)
class Answer:
    """What a command left behind."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as JSON."""
        return json.loads(self.out)


def run(capsys: pytest.CaptureFixture[str], *words: str) -> Answer:
    """Run `paiyan` with `words` up to the end of its process."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        main(words)
    captured = capsys.readouterr()
    assert isinstance(ended.value.code, int)
    return Answer(ended.value.code, captured.out, captured.err)


def seen(
    name: str,
    deck: str | None,
    piles: Sequence[str],
    *,
    doubtful: frozenset[str] = frozenset(),
    others: int = 0,
) -> vision.Reading:
    """A reading with the cards of each pile, given as codes with spaces between."""
    end = vision.CardEnd(QUAD, 0.9)
    cards = tuple(
        vision.SeenCard(
            code=code,
            confidence=0.6 if code in doubtful else 0.999,
            review=code in doubtful,
            alternatives=(("gA", 0.3),) if code in doubtful else (),
            ends=(end,),
            pile=number,
        )
        for number, pile in enumerate(piles)
        for code in pile.split()
    )
    times = {"decode": 1.0, "ends": 2.0, "faces": 3.0, "total": 6.0}
    return vision.Reading(
        file=name,
        width=640,
        height=480,
        deck=deck,
        cards=cards,
        others=(end,) * others,
        warnings=(),
        timing_ms=times,
    )


@dataclass
class FakeReader(EachAlone):
    """Sees in each file what `table` says by its bytes; anything else is no image."""

    table: Mapping[bytes, tuple[str | None, Sequence[str]]]
    asked: list[tuple[str, str, str]]

    def read(
        self, data: bytes, *, name: str, deck: str, taught: str, taught_dir: Path | None
    ) -> vision.Reading:
        """Answer as `vision.Reader.read` does."""
        self.asked.append((name, deck, taught))
        if data not in self.table:
            raise vision.PhotoError("not_an_image", f"{name} is no JPEG, PNG, WebP or HEIC picture")
        found_deck, piles = self.table[data]
        doubtful = frozenset({"gK"}) if data.startswith(b"doubt") else frozenset()
        return seen(name, found_deck, piles, doubtful=doubtful, others=int(data.endswith(b"back")))

    def read_together(
        self, data: Sequence[bytes], *, names: Sequence[str], deck: str, taught: str, taught_dir: Path | None
    ) -> tuple[vision.Reading, ...]:
        """Photos that begin alike show the same cards; the others are read by themselves."""
        found = super().read_together(data, names=names, deck=deck, taught=taught, taught_dir=taught_dir)
        others = [one for one, what in zip(found, data, strict=True) if what[:3] != data[0][:3]]
        return (found[0], *others)
