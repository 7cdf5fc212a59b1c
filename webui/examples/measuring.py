"""Reading kept photos beside their truth, and letting a print learn from them where that does no harm.

A photo is read by itself and with a print learnt from the other kept photos of its deck, never from itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from flask import Response, flash, jsonify, request, url_for

from vision.evaluate import Judged
from vision.header import PhotoError
from vision.networks import weights_name
from vision.taught import LEAST_TEMPERATURE, MOST_TEMPERATURE
from webui.decks.changing import changing
from webui.examples import figures
from webui.examples.room import blueprint
from webui.games import asked
from webui.games.room import see_other
from webui.language.said import gettext
from webui.ledger.errors import N_, LedgerError
from webui.scanning.apart import done_by
from webui.scanning.beside_truth import learn, read_beside_truth
from webui.scanning.recognise import Gate, gate, prints_folder
from webui.store import examples, kept
from webui.store.engine import Store
from webui.store.examples import Answer, Example

MOST_OTHERS = 24
"""Photos that a print is made of to measure another: more teach little that is new."""

TEMPERATURES = np.geomspace(LEAST_TEMPERATURE, MOST_TEMPERATURE, 43).clip(LEAST_TEMPERATURE, MOST_TEMPERATURE)
LIKELIER = 3.3
"""By which log-likelihood another temperature must beat 1: half of what chi-squared exceeds by chance once in a hundred
times. A handful of cards says little: less than this gained nothing on other photos of the same decks."""


class NotLearnt(LedgerError):
    """A print that would read worse with what it would learn."""

    code = "not_learnt"
    text = N_("With these photos “%(name)s” would not be read better; nothing was learnt.")


def measure(store: Store, door: Gate, example: Example, at_ms: int) -> None:
    """Read a kept photo with the installed networks and keep what they made of it."""
    others = [
        (examples.picture(store, one.id), one.photo)
        for one in (examples.listed(store, example.name) if example.name else ())
        if one.id != example.id and one.deck == example.deck
    ][:MOST_OTHERS]
    known = examples.picture(store, example.id), example.photo
    with door.reader() as reader:
        found = done_by(reader, read_beside_truth, known, others, photos=2 + len(others))
    for how, (counts, judged) in found.items():
        examples.put_answer(store, Answer(example.id, weights_name(), how, counts, judged, at_ms))


@blueprint.post("/<example_id>/measure")
def measure_one(example_id: str) -> Response:
    """Measure one kept photo; asked by the page for one after the other."""
    measure(kept.store(), gate(), examples.load(kept.store(), example_id), asked.now_ms())
    return jsonify({"id": example_id})


@blueprint.post("/teach")
def teach() -> Response:
    """Let the print of the deck in the field `name` learn from all its kept photos, where that does no harm."""
    name = request.form.get("name", "")
    there = examples.listed(kept.store())
    if name not in figures.report(there, examples.answers(kept.store())).teachable:
        raise NotLearnt({"name": name})
    try:
        teach_kept(kept.store(), gate(), name, prints_folder())
    except PhotoError as error:
        raise NotLearnt({"name": name}) from error
    flash(gettext("“%(name)s” has learnt from its kept photos.", name=name), "good")
    return see_other(url_for("examples.rooms"))


def teach_kept(store: Store, door: Gate, name: str, folder: Path) -> None:
    """Let a print learn from the kept photos of its deck, its doubt from what was made of each without it."""
    there = examples.listed(store, name)
    judged = [
        card
        for one in examples.answers(store)
        if one.how == "own" and one.weights == weights_name() and one.example_id in {e.id for e in there}
        for card in one.judged
    ]
    photos = [(examples.picture(store, one.id), one.photo) for one in there[:MOST_OTHERS]]
    with door.reader() as reader, changing(folder):
        done_by(reader, learn, photos, str(folder), name, own_temperature(judged), photos=len(photos))


def own_temperature(judged: Sequence[Judged]) -> float:
    """What the log-odds of a deck's cards must be divided by so that its confidence is right; 1 where that is not sure.

    Of `TEMPERATURES` the one under which what was right and wrong is likeliest, where it is likelier by `LIKELIER`.
    """
    sure = np.clip([one.confidence for one in judged], 1e-4, 1 - 1e-4)
    odds = np.log(sure / (1 - sure))
    right = np.array([one.true == one.code for one in judged], dtype=bool)

    def likelihood(temperature: float) -> float:
        return float(-np.logaddexp(0, np.where(right, -odds, odds) / temperature).sum())

    best = float(max(TEMPERATURES, key=lambda one: likelihood(float(one))))
    return best if likelihood(best) >= likelihood(1.0) + LIKELIER else 1.0
