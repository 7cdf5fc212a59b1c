"""What makes the page an app: its words as JSON, manifest, icons, service worker, the page without a network."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    jsonify,
    render_template,
    send_from_directory,
    url_for,
)
from flask_babel import gettext

from vision.taught import print_names
from webui.access.pairing import let_in
from webui.language import words
from webui.language.languages import language, messages
from webui.scanning.recognise import prints_folder

ICON_SIZES = (180, 192, 512)
"""Pixels: the iPhone's home screen, and the two that installable pages need."""

OVERSAMPLING = 4

CINNABAR, IVORY, INK = (47, 45, 178), (227, 240, 247), (30, 24, 20)
"""Blue, green, red."""

blueprint = Blueprint("shell", __name__)


@blueprint.get("/words.json")
def page_words() -> Response:
    """Everything that the scripts say and show: messages, decks and rule sets in the language of the request."""
    static = Path(str(current_app.static_folder))
    texts = words.script_texts(static / "js")
    body = {"language": language(), "messages": messages(texts)} | words.tables(language())
    # What decks are called is not for whoever is not let in yet.
    body |= {"prints": print_names(prints_folder()) if let_in() else []}
    body |= {"samples": words.samples(static / "samples", language())}
    answer = jsonify(body)
    answer.add_etag()
    answer.cache_control.no_cache = True
    return answer


@blueprint.get("/manifest.webmanifest")
def manifest() -> Response:
    """The web app manifest."""
    icons = [
        {
            "src": url_for("shell.icon", size=size),
            "sizes": f"{size}x{size}",
            "type": "image/png",
            "purpose": purpose,
        }
        for size in ICON_SIZES[1:]
        for purpose in ("any", "maskable")
    ]
    body = {
        "name": gettext("paiyan · card eye"),
        "short_name": gettext("paiyan"),
        "lang": language(),
        "start_url": url_for("scan.page"),
        "scope": url_for("scan.page"),
        "display": "standalone",
        "background_color": "#f4ecdb",
        "theme_color": "#b22d2f",
        "icons": icons,
    }
    answer = jsonify(body)
    answer.mimetype = "application/manifest+json"
    return answer


@blueprint.get("/service-worker.js")
def service_worker() -> Response:
    """The service worker, from the root so that it may serve the whole page."""
    answer = send_from_directory(
        str(current_app.static_folder), "js/service-worker.js", mimetype="text/javascript"
    )
    answer.cache_control.no_cache = True
    return answer


@blueprint.get("/offline")
def offline() -> str:
    """What the service worker shows while the server can't be reached."""
    return render_template("offline.html")


@blueprint.get("/icons/<int:size>.png")
def icon(size: int) -> Response:
    """The icon as PNG in one of `ICON_SIZES`."""
    if size not in ICON_SIZES:
        abort(404)
    answer = Response(icon_png(size), mimetype="image/png")
    answer.cache_control.max_age = 24 * 3600
    return answer


@lru_cache
def icon_png(size: int) -> bytes:
    """Draw the seal: an eye on cinnabar whose pupil is a red pip; `size` in pixels, PNG bytes."""
    side = size * OVERSAMPLING
    picture: npt.NDArray[np.uint8] = np.full((side, side, 3), CINNABAR, np.uint8)
    x = np.linspace(0.17, 0.83, 90)
    lid = 0.27 * np.sin(np.pi * (x - 0.17) / 0.66)
    outline = np.concatenate([np.stack([x, 0.5 - lid], 1), np.stack([x[::-1], 0.5 + lid[::-1]], 1)])
    cv2.fillPoly(picture, [np.round(outline * side).astype(np.int32)], IVORY)
    centre = (side // 2, side // 2)
    cv2.ellipse(picture, centre, (int(0.155 * side), int(0.2 * side)), 0, 0, 360, INK, -1)
    cv2.ellipse(picture, centre, (int(0.085 * side), int(0.125 * side)), 0, 0, 360, CINNABAR, -1)
    small = cv2.resize(picture, (size, size), interpolation=cv2.INTER_AREA)
    return bytes(cv2.imencode(".png", small)[1].tobytes())
