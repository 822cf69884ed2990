"""What the depth of a channel counts: our convention, and that of SDF3 and Kiter."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from ppnsim.errors import InputError, did_you_mean
from ppnsim.model.network import Channel, Network
from ppnsim.model.scheduled_tokens import is_scheduled
from ppnsim.model.tokens import Rates

Convention = Literal["ppn", "sdf3"]
CONVENTIONS: tuple[Convention, ...] = ("ppn", "sdf3")


def with_convention(network: Network, convention: str) -> Network:
    """Return the network with its depths meant as this convention says.

    ``ppn`` is ours: a slot is taken at the write and free ``release`` cycles after the read. ``sdf3`` claims the space
    of all tokens of a firing at the *start* of the producer's firing and frees it at the *end* of the consumer's.

    Where nothing but the start of a firing can wait, a channel says that itself: its writes act at step 0 and are
    there as many cycles later as the firing takes (``from_offset`` 0, ``forward`` the producer's duration,
    ``release`` the consumer's), and the depth stays a depth. Otherwise (durations that differ between firings,
    frozen pipelines) a channel ``NAME.space`` brings credits back: depth - initial of them, taken at the producer's
    start, returned at the consumer's end.

    Raises
    ------
    InputError
        If the convention is unknown, or a bounded channel has listed tokens, offsets, or a ``release``.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> network = with_convention(chain(firings=4, length=2, latency=3, depth=2), "sdf3")
    >>> (c := network.channel("c0")).from_offset, c.forward, c.release, c.depth
    (0, 4, 4, 2)

    Source: Stuijk, Geilen and Basten 2008, section 4 (storage distributions: a channel back with the free space).
    """
    if convention not in CONVENTIONS:
        raise InputError(f"convention = '{convention}' is none of ppn, sdf3{did_you_mean(convention, CONVENTIONS)}")
    if convention == "ppn" or all(channel.depth is None for channel in network.channels):
        return network
    network.checked()
    plain = {process.name: _waits_at_start_only(network, process.name) for process in network.processes}
    channels: list[Channel] = []
    for channel in network.channels:
        if channel.depth is None:
            channels.append(channel)
            continue
        _check(channel)
        if plain[channel.source] and plain[channel.target]:
            steps = network.steps[channel.source]
            readable = steps.read + int(steps.latencies[0]) + network.forward(channel.name)
            released = duration(network, channel.target)
            channels.append(replace(channel, from_offset=0, forward=readable, release=released))
        else:
            channels += _with_credits(network, channel, channel.depth)
    # Credits are not data: they do not give a source of the network a read, or a sink a write.
    processes = [
        replace(process, read=network.read_latency(process.name), write=network.write_latency(process.name))
        if process.schedule is None
        else process
        for process in network.processes
    ]
    return network.replace(processes=processes, channels=channels).checked()


def brings_credits(network: Network) -> bool:
    """Return whether `with_convention` added channels of credits: a credit that is missing means a full channel.

    Examples
    --------
    >>> from ppnsim.model.builders import sdf
    >>> graph = sdf({"a": (1, 2), "b": 3}, {"c": ("a", 1, 1, "b", 0)}, firings={"a": 4, "b": 4})
    >>> brings_credits(graph), brings_credits(with_convention(graph.with_depths({"c": 3}), "sdf3"))
    (False, True)
    """
    ends = {channel.name: (channel.source, channel.target) for channel in network.channels}
    return any(ends.get(f"{name}.space") == (target, source) for name, (source, target) in ends.items())


def duration(network: Network, process: str) -> int | None:
    """Return the cycles from the start of a firing to its end, None where they differ between firings."""
    steps = network.steps[process]
    if steps.varies:
        return None
    return steps.read + int(steps.latencies[0]) + steps.write


def _waits_at_start_only(network: Network, process: str) -> bool:
    """Whether an unhindered start makes an unhindered firing, once all writes claim their space at the start."""
    ports = [*network.inputs(process), *network.outputs(process)]
    usual = all(port.from_offset is None and not port.to_offset for port in ports)
    return usual and network.process(process).style != "frozen" and duration(network, process) is not None


def _with_credits(network: Network, channel: Channel, depth: int) -> list[Channel]:
    assert isinstance(channel.tokens, Rates)
    counts = network.counts[channel.name]
    left = channel.initial + counts.written - counts.freed_total
    if left > depth:
        raise InputError(f"{left} tokens are left over at the end, more than depth = {depth}", where=channel.where)
    tokens = Rates(channel.tokens.consume, channel.tokens.produce)
    name, room = f"{channel.name}.space", depth - channel.initial
    back = Channel(name=name, source=channel.target, target=channel.source, tokens=tokens, initial=room)
    return [replace(channel, depth=None), back]


def _check(channel: Channel) -> None:
    """A depth in the convention of SDF3 is that of a channel with rates, ports at their places and no release."""
    if is_scheduled(channel):
        words = "is accessed at the steps of a scheduled process; convention sdf3 is for rates"
    elif not isinstance(channel.tokens, Rates):
        words = "tokens are listed firing by firing; convention sdf3 is for rates"
    elif channel.from_offset is not None or channel.to_offset:
        words = "has an offset; convention sdf3 claims space at the start and frees it at the end of a firing"
    elif channel.release is not None:
        words = f"release = {channel.release} says when a slot is free, and convention sdf3 also does (give one)"
    else:
        return
    raise InputError(words, where=channel.where)
