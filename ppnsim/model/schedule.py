"""Scheduled processes (T3.5): hardware whose pipeline steps are given outright, instead of one initiation interval."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ppnsim.arrays import Int64Array, distinct, read_only
from ppnsim.errors import InputError
from ppnsim.model.sequence import LateSequence, Sequence
from ppnsim.model.step_lists import StepList

AT_ONCE = StepList((0,))
_FEW = 16
_MOST_STEPS = 2**53  # of all runs: exact in every language that reads the result


@dataclass(frozen=True, slots=True)
class StepSchedule:
    """The schedule of a process: a run of so many pipeline steps, repeated.

    Attributes
    ----------
    steps : pipeline steps of one run that nothing holds up, at least 1.
    runs : how often the run is repeated; run r has the steps r * steps .. (r + 1) * steps - 1.
    start_steps : steps of a run at which a firing starts.
    """

    steps: int
    runs: int = 1
    start_steps: StepList = AT_ONCE

    @property
    def firings(self) -> int:
        """Firings of all runs."""
        return self.runs * self.start_steps.count

    @property
    def starts(self) -> Int64Array:
        """The pipeline step of every firing, counted over all runs, shape ``(firings,)``."""
        return self.in_all_runs(self.start_steps.expand())

    def in_all_runs(self, steps: Int64Array) -> Int64Array:
        """Return steps of one run in each of the runs, counted over all of them."""
        if self.runs == 1:
            return steps
        return (steps + self.steps * np.arange(self.runs, dtype=np.int64)[:, None]).ravel()

    def check(self) -> None:
        """Check that steps and runs are at least 1, and that the firings start in the run, one after the other.

        Raises
        ------
        InputError
            If one of them does not.
        """
        for key in ("steps", "runs"):
            value = getattr(self, key)
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise InputError(f"{key} = {value!r} must be a whole number of at least 1")
        if self.steps * self.runs > _MOST_STEPS:
            raise InputError(f"{self.runs} runs of {self.steps} steps are more than 2**53 steps")
        if not self.start_steps.entries:
            raise InputError("start_steps is empty: a run starts at least one firing")
        check_steps(self.start_steps, "start_steps", self.steps)


def check_steps(listed: StepList, key: str, steps: int) -> None:
    """Check that steps lie in a run of ``steps`` steps and do not go back.

    Raises
    ------
    InputError
        If one of them does.
    """
    listed.check(key)
    if (ends := listed.ascending_ends()) and ends[1] < steps:
        return
    values = listed.expand()
    if np.any(back := np.diff(values) < 0):
        at = int(np.argmax(back)) + 1
        raise InputError(f"{key}[{at}] = {values[at]} after step {values[at - 1]}: steps are listed in order")
    if len(values) and values[-1] >= steps:
        raise InputError(f"{key}[{len(values) - 1}] = {values[-1]} is outside the steps 0..{steps - 1} of a run")


@dataclass(frozen=True, eq=False, repr=False)
class Stops:
    """The steps at which a scheduled process may stand still; between two of them it goes a step in each cycle.

    What passes a stop passes in one cycle. A *passing* of such a process is one stop of one run, in order.

    Attributes
    ----------
    apart : the stops of one run, ascending; those at which a firing starts may be left out.
    schedule : the schedule.
    """

    apart: Int64Array
    schedule: StepSchedule

    @classmethod
    def of(cls, schedule: StepSchedule, accesses: Iterable[StepList]) -> Stops:
        """Return the stops of a schedule whose channels are accessed at these steps.

        Examples
        --------
        >>> Stops.of(StepSchedule(9), [StepList((2, (4, 1, 2)))]).at.tolist()
        [0, 2, 4, 5, 8]
        """
        ends = np.array([0, schedule.steps - 1], dtype=np.int64)
        return cls(distinct(np.concatenate([ends, *(each.expand() for each in accesses)])), schedule)

    def __repr__(self) -> str:
        return f"Stops(at={self.at!r}, schedule={self.schedule!r})"

    @cached_property
    def at(self) -> Int64Array:
        """The stops of one run, ascending; its first and its last step and the starts are always among them."""
        stops, starts = self.apart, self.schedule.start_steps.expand()
        if len(starts) <= _FEW * len(stops):
            return read_only(distinct(np.concatenate([stops, starts])))
        # Of many starts only few places are looked at; these are in order.
        stops = stops[starts[np.searchsorted(starts[:-1], stops)] != stops]
        return read_only(np.insert(starts, np.searchsorted(starts, stops), stops))

    @cached_property
    def _besides(self) -> tuple[Int64Array, tuple[int, int, int]] | None:
        """The stops at which no firing starts, and the even run of the starts; None if they are no even run."""
        run = self.schedule.start_steps.even
        if run is None:
            return None
        first, step, count = run
        after, within = np.divmod(self.apart - first, step)
        return self.apart[(within != 0) | (after < 0) | (after >= count)], run

    @cached_property
    def per_run(self) -> int:
        """How many stops a run has, known without a list of them where firings start at equal distances."""
        return len(self.at) if self._besides is None else len(self._besides[0]) + self._besides[1][2]

    @property
    def passings(self) -> int:
        """Stops of all runs."""
        return self.per_run * self.schedule.runs

    def before(self, step: int) -> int:
        """Return how many stops of a run come before a step.

        Examples
        --------
        >>> stops = Stops.of(StepSchedule(9, start_steps=StepList(((1, 3, 2),))), [])
        >>> [stops.before(step) for step in (0, 1, 2, 4, 9)]
        [0, 1, 2, 2, 4]
        """
        if self._besides is None:
            return int(np.searchsorted(self.at, step))
        others, (first, every, count) = self._besides
        return int(np.searchsorted(others, step)) + min(max(-(-(step - first) // every), 0), count)

    @property
    def places(self) -> Int64Array:
        """The pipeline step of every passing, counted over all runs, shape ``(passings,)``."""
        return self.first(self.passings)

    def first(self, count: int) -> Int64Array:
        """Return the pipeline step of passings 0 .. count-1, also beyond the last run."""
        return Sequence(self.at, self.schedule.steps).first(count)

    def last_before(self, steps: Int64Array) -> tuple[Int64Array, Int64Array]:
        """Return the last passing at or before each of some steps over all runs, and how many steps it is before it.

        Examples
        --------
        >>> passing, apart = Stops.of(StepSchedule(9, runs=2), []).last_before(np.array([0, 5, 8, 12]))
        >>> passing.tolist(), apart.tolist()
        ([0, 0, 1, 2], [0, 5, 0, 3])
        """
        run, within = np.divmod(steps, self.schedule.steps)
        stop = np.searchsorted(self.at, within, side="right") - 1
        return run * len(self.at) + stop, within - self.at[stop]

    @property
    def gaps(self) -> Int64Array:
        """Steps from the passing before to each passing (from a run before the first one, to the first)."""
        one = np.diff(self.at, prepend=self.at[-1] - self.schedule.steps)
        return np.tile(one, self.schedule.runs)

    @property
    def starts(self) -> Int64Array:
        """The passing at which each firing starts, shape ``(firings,)``."""
        return np.searchsorted(self.places, self.schedule.starts).astype(np.int64)

    def counts(self, steps: StepList) -> Sequence:
        """Return how many accesses at these steps there are up to each passing."""

        def running() -> Int64Array:
            stop = np.searchsorted(self.at, steps.expand())
            return np.cumsum(np.bincount(stop, minlength=self.per_run))

        return LateSequence(self.per_run, steps.count, running)

    def passing(self, steps: StepList) -> Int64Array:
        """Return the passing of every access at these steps, in all runs."""
        stop = np.searchsorted(self.at, steps.expand()).astype(np.int64)
        return (stop + len(self.at) * np.arange(self.schedule.runs, dtype=np.int64)[:, None]).ravel()
