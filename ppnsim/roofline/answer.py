"""Rooflines as a dictionary for JSON, tables and pictures; rates per second, bandwidths GB/s."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any

from ppnsim.hls.resources import BRAM_BITS
from ppnsim.roofline.accelerator import Accelerator, DesignPoint
from ppnsim.roofline.laws import BankRow, Roofline
from ppnsim.roofline.run import SimulatedPort
from ppnsim.roofline.walls import Wall

CEILINGS = ("peak", "configured", "random", "dependent", "reached")


def roofline_result(
    accelerator: Accelerator, found: Roofline, *, file: str, walls: Sequence[Wall] = (),
    simulated: Sequence[SimulatedPort] = (), chosen: BankRow | None = None, notes: Sequence[str] = (),
) -> dict[str, Any]:  # fmt: skip
    """Return all of a roofline."""
    peak, work = found.peak, accelerator.work
    return {
        "file": file, "name": accelerator.name, "metric": accelerator.metric, "work": work,
        "clock_MHz": 1000 * accelerator.frequency, "allowance": accelerator.allowance,
        "peak": {
            "performance_per_s": 1e9 * peak.performance, "operations_per_s": 1e9 * peak.operations,
            "scale": peak.scale, "bound": peak.bound, "needed": dict(peak.needed),
            "available": dict(accelerator.available), "units": dict(peak.units),
        },
        "attainable_per_s": 1e9 * found.attainable, "bound": found.bound,
        "operators": [
            {"name": use.name, "count": use.count, "cost": dict(use.cost), "counted": use.counted}
            for use in accelerator.operators
        ],
        "banks": [_bank(bank) for bank in found.banks],
        "together": _bank(found.together) if found.together else None,
        "chosen": _bank(chosen) if chosen else None,
        "ports": [
            {
                "argument": port.argument, "bank": f"{place.memory}[{place.bank}]", "pattern": place.pattern,
                "quanta": place.quanta, "locality": place.segment, "bytes": place.bytes, "asked_GBps": port.asked,
                "configured_GBps": port.configured, "random_GBps": port.random, "dependent_GBps": port.dependent,
                "reached_GBps": port.reached, "queue_advised": port.queue, "chains_advised": port.chains,
            }
            for port, place in zip(found.ports, accelerator.arguments, strict=True)
        ],
        "walls": [
            {
                "loop": wall.loop, "line": wall.line, "bytes": wall.moved, "cache_bytes": wall.size,
                "cache_bram": sum(-(-8 * size // BRAM_BITS) for size in wall.cache.values()),
                "intensity": work / wall.moved, "arguments": {
                    name: {"bytes": moved, "cache_bytes": wall.cache[name]} for name, moved in wall.bytes.items()
                },
            }
            for wall in walls if wall.moved
        ],
        "points": [_point(point, found) for point in accelerator.points],
        "simulated": [
            {"argument": each.argument, "bandwidth_GBps": each.bandwidth, "latency_ns": each.latency,
             "ceiling_GBps": each.ceiling, "because": each.because} for each in simulated
        ],
        "notes": [*accelerator.notes, *notes],
    }  # fmt: skip


def _point(point: DesignPoint, found: Roofline) -> dict[str, Any]:
    """Return a design with what is attainable at its intensity."""
    intensity, attainable = point.intensity, found.attainable
    if intensity is None:
        intensity = _finite(found.together)
    elif found.together is not None:
        attainable = min(found.peak.performance, found.together.reached * intensity)
    return {
        "name": point.name, "performance_per_s": 1e9 * point.performance, "intensity": intensity,
        "attainable_per_s": 1e9 * attainable,
    }  # fmt: skip


def _finite(bank: BankRow | None) -> float | None:
    return bank.intensity if bank is not None and isfinite(bank.intensity) else None


def _bank(bank: BankRow) -> dict[str, Any]:
    return {
        "name": bank.name, "arguments": list(bank.arguments), "bytes": bank.bytes, "intensity": _finite(bank),
        **{f"{kind}_GBps": getattr(bank, kind) for kind in CEILINGS}, "ridge": bank.ridge,
        "attainable_per_s": 1e9 * bank.attainable, "memory_bound": bank.memory_bound,
    }  # fmt: skip
