"""Runs as the data of a page: what it simulates and plays, or of a large one what it draws."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ppnsim.explore.explain.deadlock_fix import fix_deadlock
from ppnsim.export.window import WindowLike, window_from
from ppnsim.model.cycles import Label
from ppnsim.model.run import Fix, Run
from ppnsim.model.summary import RunSummary, summary_of
from ppnsim.page.drawing import drawing_of
from ppnsim.page.engine_model import engine_model
from ppnsim.page.large import depths_section
from ppnsim.page.sections import Origin, cycles_section, drawn_path, path_of, sections_of
from ppnsim.page.still import still_of
from ppnsim.plots.colours import cause_colours
from ppnsim.report.text import style_words
from ppnsim.units import duration

Told = dict[str, Any]

LARGEST = 300_000  # firings and tokens of a network that the page simulates itself
_CELLS = 30_000_000  # cycles of all processes together for which it keeps a class each


def told_of(
    run: Run, *, origin: Origin, window: WindowLike | None = None, fix: Fix | None = None, other_depths: bool = True
) -> Told:  # fmt: skip
    """Return a run as one entry of a page: what it simulates and plays, or of a large one pictures and tables.

    The picture over time begins with a window of cycles, or times ``A:B``; the page can leave it, a large one cannot.
    ``fix`` is what breaks a deadlock, if that was looked for. ``other_depths`` runs a large one with some of them.
    """
    view = None if window is None else window_from(window, run.network, run.stopped)
    summary, network = summary_of(run), run.network
    answer = str(run.deadlock) if run.finish is None else f"finish {run.finish} cycles ({duration(run.time_ns)})"
    told: Told = {
        "name": network.name, "answer": answer, "style": style_words(network), "deadlock": run.deadlocked,
        "finish": run.finish, "engine": run.engine,
        "fallback": [cycles_section(summary)], "source": origin.source, "lines": dict(origin.lines),
        "places": dict(origin.places),
    }  # fmt: skip
    if fix is None and run.deadlocked:
        fix = fix_deadlock(run)
    path = path_of(run, fix)
    sections = sections_of(summary, origin, path)
    if plays(summary):
        # The engine of the page knows no shared resources; what has some is shown as it was recorded.
        recorded = run.timeline if any(process.resource is not None for process in network.processes) else None
        model = engine_model(network, recorded=recorded) | {"colours": colours_of(summary)}
        told |= {"model": model, "layout": drawing_of(network)}
        told["window"] = None if view is None else [view.first, view.last]
        return told | {"sections": sections, "path": drawn_path(path), "fix": dict(fix.depths) if fix else {}}
    still = still_of(run, (0, max(run.stopped, 1)) if view is None else (view.first, view.last))
    still["model"]["colours"] = colours_of(summary)
    others = [depths_section(run)] if other_depths else []
    return told | {"still": still, "sections": [*others, cycles_section(summary), *sections]}


def colours_of(summary: RunSummary) -> Told:
    """Return colour and hatch of each channel, None for the grey of those that are too many, and of each resource.

    They are those of the Gantt chart of the whole run.

    Examples
    --------
    >>> from ppnsim import chain, run
    >>> colours_of(summary_of(run(chain(firings=4, length=2))))
    {'channels': [('#E69F00', '')], 'resources': {}}
    """
    cycles: Counter[Label] = Counter()
    for each in summary.processes.values():
        for kind in ("blocked", "starved", "resource"):
            cycles.update({(kind, cause): number for cause, number in getattr(each.cycles, kind).items()})
    network = summary.run.network
    given = cause_colours(network, cycles)
    return {
        "channels": [given.get((False, channel.name)) for channel in network.channels],
        "resources": {name: paint for (shared, name), paint in given.items() if shared},
    }


def plays(summary: RunSummary) -> bool:
    """Return whether the page simulates a run of this size itself."""
    run = summary.run
    return run.network.events <= LARGEST and run.stopped * len(run.network.processes) <= _CELLS
