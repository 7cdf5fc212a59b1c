"""What the made-up readers of these tests share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import vision


class EachAlone:
    """Reads several photos each by itself: none shows the cards of another."""

    def read(
        self, data: bytes, *, name: str, deck: str, taught: str, taught_dir: Path | None
    ) -> vision.Reading:
        """Read one photo."""
        raise NotImplementedError

    def read_together(
        self, data: Sequence[bytes], *, names: Sequence[str], deck: str, taught: str, taught_dir: Path | None
    ) -> tuple[vision.Reading, ...]:
        """Read photos."""
        return tuple(
            self.read(one, name=name, deck=deck, taught=taught, taught_dir=taught_dir)
            for one, name in zip(data, names, strict=True)
        )
