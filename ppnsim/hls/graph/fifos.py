"""FIFO accesses of a body: tokens keep their order, and two exclusive branches share one access."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from ppnsim.hls.graph.values import Values
from ppnsim.loops.expressions import Condition
from ppnsim.loops.program import Access, Array

_STATES = {"empty": "take", "full": "put"}


def is_asked(access: Access, arrays: Mapping[str, Array]) -> bool:
    """Return whether an access asks a FIFO whether it is ``empty`` or ``full``, which other code changes at any time.

    Examples
    --------
    >>> fifo = Array(name="s", stream=2)
    >>> is_asked(Access("s_empty"), {"s": fifo}), is_asked(Access("is_empty"), {"s": fifo})
    (True, False)
    """
    stream, _, name = access.array.rpartition("_")
    return name in _STATES and stream in arrays and bool(arrays[stream].stream)


@dataclass(slots=True)
class Fifos:
    """The accesses of a body to FIFOs: each FIFO has one read and one write per cycle, in program order.

    Attributes
    ----------
    values : values of the body; its branches decide whether an access is executed.
    nodes : the accesses so far, by FIFO and ``take`` or ``put``.
    first, latest : the first and the last access to each element; those between are in order.
    moving : the elements whose subscripts are not constant.
    executed : the alternative sets of conditions under which each access is executed.
    last : the access that was added last.
    elements : the node that puts each element of an array that is a FIFO.
    asked : the AXI streams whose state takes a place in the schedule (R3.12).
    polls : the nodes that ask for the state of each of these, by FIFO and ``take`` or ``put``.
    chain : the nodes of ``polls`` of the statement: a test asks for the next state once it knows the one before.
    """

    values: Values
    nodes: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    first: dict[tuple[str, str], dict[Access, int]] = field(default_factory=dict)
    latest: dict[tuple[str, str], dict[Access, int]] = field(default_factory=dict)
    moving: dict[tuple[str, str], list[Access]] = field(default_factory=dict)
    executed: dict[int, list[tuple[Condition, ...]]] = field(default_factory=dict)
    last: int = -1
    elements: dict[Access, int] = field(default_factory=dict)
    asked: frozenset[str] = frozenset()
    polls: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    chain: list[int] = field(default_factory=list)

    def access(self, name: Literal["take", "put"], access: Access, *operands: int) -> int:
        """Take the next token of a FIFO, or put a token into it.

        If data decides whether the access is executed, it waits for that data, because it cannot be undone.
        """
        operators, branches, tests = self.values.operators, self.values.branches, self.values.tests()
        graph, port = operators.graph, f"{access} ({'read' if name == 'take' else 'write'})"
        under = tuple(branch.condition for branch in branches.open)
        if (other := branches.alternative(port)) is not None:
            # Only one of the two is executed: they are one access, and multiplexers choose its operands.
            joint = (*graph.nodes[other].operands, *operands, *tests)
            graph.nodes[other].operands = tuple(dict.fromkeys(joint))
            self.executed[other].append(under)
            self.last = other
            return other
        node = graph.add(
            "op", name, operators.format(access), (*operands, *tests), delay=operators.library.ns("fifo"),
            access=access, port=port, most=1,
        )  # fmt: skip
        for branch in branches.open:
            branch.ports.append((port, node))
        self.executed[node] = [under]
        self.last = node
        fifo = (access.array, name)
        self.nodes.setdefault(fifo, []).append(node)
        latest = self.latest.setdefault(fifo, {})
        for element in self._possible(fifo, access):
            graph.order(latest[element], node, 1)
        ends = (access.array, "put" if name == "take" else "take")
        for element in self._possible(ends, access) if ends in self.latest else ():
            graph.order(self.latest[ends][element], node, 1)  # R7.11
        for asked in self.polls.get(fifo, ()):
            graph.order(asked, node, graph.nodes[asked].states)
        if self.first.setdefault(fifo, {}).setdefault(access, node) == node and not _is_constant(access):
            self.moving.setdefault(fifo, []).append(access)
        latest[access] = node
        return node

    def poll(self, state: Access) -> int | None:
        """Ask an AXI stream whether it is ``empty`` or ``full``; None for other variables (R3.12)."""
        stream, _, name = state.array.rpartition("_")
        if stream not in self.asked or name not in _STATES:
            return None
        operators, fifo = self.values.operators, (stream, _STATES[name])
        found = operators.graph.add(
            "op", name, operators.format(state), (*self.values.tests(), *self.chain), states=2 * (name == "full"),
            delay=(time := operators.library.ns("fifo") / 2), entry=time,
        )  # fmt: skip
        self.polls.setdefault(fifo, []).append(found)
        self.chain[:] = [found]
        return found

    def put(self, fifo: Access, element: Access, value: int) -> None:
        """Put a value into a FIFO; for an array that is a FIFO, put the last value stored to each element (R6.4)."""
        whole = element != fifo and not element.random and not self.values.branches.open
        if whole and element in self.elements:
            self.values.operators.graph.nodes[self.elements[element]].operands = (value,)
        else:
            self.access("put", fifo, value)
        if whole:
            self.elements.setdefault(element, self.last)
            self.values.know(element, value)

    def hold(self, ports: Container[str], *, registered: bool = True, tested: bool = False) -> None:
        """Let what goes through these ports of AXI streams take no time of its state (R3.10).

        Where they are ``registered``, a token that is put takes two states (R3.8). In iterations that are ``tested``
        for the end of their loop, tokens of other FIFOs are taken and put from the second state on (R3.11).
        """
        for node in (self.values.operators.graph.nodes[each] for each in self.executed):
            if node.access is not None and node.access.array in ports:
                node.delay = 0.0
                if registered and node.name == "put":
                    node.states = 2
            elif tested and node.name in ("take", "put"):
                node.ready = max(node.ready, (1, 0.0))

    def before(self, fifo: tuple[str, str], access: Access) -> int:
        """Return the first access of an iteration to the FIFO that an access uses."""
        return min(self.first[fifo][element] for element in self._possible(fifo, access))

    def _possible(self, fifo: tuple[str, str], access: Access) -> Iterator[Access]:
        """Yield the accessed elements that may be the FIFO of an access; different constants are different FIFOs."""
        known = self.latest[fifo]
        if fifo not in self.moving and _is_constant(access):  # the usual case
            if access in known:
                yield access
            return
        for element in dict.fromkeys((access, *self.moving.get(fifo, ()))) if _is_constant(access) else known:
            if element in known and may_meet(element, access):
                yield element


def _is_constant(access: Access) -> bool:
    """Return whether constants give the element of an array of FIFOs."""
    return bool(access.subscripts) and all(each.is_constant for each in access.subscripts)


def may_meet(left: Access, right: Access) -> bool:
    """Return whether two accesses to an array of FIFOs may use the same FIFO.

    Examples
    --------
    >>> from ppnsim.loops.expressions import Affine
    >>> may_meet(Access("s", (Affine.of(0),), True), Access("s", (Affine.of(1),), True))
    False
    """
    return not any(a.minus(b) for a, b in zip(left.subscripts, right.subscripts, strict=False))
