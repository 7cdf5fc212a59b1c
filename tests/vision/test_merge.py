"""Several photographs of one table: a camera that moves over painted cards, and networks that know where they lie."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import pytest

from tests.vision.painted import CLASSES, CODES, faces_network
from tests.vision.world import Laid, face_table, true_ends
from vision import Reader, Reading, reading_json
from vision.ends import Ends, Peaks
from vision.faces import Faces, Seen, no_faces
from vision.geometry import Floats, apply_homography, log_softmax, quad_centre
from vision.merge import Photo, best_photo, merge
from vision.networks import Networks
from vision.photo import Views
from vision.read import Shot
from vision.register import mapped, register
from vision.remarks import APART

OURS = np.array([not name.startswith("other") for name in CLASSES])
WIDE = (1200, 900)
TABLE = [
    *(Laid(code, 120 + 66 * i, 200) for i, code in enumerate(["s1", "s2", "s3"])),
    *(Laid("b2", 500, 160 + 70 * i) for i in range(3)),
    *(Laid(code, 700 + 70 * i, 250, -math.pi / 2 + 0.2 * i) for i, code in enumerate(["s5", "b3", "s4"])),
    Laid("b1", 200, 640, 2.4),
    Laid("s2", 600, 640, 0.1),
]
ASIDE = np.array([[0.8, 0.25, 30.0], [-0.2, 0.9, 180.0], [1e-4, 2e-4, 1.0]])
"""From px of the first photo to px of one taken from aside."""


def seen_of(
    cards: Sequence[Laid],
    matrix: Floats | None = None,
    noise: float = 0.0,
    shown: Sequence[str] | None = None,
) -> Seen:
    """Perfect ends of a table seen through a homography, off by `noise` card widths, read as `shown`."""
    ends, owners = true_ends(cards)
    if matrix is not None:
        ends = mapped(ends, matrix)
    rng = np.random.default_rng(5)
    off = rng.normal(0, noise, (len(ends), 1, 2)) * ends.widths[:, None, None]
    ends = replace(ends, quads=ends.quads + off, scores=np.full(len(ends), 0.9))
    codes = list(shown or [card.code for card in cards])
    table = face_table(ends, [CODES.index(codes[k]) for k in owners], len(CLASSES))
    blank = no_faces(len(CLASSES))
    columns = {
        name: np.zeros((len(ends), *getattr(blank, name).shape[1:]), getattr(blank, name).dtype)
        for name in Faces.__dataclass_fields__
    }
    return Seen(ends, Faces(**columns | {"quads": ends.quads}), table)


def same(first: Seen, second: Seen) -> Floats:
    agreement: Floats = np.exp(first.log_faces) @ np.exp(second.log_faces).T
    return agreement


@pytest.mark.parametrize("noise", [0.0, 0.08])
def test_the_map_between_two_photos_is_found(noise: float) -> None:
    first, second = seen_of(TABLE), seen_of(TABLE, ASIDE, noise)
    found = register(first.ends, second.ends, same(first, second))
    assert found is not None
    assert np.array_equal(found.pairs.first, found.pairs.second)
    assert len(found.pairs.first) >= 0.9 * len(first.ends)
    where = apply_homography(found.matrix, quad_centre(second.ends.quads))
    miss = np.linalg.norm(where - quad_centre(first.ends.quads), axis=1) / 60
    assert np.median(miss) < 0.01 + noise
    assert miss.max() < 0.01 + 4 * noise


def test_the_first_photo_may_be_upside_down() -> None:
    half_turn = np.array([[-1.0, 0, 1200], [0, -1, 900], [0, 0, 1]])
    first, second = seen_of(TABLE), seen_of(TABLE, half_turn)
    found = register(first.ends, second.ends, same(first, second))
    assert found is not None
    assert np.allclose(found.matrix / found.matrix[2, 2], half_turn, atol=0.5)


def test_every_card_is_counted_once() -> None:
    first, second = seen_of(TABLE, noise=0.05), seen_of(TABLE, ASIDE, 0.05)
    found, foreign = merge([Photo(WIDE, first), Photo(WIDE, second)], OURS, 0)
    assert foreign == ()
    assert len(found.cards) == len(TABLE)
    assert found.looks.tolist() == [2] * len(TABLE)
    assert not found.doubted.any()


def test_a_third_look_counts_no_card_twice() -> None:
    shift = np.array([[1.0, 0, 40], [0, 1, -20], [0, 0, 1]])
    photos = [Photo(WIDE, seen_of(TABLE, matrix)) for matrix in (None, ASIDE, shift)]
    found, foreign = merge(photos, OURS, 1)
    assert (len(found.cards), foreign) == (len(TABLE), ())
    assert found.looks.tolist() == [3] * len(TABLE)


def test_a_card_that_one_photo_misses_is_kept_and_doubted() -> None:
    first, second = seen_of(TABLE), seen_of(TABLE[:-1], ASIDE)
    for photos in ([first, second], [second, first]):
        found, _ = merge([Photo(WIDE, one) for one in photos], OURS, 0)
        assert len(found.cards) == len(TABLE)
        assert found.doubted.sum() == 1
        (lone,) = np.flatnonzero(found.doubted)
        assert found.looks[lone] == 1
        assert CLASSES[found.evidence[lone].argmax()] == "zipai:s2"


def test_two_of_three_photos_outvote_the_third() -> None:
    photos = [
        Photo(WIDE, seen_of(cards, m)) for cards, m in ((TABLE, None), (TABLE, ASIDE), (TABLE[:-1], None))
    ]
    found, _ = merge(photos, OURS, 0)
    assert len(found.cards) == len(TABLE)
    assert not found.doubted.any()


def test_a_card_outside_the_other_photo_is_no_doubt() -> None:
    first, second = seen_of(TABLE), seen_of(TABLE[:-1])
    found, _ = merge([Photo(WIDE, first), Photo((1200, 560), second)], OURS, 0)
    assert len(found.cards) == len(TABLE)
    assert not found.doubted.any()


def test_a_card_read_differently_is_one_card_of_which_neither_is_sure() -> None:
    codes = [card.code for card in TABLE]
    first, second = seen_of(TABLE), seen_of(TABLE, ASIDE, shown=["s4", *codes[1:]])
    found, _ = merge([Photo(WIDE, first), Photo(WIDE, second)], OURS, 0)
    assert len(found.cards) == len(TABLE)
    told = np.exp(found.evidence).max(axis=1)
    assert (told < 0.6).sum() == 1
    assert np.median(told) > 0.98


def test_looks_that_agree_are_as_sure_as_one_and_a_sure_look_outweighs_a_blurred_one() -> None:
    first, second = seen_of(TABLE), seen_of(TABLE, ASIDE)
    one = merge([Photo(WIDE, first)], OURS, 0)[0].evidence
    both = merge([Photo(WIDE, first), Photo(WIDE, second)], OURS, 0)[0].evidence
    assert np.allclose(np.sort(both), np.sort(one), atol=1e-6)
    codes = [card.code for card in TABLE]
    wrong = seen_of(TABLE, ASIDE, shown=["s4", *codes[1:]])
    blurred = wrong._replace(log_faces=log_softmax(wrong.log_faces * 0.3))
    found, _ = merge([Photo(WIDE, first), Photo(WIDE, blurred)], OURS, 0)
    assert sorted(CLASSES[k].partition(":")[2] for k in found.evidence.argmax(axis=1)) == sorted(codes)


@pytest.mark.parametrize("seed", range(6))
def test_other_cards_laid_out_alike_are_refused(seed: int) -> None:
    """The places agree to the pixel, the faces only by chance."""
    rng = np.random.default_rng(seed)
    codes = [CODES[k] for k in rng.permutation(np.arange(len(TABLE)) % len(CODES))]
    other = [replace(card, code=code) for card, code in zip(TABLE, codes, strict=True)]
    alike = sum(a.code == b.code for a, b in zip(TABLE, other, strict=True))
    assert alike <= 4
    _, foreign = merge([Photo(WIDE, seen_of(TABLE)), Photo(WIDE, seen_of(other, ASIDE))], OURS, 0)
    assert foreign == (1,)


def test_the_same_cards_laid_out_anew_are_refused() -> None:
    rng = np.random.default_rng(3)
    moved = [
        replace(card, x=150.0 + 280 * (i % 4), y=180.0 + 270 * (i // 4), angle=float(rng.uniform(0, 6)))
        for i, card in enumerate(TABLE)
    ]
    _, foreign = merge([Photo(WIDE, seen_of(TABLE)), Photo(WIDE, seen_of(moved))], OURS, 0)
    assert foreign == (1,)


@pytest.mark.parametrize("cards", [[], TABLE[:1]])
def test_too_few_cards_tell_nothing(cards: list[Laid]) -> None:
    _, foreign = merge([Photo(WIDE, seen_of(TABLE)), Photo(WIDE, seen_of(cards))], OURS, 0)
    assert foreign == (1,)
    found, foreign = merge([Photo(WIDE, seen_of(cards)), Photo(WIDE, seen_of(cards))], OURS, 0)
    assert len(found.cards) == len(cards)
    assert foreign == (1,)


def test_the_best_photo_is_the_surest() -> None:
    faint = seen_of(TABLE)
    faint = faint._replace(ends=replace(faint.ends, scores=np.full(len(faint.ends), 0.4)))
    photos = [Photo(WIDE, faint), Photo(WIDE, seen_of(TABLE)), Photo(WIDE, seen_of(TABLE[:4]))]
    assert best_photo(photos, OURS) == 1


@dataclass
class Told(Reader):
    """A reader that is told what each photo shows, by the photo's name."""

    table: dict[str, Seen]

    def __post_init__(self) -> None:
        def no_network(picture: np.ndarray) -> Peaks:
            raise AssertionError("nothing is left to find")

        super().__init__(networks=Networks(no_network, faces_network(), CLASSES, 1.0, 20.0, "told"))

    def shoot(self, name: str, data: bytes, taught: str, taught_dir: object) -> Shot:
        return Shot(name, Picture(data), self.table[name], 0.0)


