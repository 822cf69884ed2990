"""What a scheduled kernel takes of a device: operators (R8.1), and memories for its arrays (R8.2)."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Resources:
    """Units of each shared operator, and what the whole takes; ``device`` is what there is."""

    units: dict[str, int]
    lut: int
    ff: int
    dsp: int
    bram: int


def resources(
    machine: StateMachine, program: LoopProgram, library: Library, directives: Directives, rules: Rules = TOOL
) -> Resources:
    """Return an estimate of the area.

    A class of operators used k times in a pipeline of initiation interval II has ceil(k / II) units; pipelines run one
    after the other and share them, so that the largest number counts (R2.3). Straight-line code has as many units as
    start in one state. Operators without states are one each. Without ``rules.common`` nothing is shared but in a
    pipeline.
    """
    units: Counter[str] = Counter()
    area = {"lut": 0.0, "ff": 0.0, "dsp": 0.0, "bram": 0.0}
    costs: dict[str, Cost] = {}
    for part in machine.parts or (machine,):  # tasks run at the same time: they share nothing
        units.update(_units(part, library, area, costs, rules))
    for name, count in units.items():
        _add(area, costs[name], count)
    arrays = without_structs(program).arrays
    shared = {array.name for array in arrays if array.role == "local"} if machine.parts else set()
    bram = 0
    for array in arrays:
        if array.stream:
            _add(area, _fifo(array, directives.depths.get(array.name, array.stream)), 1)
        elif array.name in machine.registers:
            _add(area, (0.0, math.prod(array.shape) * array.bits, 0, 0), 1)
        elif array.shape and not _outside(array, directives):
            memories = _memories(array, directives.partitions.get(array.name))
            bram += memories * (BUFFERS if array.name in shared else 1)
    return Resources(
        dict(sorted(units.items())), round(area["lut"]), round(area["ff"]), round(area["dsp"]),
        bram + round(area["bram"]),
    )  # fmt: skip


def _units(
    machine: StateMachine, library: Library, area: dict[str, float], costs: dict[str, Cost],
    rules: Rules,
) -> Counter[str]:  # fmt: skip
    """Return the units of each shared operator of what runs one after the other; add the area of all others."""
    units: Counter[str] = Counter()
    graphs = [(nest.body.graph, nest.body.schedule) for nest in machine.nests]
    for graph, schedule in [*graphs, *((region.graph, region.schedule) for region in machine.regions)]:
        ii, together = schedule.ii, _started_together(graph, schedule)
        used: Counter[str] = Counter()
        for name, cost, slots in _operators(graph, library):
            if name:
                used[name] += slots
                costs[name] = cost
            else:
                _add(area, cost, 1)
        for name, count in used.items():
            needed = math.ceil(count / ii) if ii else together[name] if rules.common else count
            units[name] = max(units[name], needed) if rules.common else units[name] + needed
    return units


def _outside(array: Array, directives: Directives) -> bool:
    """Return whether an array is behind a bus, or comes token by token."""
    kept = directives.storage.get(array.name)
    return array.shape[0] == ADDRESSES or (kept is not None and kept.kind in ("bus", "fifo"))


def _fifo(array: Array, depth: int) -> Cost:
    """Return the area of a FIFO: a shift register of 32 in each table, or of an argument, none."""
    if array.role == "parameter":
        return 0.0, 0.0, 0, 0
    each = math.prod(array.shape)
    return each * array.bits * math.ceil(depth / 32), each * (array.bits + 2 * depth.bit_length()), 0, 0


def _add(area: dict[str, float], cost: Cost, count: int) -> None:
    for name, each in zip(("lut", "ff", "dsp", "bram"), cost, strict=True):
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


def _operators(graph: Graph, library: Library) -> list[tuple[str, Cost, int]]:
    """Return class, cost, and the cycles that it takes of its unit, of each operator."""
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
