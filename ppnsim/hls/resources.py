"""The area of a scheduled kernel on a device: operators (R8.1), and memories for its arrays (R8.2)."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from itertools import filterfalse

import numpy as np
from numpy.typing import NDArray

from ppnsim.boards.board import Board
from ppnsim.hls.graph.cores import is_dsp
from ppnsim.hls.graph.graph import Graph, GraphNode
from ppnsim.hls.graph.passes import WIDEST
from ppnsim.hls.library.library import Library
from ppnsim.hls.pragmas.directives import Directives
from ppnsim.hls.region import channels
from ppnsim.hls.rules import TOOL, Rules
from ppnsim.hls.schedule.model import StateMachine
from ppnsim.hls.schedule.scheduler import Schedule
from ppnsim.hls.structure.blocks import copies_of
from ppnsim.hls.structure.members import without_structs
from ppnsim.hls.structure.partitions import RAM, Partition
from ppnsim.loops.program import ADDRESSES, Array, LoopProgram

BRAM_BITS = 18 * 1024
SMALL = 10
"""Most bits of the wider factor of a product in lookup tables (R8.1)."""
LUT_OF_BITS = 0.62
"""Lookup tables of a product, as a multiple of the square of its wider factor's bits (R8.1)."""
REGISTERS = 1024
"""Most bits of an array that is kept in lookup tables instead of a block RAM (the tool's default)."""

KINDS = ("lut", "ff", "dsp", "bram")
Cost = tuple[float, float, int, int]
"""The resources of a unit, in the order of `KINDS`."""


@dataclass(frozen=True, slots=True)
class Resources:
    """The number of units of each shared operator, and the area of the whole kernel."""

    units: dict[str, int]
    lut: int
    ff: int
    dsp: int
    bram: int

    def beyond(self, device: Board) -> list[str]:
        """Return the resources that exceed a device, such as ``DSP 300 of 220``."""
        both = ((name, getattr(self, name), getattr(device, name)) for name in KINDS)
        return [f"{name.upper()} {taken} of {there}" for name, taken, there in both if there and taken > there]


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
    area = np.zeros(len(KINDS))
    costs: dict[str, Cost] = {}
    for part in machine.parts or (machine,):  # tasks run at the same time and share no units
        units.update(_units(part, library, area, costs, rules))
    for name, count in units.items():
        area += np.multiply(costs[name], count)
    known = machine.region.channels.values() if machine.region else ()
    fifos = {each.array for each in known if each.kind == "fifo"}
    arrays = without_structs(program).arrays
    blocks = copies_of(arrays, directives.depths)
    for array in filterfalse(_is_outside, arrays):
        kept = directives.storage.get(array.name, RAM)
        if array.name in fifos and (asked := directives.fifo_of(array)) is not None:  # R7.5
            area += _fifo(replace(array, shape=()), asked[0])
        elif array.stream:
            if blocks.get(array.name) == 0:
                continue  # the tokens of locks are a pair of signals, full and empty
            area += _fifo(array, directives.depths.get(array.name, array.stream))
        elif array.name in machine.registers:
            area += (0, _flip_flops(array, program), 0, 0)
        elif array.shape and array.shape[0] != ADDRESSES and kept.kind not in ("bus", "fifo"):
            copies = channels.BUFFERS if machine.parts and array.role == "local" else 1
            copies = blocks.get(array.name, copies) if array.role == "local" else copies
            area += (0, 0, 0, copies * _memories(array, directives.partitions.get(array.name)))
    return Resources(dict(sorted(units.items())), *map(round, area.tolist()))


def _flip_flops(array: Array, program: LoopProgram) -> int:
    """Return the flip-flops of an array that is registers: one for each bit, none if nothing writes it (constants)."""
    written = any(access.array == array.name for each in program.statements() for access in each.writes)
    return math.prod(array.shape) * array.bits if written else 0


def _is_outside(array: Array) -> bool:
    """Return whether an array is an argument, whose memory is outside of the kernel (R8.2)."""
    return bool(array.shape) and array.role == "parameter" and not array.stream


def _units(
    machine: StateMachine, library: Library, area: NDArray[np.float64], costs: dict[str, Cost], rules: Rules
) -> Counter[str]:
    """Return the units of the shared operators of code that runs in sequence; add all other operators to ``area``."""
    units: Counter[str] = Counter()
    graphs = [(nest.body.graph, nest.body.schedule) for nest in machine.nests]
    for graph, schedule in [*graphs, *((region.graph, region.schedule) for region in machine.regions)]:
        ii, together = schedule.ii, _started_together(graph, schedule)
        used: Counter[str] = Counter()
        for node in graph.nodes:
            if is_dsp(node):
                area[KINDS.index("dsp")] += 1
            if node.kind != "op" or node.wide is None:
                continue
            operator = library.operator(node.name, node.wide)
            cost = cost_of(node, operator.cost)
            if node.unit:
                used[node.unit] += operator.ii
                costs[node.unit] = cost
            else:
                area += cost
        for name, count in used.items():
            needed = math.ceil(count / ii) if ii else together[name] if rules.common else count
            units[name] = max(units[name], needed) if rules.common else units[name] + needed
    return units


def cost_of(node: GraphNode, usual: Cost) -> Cost:
    """Return the area of an operator: what makes it is its width, or a directive (R8.1)."""
    assert node.wide is not None
    if node.mac and node.name == "add":
        return 0.0, 0.0, 0, 0  # the DSP block has the adder
    if node.wide.real or node.name not in ("add", "mul"):
        return usual
    if node.name == "add":
        return (0.0, 0.0, 1, 0) if node.made == "dsp" and node.wide.bits <= WIDEST else usual
    small = node.wide.bits <= SMALL and not node.mac and node.made != "dsp"
    if small or node.made == "fabric":
        return LUT_OF_BITS * node.wide.bits**2, usual[1], 0, 0
    return usual


def _fifo(array: Array, depth: int) -> Cost:
    """Return the area of a FIFO: a lookup table is a shift register of 32 bits; an argument's FIFO takes nothing."""
    if array.role == "parameter":
        return 0.0, 0.0, 0, 0
    each = math.prod(array.shape)
    return each * array.bits * math.ceil(depth / 32), each * (array.bits + 2 * depth.bit_length()), 0, 0


def _started_together(graph: Graph, schedule: Schedule) -> dict[str, int]:
    """Return the largest number of operators of each class that start in one state."""
    starts = Counter(
        (node.unit, state) for node, (state, _) in zip(graph.nodes, schedule.issue, strict=True) if node.kind == "op"
    )
    return {name: count for (name, _), count in sorted(starts.items(), key=lambda each: each[1])}  # the largest is last


def _memories(array: Array, partition: Partition | None) -> int:
    """Return the number of 18 Kbit block RAMs of an array that belongs to the kernel."""
    if partition is not None and partition.registers:
        return 0
    banks = partition.banks if partition is not None else 1
    bits = -(-math.prod(array.shape) // banks) * array.bits
    return banks * -(-bits // BRAM_BITS) if bits > REGISTERS else 0
