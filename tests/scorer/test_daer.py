"""泸州大贰 (RULES-MORE 11) against a brute force, under its facts and house rules, and what its numbers can be."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

import scorer
from tests.scorer.daer_oracle import best_two
from tests.scorer.hands import complete, near, scattered
from tests.scorer.oracle import SCALE

CHOICES: dict[str, tuple[object, ...]] = {
    "need": (10, 15),
    "zero": (True, False),
    "ka": ("table", "fan", "none"),
    "fan": ("double", "add"),
    "gui": (True, False),
    "cap": (0, 12, 64),
}
FLAGS = ("self_drawn", "discard", "tian_hu", "di_hu", "first_draw", "last_draw", "bao")
NEVER = {
    ("self_drawn", "discard"), ("self_drawn", "di_hu"), ("tian_hu", "di_hu"), ("discard", "tian_hu"),
    ("tian_hu", "first_draw"), ("tian_hu", "last_draw"), ("discard", "first_draw"), ("discard", "last_draw"),
    ("first_draw", "last_draw"), ("di_hu", "last_draw"),
}  # fmt: skip
DRAWN: tuple[dict[str, object], ...] = ({}, {"self_drawn": True}, {"discard": True})
HAND = "坎(陆陆陆) 碰(三三三) 吃(四五六) 吃(七八九) 吃(八八捌) 吃(九九玖) 一壹 !壹"


def some_facts(rng: Random) -> dict[str, object]:
    while True:
        facts = [name for name in FLAGS if rng.random() < 0.25]
        if not NEVER.intersection(combinations(facts, 2)):
            return {**dict.fromkeys(facts, True), "sha_bao": rng.choice((0, 0, 1, 2))}


def check(hand: scorer.Hand, facts: dict[str, object], options: dict[str, object]) -> None:
    said = (scorer.write_hand(hand), facts, options)
    scored = scorer.score(hand, facts, options)
    best, second = best_two(hand, facts, options)
    assert scored.runner_up == second, said
    if best is None:
        assert (scored.total, scored.wins, scored.melds) == (0, False, ()), said
        assert scored.reason is not None
        return
    wins, pays, hu, total = best.rank
    assert (scored.wins, scored.total, scored.detail["胡"]) == (wins > 0, total, hu), said
    assert Counter((meld.kind, tuple(sorted(meld.cards))) for meld in scored.melds) == Counter(best.melds), (
        said
    )
    twice = 2 if options.get("fan") == "add" else 1
    thrown = facts.get("discard")
    assert scored.settlement == ((pays * twice, -pays * twice, 0) if thrown else (2 * pays, -pays, -pays)), (
        said
    )
    if wins:
        assert scored.detail["番"] == best.fan, said
        assert scored.factor == (1 + best.fan if options.get("fan") == "add" else 2**best.fan), said


def hands(rng: Random) -> list[scorer.Hand]:
    found = [
        complete("daer", rng, rng.randrange(5), winning=rng.random() < 0.85),
        near("daer", rng, rng.randrange(5)),
    ]
    return (
        [*found, scattered("daer", rng, rng.choice((21, 22)), rng.choice((10, 12, 14)))]
        if rng.random() < 0.05
        else found
    )


@pytest.mark.parametrize("seed", range(4))
def test_against_brute_force(seed: int) -> None:
    rng = Random(seed)
    for _ in range(250 * SCALE):
        for hand in hands(rng):
            check(hand, rng.choice(DRAWN), {})


@pytest.mark.parametrize("seed", range(4))
def test_house_rules_against_brute_force(seed: int) -> None:
    rng = Random(100 + seed)
    for _ in range(60 * SCALE):
        options = {name: rng.choice(choices) for name, choices in CHOICES.items() if rng.random() < 0.5}
        for hand in hands(rng):
            check(hand, some_facts(rng), options)


def test_facts_that_contradict_each_other() -> None:
    hand = scorer.parse_hand(HAND, "daer")
    for pair in combinations(FLAGS, 2):
        facts = dict.fromkeys(pair, True)
        if pair in NEVER:
            with pytest.raises(scorer.ScorerError) as caught:
                scorer.score(hand, facts)
            assert caught.value.code == "contradicting_facts"
        else:
            assert scorer.score(hand, facts).wins


def refused(said: dict[str, object], **options: object) -> str:
    try:
        scorer.pay("daer", said, {}, options)
    except scorer.ScorerError as error:
        return error.culprit
    return ""


def test_numbers_that_no_hand_has_are_refused() -> None:
    assert [hu for hu in range(20) if not refused({"hu": hu})] == [0, *range(10, 20)]
    assert [hu for hu in range(20) if not refused({"hu": hu}, zero=False, need=15)] == [*range(15, 20)]
    assert refused({"hu": 98}) == "no_such_hu"
    assert refused({"hu": 10, "discard": 1}) == "no_such_fan"
    assert refused({"hu": 10, "discard": 1}, fan="add") == ""


def test_every_hand_that_wins_can_be_said() -> None:
    rng = Random(9)
    said = 0
    while said < 150:
        options = {name: rng.choice(choices) for name, choices in CHOICES.items()}
        facts = some_facts(rng)
        scored = scorer.score(complete("daer", rng, rng.randrange(5)), facts, options)
        if scored.wins:
            numbers = {
                "hu": scored.detail["胡"],
                "fan": scored.detail["番"],
                "discard": int("discard" in facts),
            }
            paid = scorer.pay("daer", numbers, {}, options)
            assert (paid.changes, paid.steps) == (scored.settlement, scored.payment)
            said += 1


def test_notes_and_reasons() -> None:
    whole = scorer.parse_hand("三三三 一二 碰(八八八) 吃(四五六) 吃(九九玖) 吃(叁肆伍) 一壹壹 !三", "daer")
    assert "called before 招" in scorer.score(whole).warnings[0]
    nothing = scorer.parse_hand("吃(四五六) 吃(七八九) 吃(八八捌) 吃(九九玖) 肆伍陆 柒捌玖 一壹 !壹", "daer")
    refused = scorer.score(nothing, {}, {"zero": False}).reason
    assert refused is not None
    assert refused.code == "no_zero"
    one = scorer.score(
        scorer.parse_hand("吃(四五六) 吃(七八九) 吃(八八捌) 吃(九九玖) 碰(三三三) 柒捌玖 一壹 !壹", "daer")
    )
    assert one.reason is not None
    assert (one.reason.code, dict(one.reason.short)) == ("under_need", {"胡": 9})
