"""A short run of `make kill-test`, and its own oracle."""

import pytest

from tests.kill_test import Deed, replay, run


@pytest.mark.slow
def test_a_server_killed_a_few_times_loses_and_doubles_nothing() -> None:
    assert run(kills=3, limit_s=120, seed=7, tell=False) > 0


def test_the_replay_goes_back_and_forth() -> None:
    add = {2: Deed("add", 0, (3, -3)), 3: Deed("add", 0, (-1, 1)), 4: Deed("edit", 2, (5, -5))}
    assert replay(add) == (4, -4)
    assert replay({**add, 5: Deed("undo", 4)}) == (2, -2)
    assert replay({**add, 5: Deed("undo", 4), 6: Deed("redo", 4), 7: Deed("delete", 3)}) == (5, -5)
