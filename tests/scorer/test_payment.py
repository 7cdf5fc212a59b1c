"""How a payment comes about: its sentences are right sums and end in what the settlement says."""

from __future__ import annotations

import math
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
    "paohuzi": [
        {"zimo": "double", "stake": 2},
        {"chong": 2, "cap": 9},
        {"mingtang": "none", "pao": "thrower"},
    ],
    "daer": [{"fan": "add", "cap": 3}, {"cap": 20, "stake": 2}, {"ka": "none"}],
    "tusac": [{"pay": "flat", "stake": 3}, {"yellow": 2}, {"quan_doubles": False}, {"den": 5, "khap": 6}],
}


def paid(rules: str) -> list[dict[str, Any]]:
    """The scores of the golden hands of a game in which somebody pays, under its options and under others."""
    found = []
    for golden in tomllib.loads((FOLDER / f"{rules}.toml").read_text("utf-8"))["hands"]:
        if "error" in golden or "before" in golden or golden.get("part"):
            continue
        hand = scorer.parse_hand(golden["hand"], rules)
        for other in [{}, *OTHER[rules]]:
            facts, options = golden.get("facts", {}), {**golden.get("options", {}), **other}
            found.append(scorer.score_json(scorer.score(hand, facts, options)) | {"asked": (facts, options)})
    return [score for score in found if any(score["settlement"])]


def said_of(score: dict[str, Any]) -> dict[str, int]:
    """The numbers that somebody says of a count: read off its lines and its details."""
    detail, times = score["detail"], {line["name"]: line["times"] for line in score["lines"]}
    if score["rules"] == "yaodiren":
        return {"fan": detail["番"]}
    if score["rules"] == "zipai":
        factors = [n for name, n in times.items() if name != "醒"]
        xing = detail["醒"] // (2 if len(score["settlement"]) == 4 else 1)
        return {"hu": detail["胡"], "xing": xing, "factor": math.prod(factors)}
    if score["rules"] == "guangshui":
        stepped = [name for name in times if name[:2] in ("肥车", "长车") and name[2:] not in ("不出", "将")]
        return {"hu": detail["胡"], "lou": detail["楼"], "grand": int("素车全踏" in times or stepped != [])}
    if score["rules"] == "shihu":
        return {"hu": detail["胡"], "flower": detail["花"]} if score["lines"] else {"hu": 0}
    if score["rules"] == "paohuzi":
        return {"hu": detail["胡"], "fan": detail["番"], "self_drawn": int("自摸" in times),
                "discard": int(score["settlement"][-1] == 0)}  # fmt: skip
    if score["rules"] == "daer":
        thrown = score["settlement"][2] == 0
        return {"hu": detail["胡"], "fan": detail["番"], "discard": int(thrown)}
    if score["rules"] == "tusac":
        four = any(len(meld["cards"]) == 4 and len({*meld["cards"]}) == 1 for meld in score["melds"])
        return {"lenh": score["total"], "quan": int(four), "yellow": detail.get("tướng vàng", 0)}
    return {}


@pytest.mark.parametrize("rules", scorer.rule_ids())
def test_a_count_that_is_said_pays_what_its_hand_pays(rules: str) -> None:
    """Every golden hand that pays, under its options and others, again from its numbers alone."""
    scores = paid(rules)
    assert len(scores) >= 10
    for score in scores:
        facts, options = score.pop("asked")
        facts = {name: value for name, value in facts.items() if name in ("seats", "self_drawn")}
        said = scorer.payment_json(rules, scorer.pay(rules, said_of(score), facts, options))
        for key in ("settlement", "payment", "wins", "fault"):
            assert said[key] == score[key], (key, score["hand"], options)
        if rules != "yaodiren":
            assert (said["total"], said["unit"]) == (score["total"], score["unit"])


@pytest.mark.parametrize(
    ("rules", "said", "says"),
    [
        ("shihu", {}, "hu is a whole number from 0 to 41, not None"),
        ("zipai", {"hu": 14}, "hu is a whole number from 15 to 72, not 14"),
        ("yaodiren", {"fan": 31}, "fan is a whole number from 0 to 30, not 31"),
        ("yaodiren", {"fan": "3"}, "fan is a whole number from 0 to 30, not '3'"),
        ("chuanpai", {"fan": 1}, "chuanpai knows no number 'fan'"),
    ],
)
def test_numbers_that_no_count_has(rules: str, said: dict[str, object], says: str) -> None:
    with pytest.raises(scorer.ScorerError, match=says) as caught:
        scorer.pay(rules, said)
    assert caught.value.code == "bad_number"


@pytest.mark.parametrize(
    ("rules", "said", "facts", "options"),
    [
        ("guangshui", {"hu": 3}, {}, {}),
        ("guangshui", {"hu": 42}, {}, {}),
        ("guangshui", {"hu": 22, "lou": 1}, {}, {}),
        ("guangshui", {"hu": 12, "lou": 2}, {}, {}),
        ("guangshui", {"hu": 51, "lou": 2, "grand": 1}, {}, {}),
        ("guangshui", {"hu": 12}, {}, {"pay_by": "胡"}),
        ("zipai", {"hu": 15, "factor": 5}, {}, {}),
        ("zipai", {"hu": 15, "factor": 3}, {"self_drawn": True}, {}),
        ("zipai", {"hu": 15, "factor": 16}, {}, {"wang": 0}),
        ("zipai", {"hu": 15, "factor": 64}, {}, {}),
    ],
)
def test_counts_that_no_hand_gives(
    rules: str, said: dict[str, object], facts: dict[str, object], options: dict[str, object]
) -> None:
    with pytest.raises(scorer.ImpossibleCount) as caught:
        scorer.pay(rules, said, facts, options)
    assert caught.value.culprit in scorer.rule_set(rules).notice_by_code


@pytest.mark.parametrize(
    ("rules", "said", "options"),
    [
        ("guangshui", {"hu": 43}, {}),
        ("guangshui", {"hu": 40}, {"pong_in_bonus": False}),
        ("guangshui", {"hu": 23, "lou": 1}, {}),
        ("guangshui", {"hu": 13, "lou": 2}, {}),
        ("guangshui", {"hu": 13}, {"pay_by": "胡"}),
        ("zipai", {"hu": 15, "factor": 32}, {}),
        ("zipai", {"hu": 15, "factor": 64}, {"zimo_times_wang": True}),
    ],
)
def test_counts_that_some_hand_gives(rules: str, said: dict[str, object], options: dict[str, object]) -> None:
    assert scorer.pay(rules, said, {}, options).total


def test_only_what_a_table_pays_by_is_asked() -> None:
    asked = {
        by: [said.name for said in scorer.rule_set("guangshui").said if said.asked({"pay_by": by})]
        for by in ("牌", "胡")
    }
    assert asked == {"牌": ["hu", "lou", "grand"], "胡": ["hu"]}


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
        each = [step["numbers"]["each"] for step in score["payment"] if "each" in step["numbers"]][-1]
        loser = -score["settlement"][0] if score["fault"] else 0
        if "drawer" in codes or ("thrower" in codes and score["rules"] == "paohuzi"):
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
