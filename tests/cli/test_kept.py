"""`paiyan examples` and `paiyan evaluate --kept`, on photos in a data folder of their own."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import scorer
import vision
from tests.cli.photos import run
from tests.readers import EachAlone
from webui.commands import readers
from webui.examples import truth
from webui.store import examples, kept

Capture = pytest.CaptureFixture[str]
CARDS = (("rK", 100), ("gA", 260), ("wP", 420))
SIZE = (700, 400)


def quad(x: int) -> list[list[int]]:
    return [[x, 100], [x + 100, 100], [x + 100, 200], [x, 200]]


class Reader(EachAlone):
    """Reads the last of the three cards wrongly."""

    def read(
        self, data: bytes, *, name: str, deck: str, taught: str, taught_dir: Path | None
    ) -> vision.Reading:
        seen = tuple(
            vision.SeenCard(code, 0.9, False, (), (vision.CardEnd(np.array(quad(x), float), 0.9),), 0)
            for code, (_, x) in zip(("rK", "gA", "yP"), CARDS, strict=True)
        )
        return vision.Reading(name, *SIZE, "sise", seen, (), (), {"total": 1.0})


@pytest.fixture
def ids(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Two kept photos."""
    folder = tmp_path / "data"
    folder.mkdir()
    monkeypatch.setenv("PAIYAN_DATA", str(folder))
    monkeypatch.delenv("PAIYAN_DATABASE_URL", raising=False)
    monkeypatch.setattr(readers, "open_reader", Reader)
    cards = truth.checked([{"code": code, "ends": [quad(x)]} for code, x in CARDS], deck(), SIZE)
    coco = truth.coco("sise", "hand", cards, SIZE, ["dark"])
    store = kept.of_folder(folder)
    found = []
    for number in range(2):
        out = io.BytesIO()
        Image.new("RGB", SIZE, (40 * number, 90, 90)).save(out, "JPEG")
        found.append(
            examples.add(
                store, out.getvalue(), coco, name="外婆", source="", key=f"{number:032}", at_ms=number
            )
        )
    store.close()
    return found


def deck() -> scorer.Deck:
    return scorer.deck("sise")


def test_kept_photos_are_measured(capsys: Capture, ids: list[str], tmp_path: Path) -> None:
    found = run(capsys, "evaluate", "--kept", "--charts", str(tmp_path / "charts"), "--json")
    assert found.status == 0
    (row,) = found.json["rows"]
    assert (row["photos"], row["cards"], row["right"], row["silent"]) == (2, 6, 4, 2)
    assert found.json["misread"] == [["wP", "yP", 2]]
    assert (tmp_path / "charts" / "groups.png").is_file()
    assert "wP as yP 2x" in run(capsys, "evaluate", "--kept", "--deck", "外婆").out
    assert run(capsys, "evaluate", "--kept", "--deck", "nobody's").status == 2


def test_kept_photos_are_listed_shown_and_deleted(capsys: Capture, ids: list[str]) -> None:
    assert {row["id"] for row in run(capsys, "examples", "list", "--json").json["examples"]} == set(ids)
    assert "3 cards" in run(capsys, "examples", "show", ids[0]).out
    assert run(capsys, "examples", "delete", ids[0], "nowhere").status == 2
    assert len(run(capsys, "examples", "list", "--json").json["examples"]) == 2
    assert run(capsys, "examples", "delete", *ids).status == 0
    assert "no photo is kept" in run(capsys, "examples", "list").out


def test_kept_photos_are_given_away_checked_and_taken_in(
    capsys: Capture, ids: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "away.zip"
    assert run(capsys, "examples", "export", str(file), "--licence", "CC0", "--blur", *ids).status == 0
    answer = run(capsys, "examples", "check", str(file), "--json").json
    assert (answer["licence"], answer["photos"], answer["cards"]) == ("CC0-1.0", 2, 6)
    assert "2 photos" in run(capsys, "examples", "import", str(file)).out
    assert len(run(capsys, "examples", "list", "--json").json["examples"]) == 4
    file.write_bytes(b"no package")
    assert run(capsys, "examples", "check", str(file)).status == 2
