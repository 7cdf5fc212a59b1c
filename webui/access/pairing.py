"""Pairing: another device must show the code that this computer's terminal shows, once.

Whoever sits at the computer itself (a loopback address) needs none. A paired device keeps a signed cookie with the
number under which it is remembered, until it is forgotten or was not there for two months.
"""

from __future__ import annotations

import secrets
import time
import unicodedata
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import TypeVar

from flask import (
    Blueprint,
    Flask,
    Response,
    after_this_request,
    current_app,
    flash,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from itsdangerous import BadSignature, URLSafeTimedSerializer
from werkzeug.wrappers import Response as BaseResponse

from webui.access.addresses import is_loopback
from webui.games.words import day
from webui.language.said import gettext
from webui.shell.failures import error_object
from webui.store import DamagedDatabase, devices, kept

EXTENSION = "paiyan_pairing"
CODE_DIGITS = 6
COOKIE = "paiyan_device"
COOKIE_SECONDS = 400 * 24 * 3600
"""The longest that browsers keep a cookie."""

WINDOW_SECONDS = 300.0
TRIES_PER_DEVICE = 5
TRIES_TOGETHER = 30
"""Wrong codes of all devices after which there is a fresh, longer one: whoever guesses shuts nobody out."""

FRESH_DIGITS = 8

OPEN_ENDPOINTS = frozenset(
    {"pairing.page", "pairing.enter", "api.healthz", "static", "languages.choose"}
    | {"shell.icon", "shell.manifest", "shell.page_words", "shell.service_worker", "shell.offline"}
)
"""What an unpaired device may see; the page that tells how to trust the certificate adds itself."""

SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "Mac OS": "Mac",
    "Linux": "Linux",
}
BROWSERS = {
    "MicroMessenger": "WeChat",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "Edg": "Edge",
    "SamsungBrowser": "Samsung",
    "Chrome": "Chrome",
    "CriOS": "Chrome",
    "Safari": "Safari",
}
"""By what stands in the name that a browser gives itself, the particular ones first."""

T = TypeVar("T", bound=BaseResponse)

blueprint = Blueprint("pairing", __name__)


@dataclass
class WrongCodes:
    """When each device entered a wrong code, within the last window."""

    clock: Callable[[], float] = time.monotonic
    tries: deque[tuple[float, str]] = field(default_factory=deque)
    lock: Lock = field(default_factory=Lock)

    def too_many(self, device: str) -> bool:
        """True where `device` must wait."""
        with self.lock:
            since = self.clock() - WINDOW_SECONDS
            while self.tries and self.tries[0][0] < since:
                self.tries.popleft()
            own = sum(1 for _, who in self.tries if who == device)
            return own >= TRIES_PER_DEVICE

    def add(self, device: str) -> None:
        """Note a wrong code of `device`."""
        with self.lock:
            self.tries.append((self.clock(), device))


@dataclass
class Pairing:
    """What one running server knows of pairing: its code, the wrong ones, and how it tells who sits at the computer."""

    code: str
    say: Callable[[str], None]
    wrong: WrongCodes = field(default_factory=WrongCodes)
    guesses: int = 0
    lock: Lock = field(default_factory=Lock)

    def refuse(self, device: str) -> None:
        """Note a wrong code; after too many of all devices together there is a fresh code."""
        self.wrong.add(device)
        with self.lock:
            self.guesses += 1
            if self.guesses < TRIES_TOGETHER:
                return
            self.guesses, self.code = 0, new_code(FRESH_DIGITS)
        half = FRESH_DIGITS // 2
        self.say(
            f"Many wrong codes were tried. Pairing code from now on: {self.code[:half]} {self.code[half:]}"
        )


def new_code(digits: int = CODE_DIGITS) -> str:
    """A fresh code, from the system's own randomness."""
    return f"{secrets.randbelow(10**digits):0{digits}d}"


def init_app(app: Flask, code: str, say: Callable[[str], None]) -> None:
    """Let only this computer and paired devices into `app`; `say` tells who sits at it of a fresh code."""
    app.extensions[EXTENSION] = Pairing(code, say)
    app.jinja_env.globals["pairs"] = True
    app.register_blueprint(blueprint)
    app.before_request(_only_paired)


