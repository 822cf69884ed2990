"""What the firings of a round do at one end of a channel, and when after their starts."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate

from ppnsim.analysis.k_periodic import PeriodBounds
from ppnsim.model.network import Channel, Network
from ppnsim.model.repetition import rates_of


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundEnd:
    """One end of a channel, firing by firing of a round of its process; cycles count from the firing's start.

    Attributes
    ----------
    moves : tokens that each firing writes (reads).
    access : cycles to the write (read).
    there : cycles until a reader can have what was written, or a writer the slots that were read.
    claim : cycles to the moment in which a writer needs its slots: the write, or the start in convention sdf3.
    """

    moves: tuple[int, ...]
    access: tuple[int, ...]
    there: tuple[int, ...]
    claim: tuple[int, ...]

    @property
    def before(self) -> list[int]:
        """Tokens that the firings of a round before each firing have moved."""
        return [0, *accumulate(self.moves)][:-1]

    @property
    def total(self) -> int:
        """Tokens that a round moves."""
        return sum(self.moves)


def ends_of(network: Network, channel: Channel, part: PeriodBounds) -> tuple[RoundEnd, RoundEnd]:
    """Return the two ends of an unbounded channel with cyclic rates.

    In convention sdf3 a write claims its slots at the start of the firing and a read frees them at the end of its own:
    channels say so themselves where latencies are constant, and would have credits where they are not.
    """
    rates = rates_of(network, channel)
    assert rates is not None
    written, read = part.repeated[channel.source], part.repeated[channel.target]
    puts, takes = _offsets(network, channel.source, "out", channel), _offsets(network, channel.target, "in", channel)
    out, into = (tuple(each[n % len(each)] for n in range(count)) for each, count in ((puts, written), (takes, read)))
    there = tuple(cycles + network.forward(channel.name) for cycles in out)
    free, claim = tuple(cycles + network.release(channel.name) for cycles in into), out
    with_credits = network.written.channel(channel.name).from_offset == channel.from_offset
    if network.convention == "sdf3" and with_credits:
        steps = network.steps[channel.target]
        taken = [steps.read + int(cycles) + steps.write for cycles in steps.latencies]
        free, claim = tuple(taken[n % len(taken)] for n in range(read)), (0,) * written
    return (
        RoundEnd(moves=_cyclic(rates.produce, written), access=out, there=there, claim=claim),
        RoundEnd(moves=_cyclic(rates.consume, read), access=into, there=free, claim=into),
    )


def _offsets(network: Network, process: str, side: str, channel: Channel) -> list[int]:
    """Return the cycles from a start to the access, of each firing if they differ."""
    steps = network.steps[process]
    row = steps.offsets.reshape(steps.count, -1)[steps.port[side, channel.name]]
    return [int(cycles) for cycles in row[: len(row)].tolist()]


def _cyclic(rates: tuple[int, ...], count: int) -> tuple[int, ...]:
    return tuple(rates[n % len(rates)] for n in range(count))
