"""Values that are spread: ``(a, b) = c`` of the vendor's integers, and a list over the lanes of a vector."""

from __future__ import annotations

from collections.abc import Iterator

from ppnsim.c.clang.methods import name_of
from ppnsim.c.plain.nodes import INT
from ppnsim.c.syntax import SyntaxNode, Variable, refuse, unsigned


def spread(joined: SyntaxNode, value: SyntaxNode) -> SyntaxNode:
    """Return the assignments of the bits of a value to the numbers of a ``join``, the last number first.

    Raises
    ------
    InputError
        If the value is read from a stream or computed by a call, which would be done once for each number, or is of
        the numbers themselves.
    """
    parts = list(_parts(joined))
    own = {each.variable for part in parts for each in part.walk() if each.variable is not None}
    if any(each.kind in ("token", "call") or each.variable in own for each in value.walk()):
        refuse(joined.position, f"'{joined}' takes bits of '{value}'; put that into a variable first")
    whole = SyntaxNode("cast", value.position, unsigned(sum(p.type.bits for p in parts)), (value,), end=value.end)
    found, low = [], 0
    for part in reversed(parts):
        ends = [SyntaxNode("integer", value.position, INT, value=at, end=value.end)
                for at in (low + part.type.bits - 1, low)]  # fmt: skip
        bits = SyntaxNode("bits", value.position, unsigned(part.type.bits), (whole, *ends), end=value.end)
        found.append(SyntaxNode("assign", part.position, part.type, (part, bits), "=", end=joined.end))
        low += part.type.bits
    return SyntaxNode("block", joined.position, children=tuple(found), end=joined.end, extent=joined.extent)


def _parts(node: SyntaxNode) -> Iterator[SyntaxNode]:
    if node.bare.kind == "join":
        for child in node.bare.children:
            yield from _parts(child)
    else:
        yield node.bare


def lanes(variable: Variable, given: SyntaxNode) -> Iterator[SyntaxNode]:
    """Yield the assignments of a list of values to the lanes of an ``hls::vector``."""
    (name, lane), (values,) = variable.type.fields[0], given.children
    assert lane.element is not None
    array = SyntaxNode("member", given.position, lane, (name_of(variable, given),), name, end=given.end)
    for number, value in enumerate(values.children):
        at = SyntaxNode("integer", value.position, INT, value=number, end=value.end)
        place = SyntaxNode("index", value.position, lane.element, (array, at), end=value.end)
        yield SyntaxNode("assign", value.position, lane.element, (place, value), "=", end=value.end)
