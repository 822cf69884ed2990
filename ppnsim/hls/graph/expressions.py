"""Expressions as operators: each kind of operation and each function has a rule for its nodes (R2)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ppnsim.errors import InputError
from ppnsim.hls.graph import arithmetic
from ppnsim.hls.graph.common_operators import Replaced, for_both
from ppnsim.hls.graph.cores import CORES, called_core
from ppnsim.hls.graph.functions import CHOICES, COMPOSED, MATHS, check_known, function_name, unit_of
from ppnsim.hls.graph.memories import Memories
from ppnsim.hls.graph.operators import Operators
from ppnsim.hls.graph.remainders import counted
from ppnsim.hls.graph.residues import marked, residue
from ppnsim.hls.graph.simplify import number, whole_number
from ppnsim.hls.library.types import BIT, SINGLE, Format, joined
from ppnsim.loops.program import Operation, Statement

Invariant = Callable[[Operation, Statement], int | None]
"""Returns the node of an expression that is computed before the body starts, None for other expressions."""
_COUNTER = Format("integer", 32)


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
        wanted = _wanted(tree, whole)
        if tree.kind == "?:":
            nodes = self._arms(tree.operands, statement, wanted)
        elif self.serial and tree.kind in ("&&", "||"):
            nodes = self._serial(tree.operands, statement, wanted)
        else:
            nodes = tuple([self.value(operand, statement, wanted) for operand in tree.operands])
        operators, where = self.operators, tree.position
        if (known := whole_number(operators, tree, nodes)) is not None:
            return known
        match tree.kind:
            case "constant":
                return operators.constant(tree.text, Format.of(tree.type, where))
            case "iterator":
                return operators.input(tree.text, _COUNTER)
            case "address" | "reference":
                # A value that a function may read through a pointer is computed; the written value is its result.
                return operators.input(str(tree.place), _COUNTER)
            case "cast" | "+x":
                return operators.converted(nodes[0], Format.of(tree.type, where))
            case "-x" | "~x" | "!x":
                return arithmetic.unary(operators, tree, nodes[0])
            case "?:":
                return self._chosen(tree, *nodes)
            case "call":
                return _called(operators, tree, statement, nodes)
            case "<<" | ">>":
                return arithmetic.shifted(operators, tree, *nodes)
        if tree.kind in arithmetic.BITS:
            return arithmetic.bits_of(operators, tree, nodes)
        if tree.kind in arithmetic.BINARY:
            left, right = nodes
            return arithmetic.binary(operators, tree, left, right, whole)
        raise InputError(f"'{tree.kind}' has no operator in hardware", where=str(where))

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


def _called(operators: Operators, tree: Operation, statement: Statement, operands: tuple[int, ...]) -> int:
    """Return the result of a known function."""
    where, name = str(tree.position), function_name(tree)
    formats = [operators.graph.nodes[operand].format for operand in operands] or [_COUNTER]
    if name in CHOICES:
        common = joined(formats[0], formats[-1])
        if operators.library.knows("max", common):
            operands = tuple(operators.converted(operand, common) for operand in operands)
            return operators.op("max", common, operands, where, kind=name)
        test = operators.op("cmp", BIT, operands, where, wide=common)
        return operators.op("select", common, (test, *operands), where)
    if tree.type != "void":
        to = Format.of(tree.type, where)
    else:  # the function writes its statement's target
        to = operators.format(statement.writes[0]) if statement.writes else BIT
    if name in CORES:
        return called_core(operators, name, to, int(operators.graph.nodes[operands[0]].name), operands[1:])
    if name in COMPOSED:
        return _composed(operators, name, to, operands, where)
    if name not in MATHS:
        states = 1 if statement.latency is None else statement.latency
        entry, interval = operators.library.budget if states else 0.0, statement.ii or 1
        return operators.graph.add("op", name, to, operands, states=states, entry=entry, unit=name, interval=interval)
    value = number(operators.graph.nodes[operands[0]]) if len(operands) == 1 else None
    if to.real and value is not None and value >= 0 and MATHS[name] == "sqrt":
        return operators.constant(repr(math.sqrt(value)), to)
    if to.real:
        return _through(operators, name, to, operands, where)
    return operators.op(unit_of(name, operators.library, to), to, operands, where, wide=formats[0], kind=name)


def _composed(operators: Operators, name: str, to: Format, operands: tuple[int, ...], where: str) -> int:
    """Return a product with a sum, a positive difference, or the larger or smaller of two magnitudes."""
    operands = tuple(operators.converted(operand, to) for operand in operands)
    if name.startswith(("fma", "mad")):
        return operators.op("add", to, (operators.op("mul", to, operands[:2], where), operands[2]), where)
    test = operators.op("cmp", BIT, operands, where, wide=to, kind=name)
    if name.startswith("fdim"):
        operands = (operators.op("add", to, operands, where, negative=1),)
    return operators.op("select", to, (test, *operands), where)


def _through(operators: Operators, name: str, to: Format, operands: tuple[int, ...], where: str) -> int:
    """Return a floating-point function; a function without a ``half`` unit is computed in float (R2.12)."""
    unit = unit_of(name, operators.library, to)
    of = to if to.family != "half" or operators.library.knows(unit, to) else SINGLE
    if not operators.graph.nodes[operands[0]].format.real or of != to:
        operands = tuple(operators.converted(operand, of) for operand in operands)
    return operators.converted(operators.op(unit, of, operands, where, kind=name), to)
