"""`paiyan cards`, `paiyan sheet` and `paiyan evaluate --sheets`, with a reader that sees what a sheet says."""

from __future__ import annotations

from pathlib import Path

import pytest

import vision
from tests.cli.photos import run
from tests.readers import EachAlone
from vision.evaluate import COUNTS
from webui.commands import options, readers
from webui.printing.layouts import LAYOUTS
from webui.printing.looks import LOOKS
from webui.printing.paper import PAPERS
from webui.printing.sheets import DECKS, true_photo

Capture = pytest.CaptureFixture[str]


class SheetReader(EachAlone):
    """Reads what lies on a sheet, but for its first card, which it takes for another and marks."""

    def read(
        self,
        data: bytes,
        *,
        name: str,
        deck: str = "auto",
        taught: str = "none",
        taught_dir: Path | None = None,
    ) -> vision.Reading:
        image = vision.decode(data)
        photo, _ = true_photo(image, name)
        seen = [card for card in photo.cards if card.visible >= COUNTS]
        cards = tuple(
            vision.SeenCard(
                "gA" if number == 0 else card.code,
                0.9,
                number == 0,
                (),
                tuple(vision.CardEnd(end.quad, 0.9) for end in card.ends),
                0,
            )
            for number, card in enumerate(seen)
        )
        height, width = image.shape[:2]
        return vision.Reading(name, width, height, photo.deck, cards, (), (), {"total": 1.0})


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(readers, "open_reader", SheetReader)
    monkeypatch.setenv("PAIYAN_DATA", str(tmp_path / "data"))


def test_the_options_name_what_there_is() -> None:
    assert options.PRINTED_DECKS == DECKS
    assert (LOOKS, tuple(PAPERS), tuple(LAYOUTS)) == (options.LOOKS, options.PAPERS, options.LAYOUTS)


def test_a_deck_is_printed(capsys: Capture, tmp_path: Path) -> None:
    out = tmp_path / "deck.pdf"
    answer = run(capsys, "cards", "sise", "--look", "brush", "--paper", "letter", "--out", str(out))
    assert answer.status == 0
    assert "10 pages" in answer.out
    assert out.read_bytes().startswith(b"%PDF-")


def test_a_sheet_is_printed_photographed_and_measured(capsys: Capture, reader: None, tmp_path: Path) -> None:
    photos = tmp_path / "photos"
    photos.mkdir()
    for layout in ("fan", "columns"):
        out = photos / f"{layout}.png"
        assert run(capsys, "sheet", "sise", "--layout", layout, "--out", str(out)).status == 0
    found = run(capsys, "evaluate", "--sheets", str(photos), "--charts", str(tmp_path / "charts"), "--json")
    assert found.status == 0
    figures = {row["name"]: row for row in found.json["figures"]}
    assert figures["all"]["photos"] == 2
    assert figures["all"]["right"] == pytest.approx(1 - 2 / figures["all"]["cards"], abs=0.001)
    assert figures["all"]["silent"] == 0
    assert {"layout fan", "layout columns", "light plain", "tilt under 15 degrees"} <= set(figures)
    assert (tmp_path / "charts" / "groups.png").is_file()


def test_a_photo_without_its_sheet_is_named_and_the_others_counted(
    capsys: Capture, reader: None, tmp_path: Path
) -> None:
    good, bad, gone = tmp_path / "good.png", tmp_path / "bad.jpg", tmp_path / "gone.jpg"
    run(capsys, "sheet", "zipai", "--out", str(good))
    bad.write_bytes(b"no photo")
    answer = run(capsys, "evaluate", "--sheets", str(good), str(bad), str(gone), "--json")
    assert answer.status == 2
    assert answer.json["figures"][0]["photos"] == 1
    assert [Path(one["file"]).name for one in answer.json["failed"]] == ["bad.jpg", "gone.jpg"]
    assert "bad.jpg" in answer.err


def test_where_nothing_can_be_measured_that_is_said(capsys: Capture, reader: None, tmp_path: Path) -> None:
    answer = run(capsys, "evaluate", "--sheets", str(tmp_path))
    assert answer.status == 2
    assert "no photo" in answer.err


def test_a_sheet_of_an_unknown_kind_of_file_is_refused(capsys: Capture, tmp_path: Path) -> None:
    answer = run(capsys, "sheet", "zipai", "--out", str(tmp_path / "sheet.gif"))
    assert answer.status == 2
    assert ".pdf or .png" in answer.err
    answer = run(capsys, "cards", "zipai", "--out", str(tmp_path / "cards.png"))
    assert answer.status == 2
    assert "must end in .pdf" in answer.err
    assert not list(tmp_path.iterdir())
    assert not list(tmp_path.iterdir())
