"""The networks in a process of their own, so that whatever a photo does to it, the page goes on.

A photo that takes too long is given up: its process is ended, and the next photo finds a new one. So it is where a
decoder breaks down, and where one photo has left too much memory behind.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import traceback
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, TypeVarTuple

if TYPE_CHECKING:
    from vision import Reading

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

SECONDS = 30.0
"""For one photo. A whole deck takes two seconds on two cores, and a slow computer ten times as long."""

LOADING_SECONDS = 120.0
"""For the networks, on a computer that has just been started and does much else."""

MOST_KEPT_BYTES = 700 * 1024**2
"""Memory that a process may hold between two photos; it takes 200 MB."""

MOST_MORE_BYTES = 1024**3
"""Memory that a photo may ask for beside what the networks take: one of 50 megapixels needs half of it."""

BYTES_A_CORE = 32 * 1024**2
"""What the threads of OpenCV and the networks take for each core when they are first needed."""

STANDARD_ERROR = 2
RESIDENT, DATA = 1, 5
"""Fields of /proc/self/statm, in pages."""


class Recogniser(Protocol):
    """What the page needs of `vision.Reader`."""

    def read(self, data: bytes, *, name: str, deck: str, taught: str, taught_dir: Path | None) -> Reading:
        """Read one photo."""
        ...

    def read_together(
        self,
        data: Sequence[bytes],
        *,
        names: Sequence[str],
        deck: str,
        taught: str,
        taught_dir: Path | None,
    ) -> tuple[Reading, ...]:
        """Read photos of the same cards as one, and those of other cards each by itself."""
        ...


def trained() -> Recogniser:
    """A reader with the trained networks."""
    import vision

    return vision.Reader()


class NoReader(ValueError):
    """The networks can't be loaded."""

    code = "no_networks"


class Apart:
    """A reader in a process of its own, for one piece of work at a time.

    Parameters
    ----------
    make
        What makes the reader, there.
    seconds
        How long one photo may take.
    """

    def __init__(self, make: Callable[[], Recogniser] = trained, seconds: float = SECONDS) -> None:
        self._make = make
        self._seconds = seconds
        self._process: Any = None
        self._pipe: Connection[Any, Any] | None = None

    def start(self) -> None:
        """Begin the process where none is running; it loads the networks while this one goes on."""
        if self._process is not None and self._process.is_alive():
            return
        self.stop()
        # Spawned: what forks from a program with threads may inherit locks that nobody opens again.
        context = multiprocessing.get_context("spawn")
        self._pipe, there = context.Pipe()
        self._process = context.Process(target=_serve, args=(there, self._make), name="reader", daemon=True)
        self._process.start()
        there.close()
        self._loading = True

    def stop(self) -> None:
        """End the process, whatever it does."""
        if self._pipe is not None:
            self._pipe.close()
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process.close()
        self._pipe = self._process = None

    def read(self, data: bytes, *, name: str, deck: str, taught: str, taught_dir: Path | None) -> Reading:
        """Read one photo, as `vision.Reader.read` does."""
        return self.read_together([data], names=[name], deck=deck, taught=taught, taught_dir=taught_dir)[0]

    def read_together(
        self,
        data: Sequence[bytes],
        *,
        names: Sequence[str],
        deck: str,
        taught: str,
        taught_dir: Path | None,
    ) -> tuple[Reading, ...]:
        """Read several photos as one, as `vision.Reader.read_together` does."""
        return self.do(_read_together, data, names, deck, taught, taught_dir, photos=len(data))

    def do(self, work: Callable[[Recogniser, *Ts], T], *args: *Ts, photos: int = 1) -> T:
        """What `work` gives for the reader and `args`, all of which can be sent from one process to another.

        Raises
        ------
        vision.PhotoError
            `took_too_long` after the time of so many photos, `damaged_image` where the process broke down.
        ValueError
            Whatever `work` raises; `NoReader` where the networks can't be loaded.
        """
        self.start()
        try:
            if self._loading:
                failed, _ = self._answer(LOADING_SECONDS)
                if failed:
                    raise NoReader(f"the photos can't be read here: {failed.error}")
                self._loading = False
            self._sent((work, args))
            answer, kept = self._answer(self._seconds * photos)
        except BaseException:
            self.stop()
            raise
        if kept > MOST_KEPT_BYTES:
            self.stop()
            self.start()
        if isinstance(answer, _Raised):
            raise answer.error
        done: T = answer
        return done

    def _sent(self, what: object) -> None:
        assert self._pipe is not None
        with _broken_down():
            self._pipe.send(what)

    def _answer(self, seconds: float) -> Any:
        from vision.header import PhotoError

        assert self._pipe is not None
        with _broken_down():
            if not self._pipe.poll(seconds):
                raise PhotoError(
                    "took_too_long", "This photo took too long to read; please take one that shows less."
                )
            return self._pipe.recv()


def done_by(reader: Recogniser, work: Callable[[Recogniser, *Ts], T], *args: *Ts, photos: int = 1) -> T:
    """What `work` gives for a reader, in the process where that is."""
    return reader.do(work, *args, photos=photos) if isinstance(reader, Apart) else work(reader, *args)


class _Raised:
    """An error on its way to the other process; one that can't go there goes as its text."""

    def __init__(self, error: Exception) -> None:
        self.error = error
        if not isinstance(error, ValueError):
            error.add_note(traceback.format_exc())
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:
            self.error = RuntimeError(traceback.format_exc())


@contextlib.contextmanager
def _broken_down() -> Any:
    """Say of a process that is there no more what its photo was."""
    from vision.header import damaged

    try:
        yield
    except (EOFError, OSError):
        raise damaged() from None


def _read_together(
    reader: Recogniser,
    data: Sequence[bytes],
    names: Sequence[str],
    deck: str,
    taught: str,
    folder: Path | None,
) -> tuple[Reading, ...]:
    return reader.read_together(data, names=names, deck=deck, taught=taught, taught_dir=folder)


def _serve(pipe: Connection[Any, Any], make: Callable[[], Recogniser]) -> None:
    """The process: load the networks, then do what is asked until nobody is there to ask."""
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # Ctrl-C reaches the whole group; who asked ends this process
    with open(os.devnull, "wb") as nowhere:  # what decoders say of a damaged file is for nobody
        os.dup2(nowhere.fileno(), STANDARD_ERROR)
    with contextlib.suppress(EOFError, OSError):
        reader = _tried(make)
        failed = isinstance(reader, _Raised)
        _bound_memory()
        pipe.send((reader if failed else None, 0))
        while not failed:
            work, args = pipe.recv()
            answer = _tried(work, reader, *args)
            del work, args
            pipe.send((answer, resident_bytes()))


def _tried(work: Callable[..., Any], *args: Any) -> Any:
    try:
        return work(*args)
    except Exception as error:
        return _Raised(error)


def resident_bytes() -> int:
    """The memory that this process holds; 0 where the system does not say it in this way."""
    return _memory(RESIDENT)


def _memory(field: int) -> int:
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[field]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0


def _bound_memory() -> None:
    """Let a decoder that asks for gigabytes be refused them, where the system can do that."""
    if taken := _memory(DATA):
        import resource

        most = taken + MOST_MORE_BYTES + BYTES_A_CORE * (os.cpu_count() or 1)
        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        resource.setrlimit(resource.RLIMIT_DATA, (most if hard < 0 else min(most, hard), hard))
