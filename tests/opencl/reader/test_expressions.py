"""Which steps expressions are, and which of them are carried from iteration to iteration."""

from pathlib import Path

import pytest

from ppnsim.c.clang.opencl import parse_opencl_c
from tests.helpers.opencl_kernels import kernel_of, ops, steps_of


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
        ("g * 5", ["fp_convert"]), ("5 * g", ["fp_convert"]), ("c[g] * 5", ["load", "int_mul", "fp_convert"]),
        ("4 * c[g]", ["load", "bitwise", "fp_convert"]), ("c[g] * -4", ["load", "int_mul", "fp_convert"]),
        ("c[g] * 0", ["load", "int_mul", "fp_convert"]), ("4 / c[g]", ["load", "int_div", "fp_convert"]),
        ("c[g] % 4", ["load", "bitwise", "fp_convert"]), ("c[g] % 3", ["load", "int_div", "fp_convert"]),
        ("-2.0f", []), ("(int)2.5f", []), ("(float)3", []), ("-g", ["fp_convert"]), ("~g", ["fp_convert"]),
        ("-c[g]", ["load", "int_add", "fp_convert"]), ("~c[g]", ["load", "bitwise", "fp_convert"]),
        ("(c[g] < 3) ? 1.0f : 2.0f", ["load", "branch"]), ("(c[g], b[g])", ["load", "load"]),
        ("(c[g] + 1 < 3) ? 1.0f : 2.0f", ["load", "int_add", "branch"]), ("n > 3 ? b[g] : 1.0f", ["load"]),
        ("(vload4(0, c) / 8).x", ["load"] + ["bitwise"] * 4 + ["fp_convert"]),
        ("(-vload4(0, b)).y", ["load"] + ["bitwise"] * 4), ("((float4)(c[g])).x", ["load", "fp_convert"]),
    ],
)  # fmt: skip
def test_an_expression_costs_the_instructions_of_table_2(expression: str, found: list[str], tmp_path: Path) -> None:
    kernel = kernel_of(f"a[g] = {expression};", tmp_path, {"n": 8}, sizes=(64, 4))
    assert ops(kernel) == [*found, "store"]


@pytest.mark.parametrize(
    ("index", "found"),
    [
        ("c[g] * 5", []), ("c[g] + c[g]", []), ("c[g] - 1", []), ("c[g] & 7", []), ("c[g] % 8", []), ("c[g] << 2", []),
        ("c[g] * c[g]", ["int_mul"]), ("c[g] & c[g]", ["bitwise"]), ("c[g] % 3", ["int_div"]), ("-c[g]", ["int_add"]),
        ("c[g] && 1", ["bitwise"]),
    ],
)  # fmt: skip
def test_sums_multiples_and_bits_by_a_constant_are_part_of_an_access(
    index: str, found: list[str], tmp_path: Path
) -> None:
    assert ops(kernel_of(f"a[g] = b[{index}];", tmp_path)) == ["load", *found, "load", "store"]


@pytest.mark.parametrize(
    ("stored", "read", "accesses"),
    [
        ("v[0].zw = (float2)(b[g], b[g]);", "((__local float2 *)v)[1].x", 1),
        ("v[0].zw = (float2)(b[g], b[g]);", "((__local float2 *)v)[0].x", 2),
        ("v[0].z = b[g];", "((__local float *)v)[2]", 1), ("v[0].z = b[g];", "((__local float *)v)[3]", 2),
        ("v[1].y = b[g];", "((__local float *)v)[5]", 1),
    ],
)  # fmt: skip
def test_what_is_stored_to_lanes_is_known_where_they_lie(stored: str, read: str, accesses: int, tmp_path: Path) -> None:
    kernel = kernel_of(f"__local float4 v[4]; {stored} a[g] = {read};", tmp_path)
    assert len(steps_of(kernel, "local_memory")) == accesses


def test_only_the_lanes_that_are_stored_are_moved(tmp_path: Path) -> None:
    body = "__global float4 *v = (__global float4 *)a; v[g].zw = (float2)(b[g], 1.0f); v[g].x = b[g]; v[g] = v[g + 1];"
    assert [step.bytes for step in steps_of(kernel_of(body, tmp_path), "store")] == [8, 4, 16]


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


def test_loads_are_made_once_until_something_writes_there(tmp_path: Path) -> None:
    kernel = kernel_of("float x = b[g] + b[g]; a[g] = x; a[g + 1] = a[g] + b[g]; b[g] = b[g + 1] + a[g];", tmp_path,
                       sizes=(64,))  # fmt: skip
    assert [step.name.split()[0] for step in steps_of(kernel, "load")] == ["b", "b", "a"]


def test_macros_with_parameters_are_none_of_those_that_hold_a_text(tmp_path: Path) -> None:
    macros = "#define N 4\n#define SQUARE(x) ((x) * (x))\n#define HALF (N / 2)\n#define NOTHING\n"
    (tmp_path / "k.cl").write_text(macros + "kernel void k(global float *a) { a[0] = SQUARE(a[HALF]); }\n")
    assert parse_opencl_c(str(tmp_path / "k.cl"), {}, []).macros == {"N": "4", "HALF": "( N / 2 )", "NOTHING": ""}
