"""What `paiyan teach` asks and is told: cards it is unsure of, and a person's answers to them."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import scorer
from webui.commands.photos import file_bytes
from webui.commands.plain import card_name
from webui.commands.terminal import CommandError, wrap
from webui.ledger import outside

if TYPE_CHECKING:
    from vision.taught import Print
    from vision.teach import Lesson


@dataclass(frozen=True)
class Answer:
    """A person's word on one card: the quad of one of its ends, px, and its code; None for no card of the deck.

    `file` names the photo, which only one photo does not need.
    """

    quad: tuple[tuple[float, float], ...]
    code: str | None
    file: str | None


def read_answers(path: Path) -> list[Answer]:
    """The answers in a JSON file: a list of `{"quad", "code"}`, or what `teach --json` printed, filled in.

    Raises
    ------
    CommandError
        Where the file is missing or is no such list.
    """
    try:
        loaded = outside.loads(file_bytes(path))
    except outside.BadJson:
        raise CommandError("bad_answers", f"{path} is no JSON file") from None
    rows = loaded.get("asked") if isinstance(loaded, dict) else loaded
    if not isinstance(rows, list):
        raise CommandError("bad_answers", f'{path} is no list of {{"quad", "code"}}')
    return [_answer(path, number, row) for number, row in enumerate(rows, 1)]


def _answer(path: Path, number: int, row: Any) -> Answer:
    try:
        quad = tuple((float(x), float(y)) for x, y in row["quad"])
        code, file = row["code"], row.get("file")
    except (TypeError, ValueError, KeyError, AttributeError):
        quad, code, file = (), None, None
    whole = len(quad) == 4 and all(math.isfinite(value) for corner in quad for value in corner)
    if not whole or not isinstance(code, str | None) or not isinstance(file, str | None):
        raise CommandError(
            "bad_answers", f"answer {number} in {path} is not a quad of four corners with a code or null"
        )
    return Answer(quad, code, file)


def lesson_json(
    name: str, taught: Print, photos: Sequence[Path], lessons: Sequence[Lesson]
) -> dict[str, Any]:
    """What was learnt, and what a person should name; `asked`, filled in, is what `--confirm` takes."""
    from vision.teach import taught_faces

    examples = Counter(taught.codes)
    known, lacking = taught_faces(taught)
    asked = [
        {
            "file": str(photo),
            "quad": [[round(float(x), 1), round(float(y), 1)] for x, y in one.ends[0].quad],
            "code": one.code,
            "confidence": round(one.confidence, 4),
        }
        for photo, lesson in zip(photos, lessons, strict=True)
        for one in lesson.asked
    ]
    learnt = {code: examples[code] for code in known}
    return {"name": name, "deck": taught.deck, "learned": learnt, "missing": list(lacking), "asked": asked}


def write_questions(path: Path, lesson: dict[str, Any]) -> None:
    """Write what was asked as a JSON list, one card a line, so that a person can put it right.

    Raises
    ------
    CommandError
        Where the file cannot be written.
    """
    rows = [json.dumps(one, ensure_ascii=False) for one in lesson["asked"]]
    try:
        path.write_text("[" + ",\n ".join(rows) + "]\n", "utf-8")
    except OSError as error:
        raise CommandError("unwritable", f"{path} cannot be written: {error.strerror}") from error


def lesson_text(lesson: dict[str, Any]) -> str:
    """The same for people."""
    deck = scorer.deck(lesson["deck"])
    lines = [f"{lesson['name']}: {deck.name.hans}, {len(lesson['learned'])} faces learnt"]
    if lesson["missing"]:
        lines += ["not learnt:", wrap(card_name(deck, code) for code in lesson["missing"])]
    if lesson["asked"]:
        lines.append(
            "not sure and not learnt (--questions FILE writes them down to be put right, --confirm FILE teaches them):"
        )
        for one in lesson["asked"]:
            name = card_name(deck, one["code"]) if one["code"] else "no card of this deck"
            (x, y), *_ = one["quad"]
            lines.append(f"  {one['file']} near ({x:.0f}, {y:.0f}): {name}? {one['confidence']:.0%}")
    return "\n".join(lines)
