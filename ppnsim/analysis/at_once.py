"""Estimates of a process at once, as columns of numbers, where all of its inputs are known: no firing by firing.

A step of firing n is passed when its tokens are there, the step before it has been passed, and so long after firing
n - 1 as the process needs. With what the process needs up to firing n as G(n), the last rule is a running maximum:

    x(n) = max(w(n), x(n - 1) + G(n) - G(n - 1))   means   x(n) - G(n) = max over m <= n of (w(m) - G(m))
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

import numpy as np

from ppnsim.arrays import Int64Array, read_only
from ppnsim.model.elements import Channel
from ppnsim.model.network import Network


def passed_at_once(network: Network, *, own_processes: bool) -> dict[str, Int64Array]:
    """Return the cycles of all steps and firings of the processes that can be evaluated so, by name.

    Left out are processes in a circle of channels, or behind one; those with a latency per firing; and those that take
    a token late in their pipeline, which may then be full. ``own_processes`` says that every firing is a process.

    Examples
    --------
    >>> from ppnsim.model.builders import fork_join
    >>> network = fork_join(firings=20).never_full()
    >>> [int(each[-1, -1]) for each in passed_at_once(network, own_processes=False).values()]
    [20, 23, 34, 37]
    """
    known: dict[str, Int64Array] = {}
    open_inputs = {process.name: len(network.inputs(process.name)) for process in network.processes}
    ready = deque(name for name, count in open_inputs.items() if not count)
    while ready:
        name = ready.popleft()
        passed = _passed(network, name, known, own_processes=own_processes)
        if passed is None:
            continue
        known[name] = passed
        for channel in network.outputs(name):
            open_inputs[channel.target] -= 1
            if not open_inputs[channel.target]:
                ready.append(channel.target)
    return known


def _passed(network: Network, name: str, known: Mapping[str, Int64Array], *, own_processes: bool) -> Int64Array | None:
    """Return the cycles at which a process passes its steps, None if it is not of the kind that this is true for."""
    process, steps, firings = network.process(name), network.steps[name], network.passings_of(name)
    in_order = steps.stops is not None or not own_processes
    if steps.varies:
        return None
    late = any(steps.offsets[steps.port["in", channel.name]] for channel in network.inputs(name))
    if late and in_order and steps.capacity is not None:
        return None
    numbers = np.arange(firings, dtype=np.int64)
    passed = np.zeros((steps.count, firings), dtype=np.int64)
    for channel in network.inputs(name):
        there = _there(network, channel, known[channel.source], all_of_them=own_processes)
        if there is None:
            return None
        row = passed[steps.port["in", channel.name]]
        np.maximum(row, there, out=row)
    for step, row in enumerate(passed):
        if step:
            np.maximum(row, passed[step - 1] + (steps.offsets[step] - steps.offsets[step - 1]), out=row)
        if in_order:
            apart = process.ii if step == 0 else min(process.ii, 1)
            needed = apart * numbers if steps.stops is None else steps.stops.places
            row -= needed
            np.maximum.accumulate(row, out=row)
            row += needed
    return read_only(passed)


def _there(network: Network, channel: Channel, source: Int64Array, *, all_of_them: bool) -> Int64Array | None:
    """Return from which cycle the tokens of each firing are there, 0 for none; None if one is never written.

    Of a producer in order the last one comes last; otherwise all of them are waited for.
    """
    counts, firings = network.counts[channel.name], network.passings_of(channel.target)
    step = network.steps[channel.source].port["out", channel.name]
    written = source[step, counts.writing_firings(source.shape[1])] + network.forward(channel.name)
    there = np.zeros(firings, dtype=np.int64)
    if all_of_them:
        reader, token = counts.reading_pairs(firings).T
        waits = token >= counts.initial
        reader, token = reader[waits], token[waits] - counts.initial
    else:
        token = counts.need.first(firings)
        reader = np.flatnonzero(token >= 0)
        token = token[reader]
    if len(token) and int(token.max()) >= len(written):
        return None
    np.maximum.at(there, reader, written[token])
    return there
