"""What the depth of a channel counts: our convention, and that of SDF3 and Kiter.

``ppn`` is ours: a slot is taken at the write and free ``release`` cycles after the read. ``sdf3`` claims the space of
all tokens of a firing at the *start* of the producer's firing and frees it at the *end* of the consumer's.

Source: Stuijk, Geilen and Basten 2008, section 4 (storage distributions: a channel back with the free space).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace
from typing import Literal, TypeVar

from ppnsim.errors import InputError, did_you_mean
from ppnsim.model.elements import Channel, Process
from ppnsim.model.graph import ProcessGraph
from ppnsim.model.scheduled_tokens import is_scheduled
from ppnsim.model.tokens import Rates

Convention = Literal["ppn", "sdf3"]
CONVENTIONS: tuple[Convention, ...] = ("ppn", "sdf3")
Part = TypeVar("Part", Process, Channel)


def convention_of(name: str) -> Convention:
    """Return the convention that is called so.

    Examples
    --------
    >>> convention_of("sdf")
    Traceback (most recent call last):
    ppnsim.errors.InputError: convention = 'sdf' is none of ppn, sdf3 (did you mean 'sdf3'?)
    """
    for known in CONVENTIONS:
        if name == known:
            return known
    raise InputError(f"convention = '{name}' is none of ppn, sdf3{did_you_mean(name, CONVENTIONS)}")


def claiming(written: ProcessGraph) -> tuple[list[Process], list[Channel]]:
    """Return the processes and channels that do, in convention ``ppn``, what is written in convention ``sdf3``.

    Where nothing but the start of a firing can wait, a channel says that itself: its writes act at step 0 and are
    there as many cycles later as the firing takes (``from_offset`` 0, ``forward`` the producer's duration,
    ``release`` the consumer's), and the depth stays a depth, also one without an end. Otherwise (durations that differ
    between firings, frozen pipelines) a bounded channel has another, ``NAME.space``, that brings credits back:
    depth - initial of them, taken at the producer's start, returned at the consumer's end.

    Raises
    ------
    InputError
        If a bounded channel has listed tokens, offsets, or a ``release``.
    """
    plain = {process.name: _waits_at_start_only(written, process.name) for process in written.processes}
    channels: list[Channel] = []
    for channel in written.channels:
        why_not = _not_covered(channel)
        if channel.depth is not None and why_not is not None:
            raise InputError(why_not, where=channel.where)
        if why_not is None and plain[channel.source] and plain[channel.target]:
            steps = written.steps[channel.source]
            readable = steps.read + int(steps.latencies[0]) + written.forward(channel.name)
            released = duration(written, channel.target)
            channels.append(replace(channel, from_offset=0, forward=readable, release=released))
        elif channel.depth is not None:
            channels += _with_credits(written, channel, channel.depth)
        else:
            channels.append(channel)
    # Credits are not data: they do not give a source of the network a read, or a sink a write.
    processes = [
        replace(process, read=written.read_latency(process.name), write=written.write_latency(process.name))
        if process.schedule is None
        else process
        for process in written.processes
    ]
    return processes, channels


def as_written(parts: Iterable[Part], shown: Iterable[Part], written: Iterable[Part]) -> list[Part]:
    """Return changed copies of what `claiming` made as changed copies of what it was made of.

    Examples
    --------
    >>> before = Process(name="a", firings=4)
    >>> made = replace(before, read=1, write=1)
    >>> as_written([replace(made, latency=3)], [made], [before]) == [replace(before, latency=3)]
    True
    """
    made, before = ({part.name: part for part in each} for each in (shown, written))
    found = []
    for part in parts:
        if part.name not in made:
            found.append(part)
        elif part.name in before:  # credits are of no part that is written
            was = made[part.name]
            names = [each.name for each in fields(part)]
            changes = {name: getattr(part, name) for name in names if getattr(part, name) != getattr(was, name)}
            found.append(replace(before[part.name], **changes) if changes else before[part.name])
    return found


def duration(network: ProcessGraph, process: str) -> int | None:
    """Return the cycles from the start of a firing to its end, None where they differ between firings."""
    steps = network.steps[process]
    if steps.varies:
        return None
    return steps.read + int(steps.latencies[0]) + steps.write


def _waits_at_start_only(network: ProcessGraph, process: str) -> bool:
    """Whether an unhindered start makes an unhindered firing, once all writes claim their space at the start."""
    ports = [*network.inputs(process), *network.outputs(process)]
    usual = all(port.from_offset is None and not port.to_offset for port in ports)
    return usual and network.process(process).style != "frozen" and duration(network, process) is not None


def _with_credits(network: ProcessGraph, channel: Channel, depth: int) -> list[Channel]:
    assert isinstance(channel.tokens, Rates)
    counts = network.counts[channel.name]
    left = channel.initial + counts.written - counts.freed_total
    if left > depth:
        raise InputError(f"{left} tokens are left over at the end, more than depth = {depth}", where=channel.where)
    tokens = Rates(channel.tokens.consume, channel.tokens.produce)
    name, room = f"{channel.name}.space", depth - channel.initial
    back = Channel(name=name, source=channel.target, target=channel.source, tokens=tokens, initial=room)
    return [replace(channel, depth=None), back]


def _not_covered(channel: Channel) -> str | None:
    """A depth in the convention of SDF3 is that of a channel with rates, ports at their places and no release."""
    if is_scheduled(channel):
        return "is accessed at the steps of a scheduled process; convention sdf3 is for rates"
    if not isinstance(channel.tokens, Rates):
        return "tokens are listed firing by firing; convention sdf3 is for rates"
    if channel.from_offset is not None or channel.to_offset:
        return "has an offset; convention sdf3 claims space at the start and frees it at the end of a firing"
    if channel.release is not None:
        return f"release = {channel.release} says when a slot is free, and convention sdf3 also does (give one)"
    return None
