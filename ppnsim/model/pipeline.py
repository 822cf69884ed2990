"""The steps of a process from its latencies: one, a list, or very many that are drawn when somebody asks for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ppnsim.arrays import Int64Array, read_only
from ppnsim.errors import InputError
from ppnsim.model.latency import Distribution, Latency
from ppnsim.model.steps import Steps

LISTED = 1_000_000
"""Drawn latencies that are kept as a list; more of them are drawn when somebody asks for them."""


def steps_of(
    latency: Latency, *, firings: int, ii: int, read: int, write: int, inputs: Mapping[str, int],
    outputs: Mapping[str, int | None], where: str,
) -> Steps:  # fmt: skip
    """Return the steps of a process whose ports act at the given offsets (None for an output = RL).

    An output offset given beside a latency per firing is taken relative to the *longest* firing's RL.

    Raises
    ------
    InputError
        If an output would come before the start of a short firing.
    """
    drawn = None
    if isinstance(latency, Distribution) and firings > LISTED:
        drawn = Drawn.of(latency, firings)
        latencies = np.array([drawn.shortest, drawn.longest], dtype=np.int64)
    elif isinstance(latency, Distribution):
        latencies = latency.draw(firings)
    else:
        latencies = np.array(latency if isinstance(latency, tuple) else [latency], dtype=np.int64)
    longest = read + int(latencies.max())
    tied_to_start = {0} | set(inputs.values())
    distance = {name: 0 if offset is None else offset - longest for name, offset in outputs.items()}
    tied_to_write = {0} | set(distance.values())
    if len(latencies) == 1:
        absolute = sorted(tied_to_start | {longest + d for d in tied_to_write})
        number = {offset: index for index, offset in enumerate(absolute)}
        offsets = np.array(absolute, dtype=np.int64)
        ports = {("in", name): number[offset] for name, offset in inputs.items()}
        ports |= {("out", name): number[longest + d] for name, d in distance.items()}
        write_step = number[longest]
    else:
        starts, writes = sorted(tied_to_start), sorted(tied_to_write)
        apart = [*((a, 0) for a in starts), *((read + d, 1) for d in writes)]
        offsets = _offsets(apart, latencies)
        if offsets.min() < 0:
            raise InputError(
                f"an output {-min(writes)} steps before the end of execution would come before the start of a firing "
                f"whose read + latency is {read + int(latencies.min())}",
                where=where,
            )
        ports = {("in", name): starts.index(a) for name, a in inputs.items()}
        ports |= {("out", name): len(starts) + writes.index(d) for name, d in distance.items()}
        write_step = len(starts) + writes.index(0)
    deepest = int(offsets.max())
    found = Steps(
        offsets=read_only(offsets), write_step=write_step, port=ports, latencies=read_only(latencies),
        read=read, write=write, capacity=max(1, -(-deepest // ii)) if ii else None,
    )  # fmt: skip
    return found if drawn is None else DrawnSteps(found, drawn, apart)


def _offsets(apart: Sequence[tuple[int, int]], latencies: Int64Array) -> Int64Array:
    """Return the offsets of steps that are each so many cycles, and so many times the latency, after the start."""
    cycles, times = np.array(apart, dtype=np.int64).T
    found: Int64Array = cycles[:, None] + times[:, None] * latencies
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """Very many drawn latencies that nobody has listed: what is known of all of them."""

    latency: Distribution
    firings: int
    shortest: int
    longest: int
    total: int

    @classmethod
    def of(cls, latency: Distribution, firings: int) -> Drawn:
        """Draw all latencies, in pieces."""
        found = [(int(each.min()), int(each.max()), int(each.sum())) for each in latency.pieces(firings)]
        shortest, longest, total = zip(*found, strict=True)
        return cls(
            latency=latency, firings=firings, shortest=min(shortest), longest=max(longest), total=sum(total)
        )  # fmt: skip


class DrawnSteps(Steps):
    """Steps of a process with a very many drawn latencies, whose arrays are made when somebody asks for them."""

    __slots__ = ("_apart", "_given", "_made", "drawn")
    drawn: Drawn
    _apart: Sequence[tuple[int, int]]
    _given: Steps
    _made: dict[str, Int64Array]

    def __init__(self, extremes: Steps, drawn: Drawn, apart: Sequence[tuple[int, int]]) -> None:
        """Keep what is as in the steps of the shortest and the longest firing, and how to make the rest."""
        same = ("write_step", "port", "read", "write", "capacity", "stops")
        given = {name: getattr(extremes, name) for name in same}
        given |= {"drawn": drawn, "_apart": apart, "_given": extremes, "_made": {}}
        for name, value in given.items():
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[type[Steps], tuple[Steps, Drawn, Sequence[tuple[int, int]]]]:
        return DrawnSteps, (self._given, self.drawn, self._apart)

    @property
    def latencies(self) -> Int64Array:
        """Execute latency, int64, shape ``(firings,)``."""
        if "latencies" not in self._made:
            self._made["latencies"] = read_only(self.drawn.latency.draw(self.drawn.firings))
        return self._made["latencies"]

    @property
    def offsets(self) -> Int64Array:
        """Cycles after the start, int64, shape ``(count, firings)``."""
        if "offsets" not in self._made:
            self._made["offsets"] = read_only(_offsets(self._apart, self.latencies))
        return self._made["offsets"]

    @property
    def count(self) -> int:
        """How many different steps there are."""
        return len(self._apart)

    @property
    def varies(self) -> bool:
        """Whether the latency differs from firing to firing: it does."""
        return True

    @property
    def deepest(self) -> int:
        """L: the last step of the longest firing, in cycles after its start."""
        return self._given.deepest

    def executes(self, firings: int) -> int:
        """Return the cycles in which all firings execute."""
        return self.drawn.total if firings == self.drawn.firings else super().executes(firings)

    def of(self, latencies: Int64Array) -> Steps:
        """Return the steps of some of the firings, those with these latencies."""
        return replace(self._given, offsets=_offsets(self._apart, latencies), latencies=latencies)