class Picture(Views):
    """Plain grey of the usual size."""

    def __init__(self, data: bytes) -> None:
        self.seconds = 0.0

    @property
    def size(self) -> tuple[int, int]:
        return WIDE

    def at_least(self, scale: float) -> tuple[np.ndarray, float]:
        return np.full((90, 120, 3), 128, np.uint8), 0.1


def read(first: Seen, second: Seen, base: int | None = None) -> tuple[Reading, ...]:
    reader = Told({"a": first, "b": second})
    return reader.read_together([b"", b""], names=["a", "b"], base=base)


def test_a_reading_of_two_photos_says_where_each_shows_every_card() -> None:
    first, second = seen_of(TABLE), seen_of(TABLE[:-1], ASIDE)
    (found,) = read(first, second, base=1)
    assert (found.file, [photo.file for photo in found.photos]) == ("b", ["b", "a"])
    assert Counter(card.code for card in found.cards) == Counter(card.code for card in TABLE)
    answer = reading_json(found)
    assert answer["photos"] == [{"file": name, "width": 1200, "height": 900} for name in "ba"]
    seen = [card for card in found.cards if [look.file for look in card.looks] == ["a"]]
    assert [card.review for card in seen] == [True]
    assert seen[0].code == "s2"
    for card in found.cards:
        for look in card.looks:
            middle = look.ends[0].quad.mean(axis=0)
            back = apply_homography(ASIDE, middle) if look.file == "a" else middle
            nearest = min(np.linalg.norm(back - end.quad.mean(axis=0)) for end in card.ends)
            assert nearest < 1


