"""Which initial tokens start a circle of data: found on the circle of a deadlock that no depth breaks, by running."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.model.network import Network
from ppnsim.model.run import Run
from ppnsim.model.tokens import Rates

_MOST_TOKENS = 16  # added to one channel
_MOST_CIRCLES = 8
_MOST_FIRINGS = 1_000_000  # simulated in all


def initial_tokens(stuck: Run, network: Network) -> tuple[dict[str, int], int]:
    """Return initial tokens with which a network finishes at its own depths, by channel, and the runs that took.

    On each circle the fewest tokens on one channel are tried, those of the channel first that closes it: that of a
    process which is declared before its producer. Nothing is returned if a circle stays.

    Parameters
    ----------
    stuck : the run of the network with FIFOs that never fill, which deadlocks all the same.
    network : with its own depths.

    Examples
    --------
    >>> from ppnsim.model.network import Channel, Process
    >>> loop = Network(processes=[Process(name="a", firings=4), Process(name="b", firings=4)], channels=[
    ...     Channel(name="to", source="a", target="b", depth=2), Channel(name="back", source="b", target="a", depth=2)])
    >>> initial_tokens(run(loop.never_full(), on_deadlock="return"), loop)
    ({'back': 1}, 2)
    """
    added: dict[str, int] = {}
    free, runs = stuck.network, 0
    while stuck.deadlock is not None:
        if len(added) == _MOST_CIRCLES:
            return {}, runs
        for name, count in _candidates(stuck):
            if runs * network.firings > _MOST_FIRINGS:
                return {}, runs
            runs += 1
            tried = _run(free, {name: count})
            if tried is not None and (tried.deadlock is None or not _same_circle(tried, stuck)):
                added[name], free, stuck = count, tried.network, tried
                break
        else:
            return {}, runs
    done = _run(network, added)
    return (added if done is not None and not done.deadlocked else {}), runs + 1


def _candidates(stuck: Run) -> list[tuple[str, int]]:
    """Return the channels of the circle with numbers of tokens to try, the fewest tokens first."""
    assert stuck.deadlock is not None
    network = stuck.network
    order = {process.name: place for place, process in enumerate(network.processes)}
    channels = [network.channel(wait.channel) for wait in stuck.deadlock.cycle if wait.kind == "token"]
    channels = [channel for channel in dict.fromkeys(channels) if isinstance(channel.tokens, Rates)]
    channels.sort(key=lambda channel: order[channel.target] > order[channel.source])
    return [
        (channel.name, channel.initial + more) for more in range(1, _MOST_TOKENS + 1) for channel in channels
        if more <= _most(channel.tokens)
    ]  # fmt: skip


def _most(tokens: object) -> int:
    assert isinstance(tokens, Rates)
    return max(tokens.consume) + max(tokens.produce) - 1


def _same_circle(one: Run, other: Run) -> bool:
    """Return whether two deadlocks are of the same processes."""
    assert one.deadlock is not None and other.deadlock is not None
    return {wait.process for wait in one.deadlock.cycle} == {wait.process for wait in other.deadlock.cycle}


def _run(network: Network, initial: Mapping[str, int]) -> Run | None:
    """Return the run with these initial tokens, None if they break a rule of the network (such as more than fit)."""
    channels = [replace(each, initial=initial.get(each.name, each.initial)) for each in network.channels]
    try:
        return run(network.replace(channels=channels).checked(), on_deadlock="return")
    except InputError:
        return None
