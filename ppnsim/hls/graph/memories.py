"""Locations in a graph: forwarded where they are known, else loaded; loads and stores keep their order (R2, R5.7)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from math import prod
from typing import Any

from ppnsim.hls.graph.branches import Branches
from ppnsim.hls.graph.fifos import put, take
from ppnsim.hls.graph.in_flight import InFlight
from ppnsim.hls.graph.operators import Operators
from ppnsim.hls.library.types import BIT, Format
from ppnsim.hls.structure.aliases import surely_apart
from ppnsim.hls.structure.counting import DATA_MARK, condition_iterators, is_data
from ppnsim.hls.structure.storage import RAM, Storage
from ppnsim.loops.expressions import Condition
from ppnsim.loops.program import Access


@dataclass(slots=True)
class Memory:
    """What is in flight to one array: stores not yet overwritten, and loads, with their nodes."""

    stores: InFlight = field(default_factory=InFlight)
    loads: InFlight = field(default_factory=InFlight)

    def since(self, access: Access) -> int:
        """Return the last store to the element that data chooses just so: it comes after all that may meet it."""
        return max((node for _, node in self.stores.same(access)), default=-1) if access.random else -1


@dataclass(slots=True)
class Memories(Operators):
    """A graph while loads and stores are put into it.

    ``known``: the node with the value of a location, ``places`` all of these locations. ``address``: (state, ns) from
    which on the address of an access is there. ``port``: the memory that an access goes to. ``muxed``: locations whose
    loads may take the last value stored instead, ``muxes``: where they do, by load. ``indexed``: loads of elements that
    data chooses, by what chooses them. ``apart``: arrays of which no two accesses in an iteration meet. ``word``: which
    word an element is in, ``words`` those that have been loaded, ``stored`` those that have been stored. ``tokens``:
    accesses to FIFOs so far, ``executed`` under which conditions each of them is, one set of them or another.
    """

    known: dict[Access, int] = field(default_factory=dict)
    memory: dict[str, Memory] = field(default_factory=dict)
    places: dict[str, InFlight] = field(default_factory=dict)
    address: Callable[[Access], tuple[int, float]] = lambda _: (0, 0.0)
    port: Callable[[Access], str] = lambda access: access.array
    strictly_apart: Callable[[Access, Access], bool] = lambda *_: False
    muxed: set[Access] = field(default_factory=set)
    muxes: dict[int, int] = field(default_factory=dict)
    storage: Mapping[str, Storage] = field(default_factory=dict)
    apart: frozenset[str] = frozenset()
    word: Callable[[Access], tuple[Hashable, ...] | None] = lambda _: None
    words: dict[tuple[Hashable, ...], int] = field(default_factory=dict)
    stored: dict[tuple[Hashable, ...], int] = field(default_factory=dict)
    indexed: dict[tuple[Access, tuple[int, ...]], int] = field(default_factory=dict)
    tokens: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    executed: dict[int, list[tuple[Condition, ...]]] = field(default_factory=dict)
    branches: Branches = field(default_factory=Branches)

    def condition(self, condition: Condition) -> int:
        """Return the comparison of iterators that a condition is, or the number that one on data is."""
        names = condition_iterators(condition)
        if is_data(condition):
            tests = tuple(self.load(Access(name)) for name in sorted(names) if DATA_MARK in name)
            return self.joined(tests, BIT, str(condition))
        counter = self.input("".join(sorted(condition_iterators(condition))), Format("integer", 32))
        return self.op("cmp", BIT, (counter, self.constant(str(condition), BIT)), wide=Format("integer", 32))

    def load(self, access: Access, index: tuple[int, ...] = ()) -> int:
        """Return the value of a location: what is known of it, or a load of its array.

        ``index`` are the nodes of subscripts that are data.
        """
        if (fifo := self.fifo(access)) is not None:
            if access == fifo or access.random:
                return take(self, fifo)
            if access not in self.known:
                self.known[access] = take(self, fifo)  # an element of an array comes once
            return self.known[access]
        if (raw := self.branches.value(access)) is not None:
            return raw
        if access in self.known:
            return self.known[access]
        if (access, index) in self.indexed:
            return self.indexed[access, index]
        format_ = self.format(access)
        if not access.subscripts and not access.random:
            return self.known.setdefault(access, self.input(str(access), format_))
        word = self.word(access)
        if word is not None and word in self.words:
            # Another element of the same word has been loaded: this one is beside it.
            return self.known.setdefault(access, self.wire(f"word {access}", self.words[word], format_))
        node = self.graph.add("load", str(access), format_, index, access=access, **self._read(access))
        if word is not None:
            self.words[word] = node
        memory = self.memory.setdefault(access.array, Memory())
        since = memory.since(access)
        for _, stored in memory.stores.meeting(access) if access.array not in self.apart else ():
            if stored >= since:
                self.graph.order(stored, node, 1)
        memory.loads.add(access, node)
        if access in self.muxed:
            self.muxes[node] = mux = self.op("select", format_, (node,))
            node = mux
        if access.random:
            self.indexed[access, index] = node
        else:
            self.know(access, node)
        return node

    def know(self, access: Access, node: int) -> None:
        """Note the value of a location."""
        if access not in self.known:
            self.places.setdefault(access.array, InFlight()).add(access, 0)
        self.known[access] = node

    def fifo(self, access: Access) -> Access | None:
        """Return an access as one to a FIFO, None if it is to something else; an array as a FIFO has no elements."""
        if self.arrays[access.array].stream:
            return access
        return Access(access.array, random=True) if self._kept(access).kind == "fifo" else None

    def _kept(self, access: Access) -> Storage:
        return self.storage.get(access.array, RAM)

    def _port(self, access: Access, side: str) -> str:
        """Return the name of a port; a bus and some memories have one for each side."""
        kept = self._kept(access)
        name = kept.bundle or self.port(access)
        return f"{name} ({side})" if kept.bundle or kept.split else name

    def _read(self, access: Access) -> dict[str, Any]:
        """Return what a load takes: how long, which port, and when its address is there."""
        kept = self._kept(access)
        if kept.kind == "registers":
            fixed = not access.random and all(each.is_constant for each in access.subscripts)
            count = prod(self.arrays[access.array].shape)
            # A table of four inputs is a multiplexer of four.
            levels = 0 if fixed else -(-max(1, count - 1).bit_length() // 2)
            ready = (0, 0.0) if fixed else self.address(access)
            return {"delay": levels * self.library.ns("mux"), "ready": ready}
        delay = self.library.ns("ram") if kept.kind == "ram" else 0.0
        return {
            "delay": delay, "states": kept.latency, "port": self._port(access, "read"), "most": kept.ports,
            "ready": self.address(access),
        }  # fmt: skip

    def _write(self, access: Access) -> dict[str, Any]:
        """Return what a store takes."""
        kept = self._kept(access)
        if kept.kind == "registers":
            return {}
        delay = self.library.ns("ram") if kept.kind == "ram" else 0.0
        port = self._port(access, "write")
        return {"delay": delay, "port": port, "most": kept.ports, "ready": self.address(access)}

    def store(self, access: Access, value: int, index: tuple[int, ...] = ()) -> None:
        """Give a location a value; a store before it that nobody could have loaded is dropped.

        ``index`` are the nodes of subscripts that are data.
        """
        if (fifo := self.fifo(access)) is not None:
            put(self, fifo, value)
            return
        places = self.places.get(access.array, InFlight())
        for other in {other for other, _ in places.meeting(access) if other in self.known and other != access}:
            del self.known[other]
        for key in [key for key in self.indexed if not surely_apart(key[0], access)]:
            del self.indexed[key]
        for word in [word for word in self.words if word[0] == access.array]:
            del self.words[word]
        self.branches.forget(lambda other: surely_apart(other, access))
        # What is stored only if data says so waits for that, unless a multiplexer has waited already.
        sure = access in self.known or not access.subscripts
        tests = () if sure else tuple(self.condition(each) for each in self.branches.tests())
        if not access.random:
            self.know(access, value)
        elif not tests:
            self.indexed[access, index] = value
        if not access.subscripts and not access.random:
            return
        if tests:
            self.branches.open[-1].unsure.add(access)
        elif not access.random:
            self.drop(access)
        memory = self.memory.setdefault(access.array, Memory())
        node = self.graph.add(
            "store", str(access), self.format(access), (value, *index, *tests), access=access, **self._write(access),
        )  # fmt: skip
        whole = self.word(access)
        if whole is not None and self.stored.setdefault(whole, node) != node:
            self.graph.nodes[node].port = ""  # the word is written once, with all its elements
            self.graph.order(self.stored[whole], node, 0)
        apart = access.array in self.apart
        since = memory.since(access)
        for _, loaded in memory.loads.meeting(access) if not apart else ():
            if loaded > since:
                self.graph.order(loaded, node, 0)
        for other, stored in memory.stores.meeting(access) if not apart else ():
            if stored >= since and not self.strictly_apart(other, access):
                self.graph.order(stored, node, 1)
        memory.stores.add(access, node)

    def drop(self, access: Access) -> None:
        """Remove the last store to a location if no load after it may need it."""
        memory = self.memory.get(access.array, Memory())
        for other, node in memory.stores.same(access):
            if not any(later > node for _, later in memory.loads.meeting(access)):
                self.graph.nodes[node].kind = "dead"
                memory.stores.remove(other, node)
                return
