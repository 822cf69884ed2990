"""When a kernel may start again, and the two ends of a region: the cycle of done, and the finish of its network."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ppnsim.hls.schedule.model import StateMachine
from ppnsim.hls.structure.rewound import rewinding
from ppnsim.model.run import Run


def start_to_done(outcome: Run, late: Mapping[str, int]) -> int:
    """Return the cycles of a run between start and done, as co-simulation counts them (R5.9).

    The finish of the network counts all steps, and one more if the last access is in the state that signals the end.

    Parameters
    ----------
    late : the steps of each task after the state that signals its end (`RegionNetwork.late`).
    """
    ends = []
    for name, steps in late.items():
        schedule = outcome.network.stops[name].schedule
        last = np.array([schedule.steps * schedule.runs - 1], dtype=np.int64)
        ends.append(int(outcome.timeline.step_cycles(name, last)[0]) + 1 - steps)
    return max(ends)


def start_to_start(machine: StateMachine) -> int | None:
    """Return the cycles after which a kernel may start again if that is before its end (R5.26), else None.

    It is one loop that rewinds, or a region that runs once and of which a task does.
    """
    if machine.region is not None:
        tasks = machine.tasks
        ended = any(task.period is not None and task.period < task.cycles for task in tasks)
        once = machine.runs == 1 and all(task.runs == 1 for task in tasks)
        return max(task.interval for task in tasks) if ended and once else None
    if rewinding(machine.tree) is None:
        return None
    starts = sum(nest.starts for nest in machine.nests)
    return starts if starts < machine.cycles else None


def two_ends(cycles: int, finish: int, control: int = 0) -> str:
    """Return a sentence that names both ends of a region if they differ, "" if they are equal.

    Parameters
    ----------
    cycles : cycles from start to done, including ``control`` cycles of an AXI-lite port.

    Examples
    --------
    >>> two_ends(17, 17), two_ends(17, 18)
    ('', 'start to done: 17 cycles, as co-simulation counts; finish: 18 cycles, when all steps of the network are over')
    """
    if cycles == finish:
        return ""
    ports = f", with {control} for the registers of the AXI-lite port" if control else ""
    over = f"finish: {finish} cycles, when all steps of the network are over"
    return f"start to done: {cycles} cycles, as co-simulation counts{ports}; {over}"
