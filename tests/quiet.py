"""Run a program that the kernel ends as soon as it, or a library of its, reaches for the network.

A filter of system calls (seccomp), which needs no rights and is inherited by every child; Linux alone has it.
"""

from __future__ import annotations

import ctypes
import os
import platform
import socket
import struct
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

SOCKET, CONNECT = "socket", "connect"
"""What may not be called: the socket call for an internet address at all, or connecting, which a server need not do."""

CALLS = {"x86_64": {SOCKET: 41, CONNECT: 42}, "aarch64": {SOCKET: 198, CONNECT: 203}}
"""Numbers of the system calls by machine (asm/unistd.h)."""

KILLED = -31
"""What `subprocess` returns of a process that ended by SIGSYS."""

_LOAD, _EQUAL, _RETURN = 0x20, 0x15, 0x06
_NUMBER, _FIRST_ARGUMENT = 0, 16
_KILL_PROCESS, _ALLOW = 0x80000000, 0x7FFF0000
_NO_NEW_PRIVILEGES, _SECCOMP, _FILTER = 38, 22, 2


def available() -> bool:
    """Whether this system can do it."""
    return sys.platform == "linux" and platform.machine() in CALLS


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def _instructions(forbidden: str) -> bytes:
    """The filter: kill on `forbidden`, of sockets on those for IPv4 and IPv6; allow all else."""
    kill, allow = (_RETURN, 0, 0, _KILL_PROCESS), (_RETURN, 0, 0, _ALLOW)
    number = CALLS[platform.machine()][forbidden]
    if forbidden == CONNECT:
        steps = [(_LOAD, 0, 0, _NUMBER), (_EQUAL, 0, 1, number), kill, allow]
    else:
        steps = [
            (_LOAD, 0, 0, _NUMBER),
            (_EQUAL, 0, 4, number),
            (_LOAD, 0, 0, _FIRST_ARGUMENT),
            (_EQUAL, 1, 0, socket.AF_INET),
            (_EQUAL, 0, 1, socket.AF_INET6),
            kill,
            allow,
        ]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def forbid(what: str) -> Callable[[], None]:
    """What a child process calls before it becomes the program."""
    code = _instructions(what)
    program = _Program(len(code) // 8, code)
    library = ctypes.CDLL(None, use_errno=True)

    def set_filter() -> None:
        if library.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) or library.prctl(
            _SECCOMP, _FILTER, ctypes.byref(program), 0, 0
        ):
            raise OSError(ctypes.get_errno(), "no filter of system calls")

    return set_filter


def surroundings(home: Path) -> dict[str, str]:
    """An environment whose home, caches and temporary files lie in `home` and whose data folder is beside it."""
    folders = {"HOME": home, "TMPDIR": home, "PAIYAN_DATA": home.parent / "data"}
    for name in ("CACHE", "CONFIG", "DATA", "STATE"):
        folders[f"XDG_{name}_HOME"] = home / name.lower()
    home.mkdir(exist_ok=True)
    return os.environ | {name: str(folder) for name, folder in folders.items()}


def run(words: Sequence[str], home: Path, forbidden: str = SOCKET) -> subprocess.CompletedProcess[str]:
    """Run `python` with these words, forbidden to reach for the network."""
    return subprocess.run(
        [sys.executable, "-B", *words],
        cwd=ROOT,
        env=surroundings(home),
        preexec_fn=forbid(forbidden),
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
