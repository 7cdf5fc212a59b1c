"""The command that teaches the reader a deck's print."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from webui.commands import readers
from webui.commands.options import DECKS, PHOTO, json_option
from webui.commands.terminal import CommandError, print_json, progress

# vision is imported by the commands that need it: `paiyan --help` answers at once.
if TYPE_CHECKING:
    import vision
    from vision.taught import Print
    from vision.teach import Lesson
    from webui.commands.lessons import Answer


@click.command()
@click.argument("name")
@click.argument("photos", nargs=-1, required=True, type=PHOTO, metavar="PHOTO...")
@click.option(
    "--deck", type=click.Choice(DECKS), default="auto", show_default=True, help="The deck in the photo."
)
@click.option(
    "--confirm",
    "answers",
    type=PHOTO,
    metavar="FILE",
    help='What the cards that it asked about are: a JSON list of {"quad", "code"}; code null for no card.',
)
@click.option(
    "--questions",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write there what it asks, one card a line with its guess: put it right and give it back with --confirm.",
)
@click.option("--anew", is_flag=True, help="Forget first what NAME was before.")
@json_option
def teach(
    name: str,
    photos: tuple[Path, ...],
    deck: str,
    answers: Path | None,
    questions: Path | None,
    anew: bool,
    as_json: bool,
) -> None:
    """Learn the print of a deck.

    Lay out the deck, each face at least once and in any order, in one or more photos. What is sure is learnt under
    NAME and adds to what NAME knows already (--anew starts over); the same photo again changes nothing. What is not
    sure is listed with its place in the photo and not learnt. To teach it, write the list to a file with --questions,
    correct each "code" (a code or the Chinese name, null for no card), and run the same command with --confirm FILE.
    """
    from vision.taught import checked_name, save_print
    from vision.teach import learned
    from webui.commands.lessons import lesson_json, lesson_text, read_answers, write_questions
    from webui.decks.changing import changing

    checked_name(name)
    said = read_answers(answers) if answers else []
    if len(photos) > 1 and any(one.file is None for one in said):
        raise CommandError("bad_answers", "with several photos each answer must name its 'file'")
    reader = readers.open_reader()
    lessons = (_lesson(reader, photo, deck, said) for photo in photos)
    all_lessons = list(progress(lessons, len(photos), "learning"))
    taught = learned(all_lessons, reader.networks)
    folder = readers.taught_dir()
    with changing(folder):
        if not anew:
            taught = _added(folder, name, taught, reader)
        save_print(folder, name, taught)
    answer = lesson_json(name, taught, photos, all_lessons)
    if questions:
        write_questions(questions, answer)
    print_json(answer) if as_json else click.echo(lesson_text(answer))


def _added(folder: Path, name: str, taught: Print, reader: vision.Reader) -> Print:
    """What a name knows already together with `taught`; decks of two kinds are called by their names."""
    import scorer
    from vision.taught import PrintError, extended, stored_print

    try:
        return extended(folder, name, taught, reader.networks)
    except PrintError as error:
        if error.code != "different_decks":
            raise
        old, new = (scorer.deck(one.deck).name.hans for one in (stored_print(folder, name), taught))
        raise CommandError(
            error.code, f"{name!r} is a deck of another kind, {old}; these photos show {new}."
        ) from None


def _lesson(reader: vision.Reader, photo: Path, deck: str, said: Sequence[Answer]) -> Lesson:
    """What one photo teaches, with the answers that belong to it."""
    import numpy as np

    import scorer
    import vision
    from vision.teach import confirmed, propose
    from webui.commands.photos import file_bytes

    own = [one for one in said if one.file in (None, str(photo), photo.name)]
    try:
        lesson = propose(reader, file_bytes(photo), deck=None if deck == "auto" else deck)
        names = scorer.deck(lesson.deck).aliases
        return confirmed(lesson, [(np.array(one.quad), names.get(one.code or "", one.code)) for one in own])
    except vision.PhotoError as error:
        raise CommandError(error.code, f"{photo}: {error}") from error
