"""Runs of networks whose processes share resources and never wait for a unit: no arbiter has to be simulated."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ppnsim.model.network import Network
from ppnsim.model.run import Run
from ppnsim.model.timeline import NEVER, Timeline


def alone(network: Network) -> Network | None:
    """Return a checked network without its resources, in which every start has its unit; None if it needs them.

    A flushable process asks for its unit ahead, and a scheduled one holds one in other cycles than it starts in.
    """
    sharing = [process for process in network.processes if process.resource is not None]
    if any(process.style == "flushable" or process.schedule is not None for process in sharing):
        return None
    free = [replace(process, resource=None) for process in network.processes]
    return network.replace(processes=free, resources={}).checked()


def uncontended(network: Network, found: Run) -> Run | None:
    """Return the run of a network with shared resources if no process waits for a unit of one, else None.

    If no cycle of the run without resources holds more units than there are, every start would get its unit in the
    cycle in which it asks (T5.2), and the run with the resources is the same.

    Parameters
    ----------
    found : the run of `alone`, complete or up to its deadlock.

    Examples
    --------
    >>> from ppnsim.engines.run import run
    >>> from ppnsim.model.elements import Process
    >>> masters = [Process(name=name, firings=5, ii=2, resource="bus") for name in ("one", "two")]
    >>> two, one = (Network(processes=masters, resources={"bus": units}) for units in (2, 1))
    >>> uncontended(two, run(alone(two))).finish
    9
    >>> print(uncontended(one, run(alone(one))))
    None
    """
    if not all(_enough(network, name, found.timeline) for name in network.resources):
        return None
    recorded = Timeline(network=network, passed=found.timeline.passed, holds=found.timeline.holds)
    return replace(found, network=network, recorded=recorded, left_out=None)


def _enough(network: Network, resource: str, timeline: Timeline) -> bool:
    """Return whether there are as many units of a resource as are held at once."""
    users = [process for process in network.processes if process.resource == resource and process.ii]
    if not users:
        return True
    starts = [timeline.start(process.name) for process in users]
    held = [each[each != NEVER] + network.steps[process.name].read for process, each in zip(users, starts, strict=True)]
    begins = np.sort(np.concatenate(held))
    ends = np.sort(np.concatenate([each + process.ii for process, each in zip(users, held, strict=True)]))
    at_once = np.arange(1, len(begins) + 1) - np.searchsorted(ends, begins, side="right")
    return bool(at_once.max(initial=0) <= network.resources[resource])
