"""Listed tokens that repeat: what a nested loop writes and reads, as the cyclo-static rates that it amounts to."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.model.network import Channel, Network
from ppnsim.model.tokens import Rates


def with_cyclic_rates(network: Network) -> Network:
    """Return the network with rates for every channel whose listed tokens say the same; cycles are not changed.

    Those are channels in order and without multiplicity, all of whose tokens are read, where counts per firing come
    round with a period that divides the firings: one outer iteration of a loop nest. Others stay as they are.

    Examples
    --------
    >>> from ppnsim.model.network import Process
    >>> from ppnsim.model.tokens import Runs
    >>> every_fourth = Channel(name="c", source="a", target="b", tokens=Runs(((3, 4, 5),), ((0, 1, 5),)))
    >>> network = Network(processes=[Process(name="a", firings=20), Process(name="b", firings=5)],
    ...                   channels=[every_fourth])
    >>> with_cyclic_rates(network).channel("c").tokens
    Rates(produce=(0, 0, 0, 1), consume=(1,))
    """
    if all(isinstance(channel.tokens, Rates) for channel in network.channels):
        return network
    channels = [_cyclic(network, channel) for channel in network.channels]
    return network.replace(channels=channels)


def _cyclic(network: Network, channel: Channel) -> Channel:
    counts = network.counts[channel.name]
    if isinstance(channel.tokens, Rates) or counts.kind != "IOM-" or counts.reads is None:
        return channel
    if not np.array_equal(counts.reads[:, 1], np.arange(counts.initial + counts.written)):
        return channel
    produced = np.diff(counts.put.first(network.process(channel.source).firings), prepend=0)
    consumed = np.bincount(counts.reads[:, 0], minlength=network.process(channel.target).firings)
    produce, consume = _round(produced), _round(consumed)
    return channel if produce is None or consume is None else replace(channel, tokens=Rates(produce, consume))


def _round(counts: Int64Array) -> tuple[int, ...] | None:
    """Return the shortest part of which ``counts`` are several repetitions (or the only one), None if there is none."""
    number = len(counts)
    small = [d for d in range(1, int(number**0.5) + 1) if number % d == 0]
    for period in sorted({*small, *(number // d for d in small)}):
        if (period < number or number == 1) and np.array_equal(counts[period:], counts[: number - period]):
            return tuple(counts[:period].tolist())
    return None
