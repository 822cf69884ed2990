"""Traces of a design with its testbench, without time: the order of loops and accesses, recorded and read again."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ppnsim.errors import InputError
from ppnsim.hls.native.calls import RegionCall, region_call
from ppnsim.hls.native.execute import TimedDesign
from ppnsim.hls.native.session import Code, NativeEvent, Session

_FORMAT = "ppnsim trace 2"


@dataclass(frozen=True, slots=True)
class TestbenchTrace:
    """A testbench's run: its first call of the region, how often it calls the region, and what it prints.

    Attributes
    ----------
    started : the events that start the tasks.
    tasks : the events of each task, in its order.
    blocked : tasks wait for tokens that never come, at every depth; the events end there.
    source : a digest of the sources to which the trace belongs.
    """

    started: tuple[NativeEvent, ...]
    tasks: tuple[tuple[NativeEvent, ...], ...]
    calls: int
    printed: str
    blocked: bool
    source: str

    def call(self, found: TimedDesign) -> RegionCall:
        """Return the recorded call."""
        return region_call(found.region, found.timings, self.started)


def digest(found: TimedDesign) -> str:
    """Return a digest of the sources."""
    text = "\0".join(f"{Path(name).name}\0{text}" for name, text in sorted(found.region.unit.sources.items()))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def record(found: TimedDesign) -> TestbenchTrace:
    """Execute a design with FIFOs that hold any number of tokens.

    All its accesses block (`TimedDesign.polls` is None), so that every depth and every schedule has this order.

    Raises
    ------
    InputError
        If a file does not compile, or the testbench does not end in time or fails.
    """
    started: tuple[NativeEvent, ...] = ()
    tasks: tuple[tuple[NativeEvent, ...], ...] = ()
    calls, blocked = 0, False
    kept: list[NativeEvent] = []
    with found.session() as session:
        for call in found.calls(session):
            events, blocked = _executed(session, call, kept)
            kept = [each[-1] for task, each in zip(call.tasks, events, strict=True) if task.timing.endless]
            started, tasks = (started, tasks) if calls else (call.started, events)
            calls += 1
            if blocked:
                break
        printed = session.printed() if blocked else session.end()
    return TestbenchTrace(started, tasks, calls, printed, blocked, digest(found))


def _executed(
    session: Session, call: RegionCall, kept: Sequence[NativeEvent]
) -> tuple[tuple[tuple[NativeEvent, ...], ...], bool]:
    """Execute one call of the region; return the events of its tasks, and whether they wait for ever.

    The events of a task without an end (``hls::task``) end with the access that gets no more token; ``kept`` are those
    of the previous call, from which such tasks go on.
    """
    tokens: Counter[int] = Counter({number: stream.initial for number, stream in call.streams.items()})
    events: list[list[NativeEvent]] = [[] for _ in call.tasks]
    ended = [False] * len(events)
    endless = [task.timing.endless for task in call.tasks]
    for number, event in zip((n for n, each in enumerate(endless) if each), kept, strict=False):
        events[number].append(event)

    def ready(task: int) -> bool:
        last = events[task][-1] if events[task] else None
        free = all(ended[other] for other in call.after[task])
        return not ended[task] and free and (last is None or tokens[last.stream] > 0)

    while (task := next(filter(ready, range(len(events))), None)) is not None:
        if events[task]:
            tokens[events[task][-1].stream] -= 1
        session.answer(task)
        for event in session.events():
            events[task].append(event)
            tokens[event.stream] += event.code == Code.WRITE
            ended[task] = event.code == Code.END
    blocked = any(not each and not never for each, never in zip(ended, endless, strict=True))
    return tuple(map(tuple, events)), blocked


def write_trace(trace: TestbenchTrace, path: str) -> None:
    """Write a trace as JSON; each event is a list of four numbers."""
    held = {
        "format": _FORMAT, "source": trace.source, "calls": trace.calls, "printed": trace.printed,
        "blocked": trace.blocked, "started": trace.started, "tasks": trace.tasks,
    }  # fmt: skip
    try:
        Path(path).write_text(json.dumps(held), encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", where=f"--trace {path}") from None


def read_trace(path: str, found: TimedDesign) -> TestbenchTrace:
    """Read a trace of a design.

    Raises
    ------
    InputError
        If there is no such file, it is not a trace, or it belongs to another source.
    """
    try:
        held: Any = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", where=f"--trace {path}") from None
    except ValueError:
        held = None
    if not isinstance(held, dict) or held.get("format") != _FORMAT:
        raise InputError("is not a trace that ppnsim has recorded", where=f"--trace {path}")
    if held["source"] != digest(found):
        words = f"is a trace of another source, not of {found.design.path} as it is now; record it again"
        raise InputError(words, where=f"--trace {path}")
    tasks = tuple(tuple(_events(task)) for task in held["tasks"])
    return TestbenchTrace(
        tuple(_events(held["started"])), tasks, held["calls"], held["printed"], held["blocked"], held["source"]
    )  # fmt: skip


def _events(rows: Sequence[Sequence[int]]) -> Iterator[NativeEvent]:
    return (NativeEvent(*row) for row in rows)
