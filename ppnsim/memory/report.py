"""Results of memories: as dictionaries for JSON and CSV, and as tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from statistics import fmean
from typing import Any, NamedTuple

from rich.console import Console
from rich.markup import escape

from ppnsim.memory.laws import Ceilings, ceilings, outstanding_needed
from ppnsim.memory.model.dram import KEYS, Dram, MemoryGroup
from ppnsim.memory.model.presets import PRESETS, Preset, preset
from ppnsim.memory.run.curves import SWEEPS, CurvePoint
from ppnsim.memory.run.record import MemoryRun
from ppnsim.report.text import plain_line, plain_table

_UNITS = {"clock_ns": "ns", "bus_bits": "bit", "columns": "bursts of a row"}


def run_result(runs: Sequence[MemoryRun], *, file: str, engine: str, notes: Sequence[str]) -> dict[str, Any]:
    """Return the result of traffic: means over the seeds, and each seed's own figures."""
    bandwidths = [run.bandwidth_gbps for run in runs]
    latencies = [run.latency_ns for run in runs]
    return {
        "file": file,
        "engine": engine,
        "bandwidth_GBps": sum(bandwidths) / len(runs),
        "latency_ns": sum(latencies) / len(runs),
        "peak_GBps": runs[0].dram.peak_gbps,
        "requests": runs[0].traffic.requests,
        "seeds": [
            {"seed": run.traffic.seed, "bandwidth_GBps": bandwidth, "latency_ns": latency, "clocks": run.clocks}
            for run, bandwidth, latency in zip(runs, bandwidths, latencies, strict=True)
        ],
        "notes": list(notes),
    }


def print_memory_run(
    console: Console, runs: Sequence[MemoryRun], *, file: str, engine: str, notes: Sequence[str], seconds: float
) -> None:
    """Print bandwidth and latency, and how far the seeds lie apart."""
    bandwidth, latency = fmean(run.bandwidth_gbps for run in runs), fmean(run.latency_ns for run in runs)
    share = f"{100 * bandwidth / runs[0].dram.peak_gbps:.1f} % of the peak"
    answer = f"{bandwidth:.3f} GB/s ({share})   latency {latency:.2f} ns"
    plain_line(console, f"{file}   {answer}   engine {engine}   {seconds:.2f} s")
    if len(runs) > 1:
        table = plain_table("seed", "GB/s", r"latency \[ns]", "clocks", right=(0, 1, 2, 3))
        for run in runs:
            figures = (f"{run.bandwidth_gbps:.3f}", f"{run.latency_ns:.2f}", str(run.clocks))
            table.add_row(str(run.traffic.seed), *figures)
        console.print(table)
    for note in notes:
        plain_line(console, f"note: {note}")


def memory_result(dram: Dram, preset: Preset | None, *, file: str) -> dict[str, Any]:
    """Return a memory's parameters with their provenance, and its ceilings."""
    top = ceilings(dram)
    stream, random = _outstanding(dram, top)
    return {
        "file": file,
        "parameters": [row._asdict() for row in parameter_rows(dram, preset)],
        "ceilings": {
            "peak_GBps": dram.peak_gbps,
            "stream_GBps": top.peak,
            "random_GBps": top.random,
            "random_bound": top.bound,
            "random_bounds_GBps": {name: value for name, value in top.bounds.items() if value != float("inf")},
            "hit_ns": top.hit,
            "closed_ns": top.closed,
            "conflict_ns": top.conflict,
            "outstanding_for_stream": stream,
            "outstanding_for_random": random,
        },
    }


class ParameterRow(NamedTuple):
    """A parameter of a memory with its unit, and where it comes from: None for what is the file's own."""

    parameter: str
    value: float | str
    unit: str
    provenance: str | None
    source: str | None

    def shown(self, digits: int) -> str:
        """Return the value, of a fraction so many digits."""
        return f"{self.value:.{digits}g}" if isinstance(self.value, float) else shown_value(self.value)


def parameter_rows(dram: Dram, preset: Preset | None) -> list[ParameterRow]:
    """Return every parameter of a memory, with its provenance where it is the preset's."""
    rows = []
    under = preset.dram if preset else dram
    for place, thing, base in (("", dram, under), ("timing", dram.timing, under.timing)):
        for name in (field.name for field in fields(thing) if field.name != "timing"):
            value = getattr(thing, name)
            where = preset.provenance(place or name) if preset and value == getattr(base, name) else None
            rows.append(ParameterRow(
                KEYS.get(name, name), float(value) if name == "clock_ns" else value,
                "clocks" if place else _UNITS.get(name, ""), where.kind if where else None,
                where.source if where else None,
            ))  # fmt: skip
    return rows


