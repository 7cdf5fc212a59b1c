"""The whole way: the bytes of one photo to the cards that lie in it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

import scorer
from vision.cards import Card, card_heat, evidence, join_ends, possible_ends
from vision.decide import Decision, Verdict, decide
from vision.ends import LOOK, Ends, find_ends
from vision.faces import Faces, deck_of, no_faces, read_faces
from vision.geometry import Floats, log_softmax
from vision.networks import Networks, load_networks
from vision.photo import PhotoError, Views, open_photo
from vision.piles import bodies, find_piles
from vision.remarks import remarks
from vision.taught import choose_print, load_print, with_print

SURE_END = 0.4  # peak heat under which a card is marked, and a thing that is no card is not worth a word
# Peak heat times confidence under which a card of which one end is seen is not believed: on held-out scenes these
# are doubles and marks eight times as often as cards read right (models/RESULTS.md).
LONE_BELIEF = 0.22
# The same of a photo's surest card under which the photo shows no card of ours. On held-out scenes no photo with cards
# stays under it; of 200 bare tables none reaches it, of 100 with cards of other kinds three do.
SUREST_BELIEF = 0.65


@dataclass(frozen=True)
class CardEnd:
    """One seen end: quad (4, 2) px, outer-left, outer-right, inner-right, inner-left; score 0 to 1."""

    quad: Floats
    score: float


@dataclass(frozen=True)
class SeenCard:
    """One card of the deck; `pile` counts from 0, `alternatives` are (code, probability), best first."""

    code: str
    confidence: float
    review: bool
    alternatives: tuple[tuple[str, float], ...]
    ends: tuple[CardEnd, ...]
    pile: int


@dataclass(frozen=True)
class Reading:
    """What was seen in one photo of `width` x `height` px; cards pile by pile in reading order.

    `others` are ends of things that are no card of the deck, or lie face down. `taught` names the taught print that
    the cards were read with.
    """

    file: str
    width: int
    height: int
    deck: str | None
    cards: tuple[SeenCard, ...]
    others: tuple[CardEnd, ...]
    warnings: tuple[str, ...]
    timing_ms: Mapping[str, float]
    taught: str | None = None


class Seen(NamedTuple):
    """Ends, their faces and log-probabilities (N, K), after both networks and the print `taught` have spoken."""

    ends: Ends
    faces: Faces
    log_faces: Floats
    taught: str | None


class Reader:
    """A loaded pair of networks that reads photos; safe to share between threads.

    Parameters
    ----------
    threads : CPU threads of one run; None leaves the choice to onnxruntime.
    networks : what sees, by default the trained networks of `models`.
    """

    def __init__(self, threads: int | None = None, networks: Networks | None = None) -> None:
        self.networks = networks or load_networks(threads)

    def read(
        self,
        data: bytes,
        *,
        name: str = "",
        deck: str = "auto",
        taught: str = "none",
        taught_dir: Path | None = None,
    ) -> Reading:
        """Read one photo.

        Parameters
        ----------
        data : the bytes of a JPEG, PNG, WebP or HEIC file.
        name : what the reading calls the photo.
        deck : `auto` or a deck's id.
        taught : `auto`, `none` or the name of a taught print in `taught_dir`.

        Raises
        ------
        PhotoError
            When the photo cannot be read, or there is no such deck.
        """
        start = time.perf_counter()
        if deck != "auto" and deck not in scorer.deck_ids():
            raise PhotoError("unknown_deck", f"There is no deck {deck[:40]!r}.")
        views = Views(open_photo(data))
        ends = find_ends(views.at_least, views.size, self.networks.ends)
        found, decoded = time.perf_counter(), views.seconds
        seen = self.look(views, ends, taught, taught_dir)
        reading = judge(self.networks, views, seen, name, None if deck == "auto" else deck)
        done = time.perf_counter()
        times = {
            "decode": views.seconds,
            "ends": found - start - decoded,
            "faces": done - found - (views.seconds - decoded),
            "total": done - start,
        }
        return replace(reading, timing_ms={key: 1000 * value for key, value in times.items()})

    def look(self, views: Views, ends: Ends, taught: str = "none", taught_dir: Path | None = None) -> Seen:
        """What the ends show; an end that lay the other way up has its quad turned."""
        networks = self.networks
        faces = (
            read_faces(views.at_least, ends.quads, networks.faces)
            if len(ends)
            else no_faces(len(networks.classes))
        )
        used = None
        if taught != "none" and taught_dir is not None:
            faces, used = self.as_taught(faces, taught, taught_dir)
        log_faces = log_softmax(faces.logits / networks.temperature)
        other = np.array([deck_of(name) == "other" for name in networks.classes])
        ends = replace(ends, quads=faces.quads)
        kept = possible_ends(ends, np.exp(log_faces[:, other]).sum(axis=1))
        return Seen(ends.take(kept), faces.take(kept), log_faces[kept], used)

    def as_taught(self, faces: Faces, taught: str, folder: Path) -> tuple[Faces, str | None]:
        """The faces with logits that listen to a taught print, the named one or the one that fits, and its name."""
        networks = self.networks
        if taught == "auto":
            log_faces = log_softmax(faces.logits / networks.temperature)
            found = choose_print(folder, networks, faces.embedding, log_faces)
        else:
            found = taught, load_print(folder, taught, networks)
        if found is None or not len(faces):
            return faces, None
        name, own = found
        logits = with_print(faces.logits, faces.embedding, own, networks.classes, networks.scale)
        return replace(faces, logits=logits), name


def judge(networks: Networks, views: Views, seen: Seen, name: str, deck: str | None) -> Reading:
    """From seen ends to a reading without times."""
    ends, faces = seen.ends, seen.faces
    cards = join_ends(ends, seen.log_faces)
    paper = faces.paper[[card.ends[0] for card in cards]].reshape(-1, 3)
    heat = card_heat(cards, ends)
    decision = decide(evidence(cards, ends, seen.log_faces), heat, paper, networks.classes, copies(), deck)
    ours = believed(cards, decision.verdicts, heat)
    shown = [i for k in ours for i in cards[k].ends]
    picture, _ = views.at_least(min(1.0, LOOK / max(views.size)))
    told = remarks(
        picture,
        views.size,
        ends.take(np.array(shown, dtype=np.intp)),
        faces.crops[shown],
        bool(decision.too_many),
    )
    return Reading(
        file=name,
        width=views.size[0],
        height=views.size[1],
        deck=decision.deck if ours else None,
        cards=in_piles(cards, ends, decision, ours),
        others=others(cards, ends, decision),
        warnings=told,
        timing_ms={},
        taught=seen.taught if ours else None,
    )


def believed(cards: Sequence[Card], verdicts: Sequence[Verdict], heat: Floats) -> list[int]:
    """Which cards are of the deck: they have a face, and a single faint end must be all the surer of it.

    Where not even the best is believed, there is no card of ours in the photo.
    """
    belief = heat * [0.0 if verdict.code is None else verdict.confidence for verdict in verdicts]
    if belief.max(initial=0.0) < SUREST_BELIEF:
        return []
    whole = np.array([len(card.ends) > 1 for card in cards])
    faced = np.array([verdict.code is not None for verdict in verdicts])
    found: list[int] = np.flatnonzero(faced & (whole | (belief >= LONE_BELIEF))).tolist()
    return found


def in_piles(
    cards: Sequence[Card], ends: Ends, decision: Decision, ours: Sequence[int]
) -> tuple[SeenCard, ...]:
    """The cards of the deck, pile by pile in reading order."""
    quads = bodies([cards[k] for k in ours], ends)
    found = []
    for number, pile in enumerate(find_piles(quads)):
        for place in pile:
            card, verdict = cards[ours[place]], decision.verdicts[ours[place]]
            found.append(seen_card(card, verdict, ends, number))
    return tuple(found)


def seen_card(card: Card, verdict: Verdict, ends: Ends, pile: int) -> SeenCard:
    """One card of the reading; an end that hardly stands out from the table is always worth a look."""
    seen = card_ends(card, ends)
    faint = max(end.score for end in seen) < SURE_END
    if verdict.code is None:
        raise ValueError("a card without a face is no card of the reading")
    return SeenCard(
        verdict.code, verdict.confidence, verdict.review or faint, verdict.alternatives, seen, pile
    )


def card_ends(card: Card, ends: Ends) -> tuple[CardEnd, ...]:
    """The ends of a card, the better first."""
    return tuple(CardEnd(ends.quads[i], float(ends.scores[i])) for i in card.ends)


def others(cards: Sequence[Card], ends: Ends, decision: Decision) -> tuple[CardEnd, ...]:
    """Ends of what is no card of the deck, where it stands out clearly."""
    return tuple(
        end
        for card, verdict in zip(cards, decision.verdicts, strict=True)
        if verdict.code is None
        for end in card_ends(card, ends)
        if end.score >= SURE_END
    )


@cache
def copies() -> Mapping[str, Mapping[str, int]]:
    """The largest number of each face over all compositions, by deck and code."""
    return {
        deck_id: {
            face.code: scorer.deck(deck_id).max_copies(face.code) for face in scorer.deck(deck_id).faces
        }
        for deck_id in scorer.deck_ids()
    }


def reading_json(reading: Reading) -> dict[str, object]:
    """A reading as the object that `paiyan read --json` prints (DESIGN 3); `taught` is there where a print was used."""
    deck = scorer.deck(reading.deck) if reading.deck else None
    cards = [
        {
            "code": card.code,
            "name": deck.face(card.code).name.hans if deck else card.code,
            "confidence": round(card.confidence, 4),
            "review": card.review,
            "alternatives": [[code, round(share, 4)] for code, share in card.alternatives],
            "ends": [end_json(end) for end in card.ends],
            "pile": card.pile,
        }
        for card in reading.cards
    ]
    return {
        "file": reading.file,
        "width": reading.width,
        "height": reading.height,
        "deck": reading.deck,
        "cards": cards,
        "others": [end_json(end) for end in reading.others],
        "warnings": list(reading.warnings),
        "timing_ms": {key: round(value, 1) for key, value in reading.timing_ms.items()},
        **({"taught": reading.taught} if reading.taught else {}),
    }


def end_json(end: CardEnd) -> dict[str, object]:
    """One end as JSON: corners to a tenth of a pixel."""
    return {"quad": np.round(end.quad, 1).tolist(), "score": round(end.score, 4)}
