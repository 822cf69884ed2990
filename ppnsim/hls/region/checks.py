"""Checks of FIFOs and arrays of a region: one writer, a later reader, and a depth that one task does not exceed."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from ppnsim.errors import InputError
from ppnsim.hls.pragmas.directives import Directives, all_loops
from ppnsim.hls.region.accesses import Clocked, clocked
from ppnsim.hls.region.blocks import shown
from ppnsim.hls.region.leaves import Leaf
from ppnsim.hls.region.refusals import NoNetwork
from ppnsim.hls.region.round_loops import in_turn
from ppnsim.hls.schedule.model import StateMachine
from ppnsim.loops.program import Array, LoopProgram

_BETTER = "'#pragma HLS loop_tripcount max=N' in that loop, or --set for a parameter, says better"


def check_ends(array: Array, fifo: str, writers: Sequence[Leaf], readers: Sequence[Leaf]) -> None:
    """Refuse a region's FIFO without exactly one writer and one later reader; an argument may lack one of them.

    Raises
    ------
    InputError
        With the place of the access, or of the declaration.
    """
    words = f"FIFO '{fifo}' of a dataflow region"
    for what, leaves in (("written", writers), ("read", readers)):
        if len(leaves) > 1:
            names = ", ".join(leaf.name for leaf in leaves)
            second = leaves[1].writes if what == "written" else leaves[1].reads
            where = str(second[array.name])
            raise InputError(
                f"{words} is {what} by several tasks ({names}): one writes, one reads; give each its own", where=where
            )
    if array.role == "local" and bool(writers) != bool(readers):
        (leaf,) = writers or readers
        done, missing = ("written", "reads it") if writers else ("read", "writes it")
        where = str((leaf.writes if writers else leaf.reads)[array.name])
        raise InputError(
            f"{words} is {done} by '{leaf.name}' and nobody {missing}; leave it out, or add the other end", where=where
        )


def chosen(leaf: Leaf) -> bool:
    """Return whether data decides about an ``if`` with loops in a task, which is counted as always executed (R5.8)."""
    return any(loop.under is not None for loop in all_loops(leaf.body))


def check_counts(array: Array, fifo: str, writer: tuple[Leaf, int], reader: tuple[Leaf, int], depth: int) -> None:
    """Refuse a FIFO of whose tokens a task waits for more than the other one writes, given each with its tokens.

    Where the numbers are assumed, because data ends a loop, or decides about an ``if`` with loops (R7.4), the
    writer may not have more tokens left over than the FIFO holds, either: a deadlock would be one of the assumption.

    Raises
    ------
    NoNetwork
        If an assumption may be the cause.
    InputError
        If none is.
    """
    (source, put), (target, taken) = writer, reader
    loops = [loop for leaf in (source, target) for loop in all_loops(leaf.body)]
    ended, decided = any(loop.assumed for loop in loops), chosen(source) or chosen(target)
    lacks, left = taken > put, (ended or decided) and put - taken > depth
    if not (lacks or left):
        return
    words = f"FIFO '{shown(array, fifo)}': task '{target.name}' reads {taken} tokens and '{source.name}' writes {put}"
    words += ", if a loop that data ends runs as often as is assumed" if ended else ""
    words += ", if an if with loops in it, about which data decides, is always executed" if decided else ""
    words += " (hls::split and hls::merge pass whole rounds of their ports)" if in_turn(source.name) else ""
    words += f", so that '{(target if lacks else source).name}' would wait for ever"
    words += f"; {_BETTER}" if ended else ""
    where = str(target.reads[array.name] if lacks else source.writes[array.name])
    raise (NoNetwork if ended or decided else InputError)(words, where=where)


def check_fifos(program: LoopProgram, machine: StateMachine, directives: Directives) -> None:
    """Refuse a FIFO that code without a region overfills, or reads before writing: the code would wait for ever.

    Raises
    ------
    NoNetwork, InputError
        If a FIFO of the kernel has to hold more tokens than its depth, or a token is taken before it is put.
    """
    own = [array for array in program.arrays if array.stream and array.role == "local"]
    times = clocked(machine) if own else Clocked()
    for array in own:
        depth = directives.depths.get(array.name, array.stream)
        check_fifo(program.name, array, times, depth, guessed=any(loop.assumed for loop in all_loops(program.body)))


def check_fifo(owner: str, array: Array, times: Clocked, depth: int, *, guessed: bool = False) -> None:
    """Check a FIFO, or the FIFOs of an array, that one piece of code both fills and empties.

    ``guessed``: a trip count of the code's loops is annotated or assumed.

    Raises
    ------
    NoNetwork
        If it may be overfilled, and a trip count is guessed.
    InputError
        As `check_fifos`.
    """
    where = str(array.position) if array.position.file else ""
    for name in sorted({side[0] for side in times.times if side[0].partition("[")[0] == array.name}):
        put, taken = times.of((name, "put")), times.of((name, "take"))
        if len(taken) > len(put) or bool(np.any(taken <= put[: len(taken)])):
            raise InputError(f"FIFO '{shown(array, name)}' of '{owner}' is read before it is written", where=where)
        inside = np.arange(1, len(put) + 1) - np.searchsorted(taken, put)
        if len(put) and int(inside.max()) > depth:
            held = f"has to hold {int(inside.max())} tokens and holds {depth}"
            if guessed:
                held += ", if its loops run as often as is annotated or assumed, and then waits for ever"
            raise (NoNetwork if guessed else InputError)(
                f"FIFO '{shown(array, name)}' of '{owner}' {held}: '#pragma HLS dataflow' lets its writer and its "
                f"reader work at the same time, '#pragma HLS stream variable={shown(array, array.name)} "
                f"depth={int(inside.max())}' makes it deeper",
                where=where,
            )  # fmt: skip


def check_elements(program: LoopProgram, machine: StateMachine, directives: Directives) -> None:
    """Refuse an array that is a FIFO by its interface but is not used like one: a FIFO passes each element once.

    Raises
    ------
    InputError
        If the array is both read and written, or an element is read or written more than once.
    """
    for array in program.arrays:
        kept = directives.storage.get(array.name)
        if kept is None or kept.kind != "fifo" or array.stream:
            continue
        counts = {side: _passed(machine, array.name, side) for side in ("take", "put")}
        size = prod(array.shape)
        words = f"array '{array.name}' of '{program.name}' is a FIFO by its interface pragma, and"
        if all(counts.values()):
            raise InputError(f"{words} is both read and written")
        for side, count in counts.items():
            if count > size:
                verb = "read" if side == "take" else "written"
                raise InputError(f"{words} its {size} elements are {verb} {count} times")


def _passed(machine: StateMachine, name: str, side: str) -> int:
    """Return the least number of tokens that pass a side of a FIFO in one run."""
    parts = machine.parts or (machine,)
    bodies = [(nest.body.graph, nest.body.tokens, nest.iterations) for part in parts for nest in part.nests]
    bodies += [(region.graph, region.tokens, region.visits) for part in parts for region in part.regions]
    return sum(
        times
        for graph, tokens, times in bodies
        for node in graph.nodes
        if node.name == side and node.access is not None and node.access.array == name and () in tokens[node.index]
    )
