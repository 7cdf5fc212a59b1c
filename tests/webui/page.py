"""What the tests of the page share: an application whose networks are a lambda, and hands of the rules' vectors."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from flask import Flask
from flask.testing import FlaskClient

import vision
from tests.readers import EachAlone
from webui import create_app

LANGUAGES = ("zh-Hans", "zh-Hant", "en", "vi")

E_02 = "rK rA rB rR rN rC rP yP gP yN yN yN gK gA gA wB wB wR wR wC wC"
"""RULES E-02: exactly ten 胡, one from each other player."""

E_03 = "碰(yN yN yN) rK rA rB rR rN rC rP yP gP gK gA gA wB wB wR wR wC wC"
"""RULES E-03: eight 胡, a false call."""


class FakeReader(EachAlone):
    """A recogniser that answers what it was made with, or raises it, and remembers how it was asked."""

    def __init__(self, answer: vision.Reading | Exception | Callable[[bytes], vision.Reading]) -> None:
        self.answer = answer
        self.asked: list[tuple[str, str, str]] = []

    def read(
        self, data: bytes, *, name: str, deck: str, taught: str, taught_dir: Path | None
    ) -> vision.Reading:
        self.asked.append((name, deck, taught))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer(data) if callable(self.answer) else self.answer

    def read_together(
        self, data: Sequence[bytes], *, names: Sequence[str], deck: str, taught: str, taught_dir: Path | None
    ) -> tuple[vision.Reading, ...]:
        """The readings without repetition: equal ones are of the same cards."""
        found = super().read_together(data, names=names, deck=deck, taught=taught, taught_dir=taught_dir)
        return tuple(one for n, one in enumerate(found) if not any(one is other for other in found[:n]))


def seen(code: str, place: int, confidence: float = 0.999, pile: int = 0) -> vision.SeenCard:
    """A card of 40 pixels' width in the `place`-th column of the photo."""
    left = 10.0 + 50 * place
    quad = np.array([[left, 20], [left + 40, 20], [left + 40, 60], [left, 60]], float)
    return vision.SeenCard(
        code=code,
        confidence=confidence,
        review=confidence < 0.9,
        alternatives=((code, confidence), ("rP", 1 - confidence)),
        ends=(vision.CardEnd(quad, 0.9),),
        pile=pile,
    )


def reading(codes: Sequence[str], deck: str | None = "sise") -> vision.Reading:
    """A reading of these cards in one pile; the second is doubtful."""
    return vision.Reading(
        file="photo-1",
        width=1280,
        height=960,
        deck=deck if codes else None,
        cards=tuple(seen(code, place, 0.62 if place == 1 else 0.999) for place, code in enumerate(codes)),
        others=(),
        warnings=(),
        timing_ms={"decode": 1.0, "ends": 2.0, "faces": 3.0, "total": 6.0},
    )


def make_app(folder: Path, answer: vision.Reading | Exception | Callable[[bytes], vision.Reading]) -> Flask:
    """An application in a folder of its own, whose recogniser answers `answer`."""
    return create_app({"TESTING": True, "DATA_DIR": folder}, reader=FakeReader(answer))


def photo(data: bytes = b"pixels", name: str = "holiday.jpg") -> tuple[io.BytesIO, str]:
    """A file for a form's field."""
    return io.BytesIO(data), name


def speak(client: FlaskClient, language: str) -> FlaskClient:
    """The client with its language chosen."""
    client.set_cookie("language", language)
    return client
