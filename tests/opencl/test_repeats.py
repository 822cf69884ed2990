"""Iterations that an execution leaves out: what is counted is what it counts one by one."""

from dataclasses import replace
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppnsim.errors import InputError
from ppnsim.opencl.kernel import Block, BlockStep, KernelLoop
from ppnsim.opencl.repeats import Repeats
from ppnsim.opencl.run import simulate
from tests.helpers.opencl_hierarchies import BOARD, kernel, shipped


@settings(max_examples=40, deadline=None)
@given(
    items=st.integers(1, 20), trips=st.lists(st.integers(1, 60), min_size=1, max_size=2), inner=st.integers(0, 2),
    units=st.integers(1, 2), banks=st.sampled_from([1, 2, 3, 64]), depth=st.integers(1, 2), latency=st.integers(1, 30),
    outstanding=st.sampled_from([1, 2, 5, 10**9]), bytes_=st.sampled_from([4, 8, 12]), near=st.booleans(),
)  # fmt: skip
def test_an_execution_without_its_repetitions_counts_what_the_whole_one_does(
    items: int, trips: list[int], inner: int, units: int, banks: int, depth: int, latency: int, outstanding: int,
    bytes_: int, near: bool,
) -> None:  # fmt: skip
    waits = [(f"l{number - 1}",) if number else () for number in range(depth)]
    along = ("items",) if near else ()
    steps = [
        BlockStep(name=f"l{n}", op="load", bytes=bytes_, after=after, along=along) for n, after in enumerate(waits)
    ]
    add = BlockStep(name="s", op="fp_add", after=(f"l{depth - 1}",))
    body = []
    for number, trip in enumerate(trips):
        block = Block(name=f"b{number}", steps=(*steps, add), trip=inner or trip)
        body.append(KernelLoop(name=f"k{number}", trip=trip, body=(block,)) if inner else block)
    made = kernel(*body, items=items, units=units)
    board = replace(BOARD, banks=banks, latency=latency, outstanding=outstanding)
    whole = simulate(made, board)
    with patch("ppnsim.opencl.run._QUICK", 0):
        assert simulate(made, board) == whole


def test_items_that_wait_for_a_slot_stand_elsewhere_than_those_that_compute() -> None:
    """With waits counted instead of places passed, two other states looked the same: 1027 cycles and 543 of b1."""
    blocks = [
        Block(name=f"b{n}", steps=(BlockStep(name="s", op=op),), trip=2) for n, op in enumerate(("fp_mul", "int_mul"))
    ]
    made = kernel(KernelLoop(name="k", trip=60, body=tuple(blocks)), items=5)
    with patch("ppnsim.opencl.run._QUICK", 0):
        run = simulate(made, BOARD)
    assert (run.cycles, run.executions) == (1028, {"b0": 600, "b1": 600})
    assert run == simulate(made, BOARD)


def test_what_is_walked_is_limited_also_behind_a_loop_that_was_left_out() -> None:
    short = Block(name="a", steps=(BlockStep(name="s", op="int_add"),), trip=10_000)
    long = Block(name="b", steps=(BlockStep(name="s", op="int_add"),), trip=400)
    made = kernel(short, KernelLoop(name="k", trip=2, body=(long,)), items=1)
    with patch("ppnsim.opencl.run._QUICK", 1), patch("ppnsim.opencl.run.LARGEST", 500):
        with pytest.raises(InputError, match="executes 10,800 blocks"):
            simulate(made, BOARD)
        with pytest.raises(InputError, match="make it 3 times smaller"):  # at once: an iteration of k is too long
            simulate(kernel(KernelLoop(name="k", trip=2, body=(replace(long, trip=600),)), items=1), BOARD)


def test_long_loops_are_left_out_and_take_as_long_as_short_ones_say() -> None:
    """Iterations of the steady state take as long each: of a million as many more as of a few thousand."""
    looks = []
    with patch.object(Repeats, "_leave_out", autospec=True, side_effect=Repeats._leave_out) as left_out:
        for elements in (2**14, 2**15, 2**25):
            made, board = shipped("vecadd", N=elements, W=64)
            run = simulate(made, board)
            looks.append((elements, run.cycles, run.transactions))
    assert left_out.call_count >= 1
    (few, short, some), (more, longer, others), (most, whole, all_) = looks
    assert whole == longer + (most - more) // (more - few) * (longer - short)
    assert all_ == others + (most - more) // (more - few) * (others - some)


def test_kernels_that_cannot_repeat_are_still_refused_with_how_much_smaller() -> None:
    far = BlockStep(name="l", op="load", bytes=4)
    made = kernel(Block(name="b", steps=(far,), trip=100_000), items=64)
    with pytest.raises(InputError, match=r"executes 6,400,000 blocks .* make it 4 times smaller"):
        simulate(made, replace(BOARD, banks=2))
