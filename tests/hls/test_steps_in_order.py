"""Steps of tasks are put in order one by one only where that fits into memory."""

import random

import pytest

from ppnsim.hls.region.refusals import NoNetwork
from ppnsim.hls.region.steps import MOST_STEPS, in_order
from ppnsim.model.step_lists import Entry, Nest, StepList


def test_more_steps_than_fit_into_memory_are_refused_before_they_are_written_down() -> None:
    overlapping, in_turn = ((Nest(times=MOST_STEPS, every=every, of=((0, 3, 4),)),) for every in (2, 12))
    with pytest.raises(NoNetwork, match="come at 536,870,912 steps that overlap: only 134,217,728 are put in order"):
        in_order(overlapping)
    assert in_order(in_turn) == in_turn


def test_only_what_overlaps_is_put_in_order_one_by_one() -> None:
    long = Nest(28_224, 746, (Nest(24, 31, ((75_272, 1, 24),)),))
    assert in_order((long, (1, 1, 75_264), (1, 1, 216)), distinct=True) == ((1, 1, 75_264), long)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("distinct", [False, True])
def test_steps_in_order_are_the_same_steps(seed: int, *, distinct: bool) -> None:
    draw = random.Random(seed)
    entries: list[Entry] = [draw.randrange(60) for _ in range(4)]
    entries += [(draw.randrange(60), draw.randrange(4), draw.randrange(1, 6)) for _ in range(3)]
    entries += [Nest(draw.randrange(1, 4), draw.randrange(9), tuple(draw.sample(entries, 2))) for _ in range(2)]
    draw.shuffle(entries)
    values = StepList(tuple(entries)).expand().tolist()
    found = StepList(in_order(tuple(entries), distinct=distinct)).expand().tolist()
    assert found == sorted(set(values) if distinct else values)
