"""The catalogues: complete, up to date, compiled, and with the same blanks to fill in."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po

import scorer
import vision
from tests.scorer.test_tables import names_of
from webui.language.languages import LANGUAGES

WEBUI = Path(__file__).resolve().parents[2] / "webui"
FOLDER = WEBUI / "translations"
LOCALES = tuple(tag.replace("-", "_") for tag in LANGUAGES)
BLANK = re.compile(r"%\(\w+\)s|\{\w+\}")


def catalogue(locale: str) -> Catalog:
    with (FOLDER / locale / "LC_MESSAGES" / "messages.po").open("rb") as file:
        return read_po(file, locale=locale)


@cache
def wanted() -> frozenset[str]:
    """Every text that templates, scripts and Python code show."""
    with (FOLDER / "babel.cfg").open(encoding="utf-8") as file:
        methods, options = parse_mapping_cfg(file)  # type: ignore[no-untyped-call]
    found = extract_from_dir(str(WEBUI), methods, options)
    return frozenset(text if isinstance(text, str) else text[0] for _, _, text, _, _ in found)


def texts(message: object) -> Iterable[str]:
    return (message,) if isinstance(message, str) else tuple(message)  # type: ignore[arg-type]


def strings(found: Catalog) -> dict[tuple[str, ...], tuple[str, ...]]:
    return {tuple(texts(message.id)): tuple(texts(message.string)) for message in found if message.id}


@pytest.mark.parametrize("locale", LOCALES)
def test_every_text_is_translated_and_none_is_left_over(locale: str) -> None:
    have = {next(iter(texts(message.id))): message for message in catalogue(locale) if message.id}
    assert set(have) == wanted()
    empty = [key for key, message in have.items() if not all(texts(message.string)) or message.fuzzy]
    assert empty == []


@pytest.mark.parametrize("locale", LOCALES)
def test_the_blanks_to_fill_in_are_kept(locale: str) -> None:
    for message in catalogue(locale):
        blanks = {blank for text in texts(message.id) for blank in BLANK.findall(text)}
        for text in texts(message.string):
            assert set(BLANK.findall(text)) <= blanks, text
            if isinstance(message.id, str):
                assert set(BLANK.findall(text)) == blanks, text


@pytest.mark.parametrize("locale", LOCALES)
def test_the_compiled_catalogue_is_the_written_one(locale: str) -> None:
    with (FOLDER / locale / "LC_MESSAGES" / "messages.mo").open("rb") as file:
        compiled = strings(read_mo(file))
    fresh = io.BytesIO()
    write_mo(fresh, catalogue(locale))
    fresh.seek(0)
    assert compiled == strings(read_mo(fresh))


SAME_IN_BOTH = frozenset("幺叁")
"""Players' words that 繁體 writes as the cards do, though Big5 lacks the characters."""


def in_characters_of(encoding: str, letter: str) -> bool:
    try:
        letter.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def foreign_to_traditional(text: str) -> set[str]:
    """The Chinese characters of a text that the set of 简体 (GB 2312) has and that of 繁體 (Big5) has not, and “ ”."""
    simplified = (
        letter
        for letter in set(text) - SAME_IN_BOTH
        if in_characters_of("gb2312", letter) and not in_characters_of("big5", letter)
    )
    return {letter for letter in simplified if "\u4e00" <= letter <= "\u9fff"} | set(text) & set("“”")


def tables_in_traditional() -> Iterable[str]:
    """All that decks and rule sets show in 繁體."""
    for deck in scorer.deck_ids():
        yield from (face.name.get("zh-Hant") for face in scorer.deck(deck).faces)
    for rules in scorer.rule_ids():
        yield from (names.get("zh-Hant") for names in names_of(rules))


def test_traditional_has_no_simplified_characters() -> None:
    assert foreign_to_traditional("头樓“對”门") == set("头“”门")
    said = [text for message in catalogue("zh_Hant") if message.id for text in texts(message.string)]
    assert [text for text in (*said, *tables_in_traditional()) if foreign_to_traditional(text)] == []


def test_what_seeing_says_of_a_photo_is_translated() -> None:
    assert set(vision.REMARKS) <= wanted()
