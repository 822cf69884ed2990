"""The thesis's two estimates of a network, and lower bounds that say what sets them; no engine is involved.

With channels that never fill, the timing rules become recurrences over firings: a step is passed at the latest of what
it reads and of what its own process lets pass before. Absolute throughput keeps one process per statement; unbounded
throughput gives every firing a process of its own, so that data alone decides.

Source: van Teijlingen 2014, sections 4.2 to 4.5.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

import numpy as np

from ppnsim.errors import InputError
from ppnsim.model.metrics import Parallelism, parallelism
from ppnsim.model.network import Network
from ppnsim.model.sequence import Int64Array, read_only
from ppnsim.model.timeline import NEVER, Timeline
from ppnsim.model.tokens import Flow

_LARGEST = 50_000_000  # firings and tokens: about 8 GB


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Estimate:
    """Finish in cycles (None if the data dependences form a circle) with the parallelism on the way there."""

    finish: int | None
    parallelism: Parallelism
    timeline: Timeline


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """Cycles below which no run can finish, whatever the depths, and why."""

    name: str
    cycles: int
    reason: str


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


def lower_bounds(network: Network, one_each: Estimate, by_data: Estimate) -> list[Bound]:
    """Return lower bounds on the finish of every run of the network, the strongest first.

    Parameters
    ----------
    network : the network.
    one_each, by_data : its absolute and its unbounded estimate, which are bounds themselves.

    Examples
    --------
    >>> from ppnsim import predictor
    >>> network = predictor()
    >>> bounds = lower_bounds(network, absolute(network), unbounded(network))
    >>> [(bound.name, bound.cycles) for bound in bounds]
    [('one process per statement', 83), ('longest dependence path', 45), ('busiest process', 29)]
    """
    bounds = [_busiest(network), *resource_bounds(network)]
    if one_each.finish is not None:
        reason = "each process executes its firings in order, as soon as their data is there"
        bounds.append(Bound(name="one process per statement", cycles=one_each.finish, reason=reason))
    if by_data.finish is not None:
        path = " -> ".join(longest_path(by_data.timeline))
        bounds.append(Bound(name="longest dependence path", cycles=by_data.finish, reason=path))
    return sorted(bounds, key=lambda bound: -bound.cycles)


def longest_path(timeline: Timeline) -> list[str]:
    """Return the processes along the chain of firings that sets the finish of an unbounded estimate, in order."""
    network = timeline.network
    ends = {process.name: timeline.end(process.name) for process in network.processes}
    process = max(ends, key=lambda name: int(ends[name].max()))
    firing = int(ends[process].argmax())
    visited: list[str] = []
    seen: set[tuple[str, int]] = set()
    arrivals = {name: _arrivals(timeline, name) for name in ends}
    # A firing with a late input can wait for an answer to its own early output: it is on the path once.
    while (process, firing) not in seen:
        seen.add((process, firing))
        visited.append(process)
        came = [
            (int(there[firing]), source, writer) for source, there, writer in arrivals[process] if there[firing] > 0
        ]
        if not came:
            break
        _, process, writers = max(came, key=lambda arrival: arrival[0])
        firing = int(writers[firing])
    runs = [(name, len(list(group))) for name, group in groupby(reversed(visited))]
    return [name if count == 1 else f"{name} ({count} firings)" for name, count in runs]


def _busiest(network: Network) -> Bound:
    """Starts of one process alone: (n - 1) ii, and after that the last firing's own steps."""
    needs = {}
    for process in network.processes:
        steps = network.steps[process.name]
        tail = max(int(steps.offsets_of(k, process.firings)[-1]) for k in steps.ending_steps) + steps.write
        needs[process.name] = (process.firings - 1) * process.ii + tail
    name = max(needs, key=needs.__getitem__)
    busiest = network.process(name)
    reason = f"{name} starts {busiest.firings} firings {busiest.ii} cycle{'' if busiest.ii == 1 else 's'} apart"
    return Bound(name="busiest process", cycles=needs[name], reason=reason)


