"""What a scheduled kernel takes of a device: operators (R8.1), and memories for its arrays (R8.2)."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field

from ppnsim.hls.dataflow.run import BUFFERS
from ppnsim.hls.graph.graph import Graph
from ppnsim.hls.library.library import Library
from ppnsim.hls.pragmas.directives import Directives
from ppnsim.hls.rules import TOOL, Rules
from ppnsim.hls.schedule.model import StateMachine
from ppnsim.hls.schedule.scheduler import Schedule
from ppnsim.hls.structure.members import without_structs
from ppnsim.hls.structure.partitions import Partition
from ppnsim.loops.program import ADDRESSES, Array, LoopProgram

BRAM_BITS = 18 * 1024
REGISTERS = 1024
"""Bits of an array up to which it is kept in lookup tables instead of a block RAM (the tool's default)."""

Cost = tuple[float, float, int, int]
"""Lookup tables, flip-flops, DSP blocks and block RAMs."""


@dataclass(frozen=True, slots=True)
class Resources:
    """Units of each shared operator, and what the whole kernel takes of a device."""

    units: dict[str, int]
    lut: int
    ff: int
    dsp: int
    bram: int


@dataclass(slots=True)
class _Area:
    """What is counted so far; ``costs`` are those of one unit of each shared operator."""

    lut: float = 0.0
    ff: float = 0.0
    dsp: float = 0.0
    bram: float = 0.0
    costs: dict[str, Cost] = field(default_factory=dict)

    def add(self, cost: Cost, count: int = 1) -> None:
        """Add so many of a cost."""
        lut, ff, dsp, bram = cost
        self.lut, self.ff = self.lut + lut * count, self.ff + ff * count
        self.dsp, self.bram = self.dsp + dsp * count, self.bram + bram * count


def resources(
    machine: StateMachine, program: LoopProgram, library: Library, directives: Directives, rules: Rules = TOOL
) -> Resources:
    """Return an estimate of the area.

    A class of operators used k times in a pipeline of initiation interval II has ceil(k / II) units. Pipelines run one
    after the other and share their units, so that the largest number counts (R2.3). Straight-line code has as many
    units as start in one state. An operator without states has a unit of its own. Without ``rules.common`` only the
    operators of one pipeline share units.
    """
    units: Counter[str] = Counter()
    area = _Area()
    for part in machine.parts or (machine,):  # tasks run at the same time: they share nothing
        units.update(_units(part, library, area, rules))
    for name, count in units.items():
        area.add(area.costs[name], count)
    bram = 0
    for array in without_structs(program).arrays:
        partition = directives.partitions.get(array.name)
        if array.stream:
            area.add(_fifo(array, directives.depths.get(array.name, array.stream)))
        elif array.name in machine.registers:
            area.add((0.0, math.prod(array.shape) * array.bits, 0, 0))
        elif array.shape and not _outside(array, directives):
            doubled = bool(machine.parts) and array.role == "local"
            bram += _memories(array, partition) * (BUFFERS if doubled else 1)
    return Resources(
        dict(sorted(units.items())), round(area.lut), round(area.ff), round(area.dsp), bram + round(area.bram)
    )  # fmt: skip


def _units(machine: StateMachine, library: Library, area: _Area, rules: Rules) -> Counter[str]:
    """Return the units of the shared operators of code that runs one part after the other; add all other operators."""
    units: Counter[str] = Counter()
    graphs = [(nest.body.graph, nest.body.schedule) for nest in machine.nests]
    for graph, schedule in [*graphs, *((region.graph, region.schedule) for region in machine.regions)]:
        ii, together = schedule.ii, _started_together(graph, schedule)
        used: Counter[str] = Counter()
        for name, cost, slots in _operators(graph, library):
            if name:
                used[name] += slots
                area.costs[name] = cost
            else:
                area.add(cost)
        for name, count in used.items():
            needed = math.ceil(count / ii) if ii else together[name] if rules.common else count
            units[name] = max(units[name], needed) if rules.common else units[name] + needed
    return units


def _outside(array: Array, directives: Directives) -> bool:
    """Return whether an array is behind a bus, or comes token by token."""
    kept = directives.storage.get(array.name)
    return array.shape[0] == ADDRESSES or (kept is not None and kept.kind in ("bus", "fifo"))


def _fifo(array: Array, depth: int) -> Cost:
    """Return the area of a FIFO: a lookup table is a shift register of 32; a FIFO that is an argument takes nothing."""
    if array.role == "parameter":
        return 0.0, 0.0, 0, 0
    each = math.prod(array.shape)
    return each * array.bits * math.ceil(depth / 32), each * (array.bits + 2 * depth.bit_length()), 0, 0


def _started_together(graph: Graph, schedule: Schedule) -> dict[str, int]:
    """Return how many operators of a class start in one state at most."""
    starts = Counter(
        (node.unit, state) for node, (state, _) in zip(graph.nodes, schedule.issue, strict=True) if node.kind == "op"
    )
    most: dict[str, int] = {}
    for (name, _), count in starts.items():
        most[name] = max(most.get(name, 0), count)
    return most


def _operators(graph: Graph, library: Library) -> list[tuple[str, Cost, int]]:
    """Return the class and the cost of each operator, and the cycles for which it takes its unit."""
    found = []
    for node in graph.nodes:
        if node.kind == "op" and node.wide is not None:
            operator = library.operator(node.name, node.wide)
            absorbed = node.mac and node.name == "add"
            found.append((node.unit, (0.0, 0.0, 0, 0) if absorbed else operator.cost, operator.ii))
    return found


def _memories(array: Array, partition: Partition | None) -> int:
    """Return the block RAMs of 18 Kbit of an array that belongs to the kernel or is handed to it."""
    if partition is not None and partition.registers:
        return 0
    banks = partition.banks if partition is not None else 1
    bits = -(-math.prod(array.shape) // banks) * array.bits
    return banks * -(-bits // BRAM_BITS) if bits > REGISTERS else 0
