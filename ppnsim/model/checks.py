"""The named invariants of a network: each ``check_*`` states one rule and runs before any engine sees the network."""

from __future__ import annotations

from collections import Counter
from math import lcm

import numpy as np

from ppnsim.errors import InputError, did_you_mean
from ppnsim.kinds import shown
from ppnsim.model.elements import STYLES, Channel, Process
from ppnsim.model.graph import ProcessGraph
from ppnsim.model.latency import Distribution
from ppnsim.model.parts import check_kinds, check_whole, write_whole
from ppnsim.model.token_counts import TokenCounts
from ppnsim.model.tokens import Listed, Rates, Runs

_SHORTEST_NS, _LONGEST_NS = 1e-6, 1e12  # a femtosecond, a quarter of an hour
_COUNTS = ("forward", "release", "initial", "from_offset", "to_offset")
_LATEST = 2**62  # cycles that a run may reach: sums of two still fit in int64


def check_network(network: ProcessGraph) -> None:
    """Run every invariant below, in an order in which each may rely on those before it."""
    check_kinds(network)
    check_not_empty(network)
    check_names_unique(network)
    for process in network.processes:
        check_schedule(process)
        check_process_numbers(process)
        check_style(process)
        check_latency(process)
    check_resources(network)
    check_ends_exist(network)
    for channel in network.channels:
        check_channel_numbers(channel)
        check_depth(channel)
    check_groups(network)
    _ = network.counts  # every token that is read is there at the start or written, by firings that exist
    _ = network.steps  # every port acts at or after the start of its firing
    check_time_fits(network)
    for channel in network.channels:
        if channel.source == channel.target:
            check_own_tokens_in_time(network, channel)


def check_not_empty(network: ProcessGraph) -> None:
    """A network has at least one process, and a clock."""
    if not network.processes:
        raise InputError("the network has no process, so there is nothing to run")
    if not _SHORTEST_NS <= network.clock_ns <= _LONGEST_NS:
        raise InputError(f"clock_ns = {network.clock_ns} must be a period of {_SHORTEST_NS:g} to {_LONGEST_NS:g} ns")


def check_names_unique(network: ProcessGraph) -> None:
    """Names of processes are unique, and so are names of channels."""
    for kind, names in (
        ("process", [process.name for process in network.processes]),
        ("channel", [channel.name for channel in network.channels]),
    ):
        for name, times in Counter(names).items():
            if times > 1:
                raise InputError(f"{kind} '{name}' is declared twice (names are unique)")
        if "" in names:
            raise InputError(f"a {kind} has an empty name")


def check_process_numbers(process: Process) -> None:
    """All numbers are whole; firings start at 1, read and write latency at 0."""
    check_whole(process, ("firings", "ii", "read", "write"), process.where)
    if process.firings < 1:
        raise InputError(f"firings = {process.firings} must be at least 1", where=process.where)
    for key in ("read", "write"):
        value = getattr(process, key)
        if value is not None and value < 0:
            raise InputError(f"{key} = {value} is negative (latencies start at 0 cycles)", where=process.where)
    for key in ("firings", "read", "write", "latency"):
        value = getattr(process, key)
        if isinstance(value, int) and value > _LATEST:
            words = f"{key} = {value} is out of range (at most 2**62)"
            raise InputError(words, where=process.where)


def check_style(process: Process) -> None:
    """The style is known; ii starts at 1, and may be 0 in an elastic process."""
    if process.style not in STYLES:
        hint = did_you_mean(process.style, STYLES)
        raise InputError(f"style = '{process.style}' is none of {', '.join(STYLES)}{hint}", where=process.where)
    if process.ii < 0:
        raise InputError(f"ii = {process.ii} is negative (initiation intervals start at 1 cycle)", where=process.where)
    if process.ii == 0 and process.style != "elastic":
        words = f"ii = 0 in a {process.style} process: only an elastic one may start any number of firings in a cycle"
        raise InputError(words, where=process.where)


