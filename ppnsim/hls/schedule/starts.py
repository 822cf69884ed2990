"""When a pipelined loop of the state machine starts: what its arguments still do in the state of its start (R5.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ppnsim.hls.graph.graph import Graph
from ppnsim.hls.library.library import Library
from ppnsim.hls.schedule.model import ScheduledBody
from ppnsim.hls.structure.locations import iterators


def first_state_ns(body: ScheduledBody, library: Library) -> float:
    """Return the ns that arguments need in the first state of a loop: its longest chain of operators behind one.

    The start value of a variable goes into its register; rows that loops around count are part of an address.
    """
    own = {loop.iterator for loop in body.pipeline.loops}
    ends = dict.fromkeys(body.inputs.values(), 0.0)
    longest = library.ns("writeback") if set(body.arguments) - body.inputs.keys() else 0.0
    for node in body.graph.nodes:
        state, at = body.schedule.issue[node.index]
        taken = [ends[each] for each in node.operands if each in ends]
        if node.kind in ("load", "store") and node.access is not None and iterators(node.access) - own:
            taken.append(at)
        if state or not taken or node.kind in ("dead", "input"):
            continue
        end = max(taken) + (node.entry if node.states and node.entry else node.delay)
        longest = max(longest, end)
        if not node.states:
            ends[node.index] = end
    return longest


def registered(arguments: Iterable[int], graph: Graph) -> Iterator[tuple[int, int]]:
    """Yield the arguments that are in registers when a loop starts, each with the states from its issue to the start.

    These are loaded elements and results of operators with several states, also through wires (R5.3).
    """
    for argument in arguments:
        node = graph.nodes[argument]
        while node.kind == "op" and not node.states and not node.delay and len(node.operands) == 1:
            node = graph.nodes[node.operands[0]]
        if node.states:
            yield node.index, node.states + (node.kind == "load" and node.delay > 0)
