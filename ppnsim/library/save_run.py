"""``Run.save``: the folder of a run, as ``ppnsim run --out`` writes it, and the pictures of ``--plot``."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ppnsim.export.place import folder_at, replacing
from ppnsim.export.window import WindowLike, window_from
from ppnsim.library.place import Place, tell
from ppnsim.model.run import Fix, Run
from ppnsim.model.summary import classes_of, summary_of
from ppnsim.page.build import told_of
from ppnsim.page.excerpt import detail_of, excerpt_of
from ppnsim.page.html import write_page
from ppnsim.page.sections import Origin, with_ends, with_source
from ppnsim.plots.columns import MOST
from ppnsim.report.tables import write_occupancy, write_timeline
from ppnsim.source_networks.model import SourceNetwork

_MOST_ROWS = 250_000  # firings of a table that is written whole: about a second

Drawn = Mapping[str, Callable[[], Any]]  # figures of matplotlib by name


def save_run(run: Run, folder: Place, *, window: WindowLike | None = None) -> Path:
    """Write a run to a folder, as ``ppnsim run --out``: its result, its tables, and a page that shows and plays it.

    Parameters
    ----------
    folder : made if it is not there; ``result.json``, ``timeline.csv``, ``occupancy.csv`` and ``report.html`` in it
        are replaced.
    window : cycles ``(first, last + 1)``, or ``"1us:2us"``: what the tables hold, and what the page begins with.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    InputError
        If the window shows no cycle of the run, or a file cannot be written.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from ppnsim import predictor, run
    >>> with TemporaryDirectory() as place:
    ...     sorted(each.name for each in save_run(run(predictor()), place).iterdir())
    ['occupancy.csv', 'report.html', 'result.json', 'timeline.csv']
    """
    from ppnsim.library.tables import run_dict, source_of  # pandas takes a while to import

    place = Path(folder)
    if window is not None:
        window_from(window, run.network, run.stopped)  # refused before anything is written
    with folder_at(place):
        with replacing(place / "result.json") as out:
            out.write(json.dumps(run_dict(run), indent=2, allow_nan=False) + "\n")
        source = source_of(run)
        file = "(in Python)" if source is None else source.file
        for sentence in fill_folder(place, run, file=file, source=source, window=window):
            tell(sentence)
    return place


def fill_folder(
    folder: Path, run: Run, *, file: str, source: SourceNetwork | None = None, window: WindowLike | None = None,
    fix: Fix | None = None,
) -> list[str]:  # fmt: skip
    """Write tables and the page of a run to a folder; return sentences on what was left out of them.

    Of a run with more firings than are read by anybody the tables have the window of the page's detail: around the
    bottleneck in the middle of the run, or before the cycle in which a deadlock stands still.
    """
    view = window_from(window or (None, None), run.network, run.stopped)
    rows = run.network.firings
    short = rows > _MOST_ROWS and window is None
    whole = view.first, view.last
    cycles = detail_of(run, whole) if short else whole if window is not None else None
    found = excerpt_of(run, whole, cycles, MOST) if short and cycles is not None else None
    timeline, shift = (found.timeline, found.shift) if found is not None else (run.timeline, None)
    write_timeline(timeline, folder / "timeline.csv", window=cycles, shift=shift)
    write_occupancy(timeline, folder / "occupancy.csv", window=cycles, shift=shift)

    def told(origin: Origin) -> Mapping[str, Any]:
        origin = origin if source is None else with_source(source, origin)
        entry = told_of(run, origin=origin, window=window, fix=fix, other_depths=False)
        return entry if source is None else with_ends(entry, source, run)

    write_page(folder, file, told)
    if not short or cycles is None:
        return []
    return [f"the tables have cycles {cycles[0]}..{cycles[1] - 1} of {rows} firings; --window : writes all of them"]


def pictures_of(run: Run, source: SourceNetwork | None = None, window: WindowLike | None = None) -> Drawn:
    """Return what draws the pictures of a run, by name, the Gantt chart first; ``window`` is that of those over time.

    Beside an overview, in which a column holds several cycles, stands a Gantt chart of a few hundred cycles.
    """
    from ppnsim.plots.gantt import gantt  # matplotlib takes a while to import
    from ppnsim.plots.network import draw_network
    from ppnsim.plots.occupancy import occupancy
    from ppnsim.plots.parallelism import parallelism

    shown = window_from(window or (None, None), run.network, run.stopped)
    view = shown.first, shown.last
    places, summary = source.lines() if source is not None else {}, summary_of(run)

    def over_time(cycles: tuple[int, int]) -> Any:
        return gantt(run.timeline, places=places, window=cycles, classes=classes_of(run))

    drawn: dict[str, Callable[[], Any]] = {"gantt": lambda: over_time(view)}
    if view[1] - view[0] > MOST:
        drawn["gantt_detail"] = lambda: over_time(detail_of(run, view))
    drawn["network"] = lambda: draw_network(run.network, run=run, places=places)
    if run.network.channels:
        drawn["occupancy"] = lambda: occupancy(run.timeline, window=view, peaks=summary.occupancy)
    drawn["parallelism"] = lambda: parallelism(run.timeline, window=view, figures=summary.parallelism)
    return drawn
