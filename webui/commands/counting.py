"""Commands that count: score, waits, and the tables behind them, rules and decks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from webui.commands.options import PHOTO, fact_options, json_option, rules_option, same_option, taught_option
from webui.commands.terminal import CommandError, print_json

if TYPE_CHECKING:
    import scorer


@click.command()
@click.argument("photos", nargs=-1, type=PHOTO, metavar="[PHOTO]...")
@click.option("--hand", "written", metavar="TEXT", help="The hand in writing, instead of photos.")
@click.option("--table", multiple=True, type=PHOTO, metavar="PHOTO", help="Melds that lie on the table.")
@rules_option
@click.option("--win", "winning", metavar="CARD", help="The winning card, by its code or name.")
@fact_options
@click.option("--before-play", is_flag=True, help="幺地人: may this dealt hand play, instead of its score.")
@taught_option
@same_option
@json_option
def score(
    photos: tuple[Path, ...],
    written: str | None,
    table: tuple[Path, ...],
    rules_id: str,
    winning: str | None,
    facts: tuple[str, ...],
    options: tuple[str, ...],
    before_play: bool,
    taught: str,
    same: bool,
    as_json: bool,
) -> None:
    """Count a hand, from photos or from writing.

    Shows the total and every line that makes it up.

    \b
    paiyan score hand.jpg --rules shihu --win rK
    paiyan score --table melds.jpg hand.jpg --rules zipai --fact self_drawn
    paiyan score --hand '碰(伍伍伍) 一二三 二七十 … !玖' --rules zipai
    paiyan score dealt.jpg --rules yaodiren --before-play
    """
    import scorer
    from webui.commands import plain
    from webui.commands.questions import settings, with_winning_card
    from webui.scanning import before

    warnings: list[str] = []
    if (written is None) == (not photos and not table):
        raise click.UsageError("give either --hand TEXT or photos of the hand")
    if written is not None:
        hand = with_winning_card(scorer.parse_hand(written, rules_id), winning)
    else:
        hand, warnings = _photographed(scorer.rule_set(rules_id), photos, table, winning, taught, same)
    known, chosen = settings(facts, "--fact"), settings(options, "--option")
    show = plain.before_text if before_play else plain.score_text
    if before_play:
        answer = before.before_play(hand, known, chosen)
    else:
        answer = scorer.score_json(scorer.score(hand, known, chosen))
    answer["warnings"] = [*answer["warnings"], *warnings]
    print_json(answer) if as_json else click.echo(show(answer))


def _photographed(
    rules: scorer.RuleSet,
    photos: Sequence[Path],
    table: Sequence[Path],
    winning: str | None,
    taught: str,
    same: bool,
) -> tuple[scorer.Hand, list[str]]:
    """The hand in the photos, and what a person should look at again."""
    import scorer
    from webui.commands.photos import doubts, piles
    from webui.commands.questions import card_code
    from webui.commands.reading import all_readings, same_cards

    if same:
        on_table, in_hand = (same_cards(group, rules.deck, taught) for group in (table, photos))
    else:
        every = all_readings([*table, *photos], rules.deck, taught)
        on_table, in_hand = every[: len(table)], every[len(table) :]
    readings = [*on_table, *in_hand]
    laid = [pile for one in on_table for pile in piles(one, table=True)]
    laid += [pile for one in in_hand for pile in piles(one, table=False)]
    if not laid:
        raise CommandError("no_cards", "no card was seen in the photos")
    code = card_code(rules, winning) if winning else None
    return scorer.hand_from_piles(rules.id, laid, code), doubts(readings)


@click.command()
@click.option("--hand", "text", metavar="TEXT", required=True, help="The hand in writing, one card short.")
@rules_option
@fact_options
@json_option
def waits(text: str, rules_id: str, facts: tuple[str, ...], options: tuple[str, ...], as_json: bool) -> None:
    """Name the cards that would complete a hand.

    Each with what the whole hand would then count, the dearest first.
    """
    import scorer
    from webui.commands import plain
    from webui.commands.questions import settings

    hand = scorer.parse_hand(text, rules_id)
    found = scorer.waits(hand, settings(facts, "--fact"), settings(options, "--option"))
    answer = scorer.waits_json(found)
    print_json(answer) if as_json else click.echo(plain.waits_text(answer))


@click.command()
@click.argument("rules_id", metavar="[RULES]", required=False)
@json_option
def rules(rules_id: str | None, as_json: bool) -> None:
    """List the games, or show what one asks for.

    That is its kinds of meld, its facts (--fact) and its house rules (--option).
    """
    import scorer
    from webui.commands import plain

    if as_json:
        chosen = [rules_id] if rules_id else scorer.rule_ids()
        _print_tables([scorer.describe_rules(one) for one in chosen], whole=rules_id is None)
    else:
        click.echo(plain.rule_set_text(scorer.rule_set(rules_id)) if rules_id else plain.rule_sets_text())


@click.command()
@click.argument("deck_id", metavar="[DECK]", required=False)
@json_option
def decks(deck_id: str | None, as_json: bool) -> None:
    """List the decks, or show the cards of one."""
    import scorer
    from webui.commands import plain

    if as_json:
        chosen = [deck_id] if deck_id else scorer.deck_ids()
        _print_tables([scorer.describe_deck(one) for one in chosen], whole=deck_id is None)
    else:
        click.echo(plain.deck_text(scorer.deck(deck_id)) if deck_id else plain.decks_text())


def _print_tables(tables: Sequence[Mapping[str, object]], *, whole: bool) -> None:
    """All tables as a list, or the one that was asked for."""
    print_json(list(tables) if whole else tables[0])
