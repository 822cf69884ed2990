"""The repetition vector: how often each actor of a dataflow graph fires until all channels are as they were."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import gcd, lcm

from ppnsim.errors import InputError
from ppnsim.model.network import Channel
from ppnsim.model.tokens import Rates


def repetition_vector(phases: Mapping[str, int], channels: Iterable[Channel]) -> dict[str, int]:
    """Return the firings of each actor in one graph iteration: whole cycles of its ``phases``, as few as possible.

    Parts of a graph that no channel connects repeat each for themselves.

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
