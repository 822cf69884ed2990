"""Pictures of a run: its Gantt chart, the tokens in its channels, its parallelism."""

from __future__ import annotations

from collections.abc import Sequence

from ppnsim.engines.run import run as simulate
from ppnsim.errors import InputError
from ppnsim.export.window import WindowLike, window_from
from ppnsim.library.subject import NetworkLike, network_file
from ppnsim.model.run import Run
from ppnsim.model.timeline import Timeline
from ppnsim.plots import gantt as _gantt
from ppnsim.plots import occupancy as _occupancy
from ppnsim.plots import parallelism as _parallelism
from ppnsim.plots.shown import NotebookFigure, shown


def gantt(run: Run | Timeline | NetworkLike, *, window: WindowLike | None = None) -> NotebookFigure:
    """Draw one lane per process over time: its firings, and the class of each of its cycles.

    Parameters
    ----------
    run : a run, or a network or a path, which is then run.
    window : cycles ``(first, last + 1)`` to be shown, or ``"0:40"``, ``"1us:2us"``; default all.

    Raises
    ------
    InputError
        If the window shows no cycle of the run.

    Examples
    --------
    >>> from ppnsim.model.builders import predictor
    >>> figure = gantt(predictor(), window=(0, 40))
    >>> [label.get_text() for label in figure.axes[0].get_yticklabels()]
    ['source', 'transformer', 'sink']
    """
    timeline = _timeline(run)
    return shown(_gantt.gantt(timeline, window=_cycles(window, timeline)))


def occupancy(
    run: Run | Timeline | NetworkLike, *, channels: str | Sequence[str] | None = None, window: WindowLike | None = None
) -> NotebookFigure:
    """Draw the tokens in each channel over time, with its depth and its maximum.

    Parameters
    ----------
    run : a run, or a network or a path, which is then run.
    channels : name of the one to be shown, or names; default all.
    window : as of `gantt`.

    Raises
    ------
    InputError
        If a channel does not exist, there is none to be drawn, or the window shows no cycle of the run.
    """
    timeline = _timeline(run)
    named = [channels] if isinstance(channels, str) else channels
    if named is not None and not named:
        raise InputError("[] names no channel: leave it out for all of them", where="channels")
    return shown(_occupancy.occupancy(timeline, channels=named, window=_cycles(window, timeline)))


def parallelism(
    run: Run | Timeline | NetworkLike, *, unbounded: float | None = None, window: WindowLike | None = None
) -> NotebookFigure:
    """Draw how many firings execute over time, with the average and the maximum.

    Parameters
    ----------
    run : a run, or a network or a path, which is then run.
    unbounded : the average parallelism of an estimate to compare with.
    window : as of `gantt`.

    Raises
    ------
    InputError
        If the window shows no cycle of the run.
    """
    timeline = _timeline(run)
    return shown(_parallelism.parallelism(timeline, unbounded=unbounded, window=_cycles(window, timeline)))


def _cycles(window: WindowLike | None, timeline: Timeline) -> tuple[int, int] | None:
    """Return the cycles of a window that is given, as pictures take them."""
    if window is None:
        return None
    found = window_from(window, timeline.network, timeline.stopped)
    return found.first, found.last


def _timeline(run: Run | Timeline | NetworkLike) -> Timeline:
    if isinstance(run, Timeline):
        return run
    outcome = run if isinstance(run, Run) else simulate(network_file(run).network, on_deadlock="return")
    return outcome.timeline
