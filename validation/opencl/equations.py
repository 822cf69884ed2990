"""Rows: every equation on an example that is worked out by hand in the row."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from ppnsim.opencl.counts import burst, counts, instructions
from ppnsim.opencl.files.board import opencl_board
from ppnsim.opencl.kernel import Block, BlockStep, Kernel, KernelBranch, KernelLoop
from ppnsim.opencl.laws import potentials, predict
from validation.harness.rows import Expected, Row

_BOARD = opencl_board()  # 2 banks, 64 bytes, 64 cycles
Worked = tuple[str, str, str, Fraction | int, Expected | None]  # equation, example, printed, ours, why not


def count_rows() -> list[Row]:
    """Return Eq. 1-5: a loop unrolled by 2 with SIMD 2, so f = 4; 4 bytes each, a with neighbours and b without."""
    a = BlockStep(name="a", op="load", bytes=4, along=("items",), contiguous=2)
    b = BlockStep(name="b", op="load", bytes=4, copies=2)
    found = counts(Block(name="ab", steps=(a, b)), simd=2, width=64)
    whole = BlockStep(name="a", op="load", bytes=4, contiguous=16)
    printed_burst = (burst(a, simd=2, width=64) + burst(b, simd=2, width=64)) / found.insts
    mean = Expected(
        ours=Fraction(140, 83),
        why="the printed sum runs over accesses and is divided by instructions, so that copies without neighbours pull "
        "it below 1 and unrolling them would double their transactions; ours weighs each burst by its instructions",
    )
    apart = Block(name="ab", steps=(replace(a, contiguous=1), replace(b, copies=1)))
    each = Expected(
        ours=Fraction(17, 16),
        why="a mean burst lets the coalesced load make up for the other's transactions; ours divides each instruction "
        "by its own burst, 1/16 + 1",
    )
    sixteen = Expected(ours=Fraction(31, 16), why="Eq. 2 counts the first copy whole and 15/16 more; 6.3.1 says one")
    return _rows(
        "counts, Eq. 1-5: f = UL 2 x SIMD 2, loads of 4 bytes, a coalesced, b not",
        [
            ("Eq. 2", "a: 1 + 4 (4 - 1) / 64", "19/16", instructions(a, simd=2, width=64), None),
            ("Eq. 2", "b: f", "4", instructions(b, simd=2, width=64), None),
            ("Eq. 1", "19/16 + 4", "83/16", found.insts, None),
            ("Eq. 3", "4 (4 + 4) / (83/16)", "512/83", found.bytes, None),
            ("Eq. 4", "a: 64 / (4 x 4)", "4", burst(a, simd=2, width=64), None),
            ("Eq. 4", "b: 1", "1", burst(b, simd=2, width=64), None),
            ("Eq. 5", "to the letter: (4 + 1) / (83/16)", "80/83", printed_burst, None),
            ("Eq. 5", "as used: (19/16 x 4 + 4 x 1) / (83/16)", "80/83", found.burst, mean),
            (
                "Eq. 14", "f = 1, per work item: 2 / ((16 + 1) / 2)", "4/17",
                counts(apart, simd=1, width=64).transactions, each,
            ),
            ("6.3.1", "16 neighbours are one load of 64", "1", instructions(whole, simd=1, width=64), sixteen),
        ],
    )  # fmt: skip


def block_rows() -> list[Row]:
    """Return Eq. 6 and 10-19, 23, 24: two loads, fp_mul, fp_add, executed twice by 1000 or by 10 work items."""
    steps = (
        BlockStep(name="a", op="load", bytes=4), BlockStep(name="b", op="load", bytes=4),
        BlockStep(name="m", op="fp_mul", after=("a", "b")), BlockStep(name="s", op="fp_add", after=("m",)),
    )  # fmt: skip
    kernel = Kernel(name="f", work_items=1000, body=(Block(name="k", steps=steps, trip=2),))
    many = replace(predict(kernel, _BOARD), frequency=Fraction(200))
    few = predict(replace(kernel, work_items=10), _BOARD)
    full, short = many.blocks["k"], few.blocks["k"]
    left = potentials(few, _BOARD)
    printed_itpp = 1 - min(short.computation_least, short.memory_least) / short.cycles
    smaller = Expected(
        ours=Fraction(273, 304),
        why="to the letter B_itpp is large wherever computation and memory differ, also with work items enough; what "
        "the text describes is the time above both minima, the smaller difference",
    )
    return _rows(
        "a block, Eq. 6, 10-19, 23-24: two loads that are not coalesced, fp_mul, fp_add; trip 2",
        [
            ("3.2", "#Cycle by Table 2: 5 + 7", "12", full.cycle, None),
            ("Eq. 11", "1000 x 2 / 1 + 12 - 1", "2011", full.computation_least, None),
            ("Eq. 18", "1000 x (12 x 2) / (12 x 2 + 64 x 2)", "3000/19", full.items, None),
            ("Eq. 19", "1000 x (64 x 2) / (12 x 2 + 64 x 2)", "16000/19", many.items, None),
            ("Eq. 12", "12 / (3000/19) < 1: 2011", "2011", full.computation, None),
            ("Eq. 14", "2 x 1000 x 2 / 1", "4000", full.transactions, None),
            ("Eq. 15, 16", "min(2, 16000/19 / 64)", "2", many.served, None),
            ("Eq. 17", "2 x 1, the only block", "2", full.served, None),
            ("Eq. 13", "4000 / 2", "2000", full.memory, None),
            ("Eq. 10", "max(2011, 2000)", "2011", full.cycles, None),
            ("Eq. 6", "2011 / 200 MHz, in ns", "10055", many.seconds * 10**9, None),
            ("Eq. 11", "10 work items: 10 x 2 + 12 - 1", "31", short.computation_least, None),
            ("Eq. 18", "10 work items: 30/19", "30/19", short.items, None),
            ("Eq. 12", "31 x 12 / (30/19)", "1178/5", short.computation, None),
            ("Eq. 16", "(160/19) / 64", "5/38", few.served, None),
            ("Eq. 13", "40 / (5/38)", "304", short.memory, None),
            ("Eq. 24", "40 / 2 x 1", "20", short.memory_least, None),
            ("Eq. 23", "to the letter: max((304 - 31) / 304, (304 - 20) / 304)", "284/304", printed_itpp, None),
            ("Eq. 23", "as used: the smaller one", "284/304", left.itpp, smaller),
        ],
    )  # fmt: skip


def node_rows() -> list[Row]:
    """Return Eq. 7-9 and 20-22: a loop of three over two blocks, beside a branch; 100 work items."""
    a = Block(name="a", steps=(BlockStep(name="s", op="fp_add"),))
    b = Block(name="b", steps=(BlockStep(name="s", op="fp_div"),))
    loop = KernelLoop(name="l", trip=3, body=(a, b))
    told = predict(Kernel(name="f", work_items=100, body=(loop,)), _BOARD)
    c = Block(name="c", steps=(BlockStep(name="s", op="int_div"),), trip=4)
    branch = KernelBranch(name="i", then=(a,), otherwise=(b,))
    split = predict(Kernel(name="f", work_items=100, body=(branch,)), _BOARD)
    both = predict(Kernel(name="f", work_items=100, body=(replace(loop), c)), _BOARD)
    used = replace(told, utilisation=(Fraction(1, 2), Fraction(2, 5), Fraction(3, 4)))
    add = tuple(BlockStep(name=name, op="load", bytes=4, along=("items",)) for name in "abc")
    vector = predict(Kernel(name="v", work_items=100, body=(Block(name="v", steps=add),)), _BOARD)
    return _rows(
        "nodes and potentials, Eq. 7-9, 20-22: loop of 3 over blocks of fp_add and fp_div, 100 work items",
        [
            ("Eq. 11", "fp_add: 100 + 7 - 1", "106", told.blocks["a"].cycles, None),
            ("Eq. 11", "fp_div: 100 + 14 - 1", "113", told.blocks["b"].cycles, None),
            ("Eq. 9", "(106 + 113) + (3 - 1) x 113", "445", told.cycles, None),
            ("Eq. 8", "a branch of the two: max(106, 113)", "113", split.cycles, None),
            ("Eq. 7", "the loop, then int_div 4 times: max(445, 400 + 32 - 1)", "445", both.cycles, None),
            ("Eq. 20", "U 0.5, 0.4, 0.75: min(0.5/0.83, 0.6/0.89, 0.25/1)", "1/4", potentials(used, _BOARD).comp, None),
            ("Eq. 21", "three loads of VecAdd: 1 - 4 x 3 x 16 / (64 x 3)", "0", potentials(vector, _BOARD).mem, None),
            ("Eq. 22", "(3 x 113 - 3 x 106) / (3 x 113)", "7/113", potentials(told, _BOARD).balance, None),
        ],
    )  # fmt: skip


def _rows(group: str, worked: Iterable[Worked]) -> list[Row]:
    return [
        Row(
            group=group, what=f"{equation}: {example}", source=f"by hand, {equation}", printed=printed, ours=ours,
            explained=explained,
        )
        for equation, example, printed, ours, explained in worked
    ]  # fmt: skip
