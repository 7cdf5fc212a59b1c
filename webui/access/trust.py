"""The page that brings this computer's certificate authority to a phone and says how to trust it.

It alone is served without TLS when `--https` is on: a phone can't trust what it has not got yet.
"""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from urllib.parse import urlsplit

from flask import Blueprint, Flask, Response, current_app, redirect, render_template, request
from werkzeug.wrappers import Response as BaseResponse

from webui.access.addresses import is_loopback
from webui.access.certificates import Certificates
from webui.shell.failures import error_object

blueprint = Blueprint("trust", __name__)

PLAIN_ENDPOINTS = frozenset(
    {"trust.page", "trust.authority", "api.healthz", "static", "languages.choose", "shell.icon"}
)
"""What another device may ask for without TLS."""


@dataclass(frozen=True)
class Trust:
    """What the page shows: the authority, and the port that speaks HTTPS."""

    certificates: Certificates
    https_port: int


def init_app(app: Flask, certificates: Certificates, https_port: int) -> None:
    """Add the page to `app` and send every other plain request of another device to HTTPS; before pairing."""
    app.extensions["paiyan_trust"] = Trust(certificates, https_port)
    opened: frozenset[str] = app.extensions.get("paiyan_open_endpoints", frozenset())
    app.extensions["paiyan_open_endpoints"] = opened | {"trust.page", "trust.authority"}
    app.register_blueprint(blueprint)
    app.before_request(_only_https)


def _trust() -> Trust:
    trust: Trust = current_app.extensions["paiyan_trust"]
    return trust


def _https_address(path: str) -> str:
    """The same host by HTTPS; the host was checked against TRUSTED_HOSTS before any view ran."""
    host = urlsplit(f"//{request.host}").hostname or ""
    return f"https://{f'[{host}]' if ':' in host else host}:{_trust().https_port}{path}"


def _only_https() -> BaseResponse | None:
    if request.is_secure or is_loopback(request.remote_addr) or request.endpoint in PLAIN_ENDPOINTS:
        return None
    if request.method not in ("GET", "HEAD") or request.path.startswith("/api/"):
        return error_object("https_only", f"use {_https_address(request.path)}", 403)
    if request.path == "/":
        return redirect("/trust")
    return redirect(_https_address(request.full_path.rstrip("?")))


@blueprint.get("/trust")
def page() -> str:
    """Three steps: fetch the certificate, trust it, open paiyan by HTTPS."""
    trust = _trust()
    digest = trust.certificates.fingerprint
    return render_template(
        "trust.html",
        fingerprint=[digest[at : at + 12] for at in range(0, len(digest), 12)],
        address=_https_address("/"),
    )


@blueprint.get("/trust/paiyan.crt")
def authority() -> Response:
    """The authority's certificate (public, DER): phones offer to install what comes with this type."""
    pem = _trust().certificates.authority.read_text(encoding="ascii")
    answer = Response(ssl.PEM_cert_to_DER_cert(pem), mimetype="application/x-x509-ca-cert")
    answer.headers["Content-Disposition"] = 'attachment; filename="paiyan.crt"'
    answer.cache_control.no_store = True
    return answer
