"""Runs of what is not a network: placed networks, platforms, messages, flows, memories, designs that are executed."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

from rich.console import Console

from ppnsim.errors import InputError
from ppnsim.export.window import time_window, window_called, window_of
from ppnsim.hls.native.execute import TimedDesign, execute
from ppnsim.hls.native.model import NativeRun
from ppnsim.hls.native.report import native_result, print_native
from ppnsim.library.applications import application_of
from ppnsim.library.simulated import Pictures, SimulatedFile, no_pictures, no_tables
from ppnsim.library.subject import Depths, NetworkFile, depth_of, network_file
from ppnsim.memory.files.json import MemoryFile
from ppnsim.memory.report import print_memory_run
from ppnsim.memory.report import run_result as memory_run_result
from ppnsim.memory.run.record import MemoryRun
from ppnsim.memory.run.traffic import run_memory
from ppnsim.messages.files.json import Flows, Messages
from ppnsim.messages.model.flows import FlowRun
from ppnsim.messages.report import (
    flows_result,
    messages_result,
    print_flows,
    print_messages,
    write_intervals,
    write_rates,
)
from ppnsim.messages.run.flows import run_flows
from ppnsim.messages.run.record import MessageRun
from ppnsim.messages.run.schedules import run_schedule
from ppnsim.placed.model.placement import Placement
from ppnsim.placed.report.run import placed_result, print_placed, write_messages
from ppnsim.placed.run.network import run_placed
from ppnsim.placed.run.record import PlacedRun
from ppnsim.platform.files.toml import PlatformFile
from ppnsim.platform.report.application import print_run, run_result, write_spans
from ppnsim.platform.run.application import run_platform
from ppnsim.platform.run.record import PlatformRun

EVERY = "*"
"""Names all channels in depths of a design that is executed, of which some may have another one."""
Progress = Callable[[int, int], None]


def simulated(
    held: object, *, file: str, engine: str = "auto", depths: Depths | None = None, style: str | None = None,
    progress: Progress | None = None,
) -> SimulatedFile:  # fmt: skip
    """Simulate what a file holds that is not a network; depths are those of a design that is executed, too.

    Raises
    ------
    InputError
        If it holds nothing that could be run, or knows neither depths nor styles.
    """
    about = _SIMULATORS.get(type(held))
    if about is None:
        raise InputError(f"holds a {type(held).__name__}, which cannot be run", where=file)
    more: dict[str, Any] = {}
    if isinstance(held, Placement):
        changed: NetworkFile = network_file(held.network, depths=depths, style=style)
        held = replace(held, network=changed.network)
    elif isinstance(held, TimedDesign) and style is None:
        more = {"depths": depths}
    elif depths is not None or style is not None:
        words = "can only be used with a network" if style is None else "style can only be used with a network"
        raise InputError(f"{words}; this holds a {type(held).__name__}")
    began = time.perf_counter()
    found = about(held, file, engine, progress, **more)
    return replace(found, seconds=time.perf_counter() - began)


def _placed(held: Placement, file: str, _: str, progress: Progress | None) -> SimulatedFile:
    record: PlacedRun = run_placed(held, progress=progress)
    result = placed_result(record, file=file)

    def shown(console: Console, it: SimulatedFile) -> None:
        print_placed(console, record, it.to_dict(), seconds=it.seconds)

    def pictures(window: str | None) -> Mapping[str, Any]:
        from ppnsim.placed.pictures.occupancy import placed_occupancy  # matplotlib takes a while to import
        from ppnsim.placed.pictures.time import placed_figure

        view = None
        if window is not None:
            first, last = time_window(window, Fraction(record.stopped, 1000))
            view = int(first * 1000), int(last * 1000)
        words = result["binds"]["sentence"] if result["binds"] else ""
        drawn = {"nodes": placed_figure(record, words, window=view)}
        return drawn | ({"occupancy": placed_occupancy(record, window=view)} if held.network.channels else {})

    def tables(folder: Path) -> None:
        write_messages(record.messages, folder / "messages.csv")

    return _file(held, record, result, "processes", shown, pictures, tables, deadlocked=record.finish is None)


def _platform(held: PlatformFile, file: str, _: str, progress: Progress | None) -> SimulatedFile:
    record: PlatformRun = run_platform(held.system, application_of(held, file), progress=progress)
    name = held.system.name

    def shown(console: Console, _: SimulatedFile) -> None:
        print_run(console, record, title=name)

    def pictures(window: str | None) -> Mapping[str, Any]:
        from ppnsim.platform.pictures.drawing import draw_platform  # matplotlib takes a while to import
        from ppnsim.platform.pictures.time import platform_gantt, platform_shares, platform_utilisation

        view = None
        if window is not None:
            first, last = time_window(window, record.makespan * 10**9)
            view = first / 10**9, last / 10**9
        return {
            "gantt": platform_gantt(record, title=name, window=view), "platform": draw_platform(held.system),
            "shares": platform_shares(record, title=name), "utilisation": platform_utilisation(record, title=name),
        }  # fmt: skip

    def tables(folder: Path) -> None:
        write_spans(record, folder / "timeline.csv")

    return _file(held, record, run_result(record, file=file, name=name), "simulated", shown, pictures, tables)


def _messages(held: Messages, file: str, _: str, progress: Progress | None) -> SimulatedFile:
    record: MessageRun = run_schedule(held.schedule, held.link, progress=progress)

    def shown(console: Console, it: SimulatedFile) -> None:
        print_messages(console, record, file=file, unit=held.unit, seconds=it.seconds)

    def pictures(window: str | None) -> Mapping[str, Any]:
        from ppnsim.messages.pictures import rank_gantt  # matplotlib takes a while to import

        view = None if window is None else _units_of(window, max((*record.rank_end, 1)))
        return {"gantt": rank_gantt(record, unit=held.unit, window=view)}

    def tables(folder: Path) -> None:
        write_intervals(record.intervals, folder / "intervals.csv")

    result = messages_result(record, file=file, unit=held.unit)
    stuck = record.deadlock is not None
    return _file(held, record, result, "ranks", shown, pictures, tables, deadlocked=stuck)


def _units_of(window: str, end: int) -> tuple[int, int]:
    """Return the times that ``A:B`` names, in the unit of the file."""
    first, last = window_called(window)
    found = window_of(first, last, stopped=end)
    return found.first, found.last


def _flows(held: Flows, file: str, _: str, progress: Progress | None) -> SimulatedFile:
    record: FlowRun = run_flows(held.star, held.flows, progress=progress)

    def shown(console: Console, it: SimulatedFile) -> None:
        print_flows(console, record, held.star, held.flows, file=file, seconds=it.seconds)

    def tables(folder: Path) -> None:
        write_rates(record.pieces, folder / "rates.csv")

    return _file(held, record, flows_result(record, file=file), "finish", shown, tables=tables)


def _memory(held: MemoryFile, file: str, engine: str, progress: Progress | None) -> SimulatedFile:
    if held.traffic is None:
        raise InputError("has no traffic, so there is nothing to run (ppnsim memory tells what the memory can do)")
    record: list[MemoryRun] = []
    for number in range(held.seeds):
        traffic = replace(held.traffic, seed=held.traffic.seed + number)
        record.append(run_memory(held.dram, traffic, engine=engine, progress=progress))
    about: dict[str, Any] = {
        "file": file, "engine": "des" if engine == "des" else "compiled", "notes": held.notes
    }  # fmt: skip

    def shown(console: Console, it: SimulatedFile) -> None:
        print_memory_run(console, record, **about, seconds=it.seconds)

    return _file(held, record, memory_run_result(record, **about), "seeds", shown)


def _executed(
    held: TimedDesign, file: str, _: str, __: Progress | None, *, depths: Depths | None = None
) -> SimulatedFile:  # fmt: skip
    named = dict(depths) if isinstance(depths, Mapping) else {} if depths is None else {EVERY: depths}
    by_name = {name: depth_of(depth) for name, depth in named.items()}
    for_all: int | Literal["declared"] | None = by_name.pop(EVERY) if EVERY in by_name else "declared"
    record: NativeRun = execute(held, depth=for_all, depths=by_name)

    def shown(console: Console, it: SimulatedFile) -> None:
        print_native(console, record, clock_ns=held.clock_ns, seconds=it.seconds)

    result = native_result(record, file=file, clock_ns=held.clock_ns)
    return _file(held, record, result, "calls", shown, deadlocked=record.deadlocked)


_SIMULATORS: Mapping[type, Callable[..., SimulatedFile]] = {
    Placement: _placed, PlatformFile: _platform, Messages: _messages, Flows: _flows, MemoryFile: _memory,
    TimedDesign: _executed,
}  # fmt: skip


def _file(
    held: object, record: object, result: Mapping[str, Any], table: str,
    shown: Callable[[Console, SimulatedFile], None], pictures: Pictures = no_pictures,
    tables: Callable[[Path], None] = no_tables, *, deadlocked: bool = False,
) -> SimulatedFile:  # fmt: skip
    return SimulatedFile(
        held=held, record=record, result=result, table=table, file=str(result["file"]), seconds=0.0, shown=shown,
        pictures=pictures, tables=tables, deadlocked=deadlocked,
    )  # fmt: skip
