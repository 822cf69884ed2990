"""A naive interpreter with shadow times that keeps every event: hazards, random accesses, a latency per execution."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ppnsim.derive.estimate.estimate import Throughput
from ppnsim.loops.dependences import folded
from ppnsim.loops.program import Access, LoopProgram, Statement
from tests.helpers.loop_programs import executions

Latencies = Mapping[str, Sequence[int]]
Element = tuple[int, ...] | None  # None: any


@dataclass
class Accessed:
    """One access to an array: which element, and when it is over."""

    element: Element
    end: int


@dataclass
class Machine:
    """Executes a program in program order; ``own_processes`` gives each execution hardware of its own."""

    program: LoopProgram
    latency: int
    ii: int = 1
    hazards: bool = False
    latencies: Latencies = field(default_factory=dict)

    def estimate(self, *, own_processes: bool) -> Throughput:
        reads: dict[str, list[Accessed]] = defaultdict(list)
        writes: dict[str, list[Accessed]] = defaultdict(list)
        starts: dict[str, list[int]] = defaultdict(list)
        ends: dict[str, list[int]] = defaultdict(list)
        changes: Counter[int] = Counter()
        finish = busy = 0
        gone = frozenset() if self.hazards else folded(self.program)
        for statement, iterators in executions(self.program):
            mine = [element(access, iterators) for access in statement.writes]
            if statement.name in gone:
                for access, place in zip(statement.writes, mine, strict=True):
                    writes[access.array].append(Accessed(place, 0))  # there from the start; a random read wants all
                continue
            ii = self.ii if statement.ii is None else statement.ii
            firing = len(starts[statement.name])
            latency, longest = self.cycles(statement, firing)
            read, write = int(bool(statement.reads)), int(bool(statement.writes))
            wanted = [(access.array, element(access, iterators)) for access in statement.reads]
            start = max([0, *(when for array, place in wanted for when in values(writes[array], place))])
            before = starts[statement.name], ends[statement.name]
            if not own_processes and firing:
                start = max(start, before[0][-1] + ii)
                capacity = max(1, -(-(read + longest) // ii))
                if firing >= capacity:
                    start = max(start, before[1][firing - capacity] - write)
            end = start + read + latency + write
            if not own_processes and firing:
                end = max(end, before[1][-1] + 1)
            if self.hazards:
                for access, place in zip(statement.writes, mine, strict=True):
                    end = max([end, *(r.end + write for r in reads[access.array] if r.element == place)])
                    end = max([end, *(w.end for w in writes[access.array] if w.element == place)])
            if read + latency == 0:
                start = end - write
            before[0].append(start)
            before[1].append(end)
            for array, place in wanted:
                reads[array].append(Accessed(place, start + read))
            for access, place in zip(statement.writes, mine, strict=True):
                writes[access.array].append(Accessed(place, end))
            changes[start + read] += 1
            changes[start + read + latency] -= 1
            busy, finish = busy + latency, max(finish, end)
        active = most = 0
        for _, change in sorted(changes.items()):
            active += change
            most = max(most, active)
        return Throughput(finish=finish, average=busy / finish if finish else 0.0, maximum=most)

    def cycles(self, statement: Statement, firing: int) -> tuple[int, int]:
        """Return the latency of an execution, and the longest of the statement."""
        if statement.latency is None and statement.name in self.latencies:
            given = self.latencies[statement.name]
            return given[firing], max(given)
        latency = self.latency if statement.latency is None else statement.latency
        return latency, latency


def values(written: list[Accessed], place: Element) -> Iterator[int]:
    """Yield when everything is there that a read may want: all of it for a random read."""
    if place is None:
        yield from (each.end for each in written)
        return
    yield from (each.end for each in written if each.element is None)
    yield from [each.end for each in written if each.element == place][-1:]


def element(access: Access, iterators: Mapping[str, int]) -> Element:
    return None if access.random else tuple(subscript.value(iterators) for subscript in access.subscripts)
