"""What the page draws of a run that it does not simulate: all of it in columns, and a few hundred cycles one by one."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ppnsim.arrays import ascending
from ppnsim.model.cycles import CycleClasses, Label
from ppnsim.model.metrics import Curve, Events, executes, executions, occupancy, slots_taken, touching
from ppnsim.model.metrics import curve as curve_of
from ppnsim.model.network import Network
from ppnsim.model.run import Run
from ppnsim.model.summary import summary_of
from ppnsim.model.timeline import Timeline
from ppnsim.page.drawing import drawing_of
from ppnsim.page.excerpt import Cycles, Excerpt, detail_of, excerpt_of
from ppnsim.plots.columns import counted, spent

Told = dict[str, Any]

_COLUMNS = 1400  # about the dots of the picture on a page
_CELLS = 60_000  # columns of all lanes together: a page of a thousand processes can still be sent
_FEWEST = 200
_ONE_BY_ONE = 2000  # cycles up to which a view is shown one by one, and needs no columns


def still_of(run: Run, view: Cycles) -> Told:
    """Return the network with the most tokens that its channels held, a view of the run in columns, and a detail.

    Examples
    --------
    >>> from ppnsim import chain, run
    >>> told = still_of(run(chain(firings=10**7, ii=(1, 3, 1), depth=2)), (0, 30_000_010))
    >>> told["detail"]["first"], told["columns"]["channels"][0]["most"]
    (14999852, [[1400, 2]])
    """
    network = run.network
    held = summary_of(run).occupancy
    whole = view[1] - view[0] > _ONE_BY_ONE
    lanes = len(network.processes) + len(network.channels)
    detail = detail_of(run, view) if whole else view
    excerpt = excerpt_of(run, view, detail, min(max(_CELLS // lanes, _FEWEST), _COLUMNS))
    shown: Told = {"columns": None, "detail": None}
    if excerpt is not None:
        shown = {"columns": _columns(excerpt, view) if whole else None, "detail": _detail(excerpt, detail)}
    return {
        "model": {
            "processes": [{"name": each.name, "style": each.style} for each in network.processes],
            "channels": [
                {"name": each.name, "depth": each.depth, "most": held[each.name]} for each in network.channels
            ],
        },
        "layout": drawing_of(network), "most": summary_of(run).parallelism.maximum, "stopped": run.stopped, **shown,
    }  # fmt: skip


def _columns(excerpt: Excerpt, view: Cycles) -> Told:
    timeline, edges = excerpt.timeline, excerpt.edges
    network = timeline.network
    processes = []
    for process, classes in zip(network.processes, excerpt.classes, strict=True):
        begins, ends = executions(timeline, process.name)
        busy = counted([begins], [ends], edges)
        processes.append({
            "labels": _labels(network, classes.labels), "spent": _packed(excerpt, spent(classes, edges)),
            "busy": _packed(excerpt, _short(busy.mean)), "most": int(busy.most.max(initial=0)),
        })  # fmt: skip
    spans = [executions(timeline, process.name) for process in network.processes]
    parallel = counted([begins for begins, _ in spans], [ends for _, ends in spans], edges)
    channels = []
    for channel in network.channels:
        writes, releases = slots_taken(timeline, channel.name)
        found = counted([Events(writes)], [Events(releases)], edges, base=channel.initial)
        channels.append({"fewest": _packed(excerpt, found.fewest), "most": _packed(excerpt, found.most)})
    return {
        "first": view[0], "last": view[1], "width": int(edges[1] - edges[0]), "processes": processes,
        "channels": channels,
        "parallel": {"mean": _packed(excerpt, _short(parallel.mean)), "most": _packed(excerpt, parallel.most)},
    }  # fmt: skip


def _detail(excerpt: Excerpt, detail: Cycles) -> Told:
    """Return what a window of a run has, as the engine of the page would say it, in the cycles of the whole run."""
    timeline, shift = excerpt.timeline, excerpt.shift
    window, network = shift.inside(detail), timeline.network
    processes = []
    for process, classes in zip(network.processes, excerpt.classes, strict=True):
        shown = touching(timeline, process.name, window)
        within = classes.within(window)
        processes.append({
            "firings": (shown + shift.firings.get(process.name, 0)).tolist(),
            "start": _later(timeline.start(process.name)[shown], shift.cycles),
            "end": _later(timeline.end(process.name)[shown], shift.cycles),
            "labels": _labels(network, within.labels),
            "classes": _segments(within),
        })  # fmt: skip
    cycles, values = _executing(timeline, window)
    channels = []
    for channel in network.channels:
        at, tokens = occupancy(timeline, channel.name, window)
        channels.append({"cycles": _later(at, shift.cycles), "tokens": tokens.tolist()})
    return {
        "first": detail[0], "last": detail[1], "processes": processes, "channels": channels,
        "parallel": {"cycles": _later(cycles, detail[0]), "values": values.tolist()},
    }  # fmt: skip


def _segments(classes: CycleClasses) -> list[list[int]]:
    """Return the classes as ``[code, cycles]``; repetitions that were put back had cut them."""
    begins = np.flatnonzero(np.diff(classes.codes, prepend=-1))
    cycles = np.diff(np.append(classes.edges[begins], classes.edges[-1:]))
    segments: list[list[int]] = np.stack([classes.codes[begins], cycles], axis=1).tolist()
    return segments


def _executing(timeline: Timeline, window: Cycles) -> Curve:
    """Return how many firings execute in each cycle of a window, which begins at 0."""
    base, begins, ends = 0, [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for process in timeline.network.processes:
        for side, sign, found in zip(executes(timeline, process.name), (1, -1), (begins, ends), strict=True):
            before, within = Events(ascending(side)).within(*window)
            base += sign * before
            found.append(within)
    return curve_of(np.concatenate(begins), np.concatenate(ends), base=base, until=window[1] - window[0])


def _labels(network: Network, labels: tuple[Label, ...]) -> list[Told]:
    number = {channel.name: index for index, channel in enumerate(network.channels)}
    told: list[Told] = []
    for kind, cause in labels:
        of = {} if cause is None else {"resource": cause} if kind == "resource" else {"channel": number[cause]}
        told.append({"kind": kind, **of})
    return told


def _later(cycles: NDArray[np.int64], shift: int) -> list[int]:
    later: list[int] = np.where(cycles < 0, cycles, cycles + shift).tolist()
    return later


def _short(means: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.round(means, 3)


def _packed(excerpt: Excerpt, columns: NDArray[Any]) -> list[list[Any]]:
    """Return columns as ``[how many, value]``, where the same ones follow each other."""
    whole: list[Any] = excerpt.whole(columns).tolist()
    return [[len(list(same)), value] for value, same in groupby(whole)]
