"""Kernels executed: against their prediction, and against bounds."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppnsim.errors import InputError
from ppnsim.opencl.design import applied, parse_design
from ppnsim.opencl.kernel import Block, BlockStep, KernelBranch, KernelLoop, executions
from ppnsim.opencl.laws import predict
from ppnsim.opencl.run import simulate
from tests.helpers.opencl_hierarchies import ADD, BOARD, kernel, shipped


@pytest.mark.parametrize(
    ("items", "executed"), [(1, 1_585_152), (16, 99_072), (64, 24_816), (128, 12_591), (192, 12_401)]
)
def test_execution_agrees_with_the_prediction_at_every_number_of_work_items(items: int, executed: int) -> None:
    given_kernel, board = shipped("vecadd", N=12288, W=items)
    assert executed == pytest.approx(float(predict(given_kernel, board).cycles), rel=0.03)
    assert simulate(given_kernel, board).cycles == executed


@pytest.mark.parametrize("design", ["baseline", "SM", "SM+UL8:k", "SM+CU2"])
def test_execution_agrees_with_the_prediction_of_the_matrix_product(design: str) -> None:
    given_kernel, board = shipped("mm", N=32, T=8)  # 16 work groups: both units get as many
    made = applied(given_kernel, parse_design(design))
    fill = 2 * board.latency + max(block.cycle for block, _ in made.blocks())
    assert abs(simulate(made, board).cycles - predict(made, board).cycles) < 0.03 * predict(made, board).cycles + fill


@settings(max_examples=40, deadline=None)
@given(
    items=st.integers(1, 80), trip=st.integers(1, 5), units=st.integers(1, 3), banks=st.integers(1, 3),
    along=st.booleans(), depth=st.integers(1, 3),
)  # fmt: skip
def test_no_execution_beats_pipelines_banks_or_one_work_item(
    items: int, trip: int, units: int, banks: int, along: bool, depth: int
) -> None:
    waits = [(f"l{number - 1}",) if number else () for number in range(depth)]
    near = ("items",) if along else ()
    steps = [BlockStep(name=f"l{n}", op="load", bytes=4, after=after, along=near) for n, after in enumerate(waits)]
    block = Block(name="b", steps=(*steps, BlockStep(name="s", op="fp_add", after=(f"l{depth - 1}",))), trip=trip)
    made, board = kernel(block, items=items, units=units), replace(BOARD, banks=banks)
    run = simulate(made, board)
    # A work item may join a transaction that others have issued, and then waits for less than the latency.
    alone = trip * (7 if along else depth * board.latency + 7)
    groups = [sum(item // 64 % units == unit for item in range(items)) for unit in range(units)]
    assert run.cycles >= max(alone, max(groups) * trip, -(-run.transactions // banks))
    assert run.executions == {"b": executions(made)} == {"b": items * trip}
    assert sum(run.busy) == run.transactions
    least = -(-items * trip // 16) if along else items * trip
    assert depth * least <= run.transactions + (depth * units if along else 0) <= depth * items * trip + depth * units
    assert simulate(made, board) == run


def test_one_work_item_goes_through_its_block_step_by_step() -> None:
    assert simulate(kernel(ADD, items=1), BOARD).cycles == 64 + 7 + 64


def test_a_slower_memory_and_fewer_outstanding_transactions_cost_cycles() -> None:
    load = Block(
        name="b", steps=(BlockStep(name="l", op="load", bytes=4), BlockStep(name="s", op="int_add", after=("l",)))
    )
    plain, slow, narrow = (
        simulate(kernel(load, items=500), board).cycles
        for board in (BOARD, replace(BOARD, latency=200), replace(BOARD, outstanding=4))
    )
    assert slow > plain
    assert narrow > 500 * 64 / 4 * 0.95


def test_a_unit_with_one_work_group_more_ends_later() -> None:
    even, odd = (simulate(kernel(ADD, items=items, units=2), BOARD).cycles for items in (8 * 64, 9 * 64))
    assert odd - even == 64


def test_a_branch_is_taken_by_its_share_and_counts_its_slower_side() -> None:
    long = Block(name="long", steps=(BlockStep(name="d", op="int_div"),), trip=4)
    short = Block(name="short", steps=(BlockStep(name="s", op="int_add"),))
    made = kernel(KernelBranch(name="b", then=(long,), otherwise=(short,), share=Fraction(1, 4)))
    assert simulate(made, BOARD).executions == {"long": 25 * 4, "short": 75}
    assert predict(made, BOARD).cycles == predict(made, BOARD).blocks["long"].cycles


def test_a_loop_of_several_blocks_pipelines_them() -> None:
    a, b = (Block(name=name, steps=(BlockStep(name="s", op=op),)) for name, op in (("a", "fp_add"), ("b", "fp_div")))
    told = predict(kernel(KernelLoop(name="l", trip=5, body=(a, b))), BOARD)
    one, two = (told.blocks[name].cycles for name in "ab")
    assert told.cycles == one + two + 4 * max(one, two)


def test_what_is_too_long_to_execute_is_refused_with_its_size() -> None:
    with pytest.raises(InputError, match=r"executes 8,594,128,896 blocks \(up to 2,000,000 are simulated\)"):
        simulate(*shipped("mm"))
