"""Hands written out by hand, one file per rule set: the score, its lines with clause, and who pays whom."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import scorer

FOLDER = Path(__file__).parent.parent / "golden"
HANDS = [
    pytest.param(path.stem, golden, id=f"{path.stem} {golden['id']}")
    for path in sorted(FOLDER.glob("*.toml"))
    for golden in tomllib.loads(path.read_text("utf-8"))["hands"]
]


def vectors(letter: str, last: int, parts: dict[int, str]) -> list[str]:
    """The ids of a list of vectors, some in several parts (`b` beside the plain one is written " b")."""
    return [f"{letter}-{n:02}{part.strip()}" for n in range(1, last + 1) for part in parts.get(n, " ")]


# The vectors of RULES 3.2 to 7.2 and of RULES-MORE 9.5, 10.6 and 11.6.
VECTORS = {
    "yaodiren": [*(f"A-{n:02}" for n in range(1, 22)), "A-14b"],
    "zipai": [f"B-{n:02}" for n in range(1, 24)],
    "chuanpai": [f"C-{n:02}" for n in range(1, 13)],
    "guangshui": [f"D-{n:02}" for n in range(1, 27)],
    "shihu": [f"E-{n:02}" for n in range(1, 19)],
    "paohuzi": vectors(
        "P",
        29,
        {
            1: "abc",
            4: "ab",
            5: " b",
            6: " b",
            7: "abcd",
            8: "abc",
            9: "ab",
            10: "ab",
            12: "abc",
            14: "ab",
            15: "abc",
            16: "abc",
            19: "abc",
            20: "ab",
            22: "ab",
            26: "ab",
            29: "abcde",
        },
    ),
    "daer": vectors(
        "R",
        28,
        {
            1: "abcde",
            3: "ab",
            6: " b",
            8: "ab",
            11: " b",
            12: "ab",
            15: "ab",
            17: "abc",
            18: "abcd",
            27: " b",
        },
    ),
    "tusac": vectors("T", 31, {1: "ab", 12: " b", 21: "abc", 22: " b", 23: "ab"}),
}


def counted(rules: str, golden: dict[str, Any]) -> dict[str, Any]:
    hand = scorer.parse_hand(golden["hand"], rules)
    count = scorer.score_part if golden.get("part") else scorer.score
    return scorer.score_json(count(hand, golden.get("facts", {}), golden.get("options", {})))


def listed(name: str, points: int, times: int, cards: list[str], clause: str) -> tuple[Any, ...]:
    return name, points, times, " ".join(sorted(cards)), clause


def written(lines: list[dict[str, Any]]) -> Counter[tuple[Any, ...]]:
    return Counter(
        listed(line["name"], line["points"], line["times"], line["cards"], line["clause"]) for line in lines
    )


def expected(lines: list[list[Any]]) -> Counter[tuple[Any, ...]]:
    return Counter(
        listed(name, points, times, cards.split(), clause) for name, points, times, cards, clause in lines
    )


@pytest.mark.parametrize(("rules", "golden"), HANDS)
def test_golden_hand(rules: str, golden: dict[str, Any]) -> None:
    assert golden["why"]
    if "error" in golden:
        with pytest.raises(scorer.ScorerError) as caught:
            counted(rules, golden)
        assert caught.value.code == golden["error"]
        return
    if "before" in golden:
        dealt = scorer.parse_hand(golden["hand"], rules).cards()
        checked = scorer.qualification_json(scorer.qualification(dealt, golden.get("facts", {})))
        assert {key: checked[key] for key in golden["before"]} == golden["before"]
        return
    found = counted(rules, golden)
    assert written(found["lines"]) == expected(golden["lines"])
    for key in ("total", "unit", "wins", "fault", "factor", "settlement", "runner_up", "melds"):
        if key in golden:
            assert found[key] == golden[key], key
    for key, value in golden.get("detail", {}).items():
        assert found["detail"][key] == value, key
    if "reason" in golden:
        assert found["reason"]["code"] == golden["reason"]["code"]
        assert found["reason"]["short"] == golden["reason"]["short"]
    for word in golden.get("warns", []):
        assert any(word in warning for warning in found["warnings"]), word


@pytest.mark.parametrize("rules", scorer.rule_ids())
def test_golden_file_is_whole(rules: str) -> None:
    """Every vector is there by its id, every row of the table is met, and at least ten whole hands."""
    golden = tomllib.loads((FOLDER / f"{rules}.toml").read_text("utf-8"))["hands"]
    names = [each["id"].split()[0] for each in golden]
    assert set(VECTORS[rules]) <= set(names)
    met = {line[0] for each in golden for line in each.get("lines", [])}
    assert {row.id for row in scorer.rule_set(rules).table} <= met
    assert sum("total" in each and not each.get("part") for each in golden) >= 10
    assert len({each["id"] for each in golden}) == len(golden)
