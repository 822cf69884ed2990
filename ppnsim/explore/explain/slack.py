"""How much later firings and tokens of a run could be without its finish moving."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ppnsim.analysis.firing_waits import Kind
from ppnsim.analysis.path.event_graph import EventGraph
from ppnsim.arrays import Int64Array
from ppnsim.errors import InputError
from ppnsim.kernel_cache import run_kernel
from ppnsim.model.network import is_monotone

_NEVER = 2**62  # the latest cycle of what nothing waits for


@dataclass(frozen=True, slots=True, kw_only=True)
class Slack:
    """Cycles by which all of something could be later than in the run, each item at once; None = by any number.

    ``starts`` by process; ``tokens`` and ``slots`` by channel: when a written token can be read, a released slot
    written.
    """

    starts: Mapping[str, int | None]
    tokens: Mapping[str, int | None]
    slots: Mapping[str, int | None]


def slack(graph: EventGraph) -> Slack:
    """Return the slack of every process and channel: a backward pass over the edges from the finish.

    The latest moments form a timeline themselves: everything could be that late at once. So all starts of a process can
    be later by the smallest difference of them, and not by more. The same holds for the tokens of a channel.

    Raises
    ------
    InputError
        If the network is not described by its edges alone: flushable processes and shared resources.

    Examples
    --------
    >>> from ppnsim import fork_join, run
    >>> from ppnsim.analysis.path.event_edges import event_graph
    >>> found = slack(event_graph(run(fork_join(firings=20, short_depth=8)).timeline))
    >>> found.starts, found.tokens["short_out"]
    ({'split': 0, 'short': 1, 'long': 0, 'join': 0}, 6)
    """
    network = graph.timeline.network
    if not is_monotone(network):
        for process in network.processes:
            if process.style == "flushable" or process.resource is not None:
                words = "flushable" if process.style == "flushable" else f"sharing resource '{process.resource}'"
                raise InputError(
                    f"no slack: it is {words}, so a delay may also move others forward", where=process.where
                )
    late = latest(graph)
    starts = {name: _smallest(late[rows[0]] - graph.cycle[rows[0]]) for name, rows in graph.moment.items()}
    spare = late[graph.target] - graph.cycle[graph.source] - graph.weight
    by_kind: dict[Kind, dict[str, int | None]] = {}
    for kind in (Kind.TOKEN, Kind.SLOT):
        mine = np.flatnonzero(graph.kind == kind)
        owner = graph.part[mine]
        by_kind[kind] = {
            channel.name: _smallest(spare[mine[owner == number]]) for number, channel in enumerate(network.channels)
        }
    return Slack(starts=starts, tokens=by_kind[Kind.TOKEN], slots=by_kind[Kind.SLOT])


def latest(graph: EventGraph) -> Int64Array:
    """Return the latest cycle of every moment with which the run would still finish when it did."""
    timeline = graph.timeline
    late = np.full(len(graph.cycle), _NEVER, dtype=np.int64)
    for name, moments in graph.moment.items():
        steps = timeline.network.steps[name]
        late[moments[steps.ending_steps]] = timeline.finish - steps.write
    order = np.argsort(graph.target, kind="stable")
    first = np.searchsorted(graph.target[order], np.arange(len(late) + 1))
    open_ends = np.bincount(graph.source, minlength=len(late))
    ready = np.empty(len(late), dtype=np.int64)
    done = run_kernel(backwards, first, graph.source[order], graph.weight[order], open_ends, late, ready)
    assert done == len(late), "nothing waits for itself"
    return late


def backwards(
    first: Int64Array,
    source: Int64Array,
    weight: Int64Array,
    open_ends: Int64Array,
    late: Int64Array,
    ready: Int64Array,
) -> int:
    """Lower ``late`` from the ends of a graph to its beginnings, each moment after all that wait for it.

    Edges are grouped by target, ``first`` is where each group begins; ``open_ends`` counts the edges that leave a
    moment; ``ready`` has room for all moments. Returns how many moments were reached.
    """
    count = 0
    for moment in range(len(late)):
        if open_ends[moment] == 0:
            ready[count] = moment
            count += 1
    done = 0
    while count:
        count -= 1
        moment = ready[count]
        done += 1
        for edge in range(first[moment], first[moment + 1]):
            before = source[edge]
            late[before] = min(late[before], late[moment] - weight[edge])
            open_ends[before] -= 1
            if open_ends[before] == 0:
                ready[count] = before
                count += 1
    return done


def _smallest(spare: Int64Array) -> int | None:
    """Return the smallest of the differences, None if there is none, or none that anything waits for."""
    found = int(spare.min(initial=_NEVER))
    return None if found >= _NEVER // 2 else found
