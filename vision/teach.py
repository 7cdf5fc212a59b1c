"""Learn a deck's own print from photographs of it, asking only where the reading is unsure.

lesson = propose(reader, data, deck="sise")        a photo of the deck laid out, in any order
lesson.asked                                       the cards that a person should name
lesson = confirmed(lesson, [(quad, "rK"), …])
save_print(folder, name, learned([lesson], reader.networks))

Later photos add to it (`vision.taught.joined`), and so do cards that a player puts right (`with_put_right`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median_low

import numpy as np
from numpy.typing import NDArray

import scorer
from vision.decide import Verdict, choose_deck, decide, of_deck
from vision.ends import find_ends
from vision.faces import cut_ends
from vision.geometry import Floats, quad_centre, quad_frame
from vision.header import PhotoError
from vision.merge import found_in
from vision.networks import Networks
from vision.photo import Image, Views, open_photo
from vision.read import SURE_END, Reader, card_ends, copies, looks_of
from vision.reading import CardEnd
from vision.taught import Print, embed, joined, prototypes
from vision.truth import TruePhoto

FIRST_COPY = (
    3.0  # by which log-probability a face that lies nowhere yet is favoured: each should be there once
)
WHOLE = 0.6  # visible share of an end that is worth keeping
ASK_BELOW = 0.97  # confidence under which a person is asked: a wrong example misleads every later reading


@dataclass(frozen=True)
class Proposal:
    """One card of a lesson and what it is taken for; `code` is None for what is no card of the deck.

    crops (E, 96, 64, 3) and embeddings (E, D) are those of its ends.
    """

    code: str | None
    confidence: float
    sure: bool
    ends: tuple[CardEnd, ...]
    crops: Image
    embeddings: Floats


@dataclass(frozen=True)
class Lesson:
    """One photo of a deck, card by card."""

    deck: str
    proposals: tuple[Proposal, ...]

    @property
    def asked(self) -> tuple[Proposal, ...]:
        """The cards that a person should name."""
        return tuple(one for one in self.proposals if not one.sure)


def propose(reader: Reader, data: bytes, *, deck: str | None = None) -> Lesson:
    """Read a photo of a deck laid out, each face at least once, and say what each card is taken for.

    Raises
    ------
    PhotoError
        When the photo cannot be read, or shows no card (`no_card`).
    """
    views = Views(open_photo(data))
    networks = reader.networks
    ends = find_ends(views.at_least, views.size, networks.ends)
    seen = reader.seen(ends, reader.read_all(views, ends))
    found = found_in(seen, reader.ours)
    if not found.cards:
        raise PhotoError("no_card", "No card was found in this photo.")
    chosen = deck or choose_deck(found.evidence, found.heat, networks.classes)
    looks = looks_of(found, seen)
    plain = decide(
        found.evidence, found.heat, found.paper, networks.classes, copies(), chosen, looks=looks
    ).verdicts
    codes = each_face_once(found.evidence, networks.classes, chosen, plain)
    too_many = standing_for_missing(codes, chosen)
    # What is surely an end, but of no face that the networks know, may be one that is missing: a 王 that is a picture.
    lacking = bool(copies()[chosen].keys() - set(codes))
    proposals = []
    for card, verdict, code in zip(found.cards, plain, codes, strict=True):
        kept = [i for i in card.ends if seen.ends.visible[i] >= WHOLE] or list(card.ends[:1])
        told = code == verdict.code and verdict.confidence >= ASK_BELOW and not verdict.review
        strange = code is None and lacking and seen.ends.scores[card.ends[0]] >= SURE_END
        sure = told and code not in too_many and not strange
        proposals.append(
            Proposal(
                code,
                verdict.confidence if code == verdict.code else 1 - verdict.confidence,
                sure,
                card_ends(card, seen.ends),
                seen.faces.crops[kept],
                seen.faces.embedding[kept],
            )
        )
    return Lesson(chosen, tuple(proposals))


def each_face_once(
    told: Floats, classes: Sequence[str], deck: str, plain: Sequence[Verdict]
) -> tuple[str | None, ...]:
    """Codes for the cards of a deck laid out: as judged alone, save that faces seen nowhere go to doubtful cards.

    An exact assignment over places for each copy; the first copy of each face is favoured by `FIRST_COPY`.
    """
    from scipy.optimize import linear_sum_assignment  # a third of a second to load

    codes, p = of_deck(np.exp(told), classes, deck)
    caps = np.array([min(len(told), copies()[deck].get(code, 0)) for code in codes], dtype=np.intp)
    places = np.repeat(np.arange(len(codes) + 1), [*caps, len(told)])
    first = np.zeros(len(places), dtype=bool)
    first[(np.cumsum(caps) - caps)[caps > 0]] = True
    worth = np.log(p[:, places]) + np.where(first, FIRST_COPY, 0.0)
    _, chosen = linear_sum_assignment(-worth)
    found: NDArray[np.intp] = places[chosen]
    return tuple(
        verdict.code if verdict.confidence >= ASK_BELOW else codes[k] if k < len(codes) else None
        for k, verdict in zip(found.tolist(), plain, strict=True)
    )


def standing_for_missing(codes: Sequence[str | None], deck: str) -> frozenset[str]:
    """Faces of which more cards lie there than of most, where every face that is missing may be one of those.

    A print's own form of a face can look to the networks like another face, and surely so: with one of each laid out
    that face is there twice, and its own is missing.
    """
    seen = Counter(code for code in codes if code is not None)
    usual = median_low(seen.values() or [0])
    more = {code: n - usual for code, n in seen.items() if n > usual}
    compositions = scorer.deck(deck).copies.values()
    missing = min(sum(n > 0 and seen[code] == 0 for code, n in counts.items()) for counts in compositions)
    return frozenset(more if 0 < missing <= sum(more.values()) else ())


def confirmed(lesson: Lesson, answers: Sequence[tuple[Floats, str | None]]) -> Lesson:
    """The lesson with what a person said: pairs of a quad (4, 2) and a code, None for no card of the deck.

    An answer belongs to the card one of whose ends it lies on.

    Raises
    ------
    PhotoError
        `unknown_card` for a code that the deck lacks, `no_such_end` for a quad on no end.
    """
    proposals = list(lesson.proposals)
    for quad, code in answers:
        if code is not None and code not in copies()[lesson.deck]:
            raise PhotoError("unknown_card", f"The deck {lesson.deck} has no card {code[:20]!r}.")
        place = _meant(proposals, quad)
        proposals[place] = replace(proposals[place], code=code, confidence=1.0, sure=True)
    return replace(lesson, proposals=tuple(proposals))


def _meant(proposals: Sequence[Proposal], quad: Floats) -> int:
    """The proposal with an end at a quad."""
    centre = quad_centre(quad)
    best, nearest = -1, np.inf
    for i, proposal in enumerate(proposals):
        for end in proposal.ends:
            distance = np.linalg.norm(quad_centre(end.quad) - centre) / quad_frame(end.quad)[2]
            if distance < nearest:
                best, nearest = i, float(distance)
    if nearest > 0.5:
        raise PhotoError("no_such_end", f"There is no card end at {np.round(centre).tolist()}.")
    return best


def learned(lessons: Sequence[Lesson], networks: Networks) -> Print:
    """A print from the sure and the confirmed cards of lessons on one deck.

    Raises
    ------
    PhotoError
        `different_decks`, or `nothing_learned` where nothing is sure.
    """
    if len({lesson.deck for lesson in lessons}) > 1:
        raise PhotoError("different_decks", "These photos show different decks.")
    known = [one for lesson in lessons for one in lesson.proposals if one.sure and one.code is not None]
    if not known:
        raise PhotoError("nothing_learned", "No card of these photos is sure enough to learn from.")
    codes = tuple(str(one.code) for one in known for _ in one.crops)
    crops = np.concatenate([one.crops for one in known])
    embeddings = np.concatenate([one.embeddings for one in known])
    return Print(lessons[0].deck, codes, crops, embeddings, networks.name, (0,) * len(codes))


def from_truth(photos: Sequence[tuple[Image, TruePhoto]], networks: Networks) -> Print:
    """A print from photos of which it is known what every card is, all of one deck.

    Raises
    ------
    PhotoError
        `different_decks`, or `nothing_learned` where there is no card.
    """
    if len({photo.deck for _, photo in photos}) > 1:
        raise PhotoError("different_decks", "These photos show different decks.")
    ends = [
        (card.code, image, end.quad)
        for image, photo in photos
        for card in photo.cards
        for end in card.ends
        if end.visible >= WHOLE
    ]
    if not ends:
        raise PhotoError("nothing_learned", "No card of these photos is sure enough to learn from.")
    crops = np.concatenate([cut_ends(image, quad[None]) for _, image, quad in ends])
    codes = tuple(code for code, _, _ in ends)
    embeddings = embed(crops, networks.faces)
    return Print(photos[0][1].deck, codes, crops, embeddings, networks.name, (0,) * len(codes))


@dataclass(frozen=True)
class PutRight:
    """A card end that a player named: its code, a picture RGB (H, W, 3) of it, and its quad (4, 2) px in there."""

    code: str
    picture: Image
    quad: Floats


def with_put_right(taught: Print, ends: Sequence[PutRight], networks: Networks, at_ms: int) -> Print:
    """The print with what a player said while checking a hand, `at_ms` after 1970.

    Raises
    ------
    PhotoError
        `unknown_card` for a code that the deck lacks.
    """
    for one in ends:
        if one.code not in copies()[taught.deck]:
            raise PhotoError("unknown_card", f"The deck {taught.deck} has no card {one.code[:20]!r}.")
    crops = np.concatenate([cut_ends(one.picture, one.quad[None]) for one in ends])
    codes = tuple(one.code for one in ends)
    said = Print(
        taught.deck, codes, crops, embed(crops, networks.faces), networks.name, (at_ms,) * len(codes)
    )
    return joined(taught, said)


def taught_faces(taught: Print) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The codes that a print knows, and those of its deck that it lacks."""
    spoken = prototypes(taught)[0]
    known = tuple(code for code in copies()[taught.deck] if code in spoken)
    return known, tuple(code for code in copies()[taught.deck] if code not in known)
