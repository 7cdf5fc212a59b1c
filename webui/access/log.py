"""The access log: one JSON object a line for every request, without what was sent or asked for in it."""

from __future__ import annotations

import json
import sys
import time
from datetime import UTC, datetime
from threading import Lock

from flask import Flask, Response, g, request


def init_app(app: Flask, file: str) -> None:
    """Write every request of `app` to the end of `file`, or to standard output where that is `-`.

    `{"at", "device", "method", "path", "status", "bytes", "ms"}`; the path is without its query, which may hold a code.
    """
    out = sys.stdout if file == "-" else open(file, "a", encoding="utf-8", buffering=1)  # noqa: SIM115 - as long as the server
    lock = Lock()

    @app.before_request
    def begin() -> None:
        g.begun = time.perf_counter()

    @app.after_request
    def write(answer: Response) -> Response:
        line = {
            "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "device": request.remote_addr,
            "method": request.method,
            "path": request.path,
            "status": answer.status_code,
            "bytes": answer.content_length,
            "ms": round(1000 * (time.perf_counter() - g.get("begun", time.perf_counter())), 1),
        }
        with lock:
            print(json.dumps(line, ensure_ascii=False), file=out, flush=True)
        return answer
