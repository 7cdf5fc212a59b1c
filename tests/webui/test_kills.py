"""A short run of `make kill-test`, and its own oracle."""

import pytest

from tests.kill_test import Deed, replay, run


def totals(deeds: dict[int, Deed]) -> list[tuple[int, int]]:
    return replay(deeds, people=2).standings()


@pytest.mark.slow
def test_a_server_killed_a_few_times_loses_and_doubles_nothing() -> None:
    assert sum(run(kills=3, limit_s=120, seed=7, tell=False).values()) > 0


def test_the_replay_goes_back_and_forth() -> None:
    add = {2: Deed("add", 0, (3, -3)), 3: Deed("add", 0, (-1, 1)), 4: Deed("edit", 2, (5, -5))}
    assert totals(add) == [(0, 4), (1, -4)]
    assert totals({**add, 5: Deed("undo", 4)}) == [(0, 2), (1, -2)]
    assert totals({**add, 5: Deed("undo", 4), 6: Deed("redo", 4), 7: Deed("delete", 3)}) == [(0, 5), (1, -5)]


def test_the_replay_moves_seats_and_seats_who_is_new() -> None:
    deeds = {2: Deed("add", 0, (3, -3)), 3: Deed("replace", 0, name="丙"), 4: Deed("seats", 1)}
    assert totals(deeds) == [(0, 3), (1, -3), (2, 0)]
    assert totals({**deeds, 5: Deed("seats", 0)}) == [(1, -3), (2, 0), (0, 3)]
    assert totals({**deeds, 5: Deed("undo", 4), 6: Deed("undo", 3)}) == [(0, 3), (1, -3)]
