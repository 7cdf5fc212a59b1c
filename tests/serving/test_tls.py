"""TLS in front of waitress, over real sockets on this computer."""

from __future__ import annotations

import http.client
import json
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest
from waitress.server import BaseWSGIServer, create_server

from webui.access import certificates, early, tls


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


def end(server: object, worker: threading.Thread) -> None:
    """Let waitress finish what it serves, then close it from within its own loop, which ends by that."""
    assert isinstance(server, BaseWSGIServer)
    server.task_dispatcher.shutdown()
    cast("Any", server).trigger.pull_trigger(server.close)
    worker.join(timeout=5)
    assert not worker.is_alive()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    made = certificates.ensure(tmp_path, ["localhost", "127.0.0.1"])
    outer, inner = listening(), listening()
    context = tls.server_context(str(made.server_chain), str(made.server_key))
    front = tls.Front(outer, inner.getsockname(), context)
    inner_port = inner.getsockname()[1]
    server = create_server(tls.behind([front], tell), sockets=[inner], threads=2)
    worker = threading.Thread(target=server.run, daemon=True)
    front.start()
    worker.start()
    yield Served(outer.getsockname()[1], inner_port, made.authority)
    front.stop()
    end(server, worker)


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


@contextmanager
def plain_front() -> Iterator[int]:
    """A front without TLS before a server that keeps its connections; gives its port."""
    outer, inner = listening(), listening()
    front = tls.Front(outer, inner.getsockname(), None)
    server = create_server(tls.behind([front], tell), sockets=[inner], threads=2)
    worker = threading.Thread(target=server.run, daemon=True)
    front.start()
    worker.start()
    try:
        yield outer.getsockname()[1]
    finally:
        front.stop()
        end(server, worker)


def asked_plainly(port: int) -> dict[str, Any]:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
        connection.request("GET", "/")
        answer: dict[str, Any] = json.loads(connection.getresponse().read())
        return answer


def test_silent_connections_keep_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tls, "MAX_CONNECTIONS", 2)
    with plain_front() as port:
        silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(60)]
        assert asked_plainly(port) == {"scheme": "http", "address": "127.0.0.1", "size": 0}
        for one in silent:
            one.close()


def test_a_device_has_so_many_connections_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tls, "is_loopback", lambda address: False)
    monkeypatch.setattr(tls, "MOST_PER_DEVICE", 3)
    with plain_front() as port:
        held = [socket.create_connection(("127.0.0.1", port)) for _ in range(3)]
        time.sleep(0.3)
        with pytest.raises((http.client.HTTPException, OSError)):
            asked_plainly(port)
        for one in held:
            one.close()
        time.sleep(0.3)
        assert asked_plainly(port)["scheme"] == "http"


def test_who_says_nothing_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tls, "HEAD_SECONDS", 0.2)
    with plain_front() as port, closing(socket.create_connection(("127.0.0.1", port), timeout=20)) as silent:
        silent.sendall(b"GET / HTTP/1.1\r\n")
        assert silent.recv(100) == b""


def test_a_body_is_refused_by_its_head() -> None:
    inner = listening()
    kept: dict[int, Any] = {}
    server = create_server(tell, map=kept, sockets=[inner], threads=1)
    for one in kept.values():
        if isinstance(one, BaseWSGIServer):
            one.channel_class = early.guarded(
                lambda address: "192.168.1.9", lambda who, cookies: "good" in cookies
            )
    worker = threading.Thread(target=server.run, daemon=True)
    worker.start()
    try:
        for cookie, size, status in (("", 1000, 200), ("", 10**6, 403), ("good=1", 10**6, 200)):
            with closing(socket.create_connection(inner.getsockname(), timeout=20)) as phone:
                head = f"POST / HTTP/1.1\r\nHost: x\r\nCookie: {cookie}\r\nContent-Length: {size}\r\n\r\n"
                phone.sendall(head.encode() + (b"" if status == 403 else b"x" * size))
                assert phone.recv(100).split()[1] == str(status).encode()
    finally:
        end(server, worker)
