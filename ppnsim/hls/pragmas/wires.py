"""Pointers without an interface in the flow for IPs: wires, through which accesses to all elements go (R6.26)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ppnsim.hls.pragmas.buses import said_of_default
from ppnsim.hls.pragmas.directives import Directives
from ppnsim.hls.pragmas.pragma import DirectivesSoFar
from ppnsim.hls.structure.partitions import REGISTERS
from ppnsim.loops.program import ADDRESSES, Array


def put_on_wires(whole: Iterable[Array], arguments: Mapping[str, frozenset[str]], asked: DirectivesSoFar) -> list[str]:
    """Keep pointers without an interface on wires, and return their names; an array that a directive divides stays.

    ``whole`` are the arrays before their structs are split, ``arguments`` the arrays in each such argument.
    """
    wires = [name for name in wires_of(whole, arguments) if not arguments[name] & asked.partitions.keys()]
    for name in wires:
        asked.storage |= dict.fromkeys(arguments[name], REGISTERS)
    return wires


def wires_of(whole: Iterable[Array], arguments: Iterable[str]) -> list[str]:
    """Return the arguments that point to numbers or structs, and not to arrays: their size is nowhere.

    Examples
    --------
    >>> shapes = {"p": (ADDRESSES,), "rows": (ADDRESSES, 4), "a": (8,)}
    >>> wires_of([Array(name=name, shape=shape) for name, shape in shapes.items()], shapes)
    ['p']
    """
    pointers = {each.name for each in whole if each.shape == (ADDRESSES,)}
    return [name for name in arguments if name in pointers]


def said_of_arguments(directives: Directives, flow: str | None, *, called: bool) -> Iterator[str]:
    """Yield what is made of arguments without an interface: of pointers wires, unlike the program, or buses."""
    if flow == "vitis":
        yield from said_of_default(directives, called=called)
    elif names := directives.wires:
        quoted = ", ".join(f"'{name}'" for name in names)
        words = f"{quoted} without an interface: one wire for each, whatever the index, in the flow for IPs (R6.26)"
        yield f"{words}; '#pragma HLS interface m_axi port={names[0]}', or an array with its size, says it otherwise"
