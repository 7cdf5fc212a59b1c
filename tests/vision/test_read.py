"""The whole way with networks that know the scene: from JPEG bytes to piles, JSON and remarks."""

import json
import math
from collections import Counter
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.painted import SIZE, faces_network, networks_for, photo_of
from tests.vision.world import Laid, peaks_of, true_ends
from vision import PhotoError, Reader, Reading, reading_json
from vision.cards import Card
from vision.decide import Verdict
from vision.ends import MOST_ENDS, Ends, Peaks, join, no_ends
from vision.faces import FaceAnswer
from vision.geometry import end_quad
from vision.merge import Found
from vision.photo import Image
from vision.read import LONE_ODDS, LONE_UPON, LONE_VISIBLE, lone_odds
from vision.remarks import (
    NO_CARD,
    OTHER_DECK,
    SPREAD,
    TOO_MANY,
    Light,
    burnt_share,
    colourless,
    edge_widths,
    light_of,
    remarks,
)

HAND = [
    *(Laid(code, 120 + 66 * i, 200) for i, code in enumerate(["s1", "s2", "s3"])),
    *(Laid("b2", 500, 160 + 52 * i) for i in range(3)),
    *(Laid(code, 768 - 16 * i, 200, 0.4 + 1.1 * i) for i, code in enumerate(["s5", "b3"])),
    Laid("b1", 200, 640, 2.4),
]


def read(cards: list[Laid], deck: str = "auto", table: int = 70) -> Reading:
    return Reader(networks=networks_for(cards)).read(photo_of(cards, table=table), name="hand.jpg", deck=deck)


def test_a_hand_is_read_whole() -> None:
    reading = read(HAND)
    assert (reading.file, reading.width, reading.height, reading.deck) == ("hand.jpg", *SIZE, "zipai")
    assert Counter(card.code for card in reading.cards) == Counter(card.code for card in HAND)
    assert not any(card.review for card in reading.cards)
    assert min(card.confidence for card in reading.cards) > 0.95
    assert reading.others == ()
    assert reading.warnings == ()
    piles = [[card.code for card in reading.cards if card.pile == k] for k in range(4)]
    assert sorted(piles) == [["b1"], ["b2", "b2", "b2"], ["b3", "s5"], ["s1", "s2", "s3"]]


def test_whole_cards_show_two_ends_at_their_true_places() -> None:
    card = Laid("s1", 400, 300, 0.7)
    (seen,) = read([card]).cards
    assert len(seen.ends) == 2
    centres = sorted(tuple(end.quad.mean(axis=0)) for end in seen.ends)
    assert np.allclose(centres, sorted(map(tuple, card.end_centres())), atol=0.5)
    assert np.linalg.norm(seen.ends[0].quad[0] - seen.ends[0].quad[1]) == pytest.approx(60, abs=0.5)


def test_json_is_what_the_contract_says() -> None:
    answer = json.loads(json.dumps(reading_json(read(HAND))))
    assert list(answer) == [
        "file",
        "width",
        "height",
        "deck",
        "cards",
        "others",
        "warnings",
        "remarks",
        "timing_ms",
    ]
    assert set(answer["timing_ms"]) == {"decode", "ends", "faces", "total"}
    assert sum(answer["timing_ms"].values()) == pytest.approx(2 * answer["timing_ms"]["total"], rel=0.02)
    first = answer["cards"][0]
    assert set(first) == {"code", "name", "confidence", "review", "alternatives", "ends", "pile"}
    assert first["name"] in "一二三"
    assert first["alternatives"][0][0] == first["code"]
    assert np.array(first["ends"][0]["quad"]).shape == (4, 2)
    assert 0 <= first["ends"][0]["score"] <= 1


def test_a_card_face_down_is_other() -> None:
    reading = read([Laid("s1", 200, 300), Laid("back", 500, 300)])
    assert [card.code for card in reading.cards] == ["s1"]
    assert len(reading.others) == 2


def test_a_table_without_cards() -> None:
    reading = read([], table=150)
    assert (reading.deck, reading.cards, reading.others) == (None, (), ())
    assert reading.warnings == (NO_CARD,)
    assert reading_json(reading)["deck"] is None


