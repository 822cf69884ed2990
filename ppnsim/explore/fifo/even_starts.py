"""Firings that start evenly, period / firings cycles apart: the depths that they need, as a linear program.

A channel then needs one difference of start times, whatever the firing. The program's result is rounded up in whole
numbers and fractions, and `is_enough` checks each wait again.

Source: Benazouz, Marchetti, Munier-Kordon and Urard 2010, A new approach for minimizing buffer capacities with
throughput constraint for embedded system design; Bodin, Munier-Kordon and Dupont de Dinechin 2013.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil, gcd

from ppnsim.analysis.k_periodic import PeriodBounds
from ppnsim.errors import InputError
from ppnsim.explore.fifo.linear_program import LinearProgram
from ppnsim.model.network import Channel, Network
from ppnsim.model.tokens import Rates

_SLACK = Fraction(1, 10**6)  # of a period that was found by rounding
_AT_ONCE = Fraction(1, 1000)  # cycles between accesses in the same cycle of which one needs the other
Times = dict[str, Fraction]


def floor_of(channel: Channel) -> int:
    """Return the depth of a channel without which its two ends stand still, however fast they are.

    Examples
    --------
    >>> floor_of(Channel(name="c", source="a", target="b", tokens=Rates(4, 6), initial=1))
    9
    """
    assert isinstance(channel.tokens, Rates)
    if len({*channel.tokens.produce}) > 1 or len({*channel.tokens.consume}) > 1:
        return max(*channel.tokens.produce, *channel.tokens.consume, channel.initial)
    put, taken = moved(channel)
    if channel.source == channel.target:
        return max(put, channel.initial)
    common = gcd(put, taken)
    return max(put + taken - common + channel.initial % common, channel.initial)


def is_enough(
    network: Network, firings: Mapping[str, int], period: Fraction, starts: Times, depths: Mapping[str, int]
) -> bool:
    """Return whether evenly spread starts are a schedule with these depths: no firing comes before what it waits for.

    Firing n of a reader needs token (n + 1) c - 1 - d, and the firing of the writer that it is from; a firing of a
    writer needs a slot likewise. By the residues of these numbers, the one that waits longest is known.
    """
    for channel in network.channels:
        if channel.source not in firings:
            continue
        (put, taken), there = moved(channel), channel.initial
        common, per_token = gcd(put, taken), period / (firings[channel.source] * put)
        written = starts[channel.source] + offset_of(network, "out", channel, period, firings)
        read = starts[channel.target] + offset_of(network, "in", channel, period, firings)
        token = taken - 1 - there - (-1 - there) % common
        slot = put - 1 + there - depths[channel.name] - (there - depths[channel.name] - 1) % common
        if read < written + _wait(network.forward(channel.name)) + token * per_token:
            return False
        if written < read + _wait(network.release(channel.name)) + slot * per_token:
            return False
    return all(period >= count * network.process(name).ii for name, count in firings.items())


class EvenStarts:
    """A connected part of a network with unbounded channels, as a linear program over its processes."""

    def __init__(self, network: Network, part: PeriodBounds) -> None:
        self._network, self._firings = network, part.firings
        self.channels = [channel for channel in network.channels if channel.source in part.firings]
        self._number = {name: number for number, name in enumerate(part.firings)}
        self._part = part
        self._tokens = {each.name: part.firings[each.source] * moved(each)[0] for each in self.channels}
        self._floor = Fraction(max(count * network.process(name).ii for name, count in part.firings.items()))

    def period(self) -> Fraction:
        """Return a period that evenly spread starts can have: the least one, or little more."""
        if self._starts(self._floor, dict.fromkeys(self._firings, Fraction(0))) is not None:
            return self._floor
        program = LinearProgram(len(self._firings) + 1)
        own = len(self._firings)  # the column of the period, in units of its floor
        program.highs.changeColCost(own, 1.0)
        program.row(1.0, [(own, 1.0)])
        for channel in self.channels:
            fixed, with_period = self._gap(channel, Fraction(0)), self._gap(channel, self._floor)
            entries = [*self._ends(channel), (own, -float((with_period - fixed) / self._floor))]
            program.row(float(fixed / self._floor), entries)
        found = program.solved()[0][own] if program.run() else 0.0
        for slack in (_SLACK, 1000 * _SLACK):
            period = self._floor * Fraction(found) * (1 + slack)
            if self._starts(period, dict.fromkeys(self._firings, Fraction(0))) is not None:
                return period
        raise InputError(
            "has no evenly spread starts: a circle of channels needs more tokens", where=next(iter(self._firings))
        )

    def depths(self, period: Fraction) -> tuple[Times, dict[str, int]]:
        """Return starts of firing 0 (cycles), and depths that are enough for them, as few as even starts need."""
        number = len(self._firings)
        program = LinearProgram(number + len(self.channels))
        most = max(self._tokens.values(), default=1)
        for column, channel in enumerate(self.channels, number):
            tokens = self._tokens[channel.name]
            program.highs.changeColCost(column, tokens / most)  # a column is a depth in tokens of an iteration
            program.row(max(floor_of(channel), in_flight(self._network, self._part, channel)) / tokens, [(column, 1.0)])
            program.row(float(self._gap(channel, period) / period), self._ends(channel))
            back = [(each, -factor) for each, factor in self._ends(channel)]
            program.row(float(self._room(channel, period, Fraction(0)) / tokens), [(column, 1.0), *back])
        values = program.solved()[0] if program.run() else number * [0.0]
        starts = self._starts(period, {name: period * Fraction(values[at]) for name, at in self._number.items()})
        assert starts is not None
        return starts, {each.name: self._depth(each, period, starts) for each in self.channels}

    def _ends(self, channel: Channel) -> list[tuple[int, float]]:
        return [(self._number[channel.target], 1.0), (self._number[channel.source], -1.0)]

    def _gap(self, channel: Channel, period: Fraction) -> Fraction:
        """Return the cycles at least from the first start of a channel's writer to that of its reader."""
        put, taken = moved(channel)
        common, there = gcd(put, taken), channel.initial
        ahead = (taken - common + there % common - there) * period / self._tokens[channel.name]
        return ahead + _wait(self._network.forward(channel.name)) + self._apart(channel, period)

    def _apart(self, channel: Channel, period: Fraction) -> Fraction:
        """Return by how many cycles more a writer writes after its start than a reader reads."""
        ends = (offset_of(self._network, end, channel, period, self._firings) for end in ("out", "in"))
        written, read = ends
        return written - read

    def _room(self, channel: Channel, period: Fraction, later: Fraction) -> Fraction:
        """Return the tokens that a channel holds at least if its reader's first start is so many cycles later."""
        put, taken = moved(channel)
        waits = later - self._apart(channel, period) + _wait(self._network.release(channel.name))
        return channel.initial + put - gcd(put, taken) + waits * self._tokens[channel.name] / period

    def _depth(self, channel: Channel, period: Fraction, starts: Times) -> int:
        """Return the depth for these starts: what is held, in steps in which a depth makes a difference."""
        common = gcd(*moved(channel))
        needed = ceil(self._room(channel, period, starts[channel.target] - starts[channel.source]))
        least = max(needed, floor_of(channel))
        return least + (channel.initial - least) % common if needed >= least else least

    def _starts(self, period: Fraction, starts: Times) -> Times | None:
        """Return starts no earlier than these with which no data come late, None if there are none."""
        starts = dict(starts)
        gaps = [(each.source, each.target, self._gap(each, period)) for each in self.channels]
        for _ in range(len(starts) + 1):
            settled = True
            for source, target, gap in gaps:
                if starts[source] + gap > starts[target]:
                    starts[target], settled = starts[source] + gap, False
            if settled:
                return starts
        return None


