"""The thesis's two estimates of a network, evaluated in words of their own (T4.1, T4.2); no engine is involved.

With channels that never fill, the timing rules become recurrences over firings: a step is passed at the latest of what
it reads and of what its own process lets pass before. Absolute throughput keeps one process per statement; unbounded
throughput gives every firing a process of its own, so that data alone decides.

Source: van Teijlingen 2014, sections 4.2 to 4.5.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Set
from dataclasses import dataclass

import numpy as np

from ppnsim.analysis.at_once import passed_at_once
from ppnsim.arrays import Int64Array, read_only
from ppnsim.errors import InputError
from ppnsim.model.metrics import Parallelism, parallelism
from ppnsim.model.network import Network
from ppnsim.model.timeline import NEVER, Timeline
from ppnsim.model.token_counts import TokenCounts

LARGEST = 50_000_000
"""Firings and tokens of a network that is gone through firing by firing: about 8 GB."""
LARGEST_AT_ONCE = 400_000_000
"""Firings and tokens of any network that is estimated: about 16 GB."""


class TooLargeError(InputError):
    """A network has more firings and tokens than an estimate goes through."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Estimate:
    """Finish in cycles (None if the data dependences form a circle) with the parallelism on the way there."""

    finish: int | None
    parallelism: Parallelism
    timeline: Timeline

    def __repr__(self) -> str:
        finish = "no finish, data goes round in a circle" if self.finish is None else f"finish {self.finish} cycles"
        return f"<Estimate: {finish}, parallelism {self.parallelism.average:.2f} mean, {self.parallelism.maximum} max>"


def absolute(network: Network) -> Estimate:
    """Return the absolute throughput estimate: one process per statement, unbounded channels.

    Examples
    --------
    >>> from ppnsim import predictor
    >>> absolute(predictor()).finish
    83
    """
    return _estimate(network, own_processes=False)


def unbounded(network: Network) -> Estimate:
    """Return the unbounded throughput estimate: a process per firing, unbounded channels.

    Examples
    --------
    >>> from ppnsim import predictor
    >>> estimate = unbounded(predictor())
    >>> estimate.finish, round(estimate.parallelism.average, 1), estimate.parallelism.maximum
    (45, 3.8, 25)
    """
    return _estimate(network, own_processes=True)


def _estimate(network: Network, *, own_processes: bool) -> Estimate:
    if network.checked().events > LARGEST_AT_ONCE:
        raise _too_large(network, LARGEST_AT_ONCE)
    # A scheduled process stays as it is, in both estimates: its steps are all that is known of it.
    without_limits = network.never_full().with_style("elastic")
    # With a latency per firing, accesses that wait in turn let a flushable process hold more than an elastic one does.
    more = {each.name for each in network.processes if each.style == "flushable" and network.steps[each.name].varies}
    timeline = _solved(without_limits, more, own_processes=own_processes)
    finish = timeline.finish if timeline.complete else None
    return Estimate(finish=finish, parallelism=parallelism(timeline), timeline=timeline)


def _too_large(network: Network, most: int) -> TooLargeError:
    return TooLargeError(f"{network.events} firings and tokens are more than an estimate goes through ({most})")


