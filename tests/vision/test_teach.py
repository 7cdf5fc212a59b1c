"""A deck with inks of its own is learned from one photo, and a wrong print does no harm."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.vision.painted import CODES, INK, networks_for, photo_of
from tests.vision.world import Laid
from vision import PhotoError, Reader
from vision.geometry import end_quad
from vision.taught import (
    MOST_EXAMPLES,
    Print,
    PrintError,
    checked_name,
    fit,
    joined,
    load_print,
    print_names,
    prototypes,
    save_print,
    with_print,
)
from vision.teach import Lesson, confirmed, learned, propose, taught_faces

DECK = [Laid(code, 90 + 140 * i, 250) for i, code in enumerate(CODES)]
OWN = {**INK, "s1": (228, 92, 24), "s2": (90, 150, 30)}
"""The inks of a deck in which s1 is nearly the orange of other decks' b2."""


def lesson_of(ink: dict[str, tuple[int, int, int]]) -> Lesson:
    return propose(Reader(networks=networks_for(DECK)), photo_of(DECK, ink=ink))


def a_print(codes: tuple[str, ...] = ("s1", "s2"), seed: int = 0) -> Print:
    vectors = np.random.default_rng(seed).normal(size=(len(codes), 10))
    crops = np.zeros((len(codes), 96, 64, 3), np.uint8)
    return Print("zipai", codes, crops, vectors / np.linalg.norm(vectors, axis=1, keepdims=True), "painted")


def test_a_usual_deck_needs_no_questions() -> None:
    lesson = lesson_of(INK)
    assert lesson.deck == "zipai"
    assert [one.code for one in lesson.proposals] == list(CODES)
    assert lesson.asked == ()
    assert all(len(one.crops) == len(one.ends) == 2 for one in lesson.proposals)


def test_a_face_seen_nowhere_goes_to_the_doubtful_card_and_is_asked() -> None:
    lesson = lesson_of(OWN)
    assert [one.code for one in lesson.proposals][:2] == ["s1", "s2"]
    assert lesson.proposals[0] in lesson.asked
    assert all(one.sure for one in lesson.proposals[2:])


def test_what_was_taught_is_read(tmp_path: Path) -> None:
    networks = networks_for(DECK)
    reader, data = Reader(networks=networks), photo_of(DECK, ink=OWN)
    assert sorted(card.code for card in reader.read(data).cards) != sorted(CODES)
    lesson = lesson_of(OWN)
    answers = [
        (one.ends[0].quad + 4, code)
        for one, code in zip(lesson.proposals, CODES, strict=True)
        if not one.sure
    ]
    save_print(tmp_path, "外婆的牌", learned([confirmed(lesson, answers)], networks))
    for taught in ("外婆的牌", "auto"):
        reading = reader.read(data, taught=taught, taught_dir=tmp_path)
        assert [card.code for card in reading.cards] == list(CODES)
        assert not any(card.review for card in reading.cards)
    untaught = reader.read(data, taught="none", taught_dir=tmp_path)
    assert [card.code for card in untaught.cards] != list(CODES)


def test_a_print_that_does_not_fit_is_not_chosen(tmp_path: Path) -> None:
    networks = networks_for(DECK)
    save_print(tmp_path, "other", a_print())
    reader, data = Reader(networks=networks), photo_of(DECK)
    with_auto = reader.read(data, taught="auto", taught_dir=tmp_path)
    assert [(c.code, c.confidence) for c in with_auto.cards] == [
        (c.code, c.confidence) for c in reader.read(data).cards
    ]


def test_confirming_names_the_card_under_the_quad() -> None:
    lesson = lesson_of(OWN)
    quad = lesson.proposals[0].ends[1].quad
    named = confirmed(lesson, [(quad, "s1"), (lesson.proposals[1].ends[0].quad, None)])
    assert (named.proposals[0].code, named.proposals[0].sure) == ("s1", True)
    assert named.proposals[1].code is None
    with pytest.raises(PhotoError, match="no card 'rK'"):
        confirmed(lesson, [(quad, "rK")])
    with pytest.raises(PhotoError, match="no card end"):
        confirmed(lesson, [(end_quad((5, 5), (0, -1), 40, 40, 0), "s1")])


def test_a_lesson_without_cards_or_with_two_decks() -> None:
    with pytest.raises(PhotoError) as caught:
        propose(Reader(networks=networks_for([])), photo_of([]))
    assert caught.value.code == "no_card"
    networks = networks_for([])
    with pytest.raises(PhotoError, match="different decks"):
        learned([Lesson("zipai", ()), Lesson("sise", ())], networks)
    with pytest.raises(PhotoError, match="sure enough"):
        learned([Lesson("zipai", ())], networks)


