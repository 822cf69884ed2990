"""Steps of tasks are put in order one by one only where that fits into memory."""

import pytest

from ppnsim.hls.region.refusals import NoNetwork
from ppnsim.hls.region.steps import MOST_STEPS, in_order
from ppnsim.model.step_lists import Nest


def test_more_steps_than_fit_into_memory_are_refused_before_they_are_written_down() -> None:
    overlapping, in_turn = ((Nest(times=MOST_STEPS, every=every, of=((0, 3, 4),)),) for every in (2, 12))
    with pytest.raises(NoNetwork, match="come at 536,870,912 steps that overlap: only 134,217,728 are put in order"):
        in_order(overlapping)
    assert in_order(in_turn) == in_turn