def _needed(counts: TokenCounts, writers: int, firings: int, *, all_of_them: bool) -> list[list[int]]:
    """Return for each of ``firings`` the firings of the writer, of which there are so many, that it waits for.

    Of a producer in order, the last one comes last. A token that is never written is of the firing after all.
    """
    owner = np.append(counts.writing_firings(writers), writers)
    if not all_of_them:
        tokens = counts.need.first(firings)
        wanted = owner[np.clip(tokens, 0, len(owner) - 1)].tolist()
        return [[writer] if token >= 0 else [] for token, writer in zip(tokens.tolist(), wanted, strict=True)]
    firing, token = counts.reading_pairs(firings).T
    there = token >= counts.initial
    firing, token = firing[there], token[there] - counts.initial
    pairs = np.unique(firing * (writers + 1) + owner[np.minimum(token, len(owner) - 1)])
    firing, writer = np.divmod(pairs, writers + 1)
    ends, wanted = np.cumsum(np.bincount(firing, minlength=firings)).tolist(), writer.tolist()
    return [wanted[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]


def _solved(network: Network, without_limit: Set[str], *, own_processes: bool) -> Timeline:
    """Evaluate the steps of all processes as far as known tokens allow, until none moves; a circle stays at NEVER.

    Processes ``without_limit`` may have any number of firings between start and last step.
    """
    known = passed_at_once(network, own_processes=own_processes)
    left = [process.name for process in network.processes if process.name not in known]
    if left and network.events > LARGEST:
        raise _too_large(network, LARGEST)
    passed: dict[str, list[list[int]]] = {name: [[] for _ in range(network.steps[name].count)] for name in left}
    if left:
        passed |= {name: rows.tolist() for name, rows in known.items()}
    processes = [_ProcessState(network, name, passed, own_processes, without_limit) for name in left]
    waiting: dict[str, list[_ProcessState]] = {name: [] for name in left}
    ready = deque(processes)
    while ready:
        process = ready.popleft()
        if process.advance(waiting):
            ready += waiting[process.name]
            waiting[process.name] = []
    every = known | {process.name: process.result() for process in processes}
    return Timeline(network=network, passed={each.name: every[each.name] for each in network.processes}, holds={})


class _ProcessState:
    """One process: how far each of its steps is known."""

    def __init__(
        self, network: Network, name: str, passed: dict[str, list[list[int]]], own_processes: bool,
        without_limit: Set[str],
    ) -> None:  # fmt: skip
        process, steps = network.process(name), network.steps[name]
        self.name, self.firings, self.ii = name, network.passings_of(name), process.ii
        self.gaps = None if steps.stops is None else steps.stops.gaps.tolist()
        self.in_order = self.gaps is not None or not own_processes
        self.capacity = steps.capacity if self.in_order and name not in without_limit else None
        self.offsets = [steps.offsets_of(k, self.firings).tolist() for k in range(steps.count)]
        self.passed = passed[name]
        self.known: list[list[int]] = [[] for _ in range(steps.count)]  # what each step of a firing has waited for
        self.inputs: list[list[tuple[str, list[int], list[list[int]], int]]] = [[] for _ in range(steps.count)]
        for channel in network.inputs(name):
            # A writer that runs as many processes does not write in order: all of its tokens are waited for.
            counts, writers = network.counts[channel.name], network.passings_of(channel.source)
            need = _needed(counts, writers, self.firings, all_of_them=own_processes)
            written = passed[channel.source][network.steps[channel.source].port["out", channel.name]]
            access = channel.source, written, need, network.forward(channel.name)
            self.inputs[steps.port["in", channel.name]].append(access)

    def advance(self, waiting: Mapping[str, list[_ProcessState]]) -> bool:
        """Evaluate every step for as many firings as is possible now; return whether there was any.

        A step that gets no further puts its process in the list of the one that it waits for.
        """
        moved = False
        for step, passed in enumerate(self.passed):
            while len(passed) < self.firings:
                at = self.cycle(step, len(passed))
                if isinstance(at, str):
                    if self not in waiting[at]:
                        waiting[at].append(self)
                    break
                passed.append(at)
                moved = True
        return moved

    def cycle(self, step: int, firing: int) -> int | str:
        """Return x(n, a) = max over steps b <= a of what b waits for + (a - b); a process if that is not known yet."""
        offset, latest = self.offsets[step][firing], 0
        for other, offsets in enumerate(self.offsets):
            gap = offset - offsets[firing]
            if gap >= 0:
                known = self.known[other]
                waits = known[firing] if firing < len(known) else self.waits(other, firing)
                if isinstance(waits, str):
                    return waits
                if firing == len(known):
                    known.append(waits)
                latest = max(latest, waits + gap)
        return latest

    def waits(self, step: int, firing: int) -> int | str:
        """Return the cycle from which tokens and earlier firings let ``firing`` pass ``step``, or whom it waits for."""
        latest = 0
        if self.in_order and firing:
            if len(self.passed[step]) < firing:
                return self.name
            ii = self.ii if self.gaps is None else self.gaps[firing]
            latest = self.passed[step][firing - 1] + (ii if step == 0 else min(self.ii, 1))
            if step == 0 and self.capacity is not None and firing >= self.capacity:
                oldest = [passed[firing - self.capacity : firing - self.capacity + 1] for passed in self.passed]
                if not all(oldest):
                    return self.name
                latest = max(latest, *(cycle[0] for cycle in oldest))
        for source, written, need, forward in self.inputs[step]:
            for writer in need[firing]:
                if writer >= len(written):
                    return source
                latest = max(latest, written[writer] + forward)
        return latest

    def result(self) -> Int64Array:
        """Return the cycles of all steps and firings."""
        known = np.full((len(self.passed), self.firings), NEVER, dtype=np.int64)
        for row, passed in zip(known, self.passed, strict=True):
            row[: len(passed)] = passed
        return read_only(known)
