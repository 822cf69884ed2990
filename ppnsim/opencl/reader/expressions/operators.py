"""Operators: which steps they are, and which cost nothing because they only compute addresses and loop bounds."""

from __future__ import annotations

from ppnsim.c.syntax import CType
from ppnsim.loops.expressions import Affine
from ppnsim.opencl.reader.machine import Mode, SymbolicMachine
from ppnsim.opencl.reader.symbolic.values import AnyValue, Pointer, Value, lane_count, lanes_of, steps_of

COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_REAL_OPS = {"+": "fp_add", "-": "fp_add", "*": "fp_mul", "/": "fp_div", **dict.fromkeys(COMPARISONS, "fp_add")}
_WHOLE_OPS = {
    "+": "int_add", "-": "int_add", "*": "int_mul", "/": "int_div", "%": "int_div",
    **dict.fromkeys(COMPARISONS, "int_add"), **dict.fromkeys(("<<", ">>", "&", "|", "^", "&&", "||"), "bitwise"),
}  # fmt: skip


def binary(machine: SymbolicMachine, operator: str, left: AnyValue, right: AnyValue, of: CType, mode: Mode) -> AnyValue:
    """Return the result of an operator on operands of a type, lane by lane."""
    if count := lane_count(of):
        pairs = zip(lanes_of(left, count), lanes_of(right, count), strict=True)
        return tuple(_number(machine, operator, one, other, of.element or of, "data") for one, other in pairs)
    return _number(machine, operator, lanes_of(left, 1)[0], lanes_of(right, 1)[0], of, mode)


def _number(machine: SymbolicMachine, operator: str, left: Value, right: Value, of: CType, mode: Mode) -> Value:
    """Return the result of an operator on two numbers."""
    if of.kind == "real":
        return _real(machine, operator, left, right)
    return right if operator == "," else _whole(machine, operator, left, right, mode)


def _real(machine: SymbolicMachine, operator: str, left: Value, right: Value) -> Value:
    after = left.steps | right.steps
    if operator in ("&&", "||"):
        return Value(machine.builder.emit("bitwise", after), machine.unknown("it compares data"))
    if left.literal and right.literal:
        return Value(literal=True)
    steps = machine.builder.emit(_REAL_OPS.get(operator, "bitwise"), after)
    return Value(steps, machine.unknown("it compares data") if operator in COMPARISONS else None)


def _whole(machine: SymbolicMachine, operator: str, left: Value, right: Value, mode: Mode) -> Value:
    """Return the result of an operator on two whole numbers.

    Arithmetic on what is known of a work item and its iterations (`atoms`) makes addresses and bounds, which the model
    does not count: a sum, a multiple or a shift is not a step. Anything else is one: a product of two such numbers, a
    division by anything but a power of two.
    """
    one, other = machine.whole(left), machine.whole(right)
    result = machine.atoms.apply(operator, one, other)
    if left.literal and right.literal:
        return Value(whole=result, literal=True)
    after, op = left.steps | right.steps, _WHOLE_OPS[operator]
    factor = other if other.is_constant or op == "int_div" else one
    if op in ("int_mul", "int_div") and factor.is_constant and factor.constant > 0 and factor.constant.bit_count() == 1:
        op = "bitwise"
    by_constant = one.is_constant or other.is_constant
    known = not machine.is_data(one) and not machine.is_data(other)
    is_linear = op not in ("int_mul", "int_div") or (op == "int_mul" and by_constant)
    free = (known and is_linear) or _is_free_in(mode, operator, op, by_constant=by_constant)
    return Value(after if free else machine.builder.emit(op, after), result)


def _is_free_in(mode: Mode, operator: str, op: str, *, by_constant: bool) -> bool:
    """Return whether arithmetic on data costs nothing where it stands.

    In an ``address`` sums, multiples and picking bits by a constant are part of the access; in a ``test`` a comparison
    of whole numbers is part of the branch.
    """
    if mode == "test":
        return operator in COMPARISONS
    if mode != "address":
        return False
    if operator in ("+", "-"):
        return True
    return by_constant and (operator in ("*", "<<") or (op == "bitwise" and operator not in ("&&", "||")))


def negated(machine: SymbolicMachine, operator: str, value: AnyValue, of: CType, mode: Mode) -> AnyValue:
    """Return the result of an operator with one operand: ``-``, ``~`` or ``!``."""
    if count := lane_count(of):
        return tuple(_negated(machine, operator, each, of.element or of, "data") for each in lanes_of(value, count))
    return _negated(machine, operator, lanes_of(value, 1)[0], of, mode)


def _negated(machine: SymbolicMachine, operator: str, value: Value, of: CType, mode: Mode) -> Value:
    if of.kind == "real" and operator == "-":
        return value if value.literal else Value(machine.builder.emit("bitwise", value.steps))
    known = machine.whole(value)
    result = machine.atoms.apply(operator, *([Affine.of(0)] if operator == "-" else []), known)
    if value.literal or not machine.is_data(known) or mode == "test":
        return Value(value.steps, result, value.literal)
    return Value(machine.builder.emit("int_add" if operator == "-" else "bitwise", value.steps), result)


def converted(machine: SymbolicMachine, value: AnyValue, to: CType, source: CType) -> AnyValue:
    """Return a value converted to another type; between whole and real numbers that is a step in each lane."""
    if isinstance(value, Pointer) or to.kind in ("pointer", "void", "struct", "array", "other"):
        return value
    if count := lane_count(to):
        element, source = to.element or to, source.element if lane_count(source) and source.element else source
        if not isinstance(value, tuple):  # one number for all lanes is converted once
            return lanes_of(_converted(machine, lanes_of(value, 1)[0], element, source), count)
        return tuple(_converted(machine, each, element, source) for each in lanes_of(value, count))
    return _converted(machine, lanes_of(value, 1)[0], to, source.element or source)


def _converted(machine: SymbolicMachine, value: Value, to: CType, source: CType) -> Value:
    if {to.kind, source.kind} != {"integer", "real"}:
        return value
    if value.literal:
        return Value(literal=True, whole=None if to.kind == "real" else value.whole)
    steps = machine.builder.emit("fp_convert", value.steps)
    return Value(steps, machine.unknown("it is converted from a real number") if to.kind == "integer" else None)


def chosen(machine: SymbolicMachine, test: AnyValue, one: AnyValue, other: AnyValue, of: CType) -> AnyValue:
    """Return the value of ``test ? one : other``: a branch in each lane, free if no operand is data."""
    if isinstance(one, Pointer) or isinstance(other, Pointer):
        return one if one == other else Value(steps_of(test))
    if count := lane_count(of):
        lanes = zip(lanes_of(test, count), lanes_of(one, count), lanes_of(other, count), strict=True)
        return tuple(_chosen(machine, *each, of.element or of) for each in lanes)
    return _chosen(machine, lanes_of(test, 1)[0], lanes_of(one, 1)[0], lanes_of(other, 1)[0], of)


def _chosen(machine: SymbolicMachine, test: Value, one: Value, other: Value, of: CType) -> Value:
    after = test.steps | one.steps | other.steps
    known = None
    if of.kind == "integer":
        numbers = [machine.whole(each) for each in (test, one, other)]
        known = machine.atoms.apply("?:", *numbers)
        if not any(machine.is_data(each) for each in numbers):
            return Value(after, known)
    return Value(machine.builder.emit("branch", after), known)
