"""Pointers without an interface in the flow for IPs: wires, through which accesses to all elements go (R6.26)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ppnsim.hls.pragmas.directives import Directives
from ppnsim.hls.pragmas.pragma import DirectivesSoFar
from ppnsim.hls.structure.partitions import REGISTERS
from ppnsim.loops.program import ADDRESSES, Array


def put_on_wires(whole: Iterable[Array], arguments: Mapping[str, frozenset[str]], asked: DirectivesSoFar) -> None:
    """Keep pointers without an interface on wires; an array whose partition a directive gives stays a memory.

    ``whole`` are the arrays before their structs are split, ``arguments`` the arrays in each such argument.
    """
    for name in wires_of(whole, arguments):
        if not arguments[name] & asked.partitions.keys():
            asked.storage |= dict.fromkeys(arguments[name], REGISTERS)


def wires_of(whole: Iterable[Array], arguments: Iterable[str]) -> list[str]:
    """Return the arguments that point to numbers or structs, and not to arrays: their size is nowhere.

    Examples
    --------
    >>> wires_of([Array("p", (ADDRESSES,)), Array("rows", (ADDRESSES, 4)), Array("a", (8,))], ["p", "rows", "a"])
    ['p']
    """
    pointers = {each.name for each in whole if each.shape == (ADDRESSES,)}
    return [name for name in arguments if name in pointers]


def said_of_wires(directives: Directives, arrays: Iterable[Array]) -> Iterator[str]:
    """Yield which pointers are wires: the hardware then differs from the program."""
    wires = directives.stored_as("registers")
    on_wires = [each for each in arrays if each.shape[:1] == (ADDRESSES,) and each.name in wires]
    if names := sorted({(each.member or each.name.partition("."))[0] for each in on_wires}):
        quoted = ", ".join(f"'{name}'" for name in names)
        words = f"{quoted} without an interface: one wire for each, whatever the index, in the flow for IPs (R6.26)"
        yield f"{words}; '#pragma HLS interface m_axi port={names[0]}', or an array with its size, says it otherwise"
