"""Bursts: the beats of a task on a bus, grouped into requests of the task and pieces of the memory (R12.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ppnsim.arrays import Int64Array
from ppnsim.hls.pragmas.directives import Directives
from ppnsim.hls.region.transfers import Visit
from ppnsim.hls.structure.lanes import is_lanes
from ppnsim.loops.program import ADDRESSES, Array

PAGE = 4096
"""Bytes of a page: no AXI burst crosses a page boundary, and each argument begins at one."""


@dataclass(frozen=True, slots=True)
class Bursts:
    """The beats of one run of a task over a bus in one direction, in order, and their groups.

    Attributes
    ----------
    steps : steps of the accesses, shape (beats,).
    addresses : addresses in bytes, shape (beats,); None if some of them depend on data.
    runs : first beat of each run of consecutive elements in one visit of a loop, which is requested as a whole.
    first : first beat of each burst.
    pieces : first beat of each piece: one request to the memory moves a piece.
    answered : step in which the response to each written burst has arrived, shape (bursts,); -1 if only the end of the
        run waits for it.
    """

    steps: Int64Array
    addresses: Int64Array | None
    runs: Int64Array
    first: Int64Array
    pieces: Int64Array
    answered: Int64Array

    @property
    def beats(self) -> int:
        """The number of beats."""
        return len(self.steps)

    def last(self) -> Int64Array:
        """Return the last beat of each burst."""
        return np.append(self.first[1:], self.beats) - 1

    def burst_of_pieces(self) -> Int64Array:
        """Return the burst that contains each piece."""
        found: Int64Array = np.searchsorted(self.first, self.pieces, side="right") - 1
        return found


def bursts_of(
    visits: Sequence[Visit], arrays: Mapping[str, Array], *, width: int, longest: int, bases: Mapping[str, int],
    piece: int,
) -> Bursts:  # fmt: skip
    """Return the bursts of the accesses over a bus in one direction.

    Successive accesses to consecutive elements in one visit of a loop are a run, unless they are conditional. A run is
    cut into bursts of at most ``longest`` beats that cross no page, and bursts into pieces that cross no multiple of
    ``piece`` bytes.

    Parameters
    ----------
    visits : accesses to ``arrays``.
    width : bytes of a beat.
    bases : first address of each array.
    piece : bytes of a request to the memory; 0: a burst is one request.

    Examples
    --------
    >>> steps = np.arange(40, dtype=np.int64)
    >>> visit = Visit("a", False, steps, 1010 + steps[:, None])
    >>> arrays = {"a": Array(name="a", shape=(2048,))}
    >>> found = bursts_of([visit], arrays, width=4, longest=16, bases={"a": 0}, piece=32)
    >>> found.runs.tolist(), found.first.tolist(), found.pieces.tolist()
    ([0], [0, 14, 30], [0, 6, 14, 22, 30, 38])
    """
    counts = [len(visit.steps) for visit in visits]
    steps = np.concatenate([visit.steps for visit in visits])
    order = np.argsort(steps, kind="stable")
    number = np.repeat(_visit_numbers(visits), counts)[order]
    known = np.repeat([visit.index is not None for visit in visits], counts)[order]
    joins = np.repeat([not visit.conditional for visit in visits], counts)[order] & known
    elements = np.concatenate([_elements(visit, arrays[visit.array]) for visit in visits])[order]
    follows = (np.diff(elements) == 1) & (np.diff(number) == 0) & joins[1:]
    runs = np.flatnonzero(np.append(True, ~follows))
    place = np.repeat([bases[visit.array] for visit in visits], counts)[order] + width * elements
    begins = np.zeros(len(steps), dtype=bool)
    begins[runs] = True
    begins[1:] |= np.diff(place // PAGE) != 0
    first = _stretches(begins, longest)
    starts = np.zeros(len(steps), dtype=bool)
    starts[first] = True
    if piece:
        starts[1:] |= np.diff(place // piece) != 0
    ends = np.repeat([-1 if visit.answered is None else visit.answered for visit in visits], counts)[order]
    return Bursts(steps[order], place if known.all() else None, runs, first, np.flatnonzero(starts), ends[first])


def _visit_numbers(visits: Sequence[Visit]) -> list[int]:
    """Return a number for each visit; visits of one array that is requested before the loop share one (R6.21)."""
    of_array: dict[str, int] = {}
    return [of_array.setdefault(each.array, n) if each.asked else n for n, each in enumerate(visits)]


def _stretches(begins: NDArray[np.bool_], most: int) -> Int64Array:
    """Return where stretches begin: at the given places, and ``most`` places after each begin."""
    at = np.flatnonzero(begins)
    within = np.arange(len(begins), dtype=np.int64) - np.repeat(at, np.diff(np.append(at, len(begins))))
    return np.flatnonzero(within % most == 0)


def _elements(visit: Visit, array: Array) -> Int64Array:
    """Return the index of each element in its flattened array, the last subscript fastest."""
    if visit.index is None:
        return np.zeros(len(visit.steps), dtype=np.int64)
    number = np.zeros(len(visit.steps), dtype=np.int64)
    for column, size in zip(visit.index.T, array.shape, strict=True):
        number = number * (size if size < ADDRESSES else 1) + column
    return number


def size_of(visits: Sequence[Visit], array: Array) -> int:
    """Return the number of elements of an array: as declared, else up to the last access."""
    declared = int(np.prod(array.shape, dtype=object))
    if declared < ADDRESSES:
        return declared
    return max((int(_elements(visit, array).max(initial=0)) + 1 for visit in visits), default=1)


def unfit(array: Array, directives: Directives) -> str:
    """Return the reason why an argument has no port; "" if it has one."""
    if array.member is not None and not is_lanes(array):
        return "it is a member of a struct"
    part = directives.partitions.get(array.name)
    if part is None:
        return ""
    if not part.words:
        return "array_partition gives each of its banks a bus"
    last = part.kind == "complete" and part.dim == len(array.shape) and not part.more and is_lanes(array)
    return "" if last else "array_reshape changes its words"


def without_lanes(array: Array, arrays: Mapping[str, Array]) -> Array:
    """Return an array of vectors, or a member of structs, with the whole vector or struct as its element: a beat.

    Parameters
    ----------
    arrays : all arrays; the members of one struct begin with the same name.
    """
    owner, dot, _ = array.name.partition(".")
    if dot:
        return replace(array, bits=sum(each.bits for name, each in arrays.items() if name.startswith(f"{owner}.")))
    if not is_lanes(array):
        return array
    return replace(array, shape=array.shape[:-1], bits=array.bits * array.shape[-1])


def bytes_of(array: Array) -> int:
    """Return the bytes of a beat: those of an element, rounded up to a power of two."""
    return int(1 << max(0, (array.bits - 1).bit_length() - 3))


def differing(names: Sequence[str], arrays: Mapping[str, Array], directives: Directives) -> str:
    """Return a difference between a task's arguments on one bus that one port cannot have; "" without one."""
    if len({bytes_of(arrays[name]) for name in names}) > 1:
        return "elements of several widths"
    return "several latencies" if len({directives.storage[name].latency for name in names}) > 1 else ""
