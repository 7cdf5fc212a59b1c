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

import vision

WEBUI = Path(__file__).resolve().parents[2] / "webui"
FOLDER = WEBUI / "translations"
LOCALES = ("zh_Hans", "zh_Hant", "en")
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


def test_traditional_has_no_simplified_characters() -> None:
    """A spot check of characters that only 简体 writes."""
    simplified = set("张这么们对为个来时会过还没说错读写选开关边钱谁简牌"[:-1]) - set("牌")
    for message in catalogue("zh_Hant"):
        for text in texts(message.string):
            assert not simplified & set(text), text


def test_what_seeing_says_of_a_photo_is_translated() -> None:
    assert set(vision.REMARKS) <= wanted()
