"""Styles, scripts, drawn cards and words go over the line packed, in a third of the bytes; pages unindented.

Scripts leave their comments and indentation at home: both are for who reads them, as are types written in comments.
"""

from __future__ import annotations

import gzip
import re

from flask import Flask, Response, request
from jinja2.ext import Extension

PACKED = ("static", "faces.deck_sprite", "shell.page_words")
"""Endpoints whose texts are the same for everybody: a page that holds a token must not be packed (BREACH)."""

TEXTS = ("text/css", "text/javascript", "image/svg+xml", "application/json")

_FOR_READERS = re.compile(r"(?m)^[ \t]*(?:/\*\*(?:[^*]|\*(?!/))*\*/[ \t]*$|//.*$)|^[ \t]+")


class Unindented(Extension):
    """Templates without the blanks at the beginning of their lines, which are there for who reads the templates."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """The text of a template as the page has it."""
        return re.sub(r"(?m)^[ \t]+", "", source)


def bare(script: str) -> str:
    """A script without comments that have lines of their own and without indentation; its lines keep their numbers."""
    return _FOR_READERS.sub(lambda found: "\n" * found[0].count("\n"), script)


def _may_be_packed(answer: Response) -> bool:
    return (
        request.endpoint in PACKED
        and answer.status_code == 200
        and answer.mimetype in TEXTS
        and answer.content_encoding is None
    )


def init_app(app: Flask) -> None:
    """Send pages without indentation, and what is the same for everybody packed to who takes it so."""
    app.jinja_env.add_extension(Unindented)

    @app.after_request
    def pack(answer: Response) -> Response:
        if not _may_be_packed(answer):
            return answer
        answer.vary.add("Accept-Encoding")
        answer.direct_passthrough = False
        if answer.mimetype == "text/javascript":
            answer.set_data(bare(answer.get_data(as_text=True)))
        if request.accept_encodings.quality("gzip") > 0:
            answer.set_data(gzip.compress(answer.get_data(), mtime=0))
            answer.content_encoding = "gzip"
        return answer
