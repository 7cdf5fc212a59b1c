"""`paiyan score`, `waits`, `rules` and `decks`."""

from __future__ import annotations

from pathlib import Path

import pytest

import scorer
from tests.cli.photos import E_02, FakeReader, run
from webui.commands.options import DECKS, RULES

A_14B = "3-3 3-3 3-3 3-3 1-1 6-6 1-2 5-6 1-3 5-5 1-4 4-5 1-6 2-5 2-2 2-3 1-5 2-4 1-1 1-2"

Capture = pytest.CaptureFixture[str]


def test_help_names_the_rule_sets_and_decks_that_there_are() -> None:
    assert set(scorer.rule_ids()) <= set(RULES)
    assert ("auto", *scorer.deck_ids()) == DECKS


def test_score_of_a_hand_in_writing(capsys: Capture) -> None:
    answer = run(capsys, "score", "--rules", "shihu", "--hand", E_02, "--json")
    assert answer.status == 0
    assert answer.json == scorer.score_json(scorer.score(scorer.parse_hand(E_02, "shihu")))
    assert (answer.json["total"], answer.json["wins"], answer.json["settlement"]) == (
        10,
        True,
        [3, -1, -1, -1],
    )


def test_score_as_text_adds_up(capsys: Capture) -> None:
    answer = run(capsys, "score", "--rules", "shihu", "--hand", E_02)
    assert answer.out.startswith("十胡: 10 胡")
    assert "pays: seat 0 +3, seat 1 -1, seat 2 -1, seat 3 -1" in answer.out
    assert "红将 红士 红象" in answer.out


def test_score_counts_the_same_cards_once(capsys: Capture, reader: FakeReader, photo: Path) -> None:
    hand, other = str(photo / "hand.jpg"), str(photo / "numbers.jpg")
    answer = run(capsys, "score", "--same", hand, hand, "--rules", "shihu", "--json")
    assert answer.json["total"] == 10
    answer = run(capsys, "score", "--same", hand, other, "--rules", "shihu", "--json")
    assert (answer.status, answer.json["error"]["code"]) == (2, "not_the_same")


def test_score_of_photos_is_that_of_the_hand(capsys: Capture, reader: FakeReader, photo: Path) -> None:
    answer = run(capsys, "score", str(photo / "hand.jpg"), "--rules", "shihu", "--json")
    assert answer.json["hand"] == scorer.write_hand(scorer.parse_hand(E_02, "shihu"))
    assert answer.json["total"] == 10
    assert reader.asked == [(str(photo / "hand.jpg"), "sise", "auto")]


def test_table_photo_fixes_its_melds(capsys: Capture, reader: FakeReader, photo: Path) -> None:
    """RULES E-03: the yellow horses on the table are worth 1 instead of 3."""
    words = ("--table", str(photo / "horses.jpg"), str(photo / "rest.jpg"))
    answer = run(capsys, "score", "--rules", "shihu", "--json", *words)
    assert answer.json["hand"].startswith("碰(yN yN yN)")
    assert (answer.json["total"], answer.json["fault"]) == (8, True)


def test_winning_card_by_name(capsys: Capture, reader: FakeReader, photo: Path) -> None:
    photographed = run(
        capsys, "score", str(photo / "hand.jpg"), "--rules", "shihu", "--win", "白炮", "--json"
    )
    written = run(capsys, "score", "--hand", E_02, "--rules", "shihu", "--win", "wC", "--json")
    assert photographed.json["hand"].endswith("!wC")
    assert photographed.json == written.json


def test_doubtful_cards_are_named(capsys: Capture, reader: FakeReader, photo: Path) -> None:
    answer = run(capsys, "score", str(photo / "doubt.jpg"), "--rules", "shihu", "--json")
    assert answer.json["warnings"][-1] == f"look again at 绿将 in {photo / 'doubt.jpg'}"


def test_facts_and_options_reach_the_scorer(capsys: Capture) -> None:
    answer = run(capsys, "score", "--rules", "shihu", "--hand", E_02, "--fact", "seats=3", "--json")
    assert len(answer.json["settlement"]) == 3


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--hand", "rK xx"), "unknown_card"),
        (("--hand", "碰(rR"), "bad_notation"),
        (("--hand", "坎(rR rR rR)"), "unknown_kind"),
        (("--hand", " ".join(["rK"] * 5)), "too_many_copies"),
        (("--hand", "rK rA rB"), "wrong_card_count"),
        (("--hand", E_02, "--fact", "moon"), "unknown_fact"),
        (("--hand", E_02, "--fact", "seats=9"), "bad_fact"),
        (("--hand", E_02, "--option", "moon=1"), "unknown_option"),
        (("--hand", E_02, "--fact", "seats=3", "--fact", "seats=4"), "usage"),
        (("--hand", E_02, "--fact", "=3"), "usage"),
        (("--hand", E_02, "--win", "yK"), "usage"),
        (("--hand", E_02, "--win", "rK rA"), "usage"),
        (("--hand", E_02.removesuffix("wC") + "!wC", "--win", "rK"), "usage"),
        ((), "usage"),
        (("--nonsense",), "usage"),
    ],
)
def test_each_error_is_one_sentence_and_one_object(
    capsys: Capture, words: tuple[str, ...], code: str
) -> None:
    plain = run(capsys, "score", "--rules", "shihu", *words)
    assert plain.status == 2
    assert plain.out == ""
    assert plain.err.startswith("paiyan: ")
    assert len(plain.err.splitlines()) == 1
    as_json = run(capsys, "score", "--rules", "shihu", *words, "--json")
    assert as_json.status == 2
    assert set(as_json.json) == {"error"}
    assert as_json.json["error"]["code"] == code
    assert as_json.err == plain.err


