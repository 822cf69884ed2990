"""Requests of ``hls::burst_maxi``: after its latency, a request delivers its words one after the other (R6.4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ppnsim.hls.structure.element_runs import READ, SOONER
from ppnsim.hls.structure.lanes import is_bus
from ppnsim.hls.structure.partitions import Storage
from ppnsim.hls.structure.trees import Serial, Tree, statements_of
from ppnsim.loops.program import Array, Statement

_COUNTERS = {False: "ppnsim_read", True: "ppnsim_written"}
"""The members of our replacement that hold the index of the next word, by whether the word is written."""


@dataclass(slots=True)
class ManualBursts:
    """The manual requests, and their words, in a sequence of loops and statements.

    ``ports`` are the arrays behind such ports, with the arguments of the ports; ``fetched`` are those of whose last
    request a word has been read.
    """

    storage: Mapping[str, Storage]
    arrays: Mapping[str, Array]
    ports: dict[str, str] = field(init=False)
    fetched: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        found = ((name, array) for name, array in self.arrays.items() if is_bus(array))
        self.ports = {name: each.member[0] for name, each in found if each.member and name in self.storage}

    def pass_(self, tree: Tree) -> tuple[Mapping[str, Storage], int, int]:
        """Go on to the next loop or statement; return its bus storage, and the states before and after it.

        In a loop without a request of its own, a read takes a word that has arrived, and a write waits for no response.
        The latency is then before the loop, unless a word of the request was read before, and the response after it.
        """
        if not (ports := self.ports):
            return {}, 0, 0
        statements = list(statements_of((tree,)))
        kept: dict[str, Storage] = {}
        before = behind = 0
        for name, port in ports.items():
            asked, fetched = self._asked(port, statements, written=False), name in self.fetched
            read, stored = _touched(name, statements)
            late = asked if read else stored and self._asked(port, statements, written=True)
            whole = isinstance(tree, Serial) or (fetched and not asked and not stored)
            if (read or stored) and not late and whole:
                latency = self.storage[name].latency
                kept[name] = replace(self.storage[name], latency=READ)
                before = max(before, latency - READ if read and not (fetched and not asked) else 0)
                behind = max(behind, latency - SOONER if stored else 0)
            if asked or read:
                self._note(name, fetched=not asked)
        return kept, before, behind

    def _note(self, name: str, *, fetched: bool) -> None:
        self.fetched = self.fetched | {name} if fetched else self.fetched - {name}

    def _asked(self, port: str, statements: Sequence[Statement], *, written: bool) -> bool:
        """Return whether statements request words of a port: they set its counter to a new value."""
        counter = self._counter(port, written=written)
        return any(
            any(access.array in counter for access in each.writes)
            and not any(access.array in counter for access in each.reads)
            for each in statements
        )

    def _counter(self, port: str, *, written: bool) -> frozenset[str]:
        return frozenset(self._named(port, _COUNTERS[written]))

    def _named(self, port: str, member: str) -> Iterator[str]:
        yield from (name for name, each in self.arrays.items() if each.member == (port, member))
        yield f"{port}.{member}"


def _touched(array: str, statements: Sequence[Statement]) -> tuple[bool, bool]:
    """Return whether statements read an array, and whether they write it."""
    read = any(access.array == array for each in statements for access in each.reads)
    return read, any(access.array == array for each in statements for access in each.writes)