def print_memory(console: Console, dram: Dram, preset: Preset | None, *, file: str) -> None:
    """Print what a memory can do and its parameters, with where they come from."""
    top = ceilings(dram)
    peaks = f"peak {dram.peak_gbps:.2f} GB/s, {top.peak:.2f} beside refreshes"
    plain_line(console, f"{file}   {peaks}   random {top.random:.2f} GB/s, bound by: {top.bound}")
    stream, random = _outstanding(dram, top)
    plain_line(
        console,
        f"unloaded read: open row {top.hit:.1f} ns, closed bank {top.closed:.1f}, other row open {top.conflict:.1f}   "
        f"under way by Little's law: {stream} for a stream, {random} for random reads (which need two to three times "
        "that)",
    )
    table = plain_table("parameter", "value", "unit", "provenance", right=(1,))
    sources: dict[str, int] = {}
    for row in parameter_rows(dram, preset):
        number = "" if row.source is None else f" ({sources.setdefault(row.source, len(sources) + 1)})"
        table.add_row(row.parameter, row.shown(4), row.unit, f"{row.provenance or 'file'}{number}")
    console.print(table)
    for source, count in sources.items():
        plain_line(console, f"({count}) {source}")


def _outstanding(dram: Dram, top: Ceilings) -> tuple[int, int]:
    """Return how many requests a stream and random reads need under way."""
    size = dram.request_bytes
    return outstanding_needed(top.peak, size, top.hit), outstanding_needed(top.random, size, top.conflict)


def curve_row(point: CurvePoint) -> dict[str, Any]:
    """Return a point as a row: the law's bandwidth, the simulated one, simulated - predicted, and why they part."""
    return {
        "vary": point.sweep, "series": point.series, "value": point.x, "predicted_GBps": point.law,
        "simulated_GBps": point.bandwidth, "difference_GBps": point.bandwidth - point.law,
        "latency_ns": point.latency, "because": point.because,
    }  # fmt: skip


def print_curve(console: Console, sweep: str, points: Sequence[CurvePoint]) -> None:
    """Print a sweep: simulated beside the law, with the reason for the difference."""
    plain_line(console, f"{sweep}: GB/s predicted by the law ({SWEEPS[sweep].law}) and simulated")
    heads = ("series", escape(SWEEPS[sweep].x), "predicted", "simulated", "difference", r"latency \[ns]", "because")
    table = plain_table(*heads, right=(1, 2, 3, 4, 5))
    for point in points:
        table.add_row(
            point.series, f"{point.x:g}", f"{point.law:.2f}", f"{point.bandwidth:.2f}",
            f"{100 * point.residual:+.1f} %", f"{point.latency:.1f}", escape(point.because),
        )  # fmt: skip
    console.print(table)


def print_presets(console: Console) -> None:
    """Print the presets."""
    table = plain_table("preset", "memory", "channels", r"peak \[GB/s]", right=(2, 3))
    for each in PRESETS.values():
        table.add_row(each.name, each.title, str(each.dram.channels), f"{each.dram.peak_gbps:.1f}")
    console.print(table)


def memory_rows(part: MemoryGroup) -> Iterator[tuple[str, str, str]]:
    """Yield the parameters of a memory, times of one provenance together."""
    times: dict[str, list[str]] = {}
    for row in described_rows(part):
        told = f"{row.provenance}: {row.source}" if row.source else row.provenance or "-"
        if row.unit == "clocks":
            times.setdefault(told, []).append(f"{row.parameter} {row.shown(6)}")
        else:
            yield row.parameter, f"{row.shown(6)} {row.unit}".strip(), told
    for told, values in times.items():
        yield "timing", f"{', '.join(values)} clocks", told


def described_rows(part: MemoryGroup) -> Iterator[ParameterRow]:
    """Yield the parameters of a memory; their provenance is what the platform says, else what the preset does."""
    for row in parameter_rows(part.dram, preset(part.preset) if part.preset else None):
        name, is_time = "clock" if row.parameter == "tCK" else row.parameter, row.unit == "clocks"
        words = part.provenance.get(f"timing.{name}" if is_time else name)
        if words is None and is_time and row.source is None:
            words = part.provenance.get("timing")
        row = row._replace(parameter=name)
        yield row if words is None else row._replace(provenance=words, source=None)


def shown_value(value: Any) -> str:
    """Return a value as a table shows it."""
    if isinstance(value, dict):
        return ", ".join(f"{each} {name}" for name, each in value.items())
    if isinstance(value, list):
        return ", ".join(" ".join(map(str, each)) if isinstance(each, list) else str(each) for each in value)
    return str(value).lower() if isinstance(value, bool) else str(value)
