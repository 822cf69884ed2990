"""From expressions to operators: each kind of operation has its rule (R2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ppnsim.errors import InputError
from ppnsim.hls.graph import arithmetic
from ppnsim.hls.graph.bits import BITS, bits_of
from ppnsim.hls.graph.calls import called, check_known
from ppnsim.hls.graph.memories import Memories
from ppnsim.hls.graph.operators import Operators
from ppnsim.hls.library.types import Format
from ppnsim.loops.program import Access, Operation, Statement

Invariant = Callable[[Operation, Statement], int | None]
"""Returns the node of an expression that is computed before the body starts, None for others."""
_COUNTER = Format("integer", 32)


@dataclass(frozen=True, slots=True)
class Expressions:
    """The expressions of a body as operators."""

    operators: Operators
    memories: Memories
    invariant: Invariant

    def value(self, tree: Operation, statement: Statement, whole: int | None = None) -> int:
        """Return the node of an expression of which ``whole`` bits before the point are wanted (None: all).

        Raises
        ------
        InputError
            If an operation has no operator in hardware.
        """
        if (given := self.invariant(tree, statement)) is not None:
            return given
        if tree.kind == "call":
            check_known(tree, statement)
        wanted = _wanted(tree, whole)
        nodes = tuple(self.value(operand, statement, wanted if k or tree.kind != "?:" else None)
                      for k, operand in enumerate(tree.operands))  # fmt: skip
        operators, where = self.operators, str(tree.position)
        match tree.kind:
            case "constant":
                return operators.constant(tree.text, Format.of(tree.type, where))
            case "iterator":
                return operators.input(tree.text, _COUNTER)
            case "read":
                assert tree.read is not None
                return self._read(statement.reads[tree.read], nodes)
            case "address" | "reference":
                # What a function may read through a pointer is computed; what it writes there becomes its result.
                return operators.input(str(tree.place), _COUNTER)
            case "cast" | "+x":
                return operators.converted(nodes[0], Format.of(tree.type, where))
            case "-x" | "~x" | "!x":
                return arithmetic.unary(operators, tree, nodes[0])
            case "?:":
                return arithmetic.chosen(operators, tree, *nodes)
            case "call":
                return called(operators, tree, statement, nodes)
            case "<<" | ">>":
                return arithmetic.shifted(operators, tree, *nodes)
        if tree.kind in BITS:
            return bits_of(operators, tree, nodes)
        if tree.kind in arithmetic.BINARY:
            left, right = nodes
            return arithmetic.binary(operators, tree, left, right, whole)
        raise InputError(f"'{tree.kind}' has no operator in hardware", where=where)

    def _read(self, access: Access, index: tuple[int, ...]) -> int:
        return self.operators.narrowed(self.memories.load(access, index), self.operators.format(access))


def _wanted(tree: Operation, whole: int | None) -> int | None:
    """Return the bits before the point that an operation needs of its operands (None: all)."""
    if tree.kind == "cast" or tree.kind == "+x":
        to = Format.of(tree.type, str(tree.position))
        return to.whole if to.family == "fixed" else whole
    return whole if tree.kind in ("-x", "?:", "+", "-") else None
