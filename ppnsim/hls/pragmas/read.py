"""The reader of directives: ``#pragma HLS`` in the sources of a kernel, and directives of the caller."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ppnsim.hls.pragmas.arrays import (
    partition_in_struct,
    read_partition,
)
from ppnsim.hls.pragmas.buses import put_on_buses, untold
from ppnsim.hls.pragmas.channels import read_stream
from ppnsim.hls.pragmas.contradictions import said_twice
from ppnsim.hls.pragmas.directive_context import LoopsOfProgram, is_top
from ppnsim.hls.pragmas.directives import Directives, LoopDirective, all_loops, scope_of
from ppnsim.hls.pragmas.in_text import written_in
from ppnsim.hls.pragmas.interfaces import on_a_bus, read_interface, settle_bursts
from ppnsim.hls.pragmas.loops import (
    read_dependence,
    read_loop,
    without_unknown,
    without_unknown_inside,
)
from ppnsim.hls.pragmas.memories import read_memory
from ppnsim.hls.pragmas.misspelt import check_name
from ppnsim.hls.pragmas.of_calls import numbers_of_calls
from ppnsim.hls.pragmas.outside_source import given, inside, placed_in
from ppnsim.hls.pragmas.pragma import DirectivesSoFar, PlacedDirective, Pragma
from ppnsim.hls.pragmas.structs import settle_structs
from ppnsim.hls.pragmas.tasks import read_tasks
from ppnsim.hls.pragmas.units import read_allocation, read_bind_op
from ppnsim.hls.pragmas.wires import put_on_wires
from ppnsim.hls.pragmas.without_effect import PLAIN, idle, unmeant
from ppnsim.hls.structure.members import without_structs
from ppnsim.loops.program import Frame, LoopProgram

# Directives that the tool would follow and that have no effect here; the report lists them.
_OF_ARRAYS = frozenset(f"array_{each}" for each in ("map", "stencil", "stream"))
_IGNORED = _OF_ARRAYS | {"loop_merge", "occurrence", "protocol", "performance", "cache", "alias", "reset_by"}
_LANES = "vendor/hls_vector.h"
"""The header whose loops go over the lanes of a vector, which hardware computes side by side."""
_READERS: dict[str, Callable[[Pragma, DirectivesSoFar], None]] = {
    "pipeline": read_loop, "unroll": read_loop, "loop_flatten": read_loop, "dataflow": read_loop, "latency": read_loop,
    "expression_balance": read_loop, "inline": read_loop, "array_partition": read_partition,
    "array_reshape": read_partition, "bind_storage": read_memory, "resource": read_memory, "interface": read_interface,
    "stream": read_stream, "dependence": read_dependence, "allocation": read_allocation, "bind_op": read_bind_op,
}  # fmt: skip


def read_directives(
    sources: Mapping[str, str], program: LoopProgram, more: Sequence[str] = (),
    placed: Sequence[PlacedDirective] = (), beside: Sequence[Frame] = (),
    *, kernel: bool = False, alone: bool = False, release: str = "",
) -> Directives:  # fmt: skip
    """Return the directives in the sources of a program.

    Parameters
    ----------
    sources : text of each file.
    more : directives of the caller: ``4: unroll factor=4`` acts as in the loop of line 4, ``dataflow`` as at the top of
        the kernel.
    beside : functions of other kernels, whose directives belong to them.
    kernel : the flow is the kernel flow, in which arguments without an interface are on a bus (UG1399).
    alone : the flow is that for IPs, and no function calls the kernel: pointers without an interface are wires (R6.26).
    release : release of the tool, such as "2022.2", "" for a recent one.

    Raises
    ------
    InputError
        For an unknown directive, clause, loop or array, or two directives that contradict each other.
    """
    unsplit, program = program.arrays, without_structs(program)
    arrays = {array.name: array for array in program.arrays}
    asked = DirectivesSoFar(arrays, program.statements(), frames=program.frames)
    written = written_in(sources, program, beside, release)
    every = [*written, *given(more, program, asked), *placed_in(placed, sources, program, asked)]
    of_called = _of_called(every, program)
    for found in every:
        _read(found, asked, of_called)
        for clause in found.passed:
            asked.ignore(found, f"{found.name} {clause}, which is no clause of it")
    settle_bursts(asked)
    if kernel:  # an argument is on its bus, whatever memory a directive asks for
        asked.storage = {name: kept for name, kept in asked.storage.items() if not kept.hint}
    without = untold(program.arrays, asked)
    put_on_buses(without if kernel else {}, asked)
    _settle_partitions(program, asked)
    own = {array for _, array in program.frames[0].names} if alone and program.frames else set()
    wires = put_on_wires([each for each in unsplit if each.name in own and not each.outside], without, asked)
    settle_structs(every, unsplit, asked)
    loops = LoopsOfProgram(program)
    told = [(found, words) for found in every for words in idle(found, loops, asked)]
    for found, words in (*said_twice(every), *told):
        asked.ignore(found, words)
    read_tasks(sources, program, asked)
    _of_their_loops(program, asked)
    for loop in all_loops(program.body):
        if loop.position.file.endswith(_LANES):
            asked.loops.setdefault(scope_of(loop), LoopDirective(unroll=0))
    without_unknown(program.body, asked)
    without_unknown_inside(program, asked)
    return replace(asked.all(), of_calls=numbers_of_calls(every), untold=tuple(without), wires=tuple(wires))


def _read(found: Pragma, asked: DirectivesSoFar, of_called: Sequence[Pragma]) -> None:
    """Read one directive; note it if it has no effect anywhere, refuse a name that is a directive's misspelt."""
    if found.nowhere:
        asked.ignore(found, f"{found.name} {found.nowhere}")
    elif found in of_called:
        asked.ignore(found, "interface in a function that the kernel calls, which says it itself of this array")
    elif found.name in _IGNORED:
        asked.ignore(found, found.name)
    elif found.loop is None and found.function is not None and _is_of_loops(found):
        asked.ignore(found, f"{found.name} outside of loops")
    elif unnamed := unmeant(found):
        asked.ignore(found, f"{found.name} {unnamed}")
    elif found.name in _READERS:
        _READERS[found.name](found, asked)
    elif found.name not in PLAIN:
        known = (*_READERS, *sorted(PLAIN), *sorted(_IGNORED))
        apart = "_".join((found.name, *list(found.clauses)[:1]))
        if apart in known and found.where != "--pragma":  # "array partition" without underscore is no directive
            asked.ignore(found, f"{apart.replace('_', ' ')}, which is no directive (did you mean '{apart}'?)")
            return
        check_name(found.name, found.where, known, asked=found.where == "--pragma")
        asked.ignore(found, f"{found.name or '#pragma HLS alone'}, which is no directive")


