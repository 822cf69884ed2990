"""OpenCL C as it is written, against hierarchies by hand, by prediction and by execution."""

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from ppnsim.boards.board import OpenclBoard
from ppnsim.files import load_as
from ppnsim.opencl.design import applied, parse_design
from ppnsim.opencl.files.kernel import OpenclFile
from ppnsim.opencl.kernel import Kernel, KernelBranch, KernelLoop
from ppnsim.opencl.reader.hints import ReaderOptions
from ppnsim.opencl.reader.load import load_opencl_c
from ppnsim.opencl.run import simulate
from ppnsim.opencl.tune import look, tune
from tests.helpers.opencl_kernels import BOARD, OTHERS, SHIPPED, read, steps_of

# A kernel and its hierarchy in TOML: the same counts and cycles in all these designs; {} is the first loop.
SAME = {
    "vecadd": ("baseline", "UL8:{}", "SIMD4", "CU2", "UL8:{}+SIMD2"),
    "mm": ("baseline", "SM", "UL16:k", "SM+UL64:k", "SM+UL64:k+SIMD4", "SIMD2+CU4", "UL4:k+CU2"),
    "kmeans": ("baseline", "SM", "MC", "SM+MC", "SM+CU2", "SM+MC+UL8:feature", "SM+MC+UL8:feature+UL2:centre"),
    "similarity": ("baseline", "VT", "UL8:feature", "VT+UL8:feature", "SIMD4", "CU2"),
    "wordcount": ("baseline", "SM", "PM", "SM+PM", "SM+PM+CU2", "CU4"),
}


def hierarchy(name: str, settings: Mapping[str, int] | None = None) -> tuple[Kernel, OpenclBoard]:
    held = load_as(SHIPPED / f"{name}.toml", OpenclFile, settings=settings)
    return held.kernel, held.board


@pytest.mark.parametrize(("name", "design"), [(name, design) for name, designs in SAME.items() for design in designs])
def test_a_source_predicts_what_its_hierarchy_by_hand_does(name: str, design: str) -> None:
    by_hand, board = hierarchy(name)
    source, _ = load_opencl_c(SHIPPED / f"{name}.cl")
    assert (source.work_items, source.vectorise) == (by_hand.work_items, by_hand.vectorise)
    assert list(source.loops().values()) == list(by_hand.loops().values())
    ours, theirs = (
        look(each, board, parse_design(design.format(next(iter(each.loops()))))).prediction
        for each in (source, by_hand)
    )
    assert ours.cycles == theirs.cycles
    for mine, other in zip(ours.blocks.values(), theirs.blocks.values(), strict=True):
        assert (mine.counts, mine.cycle, mine.trip, mine.around) == (
            other.counts,
            other.cycle,
            other.trip,
            other.around,
        )
    # The source of wordcount also steps over the space behind a word, which the hierarchy by hand leaves out.
    assert ours.utilisation == theirs.utilisation or name == "wordcount"


def test_points_in_a_row_are_consecutive_in_the_source_where_the_hierarchy_by_hand_says_they_are_not() -> None:
    """The TOML follows the paper, whose K-means has no consecutive loads before MC; point after point they are."""
    (source, _), (by_hand, board) = load_opencl_c(SHIPPED / "kmeans.cl"), hierarchy("kmeans")
    design = parse_design("SM+UL8:feature")
    near, far = (look(each, board, design).prediction.blocks for each in (source, by_hand))
    (one,), (other,) = ([each for each in blocks.values() if each.cycle == 75] for blocks in (near, far))
    assert other.counts.insts == 8  # eight loads apart
    assert one.counts.insts == Fraction(23, 16)  # Eq. 2: 1 + 4 (8 - 1) / 64


def test_the_matrix_product_is_tuned_from_its_source_as_in_the_paper() -> None:
    source, design = load_opencl_c(SHIPPED / "mm.cl")
    path = list(tune(source, BOARD, design))
    assert [str(each.design) for each in path] == ["baseline", "SM", "SM+UL64:k", "SM+UL64:k+SIMD4"]


