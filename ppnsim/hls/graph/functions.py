"""Functions of math.h and hls_math.h: the operator of each, and functions without a reported latency (R2.12, R2.17)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ppnsim.errors import InputError
from ppnsim.hls.graph.cores import CORES
from ppnsim.hls.graph.ports import Ports
from ppnsim.hls.library.library import Library
from ppnsim.hls.library.types import Format
from ppnsim.loops.program import Operation, Statement

_FUNCTIONS = {
    "sqrt": "sqrt sqrtl",
    "elementary": "exp exp2 exp10 expm1 log log2 log10 log1p",
    "sin": "sin cos sinpi cospi",
    "pow": "pow powr pown",
    "tanh": "tanh",
    "atan2": "atan2 atan2pi",
    "other": "tan tanpi asin acos atan asinpi acospi atanpi sinh cosh asinh acosh atanh rsqrt cbrt rootn "
    "erf erfc tgamma tgamma_p_reduce lgamma hypot fmod remainder",
    "select": "fabs abs floor ceil round labs trunc rint nearbyint signbit copysign isnan isinf isfinite isnormal "
    "__builtin_isnan __builtin_isinf __builtin_isinf_sign __builtin_isfinite __builtin_isnormal __builtin_signbit "
    "lround lrint llround llrint ldexp scalbn scalbln logb ilogb nextafter nexttoward ppnsim_fraction ppnsim_exponent "
    "ppnsim_significand",
    "div": "recip divide",
}
MATHS: Mapping[str, str] = {
    name + end: kind for kind, names in _FUNCTIONS.items() for name in names.split() for end in ("", "f")
}
"""The operator that computes a function; ``elementary`` if a device's table has no operator of that name."""
CHOICES = frozenset(("fmax", "fmin", "fmaxf", "fminf", "max", "min"))
COMPOSED = frozenset(name + end for name in ("fma", "mad", "fdim", "maxmag", "minmag") for end in ("", "f"))
"""Functions that are composed of floating-point products, sums or comparisons."""
_TWO_RESULTS = frozenset(("remquo", "frexp", "modf", "remquof", "frexpf", "modff"))
_KNOWN = MATHS.keys() | CHOICES | COMPOSED | CORES
_ELEMENTARY = frozenset(("elementary", "sin", "pow", "tanh", "atan2", "other"))


def function_name(tree: Operation) -> str:
    """Return the name of a called function without its namespace."""
    return tree.text.rsplit("::", 1)[-1]


def unit_of(name: str, library: Library, to: Format) -> str:
    """Return the operator that computes a function of a type on a device (R2.17).

    >>> from ppnsim.hls.library.library import load_library
    >>> unit_of("cosf", load_library("xc7z020", 10.0), Format.of("float"))
    'sin'
    """
    kind = MATHS[name]
    return "elementary" if kind in _ELEMENTARY and not library.knows(kind, to) else kind


def is_unit(tree: Operation) -> bool:
    """Return whether an operation calls a function of the user's without a body, a unit with a given latency."""
    return tree.kind == "call" and function_name(tree) not in _KNOWN | _TWO_RESULTS


def check_known(tree: Operation, statement: Statement) -> None:
    """Refuse a function that has no operator and no latency.

    Raises
    ------
    InputError
        If it is no function of math.h, hls_math.h or a vendor's core, and no annotation gives its latency.
    """
    name = function_name(tree)
    if name in _TWO_RESULTS and statement.latency is None:
        words = f"'{name}' writes its second result through a pointer; call 'hls::{name}' of hls_math.h, which is known"
        raise InputError(f"function {words}", where=str(tree.position))
    if name not in _KNOWN and statement.latency is None:
        raise InputError(
            f"function '{name}' has no operator (known: those of math.h and hls_math.h); '#pragma ppnsim latency(N)' "
            "before the statement makes it a unit of N states",
            where=str(tree.position),
        )


def check_no_memory(pointer: Operation, statement: Statement, ports: Ports) -> None:
    """Refuse elements of a memory as an argument of a function without a body (R2.21).

    Raises
    ------
    InputError
        If they are in a memory, whose ports the module takes in cycles that nothing tells.
    """
    first = statement.reads[pointer.operands[0].read or 0] if len(pointer.operands) > 1 else None
    if first is not None and (ports.is_memory(first) or ports.is_transfer(first)):
        words = f"'{first.array}' is a memory that a function without a body gets: in which of its cycles the module"
        advice = "pass elements, divide the array into registers (array_partition complete), or give the body in C"
        raise InputError(f"{words} takes its ports is not told; {advice}", where=str(pointer.position))


def guessed_functions(statements: Iterable[Statement], library: Library) -> list[str]:
    """Return sentences about functions without a reported latency: ``half`` as float, others as exp (R2.12, R2.17)."""
    calls = [each for some in statements if some.value for each in some.value.walk() if each.kind == "call"]
    named = {(function_name(each), each.type) for each in calls}
    used = {(name, of) for name, of in named if MATHS.get(name) in _ELEMENTARY}
    halves = {name for name, of in used if of == "half"}
    guessed = {name for name, of in used if _is_guessed(name, of, library)}
    said = [f"functions of half ({', '.join(sorted(halves))}) are computed in float"] if halves else []
    if guessed:
        words = f"no report says how long {', '.join(sorted(guessed))} take{'s' * (len(guessed) == 1)}: as long as exp "
        said.append(words + "(R2.17 in ppnsim/hls/RULES.md)")
    return said


def _is_guessed(name: str, of: str, library: Library) -> bool:
    return MATHS[name] != "elementary" and unit_of(name, library, Format.of(of)) == "elementary"
