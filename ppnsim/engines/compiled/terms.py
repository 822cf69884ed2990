"""The recurrences of a tape as terms of one graph iteration: what its firings wait for, in every iteration alike."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.engines.compiled.tape import COUNT, EDGES, EDGES_END, INDEX, NO_TABLE, SHIFT, SOURCE, WEIGHT, WEIGHTS, Tape


@dataclass(frozen=True, slots=True)
class MaxTerm:
    """``x_source(i q + index) + weight`` for firing i q + j of the step that has the term.

    A ``tabled`` one counts only where its index is not negative; else firings before the first do not bound anything.
    """

    source: int
    index: int
    weight: int
    tabled: bool


Terms = dict[tuple[int, int], list[MaxTerm]]  # of each node and phase


def terms_of(tape: Tape, repeats: list[int]) -> tuple[Terms, dict[int, int]] | None:
    """Return the terms of a tape, and per node from which firing on they do not hold any more; None if it has none.

    Parameters
    ----------
    tape : with its depths.
    repeats : firings of each node in a graph iteration.
    """
    found: Terms = {}
    last = {node: int(row[COUNT]) for node, row in enumerate(tape.nodes)}
    for node, row in enumerate(tape.nodes):
        for phase in range(repeats[node]):
            terms = found[node, phase] = []
            for edge in tape.edges[row[EDGES] : row[EDGES_END]]:
                weight = _weight(tape, edge, node, slice(phase, None, repeats[node]))
                source = int(edge[SOURCE])
                if weight is None:
                    return None
                if edge[INDEX] == NO_TABLE:
                    if repeats[node] != repeats[source]:
                        return None
                    terms.append(MaxTerm(source, phase - int(edge[SHIFT]), weight, False))
                    continue
                index = _table(tape, edge[INDEX], node)[phase :: repeats[node]]
                if (index < 0).all():
                    continue
                first, held = _progression(index, repeats[source])
                last[node] = min(last[node], held * repeats[node] + phase)
                terms.append(MaxTerm(source, first, weight, True))
    return found, last


def _table(tape: Tape, place: int, node: int) -> Int64Array:
    return tape.tables[place : place + tape.nodes[node, COUNT]]


def _weight(tape: Tape, edge: Int64Array, node: int, firings: slice) -> int | None:
    """Return the weight that an edge has in these firings, None if it has several."""
    if edge[WEIGHTS] == NO_TABLE:
        return int(edge[WEIGHT])
    weights = _table(tape, edge[WEIGHTS], node)[firings]
    weight = int(weights[0]) if len(weights) else 0
    return weight if (weights == weight).all() else None


def _progression(index: Int64Array, step: int) -> tuple[int, int]:
    """Return the first index if indices grow by ``step`` (negative ones aside), and how many of them do."""
    steps = np.arange(len(index)) * step
    middle = len(index) // 2  # the first ones may be negative, the last ones past the end
    first = int(index[middle] - steps[middle])
    wrong = np.flatnonzero(index != np.maximum(steps + first, -1))
    return first, int(wrong[0]) if len(wrong) else len(index)
