"""Memory ports and timing of loads and stores: latency, port and memory, and time of the address (R2.4, R3.2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import prod

from ppnsim.hls.graph.addresses import address_bits
from ppnsim.hls.graph.operators import Operators
from ppnsim.hls.structure.element_runs import READ, SOONER
from ppnsim.hls.structure.lanes import is_bus
from ppnsim.hls.structure.partitions import RAM, Storage
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import ADDRESSES, Access


@dataclass(frozen=True, slots=True)
class Ports:
    """The memories of a kernel, as accesses see them.

    Attributes
    ----------
    operators : operators of the graph to which the accesses belong.
    storage : storage of the arrays that are not in block RAM.
    small : the arrays whose memories are made of lookup tables (R3.9).
    banks : gives the names of the memories whose ports an access takes.
    ready : gives the (state, ns) from which on the address of an access is known.
    chosen : gives the state at whose end the bank of an access is known.
    """

    operators: Operators
    storage: Mapping[str, Storage] = field(default_factory=dict)
    banks: Callable[[Access], tuple[str, ...]] = lambda access: (access.array,)
    ready: Callable[[Access], tuple[int, float]] = lambda _: (0, 0.0)
    chosen: Callable[[Access], int] = lambda _: 0
    small: frozenset[str] = frozenset()

    def fifo(self, access: Access) -> Access | None:
        """Return an access to a FIFO, None for other accesses.

        An array that is a FIFO has no elements to choose from; one that is partitioned is a FIFO for each part (R6.4).
        """
        if self.operators.arrays[access.array].stream:
            return access
        if self._kept(access).kind != "fifo":
            return None
        names = self.banks(access)
        parts = names[0][len(access.array) :].split(".")[1:] if len(names) == 1 else ()
        return Access(access.array, tuple(Affine.of(int(part)) for part in parts), random=True)

    def is_memory(self, access: Access) -> bool:
        """Return whether an access goes to a memory of the kernel or beside it, and not to a bus or a FIFO."""
        return self._kept(access).kind == "ram"

    def is_transfer(self, access: Access) -> bool:
        """Return whether an access goes over a bus."""
        return self._kept(access).kind == "bus"

    def response(self, access: Access) -> int:
        """Return the states from an element that is written over a bus to the response (R6.9)."""
        return max(0, self._kept(access).latency - SOONER)

    def load(self, access: Access, index: tuple[int, ...], tests: tuple[int, ...] = ()) -> int:
        """Add a load; ``index`` are the nodes of data-dependent subscripts, ``tests`` those that enable it (R4.16)."""
        if (kept := self._kept(access)).kind != "registers":
            slow = self.operators.library.more_states(self._made(access)) if kept.kind == "ram" else 0
            node = self._add("load", access, (*index, *tests), "read", states=kept.latency + slow)
            if enabled := frozenset(tests).difference(index):
                self.operators.graph.wired[node] = enabled
            return node
        shape, at = self.operators.arrays[access.array].shape, access.subscripts
        if self._is_wire(access):
            shape, at = shape[1:], at[1:]
        fixed = len(at) == len(shape) and all(each.is_constant for each in at)
        # A lookup table with six inputs is a multiplexer of four registers.
        levels = 0 if fixed else -(-max(1, prod(shape) - 1).bit_length() // 2)
        return self.operators.graph.add(
            "load", str(access), self.operators.format(access), () if fixed else index, access=access,
            delay=levels * self.operators.library.ns("mux"), ready=(0, 0.0) if fixed else self.ready(access),
        )  # fmt: skip

    def addressed(
        self, index: tuple[int, ...], access: Access, across: frozenset[int]
    ) -> tuple[tuple[int, ...], dict[int, int]]:  # fmt: skip
        """Return the nodes of an address, and those that choose among the memories ``across``, which all are read.

        R6.1: the loads do not wait for the nodes that choose between them.
        """
        if not across or self._kept(access).kind != "ram" or len(index) != len(access.subscripts):
            return index, {}
        nodes, constant = self.operators.graph.nodes, self.operators.constant
        at = (constant("0", nodes[node].format) if dim in across else node for dim, node in enumerate(index))
        return tuple(at), {dim: index[dim] for dim in sorted(across)}

    def choice(self, access: Access, load: int, chosen: Mapping[int, int]) -> int:
        """Return the chosen one of the loads of several memories; the multiplexer takes no time."""
        if not chosen:
            return load
        return self.operators.wire(f"word {access}", self.operators.format(access), load, *chosen.values())

    def store(self, access: Access, operands: tuple[int, ...], tests: tuple[int, ...] = ()) -> int:
        """Add a store that waits for the state of the tests that enable it, but not for the time in it (R5.8)."""
        graph, every = self.operators.graph, (*operands, *tests)
        if self._kept(access).kind != "registers":
            node = self._add("store", access, every, "write")
        elif self._is_wire(access):
            node = graph.add("store", str(access), self.operators.format(access), (operands[0], *tests), access=access)
        else:
            node = graph.add("store", str(access), self.operators.format(access), every, access=access)
        if (enabled := frozenset(tests).difference(operands)) and self.is_memory(access):
            graph.wired[node] = enabled
        return node

    def _is_wire(self, access: Access) -> bool:
        """Return whether all elements of an argument go through one wire, whatever their index (R6.26)."""
        shape = self.operators.arrays[access.array].shape
        return shape[:1] == (ADDRESSES,) and self._kept(access).kind == "registers"

    def _add(self, kind: str, access: Access, operands: tuple[int, ...], side: str, states: int = 0) -> int:
        """Add an access to a memory with ports; a bus and some memories have one port for each side."""
        kept, operators = self._kept(access), self.operators
        names = self.banks(access)
        if kept.bundle:  # R6.4: each bank of a partition has its own bus, shared by banks of one number
            names = tuple(kept.bundle + bank[len(access.array) :] for bank in names)
        if kept.kind == "bus" or kept.split:
            names = tuple(f"{name} ({side})" for name in names)
        # All banks are loaded before the bank is known; a store has to know its bank first.
        chosen = self.chosen(access)
        known = (max(0, chosen - states) if kind == "load" else chosen + bool(chosen), 0.0)
        # R6.4, R6.21: other elements are requested before.
        if asks := kept.kind == "bus" and kept.latency > READ and not is_bus(operators.arrays[access.array]):
            known = max(known, self._offset(access))
        return operators.graph.add(
            kind, str(access), operators.format(access), operands, access=access, states=states,
            delay=self._arrival(access), entry=operators.library.budget if asks else 0.0, most=kept.ports,
            port=names[0], also=names[1:], ready=max(self.ready(access), known) if not kept.asked else (0, 0.0),
        )  # fmt: skip

    def _offset(self, access: Access) -> tuple[int, float]:
        """Return when an element's address on a bus is known: an adder adds it to the pointer (R6.4)."""
        library, array = self.operators.library, self.operators.arrays[access.array]
        if access.random or any(each.terms or each.constant for each in access.subscripts):
            return 0, library.delay_ns("add", address_bits(array))
        return 0, 0.0

    def _arrival(self, access: Access) -> float:
        """Return the time in ns at which data arrives in its state."""
        library, kept = self.operators.library, self._kept(access)
        return library.ns(self._made(access)) if kept.kind == "ram" else library.budget if kept.asked else 0.0

    def _made(self, access: Access) -> str:
        """Return the name of the delay of an access to a memory."""
        return "lutram" if access.array in self.small else "ram"

    def _kept(self, access: Access) -> Storage:
        return self.storage.get(access.array, RAM)
