"""Complete unrolling of all loops in a body; equal parts of the copies are one object."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from ppnsim.errors import InputError
from ppnsim.hls.pragmas.directives import Directives, direct_loops, scope_of
from ppnsim.hls.structure.counting import steady_trips
from ppnsim.hls.structure.locations import iterators
from ppnsim.hls.structure.unrolling import copied, is_from, substituted, values_of, with_iterators
from ppnsim.loops.expressions import Affine, Condition, condition_iterators, holds
from ppnsim.loops.notation import renamed
from ppnsim.loops.program import Access, Execution, Frame, Guard, Loop, LoopProgram, Node, Operation

MOST_STATEMENTS = 250_000
"""Most statements of a body after its loops are unrolled; the vendor's tools refuse far fewer."""
MOST_COPIES = 1 << 16
"""Most copies of a statement that directives may make side by side: the graph of one loop takes ten seconds then."""
MOST_LOOPS = 10_000
"""Most loops that copies of an unrolled loop may contain: each takes about 2 ms to schedule."""
Numbers = Mapping[str, int]
"""The values of the iterators of the loops around a copy."""
Key = tuple[int | None, ...]
Copied = TypeVar("Copied")


def flat(body: Sequence[Node]) -> tuple[Node, ...]:
    """Return a body with all its loops unrolled completely; refuse more than `MOST_STATEMENTS` statements."""
    for node in body:
        if isinstance(node, Loop) and (count := _statements((node,))) > MOST_STATEMENTS:
            words = f"loop '{node.iterator}' becomes {count} statements when all loops in it are unrolled"
            advice = "pipeline an inner loop, or unroll by a factor"
            raise InputError(f"{words}, and at most {MOST_STATEMENTS} are followed; {advice}", where=str(node.position))
    return tuple(_Copies().flat(body, {}))


def outgrows(loop: Loop) -> bool:
    """Return whether a loop exceeds `MOST_STATEMENTS` when all loops in it are unrolled: no pipeline (R1.3)."""
    return _statements(loop.body) > MOST_STATEMENTS


def check_copies(loop: Loop, directives: Directives) -> None:
    """Refuse to unroll a loop into more than `MOST_COPIES`, or if more than `MOST_LOOPS` loops would remain.

    It is refused before any copy is made.
    """
    if (count := _loops(loop, directives)) > MOST_LOOPS:
        words = f"loop '{loop.iterator}' becomes {count} loops when it is unrolled, and at most {MOST_LOOPS} are"
        raise InputError(f"{words} followed; unroll it by a smaller factor, or pipeline it", where=str(loop.position))
    if (copies := _copies(loop, directives)) >= MOST_COPIES:
        words = (
            f"unrolling loop '{loop.iterator}' makes {copies} copies of its statements, and at most {MOST_COPIES - 1}"
        )
        advice = "#pragma HLS unroll factor=8, or #pragma HLS pipeline"
        raise InputError(f"{words} are followed; Vitis HLS gives up, too; write {advice}", where=str(loop.position))


def _copies(loop: Loop, directives: Directives) -> int:
    """Return how many copies of a statement directives make, in a loop and the loops in it."""
    asked, trips = directives.of(loop), steady_trips(loop) or 1
    own = 1 if asked.unroll is None else trips if not 0 < asked.unroll < trips else asked.unroll
    return own * max((_copies(each, directives) for each in direct_loops(loop.body)), default=1)


def _loops(loop: Loop, directives: Directives) -> int:
    """Return how many loops remain of a loop after directives have unrolled it and the loops in it."""
    asked, trips = directives.of(loop), steady_trips(loop)
    inside = 0 if asked.pipeline else sum(_loops(each, directives) for each in direct_loops(loop.body))
    if asked.unroll is None:
        return 1 + inside
    return (trips or 1) * inside if not 0 < asked.unroll < (trips or 0) else 1 + asked.unroll * inside


def _statements(body: Sequence[Node]) -> int:
    """Return how many statements a body has after its loops are unrolled, as far as constant bounds show."""
    inner = (each for node in body if isinstance(node, Guard) for each in (node.body, node.otherwise))
    loops = ((steady_trips(node) or 1) * _statements(node.body) for node in body if isinstance(node, Loop))
    return sum(isinstance(node, Execution) for node in body) + sum(loops) + sum(map(_statements, inner))


