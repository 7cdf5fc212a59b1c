"""What `models.training.measure_corrections` puts right, on painted cards: wrong ones only, as the page would."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from models.training import measure_corrections as measured
from tests.vision.painted import CODES, INK, networks_for, photo_of
from tests.vision.world import Laid, true_ends
from vision import Reader, save_print
from vision.taught import stored_print
from vision.teach import learned, propose
from vision.truth import TrueCard, TrueEnd, TruePhoto
from webui.scanning.recognise import Gate

DECK = [Laid(code, 90 + 140 * i, 250) for i, code in enumerate(CODES)]
OWN = {**INK, "s1": (228, 92, 24)}
"""A deck whose s1 is taken for the orange b2 of other decks."""


def truth(file: str) -> TruePhoto:
    ends, owners = true_ends(DECK)
    cards = tuple(
        TrueCard(
            card.code, 0, tuple(TrueEnd(ends.quads[i], 1.0) for i in np.flatnonzero(np.array(owners) == n))
        )
        for n, card in enumerate(DECK)
    )
    return TruePhoto(file, "zipai", "row", cards)


@pytest.fixture
def reader() -> Reader:
    return Reader(networks=networks_for(DECK))


def test_only_what_is_wrong_is_put_right(reader: Reader) -> None:
    data = photo_of(DECK, ink=OWN)
    reading = reader.read(data, deck="zipai")
    wrong = measured.wrong_ends(truth("a.jpg"), reading, data)
    assert [one.code for one in wrong] == ["s1"]


def test_corrections_of_hands_go_into_the_print(reader: Reader, tmp_path: Path) -> None:
    lesson = propose(reader, photo_of(DECK))
    save_print(tmp_path / "prints", "own", learned([lesson], reader.networks))
    for name, table in (("a.jpg", 70), ("b.jpg", 90)):
        (tmp_path / name).write_bytes(photo_of(DECK, ink=OWN, table=table))
    photos = [measured.glance(reader, tmp_path, truth(name)) for name in ("a.jpg", "b.jpg")]
    gate, prints = Gate(reader, 1, 0), tmp_path / "prints"
    number = sum(
        measured.corrected(gate, tmp_path, "own", seen, prints, at_ms) for at_ms, seen in enumerate(photos, 1)
    )
    kept = stored_print(tmp_path / "prints", "own")
    assert number == sum(at > 0 for at in kept.put_right_ms) > 0
    assert {code for code, at in zip(kept.codes, kept.put_right_ms, strict=True) if at} == {"s1"}
