"""Bus lanes: the accesses of each task over each bus, with the numbers of the bus and the addresses (R12.1, R12.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ppnsim.hls.pragmas.directives import Directives
from ppnsim.hls.region.accesses import Clocked
from ppnsim.hls.region.bursts import PAGE, bytes_of, differing, size_of, unfit, without_lanes
from ppnsim.hls.region.leaves import Leaf
from ppnsim.hls.region.transfers import Visit
from ppnsim.hls.structure.element_runs import SOONER
from ppnsim.hls.structure.partitions import Storage
from ppnsim.loops.program import Array, LoopProgram


@dataclass(frozen=True, slots=True)
class BusLane:
    """The reads, or the writes, of one task over one bus; ``kept`` has the bus, ``width`` the bytes of a beat."""

    leaf: Leaf
    write: bool
    kept: Storage
    visits: tuple[Visit, ...]
    width: int

    @property
    def resource(self) -> str:
        """The direction of the bus, which several tasks may share."""
        return f"{self.kept.bundle} {'writes' if self.write else 'reads'}"

    @property
    def latency(self) -> int:
        """States from a request to the use of its element, or from the last element to the response (R12.3)."""
        return self.kept.latency - SOONER * self.write

    @property
    def names(self) -> tuple[str, ...]:
        """The arguments."""
        return tuple(dict.fromkeys(visit.array for visit in self.visits))


@dataclass(frozen=True, slots=True)
class BusLanes:
    """The lanes of all tasks.

    Attributes
    ----------
    arrays : the arguments; an argument of vectors has whole vectors as elements.
    bases : first address of each argument.
    without : arguments that have no lane, with the reason.
    """

    lanes: tuple[BusLane, ...]
    arrays: Mapping[str, Array]
    bases: Mapping[str, int]
    without: Mapping[str, str]


def lanes_of(
    program: LoopProgram, directives: Directives, leaves: Sequence[Leaf], clocks: Mapping[Leaf, Clocked]
) -> BusLanes:
    """Return the lanes of all tasks, for each bus and direction.

    Parameters
    ----------
    clocks : accesses of one run of each task.
    """
    visits = [(leaf, visit) for leaf in leaves for visit in clocks[leaf].visits]
    arrays = {array.name: array for array in program.arrays} if visits else {}
    without: dict[str, str] = {}
    for _, visit in visits:
        if reason := visit.reason or unfit(arrays[visit.array], directives):
            without.setdefault(visit.array, reason)
    declared = dict(arrays)
    for name in {visit.array for _, visit in visits}:
        arrays[name] = without_lanes(arrays[name], declared)
    groups: dict[tuple[Leaf, str, bool], list[Visit]] = {}
    for leaf, visit in visits:
        if visit.array not in without:
            bundle = directives.storage[visit.array].bundle
            groups.setdefault((leaf, bundle, visit.write), []).append(_narrowed(visit, arrays[visit.array]))
    lanes = []
    for (leaf, bundle, write), mine in groups.items():
        names = sorted({visit.array for visit in mine})
        if reason := differing(names, arrays, directives):
            without |= dict.fromkeys(names, f"{reason} share bus '{bundle}'")
            continue
        every = [directives.storage[name] for name in names]
        kept = replace(
            every[0], bursts=_most(each.bursts for each in every), outstanding=_most(each.outstanding for each in every)
        )
        lanes.append(BusLane(leaf, write, kept, tuple(mine), bytes_of(arrays[names[0]])))
    return BusLanes(tuple(lanes), arrays, _bases(lanes, arrays), without)


def _most(pairs: Iterable[tuple[int, int]]) -> tuple[int, int]:
    reads, writes = zip(*pairs, strict=True)
    return max(reads), max(writes)


def _narrowed(visit: Visit, array: Array) -> Visit:
    """Return a visit without the subscripts of vector lanes."""
    return visit if visit.index is None else replace(visit, index=visit.index[:, : len(array.shape)])


def _bases(lanes: Sequence[BusLane], arrays: Mapping[str, Array]) -> dict[str, int]:
    """Return the first address of each argument: in order of declaration, each at a page (R12.2)."""
    found: dict[str, int] = {}
    at = 0
    touched = {name for lane in lanes for name in lane.names}
    for name in (each for each in arrays if each in touched):
        visits = [visit for lane in lanes for visit in lane.visits if visit.array == name]
        found[name] = at
        at += -(-size_of(visits, arrays[name]) * bytes_of(arrays[name]) // PAGE) * PAGE
    return found
