"""The demo photos with their truth, and a reader that answers the truth where there are no networks."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import scorer
import vision
from tests.readers import EachAlone

FOLDER = Path(__file__).resolve().parents[2] / "webui" / "static" / "samples"


@dataclass(frozen=True)
class Sample:
    """One demo photo: file, rule set, and the codes of the cards that lie together on it."""

    path: Path
    rules: str
    piles: tuple[tuple[str, ...], ...]

    @property
    def codes(self) -> list[str]:
        """Codes of all cards, sorted."""
        return sorted(code for pile in self.piles for code in pile)

    def score(self) -> dict[str, Any]:
        """What the hand comes to with all its cards loose and no winning card marked."""
        hand = scorer.hand_from_piles(self.rules, [scorer.PileIn(tuple(self.codes))])
        return scorer.score_json(scorer.score(hand))


def samples() -> list[Sample]:
    """All demo photos whose game the scorer knows."""
    listed = json.loads((FOLDER / "samples.json").read_text(encoding="utf-8"))
    return [
        Sample(FOLDER / one["file"], one["rules"], tuple(tuple(pile) for pile in one["piles"]))
        for one in listed
        if one["rules"] in scorer.rule_ids()
    ]


class TruthReader(EachAlone):
    """Answers a demo photo with its truth, the second card marked doubtful; any other photo has no card."""

    def __init__(self) -> None:
        self._samples = {hashlib.sha256(sample.path.read_bytes()).digest(): sample for sample in samples()}

    def read(
        self, data: bytes, *, name: str, deck: str, taught: str, taught_dir: Path | None
    ) -> vision.Reading:
        """Read a photo."""
        height, width = vision.decode(data).shape[:2]
        sample = self._samples.get(hashlib.sha256(data).digest())
        piles = sample.piles if sample else ()
        cards = tuple(
            _seen(code, row, column, (width, height))
            for row, pile in enumerate(piles)
            for column, code in enumerate(pile)
        )
        timing = {"decode": 0.0, "ends": 0.0, "faces": 0.0, "total": 0.0}
        found = scorer.rule_set(sample.rules).deck if sample else None
        return vision.Reading(name, width, height, found, cards, (), (), timing)


def _seen(code: str, row: int, column: int, size: tuple[int, int]) -> vision.SeenCard:
    """A card in its pile's row; the first card of the second pile is doubtful."""
    width, height = size[0] / 12, size[1] / 18
    corner = np.array([(1 + column * 1.5) * width, (1 + row * 1.1) * height])
    quad = corner + np.array([[0, 0], [width, 0], [width, height], [0, height]])
    sure = 0.61 if (row, column) == (1, 0) else 0.999
    other = "rP" if code != "rP" else "gP"
    alternatives = ((code, sure), (other, round(1 - sure, 4)))
    return vision.SeenCard(code, sure, sure < 0.9, alternatives, (vision.CardEnd(quad, 0.9),), row)
