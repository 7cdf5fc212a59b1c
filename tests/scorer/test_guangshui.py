"""广水四色 (RULES 6): every vector by its id, a slow count of random hands, options, warnings and waits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random

import pytest

import scorer
from scorer.divide import divisions
from scorer.facts import check_options
from scorer.games import book_for, guangshui
from scorer.games.guangshui_house import GRAND, paying_of
from scorer.games.guangshui_worth import pai_of
from scorer.hand import make_hand
from scorer.score import make_case
from tests.scorer.guangshui_oracle import COLOURS, DEFAULTS, best
from tests.scorer.hands import complete, densest, near, scattered
from tests.scorer.oracle import SCALE

RULES = scorer.rule_set("guangshui")
OPTIONS = {option.name: option for option in RULES.options}


def parsed(text: str) -> scorer.Hand:
    return scorer.parse_hand(text, "guangshui")


def part(text: str) -> int:
    return scorer.score_part(parsed(text)).total


def lines(scored: scorer.Score) -> dict[str, int]:
    return {line.name: line.points for line in scored.lines if line.points}


# ---- The vectors of RULES 6.2 ----------------------------------------------------------------------------

D18 = "rP rP rP yP yP yP gP gP gP wP wP wP rN rN rN yN yN yN gN gN gN rA rA yA yA rB rB yB yB wA wA"
D10 = "碰(yB yB yB) 碰(wN wN wN) 碰(gC gC gC) 碰(rN rN rN) yC yC yC yC wR wR wR gA gA gA rB rB rB gK wP wP"
D14 = "楼(rA rA rA rA) yC yC yC yC wR wR wR {} rB rB rN rN rC rC yA yA yB yB wA wA wN wN gA gA"
D22 = "yA yA yA gA gA gA wA wA wA wC wC wC wC {} rN rN rC rC yB yB gB gB yR yR gR gR wN wN gK wK"

PARTS = [
    *[(f"D-01 素{what}", f"{kind}({' '.join(['rA'] * size)})", value) for what, kind, size, value in
      (("步", "碰", 3, 1), ("子", "子", 3, 3), ("楼", "楼", 4, 6), ("闹", "闹", 4, 9))],
    *[(f"D-01 肥{what}", f"{kind}({' '.join(['wP'] * size)})", value) for what, kind, size, value in
      (("步", "步", 3, 2), ("子", "子", 3, 6), ("楼", "扛", 4, 12), ("闹", "闹", 4, 18))],
    ("D-01 素子 loose", "rA rA rA", 3),
    ("D-01 肥闹 loose", "rK rK rK rK", 18),
    *[(f"D-02 {n} 步", " ".join(f"碰({' '.join([code] * 3)})" for code in
                                ("rA", "yA", "gB", "wB", "rN", "yN", "gC", "wC", "gR", "wR")[:n]), total)
      for n, total in ((4, 4), (5, 25), (6, 46), (7, 67), (8, 88), (9, 110), (10, 132))],
    *[(f"D-03 素车 {n}", " ".join(f"碰({' '.join([code] * 3)})" if at < n else f"{code} {code}"
                                  for at, code in enumerate(("gN", "gC", "gR"))), value)
      for n, value in ((0, 10), (1, 21), (2, 32), (3, 44))],
    *[(f"D-03 肥车 {n}", " ".join(f"碰({' '.join([code] * 3)})" if at < n else f"{code} {code}"
                                  for at, code in enumerate(("gP", "yP", "wP"))), value)
      for n, value in ((0, 20), (1, 42), (2, 64), (3, 106))],
    *[(f"D-03 长车 {n}", " ".join(f"碰({' '.join([code] * 3)})" if at < n else f"{code} {code}"
                                  for at, code in enumerate(("rP", "gP", "yP", "wP"))), value)
      for n, value in ((0, 40), (1, 82), (2, 124), (3, 166), (4, 208))],
    ("D-04", "rR rR rN rN rC rC", 10),
    ("D-05 three colours", "rP rP yP yP gP gP", 20),
    ("D-05 four colours", "rP rP yP yP gP gP wP wP", 40),
    ("D-06", "rN rN rN yN yN yN gN gN gN", 29),
    ("D-07", "rA rA rA gA gA gA yA yA yA wA wA wA", 52),
    ("D-08", "rK rK rK rP rP rP", 32),
    ("D-09", "rP rP rP yP yP gP gP", 46),
    ("D-24", "rP rP rP yP yP yP gP gP wP", 21),
    ("D-25", "rA rA !rA", 1),
    ("D-26", "rK yK gK wK", 4),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "total"), [pytest.param(text, total, id=name) for name, text, total in PARTS]
)
def test_vector_part(text: str, total: int) -> None:
    assert part(text) == total


WHOLE = [
    ("D-07", "rA rA rA yA yA yA gA gA gA wA wA wA gK rB rB yB yB gN gN wN wN rC rC yC yC gR gR rP rP yP yP",
     53, 1, ""),
    ("D-10", "碰(rA rA rA) " + D10, 47, 0, ""),
    ("D-11", "碰(rP rP rP) " + D10, 48, 1, ""),
    ("D-12", "碰(rA rA rA) 碰(yA yA yA) 碰(rB rB rB) 碰(yN yN yN) 碰(wC wC wC) 碰(gN gN gN) "
     "wK rR rR yC yC wA wA wN wN gB gB rC rC", 47, 1, ""),
    ("D-13", "楼(rA rA rA rA) 楼(yN yN yN yN) gK "
     "rB rB rR rR rN rN yA yA yB yB yC yC wA wA wB wB wR wR wN wN gC gC", 13, 1, ""),
    ("D-14", D14.format("gR gN gC gK"), 23, 1, ""),
    ("D-15", D14.format("rP yP gP wP"), 22, 0, ""),
    ("D-18", D18, 253, 5, "小甲"),
    ("D-21", "楼(rN rN rN rN) 楼(rC rC rC rC) 碰(rR rR rR) "
     "yA yA gA gA wB wB gB gB wC wC yN yN wA wA yR yR gR gR rK yK", 56, 5, "小甲"),
    ("D-22 占", D22.format("占(rR rR)"), 40, 0, ""),
    ("D-22 in hand", D22.format("rR rR"), 50, 1, ""),
    ("D-23", "rK rK rK yK yK gK gK rA rA yA yA gA gA wA wA rN rN yN yN rC rC yC yC gR gR wR wR gC gC wC wC",
     50, 1, ""),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "total", "pai", "jia"), [pytest.param(*rest, id=name) for name, *rest in WHOLE]
)
def test_vector_whole(text: str, total: int, pai: int, jia: str) -> None:
    scored = scorer.score(parsed(text))
    assert (scored.total, scored.wins, scored.settlement) == (total, pai > 0, (2 * pai, -pai, -pai))
    assert (scored.detail["牌"], scored.detail.get("甲", "")) == (pai, jia)
    assert (scored.reason is None) == scored.wins


@pytest.mark.parametrize(
    ("hu", "lou", "pai", "jia"),
    [pytest.param(*row, id=f"D-16 {row[0]}") for row in (
        (48, 0, 1, 0), (50, 0, 1, 0), (99, 0, 1, 0), (100, 0, 2, 0), (150, 0, 3, 0), (249, 0, 4, 0),
        (250, 0, 5, 1), (499, 0, 9, 1), (500, 0, 10, 2),
    )]
    + [pytest.param(*row, id=f"D-17 {row[0]} with {row[1]}") for row in (
        (122, 1, 4, 0), (123, 1, 5, 1), (60, 2, 4, 0), (61, 2, 5, 1), (30, 3, 4, 0), (31, 3, 5, 1),
        (249, 1, 9, 1), (250, 1, 10, 2), (122, 2, 9, 1), (123, 2, 10, 2), (60, 3, 9, 1), (61, 3, 10, 2),
        (60, 4, 9, 1),  # more than three 楼 count as three (D26)
        (1, 2, 1, 0), (13, 2, 1, 0), (23, 1, 1, 0),
    )],
)  # fmt: skip
def test_vector_pai(hu: int, lou: int, pai: int, jia: int) -> None:
    assert pai_of(paying_of(check_options(RULES, {})), hu, 0, lou) == (pai, jia)


def test_vector_d19_one_card_left_over() -> None:
    scored = scorer.score(parsed(D18.replace("wA wA", "wA rK")))
    assert (scored.total, scored.wins, scored.lines) == (0, False, ())
    assert scored.reason is not None
    assert scored.reason.cards == ("wA",)


def test_vector_d20_fifth_copy() -> None:
    with pytest.raises(scorer.ScorerError) as caught:
        scorer.score(parsed("rA rA rA rA !rA"))
    assert caught.value.code == "too_many_copies"


# ---- The slow count --------------------------------------------------------------------------------------


def rich(rng: Random) -> scorer.Hand:
    """Return a hand of pairs and sets of a few kinds, so that 车子, 清 and 天地 abound."""
    while True:
        kinds = rng.choice(("KAB", "RNC", "KP", "KABP", "KPR", "KABN", "PRNC", "KA"))
        few = [colour + kind for kind in kinds for colour in COLOURS]
        other = [colour + kind for kind in "KABRNCP" for colour in COLOURS if colour + kind not in few]
        cells = rng.sample(few, len(few)) + rng.sample(other, 6)
        melds: list[scorer.Meld] = []
        loose: list[str] = []
        for code in cells:
            size = rng.choices((2, 3, 4), (5, 5, 1))[0]
            if size + len(loose) + sum(len(meld.cards) for meld in melds) > 31:
                break
            if rng.random() < (0.1 if size == 2 else 0.45):
                kind = rng.choice({2: ("占",), 3: ("碰", "碰", "碰", "子"), 4: ("楼", "闹")}[size])
                melds.append(scorer.Meld(kind, (code,) * size, kind not in "子闹"))
            else:
                loose += [code] * size
        held = Counter([*loose, *[card for meld in melds for card in meld.cards]])
        kings = [code for colour in COLOURS for code in [colour + "K"] * (4 - held[colour + "K"])]
        missing = 31 - sum(held.values())
        if loose and missing <= min(4, len(kings)):
            loose += rng.sample(kings, missing)
            last = None if rng.random() < 0.15 else loose.pop(rng.randrange(len(loose)))
            return make_hand(RULES, tuple(melds), loose, last)


def check(hand: scorer.Hand, options: Mapping[str, object] = DEFAULTS) -> scorer.Score:
    scored = scorer.score(hand, {}, options)
    slow = best(hand, options)
    text = scorer.write_hand(hand)
    if slow is None:
        assert (scored.total, scored.wins, scored.lines, scored.melds) == (0, False, (), ()), text
        return scored
    (wins, pays, hu), runner_up, melds = slow
    assert (scored.total, scored.wins, -scored.settlement[1]) == (hu, wins == 1, pays), text
    assert scored.runner_up == runner_up, text
    assert sum(line.points for line in scored.lines) == hu, text
    kinds = [kind.id for kind in RULES.kinds]
    assert Counter((kinds.index(meld.kind), meld.cards) for meld in scored.melds) == Counter(melds), text
    return scored


@pytest.mark.parametrize(
    ("make", "number"),
    [
        pytest.param(lambda rng: complete("guangshui", rng, rng.randrange(6), rng.random() < 0.9), 1000,
                     id="complete"),
        pytest.param(lambda rng: near("guangshui", rng, rng.randrange(6)), 600, id="near"),
        pytest.param(lambda rng: scattered("guangshui", rng, 31, rng.choice((12, 14, 16))), 150, id="few faces"),
        pytest.param(rich, 250, id="rich"),
    ],
)  # fmt: skip
def test_slow_count(make: Callable[[Random], scorer.Hand], number: int) -> None:
    rng = Random(20260)
    found = [check(make(rng)) for _ in range(number * SCALE)]
    assert sum(each.wins for each in found) > number // 50
    assert sum(not each.wins for each in found) > number // 50


CHOICES = [
    (option.name, value)
    for option in RULES.options
    for value in option.choices or (False, True)
    if value != option.default and option.name != "stake"
]


@pytest.mark.parametrize(("name", "value"), CHOICES, ids=str)
def test_slow_count_with_an_option(name: str, value: object) -> None:
    rng = Random(7)
    options = {**DEFAULTS, name: value}
    for _ in range(12):
        check(rich(rng), options)
        check(complete("guangshui", rng, rng.randrange(5)), options)


def test_slow_count_with_many_options() -> None:
    rng = Random(8)
    for _ in range(8):
        options = {**DEFAULTS, **dict(rng.sample(CHOICES, 6))}
        for _ in range(12):
            check(rich(rng), options)


def test_every_option_changes_some_hand() -> None:
    """An option that never matters would be a switch that is not connected."""
    rng = Random(9)
    hands = [rich(rng) for _ in range(300)]
    usual = [scorer.score(hand) for hand in hands]
    rare = {"lou_at_most", "must_call", "xianggong_wins", "jia_replaces", "jia_at_least"}  # tested below
    for name, value in CHOICES:
        if name not in rare:
            changed = [scorer.score(hand, {}, {name: value}) for hand in hands]
            assert [(each.total, each.settlement) for each in changed] != [
                (each.total, each.settlement) for each in usual
            ], name


def test_bounded_search_finds_what_the_full_search_finds() -> None:
    """On hands too dense for the slow count."""
    for hand in densest("guangshui", Random(3), 40):
        case = make_case(hand, {}, {}, part=False)
        ranks: dict[tuple[int, ...], tuple[int, ...]] = {}
        for problem in guangshui.problems(case):
            units = case.book.holding[case.book.weight[str(hand.winning)]]
            closing = [(unit, closed) for unit in units for closed in guangshui.closing(case, unit)]
            for feature, places, _ in divisions(case.book, problem.loose, closing):
                key = tuple(sorted(places))
                ranks[key] = max(ranks.get(key, ()), guangshui.ranking(case)(feature))
        ordered = sorted(ranks.values(), reverse=True)
        scored = scorer.score(hand)
        if ordered:
            assert (int(scored.wins), -scored.settlement[1], scored.total) == ordered[0]
            assert scored.runner_up == (ordered[1][-1] if len(ordered) > 1 else None)
        else:
            assert scored.melds == ()


def test_colours_are_alike() -> None:
    """Renaming the colours changes no total (RULES 8.4)."""
    rng = Random(4)
    for _ in range(200):
        hand = rich(rng)
        other = dict(zip(COLOURS, rng.sample(COLOURS, 4), strict=True))
        renamed = scorer.parse_hand(
            "".join(other.get(sign, sign) for sign in scorer.write_hand(hand)), "guangshui"
        )
        one, two = scorer.score(hand), scorer.score(renamed)
        assert (one.total, one.wins, one.detail, one.runner_up) == (
            two.total, two.wins, two.detail, two.runner_up)  # fmt: skip
        assert Counter((line.name, line.points) for line in one.lines) == Counter(
            (line.name, line.points) for line in two.lines
        )


# ---- What else -------------------------------------------------------------------------------------------


def test_a_called_four_and_its_value() -> None:
    """楼 by the last card counts as a 楼; without the mark the four are a 闹 (Z6)."""
    hand = parsed(
        "子(rA rA rA) yC yC yC yC wR wR wR gR gN gC gK rB rB rN rN rC rC yA yA yB yB wA wA wN wN gA gA !rA"
    )
    called = scorer.score(hand)
    assert (called.total, called.detail["楼"], called.wins) == (23, 1, True)
    assert scorer.Meld("楼", ("rA",) * 4, True) in called.melds
    bare = scorer.score(replace(hand, melds=(), loose=(*hand.loose, *["rA"] * 4), winning=None))
    assert (bare.total, bare.detail["楼"], bare.wins) == (26, 0, False)
    in_hand = scorer.score(hand, {}, {"winning_set": "hand"})
    assert (in_hand.total, in_hand.detail["楼"]) == (26, 0)


def test_more_choices_of_the_winning_card() -> None:
    """One 楼 more is worth more than the 胡 that a 闹 in hand would have: Z1 looks at what is paid first."""
    hand = parsed(
        "楼(yN yN yN yN) rA rA rA gK rB rB rR rR rN rN yA yA yB yB yC yC wA wA wB wB wR wR wN wN gC gC !rA"
    )
    scored = scorer.score(hand)
    assert (scored.wins, scored.total, scored.detail["楼"]) == (True, 13, 2)


def test_payment_options() -> None:
    hand = parsed(D18)
    assert scorer.score(hand, {}, {"stake": 3}).settlement == (30, -15, -15)
    assert scorer.score(hand, {}, {"pay_by": "胡"}).settlement == (506, -253, -253)
    with pytest.raises(scorer.ScorerError) as caught:
        scorer.score(hand, {"seats": 4})
    assert caught.value.code == "bad_fact"


def test_options_of_pai() -> None:
    def paid(hu: int, lou: int, flags: int = 0, **options: object) -> tuple[int, int]:
        return pai_of(paying_of(check_options(RULES, options)), hu, flags, lou)

    assert paid(300, 0) == (6, 1)
    assert paid(300, 0, jia_replaces=True) == (5, 1)
    assert paid(123, 1) == (5, 1)
    assert paid(123, 1, jia_at_least=False) == (4, 1)
    assert paid(123, 1, lou_doubles=False, jia_at_least=False) == (2, 1)
    assert paid(60, 5) == (9, 1)
    assert paid(60, 5, lou_at_most=7) == (38, 1)
    assert paid(20, 2, GRAND) == (5, 1)  # D27
    assert paid(20, 1, GRAND) == (1, 0)


def test_must_call() -> None:
    """With 有子必发 the fourth card can't go into a 车马炮."""
    text = "rR rR rR rN rC !rR"
    assert part(text) == 7
    with_option = scorer.score_part(parsed(text), {}, {"must_call": True})
    assert with_option.melds == ()
    fixed = parsed("子(rR rR rR) rN rC !rR")
    assert scorer.score_part(fixed).total == 7
    assert scorer.score_part(fixed, {}, {"must_call": True}).melds == ()


