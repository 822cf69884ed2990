"""Questions to isl about a loop program: its exact value-based flow, reversed accesses, accesses outside their array.

Only this file and `isl_points` import islpy. The parameters of a program are bound, so that no set has parameters.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

import islpy as isl

from ppnsim.arrays import Int64Array
from ppnsim.errors import InputError
from ppnsim.loops.access_table import Ends
from ppnsim.loops.isl_points import coordinates, evaluated, first_points, naming
from ppnsim.loops.notation import ScheduledStatement, Side, execution_order, scheduled_statements
from ppnsim.loops.points import iterators_of
from ppnsim.loops.program import Access, LoopProgram, Statement

_IN, _OUT = isl.dim_type.in_, isl.dim_type.out
_SIDES: tuple[Side, Side] = "R", "W"


@dataclass(frozen=True, slots=True)
class Relation:
    """The firing of a producer that wrote the value of each firing of a consumer: a piecewise quasi-affine function."""

    _where: str
    _writer: isl.Map
    _steps: tuple[tuple[int, ...], tuple[int, ...]]

    def in_order(self) -> bool:
        """Return whether no reads r1 < r2 get their values from writes w(r1) > w(r2), in order of execution."""
        with naming(self._where):
            reader, writer = (isl.Map(execution_order(steps)) for steps in self._steps)
            signed = self._writer.apply_domain(reader).apply_range(writer)
            earlier = isl.Map.lex_lt(signed.get_space().domain())
            return signed.lex_gt_map(signed).intersect(earlier).is_empty()

    def multiplicity(self) -> bool:
        """Return whether some written value is read more than once."""
        with naming(self._where):
            return not self._writer.is_injective()

    def evaluate(self, points: Int64Array) -> tuple[Int64Array, Int64Array]:
        """Return the consumer firings that read from this producer, and the iteration vectors of their writes.

        ``points`` are the consumer's iteration vectors, shape (firings, loops). The result has ascending rows of
        ``points``, shape (reads,), and the producer's vectors, shape (reads, loops).
        """
        with naming(self._where):
            return evaluated(self._writer, points)


def flow(program: LoopProgram, ends: Iterable[Ends]) -> dict[Ends, Relation]:
    """Return the exact value-based flow of a program: for every read, the last write before it in program order.

    A statement reads before it writes. Of two writes to one element in a firing, the later one counts. Random
    accesses have no relation (`random_access`).

    ``ends`` are the accesses between which a value is handed on at all, as (producer, consumer, read, write): a write
    that is the last one before no read can be left out without a change to the rest, and isl's time grows with the
    cube of the writes to an array.

    Raises
    ------
    InputError
        If a bound or an access is not what isl can take; the message names the statement and the access.
    """
    statements, writes = scheduled_statements(program), {}
    writers: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for producer, consumer, argument, number in sorted(ends):
        writers.setdefault((consumer, argument), []).append((producer, number))
        if (producer, number) not in writes:
            writes[producer, number] = ScheduledAccess.of(statements[producer], "W", number)
    relations = {}
    for (consumer, argument), sources in writers.items():
        read = ScheduledAccess.of(statements[consumer], "R", argument)
        where = read.scheduled.where("R", argument)
        with naming(where):
            found = _sources(read, [writes[source] for source in sources])
        for write, writer in found:
            steps = read.scheduled.steps, write.scheduled.steps
            relations[write.scheduled.number, consumer, argument, write.number] = Relation(where, writer, steps)
    return relations


@dataclass(frozen=True, slots=True)
class ScheduledAccess:
    """An access as two maps: firings to elements, and firings to times, in program order or a new order of loops."""

    scheduled: ScheduledStatement
    side: Side
    number: int
    array: str
    elements: isl.Map
    times: isl.Map

    @classmethod
    def of(cls, scheduled: ScheduledStatement, side: Side, number: int, levels: Sequence[int] = ()) -> ScheduledAccess:
        """Return an access of a statement; ``levels`` is the order of its loops (`ScheduledStatement.schedule`)."""
        text = scheduled.access(side, number)
        with naming(scheduled.where(side, number)):
            elements = isl.Map(text)
            times = isl.Map(scheduled.schedule(side, number, levels)).intersect_domain(elements.domain())
        return cls(scheduled, side, number, scheduled.accesses(side)[number].array, elements, times)


def reversal(
    one: ScheduledAccess, other: ScheduledAccess, one_moved: ScheduledAccess, other_moved: ScheduledAccess
) -> tuple[list[int], list[int]] | None:
    """Return iterations of two accesses to one element whose order the new order of loops reverses.

    The first such pair where isl finds it, else any, but always the same one; None if there is none.
    """
    where = one.scheduled.where(one.side, one.number)
    with naming(where):
        same = one.elements.apply_range(other.elements.reverse())
        before, after = one.times.lex_lt_map(other.times), one_moved.times.lex_gt_map(other_moved.times)
        turned = same.intersect(before).intersect(after)
        if turned.is_empty():
            return None
        at = coordinates(first_points(turned.wrap()))
    return at[: turned.dim(_IN)], at[turned.dim(_IN) :]


def _sources(read: ScheduledAccess, writes: list[ScheduledAccess]) -> list[tuple[ScheduledAccess, isl.Map]]:
    """Return the writes that a read gets values from, each with the map from reader to writer.

    Each read takes the latest of the times before its own at which its element is written. isl's UnionAccessInfo
    answers the same question, but gives up (an isl error) on some accesses with quotients or remainders.
    """
    same_time = isl.Map.identity(read.times.get_space().range().map_from_set())
    before = read.times.lex_gt_map(same_time)
    written_at = [write.elements.reverse().apply_range(write.times) for write in writes]
    written = [read.elements.apply_range(times).intersect(before) for times in written_at]
    latest = _lexmax(reduce(isl.Map.union, written).coalesce()).coalesce()
    found = []
    for write, times in zip(writes, written, strict=True):
        here = latest.intersect(times)
        if not here.is_empty():
            found.append((write, here.apply_range(write.times.reverse()).coalesce()))
    return found


def _lexmax(times: isl.Map) -> isl.Map:
    try:
        return times.lexmax()
    except isl.Error:  # isl's own search trips over some quotients too: then take away what something later beats
        return times.subtract(times.apply_range(isl.Map.lex_gt(times.get_space().range())))


def check_bounds(program: LoopProgram) -> None:
    """Raise InputError for the first access in program order that is outside its array.

    Examples
    --------
    >>> from ppnsim.loops.expressions import Affine
    >>> from ppnsim.loops.program import Array, Execution, Loop
    >>> after = Access("a", (Affine.of("i") + 1,))
    >>> body = (Execution(Statement(name="s", writes=(after,))),)
    >>> loop = Loop(iterator="i", first=(Affine.of(0),), last=(Affine.of(3),), body=body)
    >>> check_bounds(LoopProgram(name="k", arrays=(Array(name="a", shape=(4,)),), body=(loop,)))
    Traceback (most recent call last):
    ppnsim.errors.InputError: statement 's': 'a[i + 1]' is outside 'a[4]' at i = 3
    """
    shapes = {array.name: array.shape for array in program.arrays}
    found: list[tuple[list[int], InputError]] = []
    for scheduled, (statement, around, _) in zip(scheduled_statements(program), program.placed(), strict=True):
        for side, number in [(each, k) for each in _SIDES for k in scheduled.affine(each)]:
            with naming(scheduled.where(side, number)):
                elements, access = isl.Map(scheduled.access(side, number)), scheduled.accesses(side)[number]
                beyond = elements.subtract_range(_box(shapes[access.array])).domain()
                if beyond.is_empty():
                    continue
                times = isl.Map(scheduled.schedule(side, number)).intersect_domain(beyond)
                first = times.range().lexmin()
                vector = coordinates(times.intersect_range(first).domain())
                at = dict(zip(iterators_of(around), vector, strict=True))
                found.append((coordinates(first), outside(program, statement, access, at)))
    if found:
        raise min(found, key=lambda entry: entry[0])[1]


def _box(shape: Sequence[int]) -> isl.Set:
    names = [f"e{k}" for k in range(len(shape))]
    inside = " and ".join(f"0 <= {name} < {size}" for name, size in zip(names, shape, strict=True)) or "true"
    return isl.Set(f"{{ [{', '.join(names)}] : {inside} }}")


def outside(program: LoopProgram, statement: Statement, access: Access, at: Mapping[str, int]) -> InputError:
    """Return the error for an access that is outside its array at some values of the iterators."""
    there = ", ".join(f"{name} = {value}" for name, value in at.items()) or "this place"
    where = f"{statement.position}: " if statement.position.line else ""
    array = access.array + "".join(f"[{extent}]" for extent in program.array(access.array).shape)
    return InputError(f"{where}statement '{statement.name}': '{access}' is outside '{array}' at {there}")
