"""One body while its schedule is searched: the attempts at its intervals, each of which runs once (R3.3, R9.1)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from ppnsim.hls.graph.graph import BackEdge, Graph
from ppnsim.hls.graph.order import Order, order_of
from ppnsim.hls.library.library import Library
from ppnsim.hls.rules import Rules
from ppnsim.hls.schedule.circuits import circuit_ii, required_start
from ppnsim.hls.schedule.faster_operators import Forms, eased_by, pressed
from ppnsim.hls.schedule.scheduler import PRESSED, ListScheduler, Schedule
from ppnsim.hls.schedule.slots import NoSlot

_PATIENCE = 12
_FEW = 8  # most loads of stored locations that are each tried one state later


@dataclass(frozen=True, slots=True)
class NoInterval:
    """The reason why an interval has no schedule, and the amount by which to raise it."""

    reason: str
    step: int


class ModuloSearch:
    """A loop body with given forms of its operators, while its schedule is searched."""

    def __init__(
        self, graph: Graph, library: Library, rules: Rules, forms: Forms, *, eased: bool = False,
        order: Order | None = None,
    ) -> None:  # fmt: skip
        self._plain, self._eased, self._tried = graph, eased, dict[int, Schedule | NoInterval]()
        self._unshared = set[int]()  # intervals in which units are not shared, also if a load is a state later
        self._last, self._schedulers = 0, dict[tuple[bool, int], ListScheduler]()
        self.library, self.rules, self.forms, self._known = library, rules, forms, order

    @cached_property
    def graph(self) -> Graph:
        """The graph with the forms. It is made on first use, since most often the first body has a schedule."""
        return eased_by(self._plain, self.forms) if self._eased else pressed(self._plain, self.forms)

    @cached_property
    def order(self) -> Order:
        """The order of the graph; it is the same for all intervals."""
        return self._known or order_of(self.graph, self.library)

    @cached_property
    def needed(self) -> int:
        """The interval that the circuits of the graph need: no shorter interval has a schedule."""
        return circuit_ii(self.graph, self.order.sequence, self.order.height)

    def attempt(self, ii: int) -> Schedule | NoInterval:
        """Return a schedule that satisfies all back edges, or the reason why there is none; each interval runs once."""
        found = self._tried[ii] = self._tried.get(ii) or self._attempt(ii, {})
        return found

    def _attempt(self, ii: int, earliest: Mapping[int, tuple[int, float]]) -> Schedule | NoInterval:
        """R9.1: sharing units does not change the interval. If it did, each operator has its own unit."""
        units, beat = self._units(ii)
        if beat or not units:
            return self._placed(ii, earliest, units, beat)
        found = self._placed(ii, earliest, {}, 0)
        if not isinstance(found, Schedule) or ii in self._unshared:
            return found
        shared = self._placed(ii, earliest, units, 0)
        if isinstance(shared, Schedule):
            return shared
        self._unshared.add(ii)
        return found

    def _placed(
        self, ii: int, earliest: Mapping[int, tuple[int, float]], units: Mapping[str, int], beat: int
    ) -> Schedule | NoInterval:
        """Return a schedule with these units, or the reason why there is none.

        In a cycle that is too long for the interval, every round delays the target by the missing states; the interval
        then grows by half of that delay (at least 1), so that the search seldom passes over the least one.
        """
        scheduler = self._scheduler(ii, units, beat)
        times = dict(earliest)
        rounds: Counter[int] = Counter()
        while True:
            try:
                schedule = scheduler.schedule(times)
            except NoSlot as crowded:
                return NoInterval(f"ports of {crowded}", 1)
            broken: dict[int, tuple[tuple[int, float], BackEdge]] = {}
            for edge in self.graph.back:
                need = required_start(schedule, edge)
                if need is not None and (edge.target not in broken or need > broken[edge.target][0]):
                    broken[edge.target] = need, edge
            if not broken:
                return replace(schedule, forms=self.forms)
            for target, (need, edge) in broken.items():
                pushed = need[0] - times.get(target, schedule.issue[target])[0]
                rounds[target] += 1
                if rounds[target] > (_PATIENCE if pushed < 2 * _PATIENCE else _PATIENCE // 4):
                    return NoInterval(edge.reason, max(1, pushed // (2 * edge.distance)))
                times[target] = need

    def _scheduler(self, ii: int, units: Mapping[str, int], beat: int) -> ListScheduler:
        """Return the scheduler for an interval and units: that of the last schedule of the same interval, if any."""
        if self._last != ii:
            self._last, self._schedulers = ii, {}
        key = bool(units), beat
        if key not in self._schedulers:
            self._schedulers[key] = ListScheduler(
                self.graph, self.library, self.rules, ii=ii, units=units, order=self.order, beat=beat
            )
        return self._schedulers[key]

    def _units(self, ii: int) -> tuple[dict[str, int], int]:
        """R2.3: k operators of a class share ceil(k / II) units; also return the beat of faster forms.

        Besides the faster forms, the other operators have as many units as the shortest schedule needs (R9.1).
        """
        nodes = self.graph.nodes
        first = [node.unit for node in nodes if node.unit.endswith(PRESSED)] if self.rules.recent else []
        if first:
            return {first[0]: math.ceil(len(self.forms) / ii)}, math.ceil(ii * len(first) / len(self.forms))
        counts = Counter(node.unit for node in nodes if node.kind == "op" and node.unit) if ii > 1 else {}
        return {unit: math.ceil(count / ii) for unit, count in counts.items()}, 0

    def shortest(self, found: Schedule) -> Schedule:
        """R3.3: delay each load of a location that is also stored by one state; keep the shortest schedule."""
        stored = {node.access for node in self.graph.nodes if node.kind == "store"}
        loads = [node for node in self.graph.nodes if node.kind == "load" and node.access in stored]
        best = found
        for node in loads if len(loads) <= _FEW else ():
            other = self._attempt(found.ii, {node.index: (node.ready[0] + 1, node.ready[1])})
            if isinstance(other, Schedule) and other.states < best.states:
                best = other
        return best
