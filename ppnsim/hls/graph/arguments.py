"""What a pipelined loop takes from around it: values that it does not change, computed before it starts (R1.2)."""

from __future__ import annotations

from dataclasses import dataclass, field

from ppnsim.hls.graph.flow import Flow
from ppnsim.hls.library.types import Format
from ppnsim.hls.structure.locations import is_constant, iterators
from ppnsim.loops.program import Operation, Statement


@dataclass(slots=True)
class Arguments:
    """The arguments of a loop, found while its body is built.

    ``own`` are the iterators of the loop and ``written`` the arrays that it changes; ``nodes`` are the arguments in the
    graph around the loop, and ``inputs`` the nodes in its body that stand for them.
    """

    around: Flow
    flow: Flow
    own: set[str]
    written: set[str]
    nodes: list[int] = field(default_factory=list)
    inputs: dict[int, int] = field(default_factory=dict)

    def take(self, node: int) -> int:
        """Take a value from around the loop; numbers and parameters of the kernel need no register."""
        at = self.around.graph.nodes[node]
        if at.kind == "input" and (at.unit == "constant" or self.parameter(at.name)):
            return node
        if node not in self.nodes:
            self.nodes.append(node)
        return node

    def parameter(self, name: str) -> bool:
        """Return whether a name is a parameter of the kernel, which is there all the time."""
        array = self.around.arrays.get(name)
        return array is not None and array.role == "parameter"

    def of(self, tree: Operation, statement: Statement) -> int | None:
        """Return an input for an expression that the loop does not change, which is computed before it (R1.2)."""
        if tree.kind in ("constant", "iterator", "cast") or is_constant(tree) or not self._invariant(tree, statement):
            return None
        outside = self.take(self.around.value(tree, statement))
        if outside not in self.inputs:
            at = self.around.graph.nodes[outside]
            if at.kind == "input" and at.unit == "constant":
                return self.flow.constant(at.name, at.format)
            self.inputs[outside] = self.flow.graph.add("input", at.name, at.format)
        return self.inputs[outside]

    def _invariant(self, tree: Operation, statement: Statement) -> bool:
        if tree.kind == "constant":
            return True
        if tree.kind == "iterator":
            return tree.text not in self.own
        if tree.kind == "call" and not self._hoisted(tree):
            return False
        if tree.kind == "read":
            assert tree.read is not None
            access = statement.reads[tree.read]
            return not access.random and access.array not in self.written and not iterators(access) & self.own
        return all(self._invariant(operand, statement) for operand in tree.operands)

    @staticmethod
    def _hoisted(tree: Operation) -> bool:
        """A root of floating point is an operation; functions of fixed point are calls that stay where they are."""
        return tree.text.rsplit("::", 1)[-1] in ("sqrt", "sqrtf", "fabs") and Format.of(tree.type).real
