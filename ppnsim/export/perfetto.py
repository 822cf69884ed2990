"""Chrome trace JSON, which ui.perfetto.dev and chrome://tracing open: a track per process, a counter per channel."""

from __future__ import annotations

import json
from collections.abc import Iterator
from heapq import heappop, heappush
from typing import IO, Any

import numpy as np

from ppnsim.export.trace import Arrows, Spans, Trace
from ppnsim.export.window import Window

Entry = dict[str, Any]
_COUNTERS = 0  # pid of the channels; processes count from 1
_STATE = 0  # tid of the states of a process; its firings lie in lanes from 1 on


def write_perfetto(trace: Trace, window: Window, out: IO[str], *, flows: bool = False) -> None:
    """Write the window of a trace, one event a line; 1 microsecond shown is 1 tick.

    Firings of a pipeline overlap, slices of one thread may not: each firing takes the lowest free lane of its process.

    Parameters
    ----------
    trace, window : what to write.
    out : a text file.
    flows : also an arrow for each token, from the firing that writes it to each that reads it.
    """
    about = {"network": trace.name, "shown": f"1 us is 1 {trace.tick} of {trace.tick_ns:g} ns"}
    out.write('{"displayTimeUnit": "ns", "otherData": ' + json.dumps(about) + ', "traceEvents": [\n')
    separator = ""
    for event in _events(trace, window, flows=flows):
        out.write(separator + json.dumps(event, allow_nan=False))
        separator = ",\n"
    out.write("\n]}\n")


def _events(trace: Trace, window: Window, *, flows: bool) -> Iterator[Entry]:
    numbers = {name: number for number, name in enumerate(trace.parts, start=1)}
    for name, number in numbers.items():
        yield _named("process_name", number, 0, name)
        yield _sorted(number)
    if trace.levels:
        yield _named("process_name", _COUNTERS, 0, "channels")
        yield {**_sorted(_COUNTERS), "args": {"sort_index": len(numbers) + 1}}
    for states in trace.states:
        pid = numbers[states.name]
        yield _named("thread_name", pid, _STATE, "state")
        for first, last, word in states.within(window):
            yield _slice(word, "state", first, last, pid, _STATE)
    lanes: dict[str, dict[int, int]] = {}
    for spans in trace.spans:
        pid = numbers[spans.name]
        lanes[spans.name] = {}
        named: set[int] = set()
        for begin, end, place, lane in _in_lanes(spans, window, trace.stopped):
            number = int(spans.number[place])
            if lane not in named:
                named.add(lane)
                yield _named("thread_name", pid, lane, f"firings {lane}" if spans.words is None else f"doing {lane}")
            if flows:
                lanes[spans.name][number] = lane
            word = f"{spans.name} {number}" if spans.words is None else spans.words[place]
            yield {**_slice(word, "firing", begin, end, pid, lane), "args": {"firing": number}}
    for levels in trace.levels:
        for tick, value in levels.within(window):
            counted: Entry = {"name": levels.name, "ph": "C", "ts": tick, "pid": _COUNTERS, "tid": 0}
            yield {**counted, "args": {"tokens": value}}
    if flows:
        identity = 0
        for arrows in trace.arrows:
            for written, read in _flows(arrows, window, numbers, lanes):
                identity += 1
                yield {**written, "id": identity}
                yield {**read, "id": identity}


def _slice(name: str, category: str, first: int, last: int, pid: int, tid: int) -> Entry:
    return {"name": name, "cat": category, "ph": "X", "ts": first, "dur": last - first, "pid": pid, "tid": tid}


def _named(kind: str, pid: int, tid: int, name: str) -> Entry:
    return {"name": kind, "ph": "M", "ts": 0, "pid": pid, "tid": tid, "args": {"name": name}}


def _sorted(pid: int) -> Entry:
    return {"name": "process_sort_index", "ph": "M", "ts": 0, "pid": pid, "tid": 0, "args": {"sort_index": pid}}


def _in_lanes(spans: Spans, window: Window, stopped: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield ``(begin, end, place, lane)``: the lowest lane, from 1 on, that is free."""
    free: list[int] = []
    busy: list[tuple[int, int]] = []
    for begin, end, place in spans.within(window, stopped=stopped):
        while busy and busy[0][0] <= begin:
            heappush(free, heappop(busy)[1])
        lane = heappop(free) if free else len(busy) + 1
        heappush(busy, (max(end, begin + 1), lane))
        yield begin, end, place, lane


def _flows(
    arrows: Arrows, window: Window, numbers: dict[str, int], lanes: dict[str, dict[int, int]]
) -> Iterator[tuple[Entry, Entry]]:
    shown = np.flatnonzero((arrows.begin >= window.first) & (arrows.end < window.last))
    for place in shown.tolist():
        # What belongs to no firing, as an access of a scheduled process, starts or ends at the states.
        out = lanes[arrows.source].get(int(arrows.source_number[place]), _STATE)
        into = lanes[arrows.target].get(int(arrows.target_number[place]), _STATE)
        written = _flow("s", arrows, int(arrows.begin[place]), numbers[arrows.source], out)
        yield written, _flow("f", arrows, int(arrows.end[place]), numbers[arrows.target], into) | {"bp": "e"}


def _flow(phase: str, arrows: Arrows, tick: int, pid: int, tid: int) -> Entry:
    return {"name": arrows.name, "cat": "token", "ph": phase, "ts": tick, "pid": pid, "tid": tid}
