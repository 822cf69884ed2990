"""The path to the statement that is being read (loops, conditions), and how often it executes.

Trip counts and shares of branches: loop heads and conditions are executed for all work items that differ there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod

import numpy as np

from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine
from ppnsim.opencl.kernel import Count
from ppnsim.opencl.reader.symbolic.atoms import ZERO, Atoms, Numbers

MOST = 100_000_000  # at most so many work items times iterations are executed
_CHUNK = 1 << 18
_STEP = 1000  # least cost of one more iteration for all rows at once
_WAY_OUT = "give the trip count: #pragma ppnsim tripcount(N) before the loop"
_VISITS = ""  # the column that says how many visits a row stands for
Columns = dict[str, Numbers]


class Counting:
    """Executes loop heads; ``items`` are the numbers of work items and groups with the range of each."""

    def __init__(self, atoms: Atoms, items: Mapping[str, int]) -> None:
        self.atoms, self.items = atoms, items
        self.work = 0

    def trip(self, frame: LoopFrame, path: Path) -> Count:
        """Return the trip count of a loop on a path: all its iterations divided by all its visits.

        Raises
        ------
        InputError
            If it does not end, or executing it takes too long.
        """
        iterations = visits = 0
        for rows in self._rows([*frame.made_of()], path, frame):
            counts = self._counts(frame, rows)
            iterations, visits = iterations + int((counts * rows[_VISITS]).sum()), visits + int(rows[_VISITS].sum())
        return whole(Fraction(iterations, visits or 1))

    def share(self, test: Affine, path: Path, where: str) -> Fraction:
        """Return the share of visits for which a condition holds."""
        true = visits = 0
        for rows in self._rows([test], path, where):
            held = self._values(test, rows) != 0
            true, visits = true + int(rows[_VISITS][held].sum()), visits + int(rows[_VISITS].sum())
        return Fraction(true, visits or 1)

    def _rows(self, numbers: list[Affine], path: Path, asked: LoopFrame | str) -> Iterator[Columns]:
        """Yield the work items and outer iterations in which the numbers differ, with the visits of each."""
        where = asked if isinstance(asked, str) else asked.where
        own = set() if isinstance(asked, str) else asked.symbols
        needed, on = self._needed(self.atoms.all_leaves(numbers) - own, path)
        names = [name for name in self.items if name in needed]
        sizes = [self.items[name] for name in names]
        self._pay(prod(sizes), where)
        for start in range(0, prod(sizes), _CHUNK):
            at = np.arange(start, min(prod(sizes), start + _CHUNK), dtype=np.int64)
            rows: Columns = {_VISITS: np.ones_like(at)}
            for name, size in zip(names[:-1], sizes, strict=False):
                rows[name], at = at % size, at // size
            if names:
                rows[names[-1]] = at  # of the last name a division would leave the number as it is
            for step in on:
                if isinstance(step, PathCondition):
                    keep = (self._values(step.test, rows) != 0) == step.holds
                    rows = {name: column[keep] for name, column in rows.items()}
                elif step.symbols.isdisjoint(needed):
                    rows[_VISITS] = rows[_VISITS] * self._counts(step, rows)
                else:
                    rows = self._iterations(step, rows)
            yield rows

    def _needed(self, needed: set[str], path: Path) -> tuple[set[str], list[LoopFrame | PathCondition]]:
        """Return all symbols that numbers depend on, and the part of the path that depends on any of them.

        The part is transitive: a loop or condition that shares a symbol with it changes how often each row is visited.
        """
        parts = [[step.test] if isinstance(step, PathCondition) else step.made_of() for step in path]
        told = [set() if any(map(self.atoms.reason, part)) else self.atoms.all_leaves(part) for part in parts]
        inner = [set() if isinstance(step, PathCondition) else step.symbols for step in path]
        on: set[int] = set()
        related, before = set(needed), -1
        while before != len(on):
            before = len(on)
            for place in range(len(path)):
                if not related.isdisjoint(told[place] | inner[place]):
                    on.add(place)
                    related |= told[place] | inner[place]
        needed = needed.union(*(told[place] - inner[place] for place in on))
        return needed, [path[place] for place in sorted(on)]

    def _iterations(self, frame: LoopFrame, rows: Columns) -> Columns:
        """Return the rows of a loop's visits as those of its iterations."""
        counts = self._counts(frame, rows)
        self._pay(int(counts.sum()), frame.where)
        result = {name: np.repeat(column, counts) for name, column in rows.items()}
        result[frame.counter] = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
        visit, steps = np.repeat(np.arange(len(counts)), counts), int(counts.max(initial=0)) + 1
        self._pay(steps * len(counts) * len(frame.states), frame.where)
        history = [{name: self._values(first, rows) for name, first, _ in frame.states}]
        for step in range(steps - 1 if frame.states else 0):
            history.append(self._next(frame, rows, history[-1], step))
        for name in history[0]:
            result[name] = np.stack([now[name] for now in history])[result[frame.counter], visit]
        return result

    def _counts(self, frame: LoopFrame, rows: Columns) -> Numbers:
        length = len(rows[_VISITS])
        if frame.given is not None:
            return np.full(length, frame.given)
        test = frame.test if frame.test is not None else ZERO
        simple = not frame.breaks
        if simple and self.atoms.leaves(test).isdisjoint(frame.symbols):  # the loop does not change the test
            if np.any(self._values(test, rows)):
                raise InputError("this loop never ends", where=frame.where)
            return np.full(length, int(frame.at_end))
        if simple and not frame.states and (closed := self._closed(frame, test, rows)) is not None:
            return closed
        counts, active = np.zeros(length, dtype=np.int64), np.arange(length)
        now = {name: self._values(first, rows) for name, first, _ in frame.states}
        step = 0
        while len(active):
            self._pay(max(len(active), _STEP), frame.where)
            part = {name: column[active] for name, column in rows.items()}
            state = {name: column[active] for name, column in now.items()}
            here = {**part, **state, frame.counter: np.full(len(active), step)}
            runs = self._values(test, here) != 0
            counts[active[runs] if not frame.at_end else active] += 1
            for each in frame.breaks:
                runs &= self._values(each, here) == 0
            for name, column in self._next(frame, part, state, step).items():
                now[name][active] = column
            active, step = active[runs], step + 1
        return counts

    def _next(self, frame: LoopFrame, rows: Columns, now: Columns, step: int) -> Columns:
        here = {**rows, **now, frame.counter: np.full(len(rows[_VISITS]), step)}
        return {name: self._values(update, here) for name, _, update in frame.states}

    def _closed(self, frame: LoopFrame, test: Affine, rows: Columns) -> Numbers | None:
        """Return the counts of a loop whose test compares numbers with a fixed step, without executing it."""
        operator, operands = self.atoms.made.get(str(test), ("", ()))
        if operator not in ("<", "<=", ">", ">=", "!="):
            return None
        low, high = operands if operator[0] != ">" else operands[::-1]
        gap = high - low + (1 if operator in ("<=", ">=") else 0)  # it runs while this is above 0, or not 0
        step = self.atoms.coefficient(gap, frame.counter)
        if step is None:
            return None
        first = self._values(gap - Affine.of(frame.counter) * step, rows)
        if operator == "!=":
            first, step = first * np.sign(-step), -abs(step)
            if step and np.any((first < 0) | (first % step != 0)):
                raise InputError("this loop never ends: it steps over its end", where=frame.where)
        if step >= 0 and np.any(first > 0):
            raise InputError("this loop never ends", where=frame.where)
        counts = np.maximum(0, -(first // step)) if step < 0 else np.zeros_like(first)
        return counts + 1 if frame.at_end else counts

    def _values(self, number: Affine, rows: Columns) -> Numbers:
        """Return the values of a number for every row."""
        return np.broadcast_to(self.atoms.value(number, rows), rows[_VISITS].shape).copy()

    def _pay(self, rows: int, where: str) -> None:
        self.work += rows
        if self.work > MOST:
            message = f"executing loop bounds for all work items takes more than {MOST:,} iterations"
            raise InputError(f"{message}; {_WAY_OUT}", where=where)


def whole(number: Fraction) -> Count:
    """Return a fraction as an int if it is a whole number."""
    return int(number) if number.denominator == 1 else number


@dataclass(slots=True, eq=False)
class LoopFrame:
    """A loop around what is being read.

    Attributes
    ----------
    name, counter : of the loop; the symbol that counts its iterations from 0.
    test : the condition of an iteration (None: only ``given`` tells the number); of a do loop, of the next one.
    states : numbers whose steps are not fixed: symbol, first value, and the value in the next iteration.
    breaks : conditions that end it after the iteration in which they hold.
    given : trip count of a pragma.
    trip : iterations of a visit, on average.
    inside : unknown atoms that were made in it, which may differ from iteration to iteration.
    """

    name: str
    counter: str
    where: str
    test: Affine | None = None
    at_end: bool = False
    states: list[tuple[str, Affine, Affine]] = field(default_factory=list)
    breaks: list[Affine] = field(default_factory=list)
    given: int | None = None
    trip: Count = 1
    inside: set[str] = field(default_factory=set)

    @property
    def symbols(self) -> set[str]:
        """The symbols that have other values in other iterations."""
        return {self.counter, *(name for name, _, _ in self.states)}

    def made_of(self) -> list[Affine]:
        """Return the numbers on which its trip count depends."""
        tests = [] if self.test is None else [self.test, *self.breaks]
        return [*tests, *(each for state in self.states for each in state[1:])]


@dataclass(frozen=True, slots=True, eq=False)
class PathCondition:
    """A condition under which what follows executes."""

    test: Affine
    holds: bool


Path = Sequence[LoopFrame | PathCondition]
