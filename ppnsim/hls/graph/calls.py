"""Functions as operators: roots, elementary functions, minimum and maximum, units of a given latency (R2)."""

from __future__ import annotations

from collections.abc import Mapping

from ppnsim.errors import InputError
from ppnsim.hls.graph.operators import Operators
from ppnsim.hls.library.types import BIT, Format, joined
from ppnsim.loops.program import Operation, Statement

_FUNCTIONS = {
    "sqrt": "sqrt sqrtf sqrtl",
    "elementary": "exp expf exp2 log logf log2 log10 sin sinf cos cosf tan tanf atan atan2 pow powf sinh cosh tanh "
    "rsqrt",
    "select": "fabs fabsf abs floor floorf ceil ceilf round labs",
    "div": "recip recipf",
}
_OPERATOR: Mapping[str, str] = {name: kind for kind, names in _FUNCTIONS.items() for name in names.split()}
_CHOICES = frozenset(("fmax", "fmin", "fmaxf", "fminf", "max", "min"))


def function_name(tree: Operation) -> str:
    """Return the name of a called function without its namespace."""
    return tree.text.rsplit("::", 1)[-1]


def called(operators: Operators, tree: Operation, statement: Statement, operands: tuple[int, ...]) -> int:
    """Return the result of a function.

    Raises
    ------
    InputError
        If the function has no operator and no latency is given for it.
    """
    where, name = str(tree.position), function_name(tree)
    formats = [operators.graph.nodes[operand].format for operand in operands] or [Format("integer", 32)]
    if name in _CHOICES:
        common = joined(formats[0], formats[-1])
        test = operators.op("cmp", BIT, operands, where, wide=common)
        return operators.op("select", common, (test, *operands), where)
    to = _result(operators, tree, statement)
    if name not in _OPERATOR:
        states, library = statement.latency or 1, operators.library
        return operators.graph.add("op", name, to, operands, states=states, entry=library.budget, unit=name)
    if to.real and not formats[0].real:
        operands = tuple(operators.converted(operand, to) for operand in operands)
    return operators.op(_OPERATOR[name], to, operands, where, wide=to if to.real else formats[0])


def check_known(tree: Operation, statement: Statement) -> None:
    """Refuse a function that has no operator and no latency."""
    name = function_name(tree)
    if name not in _OPERATOR and name not in _CHOICES and statement.latency is None:
        known = "sqrt, exp, log, pow, sin, cos, tan, fabs, fmin, fmax"
        raise InputError(
            f"function '{name}' has no operator (known: {known}); '#pragma ppnsim latency(N)' before the statement "
            "makes it a unit of N states",
            where=str(tree.position),
        )


def _result(operators: Operators, tree: Operation, statement: Statement) -> Format:
    """Return the format of what a function returns; a function that returns nothing writes its statement's target."""
    if tree.type != "void":
        return Format.of(tree.type, str(tree.position))
    return operators.format(statement.writes[0]) if statement.writes else BIT
