"""Loop unrolling: one copy of a loop's body for each iteration, or ``factor`` copies."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ppnsim.errors import InputError
from ppnsim.hls.structure.counting import steady_trips
from ppnsim.hls.structure.known_remainders import has_known_remainders
from ppnsim.loops.expressions import Affine, Compare, condition_iterators, holds
from ppnsim.loops.notation import renamed
from ppnsim.loops.program import Access, Execution, Frame, Guard, Loop, Node, Operation, Statement

_DATA = Operation("data", "int")


def is_from(loop: Loop, frame: Frame, frames: Sequence[Frame]) -> bool:
    """Return whether a loop is inside a call: in its function or in a function that this one calls."""
    at = loop.position
    if not at.file or path_of(loop)[: len(frame.path)] != frame.path:
        return False  # a loop that stands for the loops around a branch has no place in the source
    homes = [each for each in frames if each.position.file == at.file and _start(each) <= (at.line, at.column)]
    home = max((each for each in homes if at.line <= each.end), key=_start, default=frame)
    around = {each.position for each in frames if each.path == frame.path[: len(each.path)]} - {frame.position}
    return home.position not in around


def _start(frame: Frame) -> tuple[int, int]:
    return frame.position.line, frame.position.column


def path_of(node: Node) -> tuple[str, ...]:
    """Return the calls that contain the first statement of a node."""
    if isinstance(node, Execution):
        return node.statement.path
    ways = node.body, getattr(node, "otherwise", ())
    return next((path for way in ways for each in way if (path := path_of(each))), ())


def values_of(loop: Loop) -> list[Affine]:
    """Return the values of an iterator: constants, or an unknown first value plus multiples of the step.

    Raises
    ------
    InputError
        If its trip count is not constant.

    Examples
    --------
    >>> [str(value) for value in values_of(Loop(iterator="j", first=(Affine.of("i"),), last=(Affine.of("i") + 1,)))]
    ['i', 'i + 1']
    """
    start, count = _start_and_trips(loop)
    return [Affine(start.terms, start.constant + loop.step * n) for n in range(count)]


def _start_and_trips(loop: Loop) -> tuple[Affine, int]:
    count = steady_trips(loop)
    if count is None:
        words = f"loop '{loop.iterator}' cannot be unrolled: how often it runs is not a constant"
        raise InputError(words, where=str(loop.position))
    start = loop.first[0]
    if all(bound.is_constant for bound in loop.first):
        start = Affine.of((max if loop.step > 0 else min)(bound.constant for bound in loop.first))
    return start, count


def unrolled(loop: Loop, factor: int) -> tuple[Node, ...]:
    """Return a loop unrolled by a factor, 0 for completely; the last iteration leaves out superfluous copies.

    Tests between the copies end the last iteration (R9.4).

    Raises
    ------
    InputError
        If its trip count is not constant.
    """
    start, count = _start_and_trips(loop)
    if factor in (0, count) or factor > count:
        return tuple(c for value in values_of(loop) for c in substituted(loop.body, loop.iterator, value))
    if factor == 1:
        return (loop,)
    whole = count - count % factor
    at = Affine.of(loop.iterator)
    if known := whole == count and has_known_remainders(loop, factor):
        at = at * (loop.step * factor) + start  # counted from 0 by 1: what is divided is a multiple and a number
    parts = [tuple(substituted(loop.body, loop.iterator, at + loop.step * n)) for n in range(factor)]
    if whole != count:
        return (_with_exits(loop, parts, start, count),)
    body = tuple(each for part in parts for each in part)
    if known:
        return (replace(loop, first=(Affine.of(0),), last=(Affine.of(whole // factor - 1),), step=1, body=body),)
    last = start + loop.step * (whole - factor)
    return (replace(loop, first=(start,), last=(last,), step=loop.step * factor, body=body),)


def without_single(body: Sequence[Node], kept: Callable[[Loop], bool]) -> tuple[Node, ...]:
    """Return nodes without the loops that run once, except those ``kept``: their code stands alone (R1.9)."""
    found: list[Node] = []
    for node in body:
        if isinstance(node, Execution):
            found.append(node)
        elif isinstance(node, Guard):
            ways = without_single(node.body, kept), without_single(node.otherwise, kept)
            same = ways == (node.body, node.otherwise)
            found.append(node if same else replace(node, body=ways[0], otherwise=ways[1]))
        else:
            inside = without_single(node.body, kept)
            whole = node if inside == node.body else replace(node, body=inside)
            found += unrolled(whole, 0) if steady_trips(whole) == 1 and not kept(whole) else [whole]
    return tuple(found)


def _with_exits(loop: Loop, copies: Sequence[tuple[Node, ...]], start: Affine, count: int) -> Loop:
    """Return a loop of copies with a test before each copy whether its iteration exists."""
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
            found.append(Execution(copied(node.statement, by, with_iterators)))
        elif isinstance(node, Guard):
            condition = renamed(node.condition, by)
            inside, other = substituted(node.body, name, value), substituted(node.otherwise, name, value)
            if condition_iterators(condition):
                found.append(Guard(condition, tuple(inside), tuple(other)))
            else:
                found += inside if holds(condition, {}) else other
        else:
            first, last = (tuple(bound.replaced(by) for bound in bounds) for bounds in (node.first, node.last))
            reads = tuple(with_iterators(each, by) for each in node.reads)
            inner = tuple(substituted(node.body, name, value))
            found.append(replace(node, first=first, last=last, reads=reads, body=inner))
    return found


def _iterator(one: Operation, by: Mapping[str, Affine]) -> Operation:
    """Return the number of an iterator, or the value of a counting iterator; the iterator itself if not replaced."""
    value = by.get(one.text)
    if one.values is None:
        if value is None or not value.is_constant:
            return one
        return Operation("constant", one.type, (), str(value.constant), position=one.position)
    known = None if one.values.kind == "data" else _valued(one.values, by)
    if value is None or not value.is_constant:
        return one if known is None or known is one.values else replace(one, values=known)
    return replace(one, text=f"{one.text}.{value.constant}", values=_DATA) if known is None else known


def _valued(tree: Operation, by: Mapping[str, Affine]) -> Operation:
    """Return the value of a counting iterator with iterators replaced in it."""
    if tree.kind == "iterator":
        return _iterator(tree, by)
    operands = tuple([_valued(each, by) for each in tree.operands])
    return tree if all(map(operator.is_, operands, tree.operands)) else tree.on(operands, tree.read)


def with_iterators(access: Access, by: Mapping[str, Affine]) -> Access:
    """Return an access with iterators replaced; the same object if it uses none of them."""
    subscripts = tuple([subscript.replaced(by) for subscript in access.subscripts])
    same = all(map(operator.is_, subscripts, access.subscripts))
    return access if same else Access(access.array, subscripts, access.random)


def copied(
    statement: Statement, by: Mapping[str, Affine], copy: Callable[[Access, Mapping[str, Affine]], Access]
) -> Statement:  # fmt: skip
    """Return a statement with iterators replaced; ``copy`` returns its accesses with the same iterators replaced."""

    def tree(one: Operation) -> Operation:
        if one.kind == "iterator":
            return _iterator(one, by)
        place = copy(one.place, by) if one.place else None
        operands = tuple([tree(operand) for operand in one.operands])
        if place is one.place and all(map(operator.is_, operands, one.operands)):
            return one
        return Operation(one.kind, one.type, operands, one.text, one.read, place, one.position)

    return Statement(  # the result of `replace`, in a third of its time
        name=statement.name, reads=tuple([copy(each, by) for each in statement.reads]),
        writes=tuple([copy(each, by) for each in statement.writes]), function=statement.function,
        value=tree(statement.value) if statement.value else None, member=statement.member,
        index=tuple([tree(each) for each in statement.index]), ii=statement.ii, latency=statement.latency,
        path=statement.path, process=statement.process, position=statement.position,
    )  # fmt: skip
