"""Simulations on nodes: networks that are placed on them, and applications of platforms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rich.console import Console

from ppnsim.export.window import picoseconds_in, seconds_in
from ppnsim.library.applications import application_of
from ppnsim.library.simulated import SimulatedFile, simulation_of
from ppnsim.page.placed import placed_told
from ppnsim.page.platform import platform_told
from ppnsim.page.sections import Origin
from ppnsim.placed.model.placement import Placement
from ppnsim.placed.report.run import placed_result, print_placed, write_messages
from ppnsim.placed.run.network import run_placed
from ppnsim.placed.run.record import PlacedRun
from ppnsim.platform.files.toml import PlatformFile
from ppnsim.platform.report.application import print_run, run_result, write_spans
from ppnsim.platform.run.application import run_platform
from ppnsim.platform.run.record import PlatformRun, overlapping

Progress = Callable[[int, int], None]


def placed_simulation(held: Placement, file: str, _: str, progress: Progress | None) -> SimulatedFile:
    """Run a network on its nodes; its pictures are the nodes over time and the slots that are taken."""
    record: PlacedRun = run_placed(held, progress=progress)
    result = placed_result(record, file=file)
    return simulation_of(
        held, record, result, "processes", _show_placed, _placed_pictures, _placed_tables, _placed_page,
        deadlocked=record.finish is None,
    )  # fmt: skip


def _show_placed(console: Console, it: SimulatedFile) -> None:
    print_placed(console, it.record, it.to_dict(), seconds=it.seconds)


def _placed_pictures(it: SimulatedFile, window: str | None) -> Mapping[str, Any]:
    from ppnsim.placed.pictures.occupancy import placed_occupancy  # matplotlib takes a while to import
    from ppnsim.placed.pictures.time import placed_figure

    record: PlacedRun = it.record
    view = picoseconds_in(window, record.stopped)
    words = it.result["binds"]["sentence"] if it.result["binds"] else ""
    drawn = {"nodes": placed_figure(record, words, window=view)}
    return drawn | ({"occupancy": placed_occupancy(record, window=view)} if record.placement.network.channels else {})


def _placed_tables(it: SimulatedFile, folder: Path, window: str | None) -> None:
    record: PlacedRun = it.record
    first, last = picoseconds_in(window, record.stopped) or (0, record.stopped)
    write_messages((m for m in record.messages if m.ready <= last and m.accepted >= first), folder / "messages.csv")


def _placed_page(it: SimulatedFile, origin: Origin, window: str | None) -> Mapping[str, Any]:
    return placed_told(it.record, origin=origin, window=window)


def platform_simulation(held: PlatformFile, file: str, _: str, progress: Progress | None) -> SimulatedFile:
    """Simulate the application of a platform; its pictures but the drawing, and its table, have windows."""
    record: PlatformRun = run_platform(held.system, application_of(held, file), progress=progress)
    result = run_result(record, file=file, name=held.system.name)
    return simulation_of(
        held, record, result, "simulated", _show_platform, _platform_pictures, _platform_tables, _platform_page
    )  # fmt: skip


def _show_platform(console: Console, it: SimulatedFile) -> None:
    print_run(console, it.record, title=it.held.system.name)


def _platform_pictures(it: SimulatedFile, window: str | None) -> Mapping[str, Any]:
    from ppnsim.platform.pictures.drawing import draw_platform  # matplotlib takes a while to import
    from ppnsim.platform.pictures.time import platform_gantt, platform_shares, platform_utilisation

    record: PlatformRun = it.record
    name, view = it.held.system.name, seconds_in(window, record.makespan)
    return {
        "gantt": platform_gantt(record, title=name, window=view), "platform": draw_platform(it.held.system),
        "shares": platform_shares(record, title=name, window=view),
        "utilisation": platform_utilisation(record, title=name, window=view),
    }  # fmt: skip


def _platform_tables(it: SimulatedFile, folder: Path, window: str | None) -> None:
    view = seconds_in(window, it.record.makespan)
    spans = it.record.spans if view is None else overlapping(it.record.spans, *view)
    write_spans(spans, folder / "timeline.csv")


def _platform_page(it: SimulatedFile, origin: Origin, window: str | None) -> Mapping[str, Any]:
    application = application_of(it.held, it.file)
    return platform_told(it.held.system, application, it.record, origin=origin, window=window)
