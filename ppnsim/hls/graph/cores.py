"""DSP blocks and vendor cores that code calls by functions of our headers: pipelined units (R6.10)."""

from __future__ import annotations

from collections.abc import Iterable

from ppnsim.hls.graph.graph import Graph, GraphNode
from ppnsim.hls.graph.operators import Operators
from ppnsim.hls.library.types import Format
from ppnsim.loops.program import Statement

_DSP, _REGISTER, _OUTPUT, _CORE = "ppnsim_dsp", "ppnsim_dsp_register", "ppnsim_dsp_output", "ppnsim_core"
_COUNTED = "ppnsim_core_counted"
CORES = frozenset((_DSP, _REGISTER, "ppnsim_dsp_sum", _OUTPUT, _CORE, _COUNTED))
"""Functions of the headers; the first argument is the number of states: a DSP block's multiplier, the registers before
its multiplier or its adder, its adder, its output, and a core of the vendor's."""
_OUT = 0.4
"""Time in ns from the clock edge to the output of register P: the result follows the last register's state (R6.10)."""


def called_core(operators: Operators, name: str, to: Format, states: int, operands: tuple[int, ...]) -> int:
    """Return the pipelined unit that a call of one of `CORES` asks for, with this number of states.

    Loaded data may chain into the first register of a DSP block (R2.9); inside a block only registers take time. A
    block without an output register gives its result at the time of its adder. A core takes operands from registers.

    Examples
    --------
    >>> from ppnsim.hls.library.library import load_library
    >>> operators, whole = Operators(load_library("xc7z020", 10), {}), Format.of("int")
    >>> node = called_core(operators, "ppnsim_dsp_register", whole, 1, (operators.input("a", whole),))
    >>> operators.graph.nodes[node].states, operators.graph.nodes[node].entry
    (1, 1.05)
    """
    library = operators.library
    if name == _OUTPUT:
        return operators.wire("register P", to, *operands, delay=_OUT if states else library.ns("mac"))
    entry = min(library.ns("mac_entry"), library.budget) if name == _REGISTER and states else 0.0
    return operators.graph.add("op", name, to, operands, states=states, entry=entry, unit=name)


def is_dsp(node: GraphNode) -> bool:
    """Return whether a node is a DSP block that the code asks for: it shares no unit."""
    return node.kind == "op" and node.name == _DSP


def has_core(graph: Graph) -> bool:
    """Return whether a body contains a core: such a body has no state that only counts (R7.8, R10.2)."""
    return any(node.kind == "op" and node.name in (_CORE, _COUNTED) and node.states > 1 for node in graph.nodes)


def said_of_cores(statements: Iterable[Statement]) -> list[str]:
    """Return a sentence about the assumptions for the vendor's cores in a kernel, if it has any (R7.8)."""
    calls = (each for some in statements if some.value for each in some.value.walk() if each.kind == "call")
    named = ((each.text.rsplit("::", 1)[-1], each.operands[0].text) for each in calls if each.operands)
    found = {name for name, states in named if name == _COUNTED or (name == _CORE and states != "1")}
    said = [
        "a core of the vendor's (hls::fft, hls::FIR) starts with its first sample, whatever its settings wait for, and "
        "its area is not counted",
        "the latency of such a core is in no report: it is counted from the structure that its guide describes (R7.8, "
        "R7.9 in ppnsim/hls/RULES.md); 'static const unsigned ppnsim_latency = N;' in its settings, as its dialog "
        "shows it, says better",
    ]
    return said[: 2 if _COUNTED in found else len(found)]