XIANGGONG = (
    "碰(rA rA rA) 碰(yA yA yA) 碰(rB rB rB) 碰(yN yN yN) 碰(wC wC wC) 碰(gN gN gN) 碰(yB yB yB) "
    "碰(wR wR wR) 碰(gC gC gC) 占(rP rP) rK !yK"
)


def test_xianggong() -> None:
    hand = parsed(XIANGGONG)
    with pytest.raises(scorer.ScorerError):
        scorer.score(replace(hand, melds=hand.melds[:-1]))
    scored = scorer.score(hand)
    assert scored.wins
    assert any("相公" in text for text in scored.warnings)
    lost = scorer.score(hand, {}, {"xianggong_wins": False})
    assert (lost.wins, lost.settlement, lost.total) == (False, (0, 0, 0), scored.total)
    assert lost.reason is not None
    assert lost.reason.code == "xianggong"


def test_only_generals_and_too_few() -> None:
    hand = parsed(
        "吃(rA rK rB) 吃(yA yK yB) 吃(gR gN gC) 吃(wR wN wC) 吃(rP yP gP) 吃(rP yP wP) 吃(rR rN rC) 吃(yR yN yC) "
        "占(rA rA) 占(yA yA) rK yK !gK"
    )
    scored = scorer.score(hand)
    assert (scored.total, scored.wins) == (11, False)
    assert scored.reason is not None
    assert scored.reason.short == {"胡": 37}
    assert any("相公" in text for text in scored.warnings)


