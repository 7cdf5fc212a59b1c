"""`paiyan serve`: which addresses to listen on, who may come in, and what the terminal says about it."""

from __future__ import annotations

import errno
import io
import logging
import os
import select
import signal
import socket
import ssl
import webbrowser
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import segno
from flask import Flask
from waitress.server import BaseWSGIServer, create_server

from webui import create_app, trusted_hosts
from webui.access import certificates, early, log, pairing, tls, trust
from webui.access.addresses import is_loopback
from webui.commands.terminal import CommandError
from webui.scanning import recognise
from webui.scanning.apart import Recogniser
from webui.scanning.recognise import Gate
from webui.store import kept

DEFAULT_PORT = 8765
PORTS_TO_TRY = 20
"""Where the user named no port and the default one is taken, the next ones are tried."""

THREADS = 8
MAX_CONNECTIONS = 2 * tls.MAX_CONNECTIONS + 100
"""Of waitress: as many as the two ways in for other devices may have, and some that are this computer's own."""

IDLE_SECONDS = 120
BODY_ROOM_BYTES = 1024 * 1024
"""Waitress cuts off this far beyond the page's own limit, so that the page can answer in its own words."""


@dataclass(frozen=True)
class Door:
    """How the page is reached.

    Parameters
    ----------
    host
        The address that other devices use; a loopback one where there are none.
    port
        Plain HTTP; with `certificates`, HTTPS is on the next one.
    """

    host: str
    port: int
    https_port: int | None
    code: str | None

    @property
    def local_url(self) -> str:
        """The address on this computer."""
        return f"http://localhost:{self.port}"

    @property
    def outside_url(self) -> str:
        """The address for other devices."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"https://{host}:{self.https_port}" if self.https_port else f"http://{host}:{self.port}"

    @property
    def first_visit_url(self) -> str:
        """What the QR code holds: the way in for a device that was never here."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        if self.https_port:
            return f"http://{host}:{self.port}/trust"
        return f"{self.outside_url}/pair?code={self.code}"


