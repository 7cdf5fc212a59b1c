"""Pairing: another device must show the code that this computer's terminal shows, once.

Whoever sits at the computer itself (a loopback address) needs none. A paired device keeps a signed cookie.
"""

from __future__ import annotations

import ipaddress
import secrets
import time
import unicodedata
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

from flask import (
    Blueprint,
    Flask,
    Response,
    current_app,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from itsdangerous import BadSignature, URLSafeTimedSerializer
from werkzeug.wrappers import Response as BaseResponse

from webui.shell.failures import error_object

CODE_DIGITS = 6
COOKIE = "paiyan_device"
COOKIE_SECONDS = 400 * 24 * 3600
"""The longest that browsers keep a cookie."""

WINDOW_SECONDS = 300.0
TRIES_PER_DEVICE = 5
TRIES_TOGETHER = 30
"""Wrong codes in one window: to go through the million takes four months, and each start has a new code."""

OPEN_ENDPOINTS = frozenset(
    {"pairing.page", "pairing.enter", "api.healthz", "static", "languages.choose"}
    | {"shell.icon", "shell.manifest", "shell.page_words", "shell.service_worker", "shell.offline"}
)
"""What an unpaired device may see; the page that tells how to trust the certificate adds itself."""

blueprint = Blueprint("pairing", __name__)


@dataclass
class WrongCodes:
    """When each device entered a wrong code, within the last window."""

    clock: Callable[[], float] = time.monotonic
    tries: deque[tuple[float, str]] = field(default_factory=deque)
    lock: Lock = field(default_factory=Lock)

    def too_many(self, device: str) -> bool:
        """True where `device`, or all devices together, must wait."""
        with self.lock:
            since = self.clock() - WINDOW_SECONDS
            while self.tries and self.tries[0][0] < since:
                self.tries.popleft()
            own = sum(1 for _, who in self.tries if who == device)
            return own >= TRIES_PER_DEVICE or len(self.tries) >= TRIES_TOGETHER

    def add(self, device: str) -> None:
        """Note a wrong code of `device`."""
        with self.lock:
            self.tries.append((self.clock(), device))


@dataclass(frozen=True)
class Pairing:
    """What one running server knows of pairing: its code, and the wrong ones."""

    code: str
    wrong: WrongCodes = field(default_factory=WrongCodes)


def new_code() -> str:
    """A fresh code: six digits, from the system's own randomness."""
    return f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}d}"


def is_loopback(address: str | None) -> bool:
    """True for an address of this computer itself; an unknown one is none."""
    try:
        parsed = ipaddress.ip_address((address or "").partition("%")[0])
    except ValueError:
        return False
    mapped = parsed.ipv4_mapped if isinstance(parsed, ipaddress.IPv6Address) else None
    return (mapped or parsed).is_loopback


def init_app(app: Flask, code: str) -> None:
    """Let only this computer and paired devices into `app`."""
    app.extensions["paiyan_pairing"] = Pairing(code)
    app.register_blueprint(blueprint)
    app.before_request(_only_paired)


def _serializer() -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(str(current_app.secret_key), salt="paiyan device")


def _is_paired() -> bool:
    try:
        _serializer().loads(request.cookies.get(COOKIE, ""), max_age=COOKIE_SECONDS)
    except BadSignature:
        return False
    return True


def _only_paired() -> BaseResponse | None:
    opened = OPEN_ENDPOINTS | current_app.extensions.get("paiyan_open_endpoints", frozenset())
    if request.endpoint in opened or is_loopback(request.remote_addr) or _is_paired():
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
    pairing: Pairing = current_app.extensions["paiyan_pairing"]
    device = request.remote_addr or ""
    if pairing.wrong.too_many(device):
        return _form(429, "wait")
    typed = "".join(str(unicodedata.decimal(char)) for char in code if char.isdecimal())
    if not secrets.compare_digest(typed.encode(), pairing.code.encode()):
        pairing.wrong.add(device)
        return _form(403, "wrong")
    answer = redirect(url_for("scan.page"))
    token = _serializer().dumps(secrets.token_hex(8))
    answer.set_cookie(
        COOKIE, token, max_age=COOKIE_SECONDS, httponly=True, samesite="Lax", secure=request.is_secure
    )
    return answer