def test_warnings_name_their_cards() -> None:
    scored = scorer.score(parsed(D22.format("rR rR").replace("wK", "!wK")))
    notes = {note.code: note.cards for note in scored.notes}
    assert notes == {
        "passed": ("wK",),
        "call_triplets": ("gA", "yA", "wA"),
        "step_cars": ("rR", "rN", "rC"),
    }
    assert [note.code for note in scorer.score(parsed(D18)).notes] == ["no_winning_card", "call_triplets"]
    assert [note.code for note in scorer.score(parsed(D18), {}, {"winning_set": "hand"}).notes] == [
        "call_triplets"
    ]


def test_pairs_on_the_table_take_no_part() -> None:
    """D28, also for the pair that the winning card makes; in hand it counts by an option."""
    assert part("占(rR rR) rN rN rN rC rC") == 3
    assert part("rR rN rN rN rC rC !rR") == 3
    assert part("rR rR rN rN rN rC !rC") == 3
    hand = parsed("rR rN rN rN rC rC !rR")
    assert scorer.score_part(hand, {}, {"winning_set": "hand"}).total == 23
    assert part("占(rR rR) rR rR rN rN rC rC") == 10


@pytest.mark.parametrize(
    "meld", ["碰(rA rA rB)", "吃(rA rA rA)", "占(rA rA rA)", "楼(rA rA rA)", "吃(rK yK gK)", "吃(rA)", "子(rA rA)",
             "闹(rP yP gP wP)", "吃(rK rK)", "吃(rP yP)"]
)  # fmt: skip
def test_impossible_melds(meld: str) -> None:
    with pytest.raises(scorer.ScorerError) as caught:
        scorer.score_part(parsed(meld))
    assert caught.value.code == "impossible_meld"


