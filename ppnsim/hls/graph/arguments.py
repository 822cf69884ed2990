"""Loop arguments: loop-invariant values that are computed before a loop body starts (R1.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ppnsim.hls.graph.builder import GraphBuilder
from ppnsim.hls.graph.fifos import is_asked
from ppnsim.hls.graph.functions import function_name
from ppnsim.hls.graph.operators import Operators
from ppnsim.hls.graph.ports import Ports
from ppnsim.hls.library.types import Format
from ppnsim.hls.structure.aliases import is_fixed
from ppnsim.hls.structure.locations import is_constant, iterators
from ppnsim.hls.structure.numerals import whole
from ppnsim.loops.program import Access, Array, Operation, Statement


def is_parameter(arrays: Mapping[str, Array], name: str) -> bool:
    """Return whether a name is a parameter of the kernel, whose value is always available."""
    return name in arrays and arrays[name].role == "parameter"


def is_sign(tree: Operation) -> bool:
    """Return whether an expression is a choice of 1 and -1: the compiler makes it a choice of the products (R1.1).

    It does that before it moves code out of loops, so only the condition leaves them.

    Examples
    --------
    >>> from ppnsim.hls.graph.arguments import is_sign
    >>> less, one, minus, two = (Operation("constant", "int", text=text) for text in ("x < 0", "1", "-1", "2"))
    >>> is_sign(Operation("?:", "int", (less, minus, one))), is_sign(Operation("?:", "int", (less, two, one)))
    (True, False)
    """
    return tree.kind == "?:" and {whole(each) for each in tree.operands[1:]} == {1, -1}


@dataclass(frozen=True, slots=True)
class LoopArguments:
    """The arguments of a pipelined loop, found while its body is built.

    Attributes
    ----------
    around : the graph of the code around the loop.
    operators : operators of the body.
    own : iterators of the loop.
    written : arrays that the loop changes.
    staying : arrays whose elements the loop loads itself, and not the code before it (R1.8).
    certain : statements that every iteration executes and that load data-dependent addresses: only their loads move.
    nodes : the arguments, in the graph around the loop.
    inputs : the nodes in the body that stand for the arguments.
    """

    around: GraphBuilder
    operators: Operators
    own: frozenset[str]
    written: frozenset[str]
    staying: frozenset[str] = frozenset()
    certain: frozenset[Statement] = frozenset()
    nodes: list[int] = field(default_factory=list)
    inputs: dict[int, int] = field(default_factory=dict)

    def load(self, access: Access) -> None:
        """Take the value of a location from the graph around the loop."""
        self._take(self.around.memories.load(access))

    def of(self, tree: Operation, statement: Statement) -> int | None:
        """Return an input for a loop-invariant expression, which is computed before the loop (R1.2)."""
        if tree.kind in ("constant", "iterator", "cast") or is_sign(tree) or not self._invariant(tree, statement):
            return None
        outside = self._take(self.around.expressions.value(tree, statement))
        if outside not in self.inputs:
            at = self.around.graph.nodes[outside]
            if at.kind == "input" and at.unit == "constant":
                return self.operators.constant(at.name, at.format)
            self.inputs[outside] = self.operators.graph.add("input", at.name, at.format)
        return self.inputs[outside]

    def number(self, tree: Operation, statement: Statement) -> int | None:
        """Return an expression of numbers that are known before the loop as a number, None for others (R5.26)."""
        return self.of(tree, statement) if self._is_number(tree, statement) else None

    def _is_number(self, tree: Operation, statement: Statement) -> bool:
        if tree.kind != "read":
            numbers = all(self._is_number(each, statement) for each in tree.operands)
            return numbers and tree.kind not in ("iterator", "call")
        assert tree.read is not None
        if (access := statement.reads[tree.read]).subscripts or not self._invariant(tree, statement):
            return False
        at = self.around.graph.nodes[self.around.memories.load(access)]
        return at.kind == "input" and at.unit == "constant"

    def _take(self, node: int) -> int:
        """Take a value from the graph around the loop; constants and parameters of the kernel need no register."""
        at = self.around.graph.nodes[node]
        free = at.kind == "input" and (at.unit == "constant" or is_parameter(self.operators.arrays, at.name))
        if not free and node not in self.nodes:
            self.nodes.append(node)
        return node

    def _invariant(self, tree: Operation, statement: Statement) -> bool:
        match tree.kind:
            case "constant":
                return True
            case "iterator":
                return tree.text not in self.own
            case "read":
                assert tree.read is not None
                access = statement.reads[tree.read]
                if is_asked(access, self.operators.arrays) or (access.subscripts and access.array in self.staying):
                    return False
                if access.array in self.written or iterators(access) & self.own:
                    return False
                chosen = access.random and not (access.subscripts and tree.operands and statement in self.certain)
                return not chosen and all(self._invariant(each, statement) for each in tree.operands)
            case "call" if not (function_name(tree) in ("sqrt", "sqrtf", "fabs") and Format.of(tree.type).real):
                return False  # fixed-point functions stay calls
        return all(self._invariant(operand, statement) for operand in tree.operands)


@dataclass(frozen=True, slots=True)
class KernelInputs:
    """The invariant values that straight-line code inside loops takes from the code before all loops.

    ``operators`` are those of the code, ``written`` the arrays that the kernel changes. Elements at fixed places of the
    ``lasting`` arrays are loaded before all loops (R9.24). ``own`` are the iterators of the innermost loop around
    the code, ``changed`` what that loop changes (R1.7), ``stay`` the elements that were read before it (R6.21).
    """

    operators: Operators
    written: frozenset[str]
    lasting: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()
    changed: frozenset[str] = frozenset()
    stay: frozenset[Access] = frozenset()

    def of(self, tree: Operation, statement: Statement) -> int | None:
        """Return an input for an expression that no loop changes, since it is computed once (R1.2)."""
        if tree.kind in ("constant", "iterator", "cast") or is_sign(tree):
            return None
        if not self._fixed(tree, statement):
            return self._counted(tree, statement) if self._steady(tree, statement) else None
        if tree.read is not None:
            access = statement.reads[tree.read]
            if not access.subscripts:
                return None
            return self.operators.input(str(access), self.operators.format(access))
        alone = GraphBuilder(Ports(Operators(self.operators.library, self.operators.arrays)))
        format_ = alone.graph.nodes[alone.expressions.value(tree, statement)].format
        return self.operators.input(_described(tree, statement), format_)

    def _steady(self, tree: Operation, statement: Statement) -> bool:
        """Return whether an expression is invariant in the innermost loop, or its iterator times an invariant value."""
        if self._stays(tree, statement):
            return bool(tree.operands)
        left, right = tree.operands if tree.kind == "*" else (tree, tree)
        return any(_bare(a).text in self.own and self._stays(b, statement) for a, b in ((left, right), (right, left)))

    def _counted(self, tree: Operation, statement: Statement) -> int | None:
        """Return an input for an expression, None if it takes more than one state before the loop."""
        alone = GraphBuilder(Ports(Operators(self.operators.library, self.operators.arrays)))
        value = alone.graph.nodes[alone.expressions.value(tree, statement)]
        if value.format.real or (any(node.states for node in alone.graph.nodes) and not _is_multiple(tree)):
            return None
        return self.operators.input(_described(tree, statement), value.format)

    def _stays(self, tree: Operation, statement: Statement) -> bool:
        """Return whether the innermost loop around does not change an integer."""
        if tree.kind == "iterator":
            return tree.text not in self.own
        if tree.kind == "read":
            assert tree.read is not None
            access = statement.reads[tree.read]
            lasts = access.array not in self.changed and not is_asked(access, self.operators.arrays)
            return lasts and not access.subscripts and not access.random
        return tree.kind != "call" and all(self._stays(each, statement) for each in tree.operands)

    def _fixed(self, tree: Operation, statement: Statement) -> bool:
        if tree.kind == "read":
            assert tree.read is not None
            access = statement.reads[tree.read]
            if access.subscripts:
                return access in self.stay or (is_fixed(access) and access.array in self.lasting)
            return not (access.random or access.array in self.written or is_asked(access, self.operators.arrays))
        return tree.kind not in ("iterator", "call") and all(self._fixed(each, statement) for each in tree.operands)


def _is_multiple(tree: Operation) -> bool:
    """Return whether an expression is an iterator times a constant: counting it up needs no product."""
    moving = [_bare(each).kind == "iterator" for each in tree.operands]
    return tree.kind == "*" and any(moving) and any(map(is_constant, tree.operands))


def _bare(tree: Operation) -> Operation:
    """Return an expression without the conversions around it."""
    while tree.kind == "cast":
        (tree,) = tree.operands
    return tree if tree.kind == "iterator" else Operation("", tree.type)


def _described(tree: Operation, statement: Statement) -> str:
    """Return an expression as text."""
    inner = ", ".join(_described(operand, statement) for operand in tree.operands)
    if tree.read is not None:
        return str(statement.reads[tree.read])
    return f"{tree.kind}({inner})" if inner else tree.text
