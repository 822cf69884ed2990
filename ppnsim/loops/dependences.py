"""The flow dependences of a loop program, firing by firing, with their kind and the storage that they need.

`access_table` executes the accesses with tags and finds the write that each read gets its value from. The relation that
isl computes (`polyhedra`) gives order and multiplicity; it is first checked against these pairs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ppnsim.arrays import Int64Array, distinct, read_only
from ppnsim.errors import InputError
from ppnsim.loops.access_table import Ends, last_writes
from ppnsim.loops.points import iteration_points, scheduled_points
from ppnsim.loops.polyhedra import Relation, flow
from ppnsim.loops.program import Access, LoopProgram, Statement


@dataclass(frozen=True, kw_only=True, eq=False)
class Dependence:
    """The values that one read argument of a statement gets from one write access.

    Attributes
    ----------
    producer, consumer : names of the statements.
    write, argument : numbers of the accesses in ``producer.writes`` and ``consumer.reads``.
    array : holds the value between the write and the read.
    pairs : ``(consumer firing, producer firing)`` of each read in execution order, shape ``(reads, 2)``; never empty.
    times : places of these two firings in program order, shape ``(reads, 2)``; only their order has a meaning.
    in_order : whether values are read in the order in which they are written.
    multiplicity : whether a value is read more than once.
    """

    producer: str
    consumer: str
    write: int
    argument: int
    array: str
    pairs: Int64Array
    times: Int64Array
    in_order: bool
    multiplicity: bool

    @property
    def kind(self) -> str:
        """``IOM-``, ``IOM+``, ``OOM-`` or ``OOM+`` (van Teijlingen 2014, section 2.2.1)."""
        return ("IOM" if self.in_order else "OOM") + ("+" if self.multiplicity else "-")

    @cached_property
    def tokens(self) -> int:
        """Values that are read at least once."""
        return len(distinct(self.pairs[:, 1])) if self.multiplicity else len(self.pairs)

    @cached_property
    def sequential_size(self) -> int:
        """Most values written and not yet read for the last time, if the program executes in its own order.

        A firing reads before it writes: a recurrence on a scalar needs room for one value.
        """
        written, first = np.unique(self.times[:, 1], return_index=True)
        token = np.searchsorted(written, self.times[:, 1])
        last_read = self.times[first, 0]
        np.maximum.at(last_read, token, self.times[:, 0])
        gone = np.searchsorted(np.sort(last_read), written, side="right")
        return int((np.arange(1, len(written) + 1) - gone).max())


def dependences(program: LoopProgram) -> list[Dependence]:
    """Return the flow dependences of a program by producer, consumer, argument and write, in textual order.

    An access whose subscript is data depends on every write that it may need (`random_access`).

    Raises
    ------
    InputError
        If a bound or an access is not what isl can take.

    Examples
    --------
    >>> from ppnsim.loops.expressions import Affine
    >>> from ppnsim.loops.program import Access, Array, Execution, Loop, Statement
    >>> i = Affine.of("i")
    >>> sum_up = Statement(name="s", reads=(Access("a", (i - 1,)),), writes=(Access("a", (i,)),))
    >>> loop = Loop(iterator="i", first=(Affine.of(1),), last=(Affine.of(3),), body=(Execution(sum_up),))
    >>> [only] = dependences(LoopProgram(name="sum", arrays=(Array(name="a", shape=(4,)),), body=(loop,)))
    >>> only.pairs.tolist(), only.kind, only.sequential_size
    ([[1, 0], [2, 1]], 'IOM-', 1)

    Source: value-based flow dependences, van Teijlingen 2014, sections 2.3.3 and 4.8.
    """
    statements = program.statements()
    points, times = scheduled_points(program)
    written = last_writes(program)[0]
    relations = flow(program, written)
    found = []
    for ends, pairs in sorted([*written.items(), *random_pairs(program)], key=lambda entry: entry[0]):
        producer, consumer, argument, write = ends
        in_order, multiplicity = _classes(relations.get(ends), pairs, points[producer], points[consumer])
        when = np.stack([times[consumer][pairs[:, 0]], times[producer][pairs[:, 1]]], axis=1)
        dependence = Dependence(
            producer=statements[producer].name, consumer=statements[consumer].name, write=write, argument=argument,
            array=statements[consumer].reads[argument].array, pairs=read_only(pairs), times=read_only(when),
            in_order=in_order, multiplicity=multiplicity,
        )  # fmt: skip
        found.append(dependence)
    return found


def firings(program: LoopProgram) -> dict[str, int]:
    """Return how often each statement executes, in textual order."""
    return {statement.name: len(iteration_points(around)) for statement, around, _ in program.placed()}


def unwritten_reads(program: LoopProgram) -> dict[str, tuple[tuple[str, int], ...]]:
    """Return the arrays with reads of elements that no statement has written, and (statement, argument) of these reads.

    Such a value comes from outside the program, or exists at time 0.
    """
    statements = program.statements()
    reads: dict[str, list[tuple[str, int]]] = {}
    for number, argument in sorted(last_writes(program)[1] | _random_reads(program)):
        statement = statements[number]
        reads.setdefault(statement.reads[argument].array, []).append((statement.name, argument))
    return {array.name: tuple(reads[array.name]) for array in program.arrays if array.name in reads}


def folded(program: LoopProgram) -> frozenset[str]:
    """Return the statements that become no process because they only store a constant in local memory.

    Such a statement has no reads and no call. Its value consists of constants, it writes only local arrays, and the
    source gives it no ii and no latency. In hardware, the readers select the constant as their first value, so it
    exists at time 0. A statement that clears an array of the caller produces a result and is not folded. If all
    statements could be folded, none is.

    Source: the six processes of atax, van Teijlingen 2014, section 7.4: tmp is cleared in its recurrence, y is not.
    """
    local = {array.name for array in program.arrays if array.role == "local"}
    statements = program.statements()
    names = frozenset(
        statement.name
        for statement in statements
        if not statement.reads
        and not statement.function
        and statement.value is not None
        and all(each.kind != "call" if each.operands else each.kind == "constant" for each in statement.value.walk())
        and {access.array for access in statement.writes} <= local
        and statement.ii is statement.latency is None
    )
    return names if len(names) < len(statements) else frozenset()


def _classes(relation: Relation | None, pairs: Int64Array, written: Int64Array, read: Int64Array) -> tuple[bool, bool]:
    """Return whether a dependence is in order, and whether it has multiplicity.

    The answer comes from isl's relation if that relation equals the pairs, else from the pairs: some versions of isl
    lose parts of a relation where strides meet.
    """
    if relation is not None:
        readers, vectors = relation.evaluate(read)
        if np.array_equal(readers, pairs[:, 0]) and np.array_equal(vectors, written[pairs[:, 1]]):
            return relation.in_order(), relation.multiplicity()
    return bool(np.all(np.diff(pairs[:, 1]) >= 0)), len(distinct(pairs[:, 1])) < len(pairs)


def _random_reads(program: LoopProgram) -> set[tuple[int, int]]:
    """Return the (statement, argument) of reads whose element depends on data: nobody may have written it."""
    executions = list(firings(program).values())
    return {
        (number, argument)
        for number, statement in enumerate(program.statements())
        for argument, access in enumerate(statement.reads)
        if access.random and executions[number]
    }


_MOST_PAIRS = 2**24  # of one read argument and one write access: 256 MB


def random_pairs(program: LoopProgram) -> Iterator[tuple[Ends, Int64Array]]:
    """Yield the ends of each dependence that a random access has, with its pairs.

    A random read waits for everything that has been written to its array before it in program order, and every other
    read waits for all random writes to its array before it: no value that it may get is left out. Pairs are (consumer
    firing, producer firing) in order of the reader, then of the writer, shape ``(reads, 2)``.

    Raises
    ------
    InputError
        If there are too many pairs for a network.
    """
    statements = program.statements()
    if not any(access.random for s in statements for access in (*s.reads, *s.writes)):
        return
    _, times = scheduled_points(program)
    for consumer, reader in enumerate(statements):
        for argument, read in enumerate(reader.reads):
            for producer, write, access in _writes(statements, read.array):
                if (read.random or access.random) and len(times[consumer]) and len(times[producer]):
                    before = np.searchsorted(times[producer], times[consumer])
                    if not before.any():
                        continue
                    _check(int(before.sum()), reader, read)
                    pairs = np.stack([np.repeat(np.arange(len(before)), before), _up_to(before)], axis=1)
                    yield (producer, consumer, argument, write), pairs


def _writes(statements: list[Statement], array: str) -> Iterator[tuple[int, int, Access]]:
    for producer, statement in enumerate(statements):
        for number, access in enumerate(statement.writes):
            if access.array == array:
                yield producer, number, access


def _up_to(counts: Int64Array) -> Int64Array:
    """Return 0 .. n - 1 for each count n, concatenated."""
    return np.arange(counts.sum(), dtype=np.int64) - np.repeat(np.cumsum(counts) - counts, counts)


def _check(pairs: int, reader: Statement, read: Access) -> None:
    if pairs > _MOST_PAIRS:
        problem = f"{read} may want {pairs} values in all, too many for a network (at most {_MOST_PAIRS}); "
        advice = "estimates do not need it (profile --no-channels)"
        raise InputError(problem + advice, where=f"{reader.position}: statement '{reader.name}'")
