"""VCD for waveform viewers: the state and the firing of every process, the tokens of every channel; GTKWave groups."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from heapq import merge
from pathlib import Path
from typing import IO, Any

from vcd import VCDWriter
from vcd.gtkw import GTKWSave

from ppnsim.export.trace import Spans, Trace
from ppnsim.export.window import Window

Change = tuple[int, int, Any]  # tick, number of the signal, value


@dataclass(frozen=True, slots=True)
class Clock:
    """How ticks become VCD time: units of ``timescale`` per tick, and a sentence where that is not the real time."""

    timescale: str
    per_tick: int
    words: str


def clock_of(trace: Trace) -> Clock:
    """Return the time base: real picoseconds where a tick has a whole number of them, else 1 ns for each tick.

    Examples
    --------
    >>> clock_of(Trace(name="n", tick_ns=5.0, stopped=1)).per_tick
    5000
    >>> clock_of(Trace(name="n", tick_ns=10 / 3, stopped=1)).words
    '1 ns shown is 1 cycle of 3.33333 ns, which is not a whole number of picoseconds'
    """
    picoseconds = trace.tick_ns * 1000
    if picoseconds == round(picoseconds) and picoseconds > 0:
        return Clock("1 ps", round(picoseconds), f"1 {trace.tick} is {trace.tick_ns:g} ns")
    words = f"1 ns shown is 1 {trace.tick} of {trace.tick_ns:g} ns, which is not a whole number of picoseconds"
    return Clock("1 ns", 1, words)


def write_vcd(trace: Trace, window: Window, out: IO[str]) -> list[tuple[str, list[str]]]:
    """Write the window of a trace as VCD; return the signals by group, for `write_gtkwave`.

    Per process ``state`` (a string: class, and after a colon its cause), ``firing`` (the last one started; x before the
    first) and ``active`` (firings begun and not ended); per channel ``tokens``.
    """
    clock = clock_of(trace)
    names = _Names()
    comment = f"{trace.name}: {clock.words}; {trace.tick}s {window.first}..{window.last - 1}"
    writer = VCDWriter(
        out, timescale=clock.timescale, date="", comment=comment, version="ppnsim",
        init_timestamp=window.first * clock.per_tick,
    )  # fmt: skip
    with writer:
        groups, signals = _declare(writer, trace, names)
        for tick, number, value in merge(*_changes(trace, window), key=lambda change: change[:2]):
            writer.change(signals[number], tick * clock.per_tick, value)
        writer.flush(window.last * clock.per_tick)
    return groups


def write_gtkwave(groups: list[tuple[str, list[str]]], vcd: Path, out: IO[str]) -> None:
    """Write a GTKWave save file that shows the signals of a VCD file in their groups."""
    save = GTKWSave(out)
    save.dumpfile(vcd.name, abspath=False)
    save.treeopen("top")
    for name, signals in groups:
        with save.group(name):
            for signal in signals:
                save.trace(signal, datafmt="ascii" if signal.endswith(".state") else "dec")


class _Names:
    """Identifiers of VCD: no white space, no dots or brackets, which viewers read as scopes and bits; all different."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def of(self, kind: str, name: str) -> str:
        plain = re.sub(r"\W", "_", name.replace("->", "_to_"), flags=re.ASCII) or "_"
        different, number = plain, 2
        while f"{kind}.{different}" in self._taken:
            different, number = f"{plain}_{number}", number + 1
        self._taken.add(f"{kind}.{different}")
        return f"top.{kind}.{different}"


def _declare(writer: VCDWriter, trace: Trace, names: _Names) -> tuple[list[tuple[str, list[str]]], list[Any]]:
    """Declare all signals, in the order of `_changes`; return them by group too."""
    groups: dict[str, list[str]] = {}
    signals: list[Any] = []
    scopes = {name: names.of("processes", name) for name in trace.parts}
    for states in trace.states:
        signals.append(writer.register_var(scopes[states.name], "state", "string", init=""))
        groups.setdefault(states.name, []).append(f"{scopes[states.name]}.state")
    for spans in trace.spans:
        kinds = ["firing", "active"] if spans.words is None else ["doing", "active"]
        for kind in kinds:
            string = kind == "doing"
            first = "" if string else "x" if kind == "firing" else 0
            signals.append(writer.register_var(scopes[spans.name], kind, "string" if string else "integer", init=first))
            groups.setdefault(spans.name, []).append(f"{scopes[spans.name]}.{kind}")
    for levels in trace.levels:
        scope = names.of("channels", levels.name)
        signals.append(writer.register_var(scope, "tokens", "integer", init="x"))
        groups.setdefault("channels", []).append(f"{scope}.tokens")
    return list(groups.items()), signals


def _changes(trace: Trace, window: Window) -> Iterator[Iterator[Change]]:
    number = 0
    for states in trace.states:
        yield _numbered(number, ((first, word) for first, _, word in states.within(window)))
        number += 1
    for spans in trace.spans:
        yield _begun(spans, window, number)
        yield _active(spans, window, trace.stopped, number + 1)
        number += 2
    for levels in trace.levels:
        yield _numbered(number, levels.within(window))
        number += 1


def _numbered(number: int, changes: Iterator[tuple[int, Any]]) -> Iterator[Change]:
    return ((tick, number, value) for tick, value in changes)


def _begun(spans: Spans, window: Window, number: int) -> Iterator[Change]:
    """Yield what began last: of several in one tick the last one counts."""
    last: Change | None = None
    for tick, place in spans.begun(window):
        value = int(spans.number[place]) if spans.words is None else spans.words[place].replace(" ", "_")
        if last is not None and tick > last[0]:
            yield last
        last = (tick, number, value)
    if last is not None:
        yield last


def _active(spans: Spans, window: Window, stopped: int, number: int) -> Iterator[Change]:
    begins, ends = [], []
    for begin, end, _ in spans.within(window, stopped=stopped):
        begins.append(max(begin, window.first))
        ends.append(end)
    count, changes = 0, merge(((tick, 1) for tick in begins), ((tick, -1) for tick in sorted(ends)))
    last: Change | None = None
    for tick, step in changes:
        count += step
        if tick >= window.last:
            break
        if last is not None and tick > last[0]:
            yield last
        last = (tick, number, count)
    if last is not None:
        yield last
