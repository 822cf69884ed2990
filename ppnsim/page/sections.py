"""The tables under the picture: where the cycles went, the critical path, estimates beside the run, provenance."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from ppnsim.analysis.lower_bounds import lower_bounds
from ppnsim.analysis.path.critical_path import CriticalPath, critical_path
from ppnsim.analysis.throughput import absolute, unbounded
from ppnsim.errors import PpnsimError
from ppnsim.explore.explain.explanation import Explanation, sentences
from ppnsim.explore.explain.way import COLUMNS, way_rows
from ppnsim.model.run import Fix, Run
from ppnsim.model.summary import RunSummary
from ppnsim.model.suspicions import suspicions
from ppnsim.report.bottleneck import bottleneck
from ppnsim.report.text import style_words
from ppnsim.source_networks.model import SourceNetwork, line_of
from ppnsim.source_networks.report import ends_of, start_to_done_of
from ppnsim.units import duration
from ppnsim.version import VERSION

Section = dict[str, Any]

_STRETCHES = 200  # of the critical path that are listed
_DRAWN = 5000  # of them that are drawn
_LARGEST = 400_000  # firings and tokens up to which the critical path and the estimates are worked out


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a network comes from.

    Attributes
    ----------
    file, content : the file, and its bytes.
    source : the text of a C or C++ source, None for other files.
    lines : of each process, its line in that text.
    places : of processes and channels, ``file:line``.
    """

    file: str
    content: bytes = b""
    source: str | None = None
    lines: Mapping[str, int] = field(default_factory=dict)
    places: Mapping[str, str] = field(default_factory=dict)


def with_source(held: SourceNetwork, origin: Origin) -> Origin:
    """Return the origin with the text of the source, and where in it processes and channels stand."""
    own = Path(held.file).resolve()
    return replace(
        origin, source=own.read_text(encoding="utf-8", errors="replace") if own.is_file() else None,
        lines={name: at.line for name, at in held.places.items() if at.line and Path(at.file).resolve() == own},
        places={name: line_of(at) for name, at in (*held.places.items(), *held.declared.items()) if at.line},
    )  # fmt: skip


def with_ends(told: Mapping[str, Any], source: SourceNetwork, run: Run) -> dict[str, Any]:
    """Return the entry of a run with the cycles from start to done of its source, and a note where the ends differ."""
    cycles = start_to_done_of(source, run)
    found = {**told} if cycles is None else {**told, "start_to_done": cycles}
    if words := ends_of(source, run):
        first, *others = told["sections"]
        found["sections"] = [first | {"notes": [words, *first["notes"]]}, *others]
    return found


def sections_of(summary: RunSummary, origin: Origin, path: CriticalPath | str) -> list[Section]:
    """Return the sections of a run's page, in the order in which they are shown."""
    run = summary.run
    said = bottleneck(summary)
    notes = [*map(str, suspicions(summary)), *([f"bottleneck: {said}"] if said else [])]
    found = [_channels(summary, *notes), _path(run, path)]
    if run.network.events <= _LARGEST:
        found.append(_estimates(run))
    return [*found, provenance(origin, engine=run.engine, style=style_words(run.network).partition(" ")[2])]


def section(title: str, columns: Iterable[str], rows: Iterable[Iterable[object]], *notes: str) -> Section:
    """Return a section that is a table with notes above it."""
    return {"title": title, "columns": list(columns), "rows": [list(row) for row in rows], "notes": list(notes)}


def provenance(origin: Origin, *, engine: str, style: str = "") -> Section:
    """Return what made the page: input, its hash, versions. It names no time, so the same input gives the same page."""
    rows = [["input", origin.file]]
    if origin.content:
        rows.append(["SHA-256 of the input", hashlib.sha256(origin.content).hexdigest()])
    rows += [["style", style]] if style else []
    rows += [["ppnsim", VERSION], ["engine", engine], ["Python", platform.python_version()]]
    return section("Provenance", ["what", "value"], rows)


