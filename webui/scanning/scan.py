"""The room where a photo becomes a count: one page whose scripts go from scan over check to score."""

from __future__ import annotations

from flask import Blueprint, render_template, request

import scorer
from webui.games.listed import by_deck
from webui.language.languages import language

RULES_COOKIE = "rules"

blueprint = Blueprint("scan", __name__)


@blueprint.get("/")
def page() -> str:
    """The page, with the rule set that was chosen last."""
    wanted = request.cookies.get(RULES_COOKIE, "")
    return render_template(
        "scan.html",
        chosen=scorer.rule_set(wanted) if wanted in scorer.rule_ids() else None,
        games=by_deck(language()),
    )