@pytest.mark.parametrize(
    ("text", "kind", "total"),
    [("扛(rA rA rA rA)", "楼", 6), ("杠(rA rA rA rA)", "楼", 6), ("步(rA rA rA)", "碰", 1),
     ("嗲(rA rA)", "占", 0), ("吃(rK)", "吃", 1), ("吃(红卒 黄兵 绿卒 白卒)", "吃", 1)],
)  # fmt: skip
def test_synonyms(text: str, kind: str, total: int) -> None:
    scored = scorer.score_part(parsed(text))
    assert (scored.melds[0].kind, scored.total) == (kind, total)


@pytest.mark.parametrize("change", [" wA", ""])
def test_wrong_number_of_cards(change: str) -> None:
    text = D18 + change if change else D18.removesuffix(" wA")
    with pytest.raises(scorer.ScorerError) as caught:
        scorer.score(parsed(text))
    assert caught.value.code == "wrong_card_count"


def test_waits() -> None:
    hand = parsed(D18.removesuffix(" wA"))
    found = {wait.code: wait.score for wait in scorer.waits(hand).waits}
    assert found == {"wA": 253}


def test_piles() -> None:
    assert scorer.pile_kinds("guangshui", ["rA"] * 4) == ("楼", "闹")
    assert scorer.pile_kinds("guangshui", ["rA"] * 3) == ("碰", "子")
    assert scorer.pile_kinds("guangshui", ["rA", "rA"]) == ("占",)
    assert scorer.pile_kinds("guangshui", ["rP", "yP", "gP", "wP"]) == ("吃",)
    assert scorer.pile_kinds("guangshui", ["rK"]) == ("吃",)


