"""Tasks of a dataflow region, run cycle by cycle: a second, naive evaluator that shares no code with the engines.

It knows FIFOs and whole arrays, not channels of buffers and credits: a task starts a run when those that write its
arrays have ended theirs, and when those that read what it writes have ended the run ``copies`` before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass
class SteppedTask:
    """A task: steps of a run, and for each step of a run the tokens that it puts and takes, by FIFO."""

    name: str
    steps: int
    puts: Mapping[int, Sequence[str]] = field(default_factory=dict)
    takes: Mapping[int, Sequence[str]] = field(default_factory=dict)


@dataclass
class Stepped:
    """The cycle after each run of each task, and the cycles of all puts and takes; ``stuck`` if nothing goes on."""

    ends: dict[str, list[int]]
    put: dict[str, list[int]]
    taken: dict[str, list[int]]
    stuck: bool = False


def stepped(
    tasks: Sequence[SteppedTask], depths: Mapping[str, int], arrays: Sequence[tuple[str, str]], runs: int, copies: int
) -> Stepped:
    """Run tasks cycle by cycle; ``arrays`` are pairs of a task that writes an array and one that reads it."""
    found = Stepped({task.name: [] for task in tasks}, {each: [] for each in depths}, {each: [] for each in depths})
    at = {task.name: 0 for task in tasks}  # the step that each task is to make next
    cycle, idle = 0, 0
    while any(len(ends) < runs for ends in found.ends.values()):
        moves = [
            task
            for task in tasks
            if len(found.ends[task.name]) < runs and _can(task, at, depths, arrays, found, cycle, copies)
        ]
        for task in moves:
            step = at[task.name]
            for fifo in task.puts.get(step, ()):
                found.put[fifo].append(cycle)
            for fifo in task.takes.get(step, ()):
                found.taken[fifo].append(cycle)
            at[task.name] += 1
            if at[task.name] == task.steps:
                found.ends[task.name].append(cycle + 1)
                at[task.name] = 0
        idle = 0 if moves else idle + 1
        if idle > 2:  # what was freed in a cycle can be used in the next one, not later
            found.stuck = True
            return found
        cycle += 1
    return found


def _can(
    task: SteppedTask, at: Mapping[str, int], depths: Mapping[str, int], arrays: Sequence[tuple[str, str]],
    found: Stepped, cycle: int, copies: int,
) -> bool:  # fmt: skip
    """Return whether a task makes its next step in this cycle, by what all others did before it."""
    step, run = at[task.name], len(found.ends[task.name])
    if step == 0:
        for writer, reader in arrays:
            if reader == task.name and not any(end <= cycle for end in found.ends[writer][run : run + 1]):
                return False
            free = writer != task.name or run < copies
            if not free and not any(end <= cycle for end in found.ends[reader][run - copies : run - copies + 1]):
                return False
    for fifo in task.takes.get(step, ()):
        needed = len(found.taken[fifo]) + task.takes[step].count(fifo)
        if sum(when < cycle for when in found.put[fifo]) < needed:
            return False
    for fifo in task.puts.get(step, ()):
        filled = len(found.put[fifo]) + task.puts[step].count(fifo)
        if filled - sum(when < cycle for when in found.taken[fifo]) > depths[fifo]:
            return False
    return True
