"""The moments of a finite run and what each waits for, with depths left open: where a late finish is traced back.

A moment is what passes together (see `explain.event_graph`). All waits but those for slots are the same whatever the
depths; the slot that a write waits for is looked up. Moments whose process is in the same phase of its iteration are
in one *state*: a circle of waits leads from a state back to it, some iterations on.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ppnsim.analysis.path.event_edges import event_graph
from ppnsim.arrays import Int64Array
from ppnsim.engines.compiled.repetition import Repetition
from ppnsim.engines.compiled.tape import BASE, DONE
from ppnsim.engines.compiled.tapes import Tapes
from ppnsim.engines.run import run
from ppnsim.explore.explain.slack import latest
from ppnsim.explore.fifo.objectives import Depths
from ppnsim.explore.fifo.tracing import UNKNOWN, Reads, Slots, WayBack, walk_back
from ppnsim.kernel_cache import run_kernel
from ppnsim.model.network import Network

_NEVER_FILLS = 2**50  # tokens
_LARGEST = 4_000_000  # passings of a run that is kept as a graph


class Moments:
    """The moments of a run of a monotone network, which is shortened if it is long and repeats.

    Attributes
    ----------
    network : that is run.
    period : firings of each process in one iteration, by name; all its firings where it does not repeat. Of a
        scheduled process, here and below, a firing is a passing of one of its stops.
    missing : iterations that it makes less than the network asked for.
    first, source, weight, kind, waiting, waited_for : waits but those for slots, grouped by the moment that waits:
        where each group begins, and of each wait the moment before, cycles, kind, and the firings that it joins.
    head, tail : earliest cycle of each moment, and cycles from there to the end of the run, with unbounded FIFOs.
    process, state, iteration, firing : of each moment.
    end : cycles from a moment in which a firing may end to that end; far below 0 for others.
    """

    def __init__(self, network: Network) -> None:
        repetition = Repetition.of(network)
        self.missing = 0
        self.period: Mapping[str, int] = {
            process.name: network.passings_of(process.name) for process in network.processes
        }
        if repetition is not None and repetition.iterations > 1:
            network, self.period = repetition.network, repetition.firings
            passings = _passings(network)
            if passings > _LARGEST:
                self.missing = repetition.iterations - max(2, repetition.iterations * _LARGEST // passings)
                network = repetition.shortened(self.missing)
        self.network = network.checked()
        outcome = run(network.never_full(), engine="compiled", fast_forward=False)
        assert outcome.finish is not None
        graph = event_graph(outcome.timeline)
        self.head = graph.cycle
        self.tail = outcome.finish - latest(graph)
        order = np.lexsort((graph.part, graph.kind, graph.target))
        self.first = np.searchsorted(graph.target[order], np.arange(len(graph.cycle) + 1))
        self.source, self.weight = graph.source[order], graph.weight[order]
        self.kind, self.waiting, self.waited_for = (
            column[order] for column in (graph.kind, graph.target_firing, graph.source_firing)
        )
        self._name(graph.moment)
        self._add_slots(graph.moment)
        self._varies = any(steps.varies for steps in network.steps.values())
        self._tapes = None if self._varies else Tapes(self.network)
        if self._tapes is not None:
            first = np.array(self._tapes.recurrences.first)[self.process] + self._step
            self._node, self._place = first, self._tapes.tape.nodes[first, BASE] + self.firing

    def _name(self, moment: Mapping[str, Int64Array]) -> None:
        """Give each moment its process, and the step and firing that stand for it: the earliest step."""
        self.process, self._step, self.firing = (np.empty(len(self.head), dtype=np.int64) for _ in range(3))
        self.state, self.iteration = (np.empty(len(self.head), dtype=np.int64) for _ in range(2))
        self.end = np.full(len(self.head), -(2**60), dtype=np.int64)
        states = 0
        for number, process in enumerate(self.network.processes):
            rows = moment[process.name]
            found, index = np.unique(rows, return_index=True)
            step, firing = np.divmod(index, rows.shape[1])
            period = self.period[process.name]
            self.process[found], self._step[found], self.firing[found] = number, step, firing
            self.state[found] = states + step * period + firing % period
            self.iteration[found] = firing // period
            states += len(rows) * period
            steps = self.network.steps[process.name]
            self.end[rows if steps.stops is not None else rows[steps.ending_steps]] = steps.write

    def _add_slots(self, moment: Mapping[str, Int64Array]) -> None:
        at, channel, firing, level = [], [], [], []
        freed, moments, release = [], [], []
        for number, each in enumerate(self.network.channels):
            counts, steps = self.network.counts[each.name], self.network.steps
            count, levels = counts.put_by(self.network.passings_of(each.source))
            writes = np.flatnonzero(count > 0)
            at.append(moment[each.source][steps[each.source].port["out", each.name], writes])
            channel.append(np.full(len(writes), number, dtype=np.int64))
            firing.append(writes)
            level.append(levels[writes])
            freed.append(counts.freed.first(self.network.passings_of(each.target)))
            moments.append(moment[each.target][steps[each.target].port["in", each.name]])
            release.append(self.network.release(each.name))
        joined = [np.concatenate([np.zeros(0, dtype=np.int64), *columns]) for columns in (at, channel, firing, level)]
        order = np.argsort(joined[0], kind="stable")
        first = np.searchsorted(joined[0][order], np.arange(len(self.head) + 1))
        self.slots = Slots(first, *(column[order] for column in joined[1:]))
        base = np.cumsum([0, *(len(each) for each in freed)]).astype(np.int64)
        nothing = np.zeros(0, dtype=np.int64)
        self.reads = Reads(
            base, np.concatenate([nothing, *freed]), np.concatenate([nothing, *moments]),
            np.array(release, dtype=np.int64),
        )  # fmt: skip

    def trace(self, depths: Depths) -> WayBack:
        """Run with these depths, and walk back from the end that comes last; after a deadlock around its circle."""
        cycle = self._cycles(depths)
        stalled = bool((cycle == UNKNOWN).any())
        start = int(np.argmax(cycle == UNKNOWN)) if stalled else int(np.argmax(cycle + self.end))
        depth = np.array(
            [_NEVER_FILLS if (given := depths[each.name]) is None else given for each in self.network.channels],
            dtype=np.int64,
        )
        most = len(cycle) + 1
        moment, slot, by = (np.empty(most, dtype=np.int64) for _ in range(3))
        count = run_kernel(
            walk_back, start, cycle, self.first, self.source, self.weight, self.slots.first, self.slots.channel,
            self.slots.level, depth, self.reads.base, self.reads.freed, self.reads.moment, self.reads.release,
            moment, slot, by, np.zeros(most if stalled else 1, dtype=np.bool_),
        )  # fmt: skip
        circle = None
        if stalled and moment[count] >= 0:
            circle = int(np.flatnonzero(moment[:count] == moment[count])[0])
        return WayBack(moment[: count + 1], cycle[moment[: count + 1]], slot[:count], by[:count], circle)

    def _cycles(self, depths: Depths) -> Int64Array:
        """Return the cycle of every moment."""
        if self._tapes is not None:
            self._tapes.run(depths)
            tape = self._tapes.tape
            return np.where(self.firing < tape.nodes[self._node, DONE], tape.cycles[self._place], UNKNOWN)
        outcome = run(self.network.with_depths(depths), engine="compiled", on_deadlock="return")
        rows = [outcome.timeline.passed[process.name] for process in self.network.processes]
        parts = [
            row[self._step[mine], self.firing[mine]]
            for row, mine in ((row, self.process == number) for number, row in enumerate(rows))
        ]
        cycle: Int64Array = np.maximum(np.concatenate(parts), UNKNOWN)
        return cycle


def _passings(network: Network) -> int:
    return sum(network.passings_of(each.name) * network.steps[each.name].count for each in network.processes)
