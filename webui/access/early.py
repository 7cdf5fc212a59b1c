"""Refusing by the head of a request: a device that is not paired can't make this computer keep what it sends.

Waitress reads a whole body before it asks the page, and keeps a large one on the disk; so who may send one is asked
here, when the head is there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from http.cookies import CookieError, SimpleCookie
from typing import Any

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.utilities import Error

MOST_UNPAIRED_BYTES = 64 * 1024
"""A form with a code has a few hundred; such small ones get the page's own answer."""

MaySend = Callable[[str, Mapping[str, str]], bool]
"""Whether a device (its address, its cookies) may send a body of any size."""


class NotPaired(Error):
    """What waitress answers to who may not send so much."""

    code = 403
    reason = "Forbidden"


class Guarded(HTTPRequestParser):
    """A request of one device, refused at the end of its head where that one may not send so much."""

    def __init__(self, adj: Any, may_send: Callable[[Mapping[str, str]], bool]) -> None:
        super().__init__(adj)
        self._may_send = may_send

    def parse_header(self, header_plus: bytes) -> None:
        """Read the head; waitress calls this once for each request."""
        super().parse_header(header_plus)
        if (self.chunked or self.content_length > MOST_UNPAIRED_BYTES) and not self._may_send(
            self._cookies()
        ):
            self.error = NotPaired("this device is not paired; open the page on it and enter the code")
            self.completed = True
            self.connection_close = True
            self.expect_continue = False

    def _cookies(self) -> dict[str, str]:
        try:
            found = SimpleCookie(self.headers.get("COOKIE", ""))
        except CookieError:
            return {}
        return {name: morsel.value for name, morsel in found.items()}


def guarded(device: Callable[[tuple[str, int]], str], may_send: MaySend) -> type[HTTPChannel]:
    """The class of waitress's channels where `may_send` is asked; `device` tells who is behind a connection."""

    class Channel(HTTPChannel):
        def __init__(self, server: Any, sock: Any, addr: Any, *args: Any, **more: Any) -> None:
            super().__init__(server, sock, addr, *args, **more)
            self.parser_class = partial(Guarded, may_send=partial(may_send, device(addr)))  # type: ignore[assignment]

    return Channel