@pytest.mark.parametrize(
    ("name", "settings"),
    [("vecadd", {"N": 4096, "W": 64}), ("mm", {"N": 16, "T": 8}), ("kmeans", {"P": 512, "K": 4}),
     ("similarity", {"D": 16, "F": 16}), ("wordcount", {"C": 8192, "W": 256})],
)  # fmt: skip
def test_a_source_is_executed_as_its_hierarchy_by_hand_is(name: str, settings: dict[str, int]) -> None:
    by_hand, board = hierarchy(name, settings)
    source, _ = load_opencl_c(SHIPPED / f"{name}.cl", {key if key != "N" or name == "mm" else "n": value
                                                       for key, value in settings.items()})  # fmt: skip
    ours, theirs = (simulate(each, board) for each in (source, by_hand))
    assert ours.transactions == theirs.transactions
    # The one step more of wordcount starts a pass of its last block a cycle later.
    assert (ours.cycles, theirs.cycles) == (18_735, 18_725) if name == "wordcount" else ours.cycles == theirs.cycles


def test_attributes_and_pragmas_are_the_design(tmp_path: Path) -> None:
    text = """
    #define SIDE (1 << 2)
    #define CU 2
    __attribute__((num_compute_units(CU))) __attribute__((num_simd_work_items(SIDE/2)))
    __kernel __attribute__((reqd_work_group_size(SIDE * 4, SIDE, 1)))
    void k(__global float *a, const int n) {
        float s = 0, t = 0;
        #pragma unroll SIDE
        for (int i = 0; i < n; i++) s += a[i];
        #pragma unroll
        for (int j = 0; j < 8; j++) { s *= 2.0f;
            __attribute__((opencl_unroll_hint))
            for (int k = 0; k < 2 * SIDE; k++) t += s; }
        #pragma unroll 1
        for (int l = 0; l < 8; l++) s += t;
        a[get_global_id(0)] = s;
    }"""
    kernel, design = read(text, tmp_path, {"n": 16}, sizes=(64, 8))
    assert str(design) == "UL4:i+UL8:k+UL8:j+SIMD2+CU2"
    assert applied(kernel, design).items == 64 * 8 // 2


@pytest.mark.parametrize(
    ("file", "settings", "asked", "loops", "design"),
    [
        ("tiles", {"inner": 256, "columns": 512}, {"sizes": (512, 128)}, {"from": 16, "i": 16}, "UL16:i+SIMD4"),
        ("total", {"count": 100_000}, {"sizes": (1024,), "groups": (128,)},
         {"loop 7": Fraction(100_000, 1024), "gap": 7}, "baseline"),
        ("rows", {"n": 1000}, {"sizes": (1024,), "kernel": "rows"}, {"k": 12}, "baseline"),
        ("window", {"n": 1000}, {}, {"t": 1008, "i_3": 8}, "UL4:i_3"),
        ("pull", {"n": 4096}, {"sizes": (4096,)}, {"t": 64, "k": 64}, "CU2"),
        ("front", {"steps": 8, "width": 500}, {"sizes": (512,), "groups": (32,)},
         {"w": Fraction(3, 2), "i": 8, "loop 17": Fraction(3, 2)}, "baseline"),
    ],
)  # fmt: skip
def test_code_as_others_write_it_is_read(
    file: str, settings: dict[str, int], asked: dict[str, Any], loops: dict[str, Any], design: str
) -> None:
    kernel, made = load_opencl_c(OTHERS / f"{file}.cl", settings, ReaderOptions(**asked))
    assert (kernel.loops(), str(made)) == (loops, design)
    told = look(kernel, BOARD, made).prediction
    assert told.cycles > 0


def test_tiles_are_loaded_side_by_side_and_summed_in_a_chain() -> None:
    kernel, _ = load_opencl_c(OTHERS / "tiles.cl", {"inner": 64, "columns": 64}, ReaderOptions(sizes=(64, 64)))
    assert [step.along for step in steps_of(kernel) if step.bytes] == [("items",)] * 3
    assert kernel.vectorise  # its bounds depend on the group only
    assert [step.op for step in steps_of(kernel) if step.carried] == ["fp_add"]


def test_the_front_advances_where_the_conditions_hold() -> None:
    kernel, _ = load_opencl_c(
        OTHERS / "front.cl", {"steps": 8, "width": 500}, ReaderOptions(sizes=(512,), groups=(32,))
    )  # fmt: skip
    (branch,) = [
        node
        for loop in kernel.body
        if isinstance(loop, KernelLoop)
        for node in loop.body
        if isinstance(node, KernelBranch)
    ]
    inside = [
        i + 1 <= me <= 32 - i - 2 and 0 <= group * 16 - 8 + me <= 499
        for group in range(16) for me in range(32) for i in range(8)
    ]  # fmt: skip
    assert branch.share == Fraction(sum(inside), len(inside))
