"""Expressions, evaluated for all work items at once."""

from __future__ import annotations

import re

from ppnsim.c.clang.opencl import BITS
from ppnsim.c.kinds import STEPS
from ppnsim.c.syntax import CType, SyntaxNode, refuse
from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine
from ppnsim.loops.position import Position
from ppnsim.opencl.reader.expressions.calls import call
from ppnsim.opencl.reader.expressions.memory import lanes_loaded, lanes_stored, loaded, place, pointed, put, size_of
from ppnsim.opencl.reader.expressions.operators import COMPARISONS, binary, chosen, converted, negated
from ppnsim.opencl.reader.machine import Mode, SymbolicMachine
from ppnsim.opencl.reader.symbolic.values import AnyValue, Pointer, Value, joined, lane_count, lanes_of, steps_of, typed

_BITS_CHANGE = ("/", "%", ">>", "&", "|", "^")  # their operands cost steps, in addresses too
_INT = CType("integer", "int", 32)
_PLACED = re.compile(r":\d+:\d+: ")


def evaluate(node: SyntaxNode, machine: SymbolicMachine, mode: Mode = "data") -> AnyValue:
    """Return the value of an expression, and add the steps that compute it.

    Raises
    ------
    InputError
        For what the model does not follow, with its place in the source.
    """
    try:
        return _evaluate(node, machine, mode)
    except InputError as error:
        raise placed(error, node.position) from None


def placed(error: InputError, position: Position) -> InputError:
    """Return an error that says where it is: there already, or at a position."""
    return error if _PLACED.search(str(error)) else InputError(str(error), where=str(position))


def _evaluate(node: SyntaxNode, machine: SymbolicMachine, mode: Mode) -> AnyValue:
    match node.kind:
        case "integer" if node.value is not None:
            return Value(whole=Affine.of(node.value), literal=True)
        case "real" | "string":
            return Value(literal=True)
        case "name" | "index" | "member":
            return _loaded(node, machine)
        case "lanes":
            return lanes_loaded(node, machine)
        case "unary":
            return _unary(node, machine, mode)
        case "binary":
            return _binary(node, machine, mode)
        case "assign":
            return assigned(node, machine)
        case "choice":
            return _choice(node, machine, mode)
        case "cast" if node.children:
            source = node.children[-1]
            value = evaluate(source, machine, mode)
            kept = source.kind == "call" and source.spelled == BITS
            return value if kept else converted(machine, value, node.type, source.type)
        case "call":
            return call(node, machine, mode)
        case "list":
            return listed(node, machine)
    return refuse(node.position, f"'{node}' is not an expression that the model of OpenCL kernels follows")


def _loaded(node: SyntaxNode, machine: SymbolicMachine) -> AnyValue:
    base = node.children[0] if node.children else node
    is_lane = node.kind == "index" and base.type.kind == "vector"
    if is_lane or (node.kind == "member" and base.kind in ("call", "choice")):
        return Value(steps_of(evaluate(base, machine)))
    return loaded(machine, place(node, machine), node.type, node)


def _unary(node: SyntaxNode, machine: SymbolicMachine, mode: Mode) -> AnyValue:
    operand = node.children[0]
    if node.text in STEPS:
        before = evaluate(operand, machine)
        by, operator = Value(whole=Affine.of(1), literal=True), node.text[-1]
        moved = _moved(before, by, operator, operand)
        new = moved or binary(machine, operator, before, by, operand.type, _mode(operand, machine))
        store(operand, new, machine)
        return before if node.text.startswith("x") else new
    if node.text == "&":
        return place(operand, machine)
    if node.text == "*":
        return loaded(machine, place(node, machine), node.type, node)
    value = evaluate(operand, machine, mode)
    return value if node.text == "+" else negated(machine, node.text, value, operand.type, mode)


