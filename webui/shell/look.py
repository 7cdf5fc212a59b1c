"""How the page looks: light or dark as the phone has it unless one is chosen, and large type."""

from __future__ import annotations

from flask import Flask, request

LOOKS = ("light", "dark")
LARGE = "large"


def look() -> str:
    """The chosen one of `LOOKS`; empty where the phone decides."""
    chosen = request.cookies.get("look", "")
    return chosen if chosen in LOOKS else ""


def type_size() -> str:
    """`LARGE` or empty."""
    return LARGE if request.cookies.get("text") == LARGE else ""


def init_app(app: Flask) -> None:
    """Tell the templates of `app` what was chosen; the page's script sets the cookies."""

    @app.context_processor
    def chosen() -> dict[str, object]:
        return {"look": look(), "type_size": type_size()}
