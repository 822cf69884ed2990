"""The waits of a process's firings for one another, which do not depend on the network around it.

The rules T3.1 to T3.3 as waits: firing n may not pass a step before another firing has passed another step, and some
cycles later. `cycle_ratio` closes them to a periodic graph; `explore.event_graph` follows them through one run.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.model.network import Process


class Kind(IntEnum):
    """Why something waits. Where several reasons hold at once the smallest number is named.

    A process comes before its channels: one that never waits for others explains itself.
    """

    II = 0  # the start before
    LATENCY = 1  # an earlier step of the same firing
    ORDER = 2  # the firing before, at the same step
    CAPACITY = 3  # an elastic pipeline is full
    STEP = 4  # the pipeline step before, of a frozen process
    TOKEN = 5
    SLOT = 6
    RESOURCE = 7
    HOLD = 8  # a flushable process was held by another access


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Waits:
    """Firing ``target_firing[i]`` passes ``target_step`` at least ``weight[i]`` cycles after its source.

    Arrays are int64, one entry per wait; steps and weights are numbers where all entries agree.
    """

    kind: Kind
    source_step: int | Int64Array
    source_firing: Int64Array
    target_step: int | Int64Array
    target_firing: Int64Array
    weight: int | Int64Array


def own_waits(process: Process, offsets: Int64Array, capacity: int | None, firings: Int64Array) -> list[Waits]:
    """Return what ``firings`` wait for in their own pipeline, if it is elastic; flushable is the same without capacity.

    Parameters
    ----------
    process : whose firings they are.
    offsets : cycles from the start to each step, shape ``(steps, period)``: firing n takes column n mod period.
    capacity : firings between start and last step at most, None = no limit.
    firings : consecutive numbers; sources reach back to firings before them.

    Examples
    --------
    >>> waits = own_waits(Process(name="p", firings=3, ii=2), np.array([[0], [3]]), 2, np.arange(3))
    >>> [(wait.kind.name, wait.source_firing.tolist(), wait.weight) for wait in waits if isinstance(wait.weight, int)]
    [('II', [-1, 0, 1], 2), ('ORDER', [-1, 0, 1], 1), ('CAPACITY', [-2, -1, 0], 0)]
    >>> timeless = own_waits(Process(name="p", firings=3, ii=0), np.array([[0], [3]]), None, np.arange(3))
    >>> [(wait.kind.name, wait.weight) for wait in timeless if isinstance(wait.weight, int)]
    [('II', 0), ('ORDER', 0)]

    Source: T3.1.
    """
    behind = 1 if process.ii else 0
    waits = [
        Waits(
            kind=Kind.ORDER if step else Kind.II, source_step=step, source_firing=firings - 1,
            target_step=step, target_firing=firings, weight=behind if step else process.ii,
        )
        for step in range(len(offsets))
    ]  # fmt: skip
    mine = offsets[:, firings % offsets.shape[1]]
    order = np.argsort(mine, axis=0, kind="stable")
    ascending = np.take_along_axis(mine, order, axis=0)
    for before, gap in enumerate(np.diff(ascending, axis=0)):
        apart = gap > 0  # steps that fall together pass together
        waits.append(
            Waits(
                kind=Kind.LATENCY, source_step=order[before][apart], source_firing=firings[apart],
                target_step=order[before + 1][apart], target_firing=firings[apart], weight=gap[apart],
            )
        )  # fmt: skip
    if capacity is not None:
        oldest = firings - capacity
        last = np.argmax(offsets, axis=0)[oldest % offsets.shape[1]]
        waits.append(
            Waits(
                kind=Kind.CAPACITY, source_step=last, source_firing=oldest, target_step=0, target_firing=firings,
                weight=0,
            )
        )  # fmt: skip
    return waits
