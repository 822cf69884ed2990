"""Channels that carry no values: they keep a write after the earlier reads and writes of its element.

A process network needs no such channels, because it stores every value in a place of its own. With them, the network
has the timing of a machine with one place per variable. Their tokens are permissions to write.

Source: van Teijlingen 2014, appendix E.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from ppnsim.derive.tokens import tokens_of
from ppnsim.loops.orderings import Ordering, ordering_dependences
from ppnsim.loops.program import LoopProgram
from ppnsim.model.network import Channel, Process


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
