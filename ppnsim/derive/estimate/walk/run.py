"""Runs a generated walk: first in Python, then compiled, in calls that return every few milliseconds.

Compilation takes some tenths of a second, and a small program finishes in less time. The walk therefore starts in
Python; if its budget is used up, the compiled kernel continues at the same iteration.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ppnsim.arrays import Int64Array
from ppnsim.derive.estimate.walk.activity import LARGEST, Activity
from ppnsim.derive.estimate.walk.nest import LOOP_FIELDS, OUTSIDE, PAUSED, NestSource
from ppnsim.derive.estimate.walk.step import SPILL_COST, compiled, step
from ppnsim.errors import InputError
from ppnsim.loops.polyhedra import outside
from ppnsim.loops.program import Execution, Guard, Loop, LoopProgram, Node
from ppnsim.machine_code.kernels import machine_code_of

IN_PYTHON = 10_000  # iterations per statement, about as long as compiling takes
_BUDGET = 2**20  # iterations of one compiled call: some ten milliseconds
_ENDLESS = 2**62

Progress = Callable[[int, int], None]


@dataclass(kw_only=True)
class Walk:
    """One walk through a program, with its arrays.

    Attributes
    ----------
    margin : cycles by which ``top`` can grow between two checks.
    counts : absolute and unbounded activity; empty for a walk that does not count.
    tables : the arguments of the kernel behind the common ones and the activity.
    run : budget, limit, largest absolute start, largest unbounded end.
    """

    program: LoopProgram
    source: str
    nest: NestSource
    state: Int64Array
    tables: Sequence[NDArray[Any]]
    counts: tuple[Activity, ...] = ()
    margin: int = 0
    run: Int64Array = field(default_factory=lambda: np.zeros(4, dtype=np.int64))
    at: Int64Array = field(default_factory=lambda: np.zeros(64, dtype=np.int64))

    def __post_init__(self) -> None:
        self.loops = np.zeros(LOOP_FIELDS * max(1, len(self.nest.loops)), dtype=np.int64)
        self.loops[2::LOOP_FIELDS] = _ENDLESS
        room = _BUDGET // SPILL_COST + 4 * len(self.state) + 2
        self._spills = [np.zeros(room, dtype=np.int64) for _ in self.counts]

    def finish(self, progress: Progress | None) -> None:
        """Walk to the end."""
        total = sum(_trips(node) for node in _children(self.program.body))
        self.run[0], self.run[1] = IN_PYTHON * max(4, len(self.nest.around)), _ENDLESS
        paused = self._in_python()
        if paused == PAUSED:
            kernel = machine_code_of(compiled(self.source), "walk")
        while paused:
            self._refuse(paused)
            self._make_room()
            self.run[0] = _BUDGET
            paused = kernel(*self._arguments())
            for activity, spill in zip(self.counts, self._spills, strict=True):
                activity.spilled(spill)
            if progress is not None and paused == PAUSED:
                progress(min(self._outermost(), total), total)

    def _in_python(self) -> int:
        """Walk in Python: counts go to the tables, which have no largest cycle."""
        scope: dict[str, Callable[..., int]] = {"step": step}
        exec(self.source, scope)
        tables = [each.data for each in (self.state, *self.tables)]  # memoryviews: Python's own numbers in and out
        common = [each.data for each in (self.at, self._consts(), self.loops, self.run)]
        counts = [each for activity in self.counts for each in (activity.table, None)]
        paused = scope["walk"](*common, tables[0], *counts, *tables[1:])
        self._refuse(paused)
        return paused

    def _arguments(self) -> list[NDArray[Any]]:
        lows = [activity.dense for activity in self.counts]
        counts = [each for pair in zip(lows, self._spills, strict=True) for each in pair]
        return [self.at, self._consts(), self.loops, self.run, self.state, *counts, *self.tables]

    def _consts(self) -> Int64Array:
        return np.array(self.nest.consts or [0], dtype=np.int64)

    def _make_room(self) -> None:
        """Grow the counts beyond the reach of the next call, or give up the absolute one at its largest size."""
        if not self.counts:
            return
        top, ends = int(self.run[2]), int(self.run[3])
        if top >= _ENDLESS:
            raise InputError("the finish is beyond 2**62 cycles", where=self.program.name)
        absolute, unbounded = self.counts
        need = top + 2 * self.margin
        if not absolute.lost and need > LARGEST:
            absolute.give_up()
        if not absolute.lost:
            absolute.grow(need, top + self.margin)
        unbounded.grow(min(need, LARGEST), ends + 1)
        self.run[1] = _ENDLESS if absolute.lost else len(absolute.dense) - self.margin

    def _outermost(self) -> int:
        """Return the number of finished iterations of the outermost loops."""
        done = 0
        for child, node in enumerate(_children(self.program.body)):
            if child == self.at[1] and isinstance(node, Loop):
                return done + (int(self.at[2]) - _begin(node)) // node.step
            done += _trips(node)
        return done

    def _refuse(self, paused: int) -> None:
        if paused < OUTSIDE:
            return
        statement, accesses, around = self.nest.accesses[paused - OUTSIDE]
        values = {self.nest.loops[loop].iterator: int(self.at[2 + 2 * k]) for k, loop in enumerate(around)}
        for access in accesses:
            shape = self.program.array(access.array).shape
            subscripts = [subscript.value(values) for subscript in access.subscripts]
            if not all(0 <= x < extent for x, extent in zip(subscripts, shape, strict=True)):
                raise outside(self.program, statement, access, values)


def _children(nodes: Sequence[Node]) -> Iterator[Loop | Execution]:
    for node in nodes:
        if isinstance(node, Guard):
            yield from _children((*node.body, *node.otherwise))
        else:
            yield node


def _trips(loop: Loop | Execution) -> int:
    if isinstance(loop, Execution):
        return 0
    try:
        ends = [bound.value({}) for bound in loop.last]
    except KeyError as unknown:
        raise InputError(f"bound of '{loop.iterator}': {unknown} is not known", where=str(loop.position)) from None
    last = min(ends) if loop.step > 0 else max(ends)
    return max(0, (last - _begin(loop)) // loop.step + 1)


def _begin(loop: Loop) -> int:
    begins = [bound.value({}) for bound in loop.first]
    return max(begins) if loop.step > 0 else min(begins)
