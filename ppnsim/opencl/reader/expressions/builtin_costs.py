"""Built-in functions of OpenCL C as chains of instructions of Table 2; each takes the result of the one before."""

from __future__ import annotations

from collections.abc import Mapping

_CHOOSE = ("fp_add", "branch")  # compare, then take one of two
Chain = tuple[str, ...]


def _all(names: str, *chain: str) -> dict[str, Chain]:
    return dict.fromkeys(names.split(), chain)


REAL: Mapping[str, Chain] = {
    **_all("sqrt", "fp_sqrt"), **_all("rsqrt", "fp_sqrt", "fp_div"), **_all("recip divide", "fp_div"),
    **_all("fma mad", "fp_mul", "fp_add"), **_all("mix", "fp_add", "fp_mul", "fp_add"),
    **_all("fmin fmax min max step fdim sign maxmag minmag", *_CHOOSE), **_all("clamp", *_CHOOSE, *_CHOOSE),
    **_all("smoothstep", "fp_div", *_CHOOSE, *_CHOOSE, "fp_mul", "fp_mul"),
    **_all("fabs copysign nan isnan isinf isfinite isnormal signbit ilogb logb ldexp nextafter", "bitwise"),
    **_all("isequal isnotequal isgreater isgreaterequal isless islessequal islessgreater isordered isunordered",
           "fp_add"),
    **_all("floor ceil round trunc rint", "fp_convert"), **_all("fract modf", "fp_convert", "fp_add"),
    **_all("fmod remainder", "fp_div", "fp_convert", "fp_mul", "fp_add"),
    **_all("exp exp2 exp10", "fp_exp"), **_all("expm1", "fp_exp", "fp_add"),
    **_all("log log2 log10", "fp_log"), **_all("log1p", "fp_add", "fp_log"),
    **_all("pow powr pown", "fp_log", "fp_mul", "fp_exp"), **_all("cbrt rootn", "fp_log", "fp_div", "fp_exp"),
    **_all("sin cos sincos atan asin acos atan2", "fp_trig"), **_all("tan", "fp_trig", "fp_div"),
    **_all("sinpi cospi", "fp_mul", "fp_trig"), **_all("atanpi asinpi acospi atan2pi", "fp_trig", "fp_mul"),
    **_all("sinh cosh", "fp_exp", "fp_div", "fp_add", "fp_mul"), **_all("tanh", "fp_exp", "fp_add", "fp_div"),
    **_all("hypot", "fp_mul", "fp_add", "fp_sqrt"), **_all("degrees radians", "fp_mul"),
    **_all("select bitselect", "branch"),
}  # fmt: skip
WHOLE: Mapping[str, Chain] = {
    **_all("min max", "int_add", "branch"), **_all("clamp", "int_add", "branch", "int_add", "branch"),
    **_all("abs abs_diff add_sat sub_sat hadd rhadd", "int_add"), **_all("mul24 mul_hi", "int_mul"),
    **_all("mad24 mad_hi mad_sat", "int_mul", "int_add"),
    **_all("rotate popcount clz ctz upsample bitselect any all", "bitwise"), **_all("select", "branch"),
}  # fmt: skip
# Functions that are operators on whole numbers, so that bounds and addresses may use them.
MEANS: Mapping[str, Chain] = {"min": ("min",), "max": ("max",), "mul24": ("*",), "mad24": ("*", "+")}

NOTHING = frozenset(("mem_fence", "read_mem_fence", "write_mem_fence", "prefetch"))
BARRIERS = frozenset(("barrier", "work_group_barrier"))
_CHANNELS = "channels and pipes tie kernels together, and the model looks at one kernel"
_COLLECTIVE = "what a work group computes together is not modelled: write it with local memory and barriers"
REFUSED: Mapping[str, str] = {
    "printf": "printing is not modelled: leave it out, with #ifdef for example",
    "async_work_group_copy": "copies by the work group are not modelled: write it as a loop that loads and stores",
    "async_work_group_strided_copy": "copies by the work group are not modelled: write it as a loop",
    "wait_group_events": "copies by the work group are not modelled: write them as loops that load and store",
    **dict.fromkeys((f"{what}_pipe" for what in ("read", "write")), _CHANNELS),
    **{f"work_group_{what}": _COLLECTIVE for what in ("reduce_add", "reduce_min", "reduce_max", "broadcast", "all",
                                                      "any", "scan_inclusive_add", "scan_exclusive_add")},
    **{f"{what}_image{kind}": "images are not modelled: pass the data in global memory"
       for what in ("read", "write") for kind in ("f", "i", "ui")},
}  # fmt: skip


def plain(name: str) -> str:
    """Return the function whose faster version this is.

    Examples
    --------
    >>> plain("native_sqrt"), plain("fast_length"), plain("half_recip")
    ('sqrt', 'length', 'recip')
    """
    for prefix in ("native_", "half_", "fast_"):
        name = name.removeprefix(prefix)
    return name
