"""Reading thousands of photos: mapped over the workers of a Dask scheduler, an engine that exists already.

Photos travel as bytes, a few for each worker at a time. A worker needs paiyan installed; prints that were taught
are those of its own data folder.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from webui.commands import readers
from webui.commands.photos import Failed, file_bytes
from webui.commands.terminal import CommandError

if TYPE_CHECKING:
    import vision
    from webui.scanning.apart import Recogniser

CONNECT_SECONDS = 5
AHEAD = 3
"""Photos for each thread of the workers that are under way or wait for their turn."""


def read_spread(
    paths: Iterable[Path], address: str, *, deck: str, taught: str
) -> Iterator[vision.Reading | Failed]:
    """Readings in the order of the photos, as `webui.commands.photos.read_photos` gives them.

    Raises
    ------
    CommandError
        Where Dask is not installed, the scheduler cannot be reached or has no worker, or a worker fails.
    """
    with closing(_client(address)) as client:
        most = AHEAD * _threads(client, address)
        under_way: deque[Any] = deque()
        for path in paths:
            under_way.append(_begun(client, path, deck, taught))
            if len(under_way) >= most:
                yield _result(under_way.popleft(), address)
        while under_way:
            yield _result(under_way.popleft(), address)


def _client(address: str) -> Any:
    try:
        import distributed
    except ImportError:
        raise CommandError(
            "no_dask", "--dask needs the package 'distributed': pip install 'paiyan[dask]'"
        ) from None
    try:
        asyncio.run(asyncio.wait_for(_asked_who_it_is(address), CONNECT_SECONDS))
    except Exception:  # whatever else listens there may answer anything
        raise CommandError("no_scheduler", f"no Dask scheduler answers at {address}") from None
    connect: Any = distributed.Client  # its types say less than they seem to
    return connect(address, timeout=CONNECT_SECONDS, set_as_default=False)


async def _asked_who_it_is(address: str) -> None:
    """Ask a scheduler who it is: a client that finds none tries for long to close what it never opened."""
    import distributed

    rpc: Any = distributed.rpc
    async with rpc(address) as scheduler:
        await scheduler.identity()


def _threads(client: Any, address: str) -> int:
    """Threads of all workers; raises `CommandError` where none is there."""
    try:
        client.wait_for_workers(1, timeout=CONNECT_SECONDS)
    except TimeoutError:
        raise CommandError("no_workers", f"the Dask scheduler at {address} has no worker") from None
    return sum(client.nthreads().values())


def _begun(client: Any, path: Path, deck: str, taught: str) -> Any:
    """The future of a photo's reading, or what is wrong with its file."""
    try:
        data = file_bytes(path)
    except CommandError as error:
        return Failed(str(path), error.code, str(error))
    return client.submit(read_one, data, str(path), deck, taught, pure=False)


def _result(begun: Any, address: str) -> vision.Reading | Failed:
    if isinstance(begun, Failed):
        return begun
    try:
        found: vision.Reading | Failed = begun.result()
    except Exception as error:  # whatever goes wrong there, such as a worker without paiyan, ends the command
        message = f"a Dask worker of {address} failed: {type(error).__name__}: {error}"
        raise CommandError("worker_failed", message) from error
    return found


def read_one(data: bytes, name: str, deck: str, taught: str) -> vision.Reading | Failed:
    """Read one photo, on a worker."""
    import vision

    try:
        return _reader().read(data, name=name, deck=deck, taught=taught, taught_dir=readers.taught_dir())
    except vision.PhotoError as error:
        return Failed(name, error.code, str(error))


@cache
def _reader() -> Recogniser:
    """The networks of this worker."""
    return readers.open_reader()
