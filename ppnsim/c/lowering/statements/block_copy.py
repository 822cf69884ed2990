"""``memcpy`` as a loop."""

from __future__ import annotations

from ppnsim.c.lowering.places.elements import carried, indexed, pointer
from ppnsim.c.lowering.scope import ArrayPlace, Scope
from ppnsim.c.lowering.values.affine import read
from ppnsim.c.lowering.values.errors import NotAffine, NotBound
from ppnsim.c.pragmas.read import StatementTiming
from ppnsim.c.syntax import SyntaxNode, refuse
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import Execution, Loop, Operation, Statement


def copied_block(node: SyntaxNode, scope: Scope, timing: StatementTiming) -> Loop:
    """Return ``memcpy`` as a loop that copies one element per iteration.

    Raises
    ------
    InputError
        If the number of bytes is data, or is not a whole number of elements.
    """
    target, source = (pointer(child.bare, scope) for child in node.children[:2])
    try:
        size = read(node.children[2], scope)
    except (NotAffine, NotBound) as reason:
        refuse(node.position, f"'{node}' copies no constant number of bytes: {reason}")
    bits = scope.context.arrays[target.array].bits
    if not isinstance(size, Affine) or not size.is_constant or 8 * size.constant % max(bits, 1):
        refuse(node.position, f"'{node}' copies no constant number of elements of {bits} bits")
    name = scope.context.new_iterator("copy")
    count = 8 * size.constant // bits
    scope.ranges[name] = (0, max(0, count - 1))
    places = [_element(each, Affine.of(name), scope) for each in (target, source)]
    value = Operation("read", scope.context.arrays[source.array].type, read=0, position=node.position)
    statement = Statement(
        name=scope.context.statement_names.unique("memcpy"), reads=(places[1].access(),), writes=(places[0].access(),),
        value=value, ii=timing.ii, latency=timing.latency, path=scope.path, position=node.position,
    )  # fmt: skip
    first, last = (Affine.of(0),), (Affine.of(count - 1),)
    body = (Execution(statement),)
    return Loop(iterator=name, first=first, last=last, body=body, position=node.position, end=node.end)


def _element(base: ArrayPlace, at: Affine, scope: Scope) -> ArrayPlace:
    """Return element ``at`` of a block that begins at a place and continues through all rows."""
    missing = len(scope.context.arrays[base.array].shape) - len(base.subscripts)
    start = ArrayPlace(base.array, base.subscripts + (Affine.of(0),) * missing, pointer=True)
    return carried(indexed(start, at), scope)