def _serializer() -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(str(current_app.secret_key), salt="paiyan device")


def _is_paired(cookie: str) -> bool:
    try:
        device_id, since = _serializer().loads(cookie, max_age=COOKIE_SECONDS, return_timestamp=True)
    except BadSignature:
        return False
    try:
        return devices.is_paired(kept.store(), str(device_id), _now_ms())
    except DamagedDatabase:  # scanning and counting go on without it
        return bool(_now_ms() - since.timestamp() * 1000 < devices.UNUSED_MS)


def _now_ms() -> int:
    return int(time.time() * 1000)


def let_in() -> bool:
    """Whether the device that asks is let in: this computer, a paired one, or any where nothing guards the door."""
    if EXTENSION not in current_app.extensions or is_loopback(request.remote_addr):
        return True
    return _is_paired(request.cookies.get(COOKIE, ""))


def may_send(app: Flask, address: str, cookies: Mapping[str, str]) -> bool:
    """Whether a device may send more than a form, by what is known before its request is read."""
    if EXTENSION not in app.extensions or is_loopback(address):
        return True
    with app.app_context():
        return _is_paired(cookies.get(COOKIE, ""))


def _only_paired() -> BaseResponse | None:
    opened = OPEN_ENDPOINTS | current_app.extensions.get("paiyan_open_endpoints", frozenset())
    if request.endpoint in opened or is_loopback(request.remote_addr):
        return None
    if let_in():
        if request.endpoint == "scan.page":  # browsers count from the last time that they got it
            after_this_request(lambda answer: _remembered(answer, request.cookies[COOKIE]))
        return None
    if request.path.startswith("/api/") or request.method not in ("GET", "HEAD"):
        return error_object(
            "not_paired", "this device is not paired; open the page on it and enter the code", 403
        )
    return redirect(url_for("pairing.page"))


def _form(status: int, problem: str = "") -> Response:
    return make_response(render_template("pair.html", problem=problem, digits=CODE_DIGITS), status)


@blueprint.get("/pair")
def page() -> BaseResponse:
    """The form for the code; the QR code's address carries it and pairs at once."""
    return _try(request.args["code"]) if "code" in request.args else _form(200)


@blueprint.post("/pair")
def enter() -> BaseResponse:
    """Take the code that was typed."""
    return _try(request.form.get("code", ""))


def _try(code: str) -> BaseResponse:
    pairing: Pairing = current_app.extensions[EXTENSION]
    device = request.remote_addr or ""
    if pairing.wrong.too_many(device):
        return _form(429, "wait")
    typed = "".join(str(unicodedata.decimal(char)) for char in code if char.isdecimal())
    if not secrets.compare_digest(typed.encode(), pairing.code.encode()):
        pairing.refuse(device)
        return _form(403, "wrong")
    device_id = devices.pair(kept.store(), device_name(request.user_agent.string), _now_ms())
    return _remembered(redirect(url_for("scan.page")), _serializer().dumps(device_id))


def _remembered(answer: T, cookie: str) -> T:
    """The answer with the cookie of a paired device."""
    answer.set_cookie(
        COOKIE, cookie, max_age=COOKIE_SECONDS, httponly=True, samesite="Lax", secure=request.is_secure
    )
    return answer


def device_name(agent: str) -> str:
    """What a device says it is: its system and its browser.

    >>> device_name("Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Safari/604.1")
    'iPhone, Safari'
    """
    system = next((name for mark, name in SYSTEMS.items() if mark in agent), "?")
    browser = next((name for mark, name in BROWSERS.items() if mark in agent), "?")
    return f"{system}, {browser}"


@blueprint.get("/devices")
def list_devices() -> str:
    """The devices that are paired, each with a button that forgets it."""
    return render_template("devices.html", devices=devices.listed(kept.store()), day=day)


@blueprint.post("/devices")
def forget() -> BaseResponse:
    """Forget the device named in the field `device`: it has to show the code again."""
    devices.forget(kept.store(), request.form.get("device", ""))
    flash(gettext("The device is forgotten."), "good")
    return redirect(url_for("pairing.list_devices"), 303)
