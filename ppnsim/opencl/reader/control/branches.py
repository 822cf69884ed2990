"""Branches: predicated if they only compute, else nodes of the hierarchy; what is known after both sides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial

from ppnsim.c.kinds import LOOPS, STEPS
from ppnsim.c.syntax import CType, Function, SyntaxNode, refuse
from ppnsim.loops.expressions import Affine
from ppnsim.opencl.reader.control.changes import GLOBAL_SPACES, is_place
from ppnsim.opencl.reader.control.jumps import last_of
from ppnsim.opencl.reader.expressions.builtin_costs import BARRIERS
from ppnsim.opencl.reader.expressions.evaluate import evaluate
from ppnsim.opencl.reader.hierarchy.builder import FoundBranch
from ppnsim.opencl.reader.hints import Hint
from ppnsim.opencl.reader.machine import SymbolicMachine
from ppnsim.opencl.reader.symbolic.counting import PathCondition
from ppnsim.opencl.reader.symbolic.values import (
    NONE,
    AnyValue,
    Cells,
    Key,
    MemoryObject,
    Pointer,
    Value,
    forgotten,
    joined,
    lanes_of,
    steps_of,
)

Read = Callable[[Sequence[SyntaxNode]], None]
Sides = tuple[Sequence[SyntaxNode], Sequence[SyntaxNode]]


def branch(node: SyntaxNode, sides: Sides, hints: dict[str, Hint], machine: SymbolicMachine) -> None:
    """Read an if: predicated in its block if it only computes, else a branch of the hierarchy."""

    def read(nodes: Sequence[SyntaxNode]) -> None:
        machine.execute(nodes, node.position.line)

    test = evaluate(node.children[0], machine, "test")
    known = machine.whole(test)
    data = machine.is_data(known)
    seen = frozenset(str(each) for each in node.children[0].walk() if _is_global(each))
    if known.is_constant:
        read(sides[0 if known.constant else 1])
    elif _ends_loop(sides, known, machine, read):
        return
    elif only_computes([*sides[0], *sides[1]], machine.unit.functions, seen):
        steps = machine.builder.emit("branch", steps_of(test) if data else NONE)
        _predicated(sides, Value(steps, known), machine, read)
    else:
        machine.branch(known)
        if data:
            machine.builder.emit("branch", steps_of(test))
        share = _share(node, known, hints, machine)
        _branched(FoundBranch(machine.builder.line, share), sides, known, machine, read)


def _ends_loop(sides: Sides, known: Affine, machine: SymbolicMachine, read: Read) -> bool:
    """Add a break under a known condition to the ends of the loop; return whether that was all of the if."""
    if machine.atoms.reason(known) or not machine.loops or machine.path[-1:] != [machine.loops[-1].frame]:
        return False
    then, otherwise = sides
    for side, other, ends in ((then, otherwise, known), (otherwise, then, machine.atoms.apply("!", known))):
        last = last_of(side)
        if last is not None and last.kind == "break":
            if not any(last is each for each in machine.loops[-1].ended):
                machine.loops[-1].ended.append(last)
                machine.loops[-1].frame.breaks.append(ends)
            machine.branch(ends)
            if len(side) == 1 and (side[0] is last or side[0].children == (last,)):
                read(other)
                return True
    return False


def _branched(item: FoundBranch, sides: Sides, known: Affine, machine: SymbolicMachine, read: Read) -> None:
    """Read the sides that some work items take; a side that all of them take needs no branch."""
    start, ends = machine.cells, []
    for holds, nodes, body in ((True, sides[0], item.then), (False, sides[1], item.otherwise)):
        machine.cells = start.copy()
        if (item.share if holds else 1 - item.share) > 0:
            machine.path.append(PathCondition(known, holds))
            if 0 < item.share < 1:
                machine.builder.into(item, body, partial(read, nodes))
            else:
                read(nodes)
            machine.path.pop()
            ends.append(machine.cells)
    machine.cells = _merged(machine, Value(whole=known), ends[0], ends[-1], choose=False)


def _predicated(sides: Sides, test: Value, machine: SymbolicMachine, read: Read) -> None:
    """Read both sides into the open block, and choose between their values."""
    start, ends = machine.cells, []
    for nodes in sides:
        machine.cells = start.copy()
        read(nodes)
        ends.append(machine.cells)
    machine.cells = _merged(machine, test, ends[0], ends[1], choose=True)


def _merged(machine: SymbolicMachine, test: Value, one: Cells, other: Cells, *, choose: bool) -> Cells:
    """Return the contents of memories after the branch; with ``choose`` values also wait for the test."""
    after = test.steps if choose else frozenset()
    known: dict[MemoryObject, dict[Key, AnyValue]] = {}
    for memory in one.known.keys() | other.known.keys():
        left, right = one.known.get(memory, {}), other.known.get(memory, {})
        known[memory] = {
            key: _either(machine, test, left[key], right[key], Value(after)) for key in left if key in right
        }
        for key in left.keys() ^ right.keys():  # seen on one side only
            value = left.get(key, right.get(key))
            if value is not None and memory.space == "private" and not isinstance(value, Pointer):
                known[memory][key] = forgotten(value, after)
    pending = {each: one.pending.get(each, frozenset()) | other.pending.get(each, frozenset())
               for each in one.pending.keys() | other.pending.keys()}  # fmt: skip
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


def _share(node: SyntaxNode, known: Affine, hints: dict[str, Hint], machine: SymbolicMachine) -> Fraction:
    """Return the share of visits for which a condition holds: by a pragma, by executing it, one half for data."""
    if "share" in hints:
        return machine.hints.share(hints["share"])
    if machine.is_data(known):
        return Fraction(1, 2)
    if reason := machine.atoms.reason(known):
        refuse(node.children[0].position, f"whether '{node.children[0]}' holds is not known: {reason}")
    return machine.counting.share(known, machine.path, str(node.position))


def only_computes(
    nodes: Sequence[SyntaxNode], functions: Mapping[str, Function], seen: frozenset[str] = frozenset(),
    around: tuple[str, ...] = (),
) -> bool:  # fmt: skip
    """Return whether statements have no loop, no barrier and no access to global memory but the loads ``seen``.

    ``functions`` are those of the file, whose bodies count, and ``around`` those in whose body the statements stand.
    """
    return all(_computes(node, functions, seen, around) for statement in nodes for node in statement.walk())


def _computes(
    node: SyntaxNode, functions: Mapping[str, Function], seen: frozenset[str], around: tuple[str, ...]
) -> bool:
    if node.kind in LOOPS or node.kind == "switch":
        return False
    if _is_global(node):
        return str(node) in seen
    if node.kind == "assign" or (node.kind == "unary" and node.text in (*STEPS, "&")):
        return not _is_global(node.children[0])
    if node.kind != "call":
        return True
    if node.spelled in BARRIERS or any(_points_to_global(each.type) for each in node.children):
        return False
    called = functions.get(node.text)
    if called is None or called.body is None or node.text in around:
        return True
    return only_computes([called.body], functions, around=(*around, node.text))


def _is_global(node: SyntaxNode) -> bool:
    """Return whether a node is an element or a member in global memory, or may be."""
    return is_place(node) and node.type.kind != "array" and node.type.space in GLOBAL_SPACES


def _points_to_global(of: CType) -> bool:
    return of.kind == "pointer" and of.element is not None and of.element.space in GLOBAL_SPACES
