"""The evening as lines: everything of it lies within the drawing."""

import pytest

from webui.ledger.chart import DIGIT, chart


@pytest.mark.parametrize("won", [3, 150_000, 10**9])
def test_the_numbers_beside_the_lines_have_room(won: int) -> None:
    drawn = chart([[won, -won], [-2 * won, 2 * won]], 2)
    assert drawn
    longest = max(len(str(value)) for value, _ in drawn.heights)
    assert drawn.left - 5 - DIGIT * longest >= 0
    assert drawn.traces[0].points[0][0] == pytest.approx(drawn.left, abs=0.1)
    assert drawn.traces[0].points[-1][0] == pytest.approx(drawn.right, abs=0.1)
