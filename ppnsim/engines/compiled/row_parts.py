"""The parts of a frame that come round: where its channels are accessed, and how many places of a process are a row."""

from __future__ import annotations

from collections.abc import Mapping
from math import lcm

import numpy as np

from ppnsim.engines.compiled.row_places import ChannelEnd, Regular, end_of, places_of_ends
from ppnsim.errors import InputError
from ppnsim.model.network import Channel, Network
from ppnsim.model.repetition import repetition_vector
from ppnsim.model.schedule import StepSchedule
from ppnsim.model.tokens import Rates

Ends = Mapping[str, tuple[ChannelEnd, ChannelEnd]]

_LONGEST = 1_000_000  # places of a row


def ends_of(network: Network) -> dict[str, tuple[ChannelEnd, ChannelEnd]] | None:
    """Return the ends of all channels; None if one of them, or of what goes through one of them, has no rows."""
    found: dict[str, tuple[ChannelEnd, ChannelEnd]] = {}
    for channel in network.channels:
        places = places_of_ends(network, channel)
        if places is None:
            return None
        into = end_of(channel.source, places[0], _count(network, channel.source))
        out = end_of(channel.target, places[1], _count(network, channel.target))
        if into is None or out is None:
            return None
        if (into.regular is None) != (out.regular is None) and not _all_at_once(channel, into, out):
            return None
        found[channel.name] = into, out
    return found


def _all_at_once(channel: Channel, into: ChannelEnd, out: ChannelEnd) -> bool:
    """Return whether all tokens are written in one place before the rows, or read in one behind them, and have room.

    Such a channel has no effect in the rows, however many they are.
    """
    if channel.depth is not None:
        return False
    if into.regular is None:
        return len(into.places) >= len(out.places) and into.at_once and into.begin > into.places[0]
    return len(out.places) == channel.initial + len(into.places) and out.at_once and out.end <= out.places[0]


def _count(network: Network, name: str) -> int:
    """Return the places of a process."""
    process = network.process(name)
    return process.firings if process.schedule is None else process.schedule.steps


def _starts(process: str, schedule: StepSchedule) -> ChannelEnd | None:
    """Return where the firings of a scheduled process start, as `end_of` has it, without a list of even starts."""
    if (run := schedule.start_steps.even) is None:
        return end_of(process, schedule.start_steps.expand(), schedule.steps)
    first, every, count = run
    last = first + every * (count - 1)
    return end_of(process, np.array([first, last]), schedule.steps, Regular(first + 1, last, every, 1))


def regular_parts(network: Network, ends: Ends) -> dict[str, tuple[int, int]] | None:
    """Return of each process the places that are in the regular parts of all that it does."""
    found = {process.name: (1, _count(network, process.name) - 1) for process in network.processes}
    starts = {
        process.name: _starts(process.name, process.schedule)
        for process in network.processes
        if process.schedule is not None
    }
    for end in (*starts.values(), *(end for both in ends.values() for end in both)):
        if end is None:
            return None
        begin, last = found[end.process]
        found[end.process] = max(begin, end.begin), min(last, end.end)
    return found


def places_of_a_row(network: Network, ends: Ends) -> dict[str, int] | None:
    """Return how many places of each process make a row: all that it does comes round in them, and no token is left."""
    phases = {process.name: 1 for process in network.processes}
    for process in network.processes:
        if process.schedule is not None:
            starts = _starts(process.name, process.schedule)
            phases[process.name] = starts.regular.every if starts is not None and starts.regular is not None else 1
    used = []
    for channel in network.channels:
        rates = []
        for end in ends[channel.name]:
            if end.regular is not None:
                phases[end.process] = lcm(phases[end.process], end.regular.every)
                if phases[end.process] > _LONGEST:
                    return None
                rates.append((end.regular.tokens, *(0,) * (end.regular.every - 1)))
        if len(rates) == 2:
            used.append((channel, Rates(*rates)))
    try:
        return repetition_vector(phases, [channel for channel, _ in used], {each.name: rates for each, rates in used})
    except InputError:  # tokens pile up, row after row
        return None
