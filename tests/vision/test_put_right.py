"""What a player puts right while checking is learned too: heard where two words agree, and forgotten again."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.vision.painted import CODES, INK, networks_for, photo_of
from tests.vision.test_teach import DECK, OWN, a_print, lesson_of
from vision import PhotoError, Reader, Reading, decode, reading_json
from vision.geometry import end_quad
from vision.networks import Networks
from vision.taught import (
    MOST_EXAMPLES,
    MOST_PUT_RIGHT,
    Print,
    example_ids,
    heard,
    joined,
    load_print,
    save_print,
    without,
)
from vision.teach import (
    PutRight,
    confirmed,
    learned,
    taught_faces,
    with_put_right,
)

NOW = 1_800_000_000_000


def read_own(folder: Path, networks: Networks, taught: str = "own") -> Reading:
    """The deck of inks of its own, read with a print of this folder."""
    return Reader(networks=networks).read(photo_of(DECK, ink=OWN), taught=taught, taught_dir=folder)


def said(code: str, place: int, end: int = 0, ink: dict[str, tuple[int, int, int]] = OWN) -> PutRight:
    """The player's word on an end of the card at this place of `DECK`."""
    card = DECK[place]
    quad = end_quad(
        card.end_centres()[end], card.outward * (1 - 2 * end), np.array(60.0), np.array(60.0), np.array(0.0)
    )
    return PutRight(code, decode(photo_of(DECK, ink=ink)), quad)


def taught_without_s1(networks: Networks) -> Print:
    """A print of the usual inks that never saw an s1, nor what a reading of `OWN` takes it for."""
    lesson = lesson_of(INK)
    known = tuple(one for one in lesson.proposals if one.code not in ("s1", "b2"))
    return learned([replace(lesson, proposals=known)], networks)


def test_two_words_of_the_player_are_read_from_then_on_and_one_is_not(tmp_path: Path) -> None:
    networks = networks_for(DECK)
    taught = taught_without_s1(networks)
    save_print(tmp_path, "own", taught)
    before = [card.code for card in read_own(tmp_path, networks).cards]
    assert before[0] != "s1"
    once = with_put_right(taught, [said("s1", 0)], networks, NOW)
    save_print(tmp_path, "own", once)
    assert [card.code for card in read_own(tmp_path, networks).cards] == before
    assert taught_faces(once)[0] == taught_faces(taught)[0]
    save_print(tmp_path, "own", with_put_right(once, [said("s1", 0, end=1)], networks, NOW))
    after = read_own(tmp_path, networks)
    assert (after.cards[0].code, after.cards[0].confidence > 0.9) == ("s1", True)


@pytest.mark.parametrize("wrong", ["s3", "s4", "b1", "b3"])
def test_one_wrong_word_of_the_player_spoils_nothing(wrong: str, tmp_path: Path) -> None:
    networks = networks_for(DECK)
    lesson = lesson_of(OWN)
    answers = [(one.ends[0].quad, code) for one, code in zip(lesson.proposals, CODES, strict=True)]
    taught = learned([confirmed(lesson, answers)], networks)
    taught = taught.take([i for i, code in enumerate(taught.codes) if code != "b3"])
    save_print(tmp_path, "own", taught)
    before = [(card.code, card.confidence) for card in read_own(tmp_path, networks).cards]
    assert [code for code, _ in before][:7] == list(CODES)[:7]
    save_print(tmp_path, "own", with_put_right(taught, [said(wrong, 1)], networks, NOW))
    assert [(card.code, card.confidence) for card in read_own(tmp_path, networks).cards] == before


def test_a_word_that_agrees_with_the_photos_is_heard_at_once() -> None:
    networks = networks_for(DECK)
    taught = learned([lesson_of(INK)], networks)
    more = with_put_right(taught, [said("s3", 2, ink={**INK, "s3": (46, 66, 216)})], networks, NOW)
    assert heard(more).all()
    assert len(more.codes) == len(taught.codes) + 1


def test_the_same_crop_is_learnt_once_and_the_last_word_counts() -> None:
    networks = networks_for(DECK)
    taught = taught_without_s1(networks)
    wrong = with_put_right(taught, [said("s2", 0)], networks, NOW)
    right = with_put_right(wrong, [said("s1", 0)], networks, NOW + 1)
    assert len(right.codes) == len(taught.codes) + 1
    assert (right.codes[-1], right.put_right_ms[-1]) == ("s1", NOW + 1)


def test_what_was_put_right_can_be_forgotten_and_nothing_else(tmp_path: Path) -> None:
    networks = networks_for(DECK)
    taught = taught_without_s1(networks)
    more = with_put_right(taught, [said("s1", 0), said("s2", 1)], networks, NOW)
    save_print(tmp_path, "own", more)
    kept = load_print(tmp_path, "own", networks)
    assert kept.put_right_ms == (0,) * len(taught.codes) + (NOW, NOW)
    names = example_ids(kept)
    assert without(kept, names[-1:]).codes == (*taught.codes, "s1")
    assert without(kept, names).codes == taught.codes


def test_a_players_word_on_no_card_of_the_deck() -> None:
    networks = networks_for(DECK)
    with pytest.raises(PhotoError, match="no card 'rK'"):
        with_put_right(taught_without_s1(networks), [said("rK", 0)], networks, NOW)


def test_words_of_the_player_never_push_out_the_photos() -> None:
    taught = a_print(("s1",) * MOST_EXAMPLES)
    more = replace(a_print(("s1",) * (MOST_PUT_RIGHT + 5), seed=1), put_right_ms=(1,) * (MOST_PUT_RIGHT + 5))
    both = joined(taught, more)
    assert both.put_right_ms.count(0) == MOST_EXAMPLES
    assert both.put_right_ms.count(1) == MOST_PUT_RIGHT


def test_a_reading_names_the_print_it_was_read_with(tmp_path: Path) -> None:
    networks = networks_for(DECK)
    save_print(tmp_path, "own", learned([lesson_of(OWN)], networks))
    save_print(tmp_path, "other", a_print())
    for taught in ("own", "auto"):
        found = read_own(tmp_path, networks, taught)
        assert (found.taught, reading_json(found)["taught"]) == ("own", "own")
    plain = read_own(tmp_path, networks, "none")
    assert plain.taught is None
    assert "taught" not in reading_json(plain)
