"""Statements in sequence, branches, and bodies of functions where they are called.

A branch is predicated if it only computes, else it is a node of the hierarchy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from functools import partial

from ppnsim.c.kinds import LOOPS, NON_AFFINE, STEPS
from ppnsim.c.syntax import Function, SyntaxNode, Variable, refuse
from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine
from ppnsim.opencl.reader.control.loops import loop
from ppnsim.opencl.reader.control.syntax import GLOBAL_SPACES, as_ifs, is_place, last_of, leaves, without_jump
from ppnsim.opencl.reader.expressions.builtin_costs import BARRIERS
from ppnsim.opencl.reader.expressions.evaluate import evaluate
from ppnsim.opencl.reader.expressions.memory import loaded, merged, put
from ppnsim.opencl.reader.hierarchy.builder import FoundBranch
from ppnsim.opencl.reader.hints import Hint
from ppnsim.opencl.reader.machine import SymbolicMachine
from ppnsim.opencl.reader.symbolic.atoms import ZERO
from ppnsim.opencl.reader.symbolic.counting import PathCondition
from ppnsim.opencl.reader.symbolic.values import NONE, AnyValue, MemoryObject, Pointer, Value, steps_of, typed

_FLAGS = ("private", "access")
_WORDS = ("reuse", "vector", *_FLAGS)
Read = Callable[[Sequence[SyntaxNode]], None]
Sides = tuple[Sequence[SyntaxNode], Sequence[SyntaxNode]]


def execute(nodes: Sequence[SyntaxNode], machine: SymbolicMachine, after: int) -> None:
    """Read statements in sequence; ``after`` is the line before the first one, for pragmas."""
    for number, node in enumerate(nodes):
        hints = machine.hints.between(after, node.position)
        after = max(after, node.end or node.position.line)
        if len(machine.calls) == 1:
            machine.builder.line = node.position.line
        if node.kind == "return" and node.children:
            result = evaluate(node.children[0], machine)
            put(machine, Pointer(machine.results[-1], ZERO), machine.results[-1].type, result)
        if node.kind not in ("block", "if") and leaves(node):
            return
        with _access_pragmas(machine, hints):
            if node.kind == "if":
                rest = nodes[number + 1 :]
                then, otherwise = node.children[1:2], node.children[2:3]
                if without_jump(then, otherwise):
                    branch(node, (then, otherwise), hints, machine)
                    continue
                # The statements after the if belong to the side that does not jump.
                left = (leaves(then[0]), bool(otherwise) and leaves(otherwise[0]))
                sides = [(*side, *(() if gone else rest)) for side, gone in zip((then, otherwise), left, strict=True)]
                branch(node, (sides[0], sides[1]), hints, machine)
                return
            statement(node, hints, machine)
        if leaves(node):
            return


def statement(node: SyntaxNode, hints: dict[str, Hint], machine: SymbolicMachine) -> None:
    """Read one statement."""
    match node.kind:
        case "block":
            execute(node.children, machine, node.position.line - 1 if not node.end else node.position.line)
        case "declare":
            _declare(node, machine)
        case "for" | "while" | "do":
            loop(node, hints, machine)
        case "switch":
            value = Variable("switch", replace(node.children[0].type, space=""), "local", node.position)
            put(machine, machine.declare(value), value.type, evaluate(node.children[0], machine))
            statement(as_ifs(node, value), hints, machine)
        case kind if kind in NON_AFFINE:
            refuse(node.position, f"{node} is not followed here")
        case "if":
            execute([node], machine, node.position.line - 1)
        case "empty":
            pass
        case _:
            evaluate(node, machine)


@contextmanager
def _access_pragmas(machine: SymbolicMachine, hints: dict[str, Hint]) -> Iterator[None]:
    """Hold the pragmas about the accesses of a statement while it is read."""
    access, before = hints.get("access"), machine.said
    own = {word: 1 if word in _FLAGS else machine.hints.number(hints[word]) for word in hints if word in _WORDS}
    if access is not None and access.text != "random":
        raise InputError(f"access({access.text}) is not access(random), the only form", where=access.where)
    machine.said = {**before, **own}
    try:
        yield
    finally:
        machine.said = before


def _declare(node: SyntaxNode, machine: SymbolicMachine) -> None:
    if node.variable is None:
        return
    variable = node.variable
    if variable.type.kind in ("other", "stream") and variable.type.text != "bool":
        refuse(node.position, f"'{variable.name}' is of type {variable.type.text}, which is not modelled")
    where = machine.declare(variable)
    if node.children and where.memory.space == "private":
        put(machine, where, variable.type, typed(evaluate(node.children[0], machine), variable.type))


def inlined(function: Function, node: SyntaxNode, machine: SymbolicMachine) -> AnyValue:
    """Return the result of a function of the file; its body is read where it is called."""
    if function.name in machine.calls:
        circle = " -> ".join((*machine.calls[machine.calls.index(function.name) :], function.name))
        refuse(node.position, f"recursion: {circle}; hardware has a fixed number of instructions")
    arguments = [evaluate(each, machine) for each in node.children]
    for parameter, value in zip(function.parameters, arguments, strict=False):
        put(machine, machine.declare(parameter), parameter.type, value)
    result = MemoryObject(function.name, "private", function.result)
    machine.calls.append(function.name)
    machine.results.append(result)
    if function.body is not None:
        execute(function.body.children, machine, function.body.position.line)
    machine.calls.pop()
    machine.results.pop()
    if function.result.kind == "void":
        return Value()
    return loaded(machine, Pointer(result, ZERO), function.result, node)


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
    machine.cells = merged(machine, Value(whole=known), ends[0], ends[-1], choose=False)


def _predicated(sides: Sides, test: Value, machine: SymbolicMachine, read: Read) -> None:
    """Read both sides into the open block, and choose between their values."""
    start, ends = machine.cells, []
    for nodes in sides:
        machine.cells = start.copy()
        read(nodes)
        ends.append(machine.cells)
    machine.cells = merged(machine, test, ends[0], ends[1], choose=True)


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
    targets = [each.type.element for each in node.children if each.type.kind == "pointer"]
    if node.spelled in BARRIERS or any(of is not None and of.space in GLOBAL_SPACES for of in targets):
        return False
    called = functions.get(node.text)
    if called is None or called.body is None or node.text in around:
        return True
    return only_computes([called.body], functions, around=(*around, node.text))


def _is_global(node: SyntaxNode) -> bool:
    """Return whether a node is an element or a member in global memory, or may be."""
    return is_place(node) and node.type.kind != "array" and node.type.space in GLOBAL_SPACES