def check_latency(process: Process) -> None:
    """Latencies are not negative, one per firing if listed, and fixed in a frozen process."""
    latency = process.latency
    if not isinstance(latency, int | tuple | Distribution) or isinstance(latency, bool):
        words = f"latency = {shown(latency)} is not a whole number, one for each firing, nor a Distribution"
        raise InputError(f"{words}{write_whole(latency)}", where=process.where)
    if isinstance(latency, int):
        if latency < 0:
            raise InputError(f"latency = {latency} is negative (latencies start at 0 cycles)", where=process.where)
        return
    if process.style == "frozen":
        words = "a latency per firing in a frozen process: its pipeline steps are fixed (use elastic or flushable)"
        raise InputError(words, where=process.where)
    if isinstance(latency, Distribution):
        try:
            latency.check()
        except InputError as error:
            raise InputError(f"latency: {error}", where=process.where) from None
        return
    if len(latency) != process.firings:
        words = f"latency lists {len(latency)} values for {process.firings} firings (one each)"
        raise InputError(words, where=process.where)
    if not {int}.issuperset(map(type, latency)):
        at = next(n for n, value in enumerate(latency) if type(value) is not int)
        words = f"latency[{at}] = {latency[at]!r} is not a whole number{write_whole(latency[at])}"
        raise InputError(words, where=process.where)
    if max(latency) > _LATEST:
        at = next(n for n, value in enumerate(latency) if value > _LATEST)
        raise InputError(f"latency[{at}] = {latency[at]} is out of range (at most 2**62)", where=process.where)
    if min(latency) < 0:
        at = next(n for n, value in enumerate(latency) if value < 0)
        raise InputError(f"latency[{at}] = {latency[at]} is negative (latencies start at 0)", where=process.where)


def check_schedule(process: Process) -> None:
    """A schedule stands in place of firings, ii, latencies and style, and its steps are numbers that fit."""
    if process.schedule is None:
        return
    usual = {"ii": 1, "latency": 1, "read": None, "write": None, "resource": None, "style": "frozen"}
    for key, expected in usual.items():
        if (value := getattr(process, key)) != expected:
            words = "a scheduled process gives its steps in place of it and is frozen"
            raise InputError(f"{key} = {value!r}: {words}", where=process.where)
    try:
        process.schedule.check()
    except InputError as error:
        raise InputError(str(error), where=process.where) from None
    if process.firings != process.schedule.firings:
        words = f"firings = {process.firings}, but its schedule starts {process.schedule.firings}"
        raise InputError(words, where=process.where)


def check_resources(network: ProcessGraph) -> None:
    """Every resource that a process names is declared, with at least one unit."""
    if "" in network.resources:
        raise InputError("a resource has an empty name")
    for name, units in network.resources.items():
        if units < 1:
            raise InputError(f"resource '{name}' has {units} units (at least 1 is needed)")
    for process in network.processes:
        if process.resource is not None and process.resource not in tuple(network.resources):
            hint = did_you_mean(process.resource, network.resources)
            raise InputError(f"resource '{process.resource}' is not declared{hint}", where=process.where)


def check_ends_exist(network: ProcessGraph, *, named: bool = False) -> None:
    """Both ends of every channel are processes of the network; ``named``: ends that are no texts are left out."""
    names = {process.name: None for process in network.processes if isinstance(process.name, str)}
    for channel in network.channels if names else ():  # without any, that is what is wrong
        for key, end in (("from", channel.source), ("to", channel.target)):
            if end not in names if isinstance(end, str) else not named:
                raise InputError(f"{key} = '{end}' is not a process{did_you_mean(end, names)}", where=channel.where)


def check_channel_numbers(channel: Channel) -> None:
    """Counts, latencies and offsets of a channel are whole and not negative; a token has at least one bit."""
    check_whole(channel, (*_COUNTS, "depth", "width"), channel.where)
    if not isinstance(channel.tokens, Rates | Listed | Runs):
        raise InputError(f"tokens = {channel.tokens!r} is none of Rates, Listed, Runs", where=channel.where)
    for key in _COUNTS:
        value = getattr(channel, key)
        if value is not None and value < 0:
            raise InputError(f"{key} = {value} is negative (it starts at 0)", where=channel.where)
    if channel.width < 1:
        raise InputError(f"width = {channel.width} must be at least 1 bit", where=channel.where)


def check_depth(channel: Channel) -> None:
    """A bounded channel holds at least one token, and its initial tokens fit."""
    if channel.depth is None:
        return
    if channel.depth < 1:
        words = f"depth = {channel.depth} holds no token, so nothing could ever pass"
        raise InputError(f"{words} (depths start at 1; leave it out for unbounded)", where=channel.where)
    if channel.initial > channel.depth:
        words = f"initial = {channel.initial} tokens do not fit in depth = {channel.depth}"
        raise InputError(words, where=channel.where)


