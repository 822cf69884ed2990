"""All that a roofline answers, as one object for tables and pictures, and as a dictionary for JSON.

Inside the room rates are per ns and bandwidths GB/s; the dictionary has rates per second.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

from ppnsim.roofline.accelerator import Accelerator, Argument, DesignPoint
from ppnsim.roofline.ceilings import CEILINGS, BankRow, PortCeilings
from ppnsim.roofline.laws import Roofline
from ppnsim.roofline.run import SimulatedPort
from ppnsim.roofline.walls import Wall


@dataclass(frozen=True, slots=True, kw_only=True)
class RooflineAnswer:
    """An accelerator and its roofline, with the walls of its source, its simulated ports and the chosen banks."""

    file: str
    accelerator: Accelerator
    found: Roofline
    walls: tuple[Wall, ...] = ()
    simulated: tuple[SimulatedPort, ...] = ()
    chosen: BankRow | None = None
    notes: tuple[str, ...] = ()

    @property
    def metric(self) -> str:
        """What the performance counts."""
        return self.accelerator.metric

    def intensity(self, wall: Wall) -> float:
        """Return the work per byte behind a wall."""
        return self.accelerator.work / wall.moved

    def points(self) -> list[tuple[DesignPoint, float]]:
        """Return the designs, each with what is attainable at its intensity, per ns.

        A design without an intensity of its own is at that of all banks together.
        """
        together, placed = self.found.together, []
        for point in self.accelerator.points:
            attainable = self.found.attainable
            if point.intensity is not None and together is not None:
                attainable = min(self.found.peak.performance, together.reached * point.intensity)
            known = known_intensity(together) if point.intensity is None else point.intensity
            placed.append((replace(point, intensity=known), attainable))
        return placed


def known_intensity(bank: BankRow | None) -> float | None:
    """Return the intensity of a bank, None if nothing is moved."""
    return bank.intensity if bank is not None and isfinite(bank.intensity) else None


def roofline_result(answer: RooflineAnswer) -> dict[str, Any]:
    """Return an answer as it is written to JSON."""
    accelerator, found = answer.accelerator, answer.found
    peak = found.peak
    return {
        "file": answer.file, "name": accelerator.name, "metric": accelerator.metric, "work": accelerator.work,
        "device": accelerator.device or None,
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
        "chosen": _bank(answer.chosen) if answer.chosen else None,
        "ports": [_port(*each) for each in zip(accelerator.arguments, found.ports, strict=True)],
        "walls": [
            {"loop": wall.loop, "line": wall.line, "bytes": wall.moved, "cache_bytes": wall.size,
             "cache_bram": wall.blocks, "intensity": answer.intensity(wall), "arguments": {
                name: {"bytes": moved, "cache_bytes": wall.cache[name]} for name, moved in wall.bytes.items()
             }} for wall in answer.walls
        ],
        "points": [
            {"name": point.name, "performance_per_s": 1e9 * point.performance, "intensity": point.intensity,
             "attainable_per_s": 1e9 * attainable} for point, attainable in answer.points()
        ],
        "simulated": [
            {"argument": each.argument, "bandwidth_GBps": each.bandwidth, "latency_ns": each.latency,
             "ceiling_GBps": each.ceiling, "because": each.because} for each in answer.simulated
        ],
        "notes": [*accelerator.notes, *answer.notes],
    }  # fmt: skip


def _bank(bank: BankRow) -> dict[str, Any]:
    return {
        "name": bank.name, "arguments": list(bank.arguments), "bytes": bank.bytes, "intensity": known_intensity(bank),
        **{f"{kind}_GBps": getattr(bank, kind) for kind in CEILINGS}, "ridge": bank.ridge,
        "attainable_per_s": 1e9 * bank.attainable, "memory_bound": bank.memory_bound,
    }  # fmt: skip


def _port(argument: Argument, port: PortCeilings) -> dict[str, Any]:
    return {
        "argument": port.argument, "bank": argument.place, "pattern": argument.pattern,
        "quanta": argument.quanta, "locality": argument.segment, "bytes": argument.bytes, "asked_GBps": port.asked,
        "configured_GBps": port.configured, "random_GBps": port.random, "dependent_GBps": port.dependent,
        "reached_GBps": port.reached, "queue_advised": port.queue, "chains_advised": port.chains,
    }  # fmt: skip


def per_s(rate: float) -> str:
    """Return a rate per ns as one per second, with four digits and a power of ten that engineers use."""
    value = 1e9 * rate
    for size, letter in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:.4g} {letter}"
    return f"{value:.4g} "
