"""Loops: read once for any iteration, with their trip counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ppnsim.c.kinds import WORDS
from ppnsim.c.syntax import SyntaxNode, refuse
from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine
from ppnsim.opencl.reader.control.iterations import enter, leave
from ppnsim.opencl.reader.control.syntax import changes, early_ends, last_of, opened_blocks, same_loads
from ppnsim.opencl.reader.expressions.evaluate import evaluate
from ppnsim.opencl.reader.hierarchy.builder import FoundLoop
from ppnsim.opencl.reader.hints import FULL, Hint
from ppnsim.opencl.reader.machine import OpenLoop, SymbolicMachine
from ppnsim.opencl.reader.symbolic.counting import LoopFrame
from ppnsim.opencl.reader.symbolic.values import steps_of

_WAY_OUT = "give its trip count: #pragma ppnsim tripcount(N) before it"


def loop(node: SyntaxNode, hints: dict[str, Hint], machine: SymbolicMachine) -> None:
    """Read a loop: its body once, for any of its iterations."""
    parts, line = parts_of(node), node.position.line
    if parts.start is not None:
        machine.execute([parts.start], line)
    changed = changes(parts.repeated)
    for same in same_loads(parts.repeated, changed):
        evaluate(same, machine)
    name, before = _named(parts, line, machine), machine.cells.copy()
    opened = OpenLoop(LoopFrame(name, f"#{name}", str(node.position), at_end=parts.at_end), before.known)
    if "tripcount" in hints:
        opened.frame.given = opened.frame.trip = machine.hints.trip(hints["tripcount"])
    machine.loops.append(opened)
    enter(parts.repeated, changed, opened, machine)
    item = FoundLoop(opened.frame)
    machine.builder.into(item, item.body, lambda: _body(node, parts, opened, machine))
    machine.loops.pop()
    machine.followed -= changed.assigned.keys()
    if opened.frame.trip == 0:
        machine.builder.items.remove(item)
        machine.cells = before
        return
    _unrolled(hints, name, opened.frame, machine)
    leave(opened, machine)


def _body(node: SyntaxNode, parts: LoopParts, opened: OpenLoop, machine: SymbolicMachine) -> None:
    """Read an iteration, and count the iterations as soon as all their ends are known."""
    frame = opened.frame
    _known_breaks(parts, opened, machine)
    early = [each for each in early_ends(parts.body) if not any(each is known for known in opened.ended)]
    if not parts.at_end:
        _test(node, parts, frame, machine, early)
    if frame.trip == 0:
        return
    machine.path.append(frame)
    machine.execute([parts.body], node.position.line)
    machine.path.pop()
    if parts.at_end:
        _test(node, parts, frame, machine, early)
    if parts.step is not None:
        evaluate(parts.step, machine)
    if early and frame.given is None:
        for each in early:
            if not any(each is known for known in opened.ended):
                message = f"{WORDS[each.kind]} ends the loop of line {node.position.line} earlier than its bounds"
                refuse(each.position, f"{message}; {_WAY_OUT}")
        _count(parts, frame, machine)


def _known_breaks(parts: LoopParts, opened: OpenLoop, machine: SymbolicMachine) -> None:
    """Find the breaks under conditions that the body does not change, so that its loops can be counted."""
    changed = changes([parts.body])
    for each in opened_blocks([parts.body]):
        last = last_of(each.children[1:2]) if each.kind == "if" and len(each.children) == 2 else None
        if last is None or last.kind != "break" or changed.touches(each.children[0]):
            continue
        with machine.silently():
            known = machine.whole(evaluate(each.children[0], machine, "test"))
        if machine.atoms.reason(known) is None:
            opened.ended.append(last)
            opened.frame.breaks.append(known)


def _test(
    node: SyntaxNode, parts: LoopParts, frame: LoopFrame, machine: SymbolicMachine, early: Sequence[SyntaxNode]
) -> None:
    """Read the condition of a loop, and count its iterations if it alone ends them."""
    known = Affine.of(1)
    if parts.test is not None:
        before = machine.cells.copy()
        with machine.silently():
            known = machine.whole(evaluate(parts.test, machine, "test"))
        # A bound that is the same in all iterations costs nothing, even if it is data.
        if not machine.atoms.leaves(known).isdisjoint(frame.inside):
            machine.cells = before
            machine.builder.emit("branch", steps_of(evaluate(parts.test, machine, "test")))
        machine.branch(known, *(first for _, first, _ in frame.states))
    if frame.given is not None:
        if not known.is_constant and machine.atoms.reason(known) is None and not early and not frame.breaks:
            refuse(node.position, "tripcount before a loop whose trip count follows from its bounds")
        return
    frame.test = known
    if not early:
        if parts.test is None and not frame.breaks:
            refuse(node.position, f"this loop has no condition; {_WAY_OUT}")
        _count(parts, frame, machine)


def _count(parts: LoopParts, frame: LoopFrame, machine: SymbolicMachine) -> None:
    if parts.test is not None and frame.test is not None and (reason := machine.atoms.reason(frame.test)):
        refuse(parts.test.position, f"how often '{parts.test}' holds is not known: {reason}; {_WAY_OUT}")
    frame.trip = machine.counting.trip(frame, machine.path)


def _named(parts: LoopParts, line: int, machine: SymbolicMachine) -> str:
    """Return a unique name for a loop: its iterator, else its line."""
    stepped = changes([parts.step]).assigned if parts.step is not None else {}
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
            raise InputError(f"{message}, not equally often in every visit", where=hint.where)
        factor = int(frame.trip)
    if factor > 1:
        machine.unrolled[name] = factor


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


def parts_of(node: SyntaxNode) -> LoopParts:
    """Return the parts of a for, while or do loop."""
    if node.kind != "for":
        if node.kind == "do":
            return LoopParts(None, node.children[1], None, node.children[0], at_end=True)
        return LoopParts(None, node.children[0], None, node.children[1])
    start, test, step, body = node.children
    return LoopParts(_written(start), _written(test), _written(step), body)


def _written(part: SyntaxNode) -> SyntaxNode | None:
    """Return a part of a head, None if it is left out."""
    return None if part.kind == "empty" else part