def test_cards_and_lines_are_named_in_the_language_that_is_asked_for(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAIYAN_LANGUAGE", "vi")
    hand = "rK rA rB rR rC rN rP gP yP gA gA wB wB wR wR wC wC khạp(mã vàng x3) !mã vàng"
    text = run(capsys, "score", "--rules", "tusac", "--hand", hand).out
    assert "12 lệnh" in text
    assert "mã vàng, mã vàng, mã vàng, mã vàng" in text
    assert "bốn lá" not in text
    assert "xe đỏ" in run(capsys, "decks", "sise").out
    assert "Bài tứ sắc" in run(capsys, "rules", "tusac").out
    monkeypatch.setenv("PAIYAN_LANGUAGE", "xx")
    assert "黄马" in run(capsys, "decks", "sise").out


def test_unknown_rules(capsys: Capture) -> None:
    answer = run(capsys, "score", "--rules", "mahjong", "--hand", E_02, "--json")
    assert (answer.status, answer.json["error"]["code"]) == (2, "unknown_rules")


def test_photos_without_cards_are_no_hand(capsys: Capture, reader: FakeReader, photo: Path) -> None:
    answer = run(capsys, "score", str(photo / "nothing.jpg"), "--rules", "shihu", "--json")
    assert (answer.status, answer.json["error"]["code"]) == (2, "no_cards")


def test_a_photo_that_fails_is_no_hand(capsys: Capture, reader: FakeReader, photo: Path) -> None:
    answer = run(
        capsys, "score", str(photo / "hand.jpg"), str(photo / "text.jpg"), "--rules", "shihu", "--json"
    )
    assert (answer.status, answer.json["error"]["code"]) == (2, "not_an_image")


def test_before_play(capsys: Capture) -> None:
    """RULES A-14b: six 卯, and the four alike stand in for the seventh."""
    words = ("score", "--rules", "yaodiren", "--before-play", "--hand", A_14B)
    answer = run(capsys, *words, "--json")
    assert answer.status == 0
    assert answer.json == scorer.qualification_json(scorer.qualification(A_14B.split()))
    assert answer.json["supports"] == [["3-3"] * 4]
    text = run(capsys, *words).out
    assert text.startswith("幺地人: may not play: 9 陀 short")
    assert "地牌 天牌 | 丁丁 斧头" in text
    assert "长三 长三 长三 长三" in text
    dealer = run(capsys, *words, "--fact", "dealer", "--json")
    assert (dealer.json["need"], dealer.json["reasons"][-1]["short"]) == (34, {"陀": 10})


@pytest.mark.parametrize(
    ("rules", "hand", "code"),
    [
        ("shihu", E_02, "not_dealt"),
        ("yaodiren", f"碰(4-4 4-4 4-4) {A_14B}", "not_dealt"),
        ("yaodiren", f"{A_14B} !2-6", "not_dealt"),
        ("yaodiren", A_14B.removesuffix("1-2"), "wrong_card_count"),
    ],
)
def test_a_hand_that_is_not_just_dealt(capsys: Capture, rules: str, hand: str, code: str) -> None:
    answer = run(capsys, "score", "--rules", rules, "--before-play", "--hand", hand, "--json")
    assert (answer.status, answer.json["error"]["code"]) == (2, code)


def test_waits(capsys: Capture) -> None:
    short = E_02.removesuffix(" wC")
    answer = run(capsys, "waits", "--rules", "shihu", "--hand", short, "--json")
    assert answer.status == 0
    assert answer.json == scorer.waits_json(scorer.waits(scorer.parse_hand(short, "shihu"), {}, {}))
    assert "wC" in {wait["code"] for wait in answer.json["waits"]}
    text = run(capsys, "waits", "--rules", "shihu", "--hand", short)
    assert text.out.startswith("十胡: ")
    assert "白包" in text.out or "白炮" in text.out


def test_rules_and_decks(capsys: Capture) -> None:
    assert [one["rules"] for one in run(capsys, "rules", "--json").json] == list(scorer.rule_ids())
    assert run(capsys, "rules", "shihu", "--json").json == scorer.describe_rules("shihu")
    assert "十胡 (shihu" in run(capsys, "rules", "shihu").out
    assert [one["deck"] for one in run(capsys, "decks", "--json").json] == list(scorer.deck_ids())
    assert run(capsys, "decks", "sise", "--json").json == scorer.describe_deck("sise")
    listed = run(capsys, "decks", "sise").out
    assert all(face.code in listed and face.name.hans in listed for face in scorer.deck("sise").faces)
    assert run(capsys, "decks", "tarot").status == 2


def test_listed_text_is_aligned(capsys: Capture) -> None:
    lines = run(capsys, "decks", "zipai").out.splitlines()[1:]
    from webui.commands.terminal import width

    assert len({width(line) for line in lines}) == 1
