"""What people type, as it is kept."""

import pytest

from webui.games import asked


@pytest.mark.parametrize(
    "name",
    [
        "👨\u200d👩\u200d👧 家",
        "👩🏽\u200d🦰",
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "علی\u200cرضا",
        "成都·1988（红）",
        "Nguyễn Thị Bé",
    ],
)
def test_names_stay_as_they_are_written(name: str) -> None:
    assert asked.clean(name) == name


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  a \t b\n", "a b"),
        ("a\u202eb", "a b"),
        ("a\u200bb", "a b"),
        ("\ufeff甲", "甲"),
        ("\u200d", ""),
        ("\u200d甲\u200c", "甲"),
        ("Bé".replace("é", "e\u0301"), "Bé"),
    ],
)
def test_what_can_not_be_seen_is_no_part_of_a_name(typed: str, kept: str) -> None:
    assert asked.clean(typed) == kept
