"""Depths for a steady state from the graph alone, however many firings an iteration has: bounds below and above.

Firings that start evenly (`even_starts`) need depths that are enough, and so do rounds of firings (`round_starts`)
where rates or latencies differ between firings; other starts may need fewer.

With p tokens written and c read at a time, g = gcd(p, c) and d initial ones, no depth below p + c - g + d mod g lets
both ends go on (d itself, if there are more). And a slot comes back no sooner than ``forward`` + ``release`` cycles
after it was taken, so that as many tokens as move in this time have to have room.

Source: Adé, Lauwereins and Peperstraete 1997, Data memory minimisation for synchronous data flow graphs (the least
depth of one channel).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from ppnsim.analysis.k_periodic import PeriodBounds, period_bounds
from ppnsim.analysis.self_timed import followed
from ppnsim.analysis.steady_graph import phases_of
from ppnsim.errors import InputError
from ppnsim.explore.fifo.even_starts import EvenStarts, floor_of, in_flight, is_enough
from ppnsim.explore.fifo.round_starts import RoundStarts
from ppnsim.model.network import Network
from ppnsim.model.repetition import passings_of
from ppnsim.model.tokens import Rates

_FOLLOWED = 1_000_000_000  # waits, a quarter of a minute


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphSizes:
    """Depths with which a network's parts have a period, and depths below which nothing is as fast.

    Attributes
    ----------
    parts : the period of each connected part with unbounded channels.
    periods : of each part with the depths ``most``, at the latest (cycles per iteration).
    least : tokens by channel below which the period of unbounded channels is out of reach, each by itself.
    live : tokens by channel below which the network deadlocks, each by itself.
    most : depths in tokens by channel that are enough for ``periods``, all together.
    """

    parts: tuple[PeriodBounds, ...]
    periods: tuple[Fraction, ...]
    least: Mapping[str, int]
    live: Mapping[str, int]
    most: Mapping[str, int]

    @property
    def gap(self) -> Fraction | None:
        """How far the sum of all depths may be above the least, as a share of that; None where the period is longer.

        The least depths are those of the period of unbounded channels: a longer one may do with fewer.
        """
        if any(period != part.most for period, part in zip(self.periods, self.parts, strict=True)):
            return None
        return Fraction(sum(self.most.values()), max(1, sum(self.least.values()))) - 1


def graph_sizes(network: Network, parts: tuple[PeriodBounds, ...] | None = None) -> GraphSizes:
    """Return bounds on the smallest depths of all channels for the steady state; those of the network do not matter.

    Time and memory grow with the firings of an iteration no more than those of `period_bounds`, whose answer for
    unbounded channels may be given.

    Raises
    ------
    InputError
        If a process is scheduled, or frozen where rates differ between firings; a channel has no rates, a fixed
        depth or a group; nothing takes time; or the network deadlocks with channels without end.

    Examples
    --------
    >>> from ppnsim.model.network import Channel, Process
    >>> prime = Channel(name="c", source="a", target="b", tokens=Rates(999_983, 1_000_003))
    >>> processes = [Process(name="a", firings=1, ii=3), Process(name="b", firings=1, ii=2)]
    >>> found = graph_sizes(Network(processes=processes, channels=[prime]))
    >>> found.periods, found.least, found.most
    ((Fraction(3000009, 1),), {'c': 1999985}, {'c': 2666640})
    """
    unlimited = network.with_depths(dict.fromkeys(channel.name for channel in network.channels))
    parts = period_bounds(unlimited) if parts is None else parts
    _check(unlimited)
    for part in parts:
        if part.exact and part.most is None:
            raise InputError("no depths from the graph: it deadlocks however deep its FIFOs are", where=network.name)
        if not part.exact and part.most is None:
            words = "no depths from the graph: no upper bound on its period was found"
            raise InputError(words, where=next(iter(part.firings)))
        if not part.most:
            words = "no depths from the graph: its firings start at any time, as nothing takes time"
            raise InputError(words, where=next(iter(part.firings)))
    periods: list[Fraction] = []
    least: dict[str, int] = {}
    live: dict[str, int] = {}
    most: dict[str, int] = {}
    for part in parts:
        period, depths = _even(unlimited, part) if _are_alike(unlimited, part) else _by_rounds(unlimited, part)
        periods.append(period if period == part.most else _at_the_earliest(unlimited, part, period, depths))
        most |= depths
        for channel in unlimited.channels:
            if channel.source in part.firings:
                live[channel.name] = floor_of(channel)
                least[channel.name] = max(live[channel.name], in_flight(unlimited, part, channel))
    order = [channel.name for channel in network.channels]
    least, live, most = ({name: each[name] for name in order} for each in (least, live, most))
    return GraphSizes(parts=parts, periods=tuple(periods), least=least, live=live, most=most)


def _even(network: Network, part: PeriodBounds) -> tuple[Fraction, dict[str, int]]:
    """Return a period and depths of firings that start evenly."""
    graph = EvenStarts(network, part)
    period = graph.period()
    depths = graph.depths(period)
    if not is_enough(network, part.firings, period, *depths):
        raise AssertionError(f"depths of '{network.name}' do not bear their own check")
    return period, depths[1]


def _by_rounds(network: Network, part: PeriodBounds) -> tuple[Fraction, dict[str, int]]:
    """Return a period and depths of firings that each start at a time of their own in a round."""
    graph = RoundStarts(network, part)
    period, starts = graph.schedule()
    return period, graph.depths(period, starts)


def _at_the_earliest(network: Network, part: PeriodBounds, period: Fraction, depths: dict[str, int]) -> Fraction:
    """Return the period with these depths if all happens at the earliest, or this one where that is much work."""
    sized = network.with_depths(depths)
    phases = phases_of(sized)
    found = followed(sized, phases, passings_of(sized, phases), list(part.firings), _FOLLOWED)
    return period if found is None else min(period, found[1])


def _are_alike(network: Network, part: PeriodBounds) -> bool:
    """Return whether all firings of each process are alike: constant rates, one latency, and an interval somewhere."""
    tokens = [channel.tokens for channel in network.channels if channel.source in part.firings]
    return (
        any(network.process(name).ii for name in part.firings)
        and not any(network.steps[name].varies for name in part.firings)
        and all(isinstance(each, Rates) and len({*each.produce}) == len({*each.consume}) == 1 for each in tokens)
    )


def _check(network: Network) -> None:
    """Refuse by name what neither of the two schedules covers."""
    for process in network.processes:
        if process.name in network.stops:
            raise InputError("no depths from the graph: it is scheduled", where=process.where)
    for channel in network.channels:
        if not isinstance(channel.tokens, Rates):
            raise InputError("no depths from the graph: its tokens are listed firing by firing", where=channel.where)
        if channel.fixed or channel.group is not None:
            raise InputError("no depths from the graph: its depth is fixed, or shared in a group", where=channel.where)
