"""How large a request may be, by what it is for, and how much of that the fields of its form may hold."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Flask, request

MB = 1024 * 1024

CATALOGUE_BYTES = 12 * MB
"""A deck of 600 cards, each with its picture as text, which is 5 kB, and four times as much where it is a busy one."""

FORM_BYTES: Mapping[str, int] = {"decks.save": CATALOGUE_BYTES, "decks.add": CATALOGUE_BYTES}
"""By endpoint; every other form has Flask's own limit."""

BODY_BYTES: Mapping[str, int] = {
    "games.bring": 25 * MB,  # a table of a thousand rounds with all their pictures
    "games.add_counted": 8 * MB,  # the pictures of a hand's cards; 21 usual ones are a twentieth
    "decks.learn": 8 * MB,
    "decks.count": 2 * MB,
}
"""By endpoint; what no photo is sent to, and that is not named here, takes `WORDS_BYTES`."""

WORDS_BYTES = MB // 2

WITH_PHOTOS = frozenset(
    {"api.read", "api.picture", "decks.read", "decks.save", "decks.add", "decks.change"}
    | {"examples.keep", "examples.take"}
)
"""What photos are sent to takes what the application takes at most."""


def init_app(app: Flask) -> None:
    """Set the limits of a request before anything looks into its body: so before CSRFProtect does."""

    @app.before_request
    def limit() -> None:
        endpoint = request.endpoint or ""
        if endpoint not in WITH_PHOTOS:
            request.max_content_length = BODY_BYTES.get(endpoint, WORDS_BYTES)
        if most := FORM_BYTES.get(endpoint):
            request.max_form_memory_size = most
