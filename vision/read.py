"""The whole way: the bytes of one photo, or of several of the same cards, to the cards that lie there."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

import scorer
from vision.cards import Card, plain_pairs, possible_ends
from vision.decide import Decision, Verdict, decide, decks_apart, with_hidden_doubted
from vision.ends import LOOK, Ends, find_ends
from vision.faces import Faces, Seen, deck_of, no_faces, other_share, read_faces, replaced
from vision.geometry import Floats, lies_in, log_softmax, logit, quad_centre, quad_frame
from vision.looks import WHOLE, Looks
from vision.merge import Found, Photo, best_photo, found_in, merge
from vision.networks import Networks, load_networks
from vision.photo import PhotoError, Views, open_photo
from vision.piles import bodies, find_piles
from vision.reading import CardEnd, Look, PhotoSize, Reading, SeenCard
from vision.remarks import APART, NO_CARD, OTHER_DECK, TOO_MANY, Light, Remark, light_of, remarks
from vision.taught import choose_print, load_print, with_print

SPEAKS_FOR_BOTH = 0.96  # probability of what one end shows from which its card's other end is not looked at
SURE_END = 0.4  # peak heat under which a card is marked, and a thing that is no card is not worth a word
# Log-odds that a card of which one end is seen is one, and rightly read, no double or mark: weights for those of the
# heat, of the confidence and of how much of it shows, one for each card, two at most, on whose body the end lies, and a
# constant, fitted to held-out scenes (models/RESULTS.md).
LONE_HEAT, LONE_CONFIDENCE, LONE_VISIBLE, LONE_UPON, LONE_PRIOR = 1.51, 0.76, 0.63, -0.76, -1.24
MOST_UPON = 2
LONE_ODDS = 0.0  # log-odds under which it is not believed
REVIEW_ODDS = 1.5  # log-odds under which a person should look
# Peak heat times confidence of a photo's surest card under which the photo shows no card of ours, and under which it
# shows none where hardly a third is like it. On held-out scenes one photo with cards in 214 stays under it; of 200 bare
# tables none reaches it, of 100 with cards of other kinds one does.
SUREST_BELIEF, ALONE_BELIEF = 0.67, 0.75
COMPANY, LIKE_IT = 3, 0.3
# How far a lamp moves papers, as of `vision.decide.Decision`, from which its colour is worth a word: of held-out
# photos in ordinary light one in twenty of 四色 reaches it and none of the others, under an amber lamp all but a few.
STRONG_CAST = 0.65
ANOTHER_DECK = 3.0  # log-likelihood by which a photo must speak for another deck than the named one
DOUBTED_BELIEF = 0.4  # the same of a card that as many photos of it miss as show


class Shot(NamedTuple):
    """One photo as both networks see it; `seconds` it took to find the ends, without decoding."""

    name: str
    views: Views
    seen: Seen
    seconds: float


class Reader:
    """A loaded pair of networks that reads photos; safe to share between threads.

    Parameters
    ----------
    threads : CPU threads of one run; None leaves the choice to onnxruntime.
    networks : what sees, by default the trained networks of `models`.
    """

    def __init__(self, threads: int | None = None, networks: Networks | None = None) -> None:
        self.networks = networks or load_networks(threads)
        self.ours = np.array([deck_of(name) != "other" for name in self.networks.classes])

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
        return self.read_together([data], names=[name], deck=deck, taught=taught, taught_dir=taught_dir)[0]

    def read_together(
        self,
        data: Sequence[bytes],
        *,
        names: Sequence[str],
        deck: str = "auto",
        taught: str = "none",
        taught_dir: Path | None = None,
        base: int | None = None,
    ) -> tuple[Reading, ...]:
        """Read several photos of the same laid-out cards as one.

        Returns one reading, in px of the best photo, and for every photo that does not surely show the same cards
        a reading of its own, with a warning.

        Parameters
        ----------
        data, names : bytes and name of each photo; one at least.
        deck, taught, taught_dir : as for `read`.
        base : number of the photo whose pixels count, instead of the best one's.

        Raises
        ------
        PhotoError
            When one of the photos cannot be read, or there is no such deck.
        """
        start = time.perf_counter()
        if deck != "auto" and deck not in scorer.deck_ids():
            raise PhotoError("unknown_deck", f"There is no deck {deck[:40]!r}.")
        known = None if deck == "auto" else deck
        shots = [self.shoot(*one, taught, taught_dir) for one in zip(names, data, strict=True)]
        photos = [Photo(shot.views.size, shot.seen) for shot in shots]
        base = best_photo(photos, self.ours) if base is None else base
        found, foreign = merge(photos, self.ours, base)
        readings = [judge(self.networks, shots, found, base, known)]
        for number in foreign:
            alone = found_in(shots[number].seen, self.ours)
            reading = judge(self.networks, [shots[number]], alone, 0, known)
            readings.append(replace(reading, warnings=(APART, *reading.warnings)))
        if len(shots) > len(readings):
            together = (base, *(i for i in range(len(shots)) if i not in (base, *foreign)))
            sizes = tuple(PhotoSize(shots[i].name, *shots[i].views.size) for i in together)
            readings[0] = replace(readings[0], photos=sizes)
        times = timing(shots, time.perf_counter() - start)
        return tuple(replace(reading, timing_ms=times) for reading in readings)

    def shoot(self, name: str, data: bytes, taught: str, taught_dir: Path | None) -> Shot:
        """One photo as both networks see it."""
        start = time.perf_counter()
        views = Views(open_photo(data))
        ends = find_ends(views.at_least, views.size, self.networks.ends)
        found = time.perf_counter() - start - views.seconds
        faces = self.read_sparingly(views, ends)
        return Shot(name, views, self.seen(ends, faces, taught, taught_dir), found)

    def read_all(self, views: Views, ends: Ends) -> Faces:
        """What every end shows; an end that lay the other way up has its quad turned."""
        networks = self.networks
        if not len(ends):
            return no_faces(len(networks.classes))
        return read_faces(views.at_least, ends.quads, networks.faces)

    def read_sparingly(self, views: Views, ends: Ends) -> Faces:
        """What the ends show, looking at the second end of a card only where the first leaves a doubt.

        One that is not looked at stays where it was found and shows what the first does. On held-out photos that
        changes one card in three thousand (models/RESULTS.md), and it spares half of the crops where cards lie apart.
        """
        better, worse = plain_pairs(ends)
        first = np.setdiff1d(np.arange(len(ends)), worse)
        speaker = np.arange(len(ends))
        speaker[worse] = better
        faces = self.read_all(views, ends.take(first)).take(np.searchsorted(first, speaker))
        said = faces.take(better)
        belief = np.exp(log_softmax(said.logits / self.networks.temperature)[:, self.ours])
        turned = np.sum(quad_frame(said.quads)[1] * quad_frame(ends.quads[better])[1], axis=1) < 0
        asked = worse[(belief.max(axis=1, initial=0.0) < SPEAKS_FOR_BOTH) | turned]
        faces.quads[worse] = ends.quads[worse]
        return replaced(faces, asked, self.read_all(views, ends.take(asked)))

    def seen(self, ends: Ends, faces: Faces, taught: str = "none", taught_dir: Path | None = None) -> Seen:
        """Ends that their faces allow for, with the log-probabilities of those, after a taught print has spoken."""
        networks = self.networks
        used = None
        if taught != "none" and taught_dir is not None:
            faces, used = self.as_taught(faces, taught, taught_dir)
        log_faces = log_softmax(faces.logits / networks.temperature)
        ends = replace(ends, quads=faces.quads)
        kept = possible_ends(ends, other_share(log_faces, self.ours))
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


def judge(networks: Networks, shots: Sequence[Shot], found: Found, base: int, deck: str | None) -> Reading:
    """From what was found in photos, in px of the base photo, to a reading without times."""
    seen = shots[base].seen
    picture, _ = shots[base].views.at_least(min(1.0, LOOK / max(shots[base].views.size)))
    light = light_of(picture, seen.ends, seen.faces.crops)
    light = light._replace(dark=light.dark or shots[base].views.dim)
    decision = decide(
        found.evidence,
        found.heat,
        found.paper,
        networks.classes,
        copies(),
        deck,
        light.colourless,
        looks_of(found, seen),
    )
    decision = with_hidden_doubted(decision, most_visible(found))
    odds = lone_odds(found, decision.verdicts)
    ours = believed(found, decision.verdicts, odds)
    cast = float(np.linalg.norm(decision.lamp)) > STRONG_CAST
    told = said_of(shots[base], found, ours, light._replace(cast=cast and bool(ours)))
    if deck is not None:
        told += named_deck(found, networks.classes, deck)
    warnings = () if ours else (NO_CARD,)
    if decision.too_many and ours:
        warnings = (TOO_MANY,)
    return Reading(
        file=shots[base].name,
        width=shots[base].views.size[0],
        height=shots[base].views.size[1],
        deck=decision.deck if ours else None,
        cards=in_piles(shots, found, decision, ours, odds),
        others=others(found.cards, found.ends, decision),
        warnings=(*warnings, *(remark.message for remark in told)),
        timing_ms={},
        taught=seen.taught if ours else None,
        remarks=told,
    )


def said_of(shot: Shot, found: Found, ours: Sequence[int], light: Light) -> tuple[Remark, ...]:
    """What is wrong with how the cards `ours` were photographed."""
    seen = shot.seen
    better = np.array([i for k in ours for i in found.cards[k].ends[:1] if i < len(seen.ends)], dtype=np.intp)
    return remarks(light, shot.views.size, seen.ends.take(better), seen.faces.crops[better])


def looks_of(found: Found, seen: Seen) -> Looks:
    """How the cards look in the photo `seen`, as far as it shows them."""
    better = np.array([card.ends[0] for card in found.cards], dtype=np.intp)
    there = better < len(seen.ends)
    shown = np.where(there, better, 0)
    if not len(seen.ends):
        return Looks(seen.faces.crops, seen.faces.embedding, np.zeros(0, dtype=bool))
    whole = there & (seen.ends.visible[shown] >= WHOLE)
    return Looks(seen.faces.crops[shown], seen.faces.embedding[shown], whole)


def named_deck(found: Found, classes: Sequence[str], deck: str) -> tuple[Remark, ...]:
    """What is worth telling where a photo shows another deck than the one that it is read as."""
    apart = {deck: -np.inf} | decks_apart(found.evidence, found.heat, classes)
    likeliest = max(apart, key=apart.__getitem__)
    return (OTHER_DECK[likeliest],) if apart[likeliest] > apart[deck] + ANOTHER_DECK else ()


def believed(found: Found, verdicts: Sequence[Verdict], odds: Floats) -> list[int]:
    """Which cards are of the deck: they have a face, and a single faint end must be all the surer of it, as must what
    other photos of the same cards do not show.

    Where not even the best is believed, there is no card of ours in the photo. `odds` (M,) are those of `lone_odds`.
    """
    confidence = confidences(verdicts)
    belief = found.heat * confidence
    alone = np.count_nonzero(belief >= LIKE_IT) < COMPANY
    if belief.max(initial=0.0) < (ALONE_BELIEF if alone else SUREST_BELIEF):
        return []
    faint = found.lone & (odds < LONE_ODDS)
    missed = found.doubted & (belief < DOUBTED_BELIEF)
    chosen: list[int] = np.flatnonzero((confidence > 0) & ~faint & ~missed).tolist()
    return chosen


def confidences(verdicts: Sequence[Verdict]) -> Floats:
    """Confidence (M,) that each is a card of its kind, whatever its colour; 0 of what is none of the deck."""
    return np.array([0.0 if one.code is None else max(one.confidence, one.kind) for one in verdicts])


def most_visible(found: Found) -> Floats:
    """Visible share (M,) of that end of each card which shows most."""
    return np.array([found.ends.visible[list(card.ends)].max() for card in found.cards], dtype=np.float64)


def lone_odds(found: Found, verdicts: Sequence[Verdict]) -> Floats:
    """Log-odds (M,) that the cards of which one end is seen are cards.

    What lies on the body of a card that is surely there may be a mark on it, or its end seen twice. For cards of which
    both ends are seen the number says nothing.
    """
    confidence = confidences(verdicts)
    visible = np.array([found.ends.visible[card.ends[0]] for card in found.cards], dtype=np.float64)
    odds: Floats = (
        LONE_HEAT * logit(found.heat)
        + LONE_CONFIDENCE * logit(confidence)
        + LONE_VISIBLE * logit(visible)
        + LONE_PRIOR
    )
    if not found.lone.any():
        return odds
    sure = np.flatnonzero((confidence > 0) & (~found.lone | (odds >= REVIEW_ODDS)))
    quads = bodies([found.cards[k] for k in sure], found.ends)
    centres = quad_centre(found.ends.quads)
    for k in np.flatnonzero(found.lone):
        place = centres[found.cards[k].ends[0]]
        upon = sum(lies_in(place, quad) for other, quad in zip(sure, quads, strict=True) if other != k)
        odds[k] += LONE_UPON * min(upon, MOST_UPON)
    return odds


def in_piles(
    shots: Sequence[Shot], found: Found, decision: Decision, ours: Sequence[int], odds: Floats
) -> tuple[SeenCard, ...]:
    """The cards of the deck, pile by pile in reading order; `odds` (M,) are those of `lone_odds`."""
    quads = bodies([found.cards[k] for k in ours], found.ends)
    return tuple(
        seen_card(shots, found, ours[place], decision.verdicts[ours[place]], number, odds[ours[place]])
        for number, pile in enumerate(find_piles(quads))
        for place in pile
    )


def seen_card(
    shots: Sequence[Shot], found: Found, k: int, verdict: Verdict, pile: int, odds: float
) -> SeenCard:
    """One card of the reading; an end that hardly stands out from the table is always worth a look, as is a card that
    another photo should have shown. `odds` are those of `lone_odds`."""
    if verdict.code is None:
        raise ValueError("a card without a face is no card of the reading")
    seen = card_ends(found.cards[k], found.ends)
    heat = max(end.score for end in seen)
    faint = heat < SURE_END or (len(seen) == 1 and odds < REVIEW_ODDS)
    looks = tuple(
        Look(shots[one.photo].name, card_ends(Card(one.ends), shots[one.photo].seen.ends))
        for one in found.sightings[k]
    )
    return SeenCard(
        verdict.code,
        verdict.confidence,
        bool(verdict.review or faint or found.doubted[k]),
        verdict.alternatives,
        seen,
        pile,
        looks if len(shots) > 1 else (),
        verdict.suit_review,
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


def timing(shots: Sequence[Shot], total: float) -> Mapping[str, float]:
    """Milliseconds by stage, of all photos together."""
    decode, ends = sum(shot.views.seconds for shot in shots), sum(shot.seconds for shot in shots)
    times = {"decode": decode, "ends": ends, "faces": total - decode - ends, "total": total}
    return {key: 1000 * value for key, value in times.items()}


@cache
def copies() -> Mapping[str, Mapping[str, int]]:
    """The largest number of each face over all compositions, by deck and code."""
    return {
        deck_id: {
            face.code: scorer.deck(deck_id).max_copies(face.code) for face in scorer.deck(deck_id).faces
        }
        for deck_id in scorer.deck_ids()
    }
