"""Loops that are unrolled: their bodies, once for each value of the iterator."""

from __future__ import annotations

from ppnsim.c.kinds import STEPS
from ppnsim.c.syntax import SyntaxNode, Variable
from ppnsim.errors import InputError
from ppnsim.hls.native.instrument import body_of, loop_parts
from ppnsim.hls.native.region import NativeRegion
from ppnsim.hls.native.straight import StraightLine
from ppnsim.hls.native.values import format_of

_MOST = 4096
"""Copies of a body that are made."""


def unroll(region: NativeRegion, loop: SyntaxNode, line: StraightLine) -> None:
    """Add a loop to straight-line code: its body, once for each value of the iterator.

    Raises
    ------
    InputError
        If the source does not give the values as constants.
    """
    iterator, values = _values(region, loop)
    for copy, value in enumerate(values):
        line.values.known[iterator] = line.operators.constant(str(value), format_of(iterator.type))
        line.copies.append(copy)
        line.run(body_of(loop))
        line.copies.pop()


def _values(region: NativeRegion, loop: SyntaxNode) -> tuple[Variable, range]:
    start, test, step = loop_parts(loop, region.unit.sources[loop.position.file])
    if start is not None and test is not None and step is not None and test.kind == "binary":
        while start.kind == "block" and len(start.children) == 1:
            start = start.children[0]
        variable = start.variable if start.kind == "declare" else start.children[0].variable
        by = _step(step)
        left, right = (each.bare for each in test.children)
        first, last = (start.children[-1].bare.value if start.children else None), right.value
        more = {"<": 0, "<=": 1, ">": 0, ">=": -1, "!=": 0}.get(test.text)
        known = variable is not None and left.variable is variable and step.children[0].bare.variable is variable
        if known and by and first is not None and last is not None and more is not None:
            values = range(first, last + more, by)
            if len(values) <= _MOST and not any(n.kind in ("break", "continue", "return") for n in loop.walk()):
                assert variable is not None
                return variable, values
    words = "a loop that is unrolled here needs constants: for (int i = first; i < last; i += step), without break"
    raise InputError(words, where=str(loop.position))


def _step(step: SyntaxNode) -> int | None:
    if step.kind == "unary" and step.text in STEPS:
        return 1 if "+" in step.text else -1
    if step.kind == "assign" and step.text in ("+=", "-=") and step.children[1].bare.value is not None:
        return step.children[1].bare.value if step.text == "+=" else -step.children[1].bare.value
    return None
