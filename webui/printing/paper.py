"""Sizes of paper, in mm."""

from __future__ import annotations

from typing import NamedTuple


class Paper(NamedTuple):
    """A sheet of paper, upright."""

    width: float
    height: float


PAPERS = {"a4": Paper(210.0, 297.0), "letter": Paper(215.9, 279.4)}
