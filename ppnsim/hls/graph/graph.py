"""The data-flow graph of a body: operations, loads, stores, calls, and the dependences between them."""

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
"""Accesses to FIFOs, each with the alternative sets of conditions under which it is executed."""
Transfers = Mapping[int, tuple[Condition, ...]]
"""Loads and stores over a bus, with the conditions around each."""


Made = Literal["", "fabric", "dsp"]
"""What an operator is made of, where a directive says it: lookup tables, or a DSP block."""


@dataclass(frozen=True, slots=True)
class ChosenOperator:
    """An ``operator`` whose ``states``, None for those of the device, or whose parts a directive chooses (R6.6)."""

    operator: str
    states: int | None
    made: Made = ""

    def choose(self, graph: Graph, number: int, budget: float) -> None:
        """Change the operator that computes a value, if it is such a one; ``budget`` are the ns of a state."""
        while (node := graph.nodes[number]).kind == "op" and node.name in ("cut", "shift") and node.operands:
            number = node.operands[0]
        if node.kind != "op" or node.name != self.operator:
            return
        node.made = self.made
        node.unit += f" in {self.made}" if node.unit and self.made else ""
        if self.states is not None:
            node.states, node.entry, node.told = self.states, budget, True
            node.delay = 0.0 if self.states else node.delay


Limits = Mapping[tuple[str, tuple[str, ...]], int]
"""Most units of operators by name and call: those of an operator in the code of that call (R6.6)."""


@dataclass(slots=True, eq=False)
class GraphNode:
    """An operation and its timing; times are (state, ns since the state began).

    Attributes
    ----------
    kind : ``input`` (available when the body starts), ``phi`` (a value of the previous iteration), ``op``, ``load``,
        ``store``, ``call`` (of a pipelined loop), ``dead`` (removed). An ``op`` called ``take`` or ``put`` is an access
        to a FIFO.
    states : from issue to result; 0 is combinational.
    delay : ns of a combinational operation.
    entry : ns that a multi-state operator needs in its first state.
    port, most : the port that it takes, and the number of such ports (0: given by the rules).
    also : ports of other memories that it takes at the same time: iterators choose the memory (R6.1).
    ways : the ways of branches that contain it: exclusive accesses can share its port (R3.6).
    unit : class of operators that share one unit.
    ready : earliest time of its issue.
    registered : it takes loaded operands from registers (R3.4).
    wide : the format that chose the operator.
    negative : position of the operand that is subtracted, -1 if there is none.
    mac : it is a multiplier in one DSP block with an adder, or that adder.
    pressed : states of the operator's faster forms (R9.1).
    told : a directive sets its states (R6.6).
    beat : it accesses several elements over a bus at once (R6.24).
    made : what a directive makes it of (R8.1).
    interval : cycles from its start to its next one, at least (R2.21).
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
    made: Made = ""
    interval: int = 1

    def __reduce__(self) -> tuple[type[GraphNode], tuple[Any, ...]]:
        """Return a pickled form without field names: half as long, and made in two thirds of the time."""
        return GraphNode, _ALL(self)

    @property
    def ports(self) -> tuple[str, ...]:
        """All ports that the node takes."""
        return (self.port, *self.also) if self.port else ()

    @property
    def reads(self) -> bool:
        """Whether the node takes a value out of an array or a FIFO."""
        return self.kind == "load" or (self.kind == "op" and self.name == "take")

    @property
    def writes(self) -> bool:
        """Whether the node puts a value into an array or a FIFO."""
        return self.kind == "store" or (self.kind == "op" and self.name == "put")


_ALL = attrgetter(*(each.name for each in fields(GraphNode)))


@dataclass(frozen=True, slots=True)
class BackEdge:
    """A dependence on an earlier iteration.

    ``value``: the target takes the source's result directly; ``register``: the target takes it from a register;
    ``ram``: the target loads the value that the source has stored; ``wire``: the target takes the result in the same
    state, at any time in the state (R9.32).
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
    after : for each node, the nodes that it comes after besides its operands, with the least difference of states.
    back : dependences on earlier iterations.
    wired : for each call, the operands that it takes in the state in which they are loaded.
    called : the first node of each statement with the calls that contain it, and at last that of no statement.
    """

    nodes: list[GraphNode] = field(default_factory=list)
    after: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    back: list[BackEdge] = field(default_factory=list)
    wired: dict[int, frozenset[int]] = field(default_factory=dict)
    called: list[tuple[int, tuple[str, ...]]] = field(default_factory=list)

    def add(self, kind: str, name: str, format_: Format, operands: tuple[int, ...] = (), **more: object) -> int:
        """Add a node and return its number."""
        self.nodes.append(GraphNode(len(self.nodes), kind, name, format_, operands, **more))  # type: ignore[arg-type]
        return len(self.nodes) - 1

    def content(self) -> tuple[Hashable, ...]:
        """Return all contents on which a schedule depends."""
        nodes = tuple(map(_ALL, self.nodes))
        after = tuple((later, tuple(before)) for later, before in self.after.items())
        return nodes, after, tuple(self.back), tuple(self.wired.items())

    def order(self, earlier: int, later: int, states: int) -> None:
        """Let ``later`` start at least ``states`` states after ``earlier``."""
        self.after.setdefault(later, []).append((earlier, states))
