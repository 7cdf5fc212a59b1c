"""A deck with inks of its own is learned from one photo, and a wrong print does no harm."""

import json
import shutil
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.hostile.prints import KINDS
from tests.vision.painted import CODES, INK, networks_for, photo_of
from tests.vision.world import Laid, true_ends
from vision import PhotoError, Reader, decode
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
    stored_print,
    with_print,
)
from vision.teach import (
    Lesson,
    confirmed,
    learned,
    propose,
    standing_for_missing,
    taught_faces,
)

DECK = [Laid(code, 90 + 140 * i, 250) for i, code in enumerate(CODES)]
OWN = {**INK, "s1": (228, 92, 24), "s2": (90, 150, 30)}
"""The inks of a deck in which s1 is nearly the orange of other decks' b2."""


def lesson_of(ink: dict[str, tuple[int, int, int]]) -> Lesson:
    return propose(Reader(networks=networks_for(DECK)), photo_of(DECK, ink=ink))


def a_print(codes: tuple[str, ...] = ("s1", "s2"), seed: int = 0) -> Print:
    vectors = np.random.default_rng(seed).normal(size=(len(codes), 10))
    crops = np.zeros((len(codes), 96, 64, 3), np.uint8)
    crops[:, 0, 0, 0], crops[:, 0, 0, 1] = np.arange(len(codes)), seed
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return Print("zipai", codes, crops, units, "painted", (0,) * len(codes))


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


def test_a_face_in_two_looks_is_asked() -> None:
    """Two cards of one colour, one of them on a black ground: the network takes both for s1."""
    cards = [*DECK, Laid("s1", 90, 600)]
    picture = decode(photo_of(cards)).copy()
    for quad in true_ends(cards[-1:])[0].quads:
        middle = quad.mean(axis=0)
        cv2.fillConvexPoly(picture, np.round(quad).astype(np.int32), (20, 20, 20))
        cv2.fillConvexPoly(picture, np.round(middle + 0.65 * (quad - middle)).astype(np.int32), INK["s1"])
    data = cv2.imencode(".png", picture[..., ::-1])[1].tobytes()
    lesson = propose(Reader(networks=networks_for(cards)), data)
    asked = [one.ends[0].quad.mean(axis=0) for one in lesson.asked]
    assert len(asked) == 2
    assert all(centre[0] < 160 for centre in asked)
    assert len(propose(Reader(networks=networks_for(cards)), photo_of(cards)).asked) == 0


SISE = [suit + kind for suit in "rygw" for kind in "KABRCNP"]


@pytest.mark.parametrize("copies", [1, 2])
def test_a_face_too_often_and_another_nowhere_is_asked(copies: int) -> None:
    """A soldier whose form the networks take for a chariot."""
    laid = ["rR" if code == "rP" else code for code in SISE for _ in range(copies)]
    assert standing_for_missing(laid, "sise") == {"rR"}
    both = ["rR" if code == "rP" else "yR" if code == "yP" else code for code in laid]
    assert standing_for_missing([None, *both], "sise") == {"rR", "yR"}


@pytest.mark.parametrize(
    "laid", [[], SISE, SISE * 4, [*SISE, "rR"], SISE[:13], [*SISE[:13], "rK"], [c for c in SISE if c != "rP"]]
)
def test_a_deck_laid_out_as_it_is_needs_no_question(laid: list[str]) -> None:
    """All of it, some of it, with a double: nothing that is missing can be what is too many."""
    assert standing_for_missing(laid, "sise") == frozenset()


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


def test_a_picture_that_is_no_face_is_asked_about_and_read_once_it_was_named(tmp_path: Path) -> None:
    cards = [*DECK[:-1], Laid("back", *DECK[-1].body.mean(axis=0))]
    networks, data = networks_for(cards), photo_of(cards)
    reader = Reader(networks=networks)
    assert len(reader.read(data).cards) == len(cards) - 1
    lesson = propose(reader, data)
    assert [one.code for one in lesson.asked] == [None, None]  # its two ends: what is no face is no pair
    named = confirmed(lesson, [(one.ends[0].quad, CODES[-1]) for one in lesson.asked[:1]])
    save_print(tmp_path, "picture", learned([named], networks))
    reading = reader.read(data, taught="picture", taught_dir=tmp_path)
    assert sorted(card.code for card in reading.cards) == sorted(CODES)


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


def test_names_as_people_write_them_are_taken() -> None:
    for name in (
        "外婆的牌",
        "Grandmother's deck",
        "Grandmother’s deck",
        "deck-2",
        "成都·1988（红）",
        "a: 50%",
        "CON",
    ):
        assert checked_name(name) == name


