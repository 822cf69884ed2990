"""Designs as text, and what each optimisation does to a kernel."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppnsim.errors import InputError
from ppnsim.opencl.counts import counts, instructions
from ppnsim.opencl.design import Design, applied, normal, parse_design
from ppnsim.opencl.kernel import Block, BlockStep, KernelLoop
from ppnsim.opencl.tune import look
from tests.helpers.opencl_hierarchies import ADD, kernel, shipped


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


def test_a_loop_is_unrolled_by_its_divisors_from_one_on() -> None:
    looped = kernel(KernelLoop(name="k", trip=8, body=(ADD,)))
    trips = [next(applied(looped, Design(unroll={"k": factor})).blocks())[0].trip for factor in (1, 2, 8)]
    assert trips == [8, 4, 1]
    for factor in (0, -1, 3, 16):
        with pytest.raises(InputError, match=rf"^loop 'k': unrolling 8 iterations by {factor} leaves a rest$"):
            applied(looped, Design(unroll={"k": factor}))


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


@pytest.mark.parametrize("text", ["baseline", "SM", "SM+MC+UL8:a+UL2:b+SIMD4+CU2", "VT+CU3"])
def test_designs_are_read_as_they_are_printed(text: str) -> None:
    assert str(parse_design(text)) == text


@pytest.mark.parametrize("text", ["", "UL8", "SIMD4:k", "SM SM", "UL:k", "FAST"])
def test_designs_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="is not an optimisation"):
        parse_design(text)


def test_factors_and_loops_of_a_design_are_checked() -> None:
    given_kernel, _ = shipped("mm")
    with pytest.raises(InputError, match=r"^loop 'k': unrolling 64 iterations by 7 leaves a rest"):
        applied(given_kernel, parse_design("UL7:k"))
    with pytest.raises(InputError, match=r"^no loop is called 'kk' to unroll"):
        applied(given_kernel, parse_design("UL8:kk"))