def resource_bounds(network: Network) -> list[Bound]:
    """Return a lower bound for each shared resource that is used.

    Its units are busy ii cycles per firing, from the first possible use on; the last user still has to end.
    """
    bounds = []
    for resource, units in network.resources.items():
        users = [process for process in network.processes if process.resource == resource]
        if not users:
            continue
        steps = [network.steps[user.name] for user in users]
        busy = sum(user.firings * user.ii for user in users)
        tail = min(int(each.latencies.min()) + each.write - user.ii for each, user in zip(steps, users, strict=True))
        cycles = max(0, min(each.read for each in steps) + -(-busy // units) + tail)
        reason = f"{busy} busy cycles on {units} unit{'s' if units > 1 else ''}"
        bounds.append(Bound(name=f"resource '{resource}'", cycles=cycles, reason=reason))
    return bounds


def _arrivals(timeline: Timeline, process: str) -> list[tuple[str, Int64Array, Int64Array]]:
    """Return for each input its producer and, per firing, when the last token came and which firing wrote it.

    The cycle is that of the start which the token allows, 0 where there was nothing to wait for.
    """
    network, steps = timeline.network, timeline.network.steps[process]
    firings = network.process(process).firings
    arrivals = []
    for channel in network.inputs(process):
        need = network.flows[channel.name].need.first(firings)
        there, writer = np.zeros(firings, dtype=np.int64), np.zeros(firings, dtype=np.int64)
        waits = need >= 0
        offset = steps.offsets_of(steps.port["in", channel.name], firings)[waits]
        there[waits] = timeline.token_writes(channel.name)[need[waits]] + network.forward(channel.name) - offset
        writer[waits] = timeline.writers(channel.name)[need[waits]]
        arrivals.append((channel.source, there, writer))
    return arrivals


def _estimate(network: Network, *, own_processes: bool) -> Estimate:
    if network.checked().size > _LARGEST:
        raise InputError(f"{network.size} firings and tokens are more than an estimate goes through ({_LARGEST})")
    without_limits = network.with_depths(lambda _: None).with_style("elastic")
    recurrence = _Recurrence(without_limits, own_processes=own_processes)
    timeline = recurrence.solve()
    finish = timeline.finish if timeline.complete else None
    return Estimate(finish=finish, parallelism=parallelism(timeline), timeline=timeline)


def _needed(flow: Flow, firings: int, *, all_of_them: bool) -> list[list[int]]:
    """Return which written tokens each firing waits for: of a producer in order, the last one comes last."""
    if not all_of_them:
        return [[token] if token >= 0 else [] for token in flow.need.first(firings).tolist()]
    needed: list[list[int]] = [[] for _ in range(firings)]
    for firing, token in flow.reading_pairs(firings).tolist():
        if token >= flow.initial:
            needed[firing].append(token - flow.initial)
    return needed


class _Recurrence:
    """Evaluates the steps of all processes, each as far as the tokens that are known allow, until all are known."""

    def __init__(self, network: Network, *, own_processes: bool) -> None:
        self.network = network
        self.tokens: dict[str, list[int]] = {channel.name: [] for channel in network.channels}
        self.processes = [
            _Statement(network, process.name, self.tokens, own_processes) for process in network.processes
        ]

    def solve(self) -> Timeline:
        """Return the timeline; what waits for itself stays at NEVER."""
        moved = True
        while moved:
            moved = sum(statement.advance() for statement in self.processes) > 0
        return Timeline(
            network=self.network, passed={statement.name: statement.result() for statement in self.processes}, holds={}
        )


class _Statement:
    """One process: how far each of its steps is known."""

    def __init__(self, network: Network, name: str, tokens: dict[str, list[int]], own_processes: bool) -> None:
        process, steps = network.process(name), network.steps[name]
        self.name, self.firings, self.ii = name, process.firings, process.ii
        self.in_order = not own_processes
        self.capacity = steps.capacity if self.in_order else None
        self.offsets = [steps.offsets_of(k, self.firings).tolist() for k in range(steps.count)]
        self.passed: list[list[int]] = [[] for _ in range(steps.count)]
        self.inputs: list[list[tuple[list[int], list[list[int]], int]]] = [[] for _ in range(steps.count)]
        self.outputs: list[list[tuple[list[int], list[int]]]] = [[] for _ in range(steps.count)]
        for channel in network.inputs(name):
            need = _needed(network.flows[channel.name], self.firings, all_of_them=own_processes)
            access = tokens[channel.name], need, network.forward(channel.name)
            self.inputs[steps.port["in", channel.name]].append(access)
        for channel in network.outputs(name):
            count = network.flows[channel.name].put_by(self.firings)[0].tolist()
            self.outputs[steps.port["out", channel.name]].append((tokens[channel.name], count))

    def advance(self) -> bool:
        """Evaluate every step for as many firings as is possible now; return whether there was any."""
        moved = False
        for step, passed in enumerate(self.passed):
            while len(passed) < self.firings:
                at = self.cycle(step, len(passed))
                if at is None:
                    break
                for tokens, count in self.outputs[step]:
                    tokens.extend([at] * count[len(passed)])
                passed.append(at)
                moved = True
        return moved

    def cycle(self, step: int, firing: int) -> int | None:
        """Return x(n, a) = max over steps b <= a of what b waits for + (a - b), None if that is not known yet."""
        offset, latest = self.offsets[step][firing], 0
        for other, offsets in enumerate(self.offsets):
            gap = offset - offsets[firing]
            if gap >= 0:
                waits = self.waits(other, firing)
                if waits is None:
                    return None
                latest = max(latest, waits + gap)
        return latest

    def waits(self, step: int, firing: int) -> int | None:
        """Return the cycle from which tokens and earlier firings let ``firing`` pass ``step``."""
        latest = 0
        if self.in_order and firing:
            if len(self.passed[step]) < firing:
                return None
            latest = self.passed[step][firing - 1] + (self.ii if step == 0 else min(self.ii, 1))
            if step == 0 and self.capacity is not None and firing >= self.capacity:
                oldest = [passed[firing - self.capacity : firing - self.capacity + 1] for passed in self.passed]
                if not all(oldest):
                    return None
                latest = max(latest, *(cycle[0] for cycle in oldest))
        for tokens, need, forward in self.inputs[step]:
            for token in need[firing]:
                if token >= len(tokens):
                    return None
                latest = max(latest, tokens[token] + forward)
        return latest

    def result(self) -> Int64Array:
        """Return the cycles of all steps and firings."""
        known = np.full((len(self.passed), self.firings), NEVER, dtype=np.int64)
        for row, passed in zip(known, self.passed, strict=True):
            row[: len(passed)] = passed
        return read_only(known)