def in_flight(network: Network, part: PeriodBounds, channel: Channel) -> int:
    """Return the tokens that move while a slot is away, at the pace of unbounded channels (no faster is known)."""
    assert isinstance(channel.tokens, Rates)
    produce = channel.tokens.produce
    away = network.forward(channel.name) + network.release(channel.name)
    tokens = Fraction(part.firings[channel.source] * sum(produce), len(produce))
    return ceil(tokens * away / part.most) if part.most else 0


def _wait(cycles: int) -> Fraction:
    """Return the cycles of a wait, more than none: what happens in one cycle then has an order (T2.5)."""
    return max(Fraction(cycles), _AT_ONCE)


def moved(channel: Channel) -> tuple[int, int]:
    """Return how many tokens a firing of the writer and of the reader moves."""
    assert isinstance(channel.tokens, Rates)
    return channel.tokens.produce[0], channel.tokens.consume[0]


def offset_of(network: Network, end: str, channel: Channel, period: Fraction, firings: Mapping[str, int]) -> Fraction:
    """Return the cycles from a start to an access; a frozen pipeline makes its steps evenly, too."""
    name = channel.source if end == "out" else channel.target
    process, steps = network.process(name), network.steps[name]
    offset = Fraction(int(steps.offsets[steps.port[end, channel.name]]))
    return offset * period / (firings[name] * process.ii) if process.style == "frozen" else offset
