"""Results of memories: as dictionaries for JSON and CSV, and as tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any

from rich.console import Console
from rich.markup import escape

from ppnsim.memory.laws import ceilings, outstanding_needed
from ppnsim.memory.model.dram import KEYS, Dram, MemoryGroup
from ppnsim.memory.model.presets import PRESETS, Preset, preset
from ppnsim.memory.run.curves import SWEEPS, CurvePoint
from ppnsim.memory.run.record import MemoryRun
from ppnsim.report.text import plain_line, plain_table

COLUMNS = ("sweep", "series", "x", "bandwidth_GBps", "latency_ns", "law_GBps", "residual", "because")
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


def print_memory_run(console: Console, result: dict[str, Any], *, seconds: float) -> None:
    """Print bandwidth and latency, and how far the seeds lie apart."""
    share = 100 * result["bandwidth_GBps"] / result["peak_GBps"]
    plain_line(
        console,
        f"{result['file']}   {result['bandwidth_GBps']:.3f} GB/s ({share:.1f} % of the peak)   "
        f"latency {result['latency_ns']:.2f} ns   engine {result['engine']}   {seconds:.2f} s",
    )
    seeds = result["seeds"]
    if len(seeds) > 1:
        table = plain_table("seed", "GB/s", r"latency \[ns]", "clocks", right=(0, 1, 2, 3))
        for row in seeds:
            table.add_row(
                str(row["seed"]), f"{row['bandwidth_GBps']:.3f}", f"{row['latency_ns']:.2f}", str(row["clocks"])
            )
        console.print(table)
    for note in result["notes"]:
        plain_line(console, f"note: {note}")


def memory_result(dram: Dram, preset: Preset | None, *, file: str) -> dict[str, Any]:
    """Return a memory's parameters with their provenance, and its ceilings."""
    top = ceilings(dram)
    return {
        "file": file,
        "parameters": parameter_rows(dram, preset),
        "ceilings": {
            "peak_GBps": dram.peak_gbps,
            "stream_GBps": top.peak,
            "random_GBps": top.random,
            "random_bound": top.bound,
            "random_bounds_GBps": {name: value for name, value in top.bounds.items() if value != float("inf")},
            "hit_ns": top.hit,
            "closed_ns": top.closed,
            "conflict_ns": top.conflict,
            "outstanding_for_stream": outstanding_needed(top.peak, dram.request_bytes, top.hit),
            "outstanding_for_random": outstanding_needed(top.random, dram.request_bytes, top.conflict),
        },
    }


def parameter_rows(dram: Dram, preset: Preset | None) -> list[dict[str, Any]]:
    """Return every parameter of a memory with its unit, and its provenance where it is the preset's."""
    rows = []
    for place, thing, under in (
        ("", dram, preset.dram if preset else None), ("timing", dram.timing, preset.dram.timing if preset else None)
    ):  # fmt: skip
        for field in fields(thing):
            if field.name == "timing":
                continue
            value = getattr(thing, field.name)
            is_own = preset is None or value != getattr(under, field.name)
            where = None if preset is None or is_own else preset.provenance(place or field.name)
            rows.append({
                "parameter": KEYS.get(field.name, field.name),
                "value": float(value) if field.name == "clock_ns" else value,
                "unit": "clocks" if place else _UNITS.get(field.name, ""),
                "provenance": where.kind if where else None,
                "source": where.source if where else None,
            })  # fmt: skip
    return rows


def print_memory(console: Console, result: dict[str, Any]) -> None:
    """Print what a memory can do and its parameters, with where they come from."""
    top = result["ceilings"]
    plain_line(
        console,
        f"{result['file']}   peak {top['peak_GBps']:.2f} GB/s, {top['stream_GBps']:.2f} beside refreshes   "
        f"random {top['random_GBps']:.2f} GB/s, bound by: {top['random_bound']}",
    )
    plain_line(
        console,
        f"unloaded read: open row {top['hit_ns']:.1f} ns, closed bank {top['closed_ns']:.1f}, "
        f"other row open {top['conflict_ns']:.1f}   under way by Little's law: {top['outstanding_for_stream']} for a "
        f"stream, {top['outstanding_for_random']} for random reads (which need two to three times that)",
    )
    table = plain_table("parameter", "value", "unit", "provenance", right=(1,))
    sources: dict[str, int] = {}
    for row in result["parameters"]:
        value = f"{row['value']:.4g}" if isinstance(row["value"], float) else shown_value(row["value"])
        source = row["source"]
        number = "" if source is None else f" ({sources.setdefault(source, len(sources) + 1)})"
        table.add_row(row["parameter"], value, row["unit"], f"{row['provenance'] or 'file'}{number}")
    console.print(table)
    for source, count in sources.items():
        plain_line(console, f"({count}) {source}")


def curve_row(point: CurvePoint) -> dict[str, Any]:
    """Return a point as a row."""
    values = (
        point.sweep, point.series, point.x, point.bandwidth, point.latency, point.law, point.residual, point.because
    )  # fmt: skip
    return dict(zip(COLUMNS, values, strict=True))


def print_curve(console: Console, sweep: str, points: Sequence[CurvePoint]) -> None:
    """Print a sweep: simulated beside the law, with the reason for the difference."""
    about = SWEEPS[sweep]
    table = plain_table(
        sweep,
        escape(about.x),
        "GB/s",
        r"latency \[ns]",
        f"law ({about.law})",
        "residual",
        "because",
        right=(1, 2, 3, 4, 5),
    )
    for point in points:
        table.add_row(
            point.series, f"{point.x:g}", f"{point.bandwidth:.2f}", f"{point.latency:.1f}", f"{point.law:.2f}",
            f"{100 * point.residual:+.1f} %", escape(point.because),
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
        value = f"{row['value']:.6g}" if isinstance(row["value"], float) else shown_value(row["value"])
        told = f"{row['provenance']}: {row['source']}" if row["source"] else row["provenance"] or "-"
        if row["unit"] == "clocks":
            times.setdefault(told, []).append(f"{row['parameter']} {value}")
        else:
            yield row["parameter"], f"{value} {row['unit']}".strip(), told
    for told, values in times.items():
        yield "timing", f"{', '.join(values)} clocks", told


def described_rows(part: MemoryGroup) -> list[dict[str, Any]]:
    """Return the parameters of a memory; their provenance is what the platform says, else what the preset does."""
    rows = parameter_rows(part.dram, preset(part.preset) if part.preset else None)
    for row in rows:
        name = row["parameter"] = {"tCK": "clock"}.get(row["parameter"], row["parameter"])
        is_time = row["unit"] == "clocks"
        words = part.provenance.get(f"timing.{name}" if is_time else name)
        if words is None and is_time and row["source"] is None:
            words = part.provenance.get("timing")
        if words is not None:
            row |= {"provenance": words, "source": None}
    return rows


def shown_value(value: Any) -> str:
    """Return a value as a table shows it."""
    if isinstance(value, dict):
        return ", ".join(f"{each} {name}" for name, each in value.items())
    if isinstance(value, list):
        return ", ".join(" ".join(map(str, each)) if isinstance(each, list) else str(each) for each in value)
    return str(value).lower() if isinstance(value, bool) else str(value)
