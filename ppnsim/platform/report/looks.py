"""How what the parts of a platform do looks in pictures: colours, words, the order of parts, gaps that nobody sees."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction

import numpy as np

from ppnsim.arrays import Float64Array
from ppnsim.platform.run.record import PlatformSpan
from ppnsim.plots.colours import OTHER, PALETTE

COLOURS: dict[str, str] = {
    "compute": PALETTE[4], "input port": PALETTE[7], "software": PALETTE[9], "configuration": OTHER,
    "send": PALETTE[3], "receive": PALETTE[6], "bytes": PALETTE[1], "port": "#9DBCD8", "gap": PALETTE[2],
    "latency": PALETTE[5], "bus delay": PALETTE[0], "bus bytes": PALETTE[8], "waiting": "#E6ECF2",
}  # fmt: skip
WORDS = {
    "input port": "compute, held by the input port", "send": "o, sending", "receive": "o, receiving", "bytes": "G",
    "port": "G of the message before", "gap": "g", "latency": "L", "bus delay": "L + o of the bus",
    "bus bytes": "g(b) of the bus",
}  # fmt: skip
STAGES = ("#46586A", "#667A8D", "#8294A6")
COLUMNS = 2000  # gaps narrower than one of so many are not drawn
LONGEST = 200  # parts; of a larger platform the first ones are drawn


def in_order(names: Iterable[str]) -> list[str]:
    """Return the names in the order of their numbers, node[2] before node[10]; of many the first ones."""
    pieces = {name: [int(piece) if piece.isdecimal() else piece for piece in re.split(r"([0-9]+)", name)]
              for name in names}  # fmt: skip
    return sorted(pieces, key=lambda name: pieces[name])[:LONGEST]


def coalesced(spans: Sequence[PlatformSpan], narrow: Fraction) -> tuple[Float64Array, Float64Array]:
    """Return left and right ends in seconds, neighbours less than ``narrow`` apart made one.

    Examples
    --------
    >>> spans = [PlatformSpan("a", "compute", "", Fraction(at), Fraction(at + 1)) for at in (0, 1, 5)]
    >>> [ends.tolist() for ends in coalesced(spans, Fraction(1, 10))]
    [[0.0, 5.0], [2.0, 6.0]]
    """
    ends: list[list[float]] = []
    for span in sorted(spans, key=lambda each: each.start):
        start, end = float(span.start), float(span.end)
        if ends and start <= ends[-1][1] + float(narrow):
            ends[-1][1] = max(ends[-1][1], end)
        else:
            ends.append([start, end])
    both = np.array(ends, dtype=float).reshape(-1, 2)
    return both[:, 0], both[:, 1]


def unit_of_seconds(makespan: Fraction) -> tuple[str, float]:
    """Return the largest unit of which there is at least one, and how many of it a second has."""
    units = (("s", 1.0), ("ms", 1e3), ("us", 1e6))
    return next((unit for unit in units if float(makespan) * unit[1] >= 1), ("ns", 1e9))