def test_a_photo_of_other_cards_is_read_by_itself_and_said_so() -> None:
    other = [Laid(code, 100 + 120 * i, 300) for i, code in enumerate(["b1", "b3", "s4", "s4"])]
    found, alone = read(seen_of(TABLE), seen_of(other))
    assert (found.file, found.photos, len(found.cards)) == ("a", (), len(TABLE))
    assert APART not in found.warnings
    assert (alone.file, alone.warnings[0]) == ("b", APART)
    assert Counter(card.code for card in alone.cards) == Counter(card.code for card in other)
    assert "photos" not in reading_json(alone)


def test_light_of_another_colour_is_no_other_paper() -> None:
    first, second = seen_of(TABLE), seen_of(TABLE, ASIDE)
    second.faces.paper[:] += [5.0, 12.0, -9.0]
    found, _ = merge([Photo(WIDE, first), Photo(WIDE, second)], OURS, 0)
    assert np.abs(found.paper).max() < 1e-6


def test_ends_of_both_photos_make_the_card_whole() -> None:
    """Each photo shows another end of the lone card: together they are one card with both ends."""
    ends, owners = true_ends(TABLE)
    lone = [i for i, owner in enumerate(owners) if owner == len(TABLE) - 1]
    seen = seen_of(TABLE)
    photos = []
    for hidden in lone:
        kept = np.array([i for i in range(len(ends)) if i != hidden])
        photos.append(Photo(WIDE, Seen(seen.ends.take(kept), seen.faces.take(kept), seen.log_faces[kept])))
    found, _ = merge(photos, OURS, 0)
    assert len(found.cards) == len(TABLE)
    assert found.looks.tolist() == [2] * len(TABLE)
    where = quad_centre(ends.quads[lone])
    (card,) = [
        card
        for card in found.cards
        if np.linalg.norm(quad_centre(found.ends.quads[card.ends[0]]) - where, axis=1).min() < 1
    ]
    assert len(card.ends) == 2


def test_a_map_folds_nothing_from_behind_the_camera_into_the_photo() -> None:
    from vision.merge import shown

    steep = np.array([[1.0, 0, 0], [0, 1, 0], [0, -2e-3, 1.0]])  # y = 500 is the horizon
    points = np.array([[100.0, 100], [100, 200], [100, 300], [100, 900]])
    assert shown(steep, points, (3000, 3000)).tolist() == [True, True, True, False]


def test_ends_are_mapped_with_their_partners() -> None:
    ends, _ = true_ends(TABLE[:1])
    there = mapped(ends, ASIDE)
    assert isinstance(there, Ends)
    assert np.allclose(there.others[0], quad_centre(there.quads[1]), atol=1.5)
    assert cv2.contourArea(there.quads[0].astype(np.float32)) > 0
