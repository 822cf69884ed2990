"""The data-flow graph of a body: operations, loads, stores, calls, and the order that they keep."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, Literal

from ppnsim.hls.graph.exclusive import NONE, Ways
from ppnsim.hls.library.types import Format
from ppnsim.loops.expressions import Condition
from ppnsim.loops.program import Access

Back = Literal["value", "register", "ram", "wire"]
Tokens = Mapping[int, Sequence[tuple[Condition, ...]]]
"""Accesses to FIFOs, with the conditions that each is executed under, one set of them or another."""
Transfers = Mapping[int, tuple[Condition, ...]]
"""Loads and stores over a bus, with the conditions around each."""


@dataclass(slots=True, eq=False)
class GraphNode:
    """An operation and its timing; times are (state, ns since the state began).

    Attributes
    ----------
    kind : ``input`` (there when the body starts), ``phi`` (what the iteration before has left), ``op``, ``load``,
        ``store``, ``call`` (of a pipelined loop), ``dead`` (removed). An ``op`` called ``take`` or ``put`` is an access
        to a FIFO.
    states : from issue to result; 0 is combinational.
    delay : ns of a combinational operation.
    entry : ns that an operator of several states needs of its first state.
    port, most : the port that it takes, and how many there are of it (0: as the rules say).
    also : ports of other memories that it takes at the same time: iterators choose the memory (R6.1).
    ways : of the branches that it is in: what excludes it can share its port (R3.6).
    unit : class of operators that share one unit.
    ready : earliest time of its issue.
    registered : it takes loaded operands from registers (R3.4).
    wide : the format that chose the operator.
    negative : place of the operand that is subtracted, -1 if there is none.
    mac : it is a multiplier in one DSP block with an adder, or that adder.
    pressed : states of the operator's faster forms (R9.1).
    told : its states are those of a directive (R6.6).
    beat : it is an access to several elements over a bus (R6.24).
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
    pressed: tuple[int, ...] = ()
    told: bool = False
    beat: bool = False
    also: tuple[str, ...] = ()
    ways: Ways = NONE

    def __reduce__(self) -> tuple[type[GraphNode], tuple[Any, ...]]:
        """Return how it is pickled: half as long, and in two thirds of the time, as by the names of its fields."""
        return GraphNode, _ALL(self)

    @property
    def ports(self) -> tuple[str, ...]:
        """All ports that it takes."""
        return (self.port, *self.also) if self.port else ()

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
    loads what the source has stored; ``wire``: in the same state, whatever time of that is over (R9.32).
    """

    source: int
    target: int
    distance: int
    kind: Back
    reason: str


@dataclass(slots=True)
class Graph:
    """Nodes in program order, and their dependences.

    Attributes
    ----------
    after : by node, the nodes that it comes after besides its operands, with the least difference of states.
    back : dependences on earlier iterations.
    wired : by call, the operands that it takes in the state in which they are loaded.
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
