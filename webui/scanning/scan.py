"""The room where a photo becomes a count: one page whose scripts go from scan over check to score."""

from __future__ import annotations

from flask import Blueprint, render_template, request

import scorer

RULES_COOKIE = "rules"

EMBLEM = {"chuanpai": "6-6", "sise": "rK", "zipai": "b2"}
"""The card that stands for a deck where a game is chosen."""

blueprint = Blueprint("scan", __name__)


@blueprint.get("/")
def page() -> str:
    """The page, with the rule set that was chosen last."""
    wanted = request.cookies.get(RULES_COOKIE, "")
    return render_template(
        "scan.html",
        chosen=scorer.rule_set(wanted) if wanted in scorer.rule_ids() else None,
        rule_sets=[scorer.rule_set(rules_id) for rules_id in scorer.rule_ids()],
        decks={deck_id: scorer.deck(deck_id) for deck_id in scorer.deck_ids()},
        emblem=EMBLEM,
    )
