"""Steps of tasks in few words: put in order one by one only where that fits into memory."""

import numpy as np
import pytest

from ppnsim.hls.region.refusals import NoNetwork
from ppnsim.hls.region.steps import MOST_STEPS, in_order
from ppnsim.model.step_lists import Nest, StepList


def test_steps_that_overlap_are_put_in_order() -> None:
    rows = (Nest(times=3, every=2, of=((0, 3, 4),)),)
    assert StepList(in_order(rows)).expand().tolist() == sorted(
        2 * row + 3 * step for row in range(3) for step in range(4)
    )
    distinct = StepList(in_order(rows, distinct=True)).expand()
    assert distinct.tolist() == np.unique([2 * row + 3 * step for row in range(3) for step in range(4)]).tolist()


def test_more_steps_than_fit_into_memory_are_refused_before_they_are_written_down() -> None:
    rows = (Nest(times=MOST_STEPS, every=2, of=((0, 3, 4),)),)
    with pytest.raises(NoNetwork, match="come at 536,870,912 steps that overlap: only 134,217,728 are put in order"):
        in_order(rows)
    in_turn = (Nest(times=MOST_STEPS, every=12, of=((0, 3, 4),)),)
    assert in_order(in_turn) == in_turn
