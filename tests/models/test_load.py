"""The committed networks: verified before they are loaded, and shaped as the reader expects."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

import models
import scorer
from vision.ends import AROUND, MAPS, PEAK, Peaks


def test_the_ends_network_answers_around_the_peaks_of_a_quarter_of_the_picture() -> None:
    session = models.load("card_ends", threads=1)
    answer = dict(
        zip(Peaks._fields, session.run(None, {"image": np.zeros((1, 64, 96, 3), np.uint8)}), strict=True)
    )
    assert answer["cells"].shape == (0, 2)
    assert answer["around"].shape == (0, len(MAPS), 2 * AROUND + 1, 2 * AROUND + 1)
    noise = np.random.default_rng(3).integers(0, 256, (1, 160, 192, 3), dtype=np.uint8)
    noise[0, 40:120, 70:110] = 235
    noise[0, 50:70, 85:95] = noise[0, 90:110, 85:95] = 20
    cells, around = session.run(list(Peaks._fields), {"image": noise})
    assert len(cells) == len(around) > 0
    assert (cells >= 0).all()
    assert (cells < [40, 48]).all()
    heat = around[:, 0]
    assert (heat[:, AROUND, AROUND] >= PEAK).all()
    assert (heat[:, AROUND, AROUND] >= heat[:, 1:4, 1:4].max(axis=(1, 2))).all()
    assert ((around[:, [0, -1]] >= 0) & (around[:, [0, -1]] <= 1)).all()
    assert session.get_modelmeta().custom_metadata_map["stride"] == "4"


def test_the_face_network_knows_every_card_of_every_deck_and_other() -> None:
    session = models.load("card_faces", threads=1)
    facts = session.get_modelmeta().custom_metadata_map
    classes = json.loads(facts["classes"])
    cards = [f"{deck}:{face.code}" for deck in scorer.deck_ids() for face in scorer.deck(deck).faces]
    assert classes == [*cards, "other"]
    assert float(facts["temperature"]) > 0
    names = ["logits", "embedding", "upside_down", "colour", "frame"]
    crops = np.full((2, 96, 64, 3), 200, np.uint8)
    logits, embedding, upside_down, colour, frame = session.run(names, {"crops": crops})
    assert (logits.shape, embedding.shape, upside_down.shape) == ((2, len(classes)), (2, 128), (2,))
    assert (colour.shape, frame.shape) == ((2, 5), (2, 6))
    assert np.linalg.norm(embedding, axis=1) == pytest.approx([1, 1], abs=1e-4)
    assert colour.sum(axis=1) == pytest.approx([1, 1], abs=1e-4)


def test_an_altered_file_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = models.manifest()["card_ends"]
    monkeypatch.setattr(models, "manifest", lambda: {"card_ends": replace(entry, sha256="0" * 64)})
    with pytest.raises(models.ModelError, match=r"card_ends\.onnx is damaged"):
        models.load("card_ends")


def test_a_missing_file_and_an_unknown_network_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = models.manifest()["card_ends"]
    monkeypatch.setattr(models, "manifest", lambda: {"card_ends": replace(entry, file="gone.onnx")})
    with pytest.raises(models.ModelError, match=r"gone\.onnx is missing"):
        models.load("card_ends")
    with pytest.raises(models.ModelError, match="no network named card_backs"):
        models.load("card_backs")
