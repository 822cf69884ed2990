"""All executions of a loop program with their dependences, to time any assignment of executions to processes quickly.

Splitting a statement does not change the executions, their dependences or the program order; it changes only which
executions share a process. The graph is therefore built once. A design is then one process number per execution.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ppnsim.arrays import Int64Array
from ppnsim.derive.designs.graph_kernels import latest_of_own, longest_path, walk
from ppnsim.errors import InputError
from ppnsim.kernel_cache import run_kernel
from ppnsim.loops.dependences import Dependence, dependences, folded
from ppnsim.loops.points import scheduled_points
from ppnsim.loops.program import Loop, LoopProgram, Statement
from ppnsim.model.metrics import curve

MOST_EXECUTIONS = 5_000_000  # some 100 bytes each


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Executed:
    """A statement that is a process, with its iteration vectors and their places in program order."""

    statement: Statement
    loops: tuple[Loop, ...]
    points: Int64Array
    places: Int64Array
    ii: int
    latency: int

    @property
    def name(self) -> str:
        """Name of the statement."""
        return self.statement.name

    @property
    def stages(self) -> int:
        """Cycles from start to end; from then on the written value can be read."""
        return bool(self.statement.reads) + self.latency + bool(self.statement.writes)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExecutionGraph:
    """The executions of a program in program order, each with the executions that it reads from.

    Attributes
    ----------
    statements : those that execute and are not `folded`, in textual order.
    number : index in ``statements`` of each execution, int64, shape ``(executions,)``.
    first, producers : execution e reads from ``producers[first[e]:first[e + 1]]``.
    dependences : the flow dependences between these statements.
    """

    statements: tuple[Executed, ...]
    number: Int64Array
    first: Int64Array
    producers: Int64Array
    dependences: tuple[Dependence, ...]

    @classmethod
    def of(cls, program: LoopProgram, *, ii: int = 1, latency: int = 1) -> ExecutionGraph:
        """Return the graph of a program; ``ii`` and ``latency`` in the source win over the arguments.

        Raises
        ------
        InputError
            If isl cannot take the program, or it has more than MOST_EXECUTIONS executions.
        """
        gone = folded(program)
        points, times = scheduled_points(program)
        placed = [
            (statement, tuple(part for part in around if isinstance(part, Loop)), here, when)
            for (statement, around, _), here, when in zip(program.placed(), points, times, strict=True)
            if len(here) and statement.name not in gone
        ]
        order = np.argsort(np.concatenate([when for *_, when in placed]), kind="stable")
        check_size(program, len(order))
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        ends = np.cumsum([len(here) for _, _, here, _ in placed])
        statements = tuple(
            Executed(
                statement=statement, loops=loops, points=here, places=place[end - len(here) : end],
                ii=ii if statement.ii is None else statement.ii,
                latency=latency if statement.latency is None else statement.latency,
            )
            for (statement, loops, here, _), end in zip(placed, ends.tolist(), strict=True)
        )  # fmt: skip
        number = np.repeat(np.arange(len(statements)), [len(each.places) for each in statements])[order]
        found = tuple(each for each in dependences(program) if each.producer not in gone)
        return cls(statements=statements, number=number, dependences=found, **_readers(statements, found, len(order)))

    @property
    def busy(self) -> int:
        """Execute cycles of all executions."""
        return sum(each.latency * len(each.places) for each in self.statements)

    def starts(self, process: Int64Array) -> tuple[Int64Array, int]:
        """Return when each execution starts, and the finish, if execution e runs on process ``process[e]``.

        A process starts its executions in program order, at least ii cycles apart, as soon as their inputs have been
        written. One process per statement gives the absolute estimate, one per execution the unbounded one.

        Source: van Teijlingen 2014, sections 4.4 and 4.5.
        """
        start = np.empty(len(process), dtype=np.int64)
        free = np.zeros(int(process.max(initial=0)) + 1, dtype=np.int64)
        ii, stages = self._cycles()
        return start, run_kernel(walk, process, self.number, self.first, self.producers, ii, stages, free, start)

    def most_at_once(self, process: Int64Array) -> int:
        """Return the largest number of executes that are active at once."""
        start, finish = self.starts(process)
        begin = start + np.array([bool(s.statement.reads) for s in self.statements], dtype=np.int64)[self.number]
        latency = np.array([s.latency for s in self.statements])[self.number]
        return int(curve(begin, begin + latency, until=finish)[1].max(initial=0))

    def held_by(self, process: Int64Array) -> set[int]:
        """Return the statements whose process delays a longest path; a design must split one of them to finish earlier.

        A design that splits only other statements has the same longest path.
        """
        start, finish = self.starts(process)
        _, stages = self._cycles()
        held = np.zeros(len(self.statements), dtype=np.int64)
        last = np.full(int(process.max(initial=0)) + 1, -1, dtype=np.int64)
        before = np.empty(len(process), dtype=np.int64)
        run_kernel(
            longest_path, process, self.number, self.first, self.producers, stages, start, finish, last, before, held
        )
        return set(np.flatnonzero(held).tolist())

    def followed(self, statement: int) -> NDArray[np.bool_]:
        """Return whether data make each execution of a statement (except the first) wait for the previous one.

        This holds if a path of dependences leads to it from the previous execution, also through other statements, and
        the ii has passed when that execution ends. Then it does not matter whether the two share a process.
        """
        each = self.statements[statement]
        if each.ii > each.stages:
            return np.zeros(len(each.places) - 1, dtype=np.bool_)
        latest = np.empty(len(self.number), dtype=np.int64)
        run_kernel(latest_of_own, self.number, self.first, self.producers, statement, latest)
        before: NDArray[np.bool_] = latest[each.places[1:]] == each.places[:-1]
        return before

    def _cycles(self) -> tuple[Int64Array, Int64Array]:
        """Return ii and stages of each statement."""
        both = np.array([(each.ii, each.stages) for each in self.statements], dtype=np.int64)
        return np.ascontiguousarray(both[:, 0]), np.ascontiguousarray(both[:, 1])


def check_size(program: LoopProgram, executions: int) -> None:
    """Refuse a program whose executions would not fit in memory."""
    if executions > MOST_EXECUTIONS:
        reason = f"{executions} executions are too many to explore (at most {MOST_EXECUTIONS}): make its sizes smaller"
        raise InputError(reason, where=program.name)


def _readers(statements: Sequence[Executed], found: Sequence[Dependence], count: int) -> dict[str, Int64Array]:
    places = {each.name: each.places for each in statements}
    none = np.zeros(0, dtype=np.int64)
    readers = np.concatenate([none, *(places[each.consumer][each.pairs[:, 0]] for each in found)])
    writers = np.concatenate([none, *(places[each.producer][each.pairs[:, 1]] for each in found)])
    by_reader = np.argsort(readers, kind="stable")
    first = np.concatenate([[0], np.cumsum(np.bincount(readers, minlength=count))])
    return {"first": first.astype(np.int64), "producers": writers[by_reader]}