@dataclass(slots=True)
class _Copies:
    """Copies with numbers in place of iterators, by their originals and the numbers of the iterators in them.

    Equal copies are one object: tables of a body find the object without a comparison, and its hash is computed once.
    """

    _names: dict[int, tuple[object, tuple[str, ...]]] = field(default_factory=dict)
    _values: dict[Key, Sequence[Affine]] = field(default_factory=dict)
    _tests: dict[Key, tuple[Condition, bool | None]] = field(default_factory=dict)
    _executions: dict[Key, Execution] = field(default_factory=dict)
    _copies: dict[Key, Access] = field(default_factory=dict)
    _accesses: dict[Access, Access] = field(default_factory=dict)
    _conditions: dict[Condition, Condition] = field(default_factory=dict)
    _numbers: dict[int, Affine] = field(default_factory=dict)

    def flat(self, body: Sequence[Node], at: Numbers) -> list[Node]:
        """Return a body without loops, outermost first: trip counts of inner loops may depend on outer iterators."""
        found: list[Node] = []
        for node in body:
            if isinstance(node, Execution):
                found.append(self._execution(node, at))
            elif isinstance(node, Guard):
                found += self._guard(node, at)
            elif node.under is not None:  # data decides whether the copies run, as for the loop
                found += self._guard(Guard(node.under, (replace(node, under=None),)), at)
            else:
                found += self._loop(node, at)
        return found

    def _key(self, of: Copied, names: Callable[[Copied], Iterable[str]], at: Numbers) -> Key:
        """Return the key of a copy: the identity of its original, and the numbers of the iterators in it."""
        if (known := self._names.get(id(of))) is None:
            known = self._names[id(of)] = of, tuple(names(of))
        return id(of), *map(at.get, known[1])

    def _affine(self, of: object, at: Numbers) -> dict[str, Affine]:
        """Return the numbers of the iterators in an original."""
        names, known = self._names[id(of)][1], self._numbers
        return {n: known.get(at[n]) or known.setdefault(at[n], Affine.of(at[n])) for n in names if n in at}

    def _loop(self, loop: Loop, at: Numbers) -> list[Node]:
        key = self._key(loop, _in_bounds, at)
        if (values := self._values.get(key)) is None:
            by = self._affine(loop, at)
            first, last = (tuple(bound.replaced(by) for bound in bounds) for bounds in (loop.first, loop.last))
            values = self._values[key] = values_of(replace(loop, first=first, last=last))
        found, body = list[Node](), loop.body
        if all(value.is_constant for value in values):
            for value in values:
                found += self.flat(body, {**at, loop.iterator: value.constant})
            return found
        for name, number in at.items():
            body = tuple(substituted(body, name, Affine.of(number)))
        for value in values:
            found += self.flat(substituted(body, loop.iterator, value), {})
        return found

    def _guard(self, guard: Guard, at: Numbers) -> list[Node]:
        key = self._key(guard, lambda each: condition_iterators(each.condition), at)
        if (test := self._tests.get(key)) is None:
            condition = renamed(guard.condition, self._affine(guard, at))
            condition = self._conditions.setdefault(condition, condition)
            test = self._tests[key] = condition, None if None in key else holds(condition, {})
        condition, known = test
        if known is not None:
            return self.flat(guard.body if known else guard.otherwise, at)
        return [Guard(condition, tuple(self.flat(guard.body, at)), tuple(self.flat(guard.otherwise, at)))]

    def _execution(self, node: Execution, at: Numbers) -> Execution:
        key = self._key(node, _in_execution, at)
        if (found := self._executions.get(key)) is None:
            copy = partial(self._access, at)
            found = self._executions[key] = Execution(copied(node.statement, self._affine(node, at), copy))
        return found

    def _access(self, at: Numbers, access: Access, by: Mapping[str, Affine]) -> Access:
        key = self._key(access, iterators, at)
        if (found := self._copies.get(key)) is None:
            found = with_iterators(access, by)
            found = self._copies[key] = self._accesses.setdefault(found, found)
        return found


def _in_bounds(loop: Loop) -> set[str]:
    return set[str]().union(*(bound.iterators() for bound in (*loop.first, *loop.last)))


def _in_execution(node: Execution) -> set[str]:
    """Return the iterators in the accesses and in the expressions of a statement."""
    statement = node.statement
    trees = [tree for each in (statement.value, *statement.index) if each is not None for tree in each.walk()]
    accesses = [*statement.reads, *statement.writes, *(tree.place for tree in trees if tree.place is not None)]
    return set[str]().union(*map(_names, trees), *map(iterators, accesses))


def _names(tree: Operation) -> set[str]:
    """Return the iterators in an operation and in its value."""
    if tree.kind != "iterator":
        return set()
    return {tree.text}.union(*map(_names, tree.values.walk() if tree.values is not None else ()))


def pipelined_functions(program: LoopProgram, directives: Directives) -> tuple[LoopProgram, Directives]:
    """Unroll all loops in pipelined functions; a pipelined kernel becomes a loop of one iteration."""
    inside = []
    if not any(each.pipeline for each in directives.functions.values()):
        return program, directives
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
    """Return a body in which all loops of some calls are unrolled completely."""
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