def test_names_in_three_languages() -> None:
    names = [RULES.name, RULES.unit, *[kind.name for kind in RULES.kinds], *[row.name for row in RULES.table]]
    names += [option.label for option in RULES.options] + [fact.label for fact in RULES.facts]
    names += [fact.help for fact in RULES.facts] + [notice.text for notice in RULES.notices]
    for name in names:
        assert all(name.get(language).strip() for language in ("zh-Hans", "zh-Hant", "en"))
        assert name.en.isascii() or any(
            sign in name.en for sign in "楼牌车子胡将卒步清天地闹甲相公士马炮肥素"
        )
    assert all(row.clause.startswith("D") for row in RULES.table)
    assert all(option.clause.startswith("D") for option in RULES.options)


def test_decisions_have_options() -> None:
    """Every [D] of RULES 6.1 that changes a score."""
    clauses = {option.clause for option in RULES.options}
    assert clauses >= {f"D{n}" for n in (2, 5, 6, 7, 13, 14, 20, 22, 24, 26, 29, 30, 31, 32, 33, 34)}


def test_book_is_kept_per_options() -> None:
    options = check_options(RULES, {})
    assert book_for("guangshui", options) is book_for("guangshui", options)
    assert book_for("guangshui", options).parts
    assert not book_for("guangshui", check_options(RULES, {"four_is_out": False})).parts