def test_prints_are_kept_and_found_again(tmp_path: Path) -> None:
    networks = networks_for([])
    save_print(tmp_path, "a", a_print())
    save_print(tmp_path, "a", a_print(("s3",)))
    save_print(tmp_path, "a", a_print(("s4", "s5")))
    assert print_names(tmp_path) == ("a",)
    found = load_print(tmp_path, "a", networks)
    assert found.codes == ("s4", "s5")
    assert np.allclose(found.embeddings, a_print(("s4", "s5")).embeddings)
    assert len(list((tmp_path / "a").iterdir())) == 3  # the last but one may be being read


def test_another_network_makes_its_own_embeddings(tmp_path: Path) -> None:
    networks = networks_for([])
    save_print(tmp_path, "a", learned([lesson_of(INK)], networks))
    facts = json.loads((tmp_path / "a" / "print.json").read_text())
    (tmp_path / "a" / "print.json").write_text(json.dumps(facts | {"network": "older"}))
    found = load_print(tmp_path, "a", networks)
    assert found.network == "painted"
    assert np.allclose(found.embeddings, learned([lesson_of(INK)], networks).embeddings, atol=1e-6)


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".hidden", "auto", "none", "x" * 50, "a\0b", "a\n"])
def test_bad_names_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(PrintError) as caught:
        checked_name(name)
    assert caught.value.code == "bad_name"
    with pytest.raises(PrintError):
        load_print(tmp_path, name, networks_for([]))


@pytest.mark.parametrize(
    "text", ["", "{}", '{"deck": "zipai", "codes": ["s1"], "network": "painted", "arrays": "x.npz"}']
)
def test_damaged_prints_say_so_and_auto_passes_them_over(text: str, tmp_path: Path) -> None:
    save_print(tmp_path, "a", a_print())
    (tmp_path / "a" / "print.json").write_text(text)
    with pytest.raises(PrintError):
        load_print(tmp_path, "a", networks_for([]))
    assert (
        len(
            Reader(networks=networks_for(DECK)).read(photo_of(DECK), taught="auto", taught_dir=tmp_path).cards
        )
        == 8
    )
    with pytest.raises(PrintError) as caught:
        load_print(tmp_path, "b", networks_for([]))
    assert caught.value.code == "unknown_print"


def test_faces_without_examples_are_judged_as_before() -> None:
    classes = ("zipai:s1", "zipai:s2", "other")
    taught = Print("zipai", ("s1",), np.zeros((1, 96, 64, 3), np.uint8), np.array([[1.0, 0.0]]), "x")
    logits = np.array([[4.0, 6.0, 1.0]])
    mixed = with_print(logits, np.array([[0.8, 0.6]]), taught, classes, scale=20.0)
    assert np.allclose(mixed, [[(20 * 0.8 + 0.5 * 4) / 1.5, 6.0, 1.0]])
    assert logits.tolist() == [[4.0, 6.0, 1.0]]


def test_prototypes_are_mean_directions() -> None:
    vectors = np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]])
    taught = Print("zipai", ("s1", "s1", "s2"), np.zeros((3, 96, 64, 3), np.uint8), vectors, "x")
    codes, directions = prototypes(taught)
    assert codes == ("s1", "s2")
    assert np.allclose(directions, [[0.5**0.5, 0.5**0.5], [0.6, 0.8]])
    log_faces = np.log([[0.98, 0.01, 0.01], [0.01, 0.01, 0.98]])
    assert fit(
        np.array([[0.6, 0.8], [1.0, 0.0]]), log_faces, taught, ("zipai:s1", "zipai:s2", "other")
    ) == pytest.approx(1)


def test_only_the_newest_examples_are_kept() -> None:
    old, new = a_print(("s1",) * MOST_EXAMPLES + ("s2",)), a_print(("s1", "s3"), seed=1)
    both = joined(old, new)
    assert both.codes.count("s1") == MOST_EXAMPLES
    assert both.codes[-2:] == ("s1", "s3")
    assert np.allclose(both.embeddings[-2:], new.embeddings)


def test_what_a_print_lacks() -> None:
    known, lacking = taught_faces(a_print())
    assert known == ("s1", "s2")
    assert "b10" in lacking


def test_unequal_examples_are_refused() -> None:
    with pytest.raises(ValueError, match="examples"):
        Print("zipai", ("s1",), np.zeros((2, 96, 64, 3), np.uint8), np.zeros((1, 4)), "x")
