"""The drawn faces: every card of every deck, told apart, named, in well-formed SVG."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from flask.testing import FlaskClient

import scorer
from tests.webui.page import make_app, reading
from webui.shell import faces_svg

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def client(tmp_path: Path) -> FlaskClient:
    return make_app(tmp_path, reading([])).test_client()


@pytest.mark.parametrize("deck", scorer.deck_ids())
def test_the_sprite_has_every_face_with_its_name(client: FlaskClient, deck: str) -> None:
    answer = client.get(f"/faces/{deck}.svg")
    assert answer.mimetype == "image/svg+xml"
    assert answer.cache_control.max_age
    symbols = ElementTree.fromstring(answer.get_data()).findall(f"{SVG}symbol")
    names = {symbol.get("id"): symbol.findtext(f"{SVG}title") for symbol in symbols}
    assert names == {face.code: face.name.hans for face in scorer.deck(deck).faces}


@pytest.mark.parametrize("deck", scorer.deck_ids())
def test_no_two_faces_look_alike(deck: str) -> None:
    drawings = [faces_svg.drawing(deck, face.code) for face in scorer.deck(deck).faces]
    assert len(set(drawings)) == len(drawings)


@pytest.mark.parametrize("deck", scorer.deck_ids())
def test_one_card_is_a_picture_of_its_own(client: FlaskClient, deck: str) -> None:
    code = scorer.deck(deck).faces[-1].code
    root = ElementTree.fromstring(client.get(f"/faces/{deck}/{code}.svg").get_data())
    assert (root.get("width"), root.get("viewBox")) == ("240", "0 0 60 120")
    assert client.get(f"/faces/{deck}/x9.svg").status_code == 404
    assert client.get("/faces/tarot.svg").status_code == 404
    assert client.get("/faces/tarot/rK.svg").status_code == 404


@pytest.mark.parametrize("face", [face for face in scorer.deck("chuanpai").faces if "-" in face.code])
def test_pips_of_a_domino_are_those_of_its_code(face: scorer.Face) -> None:
    """Twice the pips of both numbers, the red ones as RULES 2.1 counts them."""
    left, right = (int(number) for number in face.code.split("-"))
    inks = re.findall(r'<ellipse[^>]*fill="(#\w+)"', faces_svg.drawing("chuanpai", face.code))
    red = sum(number for number in (left, right) if number in (1, 4)) if left + right < 12 else 6
    assert len(inks) == 2 * (left + right)
    assert inks.count(faces_svg.RED) == 2 * red


def test_colours_tell_the_four_suits() -> None:
    papers = {colour: faces_svg.drawing("sise", f"{colour}K").split('fill="')[1][:7] for colour in "rygw"}
    assert papers == faces_svg.SISE_PAPER