def test_five_copies_are_marked() -> None:
    reading = read([Laid("s1", 100 + 100 * i, 300) for i in range(5)])
    assert [card.code for card in reading.cards] == ["s1"] * 5
    assert sum(card.review for card in reading.cards) == 1
    assert TOO_MANY in reading.warnings


def test_faint_ends_are_marked() -> None:
    reading = read([Laid("s1", 200, 300, heat=0.35), Laid("s2", 400, 300)])
    assert {card.code: card.review for card in reading.cards} == {"s1": True, "s2": False}


def alone(
    places: list[tuple[float, float]], heat: list[float], whole: Laid | None = None, visible: float = 1.0
) -> Found:
    """Cards of which one end is seen, pointing up at these places, after a whole card."""
    ends, _ = true_ends([whole]) if whole else (no_ends(), [])
    n = len(places)
    quads = np.stack([end_quad(place, (0, -1), 60, 60, 0) for place in places])
    singles = Ends(quads, np.array(heat), np.array(places) + np.array([0, 150]), np.full(n, visible))
    cards = [*([Card((0, 1))] if whole else []), *(Card((len(ends) + i,)) for i in range(n))]
    m = len(cards)
    return Found(
        join([ends, singles]),
        tuple(cards),
        np.array([1.0] * (m - n) + heat),
        np.zeros((m, 2)),
        np.zeros((m, 3)),
        ((),) * m,
        np.zeros(m, dtype=np.intp),
    )


def test_heat_and_confidence_of_a_single_end_make_up_for_each_other() -> None:
    found = alone([(100, 100), (300, 100), (500, 100)], [0.3, 0.3, 0.7], visible=0.6)
    odds = lone_odds(found, [Verdict("s1", confidence, False, ()) for confidence in (0.6, 0.99, 0.6)])
    assert (odds > LONE_ODDS).tolist() == [False, True, True]


def test_a_single_end_of_which_less_shows_is_believed_less() -> None:
    verdict = Verdict("s1", 0.8, False, ())
    (much,) = lone_odds(alone([(100, 100)], [0.5], visible=0.9), [verdict])
    (little,) = lone_odds(alone([(100, 100)], [0.5], visible=0.4), [verdict])
    assert little == pytest.approx(much + LONE_VISIBLE * (np.log(0.4 / 0.6) - np.log(0.9 / 0.1)))
    assert little < LONE_ODDS < much


def test_an_end_on_the_body_of_a_sure_card_is_believed_less() -> None:
    """A mark in the middle of a card looks like an end; what is no card of the deck takes no belief away."""
    whole = Laid("s1", 300, 300)
    sure, mark, apart = (
        Verdict("s1", 0.99, False, ()),
        Verdict("s2", 0.8, False, ()),
        Verdict(None, 0.9, False, ()),
    )
    found = alone([(300, 300), (600, 300)], [0.5, 0.5], whole)
    _, upon, beside = lone_odds(found, [sure, mark, mark])
    assert upon == pytest.approx(beside + LONE_UPON)
    _, upon, beside = lone_odds(found, [apart, mark, mark])
    assert upon == beside


def test_a_faint_single_end_must_be_the_surer() -> None:
    """A card with both ends seen needs to be neither hot nor sure."""
    cascade = [Laid("s1", 300, 200, heat=0.3), Laid("s2", 300, 250)]
    assert {card.code: card.review for card in read(cascade).cards} == {"s1": True, "s2": False}
    unsure = replace(networks_for(cascade), temperature=3.0)
    (seen,) = Reader(networks=unsure).read(photo_of(cascade)).cards
    assert (seen.code, len(seen.ends)) == ("s2", 2)


def test_where_nothing_stands_out_there_is_no_card() -> None:
    reading = read([Laid("s1", 200, 300, heat=0.35), Laid("s2", 400, 300, heat=0.35)])
    assert (reading.deck, reading.cards) == (None, ())


def test_few_cards_must_be_surer_than_many() -> None:
    """One thing that looks a little like a card is no card; three of them are."""
    dim = [Laid(code, 200 + 100 * i, 300, heat=0.7) for i, code in enumerate(["s1", "s2", "s3"])]
    assert read(dim[:2]).cards == ()
    assert len(read(dim).cards) == 3
    assert len(read([replace(dim[0], heat=0.8)]).cards) == 1


