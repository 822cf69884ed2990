"""Iterations: values of variables in any iteration, what one hands to the next, values after the loop."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ppnsim.c.syntax import SyntaxNode, Variable
from ppnsim.loops.expressions import Affine
from ppnsim.opencl.reader.control.syntax import Changes, changes, once, opened_blocks
from ppnsim.opencl.reader.expressions.evaluate import evaluate
from ppnsim.opencl.reader.machine import OpenLoop, SymbolicMachine
from ppnsim.opencl.reader.symbolic.atoms import ZERO
from ppnsim.opencl.reader.symbolic.counting import LoopFrame
from ppnsim.opencl.reader.symbolic.values import AnyValue, Pointer, Value, steps_of


def enter(statements: Sequence[SyntaxNode], changed: Changes, opened: OpenLoop, machine: SymbolicMachine) -> None:
    """Give everything that a loop changes its value at the start of any iteration."""
    frame, starts = opened.frame, {}
    for variable in changed.through:
        memory = machine.variables.get(variable)
        if memory is not None:
            values = machine.cells.known.get(memory, {}).values()
            targets = {each.memory for each in values if isinstance(each, Pointer)}
            opened.written |= targets if memory.type.kind == "pointer" else {memory}
    for variable in changed.assigned:
        memory = machine.variables.get(variable)
        if memory is not None:
            opened.written.add(memory)
            starts[variable] = machine.cells.known.get(memory, {})
    for memory in opened.written:
        machine.cells.known[memory] = {}
    for variable, cells in starts.items():
        if len(changed.assigned[variable]) > 1 and _is_reset(variable, cells.values(), changed, statements, machine):
            machine.cells.known[machine.variables[variable]] = dict(cells)
    updates = {
        variable: node for variable, node in once(changed, statements).items()
        if variable.type.kind in ("integer", "pointer") and len(starts.get(variable, ())) == 1
    }  # fmt: skip
    before = -1
    while before != len(machine.followed & updates.keys()):  # one update may use another variable
        before = len(machine.followed & updates.keys())
        for variable in updates.keys() - machine.followed:
            _follow(variable, next(iter(starts[variable].values())), updates, frame, machine)


def _is_reset(
    variable: Variable, starts: Iterable[AnyValue], changed: Changes, statements: Sequence[SyntaxNode],
    machine: SymbolicMachine,
) -> bool:  # fmt: skip
    """Return whether every iteration ends by assigning to a variable the value that it had before the loop."""
    last = [each for each in opened_blocks(statements) if variable in changes([each]).assigned][-1:]
    if not last or last[0].kind != "assign" or last[0].text != "=" or changed.touches(last[0].children[1]):
        return False
    with machine.silently():
        value = evaluate(last[0].children[1], machine)
    wholes = [each.whole for each in starts if isinstance(each, Value) and each.whole is not None]
    return isinstance(value, Value) and [value.whole] == wholes


def _follow(
    variable: Variable, start: AnyValue, updates: Mapping[Variable, SyntaxNode], frame: LoopFrame,
    machine: SymbolicMachine,
) -> None:  # fmt: skip
    """Make a variable its first value plus a fixed step per iteration, or a state of the loop, if its update allows."""
    memory, of = machine.variables[variable], variable.type
    first = start.offset if isinstance(start, Pointer) else machine.whole(start)
    symbol = f"{frame.counter}.{variable.name}"
    now = Affine.of(symbol)
    before = machine.cells.copy()
    machine.cells.known[memory] = {(ZERO, (), of.bits): _with(start, now)}
    with machine.silently():
        for each, update in updates.items():  # in the order in which they execute
            if each in machine.followed or each is variable:
                evaluate(update, machine)
            if each is variable:
                break
    after = next(iter(machine.cells.known[memory].values()))
    machine.cells = before
    same = isinstance(after, Pointer) and isinstance(start, Pointer) and after.memory is start.memory
    if not same and (isinstance(after, Pointer) or isinstance(start, Pointer)):
        return
    new = after.offset if isinstance(after, Pointer) else machine.whole(after)
    by = new - now
    leaves = machine.atoms.leaves(by)
    if leaves.isdisjoint(frame.inside | frame.symbols | {symbol}):
        first = machine.atoms.apply("+", first, machine.atoms.apply("*", Affine.of(frame.counter), by))
    elif machine.atoms.reason(new) is None and machine.atoms.reason(first) is None:
        frame.states.append((symbol, first, new))
        first = now
    else:
        return
    machine.cells.known[memory] = {(ZERO, (), of.bits): _with(start, first)}
    machine.followed.add(variable)


def _with(start: AnyValue, whole: Affine) -> AnyValue:
    """Return a value like ``start`` with another number."""
    return Pointer(start.memory, whole, start.fields) if isinstance(start, Pointer) else Value(whole=whole)


def leave(opened: OpenLoop, machine: SymbolicMachine) -> None:
    """Mark the steps that are carried from iteration to iteration; forget values that hold in one iteration only."""
    frame = opened.frame
    for (memory, key), phis in opened.phis.items():
        private = memory.space == "private"
        end = machine.cells.known.get(memory, {}).get(key) if private else opened.stored.get((memory, key))
        if end is None or not machine.atoms.leaves(key[0]).isdisjoint(frame.symbols | frame.inside):
            continue  # written elsewhere, or another element in every iteration
        ends = [each.steps for each in end] if isinstance(end, tuple) else [steps_of(end)]
        for phi, steps in zip(phis, ends, strict=False):
            machine.builder.carry(phi, steps)
    counted = {memory: cells for memory, cells in machine.cells.known.items() if memory in opened.written}
    for memory, cells in counted.items():
        machine.cells.known[memory] = {
            key: _left(value, frame, machine) for key, value in cells.items()
            if machine.atoms.leaves(key[0]).isdisjoint(frame.symbols | frame.inside) and memory.space == "private"
        }  # fmt: skip


def _left(value: AnyValue, frame: LoopFrame, machine: SymbolicMachine) -> AnyValue:
    """Return the value of a variable after a loop, which is known if it is that of a known iteration."""
    if isinstance(value, tuple):
        return tuple(Value(each.steps) for each in value)
    whole = value.offset if isinstance(value, Pointer) else value.whole
    if whole is None or machine.atoms.leaves(whole).isdisjoint(frame.symbols | frame.inside):
        return value
    step = machine.atoms.coefficient(whole, frame.counter)
    always = frame.given is None and machine.atoms.all_leaves(frame.made_of()) <= frame.symbols
    if step is not None and always and isinstance(frame.trip, int):
        last = machine.atoms.apply("+", whole - Affine.of(frame.counter) * step, Affine.of(step * (frame.trip - 1)))
        if machine.atoms.leaves(last).isdisjoint(frame.symbols | frame.inside):
            return _with(value, last)
    return _with(value, machine.unknown("a loop computes it"))
