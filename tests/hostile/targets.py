"""What is fed with any bytes at all: each target takes them and ends, or refuses them in one of our own errors."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable, Mapping
from functools import cache

import numpy as np
import pillow_heif
from flask import Flask
from PIL import Image

import scorer
from tests.hostile.pictures import gradient, layers, saved
from vision.header import PhotoError
from vision.photo import Views, open_photo
from webui import create_app
from webui.games.files import read_file
from webui.ledger.errors import LedgerError
from webui.scanning.pictures import BadPicture, small_jpeg

FEW_PIXELS = 4_000_000
"""More would only make each try slower: how many there may be is tested elsewhere."""


def photo(data: bytes) -> None:
    """The photo reader, up to the pixels at two sizes."""
    try:
        opened = open_photo(data)
        if opened.width * opened.height <= FEW_PIXELS:
            views = Views(opened)
            views.at_least(0.4)
            full, _ = views.at_least(1.0)
            assert full.shape == (opened.height, opened.width, 3)
            assert full.dtype == np.uint8
    except PhotoError as error:
        assert_is_a_sentence(str(error))


def picture(data: bytes) -> None:
    """A picture of a card, as it is kept."""
    try:
        small_jpeg(data)
    except BadPicture as error:
        assert_is_a_sentence(str(error))


def notation(data: bytes) -> None:
    """The parser of hands: what it reads, it writes and reads again."""
    rules = scorer.rule_ids()
    which, text = rules[data[0] % len(rules)] if data else rules[0], data[1:2001].decode("utf-8", "replace")
    try:
        hand = scorer.parse_hand(text, which)
    except scorer.ScorerError as error:
        assert_is_a_sentence(str(error))
        return
    again = scorer.write_hand(hand)
    assert scorer.write_hand(scorer.parse_hand(again, which)) == again


@cache
def _app() -> Flask:
    """An application for the languages of a file's headings."""
    return create_app({"DATA_DIR": tempfile.mkdtemp(prefix="paiyan-target."), "SECRET_KEY": "k" * 32})


def table(data: bytes) -> None:
    """A saved table that is brought in, JSON or CSV."""
    try:
        with _app().test_request_context():
            read_file(data)
    except LedgerError as error:
        assert_is_a_sentence(str(error))


def assert_is_a_sentence(text: str) -> None:
    """One that can be shown: a line of text, not too long, that can be encoded."""
    assert text
    assert len(text) < 5000
    text.encode("utf-8")


def photo_seeds() -> list[bytes]:
    """A small picture of every kind that is read."""
    image = Image.fromarray(gradient())
    target = io.BytesIO()
    pillow_heif.from_pillow(image).save(target, quality=50)
    turned = [saved(image, kind, 6) for kind in ("JPEG", "PNG", "WEBP")]
    return [*turned, layers(8000, 2), target.getvalue(), saved(image.convert("CMYK"), "JPEG")]


TARGETS: Mapping[str, Callable[[bytes], None]] = {
    "photo": photo,
    "picture": picture,
    "notation": notation,
    "table": table,
}
