"""Memory: places that expressions name, loads, stores, barriers, contents after a branch."""

from __future__ import annotations

from ppnsim.c.syntax import CType, SyntaxNode, refuse
from ppnsim.loops.expressions import Affine
from ppnsim.opencl.reader.hierarchy.builder import GlobalAccess
from ppnsim.opencl.reader.machine import CHANGES, SymbolicMachine
from ppnsim.opencl.reader.symbolic.atoms import ZERO
from ppnsim.opencl.reader.symbolic.values import (
    NONE,
    AnyValue,
    Cells,
    Key,
    MemoryObject,
    Pointer,
    Steps,
    Value,
    forgotten,
    joined,
    lane_count,
    lane_numbers,
    lanes_of,
    steps_of,
    wholes_of,
)


def loaded(machine: SymbolicMachine, place: Pointer, of: CType, node: SyntaxNode) -> AnyValue:
    """Return the value at a place; from global and local memory by a step, unless it is known."""
    if of.kind == "array":
        return place
    cells, key = machine.cells.known.setdefault(place.memory, {}), (place.offset, place.fields, of.bits)
    if (seen := _seen(cells, key)) is not None:
        return seen if not place.steps or isinstance(seen, Pointer) else _behind(seen, place.steps)
    before = _before(machine, place.memory, key, of)
    if place.memory.space == "private":
        if before is None and of.kind == "pointer":
            refuse(node.position, f"the target of the pointer '{node}' is not known")
        steps, why = joined(cells.values()).steps | place.steps, f"'{place.memory.name}' has no one value"
        value = before if before is not None else machine.made(of, steps, why)
    else:
        after = place.steps | (steps_of(before) if before is not None else NONE)
        step = _access(machine, place, of, "load", after | machine.cells.fences.get(place.memory, NONE))
        value = machine.made(of, step, f"it is read from '{place.memory.name}' at {node.position}")
        machine.share(place.offset, wholes_of(value))
    cells[key] = value
    return value


def put(machine: SymbolicMachine, place: Pointer, of: CType, value: AnyValue) -> None:
    """Store a value to a place."""
    memory, key = place.memory, (place.offset, place.fields, of.bits)
    if memory.space != "private":
        step = _access(machine, place, of, "store", steps_of(value) | place.steps)
        for loop in machine.loops:
            loop.stored[memory, key] = value
        if memory.space == "local":
            machine.cells.pending[memory] = machine.cells.pending.get(memory, NONE) | step
    cells = machine.cells.known.get(memory, {})
    kept = {other: each for other, each in cells.items() if _apart(other, key, memory)}
    machine.cells.known[memory] = {**kept, key: value}


def barrier(machine: SymbolicMachine) -> None:
    """Forget the contents of memories that other work items may have written."""
    for memory in list(machine.cells.known):
        if memory.space in ("local", "global"):
            machine.cells.known[memory] = {}
    machine.cells.fences |= machine.cells.pending


def merged(machine: SymbolicMachine, test: Value, one: Cells, other: Cells, *, choose: bool) -> Cells:
    """Return the contents of memories after the branch; with ``choose`` values also wait for the test."""
    after = test.steps if choose else NONE
    known: dict[MemoryObject, dict[Key, AnyValue]] = {}
    for memory in one.known.keys() | other.known.keys():
        left, right = one.known.get(memory, {}), other.known.get(memory, {})
        both = [key for key in left if key in right]
        known[memory] = {key: _either(machine, test, left[key], right[key], Value(after)) for key in both}
        for key in left.keys() ^ right.keys():  # seen on one side only
            value = left.get(key, right.get(key))
            if value is not None and memory.space == "private" and not isinstance(value, Pointer):
                known[memory][key] = forgotten(value, after)
    memories = one.pending | other.pending
    pending = {memory: one.pending.get(memory, NONE) | other.pending.get(memory, NONE) for memory in memories}
    return Cells(known, pending, {**one.fences, **other.fences})


def _either(machine: SymbolicMachine, test: Value, one: AnyValue, other: AnyValue, after: Value) -> AnyValue:
    if one == other:
        return one
    if isinstance(one, tuple) or isinstance(other, tuple):
        count = max(len(each) for each in (one, other) if isinstance(each, tuple))
        pairs = zip(lanes_of(one, count), lanes_of(other, count), strict=True)
        return tuple(Value(joined([left, right, after]).steps) for left, right in pairs)
    steps = joined([one, other, after]).steps
    if not isinstance(one, Value) or not isinstance(other, Value) or one.whole is None or other.whole is None:
        return Value(steps)
    condition = machine.whole(test)
    return Value(steps, machine.atoms.apply("?:", condition, one.whole, other.whole))


def _access(machine: SymbolicMachine, place: Pointer, of: CType, op: str, after: Steps) -> Steps:
    if place.memory.space != "global":
        return machine.builder.emit("local_memory", after)
    kept = bool(machine.loops) and place.memory in machine.loops[-1].written
    frames = tuple(each.frame for each in machine.loops)
    access = GlobalAccess(op, place, max(1, of.bits // 8), frames, kept, dict(machine.said))
    return machine.builder.emit(op, after, access)


def _before(machine: SymbolicMachine, memory: MemoryObject, key: Key, of: CType) -> AnyValue | None:
    """Return the value of a cell at the start of an iteration, None unless the innermost loop writes its memory."""
    if not machine.loops or memory not in machine.loops[-1].written or machine.builder.silent:
        return None
    count = lane_count(of) or 1
    phis = _phis(machine, memory, key, count, len(machine.loops) - 1)
    values = tuple(machine.made(of.element or of if count > 1 else of, frozenset((phi,)), CHANGES) for phi in phis)
    return tuple(each for each in values if isinstance(each, Value)) if count > 1 else values[0]


def _phis(machine: SymbolicMachine, memory: MemoryObject, key: Key, count: int, depth: int) -> list[int]:
    """Return the placeholders for the lanes of a cell at the start of an iteration."""
    loop = machine.loops[depth]
    if (memory, key) not in loop.phis:
        start = loop.start.get(memory, {}).get(key)
        if start is None and depth and memory in machine.loops[depth - 1].written:
            first = frozenset(_phis(machine, memory, key, count, depth - 1))
        else:
            first = NONE if start is None else steps_of(start)
        loop.phis[memory, key] = [machine.builder.phi(first) for _ in range(count)]
    return loop.phis[memory, key]


def _seen(cells: dict[Key, AnyValue], key: Key) -> AnyValue | None:
    """Return the known value of a cell; for a member, of the struct that was stored as a whole."""
    if key in cells:
        return cells[key]
    offset, fields, _ = key
    for (other, above, _), value in cells.items():
        if other == offset and len(above) < len(fields) and fields[: len(above)] == above:
            return None if isinstance(value, Pointer) else Value(steps_of(value))
    return None


def _behind(value: AnyValue, steps: Steps) -> AnyValue:
    """Return a value that also waits for its address."""
    if isinstance(value, tuple):
        return tuple(Value(each.steps | steps, each.whole) for each in value)
    return Value(value.steps | steps, value.whole) if isinstance(value, Value) else value


def _apart(one: Key, other: Key, memory: MemoryObject) -> bool:
    """Return whether a store to one cell leaves another one unchanged."""
    if memory.space != "private":
        return False
    if one[0] != other[0]:
        return one[0].is_constant and other[0].is_constant
    short = min(len(one[1]), len(other[1]))
    return one[1][:short] != other[1][:short]


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
