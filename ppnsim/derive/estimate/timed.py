"""Statements with their cycles, and the state that a walk keeps of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ppnsim.errors import InputError
from ppnsim.loops.dependences import firings
from ppnsim.loops.processes import process_statements
from ppnsim.loops.program import LoopProgram, Statement

STATE_FIELDS = 3  # of ``state``, per statement: next possible start, executions, first start
_LARGEST_CYCLES = 2**40  # of one ii or latency
_LARGEST_STATE = 2**24


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """A statement with its number and cycles; if each execution has its own latency, ``latency`` is the largest."""

    statement: Statement
    number: int
    ii: int
    latency: int
    read: int
    write: int
    latencies: tuple[int, ...] = ()

    @property
    def stages(self) -> int:
        """Cycles from start to end."""
        return self.read + self.latency + self.write

    @property
    def shortest(self) -> int:
        """Cycles from start to write, at least."""
        return self.read + min(self.latencies, default=self.latency)

    def busy(self, executions: int) -> int:
        """Execute cycles of some executions."""
        return sum(self.latencies) or self.latency * executions


def timed_statement(
    program: LoopProgram, statement: Statement, number: int, *, ii: int, latency: Mapping[str, int | Sequence[int]],
    read: int, write: int,
) -> Timed:  # fmt: skip
    """Return a statement with its cycles: from the source, else by its name, by its function, or for all others."""
    wanted = [latency.get(name) for name in (statement.name, statement.function or "*", "*")]
    given = next(each for each in (statement.latency, *wanted, 1) if each is not None)
    each = () if isinstance(given, int) else tuple(given)
    if not isinstance(given, int) and len(each) != (executions := firings(program)[statement.name]):
        problem = f"{len(each)} latencies for {executions} executions (one each, in program order)"
        raise InputError(problem, where=f"statement '{statement.name}'")
    longest = given if isinstance(given, int) else max(each, default=1)
    ii = ii if statement.ii is None else statement.ii
    for what, value in (("ii", ii), ("latency", longest), ("latency", min(each, default=1))):
        if not 0 <= value <= _LARGEST_CYCLES:
            raise InputError(f"{what} = {value} is not in 0 .. 2**40", where=f"statement '{statement.name}'")
    return Timed(statement=statement, number=number, ii=ii, latency=longest, latencies=each, read=read, write=write)


@dataclass(frozen=True, slots=True)
class StateLayout:
    """Places in ``state`` of what it keeps besides the counts of each statement, by process or statement.

    Attributes
    ----------
    ordered : processes whose firings may wait before they write: next possible start and last end; with a capacity,
        also the number of firings and the write times of the latest ones.
    capacity : largest number of firings between start and write, of processes with hazards; 0 if a start is a write.
    spans : statements in calls: first unbounded start, last absolute end, last unbounded end.
    size : of ``state``.
    """

    ordered: Mapping[str, int]
    capacity: Mapping[str, int]
    spans: Mapping[str, int]
    size: int


def layout(timed: Mapping[str, Timed], *, hazards: bool) -> StateLayout:
    """Return the layout of ``state``; statements of one process already have equal ii, read and write.

    Processes are ordered if they have several statements or a latency per firing, or if their writes wait for hazards.
    """
    ordered: dict[str, int] = {}
    capacity: dict[str, int] = {}
    size = STATE_FIELDS * max(1, len(timed))
    for process, sharers in process_statements([each.statement for each in timed.values()]).items():
        members = [timed[each.name] for each in sharers]
        waits = hazards and bool(members[0].write)
        if waits or len(members) > 1 or members[0].latencies:
            ordered[process] = size
            size += 2
        if waits and members[0].ii:
            capacity[process] = -(-max(m.read + m.latency for m in members) // members[0].ii)
            size += 1 + capacity[process]
        if size > _LARGEST_STATE:
            raise InputError("its latency is too long for its ii with hazards", where=f"process '{process}'")
    inside = [name for name, each in timed.items() if each.statement.path]
    if len({timed[name].statement.path for name in inside}) < 2:  # no kernel calls another
        inside = []
    spans = {name: size + 3 * number for number, name in enumerate(inside)}
    return StateLayout(ordered, capacity, spans, size + 3 * len(inside))
