"""Runs of what is not a network: placed networks, platforms, messages, flows, memories, designs that are executed."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rich.console import Console

from ppnsim.errors import InputError
from ppnsim.hls.native.execute import TimedDesign, execute
from ppnsim.hls.native.model import NativeRun
from ppnsim.hls.native.report import native_result, print_native
from ppnsim.library.answer import Answer
from ppnsim.library.applications import application_of
from ppnsim.memory.files.json import MemoryFile
from ppnsim.memory.report import print_memory_run
from ppnsim.memory.report import run_result as memory_run_result
from ppnsim.memory.run.record import MemoryRun
from ppnsim.memory.run.traffic import run_memory
from ppnsim.messages.files.json import Flows, Messages
from ppnsim.messages.model.flows import FlowRun
from ppnsim.messages.report import flows_result, messages_result, print_flows, print_messages
from ppnsim.messages.run.flows import run_flows
from ppnsim.messages.run.record import MessageRun
from ppnsim.messages.run.schedules import run_schedule
from ppnsim.placed.model.placement import Placement
from ppnsim.placed.report.run import placed_result, print_placed
from ppnsim.placed.run.network import run_placed
from ppnsim.placed.run.record import PlacedRun
from ppnsim.platform.files.toml import PlatformFile
from ppnsim.platform.report.application import print_run, run_result
from ppnsim.platform.run.application import run_platform
from ppnsim.platform.run.record import PlatformRun

Progress = Callable[[int, int], None]


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class SimulatedFile(Answer):
    """A simulation of what is not a network.

    Attributes
    ----------
    held : what was simulated.
    record : what happened, as the room of its subject records it; of a memory one for each seed.
    result : what the command writes as JSON.
    table : name of the main table in ``result``.
    file : where it came from.
    seconds : how long it took.
    """

    held: object
    record: Any
    result: Mapping[str, Any]
    table: str
    file: str
    seconds: float
    shown: Callable[[Console, SimulatedFile], None]

    def to_dict(self) -> dict[str, Any]:
        """Return what the command writes as JSON."""
        return dict(self.result)

    def print(self, console: Console) -> None:
        """Print when it ends, and what each part did until then."""
        self.shown(console, self)

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return a row for each part: process, term, rank, flow, seed or task."""
        table = self.result[self.table]
        if isinstance(table, Mapping):
            return [{"name": name, **_columns(row)} for name, row in table.items()]
        return [{"number": number, **_columns(row)} for number, row in enumerate(table)]


def _columns(row: object) -> Mapping[str, Any]:
    return row if isinstance(row, Mapping) else {"value": row}


def simulated(held: object, *, file: str, engine: str = "auto", progress: Progress | None = None) -> SimulatedFile:
    """Simulate what a file holds that is not a network.

    Raises
    ------
    InputError
        If it holds nothing that could be run.
    """
    about = _SIMULATORS.get(type(held))
    if about is None:
        raise InputError(f"holds a {type(held).__name__}, which cannot be run", where=file)
    began = time.perf_counter()
    found = about(held, file, engine, progress)
    return replace(found, seconds=time.perf_counter() - began)


def _placed(held: Placement, file: str, _: str, progress: Progress | None) -> SimulatedFile:
    record: PlacedRun = run_placed(held, progress=progress)

    def shown(console: Console, it: SimulatedFile) -> None:
        print_placed(console, record, it.to_dict(), seconds=it.seconds)

    return _file(held, record, placed_result(record, file=file), "processes", shown)


def _platform(held: PlatformFile, file: str, _: str, progress: Progress | None) -> SimulatedFile:
    record: PlatformRun = run_platform(held.system, application_of(held, file), progress=progress)

    def shown(console: Console, _: SimulatedFile) -> None:
        print_run(console, record, title=held.system.name)

    return _file(held, record, run_result(record, file=file, name=held.system.name), "simulated", shown)


def _messages(held: Messages, file: str, _: str, progress: Progress | None) -> SimulatedFile:
    record: MessageRun = run_schedule(held.schedule, held.link, progress=progress)

    def shown(console: Console, it: SimulatedFile) -> None:
        print_messages(console, record, file=file, unit=held.unit, seconds=it.seconds)

    return _file(held, record, messages_result(record, file=file, unit=held.unit), "ranks", shown)


def _flows(held: Flows, file: str, _: str, progress: Progress | None) -> SimulatedFile:
    record: FlowRun = run_flows(held.star, held.flows, progress=progress)

    def shown(console: Console, it: SimulatedFile) -> None:
        print_flows(console, record, held.star, held.flows, file=file, seconds=it.seconds)

    return _file(held, record, flows_result(record, file=file), "finish", shown)


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


def _executed(held: TimedDesign, file: str, *_: object) -> SimulatedFile:
    record: NativeRun = execute(held)

    def shown(console: Console, it: SimulatedFile) -> None:
        print_native(console, record, clock_ns=held.clock_ns, seconds=it.seconds)

    return _file(held, record, native_result(record, file=file, clock_ns=held.clock_ns), "calls", shown)


_SIMULATORS: Mapping[type, Callable[[Any, str, str, Progress | None], SimulatedFile]] = {
    Placement: _placed, PlatformFile: _platform, Messages: _messages, Flows: _flows, MemoryFile: _memory,
    TimedDesign: _executed,
}  # fmt: skip


def _file(
    held: object, record: object, result: Mapping[str, Any], table: str,
    shown: Callable[[Console, SimulatedFile], None],
) -> SimulatedFile:  # fmt: skip
    file = str(result["file"])
    return SimulatedFile(held=held, record=record, result=result, table=table, file=file, seconds=0.0, shown=shown)
