"""What each card is: one deck for the photo, no more copies than it has, and doubt where there is some."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.faces import class_decks, deck_of
from vision.geometry import Floats
from vision.kin import kinship, without_colour
from vision.looks import Looks, parted
from vision.suits import judge_suits, white_lamp

OTHER = -1  # index that stands for "no card of this deck"
MISREAD = 0.02  # share of cards that may be anything, so that one of them cannot choose the deck
FOREIGN = 0.15  # how far a face of another deck speaks for `other`: most are misread cards of this deck
SURE = 0.98  # confidence from which the number of copies overrules nobody
REVIEW_BELOW = 0.90  # confidence under which a person should look
# Visible share of a card's better end under which a person should look, by deck: a group of pips that is partly covered
# may be another number's, however sure the network is of what shows. Characters tell more by a part of them.
HALF_HIDDEN = {"chuanpai": 0.66}
ALTERNATIVES = 5  # faces listed for a card, its own among them
LEAST_ALTERNATIVE = 0.002  # probability under which a face is not worth listing


@dataclass(frozen=True)
class Verdict:
    """What one card is taken for; `code` is None for what is no card of the deck.

    `kind` is the confidence in all but its colour. `alternatives` are the likeliest faces with their probabilities, the
    card's own among them, best first.
    """

    code: str | None
    confidence: float
    review: bool
    alternatives: tuple[tuple[str, float], ...]
    kind: float = 0.0

    @property
    def suit_review(self) -> bool:
        """Whether the kind is sure and the colour is not."""
        return self.confidence < REVIEW_BELOW <= self.kind


@dataclass(frozen=True)
class Decision:
    """The deck (None where no card is), a verdict for each card, the faces seen more often than they exist, and how far
    the lamp moves all papers: logs (2,) of red by green and of blue by green."""

    deck: str | None
    verdicts: tuple[Verdict, ...]
    too_many: tuple[str, ...]
    lamp: Floats


def decide(
    log_evidence: Floats,
    heat: Floats,
    paper: Floats,
    classes: Sequence[str],
    limits: Mapping[str, Mapping[str, int]],
    deck: str | None = None,
    colourless: bool = False,
    looks: Looks | None = None,
) -> Decision:
    """Judge all cards of a photo together.

    Parameters
    ----------
    log_evidence : (M, K) log-probabilities of the classes for each card.
    heat : (M,) peak heat of each card's better end, 0 to 1.
    paper : (M, 3) CIE Lab of each card's paper.
    classes : K names, `deck:code`, or starting with `other`.
    limits : the largest number of copies of each face, by deck and code.
    deck : the deck, where it is known.
    colourless : whether the photo has no colours.
    looks : how the cards look, where they may be compared.
    """
    chosen = deck or choose_deck(log_evidence, heat, classes)
    lamp = np.zeros(2)
    if colourless:
        log_evidence = without_colour(log_evidence, classes)
    elif chosen == "sise":
        log_evidence, lamp = judge_suits(log_evidence, paper, classes)
    elif len(paper):
        lamp = white_lamp(paper)
    codes, p = of_deck(np.exp(log_evidence), classes, chosen)
    if looks is not None:
        p = parted(p, looks)
    caps = np.array([limits[chosen].get(code, 0) for code in codes], dtype=np.intp)
    best = np.where(p.argmax(axis=1) < len(codes), p.argmax(axis=1), OTHER)
    assigned = assign_copies(p, caps)
    overruled = (assigned != best) & (best != OTHER) & (p.max(axis=1, initial=0) >= SURE)
    assigned = np.where(overruled, best, assigned)
    p = with_room(p, assigned, caps)
    alike = p[:, :-1] @ (kinship(tuple(f"{chosen}:{code}" for code in codes)) > 0).T
    verdicts = tuple(
        _verdict(row, kind, int(k), codes, bool(o))
        for row, kind, k, o in zip(p, alike, assigned, overruled, strict=True)
    )
    counts = np.bincount(assigned[assigned != OTHER], minlength=len(codes))
    too_many = tuple(codes[k] for k in np.flatnonzero(counts > caps))
    return Decision(chosen if np.any(assigned != OTHER) else None, verdicts, too_many, lamp)


def with_hidden_doubted(decision: Decision, visible: Floats) -> Decision:
    """The decision with those cards marked of which too little shows; `visible` (M,) is the share of what does."""
    hidden = visible < HALF_HIDDEN.get(decision.deck or "", 0.0)
    verdicts = zip(decision.verdicts, hidden.tolist(), strict=True)
    return replace(decision, verdicts=tuple(replace(v, review=v.review or h) for v, h in verdicts))


def choose_deck(log_evidence: Floats, heat: Floats, classes: Sequence[str]) -> str:
    """The deck under which all cards together are likeliest."""
    worth = decks_apart(log_evidence, heat, classes)
    return max(worth, key=worth.__getitem__)


def decks_apart(log_evidence: Floats, heat: Floats, classes: Sequence[str]) -> dict[str, float]:
    """How likely all cards together are under each deck, as a logarithm.

    Cards that are `other` speak for none, and what hardly stands out from a patterned table speaks little: weighed by
    the square of the heat the right deck is twice as far ahead on held-out scenes.
    """
    p = np.exp(log_evidence)
    decks = np.array([deck_of(name) for name in classes])
    other = p[:, decks == "other"].sum(axis=1)
    return {
        name: float(heat**2 @ np.log(p[:, decks == name].sum(axis=1) + other + MISREAD))
        for name in class_decks(classes)
    }


def of_deck(p: Floats, classes: Sequence[str], deck: str) -> tuple[tuple[str, ...], Floats]:
    """The deck's codes and, for M cards, the probabilities (M, codes + 1) of them and, last, of `other`."""
    decks = np.array([deck_of(name) for name in classes])
    own, other = decks == deck, decks == "other"
    codes = tuple(name.partition(":")[2] for name, mine in zip(classes, own, strict=True) if mine)
    foreign = p[:, ~own & ~other].sum(axis=1)
    rest = p[:, other].sum(axis=1) + FOREIGN * foreign
    table = np.concatenate([p[:, own], rest[:, None]], axis=1) + 1e-12
    return codes, table / table.sum(axis=1, keepdims=True)