@pytest.mark.parametrize("name", ["外婆的牌", "成都·1988（红）", "a: 50%", "con", "👨\u200d👩\u200d👧 家"])
def test_a_print_of_any_name_lies_in_one_folder_below(name: str, tmp_path: Path) -> None:
    save_print(tmp_path, name, a_print())
    assert print_names(tmp_path) == (name,)
    assert [path.parent.parent for path in tmp_path.rglob("print.json")] == [tmp_path]
    assert not {*'<>:"/\\|?*.'} & set(next(tmp_path.iterdir()).name)
    assert load_print(tmp_path, name, networks_for([])).codes == a_print().codes


@pytest.mark.parametrize(
    "name",
    ["", "'", "../x", "a/b", "a\\b", ".hidden", " a", "auto", "none", "x" * 50, "a\0b", "a\n", "\ud800a"],
)
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


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_damage_of_every_kind_stays_with_its_print(kind: str, tmp_path: Path) -> None:
    """Each is whole, damaged or gone when it is named; `auto` reads on with the one that is whole."""
    reader = Reader(networks=networks_for(DECK))
    save_print(tmp_path, "whole", a_print())
    for seed in range(5):
        save_print(tmp_path, "bad", a_print())
        KINDS[kind](tmp_path / "bad", np.random.default_rng(seed))
        with suppress(PrintError):
            load_print(tmp_path, "bad", reader.networks)
        assert len(reader.read(photo_of(DECK), taught="auto", taught_dir=tmp_path).cards) == 8
        shutil.rmtree(tmp_path / "bad")


@pytest.mark.parametrize(("own", "gain"), [(4.0, 0.0), (7.0, (20 * 0.6 + 0.5 * 7) / 1.5 - 7)])
def test_faces_without_examples_gain_what_those_with_gain_where_they_lie(own: float, gain: float) -> None:
    """The one end is taken for the face without examples (4 < 6), then for the one with some (7 > 6)."""
    classes = ("zipai:s1", "zipai:s2", "other")
    taught = Print("zipai", ("s1",), np.zeros((1, 96, 64, 3), np.uint8), np.array([[1.0, 0.0]]), "x", (0,))
    logits = np.array([[own, 6.0, 1.0]])
    mixed = with_print(logits, np.array([[0.6, 0.8]]), taught, classes, scale=20.0)
    assert np.allclose(mixed, [[(20 * 0.6 + 0.5 * own) / 1.5, 6.0 + gain, 1.0]])
    assert logits.tolist() == [[own, 6.0, 1.0]]


@pytest.mark.parametrize(("near", "left"), [(0.96, 15 * 0.5 / 1.5), (0.6, 15.0)])
def test_what_is_much_like_an_example_is_no_stranger(near: float, left: float) -> None:
    """The network takes a dragon for no card; an owner has said that it is 王."""
    classes = ("zipai:W", "other")
    taught = Print("zipai", ("W",), np.zeros((1, 96, 64, 3), np.uint8), np.array([[1.0, 0.0]]), "x", (0,))
    end = np.array([[near, (1 - near**2) ** 0.5]])
    mixed = with_print(np.array([[6.0, 15.0]]), end, taught, classes, scale=20.0)
    assert np.allclose(mixed, [[(20 * near + 0.5 * 6) / 1.5, left]])


def test_prototypes_are_mean_directions() -> None:
    vectors = np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]])
    taught = Print("zipai", ("s1", "s1", "s2"), np.zeros((3, 96, 64, 3), np.uint8), vectors, "x", (0, 0, 0))
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


@pytest.mark.parametrize(("crops", "times"), [(2, (0,)), (1, ()), (1, (0, 0))])
def test_unequal_examples_are_refused(crops: int, times: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="examples"):
        Print("zipai", ("s1",), np.zeros((crops, 96, 64, 3), np.uint8), np.zeros((1, 4)), "x", times)


def test_a_print_of_the_first_version_is_read(tmp_path: Path) -> None:
    save_print(tmp_path, "a", a_print())
    facts = json.loads((tmp_path / "a" / "print.json").read_text())
    del facts["put_right_ms"]
    (tmp_path / "a" / "print.json").write_text(json.dumps(facts))
    assert load_print(tmp_path, "a", networks_for([])).put_right_ms == (0, 0)


def test_two_quick_saves_leave_a_slow_reader_a_whole_print(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_print(tmp_path, "a", a_print(("s3",)))
    parse = json.loads

    def slowly(*given: object, **named: object) -> object:
        monkeypatch.setattr(json, "loads", parse)
        save_print(tmp_path, "a", a_print(("s4",)))
        save_print(tmp_path, "a", a_print(("s5",)))
        return parse(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(json, "loads", slowly)
    assert stored_print(tmp_path, "a").codes == ("s5",)
