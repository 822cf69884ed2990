"""Calls: built-in functions by their costs, functions of the file by their bodies."""

from __future__ import annotations

import re
from functools import reduce

from ppnsim.c.clang.opencl import BITS, near_miss
from ppnsim.c.syntax import CType, SyntaxNode, refuse
from ppnsim.loops.expressions import Affine
from ppnsim.opencl.reader.expressions import builtin_costs as costs
from ppnsim.opencl.reader.expressions.memory import barrier, loaded, put
from ppnsim.opencl.reader.expressions.operators import binary, converted
from ppnsim.opencl.reader.machine import Mode, SymbolicMachine
from ppnsim.opencl.reader.symbolic.ndrange import ITEM_FUNCTIONS
from ppnsim.opencl.reader.symbolic.values import AnyValue, Pointer, Value, joined, lane_count, lanes_of, steps_of

_VECTOR = re.compile(r"v(load|store)(2|3|4|8|16)")
_ATOMIC = re.compile(r"atom(?:ic)?_(?:fetch_)?(add|sub|inc|dec|xchg|exchange|cmpxchg|min|max|and|or|xor)(?:_explicit)?")
_ATOMIC_OPS = {"and": "bitwise", "or": "bitwise", "xor": "bitwise", "cmpxchg": "branch"}
_GEOMETRIC = ("dot", "length", "distance", "normalize", "cross")


def call(node: SyntaxNode, machine: SymbolicMachine, mode: Mode) -> AnyValue:
    """Return the value of a call, and add its steps."""
    name = node.spelled or node.text
    function = machine.unit.functions.get(node.text)
    if function is not None and function.body is not None:
        return machine.inlined(function, node)
    if name in costs.REFUSED:
        refuse(node.position, f"'{name}': {costs.REFUSED[name]}")
    if name in ITEM_FUNCTIONS:
        dimension = machine.whole(machine.evaluate(node.children[0])) if node.children else Affine()
        if not dimension.is_constant:
            refuse(node.position, f"{name} with a dimension that is not a constant")
        return Value(whole=machine.items.function(name, dimension.constant))
    if name in costs.BARRIERS:
        barrier(machine)
        return Value()
    if name in costs.NOTHING:
        return Value()
    if found := _VECTOR.fullmatch(name):
        return _vector(node, machine, found[1], int(found[2]))
    if found := _ATOMIC.fullmatch(name):
        return _atomic(node, machine, found[1])
    if name == BITS:
        return machine.evaluate(node.children[0])
    return _computed(node, costs.plain(name), machine, mode)


def _computed(node: SyntaxNode, name: str, machine: SymbolicMachine, mode: Mode) -> AnyValue:
    """Return the result of a built-in function, lane by lane; pointer arguments (``sincos``) get it too."""
    arguments = [machine.evaluate(each, mode) for each in node.children]
    if name.startswith("convert_"):
        return converted(machine, arguments[0], node.type, node.children[0].type)
    # A function computes in the type of its first vector or real argument, else of its first one.
    types = [each.type for each in node.children] or [node.type]
    of = next((each for each in types if each.kind in ("vector", "real")), types[0])
    if name in _GEOMETRIC:
        return _geometric(name, arguments, of, machine)
    chain = (costs.REAL if (of.element or of).kind == "real" else costs.WHOLE).get(name)
    if chain is None:
        near = near_miss(name, (*costs.REAL, *costs.WHOLE, *_GEOMETRIC))
        message = f"function '{name}' has neither a body in this file nor costs in the model as a built-in function"
        refuse(node.position, f"{message}{near}")
    result = _by_lanes(name, chain, [each for each in arguments if not isinstance(each, Pointer)], node.type, machine)
    target = next((each.type.element for each in node.children if each.type.kind == "pointer"), None)
    for place in arguments:
        if isinstance(place, Pointer):
            put(machine, place, target or node.type, result)
    return result


def _by_lanes(name: str, chain: costs.Chain, values: list[AnyValue], of: CType, machine: SymbolicMachine) -> AnyValue:
    count = max([1, *(len(each) for each in values if isinstance(each, tuple))])
    lanes = zip(*(lanes_of(each, count) for each in values), strict=True)
    made = tuple(_chain(name, chain, list(each), of, machine) for each in lanes)
    return made if of.kind == "vector" else made[0] if count == 1 else joined(made)


