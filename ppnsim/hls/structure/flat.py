"""Bodies whose loops are all unrolled completely: what is equal in copies of a statement is made once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ppnsim.errors import InputError
from ppnsim.hls.pragmas.directives import Directives, direct_loops, scope_of
from ppnsim.hls.structure.counting import steady_trips
from ppnsim.hls.structure.locations import iterators
from ppnsim.hls.structure.unrolling import copied, is_from, substituted, values_of, with_iterators
from ppnsim.loops.expressions import Affine, Condition, condition_iterators, holds
from ppnsim.loops.notation import renamed
from ppnsim.loops.program import Access, Execution, Frame, Guard, Loop, LoopProgram, Node, Operation, Statement

MOST_STATEMENTS = 250_000
"""Statements that a body may have when its loops are unrolled; vendors refuse far fewer."""
MOST_LOOPS = 10_000
"""Loops that may be left of one whose copies have loops in them: each is scheduled by itself, in about 2 ms."""
Numbers = Mapping[str, int]
"""What the iterators of the loops around a copy are."""


def flat(body: Sequence[Node]) -> tuple[Node, ...]:
    """Return a body with all loops in it unrolled completely; refuse what has more than `MOST_STATEMENTS` then."""
    for node in body:
        if isinstance(node, Loop) and (count := _statements((node,))) > MOST_STATEMENTS:
            words = f"loop '{node.iterator}' becomes {count} statements when all loops in it are unrolled"
            advice = "pipeline an inner loop, or unroll by a factor"
            raise InputError(f"{words}, and at most {MOST_STATEMENTS} are followed; {advice}", where=str(node.position))
    return tuple(_Copies().flat(body, {}))


def outgrows(loop: Loop) -> bool:
    """Return whether a loop has more than `MOST_STATEMENTS` when all loops in it are unrolled: no pipeline (R1.3)."""
    return _statements(loop.body) > MOST_STATEMENTS


def check_copies(loop: Loop, directives: Directives) -> None:
    """Refuse a loop that is unrolled and leaves more than `MOST_LOOPS` loops, before a copy is made."""
    if (count := _loops(loop, directives)) > MOST_LOOPS:
        words = f"loop '{loop.iterator}' becomes {count} loops when it is unrolled, and at most {MOST_LOOPS} are"
        raise InputError(f"{words} followed; unroll it by a smaller factor, or pipeline it", where=str(loop.position))


def _loops(loop: Loop, directives: Directives) -> int:
    """Return how many loops are left of a loop when directives have unrolled it and those in it."""
    asked, trips = directives.of(loop), steady_trips(loop)
    inside = 0 if asked.pipeline else sum(_loops(each, directives) for each in direct_loops(loop.body))
    if asked.unroll is None:
        return 1 + inside
    return (trips or 1) * inside if not 0 < asked.unroll < (trips or 0) else 1 + asked.unroll * inside


def _statements(body: Sequence[Node]) -> int:
    """Return how many statements a body has when its loops are unrolled, as far as that is known before."""
    inner = (each for node in body if isinstance(node, Guard) for each in (node.body, node.otherwise))
    loops = ((steady_trips(node) or 1) * _statements(node.body) for node in body if isinstance(node, Loop))
    return sum(isinstance(node, Execution) for node in body) + sum(loops) + sum(map(_statements, inner))


@dataclass(slots=True)
class _Copies:
    """Copies with numbers in the place of iterators, by what they are copies of and the numbers of its own iterators.

    What is equal is one object: tables of a body find it without a comparison, and its hash is computed once.
    """

    _names: dict[int, tuple[Execution, tuple[str, ...]]] = field(default_factory=dict)
    _names_in: dict[Access | Condition, tuple[str, ...]] = field(default_factory=dict)
    _executions: dict[tuple[object, ...], Execution] = field(default_factory=dict)
    _accesses: dict[tuple[object, ...], Access] = field(default_factory=dict)
    _conditions: dict[tuple[object, ...], Condition] = field(default_factory=dict)

    def flat(self, body: Sequence[Node], at: Numbers) -> Iterator[Node]:
        """Yield a body without loops; outermost first: how often inner loops run may depend on it."""
        for node in body:
            if isinstance(node, Execution):
                yield self._execution(node, at)
            elif isinstance(node, Guard):
                yield from self._guard(node, at)
            elif node.under is not None:  # the copies are what data decides, as the loop was
                yield from self._guard(Guard(node.under, (replace(node, under=None),)), at)
            else:
                yield from self._loop(node, at)

    def _loop(self, loop: Loop, at: Numbers) -> Iterator[Node]:
        by = _affine(at, at)
        first, last = (tuple(bound.replaced(by) for bound in bounds) for bounds in (loop.first, loop.last))
        values, body = values_of(replace(loop, first=first, last=last)), loop.body
        if all(value.is_constant for value in values):
            for value in values:
                yield from self.flat(body, {**at, loop.iterator: value.constant})
            return
        for name, number in by.items():
            body = tuple(substituted(body, name, number))
        for value in values:
            yield from self.flat(substituted(body, loop.iterator, value), {})

    def _guard(self, guard: Guard, at: Numbers) -> Iterator[Node]:
        if (names := self._names_in.get(guard.condition)) is None:
            names = self._names_in[guard.condition] = tuple(condition_iterators(guard.condition))
        key = guard.condition, *map(at.get, names)
        if (condition := self._conditions.get(key)) is None:
            condition = self._conditions[key] = renamed(guard.condition, _affine(names, at))
        if all(name in at for name in names):
            yield from self.flat(guard.body if holds(condition, {}) else guard.otherwise, at)
        else:
            yield Guard(condition, tuple(self.flat(guard.body, at)), tuple(self.flat(guard.otherwise, at)))

    def _execution(self, node: Execution, at: Numbers) -> Execution:
        if id(node) not in self._names:
            self._names[id(node)] = node, tuple(_iterators_of(node.statement))
        names = self._names[id(node)][1]
        key = id(node), *map(at.get, names)
        if (found := self._executions.get(key)) is None:

            def copy(access: Access, by: Mapping[str, Affine]) -> Access:
                if (names := self._names_in.get(access)) is None:
                    names = self._names_in[access] = tuple(iterators(access))
                key = access, *map(at.get, names)
                if (found := self._accesses.get(key)) is None:
                    found = self._accesses[key] = with_iterators(access, by)
                return found

            found = self._executions[key] = Execution(copied(node.statement, _affine(names, at), copy))
        return found


def _affine(names: Iterable[str], at: Numbers) -> dict[str, Affine]:
    return {name: Affine.of(at[name]) for name in names if name in at}


def _iterators_of(statement: Statement) -> set[str]:
    """Return the iterators in the accesses of a statement and in its expressions."""
    trees = [tree for each in (statement.value, *statement.index) if each is not None for tree in each.walk()]
    accesses = [*statement.reads, *statement.writes, *(tree.place for tree in trees if tree.place is not None)]
    return set[str]().union(*map(_names, trees), *map(iterators, accesses))


def _names(tree: Operation) -> set[str]:
    """Return the iterator that an operation is, and those in its value."""
    if tree.kind != "iterator":
        return set()
    return {tree.text}.union(*map(_names, tree.values.walk() if tree.values is not None else ()))


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
