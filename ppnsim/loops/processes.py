"""Statements that share a process, and the numbers of their firings, reads and writes in it.

A process fires once for each execution of any of its statements, in program order. Its read arguments and write
accesses are those of its statements, concatenated. Channels therefore see a process like one statement.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.loops.dependences import Dependence
from ppnsim.loops.points import scheduled_points
from ppnsim.loops.program import LoopProgram, Statement


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessMember:
    """A statement in its process.

    Attributes
    ----------
    process : name of the process.
    firings : firing of the process for each firing of the statement, ascending; None if they are equal.
    reads, writes : number of read arguments and write accesses of the process before those of the statement.
    """

    process: str
    firings: Int64Array | None = None
    reads: int = 0
    writes: int = 0


def process_statements(statements: Collection[Statement]) -> dict[str, list[Statement]]:
    """Return the statements of each process, processes in order of their first statement."""
    processes: dict[str, list[Statement]] = {}
    for statement in statements:
        processes.setdefault(statement.owner, []).append(statement)
    return processes


def members(program: LoopProgram, without: Collection[str] = ()) -> dict[str, ProcessMember]:
    """Return the place of each statement in its process; statements named in ``without`` do not fire.

    Examples
    --------
    >>> from ppnsim.loops.expressions import Affine
    >>> from ppnsim.loops.program import Execution, Loop
    >>> body = [Execution(Statement(name=name, process="p")) for name in ("a", "b")]
    >>> loop = Loop(iterator="i", first=(Affine.of(0),), last=(Affine.of(2),), body=tuple(body))
    >>> [each.firings.tolist() for each in members(LoopProgram(name="k", arrays=(), body=(loop,))).values()]
    [[0, 2, 4], [1, 3, 5]]
    """
    statements = program.statements()
    processes = process_statements([each for each in statements if each.name not in without])
    found = {each.name: ProcessMember(process=each.owner) for each in statements}
    if all(len(sharers) == 1 for sharers in processes.values()):
        return found
    number = {statement.name: place for place, statement in enumerate(statements)}
    _, times = scheduled_points(program)
    for process, sharers in processes.items():
        together = np.concatenate([times[number[each.name]] for each in sharers])
        order = np.empty(len(together), dtype=np.int64)
        order[np.argsort(together, kind="stable")] = np.arange(len(together))
        firings = reads = writes = 0
        for each in sharers if len(sharers) > 1 else ():
            count = len(times[number[each.name]])
            own = order[firings : firings + count]
            found[each.name] = ProcessMember(process=process, firings=own, reads=reads, writes=writes)
            firings, reads, writes = firings + count, reads + len(each.reads), writes + len(each.writes)
    return found


def between_processes(found: list[Dependence], places: Mapping[str, ProcessMember]) -> list[Dependence]:
    """Return the dependences between processes from those of their statements, by processes, argument and write.

    Firings of a statement keep their order in the process, so order and multiplicity do not change.
    """
    rank = {process: place for place, process in enumerate(dict.fromkeys(each.process for each in places.values()))}
    renumbered = []
    for each in found:
        producer, consumer = places[each.producer], places[each.consumer]
        ends = zip(each.pairs.T, (consumer.firings, producer.firings), strict=True)
        pairs = np.stack([side if firings is None else firings[side] for side, firings in ends], axis=1)
        changed = replace(
            each, producer=producer.process, consumer=consumer.process, pairs=pairs,
            argument=each.argument + consumer.reads, write=each.write + producer.writes,
        )  # fmt: skip
        renumbered.append(changed)
    return sorted(renumbered, key=lambda d: (rank[d.producer], rank[d.consumer], d.argument, d.write))
