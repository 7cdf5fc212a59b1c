"""`paiyan read` and `paiyan catalogue`, with a reader that knows its photos."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.cli.photos import FakeReader, run

Capture = pytest.CaptureFixture[str]


def test_one_json_object_per_photo(capsys: Capture, reader: FakeReader, photo: Path) -> None:
    names = [str(photo / "hand.jpg"), str(photo / "nothing.jpg")]
    answer = run(capsys, "read", "--json", *names)
    first, second = [json.loads(line) for line in answer.out.splitlines()]
    assert answer.status == 0
    assert [first["file"], second["file"]] == names
    assert (len(first["cards"]), first["deck"]) == (21, "sise")
    assert (second["cards"], second["deck"]) == ([], None)
    assert set(first["cards"][0]) == {"code", "name", "confidence", "review", "alternatives", "ends", "pile"}
    assert set(first["timing_ms"]) == {"decode", "ends", "faces", "total"}


def test_a_failing_photo_is_named_and_the_rest_are_read(
    capsys: Capture, reader: FakeReader, photo: Path
) -> None:
    answer = run(
        capsys, "read", "--json", str(photo / "text.jpg"), str(photo / "gone.jpg"), str(photo / "hand.jpg")
    )
    failed, gone, read = [json.loads(line) for line in answer.out.splitlines()]
    assert answer.status == 2
    assert failed == {"file": str(photo / "text.jpg"), "error": failed["error"]}
    assert failed["error"]["code"] == "not_an_image"
    assert gone["error"] == {"code": "no_such_file", "message": f"there is no file {photo / 'gone.jpg'}"}
    assert len(read["cards"]) == 21
    assert len(answer.err.splitlines()) == 2


def test_a_folder_is_no_photo(capsys: Capture, reader: FakeReader, photo: Path) -> None:
    answer = run(capsys, "read", str(photo))
    assert answer.status == 2
    assert answer.err.startswith("paiyan: ")
    assert str(photo) in answer.err


def test_text_shows_piles_and_what_to_look_at(capsys: Capture, reader: FakeReader, photo: Path) -> None:
    answer = run(capsys, "read", str(photo / "doubt.jpg"), str(photo / "back.jpg"))
    assert answer.status == 0
    assert "四色牌, 21 cards" in answer.out
    assert "look at 绿将 60% (or 绿士 30%)" in answer.out
    assert "no card, 0.0 s\n  1 thing that is no card of these decks, or face down" in answer.out


def test_deck_and_taught_are_handed_on(capsys: Capture, reader: FakeReader, photo: Path) -> None:
    run(capsys, "read", "--deck", "sise", "--taught", "none", str(photo / "hand.jpg"))
    assert reader.asked == [(str(photo / "hand.jpg"), "sise", "none")]


def test_photos_of_the_same_cards_are_one_object(capsys: Capture, reader: FakeReader, photo: Path) -> None:
    hand, again, other = (str(photo / f"{name}.jpg") for name in ("hand", "hand", "numbers"))
    answer = run(capsys, "read", "--same", "--json", hand, again)
    assert (answer.status, len(answer.json["cards"])) == (0, 21)
    answer = run(capsys, "read", "--same", "--json", hand, other)
    assert [len(json.loads(line)["cards"]) for line in answer.out.splitlines()] == [21, 3]
    answer = run(capsys, "read", "--same", hand, str(photo / "text.jpg"))
    assert (answer.status, len(answer.err.splitlines())) == (2, 1)


def test_no_photo_is_a_usage_error(capsys: Capture, reader: FakeReader) -> None:
    answer = run(capsys, "read", "--json")
    assert answer.status == 2
    assert answer.json["error"]["code"] == "usage"
    assert len(answer.err.splitlines()) == 1


def test_catalogue_counts_over_photos(capsys: Capture, reader: FakeReader, photo: Path) -> None:
    answer = run(capsys, "catalogue", "--json", str(photo / "hand.jpg"), str(photo / "horses.jpg"))
    found = answer.json
    assert answer.status == 0
    assert set(found) == {"deck", "composition", "counts", "missing", "extra", "others", "warnings"}
    assert (found["deck"], found["composition"]) == ("sise", "112")
    assert found["counts"]["yN"] == 6
    assert found["extra"] == {"yN": 2}
    assert found["missing"]["rK"] == 3
    assert (
        sum(found["counts"].values()) - sum(found["extra"].values()) + sum(found["missing"].values()) == 112
    )


def test_catalogue_text(capsys: Capture, reader: FakeReader, photo: Path) -> None:
    answer = run(capsys, "catalogue", "--rules", "shihu", str(photo / "hand.jpg"))
    assert answer.out.startswith("四色牌: 21 cards")
    assert "missing: 红将 3" in answer.out
    assert "extra: none" in answer.out


def test_catalogue_without_cards(capsys: Capture, reader: FakeReader, photo: Path) -> None:
    answer = run(capsys, "catalogue", "--json", str(photo / "back.jpg"))
    assert answer.json["deck"] is None
    assert answer.json["counts"] == {}
    assert answer.json["others"][0]["file"] == str(photo / "back.jpg")


def test_catalogue_names_a_photo_of_another_deck(capsys: Capture, reader: FakeReader, photo: Path) -> None:
    answer = run(capsys, "catalogue", "--json", str(photo / "hand.jpg"), str(photo / "numbers.jpg"))
    assert answer.json["deck"] == "sise"
    assert answer.json["warnings"] == [
        f"{photo / 'numbers.jpg'} shows another deck, 字牌; its cards are not counted"
    ]


def test_catalogue_fails_with_any_photo(capsys: Capture, reader: FakeReader, photo: Path) -> None:
    answer = run(capsys, "catalogue", "--json", str(photo / "hand.jpg"), str(photo / "text.jpg"))
    assert answer.status == 2
    assert answer.json["error"]["code"] == "not_an_image"


def test_catalogue_of_a_game_that_uses_another_deck(capsys: Capture, reader: FakeReader, photo: Path) -> None:
    answer = run(capsys, "catalogue", "--deck", "zipai", "--rules", "shihu", str(photo / "hand.jpg"))
    assert (answer.status, answer.err) == (2, "paiyan: shihu is played with sise, not with zipai\n")


def test_a_photo_given_twice_to_a_catalogue_is_noticed(
    capsys: Capture, reader: FakeReader, tmp_path: Path
) -> None:
    paths = []
    for name, seed, quality in (("a", 1, 95), ("b", 2, 95), ("again", 1, 50)):
        tiles = np.random.default_rng(seed).integers(0, 255, (9, 12, 3), dtype=np.uint8)
        path = tmp_path / f"{name}.jpg"
        Image.fromarray(tiles).resize((600, 450)).save(path, quality=quality)
        reader.table = {**reader.table, path.read_bytes(): ("sise", ["rK"])}
        paths.append(str(path))
    found = run(capsys, "catalogue", *paths, "--json").json
    assert [one for one in found["warnings"] if "once more" in one] == [
        f"{paths[2]} looks like {paths[0]} once more; if it is the same photo, its cards are counted twice"
    ]
