"""跑胡子 (RULES-MORE 10) against a brute force, under its facts and house rules, and what its numbers can be."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import scorer
from tests.scorer.hands import complete, near, scattered
from tests.scorer.oracle import SCALE
from tests.scorer.paohuzi_oracle import best_two

CHOICES: dict[str, tuple[object, ...]] = {
    "mingtang": ("hhd", "quan", "duo", "none"),
    "need": (15, 6, 9, 10, 18, 21),
    "fourth_free": (True, False),
    "forced": (True, False),
    "tun": (3, 1),
    "tian_drawn": (True, False),
    "zimo": ("tun", "double", "none"),
    "wu": (5, 4, 6),
    "duizi": (False, True),
    "duo_first": (False, True),
    "shua_hou": (False, True),
    "tuan_yuan": (False, True),
    "hang_xi": (False, True),
    "jia_hang": (False, True),
    "si_qi_hong": (False, True),
    "ting": (False, True),
    "pao": ("no", "all", "thrower"),
    "chong": (0, 1),
    "cap": (0, 10),
}
FACTS: list[dict[str, object]] = [
    {}, {"self_drawn": True}, {"self_drawn": True}, {"discard": True}, {"tian_hu": True}, {"di_hu": True},
    {"last_card": True}, {"self_drawn": True, "last_card": True},
    {"self_drawn": True, "tian_hu": True, "ting_hu": True},
]  # fmt: skip


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
    thrower = facts.get("discard") and options.get("pao") == "thrower"
    assert scored.settlement == ((2 * pays, -2 * pays, 0) if thrower else (2 * pays, -pays, -pays)), said
    if wins:
        assert scored.detail["番"] == best.fan, said
        doubled = 2 if facts.get("self_drawn") and options.get("zimo") == "double" else 1
        assert scored.factor == max(best.fan, 1) * doubled, said


def hands(rng: Random) -> list[scorer.Hand]:
    found = [
        complete("paohuzi", rng, rng.randrange(5), winning=rng.random() < 0.85),
        near("paohuzi", rng, rng.randrange(5)),
    ]
    return (
        [*found, scattered("paohuzi", rng, rng.choice((21, 22)), rng.choice((10, 12, 14)))]
        if rng.random() < 0.05
        else found
    )


@pytest.mark.parametrize("seed", range(4))
def test_against_brute_force(seed: int) -> None:
    rng = Random(seed)
    for _ in range(250 * SCALE):
        for hand in hands(rng):
            check(hand, rng.choice(FACTS[:3]), {})


@pytest.mark.parametrize("seed", range(4))
def test_house_rules_against_brute_force(seed: int) -> None:
    rng = Random(100 + seed)
    for _ in range(60 * SCALE):
        options = {name: rng.choice(choices) for name, choices in CHOICES.items() if rng.random() < 0.4}
        for hand in hands(rng):
            check(hand, rng.choice(FACTS), options)


def refused(said: dict[str, object], **options: object) -> str:
    try:
        scorer.pay("paohuzi", said, {}, options)
    except scorer.ScorerError as error:
        return error.culprit
    return ""


def test_numbers_that_no_hand_has_are_refused() -> None:
    assert refused({"hu": 14}) == "under_need"
    assert refused({"hu": 14}, need=10) == ""
    assert refused({"hu": 71}) == "no_such_hu"
    assert [fan for fan in range(12) if not refused({"hu": 15, "fan": fan})] == [0, 2, 3, 4, 5]
    with_duizi = [fan for fan in range(12) if not refused({"hu": 15, "fan": fan}, duizi=True)]
    assert with_duizi == [0, 2, 3, 4, 5, 6, 7, 8, 9]
    assert [fan for fan in range(9) if not refused({"hu": 15, "fan": fan}, mingtang="quan")] == [
        0,
        3,
        4,
        5,
        6,
        7,
        8,
    ]
    assert [fan for fan in range(9) if not refused({"hu": 15, "fan": fan}, mingtang="none")] == [0]


def test_every_hand_that_wins_can_be_said() -> None:
    rng = Random(9)
    said = 0
    while said < 150:
        options = {name: rng.choice(choices) for name, choices in CHOICES.items()}
        facts = rng.choice(FACTS)
        scored = scorer.score(complete("paohuzi", rng, rng.randrange(5)), facts, options)
        if scored.wins:
            numbers = {"hu": scored.detail["胡"], "fan": scored.detail["番"]}
            numbers |= {name: int(bool(facts.get(name))) for name in ("self_drawn", "discard")}
            paid = scorer.pay("paohuzi", numbers, {}, options)
            assert (paid.changes, paid.steps) == (scored.settlement, scored.payment)
            said += 1


def test_facts_are_asked_where_they_count() -> None:
    rules = scorer.rule_set("paohuzi")
    asked = {
        town: [fact.name for fact in rules.facts if fact.asked({"mingtang": town})]
        for town in ("hhd", "quan")
    }
    assert asked["hhd"] == ["seats", "self_drawn", "discard"]
    assert asked["quan"] == [fact.name for fact in rules.facts]


@pytest.mark.parametrize(
    "facts",
    [("self_drawn", "discard"), ("self_drawn", "di_hu"), ("tian_hu", "di_hu"), ("tian_hu", "discard"),
     ("tian_hu", "last_card"), ("last_card", "discard")],
)  # fmt: skip
def test_facts_that_contradict_each_other(facts: tuple[str, ...]) -> None:
    hand = scorer.parse_hand("碰(伍伍伍) 偎(陆陆陆) 一二三 二七十 四五六 八八捌 九九 !玖", "paohuzi")
    with pytest.raises(scorer.ScorerError) as caught:
        scorer.score(hand, dict.fromkeys(facts, True))
    assert caught.value.code == "contradicting_facts"


def test_notes() -> None:
    def warned(text: str, **facts: object) -> tuple[str, ...]:
        return scorer.score(scorer.parse_hand(text, "paohuzi"), facts).warnings

    whole = "偎(三三三) 碰(伍伍伍) 陆陆陆 吃(四五六) 吃(九九玖) 吃(八八捌) 一二 !三"
    assert "called before 跑" in warned(whole)[0]
    assert "must make" in warned(whole, self_drawn=True)[0]
    assert "No winning card" in warned("伍伍伍 陆陆陆 一二三 二七十 四五六 八八捌 九九玖")[0]


def test_a_pair_is_never_laid_open() -> None:
    with pytest.raises(scorer.ScorerError) as caught:
        scorer.score(
            scorer.parse_hand("吃(捌捌) 提(玖玖玖玖) 碰(三三三) 一二三 四五六 七柒柒 六七 !八", "paohuzi")
        )
    assert caught.value.code == "impossible_meld"


def test_a_part_of_a_hand() -> None:
    part = scorer.score_part(scorer.parse_hand("伍伍伍 一二三 九九", "paohuzi"))
    assert (part.total, part.wins, len(part.melds)) == (9, False, 3)


def test_why_a_hand_does_not_win() -> None:
    """All cards fit, but the units are not seven with a pair exactly beside a four."""
    odd = scorer.parse_hand("伍伍伍伍 提(陆陆陆陆) 二七十 四五六 八八捌 玖玖玖 一", "paohuzi")
    reason = scorer.score(odd).reason
    assert reason is not None
    assert (reason.code, dict(reason.short)) == ("undivided", {"闲牌": 1})
    whole = scorer.parse_hand("伍伍伍伍 陆陆陆陆 柒柒柒柒 一二三 七八九 一二三", "paohuzi")
    reason = scorer.score(whole).reason
    assert reason is not None
    assert (reason.code, dict(reason.short)) == ("wrong_shape", {})