def test_the_deck_may_be_named_and_must_exist() -> None:
    assert read([Laid("s1", 200, 300)], deck="zipai").deck == "zipai"
    with pytest.raises(PhotoError, match="no deck 'tarot'"):
        read([], deck="tarot")


def test_a_bad_photo_is_a_photo_error() -> None:
    with pytest.raises(PhotoError) as caught:
        Reader(networks=networks_for([])).read(b"text", name="x.jpg")
    assert caught.value.code == "not_an_image"


def test_reading_twice_gives_the_same() -> None:
    first, second = reading_json(read(HAND)), reading_json(read(HAND))
    assert first["cards"] == second["cards"]


@pytest.mark.parametrize(("sure", "looks"), [(9.0, 4), (3.0, 8)])
def test_the_second_end_of_a_card_is_looked_at_only_where_the_first_leaves_a_doubt(
    sure: float, looks: int
) -> None:
    laid = [Laid(code, 200 + 250 * i, 400) for i, code in enumerate(("s1", "s2", "b1", "b2"))]
    networks = networks_for(laid)
    crops: list[np.ndarray] = []

    def counting(given: np.ndarray) -> FaceAnswer:
        crops.extend(given)
        return faces_network(sure)(given)

    reading = Reader(networks=replace(networks, faces=counting)).read(photo_of(laid))
    assert [card.code for card in reading.cards] == ["s1", "s2", "b1", "b2"]
    assert all(len(card.ends) == 2 for card in reading.cards)
    assert len(crops) == looks


def test_a_second_end_is_looked_at_where_the_first_lay_the_other_way_up() -> None:
    """Then the places of both have not told what they seemed to."""
    laid = [Laid("s1", 400, 400)]
    networks = networks_for(laid)
    crops: list[np.ndarray] = []

    def turned_once(given: np.ndarray) -> FaceAnswer:
        crops.extend(given)
        answer = faces_network()(given)
        return answer._replace(upside_down=np.full(len(given), 0.9 if len(crops) == 1 else 0.1, np.float32))

    Reader(networks=replace(networks, faces=turned_once)).read(photo_of(laid))
    assert len(crops) == 3  # the first end, the same the other way up, the second


def test_a_large_photo_is_read_in_its_own_pixels() -> None:
    size = (3600, 2700)
    cards = [Laid(k.code, 3 * k.x, 3 * k.y, k.angle, 3 * k.width, 3 * k.length) for k in HAND]
    reading = Reader(networks=networks_for(cards, size)).read(photo_of(cards, size))
    assert Counter(card.code for card in reading.cards) == Counter(card.code for card in HAND)
    centre = reading.cards[0].ends[0].quad.mean(axis=0)
    true = np.concatenate([card.end_centres() for card in cards])
    assert np.linalg.norm(true - centre, axis=1).min() < 3


def codes_of(reading: Reading) -> set[str]:
    """The codes of what is said of how a photo was taken."""
    assert {remark.message for remark in reading.remarks} <= set(reading.warnings)
    return {remark.code for remark in reading.remarks}


def test_remarks_on_the_photo() -> None:
    assert "cut_off" in codes_of(read([Laid("s1", 300, 80), Laid("s2", 500, 300)]))
    assert read([], table=5).warnings[0] == NO_CARD
    assert "dark" in codes_of(read([], table=5))
    small = [Laid("s1", 300 + 40 * i, 300, width=22, length=80) for i in range(3)]
    assert "small" in codes_of(read(small))


def test_remarks_stand_in_the_json_with_their_codes() -> None:
    reading = read([Laid("s1", 300, 80), Laid("s2", 500, 300)])
    answer = reading_json(reading)
    said = [remark["message"] for remark in answer["remarks"]]  # type: ignore[attr-defined]
    assert said
    assert set(said) <= set(reading.warnings)


def test_another_deck_than_the_named_one_is_said() -> None:
    cards = [Laid(code, 100 + 110 * i, 300) for i, code in enumerate(["s1", "s2", "s3", "b1", "b2", "b3"])]
    for deck, codes in (("sise", {"other_deck"}), ("zipai", set())):
        reading = Reader(networks=networks_for(cards)).read(photo_of(cards), deck=deck)
        assert codes_of(reading) & {"other_deck"} == codes
    assert (
        OTHER_DECK["zipai"] in Reader(networks=networks_for(cards)).read(photo_of(cards), deck="sise").remarks
    )


