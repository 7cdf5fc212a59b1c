"""In front of waitress for other devices: TLS, which it has none of, and nobody who keeps the others out.

A connection reaches waitress once the head of its first request is there, and of one device there are only so many; so
devices that connect and say nothing hold up no other. Handshakes run side by side and are given up after a few seconds.
The WSGI side learns from the inner connection's port which device stands behind it (`Front.peer`).
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import threading
from collections import Counter
from collections.abc import Callable, Iterable, MutableMapping, Sequence
from typing import Any

from webui.access.addresses import is_loopback

HANDSHAKE_SECONDS = 10
HEAD_SECONDS = 10
"""For the head of the first request, which a browser sends at once."""

MOST_HEAD_BYTES = 64 * 1024
IDLE_SECONDS = 120
"""A connection over which nothing has come for so long is closed; waitress itself waits as long."""

CHUNK_BYTES = 64 * 1024
MAX_CONNECTIONS = 120
MOST_PER_DEVICE = 24
"""Connections of one address; a browser opens six, and several phones may stand behind one address."""

END_OF_HEAD = b"\r\n\r\n"

WsgiApp = Callable[[MutableMapping[str, Any], Callable[..., Any]], Iterable[bytes]]


class Front:
    """A listener that hands every connection on to a plain one on this computer.

    Parameters
    ----------
    listener
        The bound socket that devices connect to.
    inner
        Address (host, port) of the plain server behind.
    context
        Server side TLS settings with certificate and key; None for plain HTTP.
    """

    def __init__(
        self, listener: socket.socket, inner: tuple[str, int], context: ssl.SSLContext | None
    ) -> None:
        self._listener = listener
        self._inner = inner
        self._context = context
        self._peers: dict[int, str] = {}
        self._open: Counter[str] = Counter()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="front", daemon=True)

    def start(self) -> None:
        """Serve from a thread of its own until `stop`."""
        self._thread.start()

    def stop(self) -> None:
        """Close every connection and end the thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=5)
        self._listener.close()

    @property
    def inner_port(self) -> int:
        """The port of the plain server behind."""
        return self._inner[1]

    @property
    def scheme(self) -> str:
        """What devices speak with it: `http` or `https`."""
        return "https" if self._context else "http"

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
                ssl_handshake_timeout=HANDSHAKE_SECONDS if self._context else None,
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
        device = str(writer.get_extra_info("peername")[0])
        self._open[device] += 1
        try:
            with contextlib.suppress(OSError, asyncio.TimeoutError, asyncio.IncompleteReadError):
                if self._lets_in(device):
                    await self._hand_on(reader, writer, device)
        finally:
            self._open[device] -= 1
            self._open += Counter()  # forgets who has none left
            writer.close()

    def _lets_in(self, device: str) -> bool:
        """Whether one more connection of a device is handed on; this computer's own always are."""
        few = self._open[device] <= MOST_PER_DEVICE and len(self._peers) < MAX_CONNECTIONS
        return few or is_loopback(device)

    async def _hand_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, device: str) -> None:
        head = await asyncio.wait_for(_head(reader), HEAD_SECONDS)
        # Bound before it connects, so that `peer` knows its port before the first request.
        inner = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        inner.setblocking(False)
        inner.bind(("127.0.0.1", 0))
        port = int(inner.getsockname()[1])
        self._peers[port] = device
        try:
            await self._loop.sock_connect(inner, self._inner)
            inner_reader, inner_writer = await asyncio.open_connection(sock=inner, limit=CHUNK_BYTES)
            inner_writer.write(head)
            try:
                await _both_ways((reader, writer), (inner_reader, inner_writer))
            finally:
                inner_writer.close()
        finally:
            inner.close()
            del self._peers[port]


async def _head(reader: asyncio.StreamReader) -> bytes:
    """What came up to the end of the head of a request and a little more; of one that is too long, the beginning."""
    found = b""
    while END_OF_HEAD not in found and len(found) < MOST_HEAD_BYTES:
        more = await reader.read(CHUNK_BYTES)
        if not more:
            raise asyncio.IncompleteReadError(found, None)
        found += more
    return found


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


def behind(fronts: Sequence[Front], app: WsgiApp) -> WsgiApp:
    """`app` told the scheme and the device of every request that came through one of the `fronts`.

    Whoever reaches an inner port without having come through its front has no known address.
    """
    by_port = {str(front.inner_port): front for front in fronts}

    def told(environ: MutableMapping[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        front = by_port.get(str(environ.get("SERVER_PORT")))
        if front:
            environ["wsgi.url_scheme"] = front.scheme
            environ["REMOTE_ADDR"] = front.peer(int(environ.get("REMOTE_PORT") or 0)) or "unknown"
        return app(environ, start_response)

    return told
