"""What ``ppnsim run --out`` writes of a network's run: tables and pictures, of all of it or of a window."""

from __future__ import annotations

from pathlib import Path

from ppnsim.export.window import window_in
from ppnsim.model.run import Run
from ppnsim.model.summary import classes_of, summary_of
from ppnsim.plots.columns import MOST
from ppnsim.plots.gantt import gantt
from ppnsim.plots.network import draw_network
from ppnsim.plots.occupancy import occupancy
from ppnsim.plots.parallelism import parallelism
from ppnsim.plots.save import save
from ppnsim.report.bottleneck import busiest
from ppnsim.report.tables import write_occupancy, write_timeline
from ppnsim.source_networks.model import SourceNetwork

_MOST_ROWS = 250_000  # firings of a table that is written whole: about a second
_DETAIL = 300  # cycles of the picture beside an overview: enough to see single firings


def write_run(folder: Path, run: Run, suffix: str, source: SourceNetwork | None, window: str | None) -> list[str]:
    """Write tables and pictures of a run; return sentences on what was left out of them.

    Of a run with more firings than are read by anybody the tables have the window of the detail. Beside an overview, in
    which a column holds several cycles, stands a Gantt chart of this window: around the bottleneck in the middle of the
    run, or before the cycle in which a deadlock stands still.
    """
    timeline, places = run.timeline, source.lines() if source is not None else {}
    shown = window_in(window, run.network, run.stopped)
    view = shown.first, shown.last  # cycles, the last one exclusive
    detail = _detail(run, view)
    rows = sum(process.firings for process in run.network.processes)
    short = rows > _MOST_ROWS and window is None
    table = detail if short else view if window is not None else None
    write_timeline(timeline, folder / "timeline.csv", window=table)
    write_occupancy(timeline, folder / "occupancy.csv", window=table)
    classes, summary = classes_of(run), summary_of(run)
    save(gantt(timeline, places=places, window=view, classes=classes), folder / f"gantt.{suffix}")
    save(parallelism(timeline, window=view, figures=summary.parallelism), folder / f"parallelism.{suffix}")
    save(draw_network(run.network, run=run, places=places), folder / f"network.{suffix}")
    if run.network.channels:
        save(occupancy(timeline, window=view, peaks=summary.occupancy), folder / f"occupancy.{suffix}")
    if view[1] - view[0] > MOST:
        figure = gantt(timeline, places=places, window=detail, classes=classes)
        save(figure, folder / f"gantt_detail.{suffix}")
    words = f"the tables have cycles {detail[0]}..{detail[1] - 1} of {rows} firings; --window : writes all of them"
    return [words] if short else []


def _detail(run: Run, view: tuple[int, int]) -> tuple[int, int]:
    """Return a few hundred cycles of a view that say most: of its middle, as far as the bottleneck is at work."""
    first, last = view
    if not run.deadlocked:
        start = run.timeline.start(busiest(run))
        middle = (max(int(start[0]), first) + min(int(start[-1]), last)) // 2
        last = max(first + _DETAIL, min(middle + _DETAIL // 2, last))
    return max(first, last - _DETAIL), min(last, view[1])
