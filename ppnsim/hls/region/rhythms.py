"""When a task may start again (its period), and how long one run of it takes (its span)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ppnsim.hls.pragmas.directives import Directives
from ppnsim.hls.region.accesses import Clocked
from ppnsim.hls.region.leaves import Leaf
from ppnsim.hls.region.model import TaskLoop, TaskRegion
from ppnsim.hls.region.steps import Entries, ends_of, in_order, repeated
from ppnsim.hls.rules import Rules
from ppnsim.hls.schedule.model import StateMachine
from ppnsim.hls.structure.rewound import rewinding

RESTART = 2
"""Cycles for ending and starting again a task with a loop (R9.7)."""
READY = 2
"""Cycles from the last start in a loop that rewinds to the next start of the tasks of its region (R5.26)."""
HANDED, COUNTED = 3, 2
"""Cycles from the end of a loop that rewinds to the start of a reader, in hardware and in reports (R5.26)."""


@dataclass(frozen=True, slots=True)
class Rhythm:
    """The steps of one run of a task, and those from its start to its next start.

    Attributes
    ----------
    span, period : equal, unless the task is one rewinding loop (R5.26): the next run starts while one ends.
    drained : it accesses no FIFO and no bus, so that nothing holds the end of a run up.
    hands : cycles from its last step until its arrays are there.
    """

    span: int
    period: int
    drained: bool = False
    hands: int | None = None

    @property
    def tail(self) -> int:
        """The steps of a run after the earliest start of the next one."""
        return self.span - self.period

    @property
    def rewinds(self) -> bool:
        """Whether runs of the task overlap."""
        return self.hands is not None

    def steps(self, runs: int) -> int:
        """Return the steps of some runs, each of which starts as early as it may.

        Examples
        --------
        >>> Rhythm(span=35, period=24).steps(129), Rhythm(span=35, period=35).steps(2)
        (3107, 70)
        """
        return (runs - 1) * self.period + self.span

    def done(self, runs: int) -> tuple[int, int | None]:
        """Return the step at which the last of some runs hands its arrays over, and the cycles until they are there.

        A drained task hands over before the step in which its next run may wait for its start.

        Examples
        --------
        >>> Rhythm(35, 24, drained=True, hands=3).done(2), Rhythm(35, 24).done(2), Rhythm(35, 35).done(2)
        ((47, 14), (58, None), (69, None))
        """
        if not self.drained or self.tail < 0:
            return self.steps(runs) - 1, self.hands
        return runs * self.period - 1, self.tail + (self.hands or 1)

    def ready(self, runs: int) -> tuple[int, int | None]:
        """Return the step in which the last of some runs may be followed by the next, and the cycles until it is."""
        late = max(0, -self.tail)  # iterations start after the end of the code
        return runs * self.period - 1 - late, READY + late if self.rewinds else None

    def again(self, entries: Entries, runs: int) -> Entries:
        """Return the steps of a run in each of some runs, in ascending order.

        Examples
        --------
        >>> Rhythm(span=5, period=3).again((0, 4), 2)
        (0, 3, 4, 7)
        """
        found = repeated(entries, runs, self.period)
        return in_order(found) if self.tail else found


def rhythms_of(
    machines: Mapping[Leaf, StateMachine], clocks: Mapping[Leaf, Clocked], directives: Directives, rules: Rules
) -> tuple[dict[Leaf, Rhythm], list[str]]:
    """Return the steps of a run of each task and from start to start, and a sentence for each that waits for its end.

    A task with a loop that runs again takes more (R9.7, R5.12), one that rewinds less (R5.26).
    """
    found: dict[Leaf, Rhythm] = {}
    said: list[str] = []
    fifos = frozenset(name.partition("[")[0] for each in clocks.values() for name, _ in each.times)
    # Code beside the loop, even just the product of an address, needs a state before the loop.
    registers = {name for name, each in directives.partitions.items() if each.registers}
    for leaf, machine in machines.items():
        span, runs = _span(machine, clocks[leaf]), leaf.times()
        if (loop := rewinding(machine.tree)) is not None and not leaf.endless:
            period = sum(nest.starts for nest in machine.nests)
            held = _held(clocks[leaf])
            reason = _unmodelled(leaf, list(machines), held, fifos, reported=rules.reported)
            if runs == 1 or not reason:
                hands = (COUNTED if rules.reported else HANDED) if runs > 1 else None
                found[leaf] = Rhythm(span, period, runs > 1 and not held, hands)
                continue
            said.append(
                f"{loop.loops[-1].position}: the loop of task '{leaf.name}' rewinds, and {reason}: each run of it "
                "starts after the end of the one before here, which can be later (rule R5.26 in ppnsim/hls/RULES.md)"
            )
        if rules.recent and runs > 1 and machine.nests:
            restart = 0 if rules.reported else RESTART  # R5.12 includes these cycles
            span += restart + bool(machine.regions or leaf.moved - registers)
        found[leaf] = Rhythm(span, span)
    return found, said


def seen_by_buses(
    clocks: Mapping[Leaf, Clocked], rhythms: Mapping[Leaf, Rhythm], rules: Rules
) -> Mapping[Leaf, Clocked]:
    """Return the accesses that buses may hold up; reports count the states of the code, without waits for a bus."""
    if not rules.reported:
        return clocks
    return {leaf: each.unanswered(all_of_them=rhythms[leaf].rewinds) for leaf, each in clocks.items()}


def _span(machine: StateMachine, times: Clocked) -> int:
    """Return the pipeline steps of a run: up to the end, or to a FIFO access in the state that signals the end.

    An access to the interface never waits, but it also takes a cycle, and the next run comes after it. The code after
    bus writes waits for their responses, at the latest in the last step (R12.4).
    """
    lists = [each for each in times.times.values() if each]
    lists += [times.starts] if times.starts else []
    on_bus = [int(each.steps[-1]) + each.write for each in times.visits if len(each.steps)]
    return max(1, machine.cycles, *(ends_of(each)[1] + 1 for each in lists), *(step + 1 for step in on_bus))


def _held(times: Clocked) -> frozenset[str]:
    """Return what may hold a run up: accesses to ``FIFOs``, to ``buses``."""
    return frozenset({*(["FIFOs"] if any(times.times.values()) else []), *(["buses"] if times.visits else [])})


def _unmodelled(
    leaf: Leaf, leaves: Sequence[Leaf], held: frozenset[str], fifos: frozenset[str], *, reported: bool
) -> str:
    """Return why runs of a task that rewinds are not run one into the other here; "" if they are.

    A process stands still as a whole (T3.5), and the hardware lets the end of a run go on while the next one waits.
    """
    around = (part for part, _ in leaf.trail)
    if not all(isinstance(each, TaskRegion) or (isinstance(each, TaskLoop) and each.overlaps) for each in around):
        return "a loop around its region waits for the end of all tasks"
    waits = _handed(leaf, leaves, fifos) or (not reported and _asks_outside(leaf, leaves))
    if (some := sorted(held - {"buses"} if reported else held)) and waits:
        return f"its last accesses to {' and '.join(some)} would wait here while its next start waits"
    return ""


def _handed(leaf: Leaf, leaves: Sequence[Leaf], fifos: frozenset[str]) -> bool:
    """Return whether a task takes arrays or scalars from another one, or hands them on."""
    writes, mine = leaf.writes.keys() - fifos, (leaf.reads.keys() | leaf.writes.keys()) - fifos
    return any(writes & each.reads.keys() or mine & each.writes.keys() for each in leaves if each is not leaf)


def _asks_outside(leaf: Leaf, leaves: Sequence[Leaf]) -> bool:
    """Return whether a task needs what its region has from outside: an element by round, or what no task writes."""
    return bool(leaf.moved) or any(not any(name in each.writes for each in leaves) for name in leaf.reads)
