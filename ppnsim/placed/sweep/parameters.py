"""The parameters of a network across nodes that a sweep varies: where processes are, packets, links, clocks, ports.

``filter.node=left,right``, ``across.packet=1,2,4``, ``cable.gap=10 ns,40 ns``, ``left.clock=100 MHz,200 MHz``,
``fetch.outstanding=1,16``, ``mapping=all``, and the parameters of its processes and channels as in any sweep.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from itertools import product
from typing import Any

from ppnsim.errors import InputError, did_you_mean, located
from ppnsim.explore.sweep.parameters import Axis, Value, axis_of, varied
from ppnsim.placed.files.toml import per_byte, period, whole_picoseconds
from ppnsim.placed.model.placement import PacketNeverFills, Placement

_MOST_PLACEMENTS = 4096
_NODE, _PACKET, _CLOCK, _OUTSTANDING, _MAPPING = "node", "packet", "clock", "outstanding", "mapping"
# Parameter of a link: its field, and how a value is read.
_OF_LINKS: Mapping[str, tuple[str, Callable[[str], Any]]] = {
    "latency": ("latency", whole_picoseconds),
    "overhead": ("overhead", whole_picoseconds),
    "gap": ("gap", whole_picoseconds),
    "bandwidth": ("per_byte", per_byte),
}


def placed_axis_of(text: str, placement: Placement) -> Axis:
    """Return the axis that ``NAME.PARAMETER=VALUES`` or ``mapping=all`` means for this placement.

    Raises
    ------
    InputError
        If there is no such name or parameter, or a value is not one of the parameter.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> from ppnsim.placed.model.placement import one_node
    >>> placed_axis_of("p*.node=node", one_node(chain(firings=4)))
    Axis(name='p*.node', parameter='node', targets=('p0', 'p1', 'p2'), values=('node',))
    """
    where = f"--vary {text}"
    name, equals, words = text.rpartition("=")
    target, _, parameter = name.rpartition(".")
    if not equals or not words.strip():
        raise InputError("is not of the form NAME.PARAMETER=VALUES or mapping=all", where=where)
    if name == _MAPPING:
        return _placement_axis(words, placement, where)
    if name == _CLOCK:
        raise InputError("every node has its own clock: vary NODE.clock", where=where)
    known = _names(placement, parameter)
    # A link has a latency, and so has a process.
    if known is None or (parameter == "latency" and not _matching(target, known[1])):
        return axis_of(text, placement.network)
    kind, names = known
    targets = _matching(target, names)
    if not targets:
        raise InputError(f"'{target}' is not a {kind}{did_you_mean(target, names)}", where=where)
    values = dict.fromkeys(_value(word.strip(), parameter, placement, where) for word in words.split(","))
    return Axis(name, parameter, targets, tuple(values))


def varied_placement(placement: Placement, axes: Iterable[Axis], values: Iterable[Value]) -> Placement:
    """Return the placement at one point of a sweep.

    Raises
    ------
    InputError
        If that is not a placement: no link joins two nodes, for instance.
    """
    nodes, links = {n.name: n for n in placement.nodes}, {link.name: link for link in placement.links}
    node_of, packet = dict(placement.node_of), dict(placement.packet)
    ports = placement.ports
    rest: list[tuple[Axis, Value]] = []
    for axis, value in zip(axes, values, strict=True):
        if axis.name == _MAPPING:
            node_of |= dict(_placed(str(value)))
        elif axis.parameter == _NODE:
            node_of |= dict.fromkeys(axis.targets, str(value))
        elif axis.parameter == _PACKET:
            packet |= dict.fromkeys(axis.targets, int(value))
        elif axis.parameter == _OUTSTANDING:
            ports = tuple(replace(p, outstanding=int(value)) if p.process in axis.targets else p for p in ports)
        elif axis.parameter == _CLOCK:
            nodes |= {name: replace(nodes[name], period=period(str(value))) for name in axis.targets}
        elif axis.parameter in _OF_LINKS and set(axis.targets) <= set(links):
            field, read = _OF_LINKS[axis.parameter]
            links |= {name: replace(links[name], **{field: read(str(value))}) for name in axis.targets}
        else:
            rest.append((axis, value))
    network = varied(placement.network, [axis for axis, _ in rest], [value for _, value in rest]).checked()
    return replace(
        placement, network=network, nodes=tuple(nodes.values()), links=tuple(links.values()), node_of=node_of,
        packet=packet, ports=ports,
    )  # fmt: skip


def placement_text(placement: Placement, node_of: Mapping[str, str]) -> str:
    """Return where processes are as a word of a sweep: ``left: a b; right: c``."""
    parts = []
    for node in placement.nodes:
        there = [process.name for process in placement.network.processes if node_of[process.name] == node.name]
        parts += [f"{node.name}: {' '.join(there)}"] if there else []
    return "; ".join(parts)


def _placement_axis(words: str, placement: Placement, where: str) -> Axis:
    names = [process.name for process in placement.network.processes]
    if words.strip() == "all":
        values = tuple(_all_placements(placement, names, where))
    else:
        values = tuple(dict.fromkeys(word.strip() for word in words.split(",")))
        for value in values:
            _check_placement(value, names, where)
    return Axis(_MAPPING, _NODE, tuple(names), values)


def _check_placement(text: str, names: list[str], where: str) -> None:
    """Refuse a placement in which a process is on no node, on two nodes, or unknown."""
    if ":" not in text:
        words = f"'{text}' must be all, or say where each process is, like 'left: a b; right: c'"
        raise InputError(words, where=where)
    found: dict[str, str] = {}
    for name, node in _placed(text):
        if name not in names:
            raise InputError(f"'{name}' is not a process{did_you_mean(name, names)}", where=where)
        if name in found:
            raise InputError(f"process '{name}' is placed twice (on '{found[name]}' and on '{node}')", where=where)
        found[name] = node
    for name in names:
        if name not in found:
            raise InputError(f"process '{name}' is on no node (every process needs one)", where=where)


def _all_placements(placement: Placement, names: list[str], where: str) -> Iterable[str]:
    """Yield all placements that can be: where tokens have a link to go over."""
    nodes = [node.name for node in placement.nodes]
    if any(letter in name for name in names + nodes for letter in " ,:;"):
        raise InputError("names with spaces, commas, colons or semicolons: vary NAME.node instead", where=where)
    if len(nodes) ** len(names) > _MOST_PLACEMENTS:
        words = f"{len(names)} processes on {len(nodes)} nodes are {len(nodes)}**{len(names)} placements (at most "
        raise InputError(f"{words}{_MOST_PLACEMENTS}): vary some of them, like 'p*.node=left,right'", where=where)
    for chosen in product(nodes, repeat=len(names)):
        node_of = dict(zip(names, chosen, strict=True))
        try:
            replace(placement, node_of=node_of)
        except PacketNeverFills:
            pass  # a deadlock, which is a row as any other
        except InputError:
            continue
        yield placement_text(placement, node_of)


def _placed(text: str) -> list[tuple[str, str]]:
    """Return each process with its node, as often as the text of a placement names it."""
    parts = [part.partition(":") for part in text.split(";")]
    return [(name, node.strip()) for node, _, names in parts for name in names.split()]


def _names(placement: Placement, parameter: str) -> tuple[str, list[str]] | None:
    """Return what has a parameter: the kind and the names; None for the parameters of networks."""
    if parameter == _NODE:
        return "process", [process.name for process in placement.network.processes]
    if parameter == _OUTSTANDING:
        return "process with a memory port", list(dict.fromkeys(port.process for port in placement.ports))
    if parameter == _PACKET:
        return "channel", [channel.name for channel in placement.network.channels]
    if parameter == _CLOCK:
        return "node", [node.name for node in placement.nodes]
    return ("link", [link.name for link in placement.links]) if parameter in _OF_LINKS else None


def _matching(target: str, names: Iterable[str]) -> tuple[str, ...]:
    names = list(names)
    return (target,) if target in names else tuple(name for name in names if fnmatchcase(name, target))


def _value(word: str, parameter: str, placement: Placement, where: str) -> Value:
    if parameter in (_PACKET, _OUTSTANDING):
        if not (word.isascii() and word.isdecimal() and len(word) <= 15 and int(word)):
            raise InputError(f"'{word}' is not a whole number from 1 on", where=where)
        return int(word)
    if parameter == _NODE:
        nodes = [node.name for node in placement.nodes]
        if word not in nodes:
            raise InputError(f"'{word}' is not a node{did_you_mean(word, nodes)}", where=where)
        return word
    with located(where):
        (period if parameter == _CLOCK else _OF_LINKS[parameter][1])(word)
    return word
