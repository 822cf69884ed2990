"""Places that expressions name: variables, elements, members, targets of pointers, lanes of vectors."""

from __future__ import annotations

from ppnsim.c.syntax import CType, SyntaxNode, refuse
from ppnsim.loops.expressions import Affine
from ppnsim.opencl.reader.expressions.memory import loaded, put
from ppnsim.opencl.reader.machine import SymbolicMachine
from ppnsim.opencl.reader.symbolic.atoms import ZERO
from ppnsim.opencl.reader.symbolic.values import AnyValue, Pointer, joined, lane_count, lane_numbers, lanes_of, steps_of


def size_of(of: CType, node: SyntaxNode) -> int:
    """Return the bytes of a type."""
    if of.kind == "array":
        if not isinstance(of.size, int) or of.element is None:
            refuse(node.position, f"'{node}' is an array whose size is not fixed")
        return of.size * size_of(of.element, node)
    return of.bits // 8


def place(node: SyntaxNode, machine: SymbolicMachine) -> Pointer:
    """Return the place of an expression; sums in subscripts cost nothing."""
    match node.kind:
        case "name" if node.variable is not None:
            return Pointer(machine.memory_of(node.variable), ZERO)
        case "index":
            base, subscript = node.children
            found = pointed(base, machine)
            index = machine.evaluate(subscript, "address")
            return found.moved(machine.whole(index) * size_of(node.type, node), steps_of(index))
        case "member":
            found = pointed(node.children[0], machine)
            return Pointer(found.memory, found.offset, (*found.fields, node.text), found.steps)
        case "unary" if node.text == "*":
            return pointed(node.children[0], machine)
        case "cast" if len(node.children) == 1:
            return place(node.children[0], machine)
    followed = "variables, elements, members and *pointers are"
    return refuse(node.position, f"'{node}' is not a place that the model follows ({followed})")


def pointed(node: SyntaxNode, machine: SymbolicMachine) -> Pointer:
    """Return the target of a pointer, or the place of an array or a struct."""
    if node.type.kind != "pointer":
        return place(node, machine)
    found = machine.evaluate(node)
    if not isinstance(found, Pointer):
        refuse(node.position, f"the target of the pointer '{node}' is not known: data choose or compute it")
    return found


def lanes_loaded(node: SyntaxNode, machine: SymbolicMachine) -> AnyValue:
    """Return the named lanes of a vector; a single lane is a number."""
    vector = node.children[0]
    lanes = lanes_of(machine.evaluate(vector), lane_count(vector.type) or 1)
    hidden, numbers = node.text == "?", lane_numbers(node.text, len(lanes))
    wanted = lane_count(node.type)
    if not wanted:
        return joined(lanes) if hidden else lanes[numbers[0]]
    return (joined(lanes),) * wanted if hidden or len(numbers) != wanted else tuple(lanes[each] for each in numbers)


def lanes_stored(node: SyntaxNode, value: AnyValue, machine: SymbolicMachine) -> None:
    """Store to lanes of a vector; in global and local memory only these are written."""
    vector = node.children[0]
    of = vector.type
    count, where = lane_count(of) or 1, place(vector, machine)
    numbers = lane_numbers(node.text, count)
    new = lanes_of(value, len(numbers))
    if where.memory.space != "private" and of.element is not None:
        part = CType("vector", of.text, of.element.bits * len(numbers), element=of.element, size=len(numbers))
        start = where.moved(Affine.of(numbers[0] * of.element.bits // 8))
        put(machine, start, part if len(numbers) > 1 else of.element, new if len(numbers) > 1 else new[0])
        return
    lanes = list(lanes_of(loaded(machine, where, of, vector), count))
    for number, each in zip(numbers, new, strict=True):
        lanes[number] = each
    put(machine, where, of, tuple(lanes))
