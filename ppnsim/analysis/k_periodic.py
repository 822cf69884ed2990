"""The period of a graph whose iteration is too long to unroll: exact from some firings of each process, or two bounds.

A schedule in which K phase cycles of a process repeat, at a rate that fits all others, has a smallest period: the
largest cycle ratio of a graph with only K cycles of each process in it. It is an upper bound on the period. It is the
period itself if every process on a critical circle of that graph makes a multiple of what the circle alone repeats
with. Where one does not, its K grows to that, and the graph is made anew. Where that has too many firings, iterations
are followed in which all happens at the earliest (`self_timed`): in time that grows with their firings, but not memory.

Source: Bodin, Munier-Kordon and Dupont de Dinechin 2016, Optimal and fast throughput evaluation of CSDF (K-Iter).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm

from ppnsim.analysis.cycle_ratio import named_cycle, standing_circle
from ppnsim.analysis.howard import Edges, howard
from ppnsim.analysis.period_floor import period_floor
from ppnsim.analysis.self_timed import Stands, followed
from ppnsim.analysis.steady_graph import Rows, phases_of
from ppnsim.model.network import Channel, Network
from ppnsim.model.repetition import parts_of, passings_of, rates_of

_LARGEST = 2_000_000  # edges of one graph
_FEW = 60_000  # edges of the graph of a schedule that others go on with
_WHOLE = 2**62  # sums of distances that stay below fit in int64


@dataclass(frozen=True, slots=True, kw_only=True)
class PeriodBounds:
    """The period of processes that channels connect, in cycles per graph iteration; or bounds where it took too much.

    Attributes
    ----------
    firings : of each process in one graph iteration.
    least, most : between which the period lies, the same if it is known; ``most`` None if none was found (a deadlock,
        if ``least`` is None as well).
    critical : what binds along the circle that gives ``most``; empty if that was found without it (`self_timed`).
    unrolled : firings that were looked at, all in all.
    repeated, pace : firings of each process that repeat in a schedule, and its period: the best one of few firings.
    """

    firings: Mapping[str, int]
    least: Fraction | None
    most: Fraction | None
    critical: str
    unrolled: int
    repeated: Mapping[str, int] = field(default_factory=dict, repr=False)
    pace: Fraction | None = field(default=None, repr=False)

    @property
    def exact(self) -> bool:
        """Whether the period (or the deadlock) is known."""
        return self.least == self.most


def period_bounds(network: Network) -> tuple[PeriodBounds, ...]:
    """Return the period of each connected part of an elastic or frozen network with rates, had it no end.

    Memory grows with the firings of circles that may be critical, not of an iteration; time, too, if they are few.

    Raises
    ------
    InputError
        If a part of the network does not repeat, is not a maximum of sums (flushable, shared resources), or if the
        rates are inconsistent. The message names the part.

    Examples
    --------
    >>> from ppnsim.model.network import Channel, Process
    >>> from ppnsim.model.tokens import Rates
    >>> prime = Channel(name="c", source="a", target="b", tokens=Rates(999_983, 1_000_003), depth=4_000_000)
    >>> processes = [Process(name="a", firings=1, ii=3), Process(name="b", firings=1, ii=2)]
    >>> part, = period_bounds(Network(processes=processes, channels=[prime]))
    >>> str(part.least), part.exact, part.critical, part.unrolled
    ('3000009', True, 'ii of a (1 firing, 3 cycles)', 2)
    """
    phases = phases_of(network)
    passings = passings_of(network, phases)
    return tuple(_Part(network, phases, passings, members).bounds() for members in parts_of(network))


class _Part:
    """Processes that channels connect, with the phase cycles of each in an iteration and in the graph (K)."""

    def __init__(
        self, network: Network, phases: Mapping[str, int], passings: Mapping[str, int], members: Sequence[str]
    ) -> None:
        self._network, self._phases, self._passings, self._members = network, phases, passings, members
        self._cycles = {name: passings[name] // phases[name] for name in members}
        self._channels = [channel for channel in network.channels if channel.source in self._cycles]
        self._unrolled = dict.fromkeys(members, 1)
        self._repeated: dict[str, int] = {}
        self._pace: Fraction | None = None
        self._most: Fraction | None = None
        self._is_exact, self._is_followed, self._critical, self._least = False, False, "", Fraction(0)
        self._firings = {name: network.firings_in(name, passings[name]) for name in members}

    def bounds(self) -> PeriodBounds:
        while not self._is_exact:
            edges = self._edges()
            if edges > _FEW and not self._is_followed and max(self._unrolled.values()) > 1:
                self._follow()
            elif edges > _LARGEST:
                self._floor()
                break
            else:
                self._solve()
        return self._told()

    def _solve(self) -> None:
        """Find the period of what is unrolled; unroll more of the circle that sets it if that is short of firings."""
        rows, units = self._rows()
        graph = rows.graph()
        circle = standing_circle(graph.edges)
        if not circle:
            found = howard(graph.edges)
            circle = found.critical_cycle(graph.edges)
            period = found.ratios[-1] * units
            if self._most is None or period < self._most:
                self._most, self._critical = period, str(named_cycle(graph, circle))
            if self._pace is None or (period < self._pace and len(graph.edges.source) <= _FEW):
                self._pace, self._repeated = period, self._unrolled_firings()
        if not self._grow(rows, graph.edges, circle):
            self._is_exact, self._critical = True, self._critical or str(named_cycle(graph, circle))

    def _follow(self) -> None:
        """Find the period, or two bounds, from iterations in which all happens at the earliest."""
        self._is_followed = True
        try:
            found = followed(self._network, self._phases, self._passings, self._members)
        except Stands:
            found, self._most, self._critical, self._is_exact = None, None, "", True
        if found is not None:
            self._least = found[0]
            if self._most is None or found[1] < self._most:
                self._most, self._critical = found[1], ""
            self._is_exact = self._least == self._most

    def _floor(self) -> None:
        """Find a lower bound of a graph that is too large for more, or that nothing moves in it."""
        floor = period_floor(self._network, self._phases, self._cycles)
        if floor is None:
            self._most, self._critical, self._is_exact = None, "", True
        else:
            self._least = max(self._least, floor)

    def _told(self) -> PeriodBounds:
        least, unrolled = self._most if self._is_exact else self._least, sum(self._unrolled_firings().values())
        return PeriodBounds(
            firings=self._firings, least=least, most=self._most, critical=self._critical, unrolled=unrolled,
            repeated=self._repeated, pace=self._pace,
        )  # fmt: skip

    def _grow(self, rows: Rows, edges: Edges, circle: list[int]) -> bool:
        """Unroll more of the processes on a circle; return whether one of them was short of what the circle needs."""
        names, first = list(rows.nodes), [int(nodes.min()) for nodes in rows.nodes.values()]
        on_it = {names[bisect_right(first, node) - 1] for node in edges.source[circle].tolist()}
        common = gcd(*(self._cycles[name] for name in on_it))
        short = {name for name in on_it if self._unrolled[name] % (self._cycles[name] // common)}
        for name in short:
            self._unrolled[name] = lcm(self._unrolled[name], self._cycles[name] // common)
        return bool(short)

    def _edges(self) -> int:
        """Return the edges, at most, and the nodes of the graph of what is unrolled."""
        firings = self._unrolled_firings()
        pairs = sum(self._pairs(channel, firings) for channel in self._channels)
        return pairs + sum(firings[name] * self._network.steps[name].count for name in self._members)

    def _rows(self) -> tuple[Rows, int]:
        """Return the graph of what is unrolled, and the units of its distances."""
        firings = self._unrolled_firings()
        rounds = {name: self._cycles[name] // self._unrolled[name] for name in self._members}
        units = lcm(*rounds.values())
        passings = sum(firings[name] * self._network.steps[name].count for name in self._members)
        reach = max((self._reach(each) / rounds[each.source] for each in self._channels), default=Fraction(0))
        own = {name: units // n for name, n in rounds.items()}
        rows = Rows(self._network, self._phases, firings, own, large=(reach + 2) * passings * units > _WHOLE)
        for name in self._members:
            rows.add_process(self._network.process(name))
        for channel in self._channels:
            rows.add_channel(channel)
        return rows, units

    def _unrolled_firings(self) -> dict[str, int]:
        return {name: self._unrolled[name] * self._phases[name] for name in self._members}

    def _reach(self, channel: Channel) -> Fraction:
        """Return the rounds of its source that a channel's tokens and slots are."""
        rates = rates_of(self._network, channel)
        assert rates is not None
        firings = self._unrolled[channel.source] * self._phases[channel.source]
        return Fraction(max(channel.depth or 0, channel.initial) * len(rates.produce), sum(rates.produce) * firings)

    def _pairs(self, channel: Channel, firings: Mapping[str, int]) -> int:
        """Return the edges of a channel, at most."""
        ends = firings[channel.source], firings[channel.target]
        rounds = self._cycles[channel.source] // self._unrolled[channel.source]
        others = self._cycles[channel.target] // self._unrolled[channel.target]
        common = lcm(rounds, others)
        # The ends come to stand as many ways apart as one of them goes through its firings until both have.
        return ends[1] * min(ends[0], common // rounds) + ends[0] * min(ends[1], common // others)