def cycles_section(summary: RunSummary) -> Section:
    """Return the class of every cycle of every process as a table, for readers without JavaScript and large runs."""
    rows = []
    for process in summary.run.network.processes:
        told = summary.processes[process.name]
        counts = told.cycles
        rows.append([
            process.name, process.firings, told.first_start, told.last_start, counts.starting, counts.ii,
            _causes(counts.starved), _causes(counts.blocked), _causes(counts.resource), counts.draining, counts.done,
        ])  # fmt: skip
    columns = [
        "process", "firings", "first start", "last start", "starting", "between starts", "starved on", "blocked on",
        "resource", "draining", "done",
    ]  # fmt: skip
    return section("Where the cycles went", columns, rows)


def _channels(summary: RunSummary, *notes: str) -> Section:
    network = summary.run.network
    rows = [
        [
            each.name, each.source, each.target, network.counts[each.name].kind,
            each.initial + network.counts[each.name].written, summary.occupancy[each.name],
            "unbounded" if each.depth is None else each.depth, each.width,
        ]
        for each in network.channels
    ]  # fmt: skip
    columns = ["channel", "from", "to", "kind", "tokens", "most held", "depth", "bits"]
    return section("Channels of the run as in the file", columns, rows, *notes)


def path_of(run: Run, fix: Fix | None) -> CriticalPath | str:
    """Return the critical path, or why there is none: of a deadlock the circle of waits and what breaks it."""
    if run.finish is None:
        return f"{run.deadlock}\n{fix}"
    if run.network.events > _LARGEST:
        return f"not worked out for {run.network.events} firings and tokens (up to {_LARGEST}); see ppnsim explain"
    try:
        return critical_path(run.timeline)
    except PpnsimError as error:
        return f"not worked out: {error}"


def drawn_path(path: CriticalPath | str) -> list[list[int]]:
    """Return the path for the picture: ``[process, first, last]`` of its first stretches."""
    if isinstance(path, str):
        return []
    number = {process.name: index for index, process in enumerate(path.graph.timeline.network.processes)}
    return [[number[each.process], each.first, each.last] for each in islice(path.stretches(), _DRAWN)]


def _path(run: Run, path: CriticalPath | str) -> Section:
    title = (
        "Critical path of the run as in the file" if run.finish is not None else "Deadlock of the run as in the file"
    )
    if isinstance(path, str):
        return {"title": title, "notes": path.split("\n")}
    told = Explanation(run=run, path=path, slack="", claims=(), steady="")
    stretches: list[list[object]] = [list(row) for row in way_rows(path, _STRETCHES + 1)]
    more = [f"the first {_STRETCHES} stretches"] if len(stretches) > _STRETCHES else []
    return section(title, list(COLUMNS), stretches[:_STRETCHES], *sentences(told), *more)


def _estimates(run: Run) -> Section:
    rows: list[list[object]] = [["simulated", run.finish, duration(run.time_ns), f"engine {run.engine}"]]
    try:
        words = {"absolute": "FIFOs that never fill", "unbounded": "a process of its own for each firing"}
        one_each, by_data = absolute(run.network), unbounded(run.network)
        for name, estimate in (("absolute", one_each), ("unbounded", by_data)):
            time = None if estimate.finish is None else estimate.finish * run.network.clock_ns
            rows.append([name, estimate.finish, duration(time), words[name]])
        bounds = lower_bounds(run.network, one_each, by_data)
        rows += [[f"no run is below: {each.name}", each.cycles, "", each.reason] for each in bounds]
    except PpnsimError as error:
        return section("Estimates beside the run", ["", "cycles", "time", "because"], rows, f"not estimated: {error}")
    return section("Estimates beside the run", ["", "cycles", "time", "because"], rows)


def _causes(cycles: Mapping[str, int]) -> str | None:
    return ", ".join(f"{cause} {count}" for cause, count in cycles.items()) or None
