"""What sets the initiation interval of a loop, in words, and what makes the loop faster."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ppnsim.hls.schedule.model import ScheduledNest

_CURES = {
    "ports of": "partition that array",
    "units of": "allow more of them",
    "order of stores": "an iteration may store what the one before has stored, and is to come after it",
    "order of": "an iteration takes or puts its tokens after the one before",
    "recurrence": "an iteration waits for the one before",
}


def bound_of(nest: ScheduledNest, labels: Mapping[tuple[str, int], str] = MappingProxyType({})) -> str:
    """Return the bound of a loop's interval; the elements of a FIFO have no subscript, a loop has its label.

    ``labels`` are those of the program (`labels_of`).
    """
    loop = nest.body.pipeline.loops[-1]
    name = labels.get((loop.iterator, loop.position.line), loop.iterator)
    return nest.body.schedule.bound.replace("[?] (", " (").replace(f"loop '{loop.iterator}'", f"loop '{name}'")


def advice(nest: ScheduledNest) -> str:
    """Return the initiation interval of a loop, what sets it, and what to do about it."""
    bound, interval = bound_of(nest), f"II {nest.body.schedule.ii}"
    if bound.endswith((" (read)", " (write)")):
        return f"{interval} by the {bound}: it takes one access per cycle"
    for kind, cure in _CURES.items():
        if bound.startswith(kind):
            others = "".join(f", and {name}, whose ports alone need II {ii}" for name, ii in nest.body.schedule.crowded)
            return f"{interval} by the {bound}: {cure}{others}"
    if bound == "directive":
        return f"{interval} as its directive asks: a smaller interval there makes it faster"
    if bound.endswith("through memory"):
        return f"{interval}: an iteration loads what the one before stores ({bound})"
    often = "each cycle" if nest.body.schedule.ii == 1 else f"in {nest.body.schedule.ii} cycles"
    return f"one iteration {often}: {_faster(nest)}"


def _faster(nest: ScheduledNest) -> str:
    """Return what makes a loop faster whose interval no array and no operator sets."""
    if nest.body.schedule.bound.startswith("the test that ends "):
        return "it waits for the test by data of the one before; a number of iterations that is known needs no test"
    ends = {node.port for node in nest.body.graph.nodes if node.port is not None}
    if single := sorted(port for port in ends if port.endswith((" (read)", " (write)"))):
        port = single[0].replace("[?] (", " (")
        return f"{port} takes one access per cycle; only wider elements, or more of these, make it faster"
    if any(loop.ended or loop.endless for loop in nest.body.pipeline.loops):
        return "data ends it; unrolled, it tests as often"
    return "only unrolling makes it faster"
