"""`paiyan teach` and `paiyan evaluate`, on painted cards and networks that know the paints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.photos import run
from tests.vision.painted import CODES, INK, networks_for, photo_of
from tests.vision.test_evaluate import annotated
from tests.vision.world import Laid
from vision import Reader, print_names
from webui.commands import readers

Capture = pytest.CaptureFixture[str]
DECK = [Laid(code, 90 + 140 * i, 250) for i, code in enumerate(CODES)]
OWN = {**INK, "s1": (228, 92, 24)}
"""A deck whose s1 is nearly the orange of other decks' b2."""


@pytest.fixture
def data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The data folder, and a reader for photos of `DECK`."""
    monkeypatch.setenv("PAIYAN_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(readers, "open_reader", lambda: Reader(networks=networks_for(DECK)))
    return tmp_path / "data" / "decks"


@pytest.fixture
def usual(tmp_path: Path) -> str:
    path = tmp_path / "usual.jpg"
    path.write_bytes(photo_of(DECK))
    return str(path)


@pytest.fixture
def own(tmp_path: Path) -> str:
    path = tmp_path / "own.jpg"
    path.write_bytes(photo_of(DECK, ink=OWN))
    return str(path)


def test_a_usual_deck_is_learnt_at_once(capsys: Capture, data: Path, usual: str) -> None:
    answer = run(capsys, "teach", "外婆", usual, "--json")
    assert answer.status == 0
    assert (answer.json["name"], answer.json["deck"], answer.json["asked"]) == ("外婆", "zipai", [])
    assert set(answer.json["learned"]) == set(CODES)
    assert "b10" in answer.json["missing"]
    assert print_names(data) == ("外婆",)


def test_what_is_asked_can_be_answered(capsys: Capture, data: Path, own: str, tmp_path: Path) -> None:
    first = run(capsys, "teach", "own", own, "--json").json
    assert "s1" not in first["learned"]
    assert [Path(one["file"]).name for one in first["asked"]] == ["own.jpg"] * len(first["asked"])
    places = {round(card.end_centres()[0][0]): card.code for card in DECK}
    answers = [
        {"quad": one["quad"], "code": places[min(places, key=lambda x: abs(x - one["quad"][0][0]))]}
        for one in first["asked"]
    ]
    (tmp_path / "answers.json").write_text(json.dumps(answers))
    second = run(capsys, "teach", "own", own, "--confirm", str(tmp_path / "answers.json"), "--json").json
    assert set(second["learned"]) == set(CODES)
    assert second["asked"] == []


def test_the_printed_questions_are_a_file_of_answers(
    capsys: Capture, data: Path, own: str, tmp_path: Path
) -> None:
    (tmp_path / "asked.json").write_text(run(capsys, "teach", "own", own, "--json").out)
    answer = run(capsys, "teach", "own", own, "--confirm", str(tmp_path / "asked.json"), "--json")
    assert answer.status == 0
    assert answer.json["asked"] == []


def test_questions_are_written_down_a_card_a_line_and_answered_with_names(
    capsys: Capture, data: Path, own: str, tmp_path: Path
) -> None:
    file = tmp_path / "questions.json"
    assert run(capsys, "teach", "own", own, "--questions", str(file)).status == 0
    lines = file.read_text("utf-8").splitlines()
    assert len(lines) == len(json.loads("".join(lines)))
    [line] = [line for line in lines if '"s1"' in line]
    card = line[line.index("{") : line.index("}") + 1]
    file.write_text("[" + card.replace('"s1"', '"一"') + "]", "utf-8")
    answer = run(capsys, "teach", "own", own, "--confirm", str(file), "--json")
    assert answer.status == 0
    assert "s1" in answer.json["learned"]
    unwritable = run(capsys, "teach", "own", own, "--questions", str(tmp_path), "--json")
    assert (unwritable.status, unwritable.json["error"]["code"]) == (2, "unwritable")


def test_a_second_photo_adds_to_the_first(capsys: Capture, data: Path, own: str, tmp_path: Path) -> None:
    (tmp_path / "later.jpg").write_bytes(photo_of(DECK, table=110))
    first = run(capsys, "teach", "own", own, "--json").json["learned"]
    again = run(capsys, "teach", "own", own, "--json").json["learned"]
    assert again == first, "the same photo again changes nothing"
    both = run(capsys, "teach", "own", str(tmp_path / "later.jpg"), "--json").json["learned"]
    assert set(both) == set(CODES)
    assert both["s3"] > first["s3"]
    assert run(capsys, "teach", "own", own, "--anew", "--json").json["learned"] == first


def test_a_name_belongs_to_one_kind_of_deck(capsys: Capture, data: Path, usual: str) -> None:
    import numpy as np

    from vision import save_print
    from vision.taught import Print

    crops, vectors = np.zeros((1, 96, 64, 3), np.uint8), np.eye(1, 10)
    save_print(data, "other", Print("chuanpai", ("1-1",), crops, vectors, "painted", (0,)))
    answer = run(capsys, "teach", "other", usual, "--json")
    assert (answer.status, answer.json["error"]["code"]) == (2, "different_decks")
    assert "川牌; these photos show 字牌" in answer.json["error"]["message"]
    assert run(capsys, "teach", "other", usual, "--anew").status == 0


def test_text_says_what_is_not_known(capsys: Capture, data: Path, own: str) -> None:
    answer = run(capsys, "teach", "own", own)
    assert answer.out.startswith("own: 字牌, ")
    assert "not learnt:" in answer.out
    assert "--questions FILE" in answer.out


@pytest.mark.parametrize(
    "text",
    ["", "no json", "{}", "3", "[3]", '[{"quad": [[1, 2]], "code": "s1"}]', '[{"quad": 5, "code": "s1"}]',
     '[{"quad": [[0, 0], [1, 0], [1, 1], [0, 1]]}]', '[{"quad": [[0, 0], [1, 0], [1, 1], [0, NaN]], "code": null}]',
     '[{"quad": [[0, 0], [1, 0], [1, 1], [0, 1]], "code": 7}]'],
)  # fmt: skip
def test_bad_answers_are_one_sentence(
    capsys: Capture, data: Path, own: str, tmp_path: Path, text: str
) -> None:
    (tmp_path / "answers.json").write_text(text)
    answer = run(capsys, "teach", "own", own, "--confirm", str(tmp_path / "answers.json"), "--json")
    assert (answer.status, answer.json["error"]["code"]) == (2, "bad_answers")
    assert len(answer.err.splitlines()) == 1
    assert print_names(data) == ()


@pytest.mark.parametrize(
    ("quad", "card", "code"),
    [
        ([[0, 0], [1, 0], [1, 1], [0, 1]], "s1", "no_such_end"),
        (None, "rK", "unknown_card"),
    ],
)
def test_answers_that_fit_nothing(
    capsys: Capture, data: Path, usual: str, tmp_path: Path, quad: object, card: str, code: str
) -> None:
    x, y = DECK[0].end_centres()[0]
    here = [[x - 9, y - 9], [x + 9, y - 9], [x + 9, y + 9], [x - 9, y + 9]]
    (tmp_path / "answers.json").write_text(json.dumps([{"quad": quad or here, "code": card}]))
    answer = run(capsys, "teach", "own", usual, "--confirm", str(tmp_path / "answers.json"), "--json")
    assert (answer.status, answer.json["error"]["code"]) == (2, code)


def test_a_name_that_is_no_folder(capsys: Capture, data: Path, usual: str) -> None:
    answer = run(capsys, "teach", "../x", usual, "--json")
    assert (answer.status, answer.json["error"]["code"]) == (2, "bad_name")


def test_with_several_photos_an_answer_names_its_own(
    capsys: Capture, data: Path, usual: str, own: str, tmp_path: Path
) -> None:
    (tmp_path / "a.json").write_text('[{"quad": [[0, 0], [1, 0], [1, 1], [0, 1]], "code": null}]')
    answer = run(capsys, "teach", "own", usual, own, "--confirm", str(tmp_path / "a.json"), "--json")
    assert (answer.status, answer.json["error"]["code"]) == (2, "bad_answers")


def test_evaluate_prints_the_figures(capsys: Capture, data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "photos"
    folder.mkdir()
    annotated(folder, DECK)
    found = run(capsys, "evaluate", str(folder), "--json")
    assert found.status == 0
    assert found.json["figures"][0]["cards"] == len(DECK)
    assert found.json["figures"][0]["right"] == 1.0
    assert found.json["photos"] == [
        {"file": "a.jpg", "errors": 0, "missed": 0, "wrong": 0, "extra": 0, "read": True}
    ]
    text = run(capsys, "evaluate", str(folder), "--charts", str(tmp_path / "charts")).out
    assert text.splitlines()[0].split()[:3] == ["photos", "cards", "found"]
    assert len(list((tmp_path / "charts").glob("*.png"))) == 4


def test_evaluate_names_what_went_wrong(capsys: Capture, data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "photos"
    folder.mkdir()
    annotated(folder, DECK)
    (folder / "a.jpg").write_bytes(photo_of(DECK, ink={**INK, "s1": INK["s2"]}))
    text = run(capsys, "evaluate", str(folder)).out
    assert "misread: s1 as s2 1x" in text
    assert "a.jpg: 0 missed, 1 wrong, 0 extra" in text
    (folder / "a.jpg").write_bytes(b"no photo")
    unread = run(capsys, "evaluate", str(folder))
    assert unread.status == 2
    assert "could not be read: a.jpg" in unread.out


def test_evaluate_needs_annotations(capsys: Capture, data: Path, tmp_path: Path) -> None:
    answer = run(capsys, "evaluate", str(tmp_path / "nowhere"), "--json")
    assert (answer.status, answer.json["error"]["code"]) == (2, "bad_annotations")
