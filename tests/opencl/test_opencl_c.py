"""OpenCL C: the hierarchy that is read from a source, against the hierarchies in TOML, by hand, and by execution."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import count
from operator import ge, gt, le, lt, ne
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ppnsim.boards.board import OpenclBoard
from ppnsim.errors import InputError
from ppnsim.files import load_as
from ppnsim.opencl.block import Block, BlockStep
from ppnsim.opencl.design import Design, parse_design
from ppnsim.opencl.files.board import opencl_board
from ppnsim.opencl.files.kernel import OpenclFile
from ppnsim.opencl.kernel import Kernel, KernelBranch, KernelLoop
from ppnsim.opencl.optimise import applied
from ppnsim.opencl.predicted import look
from ppnsim.opencl.reader.launch import ReaderOptions
from ppnsim.opencl.reader.load import load_opencl_c
from ppnsim.opencl.run import simulate
from ppnsim.opencl.tune import tune

SHIPPED = Path(__file__).parents[2] / "scenarios" / "opencl"
OTHERS = Path(__file__).parents[1] / "sources" / "opencl"
BOARD = opencl_board()


def read(text: str, folder: Path, settings: dict[str, int] | None = None, **asked: Any) -> tuple[Kernel, Design]:
    """Return what a source in a file of its own is read as."""
    file = folder / "kernel.cl"
    file.write_text(text)
    return load_opencl_c(file, settings, ReaderOptions(**asked))


def kernel_of(body: str, folder: Path, settings: dict[str, int] | None = None, **asked: Any) -> Kernel:
    """Return a kernel with arrays a, b (float) and c (int), and numbers n and m."""
    head = "__kernel void k(__global float *a, __global float *b, __global int *c, int n, int m)"
    text = f"{head} {{ int g = get_global_id(0), h = get_global_id(1); {body} }}"
    return read(text, folder, settings, **{"sizes": (64,), **asked})[0]


def steps_of(kernel: Kernel, op: str = "") -> list[BlockStep]:
    return [step for block, _ in kernel.blocks() for step in block.steps if not op or step.op == op]


def ops(kernel: Kernel) -> list[str]:
    return [step.op for step in steps_of(kernel)]


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
    assert (
        ours.cycles == theirs.cycles if name != "wordcount" else ours.cycles == pytest.approx(theirs.cycles, rel=0.02)
    )


NEAR, ROW = ("items",), ("k",)


@pytest.mark.parametrize(
    ("index", "along", "same"),
    [
        ("g", NEAR, ("k",)), ("g + 5", NEAR, ("k",)), ("2 * g", (), ("k",)), ("-g", (), ("k",)), ("k", ROW, ()),
        ("g + k", ("k", "items"), ()), ("g * 64 + k", ROW, ()), ("k * 64 + g", NEAR, ()), ("h * 64 + k", ROW, ()),
        ("h", (), ("k",)), ("(g << 6) | 0", (), ("k",)), ("(g / 64) * 64 + g % 64", NEAR, ("k",)),
        ("g % 64", NEAR, ("k",)), ("g / 2", (), ("k",)), ("g % 2", (), ("k",)), ("k / 2", (), ()), ("c[g]", (), ("k",)),
        ("c[k]", (), ()), ("c[h] + k", ROW, ()), ("63 - k", (), ()), ("min(k, 63)", ROW, ()), ("n * k", (), ()),
        ("get_global_id(0) + get_global_size(0) * k", NEAR, ()),
        ("get_group_id(0) * get_local_size(0) + get_local_id(0)", NEAR, ("k",)),
    ],
)  # fmt: skip
def test_an_address_says_along_what_it_is_consecutive(
    index: str, along: tuple[str, ...], same: tuple[str, ...], tmp_path: Path
) -> None:
    body = f"float s = 0; for (int k = 0; k < 64; k++) {{ b[k] = 0; s += a[{index}]; }} b[g] = s;"
    kernel = kernel_of(body, tmp_path, {"n": 3}, sizes=(256, 256), groups=(16, 4))
    # A load whose address stays the same is made before the loop, unless the loop writes there.
    (load,) = [step for step in steps_of(kernel, "load") if step.name.startswith("a")]
    inside = [step for block, around in kernel.blocks() for step in block.steps if around > 1]
    assert (load in inside) == ("k" not in same)
    assert load.along == along


@pytest.mark.parametrize(
    ("index", "reuse"),
    [("g", 4), ("h", 16), ("0", 64), ("h * 64 + k", 16), ("g * 64 + k", 4), ("k", 64), ("g + k", 22), ("c[g]", 1)],
)
def test_reuse_is_how_many_work_items_of_a_group_load_the_same(index: str, reuse: int, tmp_path: Path) -> None:
    body = f"float s = 0; for (int k = 0; k < 8; k++) {{ a[c[k]] = s; s += b[{index}]; }} a[g] = s;"
    kernel = kernel_of(body, tmp_path, sizes=(256, 256), groups=(16, 4))
    (load,) = [step for step in steps_of(kernel, "load") if step.name.startswith("b")]
    assert load.reuse == reuse  # 'g + k': 64 work items x 8 loads go to 16 + 7 places: 64 x 8 / 23 = 22


def naive(first: int, bound: int, step: int, holds: Any) -> int | None:
    """Return how often a for loop runs, None if it does not end."""
    for number in count():
        if not holds(first + number * step, bound):
            return number
        if number > 500:
            return None
    raise AssertionError


HOLDS = {"<": lt, "<=": le, ">": gt, ">=": ge, "!=": ne}
SMALL = st.integers(-9, 9)


@settings(max_examples=80, deadline=None)
@given(first=st.tuples(SMALL, SMALL), bound=st.tuples(SMALL, SMALL), step=SMALL, test=st.sampled_from(sorted(HOLDS)))
@example(first=(0, 0), bound=(0, 1), step=1, test="<")
@example(first=(9, 0), bound=(0, 1), step=-1, test="!=")
def test_trip_counts_are_those_of_all_work_items(
    first: tuple[int, int], bound: tuple[int, int], step: int, test: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("loop")
    head = f"int i = {first[0]} + {first[1]} * g; i {test} {bound[0]} + {bound[1]} * g; i += {step}"
    body = f"for ({head}) a[i] = 1; b[g] = 2;"
    counts = [naive(first[0] + first[1] * g, bound[0] + bound[1] * g, step, HOLDS[test]) for g in range(8)]
    if None in counts:
        with pytest.raises(InputError, match="this loop never ends"):
            kernel_of(body, folder, sizes=(8,))
        return
    loops = kernel_of(body, folder, sizes=(8,)).loops()
    assert loops.get("i", 0) == Fraction(sum(each for each in counts if each is not None), 8)


def triangle(n: int) -> Iterator[int]:
    """Yield the trips of the innermost loop of each visit in `test_nested_loops_are_counted_by_their_visits`."""
    for g in range(n):
        if g % 3:
            for j in range(g):
                yield len(range(j, g, 2))


@pytest.mark.parametrize("n", [4, 7, 32])
def test_nested_loops_are_counted_by_their_visits(n: int, tmp_path: Path) -> None:
    body = "if (g % 3) for (int j = 0; j < g; j++) { a[j] = 1; for (int k = j; k < g; k += 2) b[k] += a[j]; }"
    kernel = kernel_of(body, tmp_path, sizes=(n,))
    trips = list(triangle(n))
    visits = sum(1 for g in range(n) if g % 3)
    assert kernel.loops() == {"j": Fraction(len(trips), visits), "k": Fraction(sum(trips), len(trips))}
    (branch,) = [node for node in kernel.body if isinstance(node, KernelBranch)]
    assert branch.share == Fraction(visits, n)
    executed = simulate(kernel, BOARD).executions
    assert list(executed.values()) == [n, len(trips), sum(trips)]


@pytest.mark.parametrize(
    ("loop", "trips"),
    [
        ("for (int s = 64; s > 0; s >>= 1) a[s] = 1;", 7), ("for (int s = 1; s < 100; s *= 3) a[s] = 1;", 5),
        ("int i = 10; while (i--) a[i] = 1;", 10), ("int i = 0; do { a[i] = 1; i += 3; } while (i < 10);", 4),
        ("int i = 0; do { a[i] = 1; i += 3; } while (i < 0);", 1),
        ("for (int i = 0, j = 9; i < j; i++, --j) a[i] = j;", 5),
        ("for (int i = 0; i < 8 && i < n; i++) a[i] = 1;", 5),
        ("for (int i = 0; ; i++) { a[i] = 1; if (i == 6) break; }", 7),
        ("int i = 0; while (1) { a[i] = 1; i += 2; if (i > n) { break; } }", 3),
        ("int i = 0; for (; i < 9; ) { a[i] = 1; i = i + 2; }", 5),
        ("for (int i = 0, t = 0; t < 20; i++, t += i) a[t] = 1;", 6),
        ("for (int i = 0; i < 12; i++) { if (i > n) continue; a[i] = 1; }", 12),
    ],
)  # fmt: skip
def test_loops_of_any_kind_are_executed(loop: str, trips: int, tmp_path: Path) -> None:
    (found,) = kernel_of(loop, tmp_path, {"n": 5}).loops().values()
    assert found == trips


def test_a_loop_that_never_runs_leaves_nothing(tmp_path: Path) -> None:
    kernel = kernel_of("for (int i = 4; i < n; i++) a[i] = 1; b[0] = 2;", tmp_path, {"n": 4})
    assert (kernel.loops(), len(steps_of(kernel))) == ({}, 1)


def test_what_a_pragma_says_of_data_counts(tmp_path: Path) -> None:
    body = "\n#pragma ppnsim tripcount(2 * n + 1)\nfor (int i = c[0]; i < c[1]; i++) a[i] = 1;\n"
    body += "#pragma ppnsim share(0.25)\nif (a[0] > 1) b[0] = 1;"
    kernel = kernel_of(body, tmp_path, {"n": 5})
    assert kernel.loops() == {"i": 11}
    (branch,) = [node for node in kernel.body if isinstance(node, KernelBranch)]
    assert branch.share == Fraction(1, 4)


def test_a_bound_that_is_data_costs_no_branch_and_a_test_of_data_does(tmp_path: Path) -> None:
    pragma = "\n#pragma ppnsim tripcount(4)\n"
    counted = kernel_of(f"{pragma} for (int i = c[g]; i < c[g + 1]; i++) a[i] = 1;", tmp_path)
    searched = kernel_of(f"int i = 0; {pragma} while (c[i] != 7) i++; c[9] = i;", tmp_path)
    assert ops(counted) == ["load", "load", "store"]
    assert ops(searched) == ["load", "branch", "store"]
    assert not counted.vectorise


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("b[g] + 1.0f", ["load", "fp_add"]), ("b[g] * b[g]", ["load", "fp_mul"]), ("2.0f * 3.0f", []),
        ("mad(b[g], 2.0f, b[g + 1])", ["load", "load", "fp_mul", "fp_add"]), ("native_sqrt(b[g])", ["load", "fp_sqrt"]),
        ("b[g] / 3", ["load", "fp_div"]), ("-b[g]", ["load", "bitwise"]), ("exp(b[g])", ["load", "fp_exp"]),
        ("b[g] > 0 ? b[g] : 0", ["load", "fp_add", "branch"]), ("fmax(b[g], 1.0f)", ["load", "fp_add", "branch"]),
        ("c[g] + c[g]", ["load", "int_add", "fp_convert"]), ("g * n + h", ["fp_convert"]),
        ("g * h", ["int_mul", "fp_convert"]), ("g / 3", ["int_div", "fp_convert"]), ("g / 8", ["fp_convert"]),
        ("c[g] * 8", ["load", "bitwise", "fp_convert"]), ("as_float(c[g])", ["load"]),
        ("select(b[g], 1.0f, c[g])", ["load", "load", "branch"]), ("min(g, n) + 0.5f", ["fp_convert", "fp_add"]),
        ("dot(vload4(0, b), vload4(1, b))", ["load"] * 2 + ["fp_mul"] * 4 + ["fp_add"] * 3),
        ("length((float2)(b[g], 1.0f))", ["load", "fp_mul", "fp_mul", "fp_add", "fp_sqrt"]),
        ("((float4)(b[g])).x", ["load"]), ("(vload4(0, b) * 2.0f).w", ["load"] + ["fp_mul"] * 4),
        ("pow(b[g], 2.0f)", ["load", "fp_log", "fp_mul", "fp_exp"]),
        ("popcount(c[g])", ["load", "bitwise", "fp_convert"]),
        ("(b[g] > 0 && b[g] < 1) ? 1.0f : 2.0f", ["load", "fp_add", "fp_add", "bitwise", "branch"]),
    ],
)  # fmt: skip
def test_an_expression_costs_the_instructions_of_table_2(expression: str, found: list[str], tmp_path: Path) -> None:
    kernel = kernel_of(f"a[g] = {expression};", tmp_path, {"n": 8}, sizes=(64, 4))
    assert ops(kernel) == [*found, "store"]


def test_the_critical_path_goes_through_what_is_computed_from_what(tmp_path: Path) -> None:
    kernel = kernel_of("float x = b[g] * 2.0f + 1.0f, y = b[g] / 3.0f; a[g] = sqrt(x * y);", tmp_path, sizes=(64,))
    ((block, _),) = kernel.blocks()
    assert block.cycle == max(5 + 7, 14) + 5 + 28


@pytest.mark.parametrize(
    ("loop", "carried"),
    [
        ("s += b[k];", ["fp_add"]), ("s = s * 2.0f + b[k];", ["fp_mul", "fp_add"]), ("s = b[k];", []),
        ("s = fmax(s, b[k]);", ["fp_add", "branch"]), ("if (b[k] < s) s = b[k];", ["fp_add", "branch"]),
        ("a[g] += b[k];", ["load", "fp_add"]), ("a[k] += b[k];", []), ("p[0] += b[k]; p[k] = 0;", []),
        ("p[1] += b[k];", ["fp_add"]), ("v.y += b[k];", ["fp_add"]), ("t[0] += b[k];", ["local_memory", "fp_add"]),
        ("t[0] += b[k]; barrier(CLK_LOCAL_MEM_FENCE);", ["local_memory", "fp_add"]), ("q.x += b[k];", ["fp_add"]),
        ("u += b[k]; s = u; u = 0;", []),
    ],
)  # fmt: skip
def test_what_takes_its_own_result_of_the_iteration_before_is_carried(
    loop: str, carried: list[str], tmp_path: Path
) -> None:
    start = (
        "__local float t[4]; float s = 0, u = 0, p[8]; float4 v = (float4)(0.0f); struct { float x, y; } q; q.x = 0;"
    )
    body = f"{start} for (int k = 0; k < 8; k++) {{ {loop} }} b[g] = s + u + p[2] + v.y + q.x + t[0];"
    kernel = kernel_of(body, tmp_path, sizes=(64,), groups=(16,))
    assert [step.op for step in steps_of(kernel) if step.carried] == carried


def test_a_sum_through_an_inner_loop_is_carried_by_the_outer_one_too(tmp_path: Path) -> None:
    body = "float s = 0; for (int j = 0; j < 4; j++) { s += b[j]; for (int k = 0; k < 4; k++) s += a[k]; } b[g] = s;"
    sums = steps_of(kernel_of(body, tmp_path, sizes=(64,)), "fp_add")
    assert [step.carried for step in sums] == [True, True]


@pytest.mark.parametrize(
    ("body", "vectorise"),
    [
        ("a[g] = 1;", True), ("if (g < 60) a[g] = 1;", False), ("if (n < 60) a[g] = 1;", True),
        ("if (get_group_id(0) < 2) a[g] = 1;", True), ("if (get_local_id(0) < 2) a[g] = 1;", False),
        ("for (int i = g; i < g + 4; i++) a[i] = 1;", True), ("for (int i = g; i < 99; i += 64) a[i] = 1;", False),
        ("float s = 0; if (g < 5) s = 1; a[g] = s;", True), ("if (a[g] > 0) b[g] = 1;", False),
        ("if (c[0] > 0) b[g] = 1;", True),
    ],
)  # fmt: skip
def test_only_work_items_that_go_the_same_way_are_vectorised(body: str, vectorise: bool, tmp_path: Path) -> None:
    assert kernel_of(body, tmp_path, {"n": 4}, sizes=(64,), groups=(16,)).vectorise == vectorise


def test_a_guard_that_always_holds_is_no_branch_and_one_that_does_not_has_its_share(tmp_path: Path) -> None:
    guard = "if (g >= n || h >= m) return; a[g + h * n] = 1;"
    always = kernel_of(guard, tmp_path, {"n": 64, "m": 4}, sizes=(64, 4))
    some = kernel_of(guard, tmp_path, {"n": 60, "m": 3}, sizes=(64, 4))
    assert not any(isinstance(node, KernelBranch) for node in always.body)
    (branch,) = some.body
    assert isinstance(branch, KernelBranch)
    assert (branch.then, 1 - branch.share) == ((), Fraction(60 * 3, 64 * 4))


def test_local_memory_is_read_after_the_barrier_behind_what_was_written(tmp_path: Path) -> None:
    body = (
        "__local float t[16]; t[get_local_id(0)] = b[g]; barrier(CLK_LOCAL_MEM_FENCE); a[g] = t[15 - get_local_id(0)];"
    )
    (load, write, again, store) = steps_of(kernel_of(body, tmp_path, sizes=(64,), groups=(16,)))
    assert (write.op, again.op) == ("local_memory", "local_memory")
    assert (write.after, again.after, store.after) == ((load.name,), (write.name,), (again.name,))


def test_a_switch_is_a_chain_of_branches_in_any_order(tmp_path: Path) -> None:
    cases = {"0": "s = 1;", "1: case 2": "{ s = b[g] / 3; break; }", "default": "s = sqrt(b[g]);"}
    found = []
    for order in (("0", "1: case 2", "default"), ("default", "1: case 2", "0")):
        text = "".join(f"{'' if key == 'default' else 'case '}{key}: {cases[key]} break;" for key in order)
        kernel = kernel_of(f"float s; switch (c[g]) {{ {text} }} a[g] = s;", tmp_path)
        found.append(sorted(ops(kernel)))
        branch = next(node for node in kernel.body if isinstance(node, KernelBranch))
        assert len(list(Kernel(name="b", work_items=1, body=branch.then + branch.otherwise).blocks())) == 3
    assert (
        found[0]
        == found[1]
        == sorted(["load", "branch", "bitwise", "branch", "load", "fp_div", "load", "fp_sqrt", "store"])
    )


def test_loads_are_made_once_until_something_writes_there(tmp_path: Path) -> None:
    kernel = kernel_of("float x = b[g] + b[g]; a[g] = x; a[g + 1] = a[g] + b[g]; b[g] = b[g + 1] + a[g];", tmp_path,
                       sizes=(64,))  # fmt: skip
    assert [step.name.split()[0] for step in steps_of(kernel, "load")] == ["b", "b", "a"]


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


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 40), st.integers(1, 6), st.integers(1, 9))
def test_execution_makes_the_average_trips_of_all_work_items(n: int, step: int, times: int) -> None:
    block = Block(name="b", steps=(BlockStep(name="s", op="int_add"),))
    loop = KernelLoop(name="l", trip=Fraction(n, step), body=(block,))
    assert simulate(Kernel(name="f", work_items=step * times, body=(loop,)), BOARD).executions == {"b": n * times}


# Nests of loops and conditions on the numbers of work items and iterations, as C and as what they execute.
Nest = tuple[Any, ...]


def sums(names: tuple[str, ...]) -> st.SearchStrategy[str]:
    """Return sums of such numbers, as C and Python both have them."""
    term = st.tuples(st.sampled_from(names), st.integers(-2, 2)).map(lambda pair: f"{pair[0]} * {pair[1]}")
    both = st.tuples(st.lists(term, max_size=2), st.integers(-3, 6).map(str))
    return both.map(lambda parts: " + ".join([*parts[0], parts[1]]))


@st.composite
def nests(draw: st.DrawFn, names: tuple[str, ...] = ("g", "h"), depth: int = 0) -> list[Nest]:
    made: list[Nest] = []
    for _ in range(draw(st.integers(1, 2))):
        kind = draw(st.sampled_from(("store", "for", "if"))) if depth < 3 else "store"
        if kind == "store":
            made.append(("store",))
        elif kind == "if":
            test = f"{draw(sums(names))} {draw(st.sampled_from(('<', '>=', '==', '!=')))} {draw(sums(names))}"
            made.append(("if", test, draw(nests(names, depth + 1)), draw(nests(names, depth + 1))))
        else:
            name, step = f"i{len(names)}", draw(st.sampled_from((1, 2, 3)))
            made.append(
                ("for", name, draw(sums(names)), draw(sums(names)), step, draw(nests((*names, name), depth + 1)))
            )
    return made


def text_of(nest: list[Nest]) -> str:
    """Return C with a store in every place, each to an array element of its own line."""
    text = ""
    for each in nest:
        if each[0] == "store":
            text += "a[n++] = 1;\n"
        elif each[0] == "if":
            text += f"if ({each[1]}) {{\n{text_of(each[2])}}} else {{\n{text_of(each[3])}}}\n"
        else:
            head = f"int {each[1]} = {each[2]}; {each[1]} < {each[3]}; {each[1]} += {each[4]}"
            text += f"for ({head}) {{\n{text_of(each[5])}}}\n"
    return text


def stores_of(nest: list[Nest], numbers: dict[str, int]) -> int:
    """Return how many stores a work item executes."""
    found = 0
    for each in nest:
        if each[0] == "store":
            found += 1
        elif each[0] == "if":
            found += stores_of(each[2 if eval(each[1], {}, numbers) else 3], numbers)
        else:
            for value in range(eval(each[2], {}, numbers), eval(each[3], {}, numbers), each[4]):
                found += stores_of(each[5], {**numbers, each[1]: value})
    return found


def total(nodes: tuple[Any, ...]) -> Fraction:
    """Return how many stores a work item executes on average, by trip counts and shares."""
    found = Fraction(0)
    for node in nodes:
        if isinstance(node, Block):
            found += sum(step.op == "store" for step in node.steps) * Fraction(node.trip)
        elif isinstance(node, KernelLoop):
            found += node.trip * total(node.body)
        else:
            found += node.share * total(node.then) + (1 - node.share) * total(node.otherwise)
    return found


@settings(max_examples=60, deadline=None)
@given(nests())
def test_counts_of_any_nest_are_those_of_executing_it(
    tmp_path_factory: pytest.TempPathFactory, nest: list[Nest]
) -> None:
    expected = Fraction(sum(stores_of(nest, {"g": g, "h": h}) for g in range(4) for h in range(3)), 12)
    folder = tmp_path_factory.mktemp("nest")
    if not expected:
        with pytest.raises(InputError, match="has no block"):
            kernel_of(text_of(nest), folder, sizes=(4, 3))
        return
    assert total(kernel_of(text_of(nest), folder, sizes=(4, 3), groups=(2, 1)).body) == expected
