"""The values of a counted loop's iterator, if the source gives its bounds as constants."""

from __future__ import annotations

from ppnsim.c.kinds import STEPS
from ppnsim.c.plain.evaluate import number_of
from ppnsim.c.syntax import SyntaxNode, Variable
from ppnsim.errors import InputError
from ppnsim.hls.native.instrument import body_of, loop_parts
from ppnsim.hls.native.places import changed
from ppnsim.hls.native.region import NativeRegion

_MOST = 4096
"""Most copies of a body."""
_ENDS = {"<": 0, "<=": 1, ">": 0, ">=": -1, "!=": 0}
"""Comparison operators of loop heads, with the offset that they add to the last value."""


def values_of(region: NativeRegion, loop: SyntaxNode) -> tuple[Variable, range]:
    """Return the iterator of an unrolled loop, and its values.

    Raises
    ------
    InputError
        If the source does not give the bounds as constants, or the loop may end before the last value.
    """
    start, test, step = loop_parts(loop, region.unit.sources[loop.position.file])
    found = None if start is None or test is None or step is None else _range(start, test, step)
    leaves = any(node.kind in ("break", "continue", "return") for node in loop.walk())
    sets = found is not None and any(found[0] is each.bare.variable for each in changed(body_of(loop)))
    if found is None or leaves or sets or not found[1] or len(found[1]) > _MOST:
        words = "a loop that is unrolled here needs constants: for (int i = first; i < last; i += step), without break"
        raise InputError(words, where=str(loop.position))
    return found


def counted(region: NativeRegion, loop: SyntaxNode) -> tuple[Variable, int] | None:
    """Return the iterator of a loop and its number of values, None without constant bounds."""
    start, test, step = loop_parts(loop, region.unit.sources[loop.position.file])
    found = None if start is None or test is None or step is None else _range(start, test, step)
    if found is None or any(found[0] is each.bare.variable for each in changed(body_of(loop))):
        return None
    return found[0], len(found[1])


def _range(start: SyntaxNode, test: SyntaxNode, step: SyntaxNode) -> tuple[Variable, range] | None:
    """Return the iterator and the values of a loop head, None without constant bounds."""
    while start.kind == "block" and len(start.children) == 1:
        start = start.children[0]
    more, by = _ENDS.get(test.text), _step(step)
    if not start.children or test.kind != "binary" or more is None or not by:
        return None
    variable = start.variable if start.kind == "declare" else start.children[0].variable
    first, last = number_of(start.children[-1], {}), number_of(test.children[1], {})
    of_step = {node.variable for node in step.walk() if node.kind == "name"}
    if variable is None or first is None or last is None:
        return None
    same = test.children[0].bare.variable is variable and of_step == {variable}
    return (variable, range(first, last + more, by)) if same else None


def _step(step: SyntaxNode) -> int | None:
    if step.kind == "unary" and step.text in STEPS:
        return 1 if "+" in step.text else -1
    by = number_of(step.children[1], {}) if step.kind == "assign" and step.text in ("+=", "-=") else None
    return by if by is None or step.text == "+=" else -by
