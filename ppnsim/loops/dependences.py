"""The flow dependences of a loop program, firing by firing, with their kind and the storage that they need.

Which write a read gets its value from comes from executing the accesses with tags (`access_table`); in which order and
how often, from isl's relation between the two (`polyhedra`), which is held against these pairs first.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ppnsim.arrays import Int64Array, read_only
from ppnsim.loops.access_table import last_writes
from ppnsim.loops.points import iteration_points, scheduled_points
from ppnsim.loops.polyhedra import Relation, flow
from ppnsim.loops.program import LoopProgram, Operation
from ppnsim.loops.random_access import random_pairs


@dataclass(frozen=True, kw_only=True, eq=False)
class Dependence:
    """What one read argument of a statement gets from one write access of a statement.

    Attributes
    ----------
    producer, consumer : names of the statements.
    write, argument : numbers of the accesses in ``producer.writes`` and ``consumer.reads``.
    array : where the value is kept in between.
    pairs : ``(consumer firing, producer firing)`` of each read in execution order, shape ``(reads, 2)``; never empty.
    times : when these two firings execute in program order, shape ``(reads, 2)``; only the order counts.
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
        """``IOM-``, ``IOM+``, ``OOM-`` or ``OOM+`` (thesis 2.2.1)."""
        return ("IOM" if self.in_order else "OOM") + ("+" if self.multiplicity else "-")

    @cached_property
    def tokens(self) -> int:
        """Values that are read at least once."""
        return len(np.unique(self.pairs[:, 1]))

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

    Those of accesses to elements that data chooses are what they may want (`random_access`).

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
        found.append(
            Dependence(
                producer=statements[producer].name,
                consumer=statements[consumer].name,
                write=write,
                argument=argument,
                array=statements[consumer].reads[argument].array,
                pairs=read_only(pairs),
                times=read_only(np.stack([times[consumer][pairs[:, 0]], times[producer][pairs[:, 1]]], axis=1)),
                in_order=in_order,
                multiplicity=multiplicity,
            )
        )
    return found


def firings(program: LoopProgram) -> dict[str, int]:
    """Return how often each statement executes, in textual order."""
    return {statement.name: len(iteration_points(around)) for statement, around, _ in program.placed()}


def unwritten_reads(program: LoopProgram) -> dict[str, tuple[tuple[str, int], ...]]:
    """Return the arrays of which something is read that nothing has written, with (statement, argument) of such reads.

    What is read there comes from outside, or is there at time 0.
    """
    statements = program.statements()
    reads: dict[str, list[tuple[str, int]]] = {}
    for number, argument in sorted(last_writes(program)[1] | _random_reads(program)):
        statement = statements[number]
        reads.setdefault(statement.reads[argument].array, []).append((statement.name, argument))
    return {array.name: tuple(reads[array.name]) for array in program.arrays if array.name in reads}


def folded(program: LoopProgram) -> frozenset[str]:
    """Return the statements that are no process, because all they do is to put a constant into local storage.

    Such a statement has neither reads nor a call, its value is made of constants alone, all that it writes is local
    to the kernel, and the source gives it no ii and no latency. In hardware the constant is a first value that its
    readers choose by themselves: what they read there is there at time 0. Clearing an array of the caller is a result,
    and stays. If nothing else is left, nothing is folded.

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
        and _is_constant(statement.value)
        and {access.array for access in statement.writes} <= local
        and statement.ii is statement.latency is None
    )
    return names if len(names) < len(statements) else frozenset()


def _is_constant(value: Operation) -> bool:
    if value.operands:
        return value.kind != "call" and all(_is_constant(operand) for operand in value.operands)
    return value.kind == "constant"


def _classes(relation: Relation | None, pairs: Int64Array, written: Int64Array, read: Int64Array) -> tuple[bool, bool]:
    """Return whether a dependence is in order, and whether it has multiplicity.

    isl says it, from the relation. Where strides meet, some versions of isl lose parts of a relation: what it found is
    taken only if it is the flow itself, else the pairs say it.
    """
    if relation is not None:
        readers, vectors = relation.evaluate(read)
        if np.array_equal(readers, pairs[:, 0]) and np.array_equal(vectors, written[pairs[:, 1]]):
            return relation.in_order(), relation.multiplicity()
    return bool(np.all(np.diff(pairs[:, 1]) >= 0)), len(np.unique(pairs[:, 1])) < len(pairs)


def _random_reads(program: LoopProgram) -> set[tuple[int, int]]:
    """Return the (statement, argument) of reads of which element data chooses: it may be one that nobody wrote."""
    executions = list(firings(program).values())
    return {
        (number, argument)
        for number, statement in enumerate(program.statements())
        for argument, access in enumerate(statement.reads)
        if access.random and executions[number]
    }
