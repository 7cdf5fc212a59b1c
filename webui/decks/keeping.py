"""Saved decks: saving a catalogue, showing and deleting it."""

from __future__ import annotations

from typing import cast

from flask import Response, flash, jsonify, make_response, render_template, request, url_for

import scorer
from webui.decks import prints, sent
from webui.decks.album import NOTES
from webui.decks.catalogue import Catalogue
from webui.decks.counting import CountedCard, CountedPhoto, Relation, compared
from webui.decks.looking import MAX_PHOTOS, deck_and_composition
from webui.decks.room import blueprint
from webui.games import asked
from webui.games.room import see_other
from webui.language.said import gettext
from webui.scanning.recognise import prints_folder
from webui.store import album, decks, kept
from webui.store.decks import KeptDeck, NewDeck


@blueprint.get("/new")
def new() -> str:
    """The page where photos become a catalogue."""
    found = [scorer.deck(one) for one in scorer.deck_ids()]
    return render_template("decks/new.html", kinds=found, most_photos=MAX_PHOTOS, key=asked.new_key())


def catalogue_of(saved: KeptDeck) -> Catalogue:
    """The count of a saved deck, compared with the composition it names or the nearest one."""
    photos = [
        CountedPhoto(
            cast("Relation", photo.relation),
            tuple(CountedCard(card.code, card.counts) for card in saved.cards if card.photo == number),
        )
        for number, photo in enumerate(saved.photos)
    ]
    return compared(scorer.deck(saved.deck), photos, saved.composition)


@blueprint.post("")
def save() -> Response:
    """Save a catalogue: `data` (JSON), and the photos as files where they teach the print or are kept."""
    body = sent.data()
    name = prints.check_name(asked.clean(str(body.get("name") or "")))
    deck, composition = deck_and_composition(body)
    found = sent.photographed(body, deck)
    new_deck = NewDeck(name, deck.id, composition, found.photos, found.cards)
    deck_id = decks.save(kept.store(), new_deck, str(body.get("key") or ""), asked.now_ms())
    if found.lessons and not decks.load(kept.store(), deck_id).taught:
        sent.teach(deck_id, name, deck, found.lessons)
    url = url_for("decks.deck", deck_id=deck_id)
    answer = jsonify({"id": deck_id, "url": url})
    answer.status_code = 201
    return answer


@blueprint.get("/<deck_id>")
def deck(deck_id: str) -> str:
    """One saved deck."""
    saved = decks.load(kept.store(), deck_id)
    found = catalogue_of(saved)
    shown: dict[str, list[int]] = {}
    for number, card in enumerate(saved.cards):
        shown.setdefault(card.code, []).append(number)
    kind = scorer.deck(saved.deck)
    own, damaged = prints.look(prints_folder(), saved.name)
    wanted = kind.copies[found.composition]
    there = [face.code for face in kind.faces if wanted.get(face.code) or found.counts.get(face.code)]
    return render_template(
        "decks/deck.html",
        saved=saved,
        kind=kind,
        found=found,
        wanted=wanted,
        shown=shown,
        foreign=sum(photo.foreign for photo in saved.photos),
        total=sum(found.counts.values()),
        known=prints.known_faces(own, there) if own else None,
        learnt=prints.learnt(own) if own else [],
        damaged=damaged,
        asked=NOTES,
        noted=album.notes(kept.store()).get(deck_id, {}),
        sides=album.pictured(kept.store(), deck_id),
    )


@blueprint.route("/<deck_id>/delete", methods=["GET", "POST"])
def delete(deck_id: str) -> Response:
    """Delete a deck with its pictures and its print, after a question."""
    saved = decks.load(kept.store(), deck_id)
    if request.method == "GET":
        return make_response(render_template("decks/delete.html", saved=saved))
    if request.form.get("sure") != "on":
        flash(gettext("Tick the box to delete the deck."), "error")
        return see_other(url_for("decks.delete", deck_id=deck_id))
    decks.remove(kept.store(), deck_id)
    prints.forget(prints_folder(), saved.name)
    flash(gettext("Deleted: %(name)s", name=saved.name), "good")
    return see_other(url_for("decks.rooms"))
