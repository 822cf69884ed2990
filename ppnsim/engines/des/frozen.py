"""Frozen pipelines (T3.3): one clock enable for all; step x waits until everything that is due at it can happen."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import merge
from itertools import groupby

from ppnsim.engines.des.process import Activity, RunningProcess


def launch(running: RunningProcess) -> None:
    """Start one SimPy process for the whole pipeline."""
    running.env.process(_pipeline(running))


def _pipeline(running: RunningProcess) -> Activity:
    env, steps, lowered = running.env, running.steps, running.lowered
    rows = lowered.steps.places(running.firings, lowered.process.ii)
    # Steps in which nothing is due take one cycle each.
    places = [_places(row.tolist(), number) for number, row in enumerate(rows)]
    last_step, last_cycle = 0, 0
    for step, accesses in groupby(merge(*places), key=lambda place: place[0]):
        due = last_cycle + (step - last_step)
        together = [(number, firing) for _, number, firing in accesses]
        for number, firing in together:
            while type(ready := steps[number].ready(firing)) is not int:
                yield ready
            due = max(due, ready)
        if due > env.now:
            yield env.timeout(due - env.now)
        if any(number == 0 for number, _ in together):
            yield from running.unit()
        last_step, last_cycle = step, running.now
        for number, firing in together:
            steps[number].act(firing, last_cycle)


def _places(row: list[int], number: int) -> Iterator[tuple[int, int, int]]:
    """Yield ``(pipeline step, number of the step in a firing, firing)`` of one step of all firings."""
    return ((place, number, firing) for firing, place in enumerate(row))
