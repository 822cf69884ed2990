"""From a loop program to its process network: a process per statement, a channel per producer and read argument."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ppnsim.arrays import distinct
from ppnsim.derive.cycles import check_names, process_of, varies
from ppnsim.derive.given import Cycles, Latencies
from ppnsim.derive.hazards import ordering_channels, tokens_of
from ppnsim.errors import InputError
from ppnsim.loops.dependences import Dependence, dependences, firings, folded, unwritten_reads
from ppnsim.loops.expressions import Affine
from ppnsim.loops.orderings import check_hazards
from ppnsim.loops.polyhedra import check_bounds
from ppnsim.loops.processes import between_processes, members, process_statements
from ppnsim.loops.program import Access, Array, Execution, Loop, LoopProgram, Node, Statement
from ppnsim.model.network import Channel, Network


def derive(
    program: LoopProgram, *, io: bool = False, ii: Cycles = 1, latency: Latencies = 1, hazards: bool = False,
    clock_ns: float = 10.0, wires: Sequence[tuple[str, Dependence]] | None = None,
) -> Network:  # fmt: skip
    """Return the process network of a loop program.

    Each statement that executes and is not `folded` becomes a process; merged statements (`rewrite.merge`) share one.
    A process has read = 1 if it reads anything and write = 1 if it writes anything, with or without a channel, else 0.
    `channels` gives the channels.

    Parameters
    ----------
    program : the kernel.
    io : add streams for the arrays of the caller (`with_streams`). Without streams, all inputs exist at time 0.
    ii, latency : cycles of all statements, or by name of a statement or of its function; ``*`` stands for all others
        (default 1). A name wins over the pragma in the source, which wins over the number for all. A latency may also
        be a list with one entry per execution of a statement, in program order.
    hazards : keep each write after the earlier accesses to its element (`ordering_channels`); nothing is folded.
    clock_ns : clock period in nanoseconds.
    wires : the channels of the program with its streams, if the caller has computed them already.

    Raises
    ------
    InputError
        If nothing executes, a subscript leaves its array, a name is not known, or isl cannot take the program.

    Source: van Teijlingen 2014, section 2.2.
    """
    check_names(program, ii, latency)
    check_bounds(program)
    if hazards:
        check_hazards(program, varies=varies(latency))
    whole = with_streams(program) if io else program
    executions, gone = firings(whole), frozenset() if hazards else folded(whole)
    kept = [s for s in whole.statements() if s.name not in gone]
    own = {s.name for s in program.statements()}
    if not any(s.name in own for s in kept if executions[s.name]):
        reason = "at most constants are put into local storage" if any(executions.values()) else "nothing ever executes"
        raise InputError(f"kernel has no iterations: {reason}", where=f"kernel '{program.name}'")
    places = members(whole, without=gone)
    processes = [
        process_of(name, sharers, executions, places, ii=ii, latency=latency)
        for name, sharers in process_statements(kept).items()
        if any(executions[s.name] for s in sharers)
    ]
    width = {array.name: array.bits for array in whole.arrays}
    found = [
        Channel(name=name, source=d.producer, target=d.consumer, tokens=tokens_of(d.pairs), width=width[d.array])
        for name, d in (channels(whole, hazards=hazards) if wires is None else wires)
    ]
    if hazards:
        found += ordering_channels(whole, {process.name: process for process in processes})
    return Network(name=program.name, processes=processes, channels=found, clock_ns=clock_ns).checked()


def channels(program: LoopProgram, *, hazards: bool = False) -> list[tuple[str, Dependence]]:
    """Return the channels of a program by name: its dependences, without those of `folded` producers, partly merged.

    There is one channel per write access and read argument of a process (`loops.processes`). Channels from one write
    access to different arguments of one process are merged if one FIFO suffices: no firing reads both, they carry
    different values, and the values are still read in order. Names are ``p->c``, or ``p->c.k`` with the read argument
    k where there are several (``p->c.k.w`` where argument k also reads several write accesses). With ``hazards``
    nothing is folded.
    """
    gone = frozenset() if hazards else folded(program)
    kept = [dependence for dependence in dependences(program) if dependence.producer not in gone]
    merged: list[Dependence] = []
    for dependence in between_processes(kept, members(program, without=gone)):
        for place, other in enumerate(merged):
            both = _merged(other, dependence)
            if both is not None:
                merged[place] = both
                break
        else:
            merged.append(dependence)
    of_pair = Counter((d.producer, d.consumer) for d in merged)
    of_argument = Counter((d.producer, d.consumer, d.argument) for d in merged)
    names = []
    for d in merged:
        argument = f".{d.argument}" if of_pair[d.producer, d.consumer] > 1 else ""
        write = f".{d.write}" if of_argument[d.producer, d.consumer, d.argument] > 1 else ""
        names.append(f"{d.producer}->{d.consumer}{argument}{write}")
    return list(zip(names, merged, strict=True))


def with_streams(program: LoopProgram) -> LoopProgram:
    """Return the program with a statement before it for each input array and one behind it for each output array.

    Only arrays of the caller get streams, not scalars. ``in_A`` writes A if the kernel reads an element before it
    writes the element; ``out_y`` reads y if the kernel writes any element. Both go through all elements in row-major
    order. A value that no statement writes exists at time 0. An array with the name of the stream stands for the
    outside.
    """
    statements = program.statements()
    executions, unwritten = firings(program), unwritten_reads(program)
    written = {access.array for s in statements if executions[s.name] for access in s.writes}
    outside = [array for array in program.arrays if array.role == "parameter" and array.shape]
    taken = {name for s in statements for name in (s.name, s.owner)}
    sources = [_stream(array, "in", taken) for array in outside if array.name in unwritten]
    sinks = [_stream(array, "out", taken) for array in outside if array.name in written]
    worlds = (world for world, _ in (*sources, *sinks))
    body = (*(node for _, node in sources), *program.body, *(node for _, node in sinks))
    return replace(program, arrays=(*program.arrays, *worlds), body=body)


def _merged(one: Dependence, other: Dependence) -> Dependence | None:
    """Return two dependences as one channel, None if one FIFO does not suffice."""
    if (one.producer, one.consumer, one.write) != (other.producer, other.consumer, other.write):
        return None
    if not one.in_order or not other.in_order or one.multiplicity != other.multiplicity:
        return None
    if one.pairs[0, 0] == other.pairs[0, 0]:
        return None  # one firing reads both, as most do
    pairs = np.concatenate([one.pairs, other.pairs])
    order = np.argsort(pairs[:, 0], kind="stable")
    readers, writers = pairs[order].T
    if np.any(np.diff(readers) == 0) or np.any(np.diff(writers) < 0):
        return None
    if one.tokens + other.tokens != len(distinct(writers)):
        return None
    return replace(one, pairs=pairs[order], times=np.concatenate([one.times, other.times])[order])


def _stream(array: Array, word: str, taken: set[str]) -> tuple[Array, Node]:
    """Return the array that stands for the outside, and the loops of a stream in row-major order."""
    name = f"{word}_{array.name}"
    while name in taken:
        name += "_"
    taken.add(name)
    at = tuple(Affine.of(f"e{k}") for k in range(len(array.shape)))
    outside, inside = Access(name, at), Access(array.name, at)
    reads, writes = (outside, inside) if word == "in" else (inside, outside)
    node: Node = Execution(Statement(name=name, reads=(reads,), writes=(writes,), ii=1))
    for k, size in reversed(list(enumerate(array.shape))):
        node = Loop(iterator=f"e{k}", first=(Affine.of(0),), last=(Affine.of(size - 1),), body=(node,))
    return replace(array, name=name), node
