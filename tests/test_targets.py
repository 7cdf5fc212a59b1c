"""What takes any bytes at all takes these: the seeds of `make fuzz` with parts changed, cut out, doubled, put in."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.hostile.fuzz import seeds
from tests.hostile.targets import TARGETS


@st.composite
def changed(draw: st.DrawFn, given_seeds: Sequence[bytes]) -> bytes:
    """A seed after up to four changes."""
    data = draw(st.sampled_from(given_seeds))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 40)))
        put = draw(
            st.binary(max_size=12) | st.just(data[start:end] * 2) | st.sampled_from([b"\xff" * 4, b"\0" * 8])
        )
        data = data[:start] + put + data[end:]
    return data


@pytest.mark.parametrize("target", sorted(TARGETS))
def test_whatever_is_changed_ends_in_a_value_or_a_sentence(target: str) -> None:
    known = seeds(target)

    @settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
    @given(changed(known))
    def try_one(data: bytes) -> None:
        TARGETS[target](data)

    try_one()
