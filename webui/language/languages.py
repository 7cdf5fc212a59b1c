"""The languages of the page: which one a request speaks, and the words of it for templates and scripts."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from flask import Blueprint, Flask, Response, abort, redirect, request, url_for
from flask_babel import Babel, get_translations

LANGUAGES = {"zh-Hans": "简体", "zh-Hant": "繁體", "en": "English", "vi": "Tiếng Việt"}
"""Tag of the page's `lang`, of the cookie and of `scorer.Names.get`, and the language's own name."""

SHORT = {"zh-Hans": "简", "zh-Hant": "繁", "en": "EN", "vi": "VI"}
"""The same where there is little room."""

FALLBACK = "en"
"""For browsers that ask for none of them."""

COOKIE = "language"
COOKIE_SECONDS = 400 * 24 * 3600
"""The longest that browsers keep a cookie."""

_WISHES = {"zh-hans": "zh-Hans", "zh-hant": "zh-Hant", "zh-tw": "zh-Hant", "zh-hk": "zh-Hant", "zh-mo": "zh-Hant",
           "zh": "zh-Hans", "en": "en", "vi": "vi"}  # fmt: skip
"""How a browser's wish begins, the longer beginnings first."""

blueprint = Blueprint("languages", __name__)


def language() -> str:
    """The tag of this request: the chosen one, else the first of the browser's that the page speaks, else English."""
    chosen = request.cookies.get(COOKIE, "")
    if chosen in LANGUAGES:
        return chosen
    wishes = [f"{wish.lower()}-" for wish, quality in request.accept_languages if quality]
    known = (tag for wish in wishes for start, tag in _WISHES.items() if wish.startswith(f"{start}-"))
    return next(known, FALLBACK)


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
    Babel(app, default_locale=FALLBACK, locale_selector=_babel_locale)
    app.register_blueprint(blueprint)

    @app.context_processor
    def words() -> dict[str, object]:
        return {"language": language(), "languages": LANGUAGES, "short_language": SHORT}

    @app.after_request
    def vary(answer: Response) -> Response:
        if answer.mimetype in ("text/html", "application/json"):
            answer.headers.add("Vary", "Cookie, Accept-Language")
        return answer
