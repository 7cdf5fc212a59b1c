"""简体, 繁體 and English: which one a request speaks, and the words of it for templates and scripts."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from flask import Blueprint, Flask, Response, abort, redirect, request, url_for
from flask_babel import Babel, get_translations

LANGUAGES = {"zh-Hans": "简体", "zh-Hant": "繁體", "en": "English"}
"""Tag of the page's `lang`, of the cookie and of `scorer.Names.get`, and the language's own name."""

DEFAULT = "zh-Hans"
COOKIE = "language"
COOKIE_SECONDS = 400 * 24 * 3600
"""The longest that browsers keep a cookie."""

_TRADITIONAL = ("zh-tw", "zh-hk", "zh-mo", "zh-hant")

blueprint = Blueprint("languages", __name__)


def language() -> str:
    """The tag of this request: the chosen one, else 繁體 where the browser asks for it, else 简体."""
    chosen = request.cookies.get(COOKIE, "")
    if chosen in LANGUAGES:
        return chosen
    for wish, _ in request.accept_languages:
        if wish.lower().startswith(_TRADITIONAL):
            return "zh-Hant"
        if wish.lower().startswith("zh"):
            return DEFAULT
    return DEFAULT


def _babel_locale() -> str:
    return language().replace("-", "_")


def messages(texts: Iterable[str]) -> dict[str, str]:
    """These English texts in the request's language; `{name}` in one is filled in by who shows it."""
    catalogue: dict[object, str] = getattr(get_translations(), "_catalog", {})
    return {text: catalogue[text] for text in texts if catalogue.get(text, text) != text}


def _back() -> str:
    """Where to go after a change of language: the page that asked, never another site."""
    target = urlsplit(request.args.get("next", ""))
    plain = target.path.startswith("/") and not target.path.startswith("//") and "\\" not in target.path
    if target.scheme or target.netloc or not plain:
        return url_for("scan.page")
    return target.path + (f"?{target.query}" if target.query else "")


@blueprint.get("/language/<tag>")
def choose(tag: str) -> Response:
    """Remember the language and go back to the page."""
    if tag not in LANGUAGES:
        abort(404)
    answer = redirect(_back())
    answer.set_cookie(COOKIE, tag, max_age=COOKIE_SECONDS, samesite="Lax", secure=request.is_secure)
    assert isinstance(answer, Response)
    return answer


def init_app(app: Flask) -> None:
    """Give `app` its languages."""
    Babel(app, default_locale=DEFAULT.replace("-", "_"), locale_selector=_babel_locale)
    app.register_blueprint(blueprint)

    @app.context_processor
    def words() -> dict[str, object]:
        return {"language": language(), "languages": LANGUAGES}

    @app.after_request
    def vary(answer: Response) -> Response:
        if answer.mimetype in ("text/html", "application/json"):
            answer.headers.add("Vary", "Cookie, Accept-Language")
        return answer
