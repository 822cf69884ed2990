"""Lower bounds on the finish of every run of a network, each with what sets it; no engine is involved.

Source: van Teijlingen 2014, sections 4.2 to 4.5.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

import numpy as np

from ppnsim.analysis.folded_path import folded_path
from ppnsim.analysis.throughput import Estimate
from ppnsim.arrays import Int64Array
from ppnsim.model.network import Network
from ppnsim.model.timeline import Timeline
from ppnsim.units import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """Cycles below which no run can finish, whatever the depths, and why."""

    name: str
    cycles: int
    reason: str


def lower_bounds(network: Network, one_each: Estimate, by_data: Estimate) -> list[Bound]:
    """Return lower bounds on the finish of every run of the network, the strongest first.

    Parameters
    ----------
    network : the network.
    one_each, by_data : its absolute and its unbounded estimate, which are bounds themselves.

    Examples
    --------
    >>> from ppnsim import absolute, predictor, unbounded
    >>> network = predictor()
    >>> bounds = lower_bounds(network, absolute(network), unbounded(network))
    >>> [(bound.name, bound.cycles) for bound in bounds]
    [('one process per statement', 83), ('longest dependence path', 45), ('busiest process', 29)]
    """
    bounds = [busiest_bound(network), *resource_bounds(network)]
    if one_each.finish is not None:
        reason = "each process executes its firings in order, as soon as their data is there"
        bounds.append(Bound(name="one process per statement", cycles=one_each.finish, reason=reason))
    if by_data.finish is not None:
        path = folded_path(longest_path(by_data.timeline))
        bounds.append(Bound(name="longest dependence path", cycles=by_data.finish, reason=path))
    return sorted(bounds, key=lambda bound: -bound.cycles)


def longest_path(timeline: Timeline) -> list[str]:
    """Return the processes along the chain of firings that sets the finish of an unbounded estimate, in order."""
    network = timeline.network
    ends = {process.name: timeline.ends(process.name) for process in network.processes}
    process = max(ends, key=lambda name: int(ends[name].max()))
    firing = int(ends[process].argmax())
    visited: list[str] = []
    seen: set[tuple[str, int]] = set()
    arrivals = {name: _arrivals(timeline, name) for name in ends}
    # A firing with a late input can wait for an answer to its own early output: it is on the path once.
    while (process, firing) not in seen:
        seen.add((process, firing))
        visited.append(process)
        came = [(int(there[firing]), source, by) for source, there, by in arrivals[process] if there[firing] > 0]
        if not came:
            break
        _, process, writers = max(came, key=lambda arrival: arrival[0])
        firing = int(writers[firing])
    runs = [(name, len(list(group))) for name, group in groupby(reversed(visited))]
    return [name if count == 1 else f"{name} ({count} firings)" for name, count in runs]


def busiest_bound(network: Network) -> Bound:
    """Starts of one process alone: (n - 1) ii, and after that the last firing's own steps."""
    needs = {}
    for process in network.processes:
        steps = network.steps[process.name]
        if process.schedule is not None:
            needs[process.name] = process.schedule.runs * process.schedule.steps
            continue
        tail = max(int(steps.offsets_of(k, process.firings)[-1]) for k in steps.ending_steps) + steps.write
        needs[process.name] = (process.firings - 1) * process.ii + tail
    name = max(needs, key=needs.__getitem__)
    busiest = network.process(name)
    reason = f"{name} starts {busiest.firings} firings {counted(busiest.ii, 'cycle')} apart"
    if busiest.schedule is not None:
        each = f"{counted(busiest.schedule.runs, 'run')} of {counted(busiest.schedule.steps, 'step')}"
        reason = f"{name} goes through {each}"
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
        reason = f"{busy} busy cycles on {counted(units, 'unit')}"
        bounds.append(Bound(name=f"resource '{resource}'", cycles=cycles, reason=reason))
    return bounds


def _arrivals(timeline: Timeline, process: str) -> list[tuple[str, Int64Array, Int64Array]]:
    """Return for each input its producer and, per firing, when the last token came and which firing wrote it.

    The cycle is that of the start which the token allows, 0 where there was nothing to wait for.
    """
    network, steps = timeline.network, timeline.network.steps[process]
    firings = network.passings_of(process)
    arrivals = []
    for channel in network.inputs(process):
        need = network.counts[channel.name].need.first(firings)
        there, writer = np.zeros(firings, dtype=np.int64), np.zeros(firings, dtype=np.int64)
        waits = need >= 0
        offset = steps.offsets_of(steps.port["in", channel.name], firings)[waits]
        there[waits] = timeline.token_writes(channel.name)[need[waits]] + network.forward(channel.name) - offset
        writer[waits] = timeline.writers(channel.name)[need[waits]]
        arrivals.append((channel.source, there, writer))
    return arrivals
