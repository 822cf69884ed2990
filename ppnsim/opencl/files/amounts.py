"""Amounts of kernels in TOML: numbers, expressions in parameters of the file, heads of loops, which are executed."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, cast

from pydantic import PlainValidator, ValidationInfo

from ppnsim.errors import InputError, did_you_mean
from ppnsim.formats import values
from ppnsim.formats.values import LARGEST, shown

_MOST = 10_000_000  # iterations that are executed to count them
_LONGEST = 200
_OPERATORS: dict[type, Callable[[int, int], int]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
    ast.Div: operator.floordiv, ast.Mod: operator.mod, ast.LShift: operator.lshift, ast.RShift: operator.rshift,
}  # fmt: skip
_TESTS: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "!=": operator.ne,
}  # fmt: skip
_STEPS = {"+=": ast.Add, "-=": ast.Sub, "*=": ast.Mult, "/=": ast.Div, "<<=": ast.LShift, ">>=": ast.RShift}
_HEAD = re.compile(
    r"\s*(?:int\s+)?(\w+)\s*=\s*([^;=]+);\s*(\w+)\s*(<=|>=|<|>|!=)\s*([^;]+);\s*(\w+)\s*(\+\+|--|<<=|>>=|[-+*/]=)\s*(.*)"
)


def amount(value: object, parameters: Mapping[str, int]) -> int:
    """Return a whole number, or the value of a text such as ``"N / 16"``, divisions rounded down.

    Examples
    --------
    >>> amount("N / 16 + 1", {"N": 100})
    7
    """
    if type(value) is int and abs(value) <= LARGEST:
        return value
    if not isinstance(value, str) or len(value) > _LONGEST:
        raise InputError(f"{shown(value)} must be a whole number or an expression in parameters")
    try:
        tree = ast.parse(value.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        raise InputError(f"'{value}' is not an expression of numbers and parameters") from None
    return _value(tree, parameters, value)


def trip_count(head: object, parameters: Mapping[str, int]) -> int:
    """Return how often a loop runs, by executing its head: ``"k = 0; k < N; k += 16"``.

    Raises
    ------
    InputError
        If it is not such a head, names something unknown, or does not end within 10 million iterations.

    Examples
    --------
    >>> trip_count("k = 1; k < N; k *= 2", {"N": 100})
    7
    """
    found = _HEAD.fullmatch(head) if isinstance(head, str) and len(head) <= _LONGEST else None
    if found is None or not found[1] == found[3] == found[6] or (found[7] in ("++", "--")) != (not found[8].strip()):
        raise InputError(f"{shown(head)} must be like 'k = 0; k < N; k += 1'")
    name, test = found[1], _TESTS[found[4]]
    step = _OPERATORS[_STEPS[{"++": "+=", "--": "-="}.get(found[7], found[7])]]
    by = amount(found[8] or "1", parameters)
    limit, at = amount(found[5], parameters), amount(found[2], parameters)
    for count in range(_MOST):
        if not test(at, limit):
            return count
        at = _applied(step, at, by, str(head))
    raise InputError(f"'{head}' has not ended after {_MOST:,} iterations ('{name}' is {at})")


def _value(tree: ast.expr, parameters: Mapping[str, int], text: str) -> int:
    if isinstance(tree, ast.Constant) and type(tree.value) is int:
        return tree.value
    if isinstance(tree, ast.Name):
        if tree.id not in parameters:
            near = did_you_mean(tree.id, parameters)
            raise InputError(f"'{text}' names {tree.id}, which is not a parameter{near}")
        return parameters[tree.id]
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.USub):
        return -_value(tree.operand, parameters, text)
    if isinstance(tree, ast.BinOp) and type(tree.op) in _OPERATORS:
        left, right = _value(tree.left, parameters, text), _value(tree.right, parameters, text)
        return _applied(_OPERATORS[type(tree.op)], left, right, text)
    raise InputError(f"'{text}' has more in it than + - * / % << >> of numbers and parameters")


def _applied(do: Callable[[int, int], int], left: int, right: int, text: str) -> int:
    try:
        result = 0 if do is operator.lshift and right > 64 else do(left, right)
    except (ZeroDivisionError, ValueError):
        raise InputError(f"'{text}' divides by 0 or shifts by less than 0") from None
    if abs(result) > LARGEST or (do is operator.lshift and right > 64):
        raise InputError(f"'{text}' is out of range (up to 2**53)")
    return result


@dataclass
class ParameterScope:
    """The parameters of a file while it is read; ``settings`` are those that the caller gives other values."""

    settings: Mapping[str, int]
    parameters: dict[str, int] = field(default_factory=dict)


def _parameters(value: object, info: ValidationInfo) -> dict[str, int]:
    scope = cast("ParameterScope", info.context)
    # One that is wrong has a value, too: the complaint about it is enough.
    scope.parameters |= dict.fromkeys(value, 1) if isinstance(value, dict) else {}
    scope.parameters |= values.whole_by_name(value)
    scope.parameters |= scope.settings
    return scope.parameters


def _counted(count: Callable[..., int]) -> PlainValidator:
    def check(value: object, info: ValidationInfo) -> int:
        try:
            return count(value, cast("ParameterScope", info.context).parameters)
        except InputError as error:
            words, shown = str(error), f"{values.shown(value)} "
            raise values.rule(words.removeprefix(shown) if words.startswith(shown) else f"({words})") from None

    return PlainValidator(check)


Parameters = Annotated[dict[str, int], PlainValidator(_parameters)]
Amount = Annotated[int, _counted(amount)]
TripCount = Annotated[Any, _counted(trip_count)]
