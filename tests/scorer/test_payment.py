"""How a payment comes about: its sentences are right sums and end in what the settlement says."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest

import scorer
from tests.scorer.test_golden import FOLDER

OTHER: dict[str, list[dict[str, object]]] = {
    "yaodiren": [{"payment": "add"}],
    "zipai": [{"xing": "multiply"}, {"drawer_pays": True}, {"share_xing": True, "stake": 3}],
    "chuanpai": [{"unit_points": 2}],
    "guangshui": [{"pay_by": "胡"}, {"jia_replaces": True}, {"stake": 4}],
    "shihu": [{"stake": 5}, {"undivided_fault": True}],
}


def paid(rules: str) -> list[dict[str, Any]]:
    """The scores of the golden hands of a game in which somebody pays, under its options and under others."""
    found = []
    for golden in tomllib.loads((FOLDER / f"{rules}.toml").read_text("utf-8"))["hands"]:
        if "error" in golden or "before" in golden or golden.get("part"):
            continue
        hand = scorer.parse_hand(golden["hand"], rules)
        for other in [{}, *OTHER[rules]]:
            options = {**golden.get("options", {}), **other}
            found.append(scorer.score_json(scorer.score(hand, golden.get("facts", {}), options)))
    return [score for score in found if any(score["settlement"])]


def worked_out(message: str) -> tuple[int, int]:
    """What a sentence adds and multiplies up to, and what it says that this is."""
    bare = re.sub(r"\([^()+]*\)|[^\d()+−×÷=]", "", message).replace("−", "-").replace("×", "*")
    sum_, says = bare.rsplit("=", 1)
    return eval(sum_), int(says)  # only digits and signs are left


@pytest.mark.parametrize("rules", scorer.rule_ids())
def test_the_sentences_end_in_what_is_paid(rules: str) -> None:
    met = set()
    for score in paid(rules):
        codes = [step["code"] for step in score["payment"]]
        met |= {*codes}
        for step in score["payment"]:
            if "each" in step["numbers"]:
                computed, says = worked_out(step["message"])
                assert computed == says, step
        each = next(step["numbers"]["each"] for step in score["payment"] if "each" in step["numbers"])
        loser = -score["settlement"][0] if score["fault"] else 0
        if "drawer" in codes:
            assert score["settlement"][1] == -2 * each
        elif score["fault"]:
            assert loser == each * (len(score["settlement"]) - 1)
        else:
            assert score["settlement"][1] == -each
    unpaid = {"unset"}
    assert met == set(scorer.rule_set(rules).payment_by_code) - unpaid


def test_a_game_without_points_says_that_nobody_pays() -> None:
    hand = scorer.parse_hand("1-1 4-4 6-6 2-6 1-3 1-5 2-2 3-3 5-6 4-5 1-4 2-3 4-6 5-5 1-2 1-6", "chuanpai")
    assert [step.code for step in scorer.score(hand).payment] == ["unset"]
    assert [step.code for step in scorer.score(hand, {}, {"unit_points": 1}).payment] == ["won"]


def test_the_words_are_in_the_language_of_the_reader() -> None:
    hand = scorer.parse_hand("rK rA rB rR rN rC rP yP gP yN yN yN gK gA gA wB wB wR wR wC wC", "shihu")
    (step,) = scorer.score(hand).payment
    say = scorer.rule_set("shihu").say_payment
    assert say(step.code, "zh-Hans", step.numbers) == "每家付：10 胡 − 10 + 押点 1 = 1"
