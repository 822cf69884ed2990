"""How often tasks run that have no end (``hls::task``): until the tokens that others write for them have been read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from ppnsim.errors import InputError
from ppnsim.hls.region.accesses import Clocked
from ppnsim.hls.region.leaves import Leaf
from ppnsim.hls.region.refusals import NoNetwork
from ppnsim.model.step_lists import StepList

NOTHING: Mapping[str, int] = MappingProxyType({})


def rounds_of(
    leaves: Sequence[Leaf], clocks: Mapping[Leaf, Clocked], outside: Mapping[str, int] = NOTHING
) -> dict[Leaf, int]:
    """Return the runs of each task without an end; one whose tokens all come from outside runs once.

    Parameters
    ----------
    outside : how many tokens come from outside, by FIFO of the interface, where that is known.

    Raises
    ------
    InputError
        If a task never gets the tokens of one run, or such tasks feed each other in a circle.
    """
    puts: dict[str, Leaf] = {}
    for leaf in leaves:
        for fifo, kind in clocks[leaf].times:
            if kind == "put":
                puts.setdefault(fifo, leaf)
    known = {leaf: 1 for leaf in leaves if not leaf.endless}
    waiting = [leaf for leaf in leaves if leaf.endless]
    while waiting:
        ready = [leaf for leaf in waiting if all(each in known for each in _before(leaf, clocks, puts))]
        if not ready:
            names = ", ".join(f"'{leaf.name}'" for leaf in waiting)
            words = f"tasks {names} run as long as tokens come and feed each other in a circle"
            raise NoNetwork(f"{words}: how often they run is not known", where=str(waiting[0].position))
        for leaf in ready:
            known[leaf] = _rounds(leaf, clocks, puts, known, outside)
        waiting = [leaf for leaf in waiting if leaf not in known]
    return known


def _before(leaf: Leaf, clocks: Mapping[Leaf, Clocked], puts: Mapping[str, Leaf]) -> list[Leaf]:
    return [puts[fifo] for fifo, kind in clocks[leaf].times if kind == "take" and fifo in puts]


def _rounds(
    leaf: Leaf, clocks: Mapping[Leaf, Clocked], puts: Mapping[str, Leaf], known: Mapping[Leaf, int],
    outside: Mapping[str, int],
) -> int:  # fmt: skip
    found: list[int] = []
    for (fifo, kind), steps in clocks[leaf].times.items():
        if kind == "take" and fifo in outside and fifo not in puts:
            found.append(max(1, outside[fifo] // (StepList(steps).count * leaf.times())))
        if kind == "take" and fifo in puts:
            writer = puts[fifo]
            written = StepList(clocks[writer].times[fifo, "put"]).count * writer.times() * known[writer]
            needed = StepList(steps).count * leaf.times()
            if written < needed:
                words = f"task '{leaf.name}' reads {needed} tokens of FIFO '{fifo}' in a run"
                words += (
                    f", and '{writer.name}' writes {written} in all; '#pragma HLS loop_tripcount max=N' in a loop of "
                )
                words += "it without an end says how many tokens it takes"
                raise InputError(words, where=str(leaf.position))
            found.append(written // needed)
    return min(found, default=1)
