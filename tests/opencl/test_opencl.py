"""OpenCL kernels: hierarchy and designs, prediction against execution, the advisor against all combinations."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppnsim.boards.board import OpenclBoard
from ppnsim.errors import InputError
from ppnsim.files import load_as
from ppnsim.opencl.block import Block, BlockStep
from ppnsim.opencl.combinations import combinations
from ppnsim.opencl.counts import counts, instructions
from ppnsim.opencl.design import Design, parse_design
from ppnsim.opencl.files.board import opencl_board
from ppnsim.opencl.files.kernel import OpenclFile
from ppnsim.opencl.files.toml import parse_opencl
from ppnsim.opencl.files.trip_counts import amount, trip_count
from ppnsim.opencl.kernel import Kernel, KernelBranch, KernelLoop, executions
from ppnsim.opencl.laws import predict
from ppnsim.opencl.merge import normal
from ppnsim.opencl.optimise import applied
from ppnsim.opencl.potentials import potentials
from ppnsim.opencl.predicted import look
from ppnsim.opencl.run import simulate
from ppnsim.opencl.tune import advise, tune

FOLDER = Path(__file__).parents[2] / "scenarios" / "opencl"
NAMES = sorted(path.stem for path in FOLDER.glob("*.toml"))
ADD = Block(
    name="add",
    steps=(
        BlockStep(name="a", op="load", bytes=4, along=("items",)),
        BlockStep(name="s", op="fp_add", after=("a",)),
        BlockStep(name="c", op="store", bytes=4, along=("items",), after=("s",)),
    ),
)
BOARD = opencl_board()


def kernel(*body: Any, items: int = 100, **more: Any) -> Kernel:
    return Kernel(name="f", work_items=items, body=body, **more)


def shipped(name: str, **parameters: int) -> tuple[Kernel, OpenclBoard]:
    held = load_as(FOLDER / f"{name}.toml", OpenclFile, settings=parameters)
    return held.kernel, held.board


@pytest.mark.parametrize("name", NAMES)
def test_the_advisor_never_takes_a_step_back_and_always_fits(name: str) -> None:
    path = list(tune(*shipped(name)))
    assert len(path) > 1
    for before, after in pairwise(path):
        assert after.seconds <= before.seconds * Fraction(101, 100)
        assert after.fits
        assert after.why.split()[0] in ("B_mem", "B_comp", "B_balance")
    assert path[-1].seconds < path[0].seconds / 8


@pytest.mark.parametrize("name", ["mm", "kmeans", "similarity"])
def test_the_path_ends_near_the_best_of_all_combinations(name: str) -> None:
    given_kernel, board = shipped(name)
    end = list(tune(given_kernel, board))[-1]
    best = min(
        (made for made in (look(given_kernel, board, design) for design in combinations(given_kernel)) if made.fits),
        key=lambda made: made.seconds,
    )
    assert best.seconds <= end.seconds <= best.seconds * Fraction(102, 100)


def test_the_matrix_product_is_tuned_in_the_order_of_the_paper() -> None:
    assert [str(step.design) for step in tune(*shipped("mm"))] == ["baseline", "SM", "SM+UL64:k", "SM+UL64:k+SIMD4"]


def test_random_access_is_why_the_matrix_product_is_slower_with_four_units() -> None:
    given_kernel, board = shipped("mm")
    plain, vendor = (look(given_kernel, board, parse_design(text)) for text in ("baseline", "SIMD2+CU4"))
    assert vendor.prediction.cycles == pytest.approx(float(plain.prediction.cycles), rel=0.01)
    assert vendor.prediction.frequency < plain.prediction.frequency * Fraction(3, 4)


@pytest.mark.parametrize("items", [1, 16, 64, 128, 192])
def test_execution_agrees_with_the_prediction_at_every_number_of_work_items(items: int) -> None:
    given_kernel, board = shipped("vecadd", N=12288, W=items)
    assert simulate(given_kernel, board).cycles == pytest.approx(float(predict(given_kernel, board).cycles), rel=0.03)


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


@given(st.integers(1, 6).map(lambda power: 2**power), st.sampled_from([1, 2, 4, 8]))
def test_neighbouring_copies_never_need_more_accesses_than_others(copies: int, size: int) -> None:
    near = BlockStep(name="a", op="load", bytes=size, contiguous=copies)
    far = BlockStep(name="a", op="load", bytes=size, copies=copies)
    assert instructions(near, simd=1, width=64) <= instructions(far, simd=1, width=64) == copies


def test_a_vector_type_divides_the_transactions_and_keeps_the_trips() -> None:
    given_kernel, board = shipped("similarity", D=8, F=64)
    plain, vectors = (next(applied(given_kernel, parse_design(text)).blocks())[0] for text in ("baseline", "VT"))
    before, after = (counts(block, simd=1, width=board.width) for block in (plain, vectors))
    assert vectors.trip == plain.trip
    assert after.transactions == before.transactions / 4
    assert after.bytes == 4 * before.bytes


def test_unrolling_an_inner_loop_completely_comes_before_unrolling_the_outer_one() -> None:
    given_kernel, board = shipped("kmeans")
    inner = look(given_kernel, board, parse_design("SM+UL8:feature+UL2:centre"))
    outer = look(given_kernel, board, parse_design("SM+UL2:feature+UL16:centre"))
    assert inner.seconds < outer.seconds
    assert len(outer.prediction.blocks) > len(inner.prediction.blocks)  # copies of the inner loop in sequence


def test_a_sum_in_an_unrolled_loop_is_a_chain() -> None:
    total = Block(name="b", steps=(BlockStep(name="s", op="fp_add", carried=True),))
    made = applied(kernel(KernelLoop(name="k", trip=8, body=(total,))), Design(unroll={"k": 4}))
    block, around = next(made.blocks())
    assert (block.trip, around, block.cycle) == (2, 1, 4 * 7)


def test_local_memory_moves_loads_out_of_the_loop() -> None:
    given_kernel, _ = shipped("mm")
    made = {block.name: block for block, _ in applied(given_kernel, parse_design("SM")).blocks()}
    assert not made["multiply"].accesses
    fills = [block for name, block in made.items() if name.startswith("fill ")]
    assert [block.trip for block in fills] == [2048 // 64] * 2
    assert all(counts(block, simd=1, width=64).burst == 16 for block in fills)


def test_merged_blocks_keep_their_own_steps() -> None:
    twice = normal((ADD, replace(ADD, name="again")))
    (block,) = twice
    assert isinstance(block, Block)
    assert len({step.name for step in block.steps}) == 6
    assert block.memory_depth == ADD.memory_depth  # side by side, not one after the other


def test_potentials_are_shares() -> None:
    for name in NAMES:
        for step in tune(*shipped(name)):
            assert all(0 <= value <= 1 for value in step.potentials.by_name().values()), (name, str(step.design))


def test_too_few_work_items_are_a_potential_and_enough_are_none() -> None:
    board = BOARD
    few, many = (potentials(predict(kernel(ADD, items=items), board), board).itpp for items in (10, 100_000))
    assert few > Fraction(9, 10)
    assert many == 0


def test_a_full_device_leaves_nothing_to_advise() -> None:
    given_kernel, board = shipped("mm")
    assert advise(given_kernel, board, look(given_kernel, board, parse_design("SM+UL64:k+SIMD4"))) is None


def test_a_kernel_that_branches_by_work_item_gets_no_lanes() -> None:
    given_kernel, board = shipped("kmeans")
    assert not any(step.design.simd > 1 for step in tune(given_kernel, board))
    with pytest.raises(InputError, match=r"^kernel 'K-means' branches by work item: no SIMD4"):
        applied(given_kernel, parse_design("SIMD4"))


@pytest.mark.parametrize("text", ["baseline", "SM", "SM+MC+UL8:a+UL2:b+SIMD4+CU2", "VT+CU3"])
def test_designs_are_read_as_they_are_printed(text: str) -> None:
    assert str(parse_design(text)) == text


@pytest.mark.parametrize("text", ["", "UL8", "SIMD4:k", "SM SM", "UL:k", "FAST"])
def test_designs_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="is not an optimisation"):
        parse_design(text)


@pytest.mark.parametrize(
    ("head", "count"),
    [
        ("k = 0; k < N; k += 1", 100), ("k = 0; k < N; k++", 100), ("int k = N; k > 0; k >>= 1", 7),
        ("k = 3; k <= N - 1; k += N / 3", 3), ("k = 0; k != 12; k += 3", 4), ("k = 5; k < 5; k += 1", 0),
    ],
)  # fmt: skip
def test_loop_heads_are_executed(head: str, count: int) -> None:
    assert trip_count(head, {"N": 100}, "loop 'k'") == count


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ("k = 0; k < N", "must be like"),
        ("k = 0; j < N; k += 1", "must be like"),
        ("k = 0; k < M; k += 1", "'M' names M, which is not a parameter"),
        ("k = 0; k < N; k += 0", "has not ended after 10,000,000 iterations"),
        ("k = 0; k < N; k -= 1", "has not ended after"),
        ("k = 1; k != 0; k *= 4", "is out of range"),
        ("k = 0; k < open('x'); k += 1", "has more in it than"),
    ],
)
def test_loop_heads_that_do_not_end_or_are_none_are_refused(head: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        trip_count(head, {"N": 100}, "loop 'k'")


def test_amounts_divide_by_nothing_but_numbers() -> None:
    with pytest.raises(InputError, match=r"^trip: 'N / 0' divides by 0"):
        amount("N / 0", {"N": 4}, where="trip")


def _with(step: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    block = {"block": "b", "step": {"s": step or {"op": "fp_add"}}}
    return {"work_items": 8, "body": [block], **more}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"body": []}, "work_items is missing"),
        ({"work_items": 8, "body": []}, "kernel 'kernel' has no block"),
        (_with(work_items=0), "kernel 'kernel': work_items = 0 (at least 1 is needed)"),
        (_with({"op": "fp_ad"}), "block 'b': step 's': 'fp_ad' is not an instruction (did you mean 'fp_add'?)"),
        (_with({"op": "load"}), "block 'b': step 's': bytes = 0 accesses nothing"),
        (_with({"op": "fp_add", "after": ["t"]}), "block 'b': step 's': after 't', which is not a step before it"),
        (_with({"op": "load", "bytes": 4, "along": ["item"]}), "'item' is not a loop (did you mean 'items'?)"),
        (_with({"op": "fp_add", "carried": 1}), "carried = 1 must be true or false"),
        (_with({"op": "fp_add", "reuse": 0}), "reuse and vector start at 1"),
        (_with(board={"latency": -3}), "board: latency = -3 is negative"),
        (_with(board={"available": [1, 1]}), "board: available = [1, 1] must be a list of 3 numbers"),
        (_with(board={"available": [0, 1, 1]}), "board: available must be three shares above 0"),
        (_with(board={"fastest": 0}), "board: clock and slowdown leave no clock above 0 MHz"),
        (_with(board={"latency": 0}), "board: latency = 0 (at least 1 is needed)"),
        (_with(board={"like": "de5nt"}), "board: no device 'de5nt' (did you mean 'de5net'?)"),
        (_with(parameters={"N": "four"}), "parameters.N = 'four' must be a whole number"),
        ({"work_items": 8, "body": [{"loop": "k", "body": []}]}, "loop 'k': give its trip count (trip) or its head"),
        ({"work_items": 8, "body": [{"loop": "k", "trip": "M"}]}, "loop 'k': trip = 'M' names M, which is not a"),
        ({"work_items": 8, "body": [{"lop": "k"}]}, "body[0] = {'lop': 'k'} must be one of block, loop, branch"),
        ({"work_items": 8, "body": [{"branch": "i", "share": 2}]}, "branch 'i': share = 2 must be a share from 0 to 1"),
        (
            {"work_items": 8, "body": [{"block": "b", "step": {"s": {"op": "branch"}}}] * 2},
            "two blocks or loops are called 'b'",
        ),
        (
            {"work_items": 8, "body": [{"loop": "k", "trip": 0, "body": [{"block": "b"}]}]},
            "loop 'k': trip = 0 executes nothing",
        ),
    ],
)  # fmt: skip
def test_files_that_break_a_rule_are_refused_by_its_name(data: Any, message: str) -> None:
    with pytest.raises(InputError) as told:
        parse_opencl(data)
    assert message in str(told.value)


def test_factors_and_loops_of_a_design_are_checked() -> None:
    given_kernel, _ = shipped("mm")
    with pytest.raises(InputError, match=r"^loop 'k': unrolling 64 iterations by 7 leaves a rest"):
        applied(given_kernel, parse_design("UL7:k"))
    with pytest.raises(InputError, match=r"^no loop is called 'kk' to unroll"):
        applied(given_kernel, parse_design("UL8:kk"))


def test_what_is_too_long_to_execute_is_refused_with_its_size() -> None:
    with pytest.raises(InputError, match=r"executes 8,594,128,896 blocks \(up to 2,000,000 are simulated\)"):
        simulate(*shipped("mm"))
