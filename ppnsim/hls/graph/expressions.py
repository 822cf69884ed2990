"""Expressions as operators: each kind of operation and each function has a rule for its nodes (R2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ppnsim.errors import InputError
from ppnsim.hls.graph import arithmetic
from ppnsim.hls.graph.called import COUNTER, called_function
from ppnsim.hls.graph.common_operators import Replaced, for_both
from ppnsim.hls.graph.functions import check_known, check_no_memory, is_unit
from ppnsim.hls.graph.memories import Memories
from ppnsim.hls.graph.operators import Operators
from ppnsim.hls.graph.remainders import counted
from ppnsim.hls.graph.residues import marked, residue
from ppnsim.hls.graph.simplify import whole_number
from ppnsim.hls.library.types import Format
from ppnsim.loops.program import Operation, Statement

Invariant = Callable[[Operation, Statement], int | None]
"""Returns the node of an expression that is computed before the body starts, None for other expressions."""
_POINTERS = ("address", "reference")


@dataclass(slots=True)
class Expressions:
    """The expressions of a body as operators.

    ``replaced`` receives operators that one operator replaces for both ways. ``serial``: the second operand of ``&&``
    and ``||`` is loaded after the first one, as in tests that end a loop (R4.10).
    """

    operators: Operators
    memories: Memories
    invariant: Invariant
    replaced: Replaced = lambda _: None
    serial: bool = False

    def value(self, tree: Operation, statement: Statement, whole: int | None = None) -> int:
        """Return the node of an expression, of which ``whole`` bits before the point are needed (None: all).

        Raises
        ------
        InputError
            If an operation has no operator in hardware.
        """
        if (given := self.invariant(tree, statement)) is not None:
            return given
        if tree.kind == "read":
            return self._read(tree, statement)
        if tree.kind == "call":
            check_known(tree, statement)
        if (test := counted(tree)) is not None:
            return self.memories.values.remainder(test, str(test.left))
        nodes = self._operands(tree, statement, _wanted(tree, whole))
        operators, where = self.operators, tree.position
        if (known := whole_number(operators, tree, nodes)) is not None:
            return known
        match tree.kind:
            case "constant":
                return operators.constant(tree.text, Format.of(tree.type, where))
            case "iterator":
                return operators.input(tree.text, COUNTER)
            case "address" | "reference":
                # A value that a function may read through a pointer is computed; the written value is its result.
                return operators.input(str(tree.place), COUNTER)
            case "cast" | "+x":
                return operators.converted(nodes[0], Format.of(tree.type, where))
            case "-x" | "~x" | "!x":
                return arithmetic.unary(operators, tree, nodes[0])
            case "?:":
                return self._chosen(tree, *nodes)
            case "call":
                return called_function(operators, tree, statement, nodes)
            case "<<" | ">>":
                return arithmetic.shifted(operators, tree, *nodes)
        if tree.kind in arithmetic.BITS:
            return arithmetic.bits_of(operators, tree, nodes)
        if tree.kind in arithmetic.BINARY:
            left, right = nodes
            return arithmetic.binary(operators, tree, left, right, whole)
        raise InputError(f"'{tree.kind}' has no operator in hardware", where=str(where))

    def _operands(self, tree: Operation, statement: Statement, wanted: int | None) -> tuple[int, ...]:
        """Return the nodes of the operands of an operation, of which ``wanted`` bits before the point are needed."""
        if tree.kind == "?:":
            return self._arms(tree.operands, statement, wanted)
        if self.serial and tree.kind in ("&&", "||"):
            return self._serial(tree.operands, statement, wanted)
        if is_unit(tree):
            return tuple(node for operand in tree.operands for node in self._arguments(operand, statement))
        return tuple([self.value(operand, statement, wanted) for operand in tree.operands])

    def index(self, subscripts: Sequence[Operation], statement: Statement) -> tuple[int, ...]:
        """Return the nodes of data-dependent subscripts; a subscript with a known remainder is a marked wire (R6.1)."""
        found = [self.value(each, statement) for each in subscripts]
        for at, (node, tree) in enumerate(zip(found, subscripts, strict=True)):
            known = self.operators.graph.nodes[node]
            if known.unit != "constant" and (rest := residue(tree))[0] > 1:
                found[at] = self.operators.wire(marked(rest), known.format, node)
        return tuple(found)

    def _read(self, tree: Operation, statement: Statement) -> int:
        assert tree.read is not None
        access, index = statement.reads[tree.read], self.index(tree.operands, statement)
        return self.operators.narrowed(self.memories.load(access, index), self.operators.format(access))

    def _arguments(self, tree: Operation, statement: Statement) -> list[int]:
        """Return the nodes that a function without a body waits for: a value, or what it reads through a pointer."""
        inner = tree.operands[0] if tree.kind == "cast" else tree
        if inner.kind not in _POINTERS:
            return [self.value(tree, statement)]
        check_no_memory(inner, statement, self.memories.ports)
        return [self.value(each, statement) for each in inner.operands]

    def _chosen(self, tree: Operation, test: int, yes: int, no: int) -> int:
        """Return the node of a choice: one operator that both ways share, as for an ``if``, or a multiplexer."""
        found = for_both(self.operators, test, yes, no, self.replaced)
        return arithmetic.chosen(self.operators, tree, test, yes, no) if found is None else found

    def _arms(self, operands: Sequence[Operation], statement: Statement, wanted: int | None) -> tuple[int, ...]:
        """Return the nodes of a test and of its two alternatives, of which one is used (R3.6)."""
        test, places = self.value(operands[0], statement), self.memories.values.places
        found = [test]
        for operand, way in zip(operands[1:], (1, -1), strict=True):
            places.arms.append(way * places.way(test))
            found.append(self.value(operand, statement, wanted))
            places.arms.pop()
        return tuple(found)

    def _serial(self, operands: Sequence[Operation], statement: Statement, wanted: int | None) -> tuple[int, ...]:
        """Return the nodes of two operands; the loads of the second one wait for the first one (R4.10)."""
        left = self.value(operands[0], statement, wanted)
        self.memories.waits.append(left)
        right = self.value(operands[1], statement, wanted)
        self.memories.waits.pop()
        return left, right


def _wanted(tree: Operation, whole: int | None) -> int | None:
    """Return the bits before the point that an operation needs from its operands (None: all)."""
    if tree.kind in ("cast", "+x"):
        to = Format.of(tree.type, str(tree.position))
        return to.whole if to.family == "fixed" else whole
    return whole if tree.kind in ("-x", "?:", "+", "-") else None
