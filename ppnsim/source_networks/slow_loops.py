"""Which loops of a source the cycles of a critical path are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from ppnsim.loops.position import Position
from ppnsim.source_networks.model import SourceNetwork, line_of

_MOST, _LEAST = 3, 0.05  # processes that are told, and their share of the path


def loop_sentences(source: SourceNetwork, cycles: Mapping[str, int]) -> Iterator[str]:
    """Yield where the processes stand that most ``cycles`` of a path are of, with their longest loop.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> from ppnsim.source_networks.model import SourceLoop
    >>> source = SourceNetwork(
    ...     network=chain(firings=9, length=1), file="k.cpp", function="f", made_of="tasks",
    ...     places={"p0": Position("k.cpp", 7, 1)}, loops={"p0": (SourceLoop("i", 9, 27, "II 3 by the recurrence"),)},
    ... )
    >>> list(loop_sentences(source, {"p0": 28}))
    ['p0 (k.cpp:7): loop i (line 9), 27 cycles a run: II 3 by the recurrence']
    """
    total = sum(cycles.values())
    most = sorted((each for each in cycles if cycles[each]), key=lambda each: -cycles[each])[:_MOST]
    for name in most:
        position = source.places.get(name, Position())
        if cycles[name] < _LEAST * total or not position.line:
            continue
        place = line_of(replace(position, file=Path(position.file).name))
        loops = sorted(source.loops.get(name, ()), key=lambda each: -each.cycles)
        words = ""
        if loops:
            each, others = loops[0], len(loops) - 1
            beside = f", the longest of {len(loops)}" if others else ""
            words = f": loop {each.name} (line {each.line}{beside}), {each.cycles} cycles a run: {each.words}"
        yield f"{name} ({place}){words}"
