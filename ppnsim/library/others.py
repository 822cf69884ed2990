"""Runs of what is not a network: placed networks, platforms, messages, flows, memories, designs that are executed."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

from rich.console import Console

from ppnsim.errors import InputError
from ppnsim.export.window import window_called, window_of
from ppnsim.hls.native.execute import TimedDesign, execute
from ppnsim.hls.native.model import NativeRun
from ppnsim.hls.native.report import native_result, print_native
from ppnsim.kinds import shown
from ppnsim.library.on_nodes import placed_simulation, platform_simulation
from ppnsim.library.simulated import SimulatedFile, simulation_of
from ppnsim.library.subject import Depths, NetworkFile, network_file
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
from ppnsim.messages.run.record import Interval, MessageRun
from ppnsim.messages.run.schedules import run_schedule
from ppnsim.model.parts import depth_of
from ppnsim.page.messages import messages_told
from ppnsim.page.sections import Origin
from ppnsim.placed.model.placement import Placement
from ppnsim.platform.files.toml import PlatformFile
from ppnsim.units import clock_period

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
        words = f"{shown(held)} cannot be run: give a network, what ppnsim.load returns, or the path of a file"
        raise InputError(words, where="run")
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


def _messages(held: Messages, file: str, _: str, progress: Progress | None) -> SimulatedFile:
    record: MessageRun = run_schedule(held.schedule, held.link, progress=progress)
    result = messages_result(record, file=file, unit=held.unit)
    stuck = record.deadlock is not None
    return simulation_of(
        held,
        record,
        result,
        "ranks",
        _show_messages,
        _message_pictures,
        _message_tables,
        _message_page,
        deadlocked=stuck,
    )


def _show_messages(console: Console, it: SimulatedFile) -> None:
    print_messages(console, it.record, file=it.file, unit=it.held.unit, seconds=it.seconds)


def _message_pictures(it: SimulatedFile, window: str | None) -> Mapping[str, Any]:
    from ppnsim.messages.pictures import rank_gantt  # matplotlib takes a while to import

    view = None if window is None else _units_of(window, it)
    return {"gantt": rank_gantt(it.record, unit=it.held.unit, window=view)}


def _message_tables(it: SimulatedFile, folder: Path, window: str | None) -> None:
    kept: list[Interval] = it.record.intervals
    if window is not None:
        first, last = _units_of(window, it)
        kept = [each for each in kept if each.start < last and each.end > first]
    write_intervals(kept, folder / "intervals.csv")


def _message_page(it: SimulatedFile, origin: Origin, window: str | None) -> Mapping[str, Any]:
    view = None if window is None else _units_of(window, it)
    return messages_told(it.record, it.result, origin=origin, unit=it.held.unit, window=view)


def _units_of(window: str, it: SimulatedFile) -> tuple[int, int]:
    """Return the times that ``A:B`` names, plain numbers or with units, in the unit of the file."""
    unit: str = it.held.unit
    if not unit and any(letter.isalpha() for letter in window):
        words = f"the file has no unit, so '{window}' is no time of it: give plain numbers, or 'unit' in 'loggp'"
        raise InputError(words, where="--window")
    first, last = window_called(window, clock_period(f"1 {unit}") if unit else None)
    found = window_of(first, last, stopped=max((*it.record.rank_end, 1)))
    return found.first, found.last


def _flows(held: Flows, file: str, _: str, progress: Progress | None) -> SimulatedFile:
    record: FlowRun = run_flows(held.star, held.flows, progress=progress)
    return simulation_of(
        held, record, flows_result(record, file=file), "finish", _show_flows, tables=_flow_tables
    )  # fmt: skip


def _show_flows(console: Console, it: SimulatedFile) -> None:
    print_flows(console, it.record, it.held.star, it.held.flows, file=it.file, seconds=it.seconds)


def _flow_tables(it: SimulatedFile, folder: Path, _: str | None) -> None:
    write_rates(it.record.pieces, folder / "rates.csv")


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
    return simulation_of(held, record, memory_run_result(record, **about), "seeds", partial(_show_memory, about))


def _show_memory(about: Mapping[str, Any], console: Console, it: SimulatedFile) -> None:
    print_memory_run(console, it.record, **about, seconds=it.seconds)


def _executed(
    held: TimedDesign, file: str, _: str, __: Progress | None, *, depths: Depths | None = None
) -> SimulatedFile:  # fmt: skip
    named = dict(depths) if isinstance(depths, Mapping) else {} if depths is None else {EVERY: depths}
    by_name = {name: depth_of(depth) for name, depth in named.items()}
    for_all: int | Literal["declared"] | None = by_name.pop(EVERY) if EVERY in by_name else "declared"
    record: NativeRun = execute(held, depth=for_all, depths=by_name)
    result = native_result(record, file=file, clock_ns=held.clock_ns)
    return simulation_of(held, record, result, "calls", _show_executed, deadlocked=record.deadlocked)


def _show_executed(console: Console, it: SimulatedFile) -> None:
    print_native(console, it.record, clock_ns=it.held.clock_ns, seconds=it.seconds)


_SIMULATORS: Mapping[type, Callable[..., SimulatedFile]] = {
    Placement: placed_simulation, PlatformFile: platform_simulation, Messages: _messages, Flows: _flows,
    MemoryFile: _memory, TimedDesign: _executed,
}  # fmt: skip
