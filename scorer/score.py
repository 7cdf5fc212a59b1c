"""Counting a hand: the best division, its lines, and who pays whom.

The best division comes first by: it wins, then what a loser pays, then the total (RULES Z1); each game's `ranking`
says these for a sum of features. Ties go to fewer melds, then to the smaller sorted list of melds.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import itemgetter
from types import MappingProxyType
from typing import Any

from scorer.book import Unit
from scorer.bound import best_two
from scorer.case import Case, Division, Problem, melds_of, open_case
from scorer.divide import Memo, divisions, tie_order
from scorer.facts import check_facts, check_options
from scorer.games import DividedGame, book_for, divided_game, game_for, solving_game
from scorer.hand import Hand, write_hand
from scorer.pay import step_json
from scorer.rules import rule_set
from scorer.tally import Line, Score

__all__ = ["Line", "Score", "score", "score_json", "score_part"]

_NONE: Mapping[str, object] = MappingProxyType({})


def score(hand: Hand, facts: Mapping[str, object] = _NONE, options: Mapping[str, object] = _NONE) -> Score:
    """Count a whole hand in its best way.

    Raises
    ------
    ScorerError
        One subclass per cause, in the order of RULES Z4.

    >>> from scorer.hand import parse_hand
    >>> hand = parse_hand("rK rA rB rR rN rC rP yP gP yN yN yN gK gA gA wB wB wR wR wC wC", "shihu")
    >>> best = score(hand)
    >>> best.total, best.wins, best.settlement
    (10, True, (3, -1, -1, -1))
    """
    case = make_case(hand, facts, options, part=False)
    game_for(hand.rules).check(case)
    return _count(case)


def score_part(
    hand: Hand, facts: Mapping[str, object] = _NONE, options: Mapping[str, object] = _NONE
) -> Score:
    """Count part of a hand: units and points only, no count of cards, no win (RULES Z7).

    >>> from scorer.hand import parse_hand
    >>> score_part(parse_hand("rK rK rK rK rA rB", "shihu")).total
    5
    """
    return _count(make_case(hand, facts, options, part=True))


def make_case(hand: Hand, facts: Mapping[str, object], options: Mapping[str, object], part: bool) -> Case:
    """Check facts, options and cards of a hand."""
    rules = rule_set(hand.rules)
    known = check_facts(rules, facts)
    chosen = check_options(rules, options)
    return open_case(rules, book_for(hand.rules, chosen), hand, known, chosen, part)


def _count(case: Case) -> Score:
    game = game_for(case.rules.id)
    divided = divided_game(case.rules.id)
    division, runner_up = _best(case, divided) if divided else solving_game(case.rules.id).best(case)
    count = game.undivided(case) if division is None else game.count(case, division)
    melds = count.melds
    if melds is None:
        melds = () if division is None else melds_of(case, division)
    return Score(
        hand=case.hand,
        total=count.total,
        unit=case.rules.unit.hans,
        lines=count.lines,
        melds=melds,
        wins=count.wins,
        fault=count.fault,
        factor=count.factor,
        detail=count.detail,
        reason=count.reason,
        runner_up=runner_up,
        settlement=count.changes,
        notes=count.notes,
        payment=count.payment,
    )


# A way to divide the cards of a problem: its rank, the problem, places of the units, id of the closed one.
_Candidate = tuple[tuple[int, ...], Problem, tuple[int, ...], int]


def _tie(candidate: _Candidate) -> tuple[int, tuple[int, ...]]:
    """Return the place of the whole division, fixed melds included, in the order of ties."""
    _, problem, places, _ = candidate
    return tie_order((*[unit.place for unit in problem.fixed], *places))


def _best(case: Case, game: DividedGame) -> tuple[Division | None, int | None]:
    """Return the best division of all problems, and the runner-up's total."""
    found = _candidates(case, game)
    if not found:
        return None, None
    if len(found) == 1:
        return _division(case, found[0]), None
    found.sort(key=itemgetter(0), reverse=True)
    best = found[0]
    if found[1][0] == best[0]:
        best = min([each for each in found if each[0] == best[0]], key=lambda each: (_tie(each), each[3]))
    first = _tie(best)
    for each in found:
        if each is not best and _tie(each) != first:
            return _division(case, best), each[0][-1]
    return _division(case, best), None


def _candidates(case: Case, game: DividedGame) -> list[_Candidate]:
    rank = game.ranking(case)
    memo: Memo = {}
    found = []
    for problem in game.problems(case):
        book = problem.book or case.book
        room = case.room if book.stands and problem.loose >> book.wild_shift else 0
        closing = _closing(case, problem, game) if problem.winning else None
        if closing is not None and not closing:
            continue
        fixed = sum([unit.feature for unit in problem.fixed])
        if book.parts:
            two = best_two(book, problem.loose, closing, fixed, rank)
            found += [(worth, problem, places, closed) for worth, (_, places, closed) in two]
            continue
        own_memo = memo if book is case.book else None
        for feature, places, closed in divisions(book, problem.loose, closing, room, own_memo):
            worth = rank(fixed + feature)
            if worth:
                found.append((worth, problem, places, closed))
    return found


def _closing(case: Case, problem: Problem, game: DividedGame) -> list[tuple[Unit, Unit]]:
    """Return the free units that the winning card can close, with what each becomes."""
    book = case.book
    guard = book.guard
    guarded = problem.loose | guard
    units = book.holding[book.weight[case.hand.winning or ""]]
    return [
        (unit, closed)
        for unit in units
        if guarded - unit.need & guard == guard
        for closed in game.closing(case, unit)
    ]


def _division(case: Case, best: _Candidate) -> Division:
    book = case.book
    _, problem, places, number = best
    closed = book.units[number] if number >= 0 else None
    units = []
    waiting = closed
    for place in sorted(places):
        if waiting is not None and place == waiting.place:
            units.append(waiting)
            waiting = None
        else:
            units.append(book.free[place])
    return Division(problem.fixed, tuple(units), closed)


def score_json(scored: Score) -> dict[str, Any]:
    """Return a score as plain data for JSON (DESIGN section 3)."""
    reason, rules = scored.reason, rule_set(scored.hand.rules)
    return {
        "rules": scored.hand.rules,
        "wins": scored.wins,
        "fault": scored.fault,
        "total": scored.total,
        "unit": scored.unit,
        "lines": [
            {
                "name": line.name,
                "points": line.points,
                "times": line.times,
                "cards": list(line.cards),
                "clause": line.clause,
            }
            for line in scored.lines
        ],
        "melds": [
            {"kind": meld.kind, "cards": list(meld.cards), "shown": meld.shown} for meld in scored.melds
        ],
        "factor": scored.factor,
        "detail": dict(scored.detail),
        "reason": reason and {"code": reason.code, "message": reason.message, "short": dict(reason.short)},
        "runner_up": scored.runner_up,
        "settlement": list(scored.settlement),
        "payment": [step_json(rules, step) for step in scored.payment],
        "warnings": list(scored.warnings),
        "hand": write_hand(scored.hand),
    }