def check_groups(network: ProcessGraph) -> None:
    """A group has a name of its own, and its channels have depths to choose."""
    names = {channel.name for channel in network.channels}
    for channel in network.channels:
        if channel.group is None:
            continue
        if not isinstance(channel.group, str) or not channel.group:
            raise InputError(f"group = {channel.group!r} is not a name (write group='wide')", where=channel.where)
        if channel.group in names:
            words = f"group = '{channel.group}' is the name of a channel (a group has a name of its own)"
            raise InputError(words, where=channel.where)
        if channel.fixed:
            raise InputError(f"group = '{channel.group}' beside fixed: its depth is not chosen", where=channel.where)


def check_time_fits(network: ProcessGraph) -> None:
    """No run can reach cycles that do not fit in 64 bits: even one firing after the other would end before."""
    latest = 0
    for process in network.processes:
        steps = network.steps[process.name]
        if process.schedule is not None:
            latest += process.schedule.runs * process.schedule.steps + 1
        else:
            latest += process.firings * (process.ii + steps.deepest + steps.write + 1)
    for channel in network.channels:
        counts = network.counts[channel.name]
        latest += counts.written * network.forward(channel.name) + counts.freed_total * network.release(channel.name)
    if latest > _LATEST:
        raise InputError(f"a run could take up to {latest:.3g} cycles, which do not fit in 64 bits (at most 2**62)")


def first_round(counts: TokenCounts, firings: int) -> int:
    """Return how many of the firings of a process that writes to itself show how late it ever writes what it reads.

    Of rates, a token is never written later before its read than in the first round: as many tokens on as a round
    writes, the writer is a whole round later and the reader at least that, because no more is read than is written.
    """
    period = lcm(max(1, len(counts.put.table)), max(1, len(counts.freed.table)))
    written, read = counts.put.last(period), counts.freed.last(period)
    if counts.reads is not None or not written >= read > 0:
        return firings
    return min(firings, period * -(-(counts.initial + written) // read))


def check_own_tokens_in_time(network: ProcessGraph, channel: Channel) -> None:
    """A process that writes to itself reads no token that cannot have been written by then."""
    process = network.process(channel.source)
    steps, counts = network.steps[process.name], network.counts[channel.name]
    passings = network.passings_of(process.name)
    if steps.stops is None and not steps.varies:
        passings = first_round(counts, passings)
    reader_firing, token = counts.reading_pairs(passings).T
    written = (token >= counts.initial) & (token < counts.initial + counts.put.last(passings))
    reader = reader_firing[written]
    writer = counts.writing_firings(passings)[token[written] - counts.initial]
    read_at = steps.offsets_of(steps.port["in", channel.name], passings)[reader]
    outputs = steps.offsets_of(steps.port["out", channel.name], passings)
    ahead = writer - reader
    if process.style == "elastic" or steps.varies:
        # A late read may wait in the pipeline for a write by a firing behind it, as far as C firings reach.
        write_at = outputs[reader]
        capacity = steps.capacity if steps.capacity is not None else process.firings
        impossible = (ahead >= 0) & ((write_at >= read_at) | (ahead >= capacity))
    else:
        write_at = outputs[writer]
        places = steps.places(passings, process.ii)
        read_place, write_place = places[steps.port["in", channel.name]], places[steps.port["out", channel.name]]
        impossible = (ahead >= 0) & (write_place[writer] >= read_place[reader])
    if np.any(impossible):
        at = int(np.argmax(impossible))
        if steps.stops is not None:
            wrong, right = int(read_place[reader][at]), int(write_place[writer][at])
            words = (
                f"token {token[written][at]} is read by '{process.name}' at step {wrong}, and written by it at step "
                f"{right}, not before"
            )
            raise InputError(words, where=channel.where)
        words = (
            f"token {token[written][at]} is read by firing {reader[at]} of '{process.name}' at step {read_at[at]}, "
            f"before firing {writer[at]} of the same process can have written it at step {write_at[at]} "
            "(give the channel initial tokens, or let earlier firings write them)"
        )
        raise InputError(words, where=channel.where)
