"""The repetition vector: how often each actor of a dataflow graph fires until all channels are as they were."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from math import gcd, lcm

import numpy as np

from ppnsim.errors import InputError
from ppnsim.model.elements import Channel
from ppnsim.model.graph import ProcessGraph
from ppnsim.model.schedule import Stops
from ppnsim.model.step_lists import StepList
from ppnsim.model.tokens import Rates


def repetition_vector(
    phases: Mapping[str, int], channels: Iterable[Channel], rates: Mapping[str, Rates] | None = None
) -> dict[str, int]:
    """Return the firings of each actor in one graph iteration: whole cycles of its ``phases``, as few as possible.

    ``rates`` are those of the channels by name, if they are not what their tokens say (`rates_of`). Parts of a graph
    that no channel connects repeat each for themselves.

    Raises
    ------
    InputError
        If no number of firings returns all channels to their tokens; the message names the channel.

    Examples
    --------
    >>> edge = Channel(name="c", source="a", target="b", tokens=Rates(2, (1, 2)))
    >>> repetition_vector({"a": 1, "b": 2}, [edge])
    {'a': 3, 'b': 4}

    Source: Lee and Messerschmitt 1987 (SDF); Bilsen et al. 1996, theorem 1 (CSDF).
    """
    if rates is not None:
        channels = [replace(channel, tokens=rates[channel.name]) for channel in channels]
    ends: dict[str, list[Channel]] = {name: [] for name in phases}
    for channel in channels:
        ends[channel.source].append(channel)
        ends[channel.target].append(channel)
    cycles: dict[str, Fraction] = {}
    for first in phases:
        if first in cycles:
            continue
        cycles[first] = Fraction(1)
        part = [first]
        for name in part:  # grows while it is walked
            for channel in ends[name]:
                _pass_on(channel, name, phases, cycles, part)
        common = lcm(*(cycles[name].denominator for name in part))
        shared = gcd(*(int(cycles[name] * common) for name in part))
        cycles |= {name: cycles[name] * common / shared for name in part}
    return {name: int(cycles[name]) * count for name, count in phases.items()}


def passings_of(network: ProcessGraph, phases: Mapping[str, int]) -> dict[str, int]:
    """Return the passings of each process of a network in a graph iteration; raises as `repetition_vector` does."""
    rates = {channel.name: rates_of(network, channel) for channel in network.channels}
    return repetition_vector(phases, network.channels, {name: each for name, each in rates.items() if each})


def parts_of(network: ProcessGraph) -> list[list[str]]:
    """Return the processes of each part of a network that channels connect, in order of declaration."""
    others: dict[str, list[str]] = {process.name: [] for process in network.processes}
    for channel in network.channels:
        others[channel.source].append(channel.target)
        others[channel.target].append(channel.source)
    part_of: dict[str, int] = {}
    for number, first in enumerate(others):
        reached = [] if first in part_of else [first]
        for name in reached:  # grows while it is walked
            if name not in part_of:
                part_of[name] = number
                reached += others[name]
    parts: dict[int, list[str]] = {}
    for process in network.processes:
        parts.setdefault(part_of[process.name], []).append(process.name)
    return list(parts.values())


def rates_of(network: ProcessGraph, channel: Channel) -> Rates | None:
    """Return the rates of a channel, per passing at a scheduled process; None where its tokens are listed."""
    if not isinstance(channel.tokens, Rates) or channel.read_tokens is not None:
        return None
    produce, consume = channel.tokens.produce, channel.tokens.consume
    if channel.write_steps is not None:
        produce = _per_stop(network.stops[channel.source], channel.write_steps)
    if channel.read_steps is not None:
        consume = _per_stop(network.stops[channel.target], channel.read_steps)
    return Rates(produce, consume)


def _per_stop(stops: Stops, steps: StepList) -> tuple[int, ...]:
    return tuple(np.diff(stops.counts(steps).table, prepend=0).tolist())


def _pass_on(
    channel: Channel, name: str, phases: Mapping[str, int], cycles: dict[str, Fraction], part: list[str]
) -> None:
    """Work out the cycles of the actor at the other end of a channel, or compare if they are known."""
    assert isinstance(channel.tokens, Rates)
    put = _per_cycle(channel.tokens.produce, phases[channel.source])
    taken = _per_cycle(channel.tokens.consume, phases[channel.target])
    if not put or not taken:
        words = f"a whole cycle of phases produces {put} and consumes {taken} tokens: both must be at least 1"
        raise InputError(words, where=channel.where)
    ahead = name == channel.source
    other = channel.target if ahead else channel.source
    found = cycles[name] * (Fraction(put, taken) if ahead else Fraction(taken, put))
    if other not in cycles:
        cycles[other] = found
        part.append(other)
    elif cycles[other] != found:
        words = (
            f"the rates are inconsistent: for {cycles[name]} phase cycles of '{name}', '{other}' would have to go "
            f"through {found} and, by other channels, {cycles[other]} (tokens would pile up or run out)"
        )
        raise InputError(words, where=channel.where)


def _per_cycle(rates: tuple[int, ...], phases: int) -> int:
    return sum(rates) * (phases // len(rates))
