"""What a scheduled kernel takes of a device: operators, and memories for its arrays."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

from ppnsim.affine.program import Array, LoopProgram
from ppnsim.hls.directives import Directives
from ppnsim.hls.graph import Graph
from ppnsim.hls.library import Library
from ppnsim.hls.machine import Machine
from ppnsim.hls.partitions import Partition
from ppnsim.hls.scheduler import Schedule

BRAM_BITS = 18 * 1024
REGISTERS = 1024
"""Bits of an array up to which it is kept in lookup tables instead of a block RAM (the tool's default)."""


@dataclass(frozen=True, slots=True)
class Resources:
    """Units of each shared operator, and what the whole takes; ``device`` is what there is."""

    units: dict[str, int]
    lut: int
    ff: int
    dsp: int
    bram: int


def resources(machine: Machine, program: LoopProgram, library: Library, directives: Directives) -> Resources:
    """Return an estimate of the area.

    A class of operators used k times in a pipeline of initiation interval II has ceil(k / II) units; pipelines run one
    after the other and share them, so that the largest number counts (R2.3). Straight-line code has as many units as
    start in one state. Operators without states are one each.
    """
    units: Counter[str] = Counter()
    area = {"lut": 0.0, "ff": 0.0, "dsp": 0.0}
    costs: dict[str, tuple[float, float, int]] = {}
    graphs = [(nest.body.graph, nest.body.schedule) for nest in machine.nests]
    for graph, schedule in [*graphs, *((region.graph, region.schedule) for region in machine.regions)]:
        ii, together = schedule.ii, _started_together(graph, schedule)
        used: Counter[str] = Counter()
        for name, cost in _operators(graph, library):
            if name:
                used[name] += 1
                costs[name] = cost
            else:
                _add(area, cost, 1)
        for name, count in used.items():
            units[name] = max(units[name], math.ceil(count / ii) if ii else together[name])
    for name, count in units.items():
        _add(area, costs[name], count)
    bram = sum(_memories(array, directives.partitions.get(array.name)) for array in program.arrays if array.shape)
    return Resources(
        dict(sorted(units.items())), round(area["lut"]), round(area["ff"]), round(area["dsp"]), bram
    )  # fmt: skip


def _add(area: dict[str, float], cost: tuple[float, float, int], count: int) -> None:
    for name, each in zip(("lut", "ff", "dsp"), cost, strict=True):
        area[name] += each * count


def _started_together(graph: Graph, schedule: Schedule) -> dict[str, int]:
    """Return how many operators of a class start in one state at most; each takes new operands in every state."""
    starts = Counter(
        (node.unit, state) for node, (state, _) in zip(graph.nodes, schedule.issue, strict=True) if node.kind == "op"
    )
    most: dict[str, int] = {}
    for (name, _), count in starts.items():
        most[name] = max(most.get(name, 0), count)
    return most


def _operators(graph: Graph, library: Library) -> list[tuple[str, tuple[float, float, int]]]:
    found = []
    for node in graph.nodes:
        if node.kind == "op" and node.wide is not None:
            operator = library.operator(node.name, node.wide)
            found.append((node.unit, (operator.lut, operator.ff, operator.dsp)))
    return found


def _memories(array: Array, partition: Partition | None) -> int:
    """Return the block RAMs of 18 Kbit of an array that belongs to the kernel or is handed to it."""
    if partition is not None and partition.registers:
        return 0
    banks = partition.banks if partition is not None else 1
    bits = -(-math.prod(array.shape) // banks) * array.bits
    return banks * -(-bits // BRAM_BITS) if bits > REGISTERS else 0
