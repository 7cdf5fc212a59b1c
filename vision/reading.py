"""What a photo, or several of the same cards, turn out to show: values, and their JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

import scorer
from vision.geometry import Floats
from vision.remarks import Remark


@dataclass(frozen=True)
class CardEnd:
    """One seen end: quad (4, 2) px, outer-left, outer-right, inner-right, inner-left; score 0 to 1."""

    quad: Floats
    score: float


class PhotoSize(NamedTuple):
    """A photo's name, and its width and height in px."""

    file: str
    width: int
    height: int


@dataclass(frozen=True)
class Look:
    """Where one of several photos of the same cards shows a card: the photo's name, the ends in its own px."""

    file: str
    ends: tuple[CardEnd, ...]


@dataclass(frozen=True)
class SeenCard:
    """One card of the deck; `pile` counts from 0, `alternatives` are (code, probability), best first; `suit_review`
    where only its colour is in doubt.

    `looks` are where each photo shows it, where several photos of the same cards were read as one.
    """

    code: str
    confidence: float
    review: bool
    alternatives: tuple[tuple[str, float], ...]
    ends: tuple[CardEnd, ...]
    pile: int
    looks: tuple[Look, ...] = ()
    suit_review: bool = False


@dataclass(frozen=True)
class Reading:
    """What was seen in one photo of `width` x `height` px; cards pile by pile in reading order.

    `others` are ends of things that are no card of the deck, or lie face down. `photos` are all that were read as one,
    the one whose pixels count first; none for a photo by itself. `taught` names the taught print that the cards were
    read with. `warnings` are all sentences worth telling, `remarks` those of them that say how the photo was taken,
    with their codes.
    """

    file: str
    width: int
    height: int
    deck: str | None
    cards: tuple[SeenCard, ...]
    others: tuple[CardEnd, ...]
    warnings: tuple[str, ...]
    timing_ms: Mapping[str, float]
    photos: tuple[PhotoSize, ...] = ()
    taught: str | None = None
    remarks: tuple[Remark, ...] = ()


def reading_json(reading: Reading) -> dict[str, object]:
    """A reading as the object that `paiyan read --json` prints (DESIGN 3).

    `taught` is there where a print was used. Of several photos of the same cards it also says which these are, and
    where each shows every card.
    """
    deck = scorer.deck(reading.deck) if reading.deck else None
    several = {"photos": [photo._asdict() for photo in reading.photos]} if reading.photos else {}
    used = {"taught": reading.taught} if reading.taught else {}
    return (
        {
            "file": reading.file,
            "width": reading.width,
            "height": reading.height,
            "deck": reading.deck,
            "cards": [card_json(card, deck) for card in reading.cards],
            "others": [end_json(end) for end in reading.others],
            "warnings": list(reading.warnings),
            "remarks": [remark._asdict() for remark in reading.remarks],
            "timing_ms": {key: round(value, 1) for key, value in reading.timing_ms.items()},
        }
        | used
        | several
    )


def card_json(card: SeenCard, deck: scorer.Deck | None) -> dict[str, object]:
    """One card as JSON."""
    suit = {"suit_review": True} if card.suit_review else {}
    looks = [{"file": look.file, "ends": [end_json(end) for end in look.ends]} for look in card.looks]
    return {
        "code": card.code,
        "name": deck.face(card.code).name.hans if deck else card.code,
        "confidence": round(card.confidence, 4),
        "review": card.review,
        **suit,
        "alternatives": [[code, round(share, 4)] for code, share in card.alternatives],
        "ends": [end_json(end) for end in card.ends],
        "pile": card.pile,
    } | ({"looks": looks} if looks else {})


def end_json(end: CardEnd) -> dict[str, object]:
    """One end as JSON: corners to a tenth of a pixel."""
    return {"quad": np.round(end.quad, 1).tolist(), "score": round(end.score, 4)}
