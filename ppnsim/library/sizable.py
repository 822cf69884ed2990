"""What a sizing takes: networks whose channels can have a depth, prices of memory, depths of an earlier answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import inf, isfinite
from typing import Any, Literal

from ppnsim.errors import InputError, located
from ppnsim.explore.fifo.cost import XILINX, Cost, MemoryTable, cost_of
from ppnsim.explore.fifo.objectives import Time
from ppnsim.explore.fifo.problem import Full, Problem
from ppnsim.explore.fifo.report import QUESTIONS
from ppnsim.explore.fifo.stop import Stop
from ppnsim.explore.fifo.variables import Limit
from ppnsim.files import load_as
from ppnsim.library.subject import NetworkFile


def sizable(found: NetworkFile) -> NetworkFile:
    """Return a network in which every channel can have a depth, in the unit of its convention.

    Raises
    ------
    InputError
        If a channel needs credits in this convention, which have no depth.
    """
    if found.network.convention == "ppn":
        return found
    bounded = found.network.with_depths(lambda channel: max(1, channel.initial))
    for name in bounded.credits.values():
        words = "needs credits in convention sdf3 (an end is frozen or its durations differ), which have no depth"
        raise InputError(f"{words}: give --convention ppn", where=f"{found.file}: channel '{name}'")
    return replace(found, network=bounded)


def check_asked(networks: Sequence[object], budget: int | None) -> None:
    """Refuse a sizing of no network, or without a single run."""
    if not networks:
        raise InputError("[] holds no network to size: give one, or the path of one", where="network")
    if budget is not None and budget < 1:
        raise InputError(f"{budget} is below 1 depth vector to run", where="budget")


def price_of(cost: str, memories: str | None) -> Cost:
    """Return what FIFOs are priced by, with the memory blocks of a file if there is one."""
    if memories is None:
        return cost_of(cost, XILINX)
    if cost != "fpga":
        raise InputError(f"--cost {cost} takes no memory blocks (give --cost fpga)", where=f"--memories {memories}")
    with located("--memories"):
        return cost_of(cost, load_as(memories, MemoryTable))


def time_of(target: Time | float | None) -> Time | None:
    """Return a target in cycles as an exact number.

    Examples
    --------
    >>> time_of(40), time_of(6.5)
    (40, Fraction(13, 2))
    """
    if target is None:
        return None
    value = Fraction(target) if isfinite(target) else Fraction(0)
    if value <= 0:
        raise InputError(f"{target} is not above 0 cycles", where="target")
    return int(value) if value.denominator == 1 else value


def limit_of(limit: Limit | int | Literal["unbounded"]) -> Limit:
    """Return the depths that a channel may have: from .. to, None for one without an end.

    Examples
    --------
    >>> limit_of(3), limit_of((2, 16)), limit_of("unbounded")
    ((3, 3), (2, 16), None)
    """
    if limit is None or limit == "unbounded":
        return None
    if isinstance(limit, str):
        raise InputError(f"'{limit}' is neither (low, high), a number nor 'unbounded'", where="limits")
    least, most = (limit, limit) if isinstance(limit, int) else limit
    if least < 1 or (most is not None and most < least):
        raise InputError(f"({least}, {most}): depths go from 1 on, the lower one first", where="limits")
    return least, most


def stop_of(within: float, seconds: float | None) -> Stop:
    """Return when a search may stop early."""
    if seconds is not None and not 0 < seconds < inf:
        raise InputError(f"{seconds:g} is not a number of seconds above 0", where="seconds")
    if not 0 <= within < 10:
        raise InputError(f"{within:g} is not a share of the cost (0.05 is 5 %)", where="within")
    return Stop(within=within, seconds=seconds)


def vectors_of(result: Mapping[str, Any] | None, problem: Problem) -> list[Full]:
    """Return the depth vectors of an earlier answer, brought within the limits.

    Raises
    ------
    InputError
        If it is not an answer for one network with these channels.
    """
    if result is None:
        return []
    try:
        rows = [*(result[question] for question in QUESTIONS), *result["front"][:20]]
        kept = {name: variable.low for variable in problem.variables if variable.fixed for name in variable.channels}
        maps = [kept | dict(row["depths"]) for row in rows if row]
        vectors = [tuple(max(int(each[name]) for name in v.channels) for v in problem.variables) for each in maps]
    except (ValueError, KeyError, TypeError, AttributeError):
        words = (
            "is not a result of `ppnsim size --json`, or of `size(...).to_dict()`, of one network with these channels"
        )
        raise InputError(words, where="start") from None
    clipped = [
        tuple(
            max(v.low, depth if v.high is None else min(depth, v.high))
            for v, depth in zip(problem.variables, vector, strict=True)
        )
        for vector in vectors
    ]
    return list(dict.fromkeys(clipped))