def _binary(node: SyntaxNode, machine: SymbolicMachine, mode: Mode) -> AnyValue:
    left, right = node.children
    inner: Mode = "data" if node.text in (*COMPARISONS, *_BITS_CHANGE) else mode
    if node.text == ",":
        evaluate(left, machine)
        return evaluate(right, machine, mode)
    if left.type.kind == "pointer" or right.type.kind == "pointer":
        return _of_pointers(node, machine)
    one, other = evaluate(left, machine, inner), evaluate(right, machine, inner)
    of = left.type if left.type.kind == "vector" else right.type
    if of.kind != "vector":
        of = left.type if left.type.kind == "real" else right.type
    return binary(machine, node.text, one, other, of, mode)


def _of_pointers(node: SyntaxNode, machine: SymbolicMachine) -> AnyValue:
    """Return a pointer moved by a number; the difference and the comparison of two pointers are unknown numbers."""
    left, right = node.children
    if node.text in ("+", "-") and (left.type.kind == "pointer") != (right.type.kind == "pointer"):
        pointer, number = (left, right) if left.type.kind == "pointer" else (right, left)
        start = pointed(pointer, machine)
        moved = _moved(start, evaluate(number, machine, "address"), node.text, pointer)
        if moved is not None:
            return moved
    steps = steps_of(evaluate(left, machine)) | steps_of(evaluate(right, machine))
    return Value(machine.builder.emit("int_add", steps), machine.unknown("it compares pointers"))


def _moved(start: AnyValue, by: AnyValue, operator: str, node: SyntaxNode) -> Pointer | None:
    """Return a pointer moved by elements, None if it is not a pointer."""
    if not isinstance(start, Pointer) or not isinstance(by, Value) or by.whole is None or node.type.element is None:
        return None
    distance = by.whole if operator == "+" else by.whole * -1
    return start.moved(distance * size_of(node.type.element, node), by.steps)


def _mode(node: SyntaxNode, machine: SymbolicMachine) -> Mode:
    """Return how a variable is advanced: a loop counter costs nothing beside the iterations."""
    return "address" if node.kind == "name" and node.variable in machine.followed else "data"


def assigned(node: SyntaxNode, machine: SymbolicMachine) -> AnyValue:
    """Return the value that an assignment assigns."""
    left, right = node.children
    operator = node.text[:-1]
    if not operator:
        value = evaluate(right, machine)
    else:
        before = evaluate(left, machine)
        by = evaluate(right, machine, "address" if left.type.kind == "pointer" else "data")
        moved = _moved(before, by, operator, left) if operator in ("+", "-") else None
        of = left.type
        if right.type.kind == "real" and of.kind == "integer":  # computed as real numbers
            before, of = converted(machine, before, right.type, of), right.type
        new = moved or binary(machine, operator, before, by, of, _mode(left, machine))
        value = converted(machine, new, left.type, of)
    store(left, value, machine)
    return value


def store(node: SyntaxNode, value: AnyValue, machine: SymbolicMachine) -> None:
    """Store a value to the place of an expression."""
    while node.kind == "cast" and len(node.children) == 1:
        node = node.children[0]
    if node.kind == "lanes":
        lanes_stored(node, value, machine)
        return
    where = place(node, machine)
    if where.memory.space == "constant":
        refuse(node.position, f"'{node}' is constant")
    put(machine, where, node.type, typed(value, node.type))


def _choice(node: SyntaxNode, machine: SymbolicMachine, mode: Mode) -> AnyValue:
    test = evaluate(node.children[0], machine, "test")
    known = test.whole if isinstance(test, Value) else None
    if known is not None and known.is_constant:
        return evaluate(node.children[1 if known.constant else 2], machine, mode)
    one, other = (evaluate(each, machine, mode) for each in node.children[1:])
    if node.children[0].type.kind == "vector" and not isinstance(test, tuple):
        test = lanes_of(test, 1)[0]
    return chosen(machine, test, one, other, node.type if node.type.kind != "void" else _INT)


def listed(node: SyntaxNode, machine: SymbolicMachine) -> AnyValue:
    """Return a vector of parts; of a struct or an array only the steps count."""
    parts = [evaluate(each, machine) for each in node.children]
    count = lane_count(node.type)
    if not count:
        return joined(parts)
    lanes = [lane for part in parts for lane in (part if isinstance(part, tuple) else lanes_of(part, 1))]
    return tuple(lanes) if len(lanes) == count else lanes_of(lanes[0] if lanes else Value(), count)
