"""How much the fields of a form may hold beside its files, for the forms that hold more than words."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Flask, request

CATALOGUE_BYTES = 12 * 1024 * 1024
"""A deck of 600 cards, each with its picture as text, which is 5 kB, and four times as much where it is a busy one."""

FORM_BYTES: Mapping[str, int] = {"decks.save": CATALOGUE_BYTES, "decks.add": CATALOGUE_BYTES}
"""By endpoint; every other form has Flask's own limit."""


def init_app(app: Flask) -> None:
    """Set the limits of a request before anything looks into its form: so before CSRFProtect does."""

    @app.before_request
    def limit() -> None:
        most = FORM_BYTES.get(request.endpoint or "")
        if most is not None:
            request.max_form_memory_size = most
