"""Unrolling: copies of a loop's body, one per iteration or ``factor`` of them."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ppnsim.errors import InputError
from ppnsim.hls.pragmas.directives import Directives, scope_of
from ppnsim.hls.structure.counting import steady_trips
from ppnsim.loops.expressions import Affine, Compare, condition_iterators, holds
from ppnsim.loops.notation import renamed
from ppnsim.loops.program import Access, Execution, Frame, Guard, Loop, LoopProgram, Node, Operation, Statement

MOST_STATEMENTS = 250_000
"""Statements that a body may have when its loops are unrolled; vendors refuse far fewer."""


def flat(body: Sequence[Node]) -> tuple[Node, ...]:
    """Return a body with all loops in it unrolled completely; refuse what has more than `MOST_STATEMENTS` then."""
    for node in body:
        if isinstance(node, Loop) and (count := _statements((node,))) > MOST_STATEMENTS:
            words = f"loop '{node.iterator}' becomes {count} statements when all loops in it are unrolled"
            advice = "pipeline an inner loop, or unroll by a factor"
            raise InputError(f"{words}, and at most {MOST_STATEMENTS} are followed; {advice}", where=str(node.position))
    return _flat(body)


def _statements(body: Sequence[Node]) -> int:
    """Return how many statements a body has when its loops are unrolled, as far as that is known before."""
    inner = (each for node in body if isinstance(node, Guard) for each in (node.body, node.otherwise))
    loops = ((steady_trips(node) or 1) * _statements(node.body) for node in body if isinstance(node, Loop))
    return sum(isinstance(node, Execution) for node in body) + sum(loops) + sum(map(_statements, inner))


def _flat(body: Sequence[Node]) -> tuple[Node, ...]:
    found: list[Node] = []
    for node in body:
        if isinstance(node, Loop):
            found += _flat(unrolled(node, 0))  # outermost first: how often inner loops run may depend on it
        elif isinstance(node, Guard):
            found.append(Guard(node.condition, _flat(node.body), _flat(node.otherwise)))
        else:
            found.append(node)
    return tuple(found)


def pipelined_functions(program: LoopProgram, directives: Directives) -> tuple[LoopProgram, Directives]:
    """Unroll all loops in pipelined functions; a kernel that is pipelined itself becomes a loop of one iteration."""
    inside = []
    for number, frame in enumerate(program.frames):
        asked = directives.functions.get(scope_of(frame))
        if asked is not None and asked.pipeline and number:
            inside.append(frame)
        elif asked is not None and asked.pipeline:
            once = Loop(
                iterator=program.name, first=(Affine.of(0),), last=(Affine.of(0),), body=program.body,
                position=frame.position, end=frame.end,
            )  # fmt: skip
            loops = {scope_of(once): replace(asked, call=True)}
            return replace(program, body=(once,)), replace(directives, loops=loops)
    return (replace(program, body=_flat_in(program.body, inside, program.frames)) if inside else program), directives


def _flat_in(body: Sequence[Node], inside: Sequence[Frame], frames: Sequence[Frame]) -> tuple[Node, ...]:
    """Return a body in which all loops from some calls are unrolled completely."""
    found: list[Node] = []
    for node in body:
        if isinstance(node, Loop) and any(is_from(node, frame, frames) for frame in inside):
            found += flat((node,))
        elif isinstance(node, Loop):
            found.append(replace(node, body=_flat_in(node.body, inside, frames)))
        elif isinstance(node, Guard):
            parts = (_flat_in(part, inside, frames) for part in (node.body, node.otherwise))
            found.append(Guard(node.condition, *parts))
        else:
            found.append(node)
    return tuple(found)


def is_from(loop: Loop, frame: Frame, frames: Sequence[Frame]) -> bool:
    """Return whether a loop is part of a call: of its function or of those that this one calls, not around the call."""
    at = loop.position
    if not at.file or path_of(loop)[: len(frame.path)] != frame.path:
        return False  # a loop that stands for those around a branch is in no source
    homes = [each for each in frames if each.position.file == at.file and _start(each) <= (at.line, at.column)]
    home = max((each for each in homes if at.line <= each.end), key=_start, default=frame)
    around = {each.position for each in frames if each.path == frame.path[: len(each.path)]} - {frame.position}
    return home.position not in around


def _start(frame: Frame) -> tuple[int, int]:
    return frame.position.line, frame.position.column


def path_of(node: Node) -> tuple[str, ...]:
    """Return the calls that the first statement of a node comes from."""
    if isinstance(node, Execution):
        return node.statement.path
    inner = (*node.body, *(node.otherwise if isinstance(node, Guard) else ()))
    return next((path for each in inner if (path := path_of(each))), ())


def unrolled(loop: Loop, factor: int) -> tuple[Node, ...]:
    """Return a loop unrolled by a factor, 0 for completely; the last iteration leaves out copies that are too many.

    Tests between the copies do that (R9.4).

    Raises
    ------
    InputError
        If its trip count is not a number.
    """
    count = steady_trips(loop)
    if count is None:
        words = f"loop '{loop.iterator}' cannot be unrolled: how often it runs is not a constant"
        raise InputError(words, where=str(loop.position))
    start = loop.first[0]
    if all(bound.is_constant for bound in loop.first):
        start = Affine.of((max if loop.step > 0 else min)(bound.constant for bound in loop.first))
    if factor in (0, count) or factor > count:
        copies = (start + loop.step * n for n in range(count))
        return tuple(c for value in copies for c in substituted(loop.body, loop.iterator, value))
    if factor == 1:
        return (loop,)
    whole = count - count % factor
    at = Affine.of(loop.iterator)
    parts = [tuple(substituted(loop.body, loop.iterator, at + loop.step * n)) for n in range(factor)]
    if whole != count:
        return (_with_exits(loop, parts, start, count),)
    body = tuple(each for part in parts for each in part)
    last = start + loop.step * (whole - factor)
    return (replace(loop, first=(start,), last=(last,), step=loop.step * factor, body=body),)


def _with_exits(loop: Loop, copies: Sequence[tuple[Node, ...]], start: Affine, count: int) -> Loop:
    """Return a loop of copies that tests before a copy whether there is such an iteration."""
    factor, end = len(copies), start + loop.step * (count - 1)
    body: list[Node] = []
    for n, copy in enumerate(copies):
        left = end - (Affine.of(loop.iterator) + loop.step * n)
        condition = Compare(left if loop.step > 0 else -left)
        body += [Guard(condition, copy)] if n >= count % factor else copy
    last = start + loop.step * factor * ((count - 1) // factor)
    return replace(
        loop, first=(start,), last=(last,), step=loop.step * factor, body=tuple(body)
    )  # fmt: skip


def substituted(body: Sequence[Node], name: str, value: Affine) -> list[Node]:
    """Return a copy of nodes with an iterator replaced; conditions with a known result are resolved."""
    by = {name: value}
    found: list[Node] = []
    for node in body:
        if isinstance(node, Execution):
            found.append(Execution(_statement(node.statement, by)))
        elif isinstance(node, Guard):
            condition = renamed(node.condition, by)
            inside, other = substituted(node.body, name, value), substituted(node.otherwise, name, value)
            if condition_iterators(condition):
                found.append(Guard(condition, tuple(inside), tuple(other)))
            else:
                found += inside if holds(condition, {}) else other
        else:
            first, last = (tuple(bound.replaced(by) for bound in bounds) for bounds in (node.first, node.last))
            reads = tuple(_access(each, by) for each in node.reads)
            inner = tuple(substituted(node.body, name, value))
            found.append(replace(node, first=first, last=last, reads=reads, body=inner))
    return found


def _access(access: Access, by: Mapping[str, Affine]) -> Access:
    subscripts = tuple([subscript.replaced(by) for subscript in access.subscripts])
    same = all(map(operator.is_, subscripts, access.subscripts))
    return access if same else Access(access.array, subscripts, access.random)


def _statement(statement: Statement, by: Mapping[str, Affine]) -> Statement:
    def tree(one: Operation) -> Operation:
        if one.kind == "iterator" and one.text in by:
            value = by[one.text]
            constant = Operation("constant", one.type, (), str(value.constant), position=one.position)
            return constant if value.is_constant else one
        place = _access(one.place, by) if one.place else None
        operands = tuple([tree(operand) for operand in one.operands])
        if place is one.place and all(map(operator.is_, operands, one.operands)):
            return one
        return Operation(one.kind, one.type, operands, one.text, one.read, place, one.position)

    return Statement(  # what `replace` makes, at a third of its time
        name=statement.name, reads=tuple([_access(each, by) for each in statement.reads]),
        writes=tuple([_access(each, by) for each in statement.writes]), function=statement.function,
        value=tree(statement.value) if statement.value else None, member=statement.member,
        index=tuple([tree(each) for each in statement.index]), ii=statement.ii, latency=statement.latency,
        path=statement.path, process=statement.process, position=statement.position,
    )  # fmt: skip
