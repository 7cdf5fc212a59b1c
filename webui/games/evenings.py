"""What evenings tell: everybody's record over all tables for a chosen span, and one name for one person."""

from __future__ import annotations

import datetime
import re

from flask import Response, flash, render_template, request, url_for

import scorer
from webui.games import asked, words
from webui.games.room import acknowledged, blueprint, form_says, see_other
from webui.language.said import gettext, ngettext
from webui.ledger.changes import PlayerRenamed
from webui.ledger.chart import chart
from webui.ledger.errors import LedgerError
from webui.ledger.fold import Ledger
from webui.ledger.statistics import Statistics, names, statistics
from webui.store import kept, tables
from webui.store.tables import Order

MOST_TABLES = 400
"""Years of evenings; older ones are left out of the picture, not lost."""

EVENING_ENDS_HOURS = 6
"""A round before six in the morning belongs to the evening before."""

CHARTED = 8
"""People whose lines still can be told apart."""


@blueprint.get("/statistics")
def evenings() -> str:
    """Everybody's record for a span of days (`since`, `until`)."""
    found = tables.listed(kept.store(), 0, MOST_TABLES).tables
    since, until = (_day_asked(request.args.get(name, "")) for name in ("since", "until"))
    told = statistics(found, _days(found), since, until)
    charted = [one for one in told.people][:CHARTED]
    gains = [[one.evenings[n] or 0 for one in charted] for n in range(len(told.evenings))]
    return render_template(
        "games/statistics.html",
        told=told,
        since=since,
        until=until,
        spans=_spans(),
        charted=[one.name for one in charted],
        drawing=chart(gains, len(charted)) if len(told.evenings) > 1 else None,
        everybody=names(found),
        best_cards=_best_cards(told),
        picture=_picture(told),
    )


def _day_asked(text: str) -> str:
    return text if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text) else ""


def _evening(at_ms: int) -> str:
    return words.day(at_ms - EVENING_ENDS_HOURS * 3600 * 1000)


def _days(found: tuple[tuple[str, Ledger], ...]) -> dict[int, str]:
    return {played.at_ms: _evening(played.at_ms) for _, ledger in found for played in ledger.rounds}


def _spans() -> list[tuple[str, str]]:
    """Spans that are a tap away: what they are called and their first day; empty for all time."""
    today = datetime.date.fromisoformat(_evening(asked.now_ms()))
    ago = [(gettext("This evening"), 0), (gettext("7 days"), 6), (gettext("30 days"), 29)]
    year = (gettext("This year"), f"{today.year}-01-01")
    return [
        *((text, (today - datetime.timedelta(days=days)).isoformat()) for text, days in ago),
        year,
        (gettext("All"), ""),
    ]


def _best_cards(told: Statistics) -> dict[tuple[str, str], list[str]]:
    """The cards of everybody's best hand in each game, by name and rule set; without those whose cards nobody noted."""
    found = {}
    for person in told.people:
        for game in person.games:
            counted = game.best.round.counted
            if counted and counted.hand:
                found[person.name, game.rules] = list(scorer.parse_hand(counted.hand, game.rules).cards())
    return found


def _picture(told: Statistics) -> list[tuple[str, list[tuple[str, str]]]]:
    """Headings and rows of the picture that can be shared."""
    won = sorted(told.people, key=lambda one: -one.won)
    return [
        (gettext("Totals"), [(one.name, words.signed(one.money)) for one in told.people]),
        (
            gettext("Rounds won"),
            [(one.name, gettext("%(won)s of %(all)s", won=one.won, all=one.played)) for one in won],
        ),
    ]


@blueprint.post("/statistics/rename")
def rename_everywhere() -> Response:
    """Give a person another name at every table, so that the records of both names become one."""
    before, after = asked.line("before"), asked.line("after")
    try:
        order = asked.order()
        count = 0
        for table_id, ledger in tables.listed(kept.store(), 0, MOST_TABLES).tables:
            for number, person in enumerate(ledger.people):
                if person.name == before and after != before:
                    step = Order(f"{order.key[:40]}-{table_id}", order.asked, order.at_ms)
                    tables.append(kept.store(), table_id, PlayerRenamed(number, after), ledger.version, step)
                    count += 1
    except LedgerError as error:
        flash(form_says(error), "error")
        return see_other(url_for("games.evenings"))
    said = ngettext(
        "%(before)s is %(after)s now, at %(num)s table.",
        "%(before)s is %(after)s now, at %(num)s tables.",
        count,
        before=before,
        after=after,
    )
    flash(said, "good")
    done = tables.Appended("", count, repeated=False)
    return acknowledged(done, url_for("games.evenings"))
