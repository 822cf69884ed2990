"""Arrays of FIFOs: the FIFO that an access uses in each iteration of its loops (R7.2)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.hls.graph.graph import Graph, Tokens
from ppnsim.hls.region.refusals import DataDecides
from ppnsim.hls.region.transfers import Columns
from ppnsim.loops.points import values
from ppnsim.loops.program import DATA, Access

Chosen = np.ndarray[tuple[int], np.dtype[np.bool_]]


def fifos_of(access: Access, columns: Columns, count: int) -> Iterator[tuple[str, Chosen | None]]:
    """Yield the FIFOs of an access, each with the iterations in which the access uses it; None stands for all.

    Parameters
    ----------
    columns : gives the values of iterators in all ``count`` iterations.

    Raises
    ------
    DataDecides
        If the choice of the FIFO depends on data.

    Examples
    --------
    >>> from ppnsim.loops.expressions import Affine
    >>> even = Access("s", (Affine.of("i"),))
    >>> [(name, there.tolist()) for name, there in fifos_of(even, lambda _: {"i": np.array([1, 0, 1])}, 3)]
    [('s[0]', [False, True, False]), ('s[1]', [True, False, True])]
    """
    names = {name for subscript in access.subscripts for name in subscript.iterators()}
    if names & set(DATA.iterators()):
        raise DataDecides(f"data decides which FIFO of '{access.array}' is accessed", access.array)
    if not names:
        yield access.array + "".join(f"[{subscript}]" for subscript in access.subscripts), None
        return
    at = columns(names)
    index: Int64Array = np.stack([values(subscript, at, count) for subscript in access.subscripts], axis=1)
    rows, row_of = np.unique(index, axis=0, return_inverse=True)
    for number, row in enumerate(rows.tolist()):
        yield access.array + "".join(f"[{each}]" for each in row), np.equal(row_of.ravel(), number)


def chosen_by(graph: Graph, tokens: Tokens, name: str) -> bool:
    """Return whether an iterator decides which FIFO is accessed."""
    accesses = (graph.nodes[number].access for number in tokens)
    return any(name in each.iterators() for access in accesses if access is not None for each in access.subscripts)
