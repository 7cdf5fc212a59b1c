"""HTTPS in front of waitress, which has none: the standard library's TLS, and bytes handed on as they come.

Handshakes run side by side and are given up after a few seconds, so that a silent device holds up no other.
The WSGI side learns from the inner connection's port which device stands behind it (`Front.peer`).
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import threading
from collections.abc import Callable, Iterable, MutableMapping
from typing import Any

HANDSHAKE_SECONDS = 10
IDLE_SECONDS = 120
"""A connection over which nothing has come for so long is closed; waitress itself waits as long."""

CHUNK_BYTES = 64 * 1024
MAX_CONNECTIONS = 200

WsgiApp = Callable[[MutableMapping[str, Any], Callable[..., Any]], Iterable[bytes]]


class Front:
    """A TLS listener that hands every connection on to a plain one on this computer.

    Parameters
    ----------
    listener
        The bound socket that devices connect to.
    inner
        Address (host, port) of the plain server behind.
    context
        Server side TLS settings with certificate and key.
    """

    def __init__(self, listener: socket.socket, inner: tuple[str, int], context: ssl.SSLContext) -> None:
        self._listener = listener
        self._inner = inner
        self._context = context
        self._peers: dict[int, str] = {}
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="tls", daemon=True)

    def start(self) -> None:
        """Serve from a thread of its own until `stop`."""
        self._thread.start()

    def stop(self) -> None:
        """Close every connection and end the thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=5)
        self._listener.close()

    def peer(self, port: int) -> str | None:
        """The address of the device behind the inner connection from `port`; None where it is no such one."""
        return self._peers.get(port)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.set_exception_handler(_ignore_broken_connections)
        server = self._loop.run_until_complete(
            asyncio.start_server(
                self._handle,
                sock=self._listener,
                ssl=self._context,
                ssl_handshake_timeout=HANDSHAKE_SECONDS,
                limit=CHUNK_BYTES,
            )
        )
        self._loop.run_forever()
        server.close()
        tasks = asyncio.all_tasks(self._loop)
        for task in tasks:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        self._loop.close()

    async def _handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.TimeoutError):
            if len(self._peers) < MAX_CONNECTIONS:
                await self._hand_on(reader, writer)
        writer.close()

    async def _hand_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # Bound before it connects, so that `peer` knows its port before the first request.
        inner = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        inner.setblocking(False)
        inner.bind(("127.0.0.1", 0))
        port = int(inner.getsockname()[1])
        self._peers[port] = str(writer.get_extra_info("peername")[0])
        try:
            await self._loop.sock_connect(inner, self._inner)
            inner_reader, inner_writer = await asyncio.open_connection(sock=inner, limit=CHUNK_BYTES)
            try:
                await _both_ways((reader, writer), (inner_reader, inner_writer))
            finally:
                inner_writer.close()
        finally:
            inner.close()
            del self._peers[port]


async def _both_ways(
    outer: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    inner: tuple[asyncio.StreamReader, asyncio.StreamWriter],
) -> None:
    """Copy until either side has closed."""
    copies = [
        asyncio.ensure_future(_copy(outer[0], inner[1])),
        asyncio.ensure_future(_copy(inner[0], outer[1])),
    ]
    try:
        await asyncio.wait(copies, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for copy in copies:
            copy.cancel()
        await asyncio.gather(*copies, return_exceptions=True)


async def _copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    while data := await asyncio.wait_for(source.read(CHUNK_BYTES), IDLE_SECONDS):
        target.write(data)
        await target.drain()


def _ignore_broken_connections(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """A device that leaves in the middle, or speaks no TLS, is no news for the terminal."""
    if not isinstance(context.get("exception"), OSError):
        loop.default_exception_handler(context)


def server_context(chain: str, key: str) -> ssl.SSLContext:
    """TLS 1.2 and later with the standard library's own choice of ciphers."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_cert_chain(chain, key)
    return context


def behind(front: Front, inner_port: int, app: WsgiApp) -> WsgiApp:
    """`app` told the scheme and the device of every request that came through `front`.

    Whoever reaches the inner port without having come through the front has no known address.
    """

    def told(environ: MutableMapping[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if str(environ.get("SERVER_PORT")) == str(inner_port):
            environ["wsgi.url_scheme"] = "https"
            environ["REMOTE_ADDR"] = front.peer(int(environ.get("REMOTE_PORT") or 0)) or "unknown"
        return app(environ, start_response)

    return told
