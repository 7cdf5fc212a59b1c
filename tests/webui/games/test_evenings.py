"""What evenings tell: everybody's record, worked out from the rounds of all tables."""

from __future__ import annotations

import time
from decimal import Decimal
from fractions import Fraction

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.webui.games.forms import add_numbers, hand_over, new_table, notice, page, picture, plain, send
from webui.ledger.statistics import Record, statistics
from webui.store import kept, tables

DAY_MS = 24 * 3600 * 1000


def records(client: FlaskClient, since: str = "", until: str = "", shift: int = 0) -> dict[str, Record]:
    """Everybody's record, as if the rounds of the table made first were `shift` days older."""
    with client.application.app_context():
        found = tables.listed(kept.store()).tables
    days = {
        played.at_ms: time.strftime("%Y-%m-%d", time.gmtime(played.at_ms / 1000 - (n > 0) * shift * 86400))
        for n, (_, ledger) in enumerate(found)
        for played in ledger.rounds
    }
    return {one.name: one for one in statistics(found, days, since, until).people}


def two_tables(client: FlaskClient) -> None:
    """甲 wins three of four rounds at one table and calls falsely at another, where 戊 sits instead of 丁."""
    first = new_table(client, names="甲乙丙丁")
    crops = [{"code": "rK", "image": picture("red")}]
    assert hand_over(client, first, winner=0, crops=crops).status_code == 201
    send(client, f"{first}/rounds/new?how=draw", {"dealer": "0", "last": "1"})
    for hu in (12, 20):
        send(client, f"{first}/rounds/new?how=numbers", {"dealer": "0", "winner": "0", "said-hu": str(hu)})
    add_numbers(client, first, -3, 3, 0, 0, winner="1")
    time.sleep(0.01)
    second = new_table(client, names="甲乙丙戊", stake="0.5")
    send(client, f"{second}/rounds/new?how=numbers", {"dealer": "0", "winner": "0", "said-hu": "4"})


def test_a_record_counts_rounds_hands_streaks_and_money_over_tables(client: FlaskClient) -> None:
    two_tables(client)
    found = records(client)
    best = found["甲"]
    assert (best.played, best.won, best.false_calls, best.streak) == (6, 3, 1, 3)
    assert best.money == 3 * (1 + 3 + 11) - 3 - 3 * 11 * Decimal("0.5")
    (game,) = best.games
    assert (game.rules, game.hands, game.average, game.best.total) == ("shihu", 3, Fraction(14), 20)
    assert (found["戊"].played, found["戊"].money) == (1, Decimal("5.5"))
    assert sum(one.money for one in found.values()) == 0


def test_a_span_looks_at_its_evenings_alone(client: FlaskClient) -> None:
    two_tables(client)
    today, before = (time.strftime("%Y-%m-%d", time.gmtime(time.time() - days * 86400)) for days in (0, 3))
    assert records(client, shift=3)["甲"].evenings == (42, Decimal("-16.5"))
    assert records(client, since=today, shift=3)["甲"].played == 1
    assert records(client, until=before, shift=3)["甲"].played == 5
    assert "丁" not in records(client, since=today, shift=3)


def test_the_page_shows_everybody_the_best_hand_and_its_cards(client: FlaskClient) -> None:
    two_tables(client)
    text = page(client, "/games/statistics")
    assert "on average 14" in plain(text)
    assert "best 20 胡" in plain(text)
    assert "3 of 6" in plain(text)
    assert "data-share-picture" in text
    assert "No round in these days" in page(client, "/games/statistics?until=2001-01-01")
    assert "3 of 6" in plain(page(client, "/games/statistics?since=nonsense"))


def rename(client: FlaskClient, before: str, after: str) -> TestResponse:
    seen = page(client, "/games/statistics")
    return send(client, "/games/statistics/rename", {"before": before, "after": after}, seen)


def test_two_names_of_one_person_become_one_record(client: FlaskClient) -> None:
    two_tables(client)
    answer = rename(client, "戊", "丁")
    assert answer.status_code == 303
    assert "戊 is 丁 now, at 1 table." in page(client, "/games/statistics")
    assert records(client)["丁"].played == 6
    assert "戊" not in records(client)
    rename(client, "乙", "甲")
    assert "Two people are called “甲”" in notice(client.get("/games/statistics"))


def test_who_leads_is_seen_at_a_glance(client: FlaskClient) -> None:
    table = new_table(client)
    assert "leads</b>" not in page(client, table)
    add_numbers(client, table, 1, 1, -2, 0)
    assert page(client, table).count("leads</b>") == 2
