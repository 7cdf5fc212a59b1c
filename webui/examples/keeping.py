"""Keeping a photo to measure with, and looking at what is kept: list, one photo, delete."""

from __future__ import annotations

import numpy as np
from flask import Response, flash, jsonify, make_response, render_template, request, url_for

import scorer
from webui.decks import prints, sent
from webui.examples import figures, truth
from webui.examples.room import blueprint
from webui.games import asked
from webui.games.room import see_other
from webui.language.languages import language
from webui.language.said import gettext
from webui.scanning import pictures
from webui.scanning.apart import done_by
from webui.scanning.api import RequestError
from webui.scanning.recognise import gate
from webui.store import decks, examples, kept


@blueprint.post("")
def keep() -> Response:
    """Keep one photo: the file `photo` and `data`, JSON with `key`, `deck`, `name`, `layout`, `cards` and `remarks`.

    `cards` are `{"code", "pile", "ends": [quad, ...]}`, quads in px of the upright photo.
    """
    body, file = sent.data(), request.files.get("photo")
    if file is None:
        raise RequestError("no photo was sent; send one file named 'photo'")
    deck_id = str(body.get("deck"))
    if deck_id not in scorer.deck_ids():
        raise RequestError("'deck' must name a deck")
    name = str(body.get("name") or "")
    if name:
        prints.check_name(name)
    with gate().reader() as reader:
        jpeg, before, now = done_by(reader, pictures.kept_photo, file.stream.read())
    cards = truth.checked(body.get("cards"), scorer.deck(deck_id), before)
    coco = truth.coco(
        deck_id,
        str(body.get("layout") or "hand")[:16],
        truth.scaled(cards, now[0] / before[0]),
        now,
        body.get("remarks"),
    )
    key = str(body.get("key") or "")
    example_id = examples.add(kept.store(), jpeg, coco, name=name, source="", key=key, at_ms=asked.now_ms())
    answer = jsonify({"id": example_id, "url": url_for("examples.one", example_id=example_id)})
    answer.status_code = 201
    return answer


@blueprint.get("", endpoint="rooms")
def rooms() -> str:
    """All kept photos, and what paiyan is worth on them."""
    there = examples.listed(kept.store())
    found = figures.report(there, examples.answers(kept.store()))
    faces = (face for id_ in scorer.deck_ids() for face in scorer.deck(id_).faces)
    names = {face.code: face.name.get(language()) for face in faces}
    return render_template("examples/list.html", examples=there, report=found, names_of=names)


@blueprint.get("/<example_id>")
def one(example_id: str) -> str:
    """One kept photo with its truth drawn on it."""
    found = examples.load(kept.store(), example_id)
    names = sorted(
        {*(saved.name for saved in decks.listed(kept.store()) if saved.deck == found.deck), found.name} - {""}
    )
    return render_template(
        "examples/one.html",
        example=found,
        image=found.coco["images"][0],
        quads=[
            (card.code, " ".join(f"{x:.0f},{y:.0f}" for x, y in np.asarray(end.quad)))
            for card in found.photo.cards
            for end in card.ends
        ],
        names=names,
    )


@blueprint.get("/<example_id>.jpg")
def picture(example_id: str) -> Response:
    """The kept photo itself."""
    answer = make_response(examples.picture(kept.store(), example_id))
    answer.mimetype = "image/jpeg"
    answer.cache_control.private = True
    answer.cache_control.max_age = 24 * 3600
    return answer


@blueprint.post("/<example_id>/name")
def name(example_id: str) -> Response:
    """Say which of one's decks a photo shows."""
    wanted = asked.clean(request.form.get("name", ""))
    examples.rename(kept.store(), example_id, prints.check_name(wanted) if wanted else "")
    flash(gettext("Saved"), "good")
    return see_other(url_for("examples.one", example_id=example_id))


@blueprint.post("/<example_id>/delete")
def delete(example_id: str) -> Response:
    """Delete a kept photo with everything that was made of it."""
    examples.remove(kept.store(), example_id)
    flash(gettext("The photo is deleted."), "good")
    return see_other(url_for("examples.rooms"))
