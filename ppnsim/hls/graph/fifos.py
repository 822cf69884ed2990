"""Accesses to FIFOs: one read and one write per cycle of each, and in the order of the program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ppnsim.loops.program import Access

if TYPE_CHECKING:
    from ppnsim.hls.graph.memories import Memories


def take(flow: Memories, access: Access) -> int:
    """Return the next token of a FIFO."""
    return _access(flow, "take", access, ())


def put(flow: Memories, access: Access, value: int) -> int:
    """Append a token to a FIFO and return the node that does it."""
    return _access(flow, "put", access, (value,))


def _access(flow: Memories, name: str, access: Access, operands: tuple[int, ...]) -> int:
    """Add an access; one that is executed only if data says so waits for that, because it cannot be taken back."""
    tests = tuple(flow.condition(each) for each in flow.branches.tests())
    nodes, port = flow.graph.nodes, f"{access} ({'read' if name == 'take' else 'write'})"
    under = tuple(branch.condition for branch in flow.branches.open)
    if (other := flow.branches.alternative(port)) is not None:
        # Only one of the two is executed: they are one access, and multiplexers choose what it does.
        nodes[other].operands = tuple(dict.fromkeys((*nodes[other].operands, *operands, *tests)))
        flow.executed[other].append(under)
        return other
    node = flow.graph.add(
        "op", name, flow.format(access), (*operands, *tests), delay=flow.library.ns("fifo"), access=access, port=port,
        most=1,
    )  # fmt: skip
    flow.branches.note(port, node)
    flow.executed[node] = [under]
    before = flow.tokens.setdefault((access.array, name), [])
    for earlier in before:
        at = nodes[earlier].access
        if at is not None and may_meet(at, access):
            flow.graph.order(earlier, node, 1)
    before.append(node)
    return node


def may_meet(left: Access, right: Access) -> bool:
    """Return whether two accesses may be to the same FIFO of an array of them.

    Examples
    --------
    >>> from ppnsim.loops.expressions import Affine
    >>> may_meet(Access("s", (Affine.of(0),), True), Access("s", (Affine.of(1),), True))
    False
    """
    return not any(a.minus(b) for a, b in zip(left.subscripts, right.subscripts, strict=False))
