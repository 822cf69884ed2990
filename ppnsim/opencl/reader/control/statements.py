"""Statements in sequence, and bodies of functions where they are called."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from ppnsim.c.kinds import NON_AFFINE
from ppnsim.c.syntax import Function, SyntaxNode, Variable, refuse
from ppnsim.errors import InputError
from ppnsim.opencl.reader.control.branches import branch
from ppnsim.opencl.reader.control.jumps import as_ifs, leaves, without_jump
from ppnsim.opencl.reader.control.loops import loop
from ppnsim.opencl.reader.expressions.evaluate import evaluate
from ppnsim.opencl.reader.expressions.memory import loaded, put
from ppnsim.opencl.reader.hints import Hint
from ppnsim.opencl.reader.machine import SymbolicMachine
from ppnsim.opencl.reader.symbolic.atoms import ZERO
from ppnsim.opencl.reader.symbolic.values import AnyValue, MemoryObject, Pointer, Value, lane_count, lanes_of

_FLAGS = ("private", "access")
_WORDS = ("reuse", "vector", *_FLAGS)


def execute(nodes: Sequence[SyntaxNode], machine: SymbolicMachine, after: int) -> None:
    """Read statements in sequence; ``after`` is the line before the first one, for pragmas."""
    for number, node in enumerate(nodes):
        hints = machine.hints.between(node.position.file, after, node.position.line)
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
        value = evaluate(node.children[0], machine)
        if count := lane_count(variable.type):
            value = lanes_of(value, count)
        put(machine, where, variable.type, value)


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
