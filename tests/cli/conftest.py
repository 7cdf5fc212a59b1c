"""Photos as small files, and a reader that knows them by their bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.photos import E_02, FakeReader
from webui.commands import readers


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> FakeReader:
    cards = E_02.split()
    fake = FakeReader(
        {
            b"hand": ("sise", [" ".join(cards[:9]), " ".join(cards[9:])]),
            b"rest": ("sise", [" ".join(cards[:9] + cards[12:])]),
            b"horses": ("sise", ["yN yN yN"]),
            b"doubt": ("sise", [E_02]),
            b"numbers": ("zipai", ["s1 s2 s3"]),
            b"nothing": (None, []),
            b"back": (None, []),
        },
        [],
    )
    monkeypatch.setattr(readers, "open_reader", lambda: fake)
    monkeypatch.setenv("PAIYAN_DATA", str(tmp_path / "data"))
    return fake


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    """The folder of the photos; each file's bytes are its name."""
    folder = tmp_path / "photos"
    folder.mkdir()
    for name in ("hand", "rest", "horses", "doubt", "numbers", "nothing", "back", "text"):
        (folder / f"{name}.jpg").write_bytes(name.encode())
    (folder / "empty.jpg").write_bytes(b"")
    return folder
