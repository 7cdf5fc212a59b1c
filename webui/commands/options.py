"""Options and arguments that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])

PHOTO = click.Path(path_type=Path)
DECKS = ("auto", "chuanpai", "sise", "zipai")
PRINTED_DECKS = DECKS[1:]
LOOKS, PAPERS = ("kai", "brush", "poster"), ("a4", "letter")
LAYOUTS = ("rows", "columns", "fan", "heap", "spread")
RULES = ("yaodiren", "zipai", "chuanpai", "guangshui", "shihu", "tusac", "paohuzi", "daer")
"""Written out, for help must not wait for the tables; a test holds them to the tables."""


def json_option(command: Command) -> Command:
    """--json."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")(command)


def taught_option(command: Command) -> Command:
    """--taught, with `auto` where nothing is said."""
    return click.option(
        "--taught",
        default="auto",
        show_default=True,
        metavar="auto|none|NAME",
        help="A deck's own print, learnt with 'teach': chosen by itself, none, or by name.",
    )(command)


def deck_option(command: Command) -> Command:
    """--deck, a deck's id or `auto`."""
    return click.option(
        "--deck", type=click.Choice(DECKS), default="auto", show_default=True, help="The deck in the photo."
    )(command)


def same_option(command: Command) -> Command:
    """--same, for several photos of the same cards."""
    return click.option(
        "--same",
        is_flag=True,
        help="The photos show the same cards, say from another side: read them as one.",
    )(command)


def print_options(command: Command) -> Command:
    """--look, --paper and --out, of what is printed."""
    for option in (
        click.option(
            "--out",
            required=True,
            type=click.Path(path_type=Path, dir_okay=False),
            metavar="FILE",
            help="Where to write it.",
        ),
        click.option(
            "--paper",
            type=click.Choice(PAPERS),
            default="a4",
            show_default=True,
            help="What it is printed on.",
        ),
        click.option(
            "--look", type=click.Choice(LOOKS), default="kai", show_default=True, help="How the cards look."
        ),
    ):
        command = option(command)
    return command


def rules_option(command: Command) -> Command:
    """--rules, which must be given."""
    return click.option("--rules", "rules_id", metavar="RULES", required=True, help=", ".join(RULES) + ".")(
        command
    )


def fact_options(command: Command) -> Command:
    """--fact and --option, each as often as wanted."""
    fact = click.option(
        "--fact",
        "facts",
        multiple=True,
        metavar="NAME[=VALUE]",
        help="Something that the cards don't show, such as dealer; 'paiyan rules RULES' lists them.",
    )
    option = click.option(
        "--option", "options", multiple=True, metavar="NAME=VALUE", help="A house rule of this table."
    )
    return fact(option(command))
