"""The data-flow graph of a body: operations, loads, stores and calls, and what must not overtake what."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Literal

from ppnsim.hls.library.types import Format
from ppnsim.loops.program import Access

Back = Literal["value", "register", "ram"]


@dataclass(slots=True, eq=False)
class GraphNode:
    """An operation and its timing; times are (state, ns since the state began).

    ``kind``: ``input`` (there when the body starts), ``phi`` (what the iteration before left), ``op``, ``load``,
    ``store``, ``call`` (of a pipelined loop, or a region's). ``states`` after its issue the result is at the start of a
    state; 0 is combinational, then it takes ``delay`` ns. ``entry``: ns that a multi-stage operator needs of its first
    state. ``port``: the array whose port it takes, of which there are ``most`` (0: as the rules say). ``unit``: class
    of operators that share one unit. ``wide``: the format that chose the operator. An ``op`` called ``take`` or ``put``
    is an access to a FIFO, and one that has a ``negative`` operand subtracts it. ``mac``: a multiplier or an adder in
    one block with an adder, or a multiplier.
    """

    index: int
    kind: str
    name: str
    format: Format
    operands: tuple[int, ...] = ()
    states: int = 0
    delay: float = 0.0
    entry: float = 0.0
    port: str = ""
    unit: str = ""
    access: Access | None = None
    ready: tuple[int, float] = (0, 0.0)
    registered: bool = False
    wide: Format | None = None
    most: float = 0
    negative: int = -1
    mac: bool = False

    @property
    def reads(self) -> bool:
        """Whether it takes something out of an array or a FIFO."""
        return self.kind == "load" or (self.kind == "op" and self.name == "take")

    @property
    def writes(self) -> bool:
        """Whether it puts something into an array or a FIFO."""
        return self.kind == "store" or (self.kind == "op" and self.name == "put")


_ALL = attrgetter(*(each.name for each in fields(GraphNode)))


@dataclass(frozen=True, slots=True)
class BackEdge:
    """A dependence on an earlier iteration.

    ``value``: the target takes the source's result, at once; ``register``: from the register it went to; ``ram``: it
    loads what the source has stored.
    """

    source: int
    target: int
    distance: int
    kind: Back
    reason: str


@dataclass(slots=True)
class Graph:
    """Nodes in program order; ``after[n]`` are (earlier node, least difference of states).

    ``wired[n]`` are operands of a call that it takes in the state in which they are loaded.
    """

    nodes: list[GraphNode] = field(default_factory=list)
    after: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    back: list[BackEdge] = field(default_factory=list)
    wired: dict[int, frozenset[int]] = field(default_factory=dict)

    def add(self, kind: str, name: str, format_: Format, operands: tuple[int, ...] = (), **more: object) -> int:
        """Add a node and return its number."""
        self.nodes.append(GraphNode(len(self.nodes), kind, name, format_, operands, **more))  # type: ignore[arg-type]
        return len(self.nodes) - 1

    def content(self) -> tuple[Hashable, ...]:
        """Return all that a schedule depends on."""
        nodes = tuple(map(_ALL, self.nodes))
        after = tuple((later, tuple(before)) for later, before in self.after.items())
        return nodes, after, tuple(self.back), tuple(self.wired.items())

    def order(self, earlier: int, later: int, states: int) -> None:
        """Let ``later`` be at least ``states`` states after ``earlier``."""
        self.after.setdefault(later, []).append((earlier, states))
