"""Accesses of a body to FIFOs: tokens keep their order, and two branches of which one is executed share an access."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from ppnsim.hls.graph.values import Values
from ppnsim.loops.expressions import Condition
from ppnsim.loops.program import Access


@dataclass(slots=True)
class Fifos:
    """The accesses of a body to FIFOs: one read and one write per cycle of each, in the order of the program.

    Attributes
    ----------
    values : of the body, whose branches decide whether an access is executed.
    nodes : the accesses so far, by FIFO and ``take`` or ``put``.
    executed : the conditions that each access is executed under, one set of them or another.
    """

    values: Values
    nodes: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    executed: dict[int, list[tuple[Condition, ...]]] = field(default_factory=dict)

    def access(self, name: Literal["take", "put"], access: Access, *operands: int) -> int:
        """Take the next token of a FIFO, or put one into it.

        If data decides whether that is executed, it waits for the data: it cannot be taken back.
        """
        operators, branches, tests = self.values.operators, self.values.branches, self.values.tests()
        graph, port = operators.graph, f"{access} ({'read' if name == 'take' else 'write'})"
        under = tuple(branch.condition for branch in branches.open)
        if (other := branches.alternative(port)) is not None:
            # Only one of the two is executed: they are one access, and multiplexers choose what it does.
            joint = (*graph.nodes[other].operands, *operands, *tests)
            graph.nodes[other].operands = tuple(dict.fromkeys(joint))
            self.executed[other].append(under)
            return other
        node = graph.add(
            "op", name, operators.format(access), (*operands, *tests), delay=operators.library.ns("fifo"),
            access=access, port=port, most=1,
        )  # fmt: skip
        for branch in branches.open:
            branch.ports.append((port, node))
        self.executed[node] = [under]
        before = self.nodes.setdefault((access.array, name), [])
        for earlier in before:
            if (at := graph.nodes[earlier].access) and may_meet(at, access):
                graph.order(earlier, node, 1)
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
