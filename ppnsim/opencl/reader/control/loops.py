"""Loops: what their iterators and sums are in any iteration, how often they run, what they carry along."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ppnsim.c.kinds import STEPS, WORDS
from ppnsim.c.lowering.scope import refuse
from ppnsim.c.syntax import SyntaxNode
from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine
from ppnsim.opencl.reader.control.changes import changes, opened_blocks, same_loads
from ppnsim.opencl.reader.control.iterations import enter, leave
from ppnsim.opencl.reader.control.jumps import early_ends, last_of
from ppnsim.opencl.reader.expressions.evaluate import evaluate
from ppnsim.opencl.reader.hierarchy.builder import FoundLoop
from ppnsim.opencl.reader.hints import FULL, Hint
from ppnsim.opencl.reader.machine import OpenLoop, SymbolicMachine
from ppnsim.opencl.reader.symbolic.path import LoopFrame
from ppnsim.opencl.reader.symbolic.values import steps_of

Execute = Callable[[Sequence[SyntaxNode], SymbolicMachine, int], None]
_WAY_OUT = "say how often it runs: #pragma ppnsim tripcount(N) before it"


@dataclass(frozen=True, slots=True)
class LoopParts:
    """The parts of a loop, any of which but the body may be missing."""

    start: SyntaxNode | None
    test: SyntaxNode | None
    step: SyntaxNode | None
    body: SyntaxNode
    at_end: bool = False

    @property
    def repeated(self) -> list[SyntaxNode]:
        """The parts that every iteration executes, in that order."""
        parts = (self.body, self.test) if self.at_end else (self.test, self.body, self.step)
        return [each for each in parts if each is not None]


def head_of(node: SyntaxNode) -> LoopParts:
    """Return the parts of a for, while or do loop."""
    if node.kind != "for":
        if node.kind == "do":
            return LoopParts(None, node.children[1], None, node.children[0], at_end=True)
        return LoopParts(None, node.children[0], None, node.children[1])
    *parts, body = node.children
    start = test = step = None
    if parts and (parts[0].kind == "block" or _changes(parts[0])) and not (len(parts) == 1 and parts[0].text in STEPS):
        start = parts.pop(0)
    if parts and not _changes(parts[0]):
        test = parts.pop(0)
    if parts:
        step = parts.pop(0)
    return LoopParts(start, test, step, body)


def loop(node: SyntaxNode, hints: dict[str, Hint], machine: SymbolicMachine, execute: Execute) -> None:
    """Read a loop: its body once, for any of its iterations."""
    head, line = head_of(node), node.position.line
    if head.start is not None:
        execute([head.start], machine, line)
    changed = changes(head.repeated)
    for same in same_loads(head.repeated, changed):
        evaluate(same, machine)
    name, before = _named(head, line, machine), machine.cells.copy()
    opened = OpenLoop(LoopFrame(name, f"#{name}", str(node.position), at_end=head.at_end), before.known)
    if "tripcount" in hints:
        opened.frame.given = opened.frame.trip = machine.hints.trip(hints["tripcount"])
    machine.loops.append(opened)
    enter(head.repeated, changed, opened, machine)
    item = FoundLoop(opened.frame)
    machine.builder.into(item, item.body, lambda: _body(node, head, opened, machine, execute))
    machine.loops.pop()
    machine.followed -= changed.assigned.keys()
    if opened.frame.trip == 0:
        machine.builder.items.remove(item)
        machine.cells = before
        return
    _unrolled(hints, name, opened.frame, machine)
    leave(opened, machine)


def _body(node: SyntaxNode, head: LoopParts, opened: OpenLoop, machine: SymbolicMachine, execute: Execute) -> None:
    """Read what every iteration executes, and count the iterations as soon as all that ends them is known."""
    frame = opened.frame
    _known_breaks(head, opened, machine)
    early = [each for each in early_ends(head.body) if not any(each is known for known in opened.ended)]
    if not head.at_end:
        _test(node, head, frame, machine, early)
    if frame.trip == 0:
        return
    machine.path.append(frame)
    execute([head.body], machine, node.position.line)
    machine.path.pop()
    if head.at_end:
        _test(node, head, frame, machine, early)
    if head.step is not None:
        evaluate(head.step, machine)
    if early and frame.given is None:
        for each in early:
            if not any(each is known for known in opened.ended):
                message = f"{WORDS[each.kind]} ends the loop of line {node.position.line} earlier than its bounds"
                refuse(each.position, f"{message}; {_WAY_OUT}")
        _count(head, frame, machine)


def _known_breaks(head: LoopParts, opened: OpenLoop, machine: SymbolicMachine) -> None:
    """Find the breaks of a body under conditions that nothing in the body changes, so that its loops can be counted."""
    changed = changes([head.body])
    for each in opened_blocks([head.body]):
        last = last_of(each.children[1:2]) if each.kind == "if" and len(each.children) == 2 else None
        if last is None or last.kind != "break" or changed.touches(each.children[0]):
            continue
        with machine.silently():
            known = machine.whole(evaluate(each.children[0], machine, "test"))
        if machine.atoms.reason(known) is None:
            opened.ended.append(last)
            opened.frame.breaks.append(known)


def _test(
    node: SyntaxNode, head: LoopParts, frame: LoopFrame, machine: SymbolicMachine, early: Sequence[SyntaxNode]
) -> None:
    """Read the condition of a loop, and count its iterations if it alone ends them."""
    known = Affine.of(1)
    if head.test is not None:
        before = machine.cells.copy()
        with machine.silently():
            known = machine.whole(evaluate(head.test, machine, "test"))
        # A bound that is data, but the same in all iterations, costs as little as any other bound.
        if not machine.atoms.leaves(known).isdisjoint(frame.inside):
            machine.cells = before
            machine.builder.emit("branch", steps_of(evaluate(head.test, machine, "test")))
        machine.branch(known, *(first for _, first, _ in frame.states))
    if frame.given is not None:
        if not known.is_constant and machine.atoms.reason(known) is None and not early and not frame.breaks:
            refuse(node.position, "tripcount before a loop whose bounds say themselves how often it runs")
        return
    frame.test = known
    if not early:
        if head.test is None and not frame.breaks:
            refuse(node.position, f"this loop has no condition; {_WAY_OUT}")
        _count(head, frame, machine)


def _count(head: LoopParts, frame: LoopFrame, machine: SymbolicMachine) -> None:
    if head.test is not None and frame.test is not None and (reason := machine.atoms.reason(frame.test)):
        refuse(head.test.position, f"how often '{head.test}' holds is not known: {reason}; {_WAY_OUT}")
    frame.trip = machine.counting.trip(frame, machine.path)


def _named(head: LoopParts, line: int, machine: SymbolicMachine) -> str:
    """Return a name of its own for a loop: that of its iterator, else its line."""
    stepped = changes([head.step]).assigned if head.step is not None else {}
    name = next((variable.name for variable in stepped), f"loop {line}")
    number, unique = 1, name
    while unique in machine.loop_names or unique == "items":
        number += 1
        unique = f"{name}_{number}"
    machine.loop_names.add(unique)
    return unique


def _unrolled(hints: dict[str, Hint], name: str, frame: LoopFrame, machine: SymbolicMachine) -> None:
    hint = hints.get("unroll")
    if hint is None:
        return
    factor = machine.hints.number(hint) if hint.text else FULL
    if factor == FULL:
        if not isinstance(frame.trip, int):
            message = f"#pragma unroll without a factor: loop '{name}' runs {float(frame.trip):g} times on average"
            raise InputError(f"{message}, not always as often", where=hint.where)
        factor = int(frame.trip)
    if factor > 1:
        machine.unrolled[name] = factor


def _changes(node: SyntaxNode) -> bool:
    """Return whether an expression is there for what it assigns."""
    return node.kind == "assign" or node.text in STEPS or (node.kind == "binary" and node.text == ",")
