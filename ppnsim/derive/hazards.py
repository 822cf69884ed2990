"""The tokens of a channel, and channels that carry no values but keep writes after earlier accesses to their element.

A process network needs no hazard channels, because it stores every value in a place of its own. With them, the network
has the timing of a machine with one place per variable. Their tokens are permissions to write.

Source: van Teijlingen 2014, appendix E.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.loops.orderings import Ordering, ordering_dependences
from ppnsim.loops.program import LoopProgram
from ppnsim.model.network import Channel, Process
from ppnsim.model.tokens import Listed, Runs, Tokens


def orderings(program: LoopProgram) -> list[tuple[str, Ordering]]:
    """Return the anti and output dependences of a program, named ``anti:p->c`` or ``output:p->c``, numbered if several.

    Raises
    ------
    InputError
        If an array is not declared.
    """
    found = ordering_dependences(program)
    several = Counter((each.kind, each.earlier, each.later) for each in found)
    named = []
    for each in found:
        numbers = f".{each.access}.{each.write}" if several[each.kind, each.earlier, each.later] > 1 else ""
        named.append((f"{each.kind}:{each.earlier}->{each.later}{numbers}", each))
    return named


def ordering_channels(program: LoopProgram, processes: Mapping[str, Process]) -> list[Channel]:
    """Return a channel for each anti and output dependence, with tokens of one bit.

    The later firing reads its tokens when it writes (step read + latency). The token of a read (anti) exists when the
    read has ended. The token of a write (output) exists in the cycle of the write, so that both writes may end
    together.
    """
    channels = []
    for name, each in orderings(program):
        earlier, later = processes[each.earlier], processes[each.later]
        assert isinstance(later.latency, int)
        channels.append(
            Channel(
                name=name, source=each.earlier, target=each.later, tokens=tokens_of(each.pairs), width=1,
                from_offset=0 if each.kind == "anti" else None, to_offset=(later.read or 0) + later.latency,
                forward=earlier.read if each.kind == "anti" else 0,
            )
        )  # fmt: skip
    return channels


_FEW_RUNS = 8


def tokens_of(pairs: Int64Array) -> Tokens:
    """Return ``(consumer firing, producer firing)`` pairs as tokens: as runs if these are much shorter, else as a list.

    Examples
    --------
    >>> tokens_of(np.array([[0, 0], [1, 2], [2, 4]]))
    Runs(writes=((0, 2, 3),), reads=((0, 1, 3),))
    """
    by_token = pairs[np.lexsort((pairs[:, 0], pairs[:, 1]))]
    if (np.diff(by_token[:, 1]) > 0).all():
        few = max(_FEW_RUNS, len(pairs) // 4)
        runs = [_runs(by_token[:, side], few) for side in (1, 0)]
        if runs[0] and runs[1] and len(runs[0]) + len(runs[1]) <= few:
            return Runs(tuple(runs[0]), tuple(runs[1]))
    writers, number = np.unique(pairs[:, 1], return_inverse=True)
    return Listed(tuple(writers.tolist()), tuple(zip(pairs[:, 0].tolist(), number.tolist(), strict=True)))


def _runs(values: Int64Array, most: int) -> list[tuple[int, int, int]]:
    """Return values as ``(first, step, count)`` runs, None if there are more than ``most`` runs."""
    runs: list[tuple[int, int, int]] = []
    steps = np.diff(values)
    changes: list[int] = (np.flatnonzero(np.diff(steps)) + 1).tolist()
    at = 0
    while at < len(values) and len(runs) <= most:
        if at == len(values) - 1 or steps[at] < 0:
            end, step = at, 0
        else:
            later = bisect_right(changes, at)
            end, step = (changes[later] if later < len(changes) else len(steps)), int(steps[at])
        runs.append((int(values[at]), step, end - at + 1))
        at = end + 1
    return runs if len(runs) <= most else []
