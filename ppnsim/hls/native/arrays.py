"""Arrays of executed tasks in several memories or in registers (R6.1), by the directives of the source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ppnsim.c.pragmas.text import PragmaLine
from ppnsim.c.syntax import CType, Function, SyntaxNode, Variable, refuse
from ppnsim.errors import did_you_mean
from ppnsim.hls.graph.graph import Graph
from ppnsim.hls.native.directives import count, inside
from ppnsim.hls.native.region import NativeRegion
from ppnsim.hls.native.streams import stream_type
from ppnsim.hls.structure.partitions import Partition

Partitions = Mapping[Variable, tuple[Partition, ...]]
_KINDS = ("complete", "cyclic", "block")


def partitions_of(region: NativeRegion, call: SyntaxNode) -> Partitions:
    """Return the partitions of a task's arrays by variable; a task's parameter stands for the region's argument.

    Raises
    ------
    InputError
        If a directive names no array declared at its place, or has a value that is not an integer.
    """
    task = region.functions[call.text]
    found: dict[Variable, tuple[Partition, ...]] = {}
    for pragma in region.pragmas:
        if pragma.name != "array_partition":
            continue
        for function in (*region.functions.values(), *region.regions):
            if function.body is not None and inside(pragma, function.body):
                variable, of = _named(pragma, function)
                if stream_type(variable.type) is not None:
                    continue  # the streams of an array are separate anyway
                if variable.scope == "parameter" and function is not task and function not in region.regions:
                    words = f"'{variable.name}' is partitioned in a function that gets it"
                    refuse(pragma.position, f"{words}; write the directive where the array is declared")
                found[variable] = (*found.get(variable, ()), _partition(pragma, of))
    for parameter, argument in zip(task.parameters, call.children, strict=False):
        for node in argument.walk():
            if node.variable in found and node.variable is not None and argument.kind in ("name", "cast"):
                found[parameter] = (*found.get(parameter, ()), *found[node.variable])
    return found


def _named(pragma: PragmaLine, function: Function) -> tuple[Variable, CType]:
    """Return the variable that a directive names, and the partitioned type: for ``w.p`` the type of the member.

    The arrays of a struct are one memory here; only an array that is alone in its struct has memories of its own.
    """
    name = dict(pragma.clauses).get("variable", "")
    declared = [node.variable for node in function.walk() if node.kind == "declare" and node.variable is not None]
    variables = {each.name: each for each in (*function.parameters, *declared)}
    first, *path = name.split(".")
    of = variables[first].type if first in variables else None
    members = list(_arrays(of)) if of is not None and path else []
    for each in path:
        while of is not None and of.kind == "pointer":
            of = of.element
        of = dict(of.fields).get(each) if of is not None else None
    if of is None:
        refuse(pragma.position, f"no array '{name}' in '{function.name}'{did_you_mean(first, variables)}")
    if len(members) > 1:
        words = f"'{name}' is one of {len(members)} arrays in '{first}'"
        refuse(pragma.position, f"{words}, whose partition is not followed where a design is executed")
    return variables[first], of


def _arrays(of: CType) -> Iterator[CType]:
    """Yield the arrays in a type."""
    if of.kind == "array":
        yield of
    for inner in (*((of.element,) if of.element is not None else ()), *(each for _, each in of.fields)):
        yield from _arrays(inner)


def _shape(of: CType) -> Iterator[int]:
    """Yield the sizes of an array, outermost first; 0 for a size that is not constant."""
    while of.kind in ("array", "pointer") and of.element is not None:
        yield of.size if isinstance(of.size, int) else 0
        of = of.element


def _partition(pragma: PragmaLine, of: CType) -> Partition:
    asked = {name.lower(): text for name, text in pragma.clauses}
    kind = asked.get("type", next((each for each in _KINDS if each in asked), "complete")).lower()
    if kind not in _KINDS:
        refuse(pragma.position, f"array_partition: type = {kind} is none of {', '.join(_KINDS)}")
    shape = list(_shape(of))
    text = asked.get("dim", "1")
    if not text.isdecimal() or int(text) > len(shape):
        refuse(pragma.position, f"array_partition: dim = {text} is not a dimension of an array of {len(shape)}")
    dim = int(text)
    whole = kind == "complete" and (dim == 0 or len(shape) == 1)
    factor = count(pragma, "factor")
    if kind != "complete" and (factor is None or not dim):
        refuse(pragma.position, f"array_partition: a {kind} partition needs a factor and one dimension")
    extent = shape[dim - 1] if dim else 0
    # A completely partitioned dimension is the same as a cyclic partition with one part for each index.
    return Partition("complete" if whole else kind, 0 if whole else dim, factor or extent, extent)  # type: ignore[arg-type]


def set_ports(graph: Graph, accesses: Mapping[int, Sequence[int]], parts: Iterable[Partition]) -> None:
    """Give the accesses of an array (nodes, with the nodes of their subscripts) the ports of their memories (R6.1).

    They are surely in different memories only if all subscripts along a dimension differ by constants.
    """
    for part in parts:
        found = [
            _linear(graph, index[part.dim - 1]) if len(index) >= part.dim else (-2, 0) for index in accesses.values()
        ]
        bases = {base for base, _ in found}
        if len(bases) > 1 or -2 in bases or not part.factor or (part.kind == "block" and bases != {-1}):
            continue
        for node, (_, offset) in zip(accesses, found, strict=True):
            graph.nodes[node].port += f".{part.bank(offset) if bases == {-1} else offset % part.factor}"


def apart(graph: Graph, one: Sequence[int], other: Sequence[int]) -> bool:
    """Return whether two elements surely differ: subscripts of one dimension differ by a constant that is not 0."""
    pairs = [(_linear(graph, left), _linear(graph, right)) for left, right in zip(one, other, strict=False)]
    return any(left[0] == right[0] and left[1] != right[1] for left, right in pairs)


def same_along(graph: Graph, one: Sequence[int], other: Sequence[int], iterator: int) -> bool:
    """Return whether an iterator chooses two elements alike in one dimension: itself plus one constant (R11.10)."""
    pairs = [(_linear(graph, left), _linear(graph, right)) for left, right in zip(one, other, strict=False)]
    return any(left == right and left[0] == iterator for left, right in pairs)


def _linear(graph: Graph, index: int) -> tuple[int, int]:
    """Return the node of a subscript without its constant, -1 for a constant subscript, and the constant."""
    node = graph.nodes[index]
    if node.unit == "constant" and node.name.lstrip("-").isdecimal():
        return -1, int(node.name)
    wired = node.kind == "op" and node.name in ("cut", "cast") and len(node.operands) == 1
    if wired or (node.name == "add" and len(node.operands) == 2 and node.negative < 0):
        parts = [_linear(graph, each) for each in node.operands]
        bases = [base for base, _ in parts if base != -1]
        if len(bases) <= 1:
            return bases[0] if bases else -1, sum(offset for _, offset in parts)
    return index, 0