def lan_address() -> str:
    """This computer's address in its network.

    Raises
    ------
    CommandError
        Where there is no network.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        # Connecting a datagram socket sends nothing; it only asks the system which way it would go.
        probe.connect(("10.255.255.255", 1))
        address = str(probe.getsockname()[0])
        if not is_loopback(address) and address != "0.0.0.0":
            return address
    raise CommandError(
        "no_network", "this computer is in no network; connect it, or name its address with --host"
    )


def host_names(host: str) -> list[str]:
    """Every name under which this computer may be asked for, besides PAIYAN_TRUSTED_HOSTS."""
    own = socket.gethostname().split(".")[0].lower()
    names = ["localhost", "127.0.0.1", "::1", own, f"{own}.local", host]
    return list(dict.fromkeys(name for name in names if name and name not in ("0.0.0.0", "::")))


def run(
    host: str | None,
    port: int | None,
    *,
    lan: bool,
    https: bool,
    open_page: bool,
    say: Callable[[str], None],
    log_to: str = "",
) -> None:
    """Serve until interrupted.

    Parameters
    ----------
    host
        Address to listen on; None for this computer alone, or with `lan` for its address in the network.
    port
        None for the first free one from `DEFAULT_PORT` on.
    open_page
        Show the page in this computer's browser.
    say
        Prints one piece of text for the person at the terminal.
    log_to
        The file that every request is written to, `-` for standard output; nothing for none.

    Raises
    ------
    CommandError
        Where the address or port cannot be had.
    """
    address = host or (lan_address() if lan else "127.0.0.1")
    listeners, outer = _listen(address, port, https=https)
    number = int(listeners[0].getsockname()[1])
    outside = lan or not is_loopback(address)
    door = Door(
        lan_address() if address == "0.0.0.0" else address,
        number,
        int(outer.getsockname()[1]) if outer else None,
        pairing.new_code() if outside else None,
    )
    names = host_names(door.host)
    try:
        app, authority = guarded_app(door, names, say=say)
        if log_to:
            log.init_app(app, log_to)
    except OSError as error:
        raise CommandError("no_data_folder", f"the data folder cannot be used: {error}") from error
    # Neither reaches the first process of a container, or one in the background of a script, by itself.
    for told in (signal.SIGINT, signal.SIGTERM):
        signal.signal(told, _stop)
    say(greeting(door, authority.fingerprint if authority else None))
    fault = kept.opened(app).fault
    if fault:
        say(f"Take care: {fault}.")
    if open_page and not webbrowser.open(door.local_url):
        say("No browser was found; open the address above in one.")
    # The networks are loaded while the first photo is being taken; what fails there is said when it is read.
    gate: Gate = app.extensions[recognise.EXTENSION]
    gate.start()
    try:
        _serve(app, listeners, outer, authority)
    finally:
        gate.stop()


def guarded_app(
    door: Door,
    names: list[str],
    reader: Recogniser | None = None,
    say: Callable[[str], None] = lambda text: None,
) -> tuple[Flask, certificates.Certificates | None]:
    """The page with what guards the `door`: trusted names, the way to HTTPS, pairing (`say` prints its fresh codes)."""
    app = create_app({"TRUSTED_HOSTS": trusted_hosts(names)}, reader=reader)
    authority = None
    if door.https_port:
        authority = certificates.ensure(Path(app.config["DATA_DIR"]) / "https", names)
        trust.init_app(app, authority, door.https_port)
    if door.code:
        pairing.init_app(app, door.code, say)
    return app, authority


def greeting(door: Door, fingerprint: str | None) -> str:
    """What the terminal shows: the addresses, the QR code and the code."""
    lines = [f"paiyan is open on this computer: {door.local_url}"]
    if door.code:
        picture = io.StringIO()
        segno.make(door.first_visit_url, error="m").terminal(picture, compact=True, border=2)
        lines += [
            f"On a phone in the same network:  {door.outside_url}",
            f"Pairing code:                    {door.code[:3]} {door.code[3:]}",
            "",
            picture.getvalue().rstrip("\n"),
            f"Or point the phone's camera here: {door.first_visit_url}",
        ]
    if fingerprint:
        lines += [] if door.code else [f"By HTTPS:                        {door.outside_url}"]
        lines.append(f"Fingerprint of the certificate (SHA-256): {fingerprint}")
    return "\n".join([*lines, "Ctrl-C stops it."])


def _listen(
    address: str, port: int | None, *, https: bool
) -> tuple[list[socket.socket], socket.socket | None]:
    """Bound sockets: plain ones for this computer and `address`, and one for HTTPS."""
    tries = [port] if port is not None else range(DEFAULT_PORT, DEFAULT_PORT + PORTS_TO_TRY)
    hosts = [address] if address in ("0.0.0.0", "::") or is_loopback(address) else ["127.0.0.1", address]
    for number in tries:
        bound: list[socket.socket] = []
        try:
            for host in hosts:
                bound.append(_bind(host, bound[0].getsockname()[1] if bound else number))
            # Port 0 asks the system for any free one, for both.
            return bound, _bind(address, number + 1 if number else 0) if https else None
        except OSError as error:
            for one in bound:
                one.close()
            if error.errno != errno.EADDRINUSE:
                raise CommandError("bad_address", f"cannot listen on {address}: {error.strerror}") from error
    taken = f"port {port}" if port is not None else f"every port from {DEFAULT_PORT} to {tries[-1]}"
    raise CommandError("port_taken", f"{taken} is taken; name another one with --port")


def _bind(host: str, port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        if os.name == "posix":  # elsewhere this would let two programs share the port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(MAX_CONNECTIONS)
    except (OSError, OverflowError):
        listener.close()
        raise
    return listener


def _serve(
    app: Flask,
    listeners: list[socket.socket],
    outer: socket.socket | None,
    authority: certificates.Certificates | None,
) -> None:
    """Run waitress on the plain sockets, with TLS before one more where there is an `outer` one."""
    inner: list[socket.socket] = []
    fronts: list[tls.Front] = []
    for one in listeners:
        if is_loopback(str(one.getsockname()[0])):
            inner.append(one)
        else:
            fronts.append(_front(one, None, inner))
    if outer and authority:
        context = tls.server_context(str(authority.server_chain), str(authority.server_key))
        fronts.append(_front(outer, context, inner))
    inside: Any = app.wsgi_app
    outside: Any = tls.behind(fronts, inside)
    app.wsgi_app = outside  # type: ignore[method-assign]
    # A request that waits a moment for a free thread is no news for the person at the terminal.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    sockets: dict[int, Any] = {}
    server = create_server(
        app,
        map=sockets,
        sockets=inner,
        threads=THREADS,
        connection_limit=MAX_CONNECTIONS,
        channel_timeout=IDLE_SECONDS,
        max_request_body_size=app.config["MAX_CONTENT_LENGTH"] + BODY_ROOM_BYTES,
        ident=None,
        asyncore_use_poll=hasattr(select, "poll"),  # select knows but 1024 files
    )
    channel = early.guarded(partial(_device, fronts), partial(pairing.may_send, app))
    for waiting in list(sockets.values()):
        if isinstance(waiting, BaseWSGIServer):
            waiting.channel_class = channel
    for front in fronts:
        front.start()
    try:
        server.run()
    finally:
        for front in fronts:
            front.stop()
        server.close()


def _front(outer: socket.socket, context: ssl.SSLContext | None, inner: list[socket.socket]) -> tls.Front:
    """What stands before waitress on a socket for other devices; its own way in is added to `inner`."""
    inner.append(_bind("127.0.0.1", 0))
    return tls.Front(outer, inner[-1].getsockname(), context)


def _device(fronts: Sequence[tls.Front], address: tuple[str, int]) -> str:
    """The address of the device behind a connection to waitress."""
    return next((peer for front in fronts if (peer := front.peer(address[1]))), address[0])


def _stop(number: int, frame: object) -> None:
    """End waitress's loop as an interrupt does."""
    raise SystemExit(0)
