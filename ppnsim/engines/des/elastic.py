"""Elastic pipelines (T3.1): each step is a stage of its own, firings wait one by one and bubbles close up.

A stage takes the firings in order. Firing n passes when it has come from the stage before, when firing n - 1 is out of
the way, and when the tokens and slots of its ports are there.
"""

from __future__ import annotations

from ppnsim.engines.des.process import Activity, RunningProcess


def launch(running: RunningProcess) -> None:
    """Start one SimPy process per stage."""
    for number in range(len(running.steps)):
        running.env.process(_stage(running, number))


def _stage(running: RunningProcess, number: int) -> Activity:
    env, step, ii = running.env, running.steps[number], running.lowered.process.ii
    behind = 1 if ii else 0
    fixed = None if running.lowered.steps.varies else _place(running, number, 0)
    for firing in range(running.firings):
        members, before, gap = fixed or _place(running, number, firing)
        if members[0] != number:
            # Another step stands at the same offset in this firing: its stage passes for both.
            while len(step.passed) <= firing:
                yield step.passing(firing)
            continue
        if before is None:
            due = step.passed[firing - 1] + ii if firing else 0
            yield from _room_in_pipeline(running, firing)
        else:
            earlier = running.steps[before]
            while len(earlier.passed) <= firing:
                yield earlier.passing(firing, gap)
            due = earlier.passed[firing] + gap
        for member in members:
            mine = running.steps[member]
            if firing:
                while len(mine.passed) < firing:
                    yield mine.passing(firing - 1)
                due = max(due, mine.passed[firing - 1] + behind)
            while type(ready := mine.ready(firing)) is not int:
                yield ready
            due = max(due, ready)
        if due > env.now:
            yield env.timeout(due - env.now)
        if before is None:
            yield from running.unit()
        now = int(env.now)
        for member in members:
            running.steps[member].act(firing, now)


def _place(running: RunningProcess, number: int, firing: int) -> tuple[list[int], int | None, int]:
    """Return the steps that pass together with ``number``, the step before (None at the start) and the gap to it."""
    groups = running.groups(firing)
    at = next(index for index, (_, steps) in enumerate(groups) if number in steps)
    offset, members = groups[at]
    if at == 0:
        return members, None, 0
    return members, groups[at - 1][1][0], offset - groups[at - 1][0]


def _room_in_pipeline(running: RunningProcess, firing: int) -> Activity:
    """Wait until fewer than C firings are between start and last step."""
    capacity = running.lowered.steps.capacity
    if capacity is not None and firing >= capacity:
        oldest = firing - capacity
        last = running.steps[running.groups(oldest)[-1][1][0]]
        while len(last.passed) <= oldest:
            yield last.passing(oldest)
