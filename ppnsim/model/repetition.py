"""The repetition vector: how often each actor of a dataflow graph fires until all channels are as they were."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import gcd, lcm

import numpy as np

from ppnsim.errors import InputError
from ppnsim.model.elements import Channel
from ppnsim.model.graph import ProcessGraph
from ppnsim.model.schedule import Stops
from ppnsim.model.step_lists import StepList
from ppnsim.model.tokens import Rates

_Flow = tuple[Channel, int, int]


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
    ends: dict[str, list[_Flow]] = {name: [] for name in phases}
    for channel in channels:
        flow = _flow(channel, phases, channel.tokens if rates is None else rates[channel.name])
        ends[channel.source].append(flow)
        ends[channel.target].append(flow)
    cycles: dict[str, tuple[int, int]] = {}  # a fraction each: those of the library take most of the time
    for first in phases:
        if first in cycles:
            continue
        cycles[first] = 1, 1
        part = [first]
        for name in part:  # grows while it is walked
            for flow in ends[name]:
                _pass_on(flow, name, cycles, part)
        common = lcm(*(cycles[name][1] for name in part))
        whole = {name: cycles[name][0] * (common // cycles[name][1]) for name in part}
        shared = gcd(*whole.values())
        cycles |= {name: (count // shared, 1) for name, count in whole.items()}
    return {name: cycles[name][0] * count for name, count in phases.items()}


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
    if channel.write_steps is None and channel.read_steps is None:
        return channel.tokens
    produce, consume = channel.tokens.produce, channel.tokens.consume
    if channel.write_steps is not None:
        produce = _per_stop(network.stops[channel.source], channel.write_steps)
    if channel.read_steps is not None:
        consume = _per_stop(network.stops[channel.target], channel.read_steps)
    return Rates(produce, consume)


def _per_stop(stops: Stops, steps: StepList) -> tuple[int, ...]:
    return tuple(np.diff(stops.counts(steps).table, prepend=0).tolist())


def _flow(channel: Channel, phases: Mapping[str, int], rates: object) -> _Flow:
    """Return a channel with the tokens that a whole cycle of phases of its ends produces and consumes."""
    assert isinstance(rates, Rates)
    put = _per_cycle(rates.produce, phases[channel.source])
    taken = _per_cycle(rates.consume, phases[channel.target])
    if not put or not taken:
        words = f"a whole cycle of phases produces {put} and consumes {taken} tokens: both must be at least 1"
        raise InputError(words, where=channel.where)
    return channel, put, taken


def _pass_on(flow: _Flow, name: str, cycles: dict[str, tuple[int, int]], part: list[str]) -> None:
    """Work out the cycles of the actor at the other end of a channel, or compare if they are known."""
    channel, put, taken = flow
    other = channel.target
    if name != channel.source:
        other, put, taken = channel.source, taken, put
    over, under = cycles[name][0] * put, cycles[name][1] * taken
    if other not in cycles:
        shared = gcd(over, under)
        cycles[other] = over // shared, under // shared
        part.append(other)
    elif over * cycles[other][1] != cycles[other][0] * under:
        words = (
            f"the rates are inconsistent: for {Fraction(*cycles[name])} phase cycles of '{name}', '{other}' would have "
            f"to go through {Fraction(over, under)} and, by other channels, {Fraction(*cycles[other])} (tokens would "
            f"pile up or run out)"
        )
        raise InputError(words, where=channel.where)


def _per_cycle(rates: tuple[int, ...], phases: int) -> int:
    return sum(rates) * (phases // len(rates))
