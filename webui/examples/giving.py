"""Giving kept photos away in the page: every picture is shown as it would be given; and looking at others' photos."""

from __future__ import annotations

import io
from collections.abc import Sequence

from flask import Response, flash, make_response, render_template, request, send_file, url_for

from vision.truth import coco_of
from webui.examples.package import LICENCES, BadPackage, Given, Package, given, pack, unpack
from webui.examples.room import blueprint
from webui.games import asked
from webui.games.room import see_other
from webui.language.said import gettext, ngettext
from webui.scanning.apart import Recogniser, done_by
from webui.scanning.api import RequestError
from webui.scanning.pictures import sha256
from webui.scanning.recognise import gate
from webui.store import examples, kept
from webui.store.engine import Store
from webui.store.examples import Example


def own(store: Store) -> tuple[Example, ...]:
    """The kept photos that are one's own to give."""
    return tuple(one for one in examples.listed(store) if not one.source)


def prepared(store: Store, chosen: Sequence[Example], *, blurred: bool) -> tuple[Given, ...]:
    """Photos as they are given away; the names of their decks are nobody's business."""
    return tuple(_given(store, one, examples.print_name(store, one), blurred=blurred) for one in chosen)


def _given(store: Store, one: Example, print_name: str, *, blurred: bool) -> Given:
    light = one.photo.groups[0].removeprefix("light ")
    jpeg = examples.picture(store, one.id)
    return given(jpeg, one.photo, blurred=blurred, print_name=print_name, light=light)


def take_in(store: Store, found: Package, at_ms: int) -> int:
    """Keep the photos of somebody's package beside one's own; the same photo again is kept once. Says how many."""
    source = f"{found.household} · {found.licence}"
    for one in found.photos:
        coco = coco_of([(one.photo, one.more)])
        name = f"{found.household}-{one.more['print']}"[:40]
        key = sha256(one.jpeg)
        examples.add(store, one.jpeg, coco, name=name, source=source, key=key, at_ms=at_ms)
    return len(found.photos)


def unpacked(_: Recogniser, data: bytes) -> Package:
    """What a file holds, where photos are decoded; raises `BadPackage`."""
    return unpack(data)


def _chosen(ids: Sequence[str]) -> tuple[Example, ...]:
    return tuple(one for one in own(kept.store()) if one.id in ids)


@blueprint.get("/give")
def give() -> str:
    """Choose photos, and see each as it would be given."""
    ids = request.args.getlist("id")
    return render_template(
        "examples/give.html",
        examples=own(kept.store()),
        chosen=_chosen(ids),
        blurred=request.args.get("blur") == "1",
        licences=LICENCES,
    )


@blueprint.get("/<example_id>/given.jpg")
def given_picture(example_id: str) -> Response:
    """A photo as it would be given."""
    found = examples.load(kept.store(), example_id)
    if found.source:
        raise RequestError("only your own photos can be given away")
    shown = _given(kept.store(), found, "", blurred=request.args.get("blur") == "1")
    answer = make_response(shown.jpeg)
    answer.mimetype = "image/jpeg"
    return answer


@blueprint.post("/export")
def export() -> Response:
    """The chosen photos as a package."""
    chosen, licence = _chosen(request.form.getlist("id")), request.form.get("licence", "")
    if licence not in LICENCES or request.form.get("mine") != "on" or not chosen:
        flash(gettext("Choose photos and a licence, and say that the photos are yours to give."), "error")
        return see_other(url_for("examples.give"))
    photos = prepared(kept.store(), chosen, blurred=request.form.get("blur") == "1")
    data = pack(photos, licence, examples.household(kept.store()))
    return send_file(
        io.BytesIO(data), "application/zip", as_attachment=True, download_name="paiyan-examples.zip"
    )


@blueprint.post("/import")
def take() -> Response:
    """Keep the photos of somebody's package beside one's own."""
    file = request.files.get("package")
    if file is None:
        raise RequestError("no package was sent; send one file named 'package'")
    try:
        with gate().reader() as reader:
            found = done_by(reader, unpacked, file.stream.read(), photos=10)
    except BadPackage as error:
        flash(gettext(error.text, file=error.file), "error")
        return see_other(url_for("examples.rooms"))
    number = take_in(kept.store(), found, asked.now_ms())
    flash(ngettext("%(num)s photo taken in", "%(num)s photos taken in", number), "good")
    return see_other(url_for("examples.rooms"))
