"""TLS in front of waitress, over real sockets on this computer."""

from __future__ import annotations

import http.client
import json
import socket
import ssl
import threading
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from waitress.server import create_server

from webui.access import certificates, tls


@dataclass(frozen=True)
class Served:
    """A running server: the port that speaks TLS, the plain one behind, and who vouches for it."""

    port: int
    inner_port: int
    authority: Path


def tell(environ: MutableMapping[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """A WSGI application that answers with what it was told."""
    size = len(environ["wsgi.input"].read())
    body = json.dumps({"scheme": environ["wsgi.url_scheme"], "address": environ["REMOTE_ADDR"], "size": size})
    start_response("200 OK", [("Content-Type", "application/json"), ("Content-Length", str(len(body)))])
    return [body.encode()]


def listening() -> socket.socket:
    bound = socket.socket()
    bound.bind(("127.0.0.1", 0))
    bound.listen(50)
    return bound


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    made = certificates.ensure(tmp_path, ["localhost", "127.0.0.1"])
    outer, inner = listening(), listening()
    context = tls.server_context(str(made.server_chain), str(made.server_key))
    front = tls.Front(outer, inner.getsockname(), context)
    inner_port = inner.getsockname()[1]
    server = create_server(tls.behind(front, inner_port, tell), sockets=[inner], threads=2)
    worker = threading.Thread(target=server.run, daemon=True)
    front.start()
    worker.start()
    yield Served(outer.getsockname()[1], inner_port, made.authority)
    front.stop()
    server.close()
    server.task_dispatcher.shutdown()
    worker.join(timeout=5)


def ask(served: Served, method: str = "GET", body: bytes | None = None) -> dict[str, Any]:
    context = ssl.create_default_context(cafile=str(served.authority))
    with closing(
        http.client.HTTPSConnection("127.0.0.1", served.port, context=context, timeout=10)
    ) as connection:
        connection.request(method, "/", body=body)
        answer: dict[str, Any] = json.loads(connection.getresponse().read())
        return answer


def test_application_is_told_scheme_and_device(served: Served) -> None:
    assert ask(served) == {"scheme": "https", "address": "127.0.0.1", "size": 0}


def test_large_photos_come_through_whole(served: Served) -> None:
    assert ask(served, "POST", b"x" * 12_000_000)["size"] == 12_000_000


def test_many_requests_on_one_connection(served: Served) -> None:
    context = ssl.create_default_context(cafile=str(served.authority))
    with closing(
        http.client.HTTPSConnection("127.0.0.1", served.port, context=context, timeout=10)
    ) as connection:
        for size in (0, 10, 100_000):
            connection.request("POST", "/", body=b"y" * size)
            assert json.loads(connection.getresponse().read())["size"] == size


def test_a_silent_device_holds_up_no_other(served: Served) -> None:
    silent = [socket.create_connection(("127.0.0.1", served.port)) for _ in range(20)]
    try:
        assert ask(served)["scheme"] == "https"
    finally:
        for connection in silent:
            connection.close()


def test_plain_http_on_the_tls_port_gets_no_answer_and_does_no_harm(served: Served) -> None:
    with socket.create_connection(("127.0.0.1", served.port), timeout=10) as plain:
        plain.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        with suppress(ConnectionResetError):
            assert b"200 OK" not in plain.recv(1000)
    assert ask(served)["scheme"] == "https"


def test_whoever_goes_round_the_front_is_unknown(served: Served) -> None:
    with closing(http.client.HTTPConnection("127.0.0.1", served.inner_port, timeout=10)) as connection:
        connection.request("GET", "/")
        assert json.loads(connection.getresponse().read())["address"] == "unknown"


def test_tls_older_than_1_2_is_refused(tmp_path: Path) -> None:
    made = certificates.ensure(tmp_path, ["localhost"])
    context = tls.server_context(str(made.server_chain), str(made.server_key))
    assert context.minimum_version == ssl.TLSVersion.TLSv1_2