def assign_copies(p: Floats, caps: NDArray[np.intp]) -> NDArray[np.intp]:
    """A face, or `OTHER`, for each card: the likeliest choice for all together with at most `caps` copies of each.

    Exact: each copy of each face is one place, `other` has a place for every card.

    Parameters
    ----------
    p : (M, D + 1) probabilities, `other` last.
    caps : (D,) copies of each face.
    """
    cards, faces = len(p), len(caps)
    best = p.argmax(axis=1)
    counts = np.bincount(best, minlength=faces + 1)[:faces]
    if np.any(counts > caps):
        from scipy.optimize import (
            linear_sum_assignment,
        )  # a third of a second to load, and few photos need it

        places = np.repeat(np.arange(faces + 1), [*np.minimum(caps, cards), cards])
        _, chosen = linear_sum_assignment(-np.log(p[:, places]))
        best = places[chosen]
    return np.where(best < faces, best, OTHER)


def with_room(p: Floats, assigned: NDArray[np.intp], caps: NDArray[np.intp]) -> Floats:
    """Probabilities (M, D + 1) given the other cards.

    A face whose copies all lie elsewhere is as unlikely as those who hold them are sure.
    """
    faces = len(caps)
    held = (assigned[:, None] == np.arange(faces)[None]).astype(float)
    log_sure = held * np.log(np.clip(p[:, :faces], 1e-12, 1 - 1e-9))
    others = held.sum(axis=0)[None] - held
    all_right = np.exp(log_sure.sum(axis=0)[None] - log_sure)
    room = np.where((others >= caps[None]) & (held == 0), 1 - all_right, 1.0)
    table = p * np.concatenate([room, np.ones((len(p), 1))], axis=1)
    shared: Floats = table / table.sum(axis=1, keepdims=True)
    return shared


def _verdict(p: Floats, alike: Floats, k: int, codes: Sequence[str], overruled: bool) -> Verdict:
    """The verdict on a card; `alike` (D,) is how likely each face is, with those that only colour tells from it."""
    order = np.argsort(-p[:-1], kind="stable")[:ALTERNATIVES]
    listed = tuple((codes[i], float(p[i])) for i in order if i == k or p[i] >= LEAST_ALTERNATIVE)
    confidence = float(p[k])  # OTHER is the last column
    review = overruled or confidence < REVIEW_BELOW
    kind = float(alike[k]) if k != OTHER else 0.0
    return Verdict(None if k == OTHER else codes[k], confidence, review, listed, kind)
