"""Reads assertions on integers, by which a source tells synthesis tools the limits of a bound: ``assert(n <= 64)``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ppnsim.c.lowering.functions.frames import constants
from ppnsim.c.lowering.scope import Scope
from ppnsim.c.plain.nodes import BOOL, binary
from ppnsim.c.plain.nodes import number as number_at
from ppnsim.c.pragmas.numbers import number
from ppnsim.c.pragmas.text import blanked
from ppnsim.c.syntax import SyntaxNode, Variable
from ppnsim.loops.position import Position

_ASSERTED = re.compile(r"\bassert\s*\(([^;]*)\)\s*;")
_COMPARED = re.compile(r"\s*\(?\s*([^<>=!&|]+?)\s*(<=|>=|==|<|>)\s*([^<>=!&|]+?)\s*\)?\s*")
Assertion = tuple[SyntaxNode, range]
"""A comparison at its line, and the columns of its assertion, where what the compiler makes of it begins."""
_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "=="}


def asserted(scope: Scope) -> list[Assertion]:
    """Return the comparisons of a variable and a known number that the function asserts, with their places.

    UG1399 bounds a loop so. Other conditions say nothing: they are not code, and may be whatever a testbench needs.
    """
    function = scope.function
    text = scope.context.unit.active.get(function.position.file, "")
    if not scope.context.policy.vendor_pragmas or "assert" not in text:
        return []
    lines = blanked(text).split("\n")[function.position.line - 1 : function.end]
    found = [(at, said) for at, line in enumerate(lines, function.position.line) for said in _ASSERTED.finditer(line)]
    if not found:
        return []
    named = dict[str, set[Variable]]()
    for each in (*function.parameters, *(node.variable for node in function.walk("name", "declare"))):
        if each is not None:
            named.setdefault(each.name, set()).add(each)
    single = {name: next(iter(own)) for name, own in named.items() if len(own) == 1}
    values = constants(scope)
    return [
        (test, range(said.start() + 1, said.end() + 1))
        for at, said in found if "||" not in said[1] for part in said[1].split("&&")
        if (test := _test(part, Position(function.position.file, at, 1), single, values)) is not None
    ]  # fmt: skip


def _test(
    text: str, at: Position, named: dict[str, Variable], values: dict[str, int]
) -> SyntaxNode | None:  # fmt: skip
    """Return the comparison in a text, with the variable first; None if it is none of a variable and a number."""
    match = _COMPARED.fullmatch(text)
    for left, operator, right in _ways(match) if match is not None else ():
        limit, variable = number(right, values), named.get(left)
        if limit is not None and variable is not None and variable.type.kind == "integer" and left not in values:
            name = SyntaxNode("name", at, variable.type, variable=variable, end=at.line)
            return binary(operator, name, number_at(name, limit, variable.type), BOOL)
    return None


def _ways(match: re.Match[str]) -> Iterator[tuple[str, str, str]]:
    """Yield a comparison in both orders."""
    yield match[1], match[2], match[3]
    yield match[3], _TURNED[match[2]], match[1]