def _of_called(every: Sequence[Pragma], program: LoopProgram) -> list[Pragma]:
    """Return interfaces in functions that the kernel calls, of arrays that its own interfaces name (R6.4)."""
    ports = [found for found in every if found.name == "interface"]
    called = [found for found in ports if found.function is not None and not is_top(found, program)]
    of_kernel = {name for found in ports if found not in called for name in _named(found)}
    return [found for found in called if _named(found) & of_kernel]


def _named(found: Pragma) -> frozenset[str]:
    """Return the arrays that an interface directive names."""
    port = found.clauses.get("port", "return").lstrip("&")
    return frozenset(found.names.get(port, ()))


def _settle_partitions(program: LoopProgram, asked: DirectivesSoFar) -> None:
    """Partition arrays in structs without a directive, and arrays on buses as buses are partitioned."""
    for array in program.arrays:
        if array.member is not None and array.shape:
            kept = partition_in_struct(array, asked.partitions.get(array.name))
            asked.partitions |= {} if kept is None else {array.name: kept}
    for name, storage in asked.storage.items():
        if storage.kind == "bus" and name in asked.partitions:
            asked.partitions[name] = on_a_bus(asked.partitions[name], asked.arrays[name].shape)


def _is_of_loops(found: Pragma) -> bool:
    """Return whether a directive has a meaning only in loops: outside of them the tool ignores it."""
    return found.name == "loop_flatten" or (found.name == "unroll" and found.where != "--pragma")


def _of_their_loops(program: LoopProgram, asked: DirectivesSoFar) -> None:
    """Give the loops of a function its ``pipeline off`` and ``expression_balance``; their own directives win.

    ``pipeline off`` also holds for the functions that it calls (R1.3).
    """
    of_frames = [(frame, asked.functions.get(scope_of(frame), LoopDirective())) for frame in program.frames]
    ways = [frame.path for frame, own in of_frames if own.pipeline is False]
    for frame, own in of_frames:
        off = any(frame.path[: len(way)] == way for way in ways)
        for loop in all_loops(program.body) if off or own.balance is not None else ():
            if inside(loop.position, frame):
                old = asked.loops.get(scope_of(loop), LoopDirective())
                pipeline = False if off and old.pipeline is None else old.pipeline
                balance = own.balance if old.balance is None else old.balance
                asked.loops[scope_of(loop)] = replace(old, pipeline=pipeline, balance=balance)
