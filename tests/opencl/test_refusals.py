"""What OpenCL files and designs refuse, in whole sentences; what functions of a work item return, by dimension."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import prod
from pathlib import Path

import pytest

from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine
from ppnsim.opencl.design import Design, applied, parse_design
from ppnsim.opencl.files.amounts import amount, trip_count
from ppnsim.opencl.files.kernel import parse_opencl
from ppnsim.opencl.kernel import Block, BlockStep, Kernel, KernelLoop
from ppnsim.opencl.reader.hints import sizes_of
from ppnsim.opencl.reader.symbolic.ndrange import NDRange
from ppnsim.opencl.tune import combinations
from tests.helpers.opencl_kernels import kernel_of

LARGEST = 2**53
ADD = Block(name="sum", steps=(BlockStep(name="a", op="load", bytes=4, along=("k",)),))


def looped(trip: int = 32, *, vectorise: bool = True) -> Kernel:
    loop = KernelLoop(name="k", trip=trip, body=(ADD,))
    return Kernel(name="f", work_items=64, vectorise=vectorise, body=(loop,))


REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: amount(LARGEST + 1, {}), "9007199254740993 must be a whole number or an expression in parameters"),
    (lambda: amount(2.0, {}), "2.0 must be a whole number or an expression in parameters"),
    (lambda: amount("N +", {"N": 1}), "'N +' is not an expression of numbers and parameters"),
    (lambda: amount("N ** 2", {"N": 1}), "'N ** 2' has more in it than + - * / % << >> of numbers and parameters"),
    (lambda: amount("M", {"N": 1}), "'M' names M, which is not a parameter (known: N)"),
    (lambda: amount("1 >> -1", {}), "'1 >> -1' divides by 0 or shifts by less than 0"),
    (lambda: amount("1 << 54", {}), "'1 << 54' is out of range (up to 2**53)"),
    (lambda: amount("0 << 65", {}), "'0 << 65' is out of range (up to 2**53)"),
    (lambda: trip_count("k = 0; j < 4; k++", {}), "'k = 0; j < 4; k++' must be like 'k = 0; k < N; k += 1'"),
    (lambda: trip_count("k = 0; k < 4; k++ 2", {}), "'k = 0; k < 4; k++ 2' must be like 'k = 0; k < N; k += 1'"),
    (lambda: trip_count("k = 0; k < 4; k +=", {}), "'k = 0; k < 4; k +=' must be like 'k = 0; k < N; k += 1'"),
    (lambda: trip_count(7, {}), "7 must be like 'k = 0; k < N; k += 1'"),
    (lambda: parse_opencl({"work_items": 1, "body": [{"block": "", "step": {}}]}), "block '': block = '' must be a na"),
    (
        lambda: Block(name="b", steps=(BlockStep(name="s", op="fp_add"),) * 2).check(set()),
        "block 'b': step 's': is there twice (names are unique within a block)",
    ),
    (lambda: Block(name="b", steps=(), trip=0).check(set()), "block 'b': trip = 0 executes nothing (trip counts start"),
    (lambda: parse_design("SM+UL8"), "design 'SM+UL8': 'UL8' is not an optimisation (known: SM, MC, PM, VT, UL<factor"),
    (lambda: parse_design("SIMD4:k"), "design 'SIMD4:k': 'SIMD4:k' is not an optimisation (known: "),
    (lambda: applied(looped(), Design(flags=frozenset(["XX"]))), "'XX' is not an optimisation (known: MC, PM, SM, VT)"),
    (lambda: applied(looped(), Design(unroll={"l": 2})), "no loop is called 'l' to unroll (known: k)"),
    (lambda: applied(looped(), Design(unroll={"k": 3})), "loop 'k': unrolling 32 iterations by 3 leaves a rest"),
    (lambda: applied(looped(), Design(unroll={"k": 0})), "loop 'k': unrolling 32 iterations by 0 leaves a rest"),
    (lambda: applied(looped(), Design(simd=0)), "simd = 0 (at least 1 is needed)"),
    (lambda: applied(looped(), Design(units=0)), "units = 0 (at least 1 is needed)"),
    (
        lambda: applied(looped(vectorise=False), Design(simd=2)),
        "kernel 'f' branches by work item: no SIMD2 (vectorise = false)",
    ),
    (lambda: combinations(looped(), most=10), "kernel 'f' has "),
    (lambda: sizes_of([], "k.cl:1"), "k.cl:1: 0 sizes are given (one for each of up to three dimensions)"),
    (lambda: sizes_of([1] * 4, "k.cl:1"), "k.cl:1: 4 sizes are given (one for each of up to three dimensions)"),
    (lambda: NDRange((8,), (4, 2)).checked(), "the work group has 2 dimensions, the global size 1 (8 in groups of 4 x"),
    (lambda: NDRange((9, 4), (4, 2)).checked(), "the work group does not divide the global size (9 x 4 in groups of 4"),
    (
        lambda: NDRange((8,)).function("get_local_id", 0),
        "get_local_id needs the size of a work group: give --local N[,N[,N]], or reqd_work_group_size in the source",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("work", "words"), REFUSED, ids=[words for _, words in REFUSED])
def test_what_breaks_a_rule_is_refused_in_a_sentence(work: Callable[[], object], words: str) -> None:
    with pytest.raises(InputError) as error:
        work()
    assert str(error.value).startswith(words)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("\n#pragma ppnsim tripcount(min=2)\nfor (int i = c[0]; i < 9; i++) a[i] = 1;", "tripcount(min=2) needs avg o"),
        ("\n#pragma ppnsim tripcount(min=2, mean=3)\nfor (int i = c[0]; i < 9; i++) a[i] = 1;", "tripcount(min=2, mea"),
        ("\n#pragma ppnsim share(2)\nif (b[0] > 1) a[0] = 1;", "share(2) is not a share from 0 to 1"),
        ("\n#pragma ppnsim share(1/0)\nif (b[0] > 1) a[0] = 1;", "share(1/0) is not a share from 0 to 1"),
        ("\n#pragma ppnsim tripcount(q)\nfor (int i = c[0]; i < 9; i++) a[i] = 1;", "tripcount: 'q' is not a whole nu"),
        ("\n#pragma ppnsim tripcount(0 - 1)\nfor (int i = c[0]; i < 9; i++) a[i] = 1;", "tripcount: 0 - 1 = -1 (at le"),
        ("for (int i = 0; i < 64 / (g - 3); i++) a[i] = 1;", "divides by 0"),
        ("a[g << (g - 5)] = 1;", "shifts by less than 0 or more than 62 bits"), ("a[1 / (g - g)] = 1;", "divides by 0"),
        ("(g < 3 ? a : b)[0] = 2;", "the target of the pointer '(g < 3) ? a : b' is not known: data choose or compute"),
        ("int i = 0; for (; i < 64; i++) { if (b[i] > 1) break; a[i] = 1; }", "a break ends the loop of line 1 earl"),
        ("\n#pragma unroll\nfor (int i = 0; i < g; i++) a[i] = 1;", "#pragma unroll without a factor: loop 'i' runs"),
        ("for (int i = 0; i != 7; i += 2) a[i] = 1;", "this loop never ends: it steps over its end"),
        ("for (int i = 0; i < 7; i--) a[i] = 1;", "this loop never ends"),
        ("int i = 3; while (i) a[i] = 1;", "this loop never ends"),
        ("for (int i = 0; i != -4; i++) a[i] = 1;", "this loop never ends: it steps over its end"),
    ],
)  # fmt: skip
def test_hints_and_loops_that_cannot_be_are_refused_where_they_stand(body: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        kernel_of(body, tmp_path)
    assert f": {words}" in str(error.value) and str(error.value).startswith(f"{tmp_path / 'kernel.cl'}:")


def test_what_is_just_within_a_rule_is_taken() -> None:
    assert (amount(LARGEST, {}), amount(-LARGEST, {}), amount("1 << 53", {})) == (LARGEST, -LARGEST, 2**53)
    assert amount("-N + M % 3 << 1", {"N": 2, "M": 5}) == 0 and amount("9 - 7 / 2 >> 1", {}) == 3
    heads = {"k = 9; k >= 0; k -= 4": 3, "k = 1; k <= 8; k <<= 1": 4, "k = 5; k != 0; k--": 5, "k = 4; k < 4; k++": 0}
    assert {head: trip_count(head, {}) for head in heads} == heads
    assert sizes_of([1, 2, 3], "") == (1, 2, 3)
    assert len(combinations(looped(), most=len(combinations(looped())))) == len(combinations(looped())) > 1


@pytest.mark.parametrize("sizes", [(6,), (6, 4), (6, 4, 10)])
@pytest.mark.parametrize("grouped", [False, True])
def test_numbers_of_work_items_are_those_of_every_item(sizes: tuple[int, ...], grouped: bool) -> None:
    """As clGetWorkItem functions say them, for each work item by itself."""
    groups = (3, 2, 5)[: len(sizes)] if grouped else None
    space = NDRange(sizes, groups).checked()
    dims = range(len(sizes))

    def at(number: Affine, item: tuple[int, ...]) -> int:
        values = {f"global{d}": item[d] for d in dims}
        if groups is not None:
            values = {f"local{d}": item[d] % groups[d] for d in dims}
            values |= {f"group{d}": item[d] // groups[d] for d in dims}
        return int(number.constant + sum(factor * values[str(name)] for name, factor in number.terms))

    assert space.function("get_work_dim", 0) == Affine.of(len(sizes)) and space.items == prod(sizes)
    for d in range(4):
        inside = d < len(sizes)
        assert space.function("get_global_size", d) == Affine.of(sizes[d] if inside else 1)
        assert space.function("get_global_offset", d) == Affine.of(0)
        if groups is not None:
            assert space.function("get_local_size", d) == Affine.of(groups[d] if inside else 1)
            assert space.function("get_enqueued_local_size", d) == space.function("get_local_size", d)
            assert space.function("get_num_groups", d) == Affine.of(sizes[d] // groups[d] if inside else 1)
    for item in product(*map(range, sizes)):
        for d in range(4):
            own = item[d] if d < len(sizes) else 0
            assert at(space.function("get_global_id", d), item) == own
            if groups is not None:
                by = groups[d] if d < len(sizes) else 1
                assert at(space.function("get_local_id", d), item) == own % by
                assert at(space.function("get_group_id", d), item) == own // by
        far = (1, sizes[0], sizes[0] * (sizes[1] if len(sizes) > 1 else 1))
        assert at(space.function("get_global_linear_id", 0), item) == sum(item[d] * far[d] for d in dims)
        if groups is not None:
            near = (1, groups[0], groups[0] * (groups[1] if len(sizes) > 1 else 1))
            local = sum(item[d] % groups[d] * near[d] for d in dims)
            assert at(space.function("get_local_linear_id", 0), item) == local
    names = {f"{kind}{d}" for kind in (("local", "group") if groups else ("global",)) for d in dims}
    assert set(space.symbols) == names and space.next_item == ("local0" if groups else "global0")
    assert space.lanes == {name for name in names if not name.startswith("group")}