def test_glare_is_none_on_white_paper() -> None:
    crops = np.full((2, 96, 64, 3), 200, np.uint8)
    crops[0, 20:45, 15:40] = 255
    crops[1] = 255
    assert (burnt_share(crops) > 0.15).tolist() == [True, False]


def written(paper: int, ink: int) -> tuple[Ends, Image]:
    """Four ends with their crops: crosses of two strokes on paper."""
    ends, _ = true_ends([Laid("s1", 200, 300), Laid("s2", 400, 300)])
    crops = np.full((len(ends), 96, 64, 3), paper, np.uint8)
    crops[:, 15:55, 28:36] = ink
    crops[:, 31:39, 12:52] = ink
    return ends, crops


def test_the_paper_tells_darkness_and_not_the_table() -> None:
    black, white = np.zeros((96, 96, 3), np.uint8), np.full((96, 96, 3), 255, np.uint8)
    assert not light_of(black, *written(220, 30)).dark
    assert light_of(white, *written(80, 20)).dark


def test_a_shake_in_one_direction_blurs_and_fine_print_does_not() -> None:
    table = np.zeros((96, 96, 3), np.uint8)
    ends, crops = written(220, 30)
    assert not light_of(table, ends, crops).blurred
    shaken = np.stack([cv2.blur(crop, (9, 1)) for crop in crops])
    assert light_of(table, ends, shaken).blurred
    widths = edge_widths(shaken, ends.quads)
    assert np.nanmax(widths) > 2 * np.nanmin(widths)


def test_one_tint_all_over_is_no_colour() -> None:
    rng = np.random.default_rng(0)
    grey = rng.integers(20, 230, (40, 40, 1)).astype(np.uint8).repeat(3, axis=2)
    sepia = np.clip(grey * np.array([1.05, 1.0, 0.9]), 0, 255).astype(np.uint8)
    red = grey.copy()
    red[:8, :8, 1:] //= 3
    assert (colourless(grey), colourless(sepia), colourless(red)) == (True, True, False)


def test_a_hand_held_too_tight_should_be_spread() -> None:
    ends, crops = written(220, 30)
    tight = replace(ends, visible=np.array([0.3, 0.4, 0.9, 0.9]))
    light = Light(dark=False, blurred=False, colourless=False)
    assert SPREAD in remarks(light, (600, 600), tight, crops)
    assert SPREAD not in remarks(light, (600, 600), ends, crops)


@pytest.mark.parametrize(("level", "codes"), [(150, set()), (30, {"dark"})])
def test_without_cards_only_darkness_is_said(level: int, codes: set[str]) -> None:
    assert codes_of(read([], table=level)) == codes


def test_angles_of_all_cards() -> None:
    cards = [Laid("s1", 150 + 250 * (i % 4), 200 + 420 * (i // 4), i * math.pi / 4) for i in range(8)]
    reading = read([Laid(code, k.x, k.y, k.angle) for k, code in zip(cards, ["s1", "s2"] * 4, strict=True)])
    assert Counter(card.code for card in reading.cards) == {"s1": 4, "s2": 4}
    assert all(len(card.ends) == 2 for card in reading.cards)


@pytest.mark.parametrize("size", [(1, 1), (4000, 1), (2, 3000), (31, 33)])
def test_pictures_of_odd_shapes_are_read_without_a_crash(size: tuple[int, int]) -> None:
    reading = Reader(networks=networks_for([], size)).read(photo_of([], size))
    assert (reading.width, reading.height, reading.cards) == (*size, ())


def test_a_network_that_sees_ends_everywhere_ends_in_others() -> None:
    """Noise for maps: no crash, no hang, and plain table is no card."""
    rng = np.random.default_rng(0)

    def noise(picture: np.ndarray) -> Peaks:
        return peaks_of(
            rng.normal(0, 1, (11, picture.shape[1] // 4, picture.shape[2] // 4)).astype(np.float32)
        )

    networks = replace(networks_for([]), ends=noise)
    reading = Reader(networks=networks).read(photo_of([], table=150))
    assert reading.cards == ()
    assert 50 < len(reading.others) <= MOST_ENDS
