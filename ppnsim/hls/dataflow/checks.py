"""Checks FIFOs of a kernel outside a dataflow region, which the kernel writes and reads one after the other."""

from __future__ import annotations

from math import prod

import numpy as np

from ppnsim.errors import InputError
from ppnsim.hls.dataflow.clocked import Clocked, clocked
from ppnsim.hls.pragmas.directives import Directives
from ppnsim.hls.schedule.model import StateMachine
from ppnsim.loops.program import LoopProgram


def check_fifos(program: LoopProgram, machine: StateMachine, directives: Directives) -> None:
    """Refuse a FIFO that a kernel overfills, or reads before it writes: the kernel would wait for ever.

    Raises
    ------
    InputError
        If a FIFO of the kernel has to hold more tokens than its depth, or a token is taken before it is put.
    """
    own = [array for array in program.arrays if array.stream and array.role == "local"]
    times = clocked(machine) if own else Clocked()
    for array in own:
        depth = directives.depths.get(array.name, array.stream)
        for name in sorted({side[0] for side in times.times if side[0].partition("[")[0] == array.name}):
            put, taken = times.of((name, "put")), times.of((name, "take"))
            if len(taken) > len(put) or bool(np.any(taken <= put[: len(taken)])):
                raise InputError(f"FIFO '{name}' of '{program.name}' is read before it is written")
            inside = np.arange(1, len(put) + 1) - np.searchsorted(taken, put, side="left")
            if len(put) and int(inside.max()) > depth:
                raise InputError(
                    f"FIFO '{name}' of '{program.name}' has to hold {int(inside.max())} tokens and holds {depth}: "
                    "'#pragma HLS dataflow' lets its writer and its reader work at the same time, "
                    "'#pragma HLS stream depth=..' makes it deeper"
                )


def check_elements(program: LoopProgram, machine: StateMachine, directives: Directives) -> None:
    """Refuse an array that is a FIFO by its interface and is not used like one: a FIFO passes each element once.

    Raises
    ------
    InputError
        If such an array is read and written, or elements of it are read or written more than once.
    """
    for array in program.arrays:
        kept = directives.storage.get(array.name)
        if kept is None or kept.kind != "fifo" or array.stream:
            continue
        counts = {side: _passed(machine, array.name, side) for side in ("take", "put")}
        size, words = (
            prod(array.shape),
            f"array '{array.name}' of '{program.name}' is a FIFO by its interface pragma, and",
        )
        if all(counts.values()):
            raise InputError(f"{words} is both read and written")
        for side, count in counts.items():
            if count > size:
                verb = "read" if side == "take" else "written"
                raise InputError(f"{words} its {size} elements are {verb} {count} times")


def _passed(machine: StateMachine, name: str, side: str) -> int:
    """Return how many tokens certainly pass a side of a FIFO in one run."""
    parts = machine.parts or (machine,)
    bodies = [(nest.body.graph, nest.body.tokens, nest.iterations) for part in parts for nest in part.nests]
    bodies += [(region.graph, region.tokens, region.visits) for part in parts for region in part.regions]
    return sum(
        times
        for graph, tokens, times in bodies
        for node in graph.nodes
        if node.name == side and node.access is not None and node.access.array == name and () in tokens[node.index]
    )
