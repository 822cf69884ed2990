"""A run with few of its repetitions, in which everything is found that a picture of the whole run shows.

Columns of a picture that are as wide as some repetitions hold the same, one like the other. So of a frame with
millions of firings a few thousand are simulated once more, and one of their columns stands for all that are left out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ppnsim.arrays import Int64Array
from ppnsim.engines.run import run as simulate
from ppnsim.explore.explain.repeated import fewer_rounds
from ppnsim.model.cycles import CycleClasses, cycle_classes
from ppnsim.model.metrics import touching
from ppnsim.model.run import Run
from ppnsim.model.steady import LeftOut
from ppnsim.model.summary import classes_of, summary_of
from ppnsim.model.timeline import Timeline
from ppnsim.plots.columns import edges_in_step
from ppnsim.report.bottleneck import busiest
from ppnsim.report.tables import Shift

_DETAIL = 300  # cycles of the picture beside an overview: enough to see single firings
_LARGEST = 20_000_000  # firings up to which a timeline is put together for a picture
_MARGINS = 5  # tries of a margin beside a detail, each four times as wide: firings may last longer than a repetition
_WIDEST = 4  # times the columns asked for: repetitions that are longer are seen in the picture

Cycles = tuple[int, int]
Values = TypeVar("Values", bound=np.generic)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Excerpt:
    """What is asked about instead of a whole run, and how that says what the whole run does.

    Attributes
    ----------
    timeline, classes : of the run with fewer repetitions, and of each of its processes; or of the whole run.
    edges : of the columns of its picture, the last one maybe narrower.
    column, gone : behind this column so many are left out, which are like it.
    shift : what the whole run has more, in its cycles and in the numbers of its firings, where the detail is.
    """

    timeline: Timeline
    classes: list[CycleClasses]
    edges: Int64Array
    column: int = 0
    gone: int = 0
    shift: Shift = field(default_factory=Shift)

    def whole(self, columns: NDArray[Values]) -> NDArray[Values]:
        """Return what each column of the whole run holds, from what those of the excerpt do."""
        times = np.ones(len(columns), dtype=np.int64)
        times[self.column] += self.gone
        return np.repeat(columns, times, axis=0)


def detail_of(run: Run, view: Cycles) -> Cycles:
    """Return a few hundred cycles of a view that say most: of its middle, as far as the bottleneck is at work.

    Of a deadlock these are the cycles before it stands still.

    Examples
    --------
    >>> from ppnsim import chain, run
    >>> detail_of(run(chain(firings=10**6)), (0, 10**6 + 5))
    (499849, 500149)
    """
    first, last = view
    told = summary_of(run).processes[busiest(run)] if not run.deadlocked else None
    if told is not None and told.first_start is not None and told.last_start is not None:
        middle = (max(told.first_start, first) + min(told.last_start, last)) // 2
        last = max(first + _DETAIL, min(middle + _DETAIL // 2, last))
    return max(first, last - _DETAIL), min(last, view[1])


def excerpt_of(run: Run, view: Cycles, detail: Cycles, most: int) -> Excerpt | None:
    """Return what shows a view of a run in at most so many columns, and a detail of it; None for too long a run.

    Examples
    --------
    >>> from ppnsim import chain, run
    >>> done = run(chain(firings=10**7, ii=(1, 3, 1), depth=2))
    >>> found = excerpt_of(done, (0, done.stopped), detail_of(done, (0, done.stopped)), 1000)
    >>> found.timeline.stopped < 10**6, len(found.whole(found.edges[1:]))
    (True, 1000)
    """
    whole = view == (0, max(run.stopped, 1))
    if run.left_out is not None and whole and (found := _repeated(run, run.left_out, detail, most)) is not None:
        return found
    if run.network.firings > _LARGEST:
        return None
    return Excerpt(timeline=run.timeline, classes=classes_of(run), edges=edges_in_step(run.timeline, view, most))


def _repeated(run: Run, left: LeftOut, detail: Cycles, most: int) -> Excerpt | None:
    """Return a run with fewer repetitions that shows the same, None where it would not or is no shorter."""
    width = -(-run.stopped // most)
    if any(left.held.values()) or left.steady.cycles > _WIDEST * width:
        return None
    margin = max(left.steady.cycles, (detail[1] - detail[0]) // 4)
    for more in range(_MARGINS):
        found = _with_margin(run, left, detail, width, margin * 4**more)
        if found is None or _holds_whole_firings(run, left, found, detail):
            return found
    return None


def _with_margin(run: Run, left: LeftOut, detail: Cycles, width: int, margin: int) -> Excerpt | None:
    """Return an excerpt that repeats itself for at least so many cycles before and behind the detail."""
    period, end = left.steady.cycles, left.after + 1  # of what is recorded of the repetitions
    width += -width % period
    first = -(-(end - period) // width)  # column within the repetitions
    kept = first + 1 - (-(detail[1] - detail[0] + period + 2 * margin) // width)  # columns up to what is left out
    gone = (end + left.cycles) // width - kept
    rounds = gone * width // period
    later = _later(detail, (first * width + margin, kept * width - margin), left)
    if gone <= 0 or later is None or (network := fewer_rounds(run, rounds)) is None:
        return None
    timeline = simulate(network, engine=run.engine).timeline
    if timeline.stopped != run.stopped - gone * width:
        return None  # it would not show the same
    edges = np.append(np.arange(0, timeline.stopped, width, dtype=np.int64), timeline.stopped)
    classes = [cycle_classes(timeline, process.name) for process in network.processes]
    pairs = zip(run.network.processes, network.processes, strict=True)  # of scheduled processes `left` counts stops
    shift = Shift(later * period, {each.name: later * (each.firings - few.firings) // rounds for each, few in pairs})
    return Excerpt(timeline=timeline, classes=classes, edges=edges, column=kept - 1, gone=gone, shift=shift)


def _holds_whole_firings(run: Run, left: LeftOut, found: Excerpt, detail: Cycles) -> bool:
    """Return whether the firings of a detail start and end in the repetitions, if need be before them."""
    timeline, shift = found.timeline, found.shift
    begin = left.after + 1 - left.steady.cycles if shift.cycles else 0
    behind = run.stopped - (left.after + 1 + left.cycles)
    for process in timeline.network.processes:
        shown = touching(timeline, process.name, shift.inside(detail))
        starts, ends = timeline.start(process.name)[shown], timeline.end(process.name)[shown]
        if len(shown) and (starts.min() < begin or ends.max() > timeline.stopped - behind):
            return False
    return True


def _later(detail: Cycles, kept: Cycles, left: LeftOut) -> int | None:
    """Return how many rounds a detail comes later than where it is found, None where it is in no one place."""
    if detail[1] <= kept[1]:
        return 0
    if detail[0] < kept[0] or detail[1] > left.after + 1 + left.cycles:
        return None
    return (detail[0] - kept[0]) // left.steady.cycles
