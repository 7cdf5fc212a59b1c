"""Tables, bars and sentences for the terminal."""

from __future__ import annotations

import doctest
import io

import pytest

from webui.commands import terminal
from webui.commands.terminal import pad, progress, sentence, table, width, wrap


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("text", "columns"), [("abc", 3), ("天牌", 4), ("（", 2), ("é", 1), ("e\u0301", 1), ("", 0)]
)
def test_width(text: str, columns: int) -> None:
    assert width(text) == columns


def test_padding_is_to_columns_not_characters() -> None:
    assert pad("天", 4) == "天  "
    assert pad("天", 4, right=True) == "  天"
    assert pad("天牌天", 4) == "天牌天"


def test_table_of_nothing_is_nothing() -> None:
    assert table([]) == ""


def test_short_rows_are_allowed() -> None:
    assert table([["天牌", "b"], ["a"]]) == "  天牌  b\n  a"


def test_wrap_breaks_between_words_only() -> None:
    lines = wrap(["天牌"] * 40, columns=30).splitlines()
    assert len(lines) > 1
    assert max(map(width, lines)) <= 30
    assert sum(line.count("天牌") for line in lines) == 40


def test_sentence_is_one_line_without_stop() -> None:
    assert sentence("a\n  b.") == "a b"


def test_progress_shows_a_bar_and_wipes_it() -> None:
    stream = Terminal()
    seen = []
    for one in progress(iter("ab"), 2, "reading", stream):
        seen.append(one)
        assert stream.getvalue().endswith("\r\x1b[K")
    assert seen == ["a", "b"]
    assert "reading [" in stream.getvalue()
    assert "1/2" in stream.getvalue()
    assert stream.getvalue().endswith("\r\x1b[K")


def test_no_bar_in_a_pipe() -> None:
    stream = io.StringIO()
    assert list(progress(iter("ab"), 2, "reading", stream)) == ["a", "b"]
    assert stream.getvalue() == ""


def test_bar_is_wiped_when_the_work_fails() -> None:
    def broken() -> object:
        raise ValueError("no")

    stream = Terminal()
    with pytest.raises(ValueError, match="no"):
        list(progress((broken() for _ in range(1)), 1, "reading", stream))
    assert stream.getvalue().endswith("\r\x1b[K")


def test_examples_in_the_docstrings_hold() -> None:
    assert doctest.testmod(terminal).attempted == 1
    assert doctest.testmod(terminal).failed == 0
