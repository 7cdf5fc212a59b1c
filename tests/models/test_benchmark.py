"""The benchmark's pictures are told from others: the same bytes, the same colours, or not the same."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from models.training import benchmark


def test_pictures_are_compared_with_what_they_must_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(benchmark, "PINS", tmp_path)
    folder = tmp_path / "pictures"
    folder.mkdir()
    for number, shade in enumerate((60, 120, 180)):
        cv2.imwrite(str(folder / f"{number}.jpg"), np.full((60, 80, 3), shade, np.uint8))
    benchmark.pin(1, folder)
    assert benchmark.same(1, folder) == (3, 3, 0)
    cv2.imwrite(str(folder / "1.jpg"), np.full((60, 80, 3), 121, np.uint8))
    assert benchmark.same(1, folder) == (3, 2, 1)
    cv2.imwrite(str(folder / "2.jpg"), np.full((60, 80, 3), 190, np.uint8))
    assert benchmark.same(1, folder) == (3, 1, 1)
