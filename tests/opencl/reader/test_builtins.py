"""Every built-in function of OpenCL C by a second table of its instructions, and what the reader refuses, in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.errors import InputError
from ppnsim.opencl.reader.expressions import builtin_costs as costs
from tests.helpers.opencl_kernels import kernel_of, ops

# Typed from Table 2: a comparison of floats is a sum, a choice a branch, a sign or a test of bits is bitwise.
REAL = {
    "fp_sqrt": "sqrt", "fp_sqrt fp_div": "rsqrt", "fp_div": "native_recip native_divide/2 half_recip",
    "fp_mul fp_add": "fma/3 mad/3", "fp_add fp_mul fp_add": "mix/3",
    "fp_add branch": "fmin/2 fmax/2 min/2 max/2 step/2 fdim/2 sign maxmag/2 minmag/2",
    "fp_add branch fp_add branch": "clamp/3", "fp_div fp_add branch fp_add branch fp_mul fp_mul": "smoothstep/3",
    "bitwise": "fabs copysign/2 logb nextafter/2", "fp_convert": "floor ceil round trunc rint",
    "fp_div fp_convert fp_mul fp_add": "fmod/2 remainder/2", "fp_exp": "exp exp2 exp10 native_exp half_exp2",
    "fp_exp fp_add": "expm1", "fp_log": "log log2 log10 native_log", "fp_add fp_log": "log1p",
    "fp_log fp_mul fp_exp": "pow/2 powr/2", "fp_log fp_div fp_exp": "cbrt",
    "fp_trig": "sin cos atan asin acos atan2/2 native_sin half_cos", "fp_trig fp_div": "tan",
    "fp_mul fp_trig": "sinpi cospi", "fp_trig fp_mul": "atanpi asinpi acospi atan2pi/2",
    "fp_exp fp_div fp_add fp_mul": "sinh cosh", "fp_exp fp_add fp_div": "tanh", "fp_mul fp_add fp_sqrt": "hypot/2",
    "fp_mul": "degrees radians", "branch": "bitselect/3",
}  # fmt: skip
WHOLE = {
    "int_add branch": "min/2 max/2", "int_add branch int_add branch": "clamp/3",
    "int_add": "abs abs_diff/2 add_sat/2 sub_sat/2 hadd/2 rhadd/2", "int_mul": "mul24/2 mul_hi/2",
    "int_mul int_add": "mad24/3 mad_hi/3 mad_sat/3", "bitwise": "rotate/2 popcount clz bitselect/3",
    "branch": "select/3",
}  # fmt: skip
PREDICATES = {
    "bitwise": "isnan isinf isfinite isnormal signbit",
    "fp_add": "isequal/2 isgreater/2 isless/2 isordered/2",
}


def calls(table: dict[str, str], array: str) -> list[tuple[str, list[str], int]]:
    """Return a call of each function, its instructions, and how many arguments it loads."""
    found = list[tuple[str, list[str], int]]()
    for chain, names in table.items():
        for each in names.split():
            name, _, arity = each.partition("/")
            count = int(arity or 1)
            given = ", ".join(f"{array}[g + {1000 * len(found) + 100 * number}]" for number in range(count))
            found.append((f"{name}({given})", chain.split(), count))
    return found


def segments(lines: list[str], folder: Path) -> list[list[str]]:
    """Return the instructions of each line, which stores once; what it loads was never loaded before."""
    found, now = [], list[str]()
    for op in ops(kernel_of("\n".join(lines), folder)):
        if op == "store":
            found.append(now)
            now = []
        else:
            now.append(op)
    return found


@pytest.mark.parametrize(
    ("table", "array"), [(REAL, "b"), (WHOLE, "c"), (PREDICATES, "b")], ids=["real", "whole", "predicates"]
)
def test_a_built_in_function_is_the_instructions_of_its_row(table: dict[str, str], array: str, tmp_path: Path) -> None:
    known = calls(table, array)
    target = "a" if table is REAL else "c"
    found = segments([f"{target}[g] = {call};" for call, _, _ in known], tmp_path)
    for (call, chain, loads), got in zip(known, found, strict=True):
        assert got == ["load"] * loads + chain, call


def test_every_function_of_the_table_stands_in_the_second_one() -> None:
    typed = {each.partition("/")[0] for table in (REAL, WHOLE, PREDICATES) for each in " ".join(table.values()).split()}
    plain = {costs.plain(each) for each in typed}
    more = {  # of other arguments, or alike: tested by themselves or in the table by a neighbour
        "sincos", "fract", "modf", "pown", "rootn", "ilogb", "ldexp", "nan", "isnotequal", "isgreaterequal",
        "islessequal", "islessgreater", "isunordered", "ctz", "upsample", "any", "all", "select", "recip", "divide",
    }  # fmt: skip
    assert set(costs.REAL) | set(costs.WHOLE) == plain | more
    assert [costs.REAL[name] for name in ("sincos", "fract", "modf", "pown", "rootn", "ilogb", "ldexp", "select")] == [
        ("fp_trig",), ("fp_convert", "fp_add"), ("fp_convert", "fp_add"), ("fp_log", "fp_mul", "fp_exp"),
        ("fp_log", "fp_div", "fp_exp"), ("bitwise",), ("bitwise",), ("branch",),
    ]  # fmt: skip
    compared = ("isnotequal", "isgreaterequal", "islessequal", "islessgreater", "isunordered")
    assert {costs.REAL[name] for name in compared} == {("fp_add",)}
    assert {costs.WHOLE[name] for name in ("ctz", "upsample", "any", "all")} == {("bitwise",)}


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("c[g] = atomic_add(&c[3], 2);", ["load", "int_add", "store", "store"]),
        ("atomic_inc(&c[3]);", ["load", "int_add", "store"]), ("atom_xchg(&c[3], 5);", ["load", "store"]),
        ("atomic_cmpxchg(&c[3], c[4], 1);", ["load", "load", "branch", "store"]),
        ("atomic_and(&c[3], c[4]);", ["load", "load", "bitwise", "store"]),
        ("atomic_max(&c[3], 1); a[g] = c[3];", ["load", "int_add", "store", "load", "fp_convert", "store"]),
        ("float s; a[g] = sincos(b[g], &s); b[0] = s;", ["load", "fp_trig", "store", "store"]),
        ("a[g] = fract(b[g], &a[9]);", ["load", "fp_convert", "fp_add", "store", "store"]),
        ("vstore2(vload2(1, b), g, a);", ["load", "store"]),
        ("a[g] = convert_float(c[g]);", ["load", "fp_convert", "store"]),
        ("c[g] = convert_int_rte(b[g]);", ["load", "fp_convert", "store"]), ("mem_fence(CLK_GLOBAL_MEM_FENCE);", []),
        ("a[g] = distance(vload2(0, b), vload2(1, b));",
         ["load"] * 2 + ["fp_add"] * 2 + ["fp_mul"] * 2 + ["fp_add", "fp_sqrt", "store"]),
        ("vstore2(normalize(vload2(0, b)), 0, a);",
         ["load", "fp_mul", "fp_mul", "fp_add", "fp_sqrt", "fp_div", "fp_div", "store"]),
        ("vstore3(cross(vload3(0, b), vload3(1, b)), 0, a);",
         ["load"] * 2 + ["fp_mul", "fp_mul", "fp_add"] * 3 + ["store"]),
        ("vstore2(fmax(vload2(0, b), 1.0f), 0, a);", ["load", *["fp_add", "branch"] * 2, "store"]),
        ("a[g] = exp(2.0f);", ["store"]), ("a[min(g, 3)] = 1;", ["store"]), ("a[mad24(g, 2, 1)] = 1;", ["store"]),
        ("a[clamp(g, 1, 3)] = 1;", ["store"]), ("a[g] = b[select(1, 2, g < 3)];", ["load", "store"]),
    ],
)  # fmt: skip
def test_calls_that_move_data_are_their_accesses(line: str, found: list[str], tmp_path: Path) -> None:
    assert ops(kernel_of(line + " a[0] = 1;", tmp_path)) == [*found, "store"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('printf("%d", g);', "'printf': printing is not modelled: leave it out, with #ifdef for example"),
        ("a[get_global_id(c[0])] = 1;", "get_global_id with a dimension that is not a constant"),
        ("a[g] = lgamma(b[g]);", "function 'lgamma' has neither a body in this file nor costs in the model as a built"),
        ("a[g] = expm2(b[g]);", "function 'expm2' is neither in this file nor built into OpenCL C"),
        ("a[g] = work_group_reduce_add(b[g]);", "'work_group_reduce_add': what a work group computes together is not"),
        ("__global float *p = g < 3 ? a : b; vstore2(vload2(0, b), 0, p);", "the target of the pointer 'p' is not kno"),
        ("__global int *p = g < 3 ? c : c + 1; atomic_inc(p);", "the target of the pointer 'p' is not known"),
    ],
)  # fmt: skip
def test_what_the_model_does_not_follow_is_refused_where_it_stands(line: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        kernel_of(f"a[0] = 1; {line} a[1] = 2;", tmp_path)
    assert f": {words}" in str(error.value)
    assert str(error.value).startswith(f"{tmp_path / 'kernel.cl'}:1:")