def _chain(name: str, chain: costs.Chain, values: list[Value], of: CType, machine: SymbolicMachine) -> Value:
    """Return one lane: the first instruction takes two arguments, each later one the result and the others."""
    if all(each.literal for each in values):
        return Value(literal=True, whole=_meant(name, values, machine))
    whole = _meant(name, values, machine)
    if whole is not None and not machine.is_data(whole):
        return Value(joined(values).steps, whole)
    steps = joined(values[:2]).steps
    for number, op in enumerate(chain):
        steps = machine.builder.emit(op, steps | (joined(values[2:]).steps if number else frozenset()))
    integer = (of.element or of).kind == "integer"
    return Value(steps, whole or (machine.unknown("it is computed from data") if integer else None))


def _meant(name: str, values: list[Value], machine: SymbolicMachine) -> Affine | None:
    """Return the result of min, max, clamp, select and the like on whole numbers."""
    if any(each.whole is None for each in values):
        return None
    numbers = [machine.whole(each) for each in values]
    if name in ("clamp", "select") and len(numbers) == 3:
        apply, (one, other, last) = machine.atoms.apply, numbers
        return apply("min", apply("max", one, other), last) if name == "clamp" else apply("?:", last, other, one)
    if name not in costs.MEANS:
        return None
    result = numbers[0]
    for operator, number in zip(costs.MEANS[name], numbers[1:], strict=True):
        result = machine.atoms.apply(operator, result, number)
    return result


def _geometric(name: str, arguments: list[AnyValue], of: CType, machine: SymbolicMachine) -> AnyValue:
    """Return dot, length, distance, normalize or cross: products and sums of lanes, in their order."""
    count, emit = lane_count(of) or 1, machine.builder.emit
    one, other = arguments[0], arguments[-1]
    if name == "cross":
        after = joined([one, other]).steps
        return tuple(Value(emit("fp_add", emit("fp_mul", after) | emit("fp_mul", after))) for _ in range(count))
    if name == "distance":
        one = other = binary(machine, "-", one, other, of, "data")
    pairs = zip(lanes_of(one, count), lanes_of(other, count), strict=True)
    products = [emit("fp_mul", left.steps | right.steps) for left, right in pairs]
    total = reduce(lambda one, other: emit("fp_add", one | other), products)
    if name == "dot":
        return Value(total)
    root = Value(emit("fp_sqrt", total))
    return binary(machine, "/", one, root, of, "data") if name == "normalize" else root


def _vector(node: SyntaxNode, machine: SymbolicMachine, what: str, count: int) -> AnyValue:
    """Return the value of vload4(i, p), or store for vstore4(v, i, p): elements 4 i to 4 i + 3 of p."""
    index, start = (machine.evaluate(each, "address") for each in node.children[-2:])
    element = node.children[-1].type.element
    if not isinstance(start, Pointer) or element is None:
        refuse(node.position, f"the target of the pointer '{node.children[-1]}' is not known")
    of = CType("vector", f"{element.text}{count}", element.bits * count, element=element, size=count)
    place = start.moved(machine.whole(index) * (count * element.bits // 8), steps_of(index))
    if what == "load":
        return loaded(machine, place, of, node)
    put(machine, place, of, lanes_of(machine.evaluate(node.children[0]), count))
    return Value()


def _atomic(node: SyntaxNode, machine: SymbolicMachine, what: str) -> AnyValue:
    """Return the value before an atomic function: a load, an operation and a store; the model remembers neither."""
    place, *others = (machine.evaluate(each) for each in node.children)
    of = node.children[0].type.element
    if not isinstance(place, Pointer) or of is None:
        refuse(node.position, f"the target of the pointer '{node.children[0]}' is not known")
    machine.cells.known.pop(place.memory, None)
    before = loaded(machine, place, of, node)
    after = joined([before, *(each for each in others if not isinstance(each, Pointer))]).steps
    new = after if what in ("xchg", "exchange") else machine.builder.emit(_ATOMIC_OPS.get(what, "int_add"), after)
    put(machine, place, of, Value(new, machine.unknown("it is counted by an atomic function")))
    machine.cells.known.pop(place.memory, None)
    return before
