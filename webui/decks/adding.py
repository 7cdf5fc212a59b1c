"""Later photos of a saved deck: counted together with those before, and added to it."""

from __future__ import annotations

from flask import Response, flash, jsonify, render_template, url_for

import scorer
from webui.decks import sent
from webui.decks.looking import MAX_CARDS, MAX_PHOTOS, TooManyCards
from webui.decks.room import blueprint
from webui.games import asked
from webui.language.said import ngettext
from webui.scanning.api import RequestError
from webui.store import decks, kept
from webui.store.decks import KeptDeck


@blueprint.get("/<deck_id>/more")
def more(deck_id: str) -> str:
    """The page where a saved deck gets further photos."""
    saved = decks.load(kept.store(), deck_id)
    kinds, key = [scorer.deck(saved.deck)], asked.new_key()
    return render_template("decks/new.html", saved=saved, kinds=kinds, most_photos=MAX_PHOTOS, key=key)


@blueprint.get("/<deck_id>/catalogue.json")
def catalogue(deck_id: str) -> Response:
    """A saved deck as the scripts take it up: its photos with their cards, and where their pictures are."""
    saved = decks.load(kept.store(), deck_id)
    photos = [
        {
            "relation": photo.relation,
            "look": photo.look,
            "cards": [_card(saved, n) for n, card in enumerate(saved.cards) if card.photo == number],
        }
        for number, photo in enumerate(saved.photos)
    ]
    return jsonify(
        {
            "deck": saved.deck,
            "composition": saved.composition,
            "version": saved.version,
            "photos": photos,
        }
    )


def _card(saved: KeptDeck, number: int) -> dict[str, object]:
    card = saved.cards[number]
    there = number in saved.pictured
    image = url_for("decks.card", deck_id=saved.id, number=number) if there else None
    return {"code": card.code, "counts": card.counts, "image": image}


@blueprint.post("/<deck_id>/more")
def add(deck_id: str) -> Response:
    """Add photos: `data` (JSON) as for a new deck, with `base`, the deck's version that they were counted with.

    The same `key` again adds nothing and is answered as the first time.
    """
    body = sent.data()
    saved = decks.load(kept.store(), deck_id)
    found = sent.photographed(body, scorer.deck(saved.deck))
    answer = jsonify({"id": deck_id, "url": url_for("decks.deck", deck_id=deck_id)})
    if found.photos[0].key in [photo.key for photo in saved.photos]:
        return answer
    if len(saved.photos) + len(found.photos) > MAX_PHOTOS:
        raise RequestError(f"a deck has at most {MAX_PHOTOS} photos")
    if len(saved.cards) + len(found.cards) > MAX_CARDS:
        raise TooManyCards(f"a deck has at most {MAX_CARDS} cards")
    base = body.get("base")
    if type(base) is not int:
        raise RequestError("'base' must be the version of the deck")
    decks.extend(kept.store(), deck_id, found.photos, found.cards, base, asked.now_ms())
    number = len(found.photos)
    flash(ngettext("%(num)s photo added", "%(num)s photos added", number), "good")
    if found.lessons:
        sent.teach(deck_id, saved.name, scorer.deck(saved.deck), found.lessons)
    return answer
