"""Graph passes before scheduling: trees of sums, multiply-add in DSP blocks, and limited units."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from operator import itemgetter

from ppnsim.hls.graph.balance import balance
from ppnsim.hls.graph.graph import Graph, GraphNode, Limits
from ppnsim.hls.graph.simplify import simplify
from ppnsim.hls.library.library import Library
from ppnsim.hls.rules import Rules

UNITS = "units of"
WIDEST = 48
"""Bits of the adder of a DSP block."""
PRODUCT_NS = 3.36
"""Time of a product in a DSP block without registers, on 7-series of grade -1 (R2.13)."""
SUM_NS = 3.02
"""Time of a sum behind that product in the same block."""


def map_operators(
    graph: Graph, library: Library, rules: Rules, limits: Limits, balanced: bool | None = None,
    target: int = 1, least: int = 1,
) -> None:  # fmt: skip
    """Change a finished graph in place.

    ``balanced`` is a directive's choice for chains, None without one; ``target`` is the requested initiation interval,
    ``least`` the least interval that ports allow.
    """
    real = rules.balance or balanced is True
    simplify(graph, library, unsafe=rules.balance)
    if balanced is not False and (rules.integers or real):
        balance(graph, library, real=real, split=rules.recent, target=target, least=least)
    if rules.mac:
        map_multiply_add(graph, library)
    elif not rules.vitis:
        chain_multiply_add(graph, library)
    limit(graph, limits)


def map_multiply_add(graph: Graph, library: Library) -> None:
    """Put each sum and one of its products into a DSP block, if nothing else uses the product and both fit.

    The product takes the states of the block before its adder (R2.9: issued in s, the sum arrives in s + 3 at 2.1 ns).
    The other operand arrives at the adder, so that a recurrence through a sum is one adder long. The adder takes it
    from a register of the block, so that a chain of blocks takes one state each, unless the operand is the carried sum
    itself (R9.33).

    Examples
    --------
    >>> from ppnsim.hls.library.library import load_library
    >>> from ppnsim.hls.library.types import Format
    >>> graph, small, whole = Graph(), Format.of("short"), Format.of("int")
    >>> a, b = graph.add("input", "a", small), graph.add("input", "b", small)
    >>> product = graph.add("op", "mul", whole, (a, b), delay=5.0, wide=small)
    >>> total = graph.add("op", "add", whole, (product, graph.add("input", "c", whole)), delay=2.5, wide=whole)
    >>> map_multiply_add(graph, load_library("xc7z020", 10))
    >>> graph.nodes[product].states, graph.nodes[total].delay
    (3, 2.1)
    """
    states = library.states("mac")
    for node, product in _sums_of_products(graph, library):
        inner = graph.nodes[product]
        inner.states, inner.delay, inner.entry, inner.mac = states, 0.0, library.ns("mac_entry"), True
        inner.unit = inner.unit or f"mac_{inner.format.family}{inner.format.bits}"
        node.delay, node.mac = min(node.delay, library.ns("mac")), True
        other = [operand for operand in node.operands if operand != product]
        node.registered = node.registered or not _is_carried(graph, other)


def chain_multiply_add(graph: Graph, library: Library) -> None:
    """Put each sum and one of its products into a DSP block, without registers if that fits a state (R2.13).

    Vivado HLS does so on 7-series; what others take was not seen.
    """
    scale = library.device.timing.grade_scale
    if library.device.timing.delay_scale != 1:
        return
    whole = library.fits(PRODUCT_NS + SUM_NS)
    for node, product in _sums_of_products(graph, library):
        inner = graph.nodes[product]
        if not whole:  # two states of registers before that of the sum
            inner.states, inner.delay, inner.entry, inner.mac = 2, 0.0, library.ns("mac_entry"), True
            node.delay, node.mac = min(node.delay, SUM_NS * scale), True
        elif not inner.states:
            inner.delay, node.delay = 0.0, (PRODUCT_NS + SUM_NS) * scale  # both in the state of the sum


def _sums_of_products(graph: Graph, library: Library) -> Iterator[tuple[GraphNode, int]]:
    """Yield each sum with the first of its products that nothing else uses and that fits a DSP block with it."""
    uses = Counter(operand for node in graph.nodes if node.kind != "dead" for operand in node.operands)
    uses.update(edge.source for edge in graph.back)
    for node in graph.nodes:
        if node.kind != "op" or node.name != "add" or node.states or node.format.real or node.format.bits > WIDEST:
            continue
        fitting = (n for n in node.operands if uses[n] == 1 and _fits(graph, graph.nodes[n], library))
        if (product := next(fitting, None)) is not None:
            yield node, product


def _is_carried(graph: Graph, operands: list[int]) -> bool:
    """Return whether an operand is a loop-carried register, directly or through multiplexers such as its reset."""
    carried = {edge.target for edge in graph.back if edge.kind == "register"}
    left = list(operands)
    while left:
        n = left.pop()
        if n in carried:
            return True
        left += graph.nodes[n].operands if graph.nodes[n].name == "select" else ()
    return False


def _fits(graph: Graph, node: GraphNode, library: Library) -> bool:
    """Return whether a node is a product that a DSP block can multiply, and no directive sets its states or parts."""
    told = node.mac or node.told or node.made == "fabric"
    if node.kind != "op" or node.name != "mul" or node.format.real or told or len(node.operands) != 2:
        return False
    bits = sorted((_bits(graph.nodes[operand]) for operand in node.operands), reverse=True)
    return all(own <= most for own, most in zip(bits, library.device.timing.mac_bits, strict=True))


def _bits(node: GraphNode) -> int:
    """Return the bits of a factor; an integer constant has only the bits that it needs."""
    if node.unit == "constant" and node.format.family == "integer" and node.name.lstrip("-").isdecimal():
        return int(node.name).bit_length() + 1
    return node.format.bits + (not node.format.signed)


def limit(graph: Graph, limits: Limits) -> None:
    """Let each operator take one of a limited number of units (R6.6) in its first state, like a memory port.

    The units are those of the function that contains it; where no statement does, of the function with the fewest.

    Examples
    --------
    >>> from ppnsim.hls.library.types import Format
    >>> graph = Graph()
    >>> product = graph.add("op", "mul", Format.of("float"), states=4, wide=Format.of("float"))
    >>> limit(graph, {("fmul", ("f",)): 2, ("add", ("f",)): 1})
    >>> graph.nodes[product].port, graph.nodes[product].most
    ('units of fmul', 2)
    """
    several = Counter(name for name, _ in limits)
    for node in graph.nodes if limits else ():
        names = _names(node) if node.kind == "op" and node.wide is not None and not node.port else ()
        known = [of for of in limits if of[0] in names]
        path = _path(graph, node.index) if known else ()
        own = [(name, call) for name, call in known if path[: len(call)] == call] or ([] if path else known)
        if own:
            name, call = of = min(own, key=limits.__getitem__)
            node.port, node.most = f"{UNITS} {name}", limits[of]
            node.port += f" in {'.'.join(call)}" if several[name] > 1 else ""


def _path(graph: Graph, node: int) -> tuple[str, ...]:
    """Return the calls that contain a node's statement; none for one that no statement made."""
    at = bisect_right(graph.called, node, key=itemgetter(0)) - 1
    return graph.called[at][1] if at >= 0 else ()


def _names(node: GraphNode) -> tuple[str, ...]:
    """Return the tool's names of an operator: ``fadd`` and ``dadd`` for floating point, ``sub`` for a difference."""
    name = "sub" if node.name == "add" and node.negative >= 0 else node.name
    if node.format.real:
        letter = "f" if node.format.bits == 32 else "d"
        return (f"{letter}exp", f"{letter}log") if name == "elementary" else (f"{letter}{name}",)
    return (name, "udiv", "sdiv", "urem", "srem") if name == "div" else (name,)
