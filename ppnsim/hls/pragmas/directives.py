"""What ``#pragma HLS`` says of loops, functions, arrays and operators."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ppnsim.hls.structure.partitions import Partition
from ppnsim.hls.structure.storage import Storage
from ppnsim.loops.program import Frame, Guard, Loop, Node

Scope = tuple[str, int]
"""A loop or a function by the file and the line that it begins in."""


@dataclass(frozen=True, slots=True)
class LoopDirective:
    """What is asked of a loop, or of a function; None where nothing is said. ``unroll`` 0 is complete.

    ``inline``: a function's body belongs to where it is called, and with ``region`` the bodies of what it calls belong
    to it. ``least`` is the latency of an iteration at least. ``balance``: sums and products become trees, also those of
    floating point (True), or none of them (False). ``call``: it is a function, whose arguments come with each call.
    """

    pipeline: bool | None = None
    ii: int = 1
    unroll: int | None = None
    flatten: bool | None = None
    dataflow: bool = False
    inline: bool = False
    region: bool = False
    least: int = 0
    balance: bool | None = None
    call: bool = False


@dataclass(frozen=True, slots=True)
class DependenceDirective:
    """What is said of the accesses to an array ("" for all): between iterations, or in one (``inter`` or not).

    ``distance`` is after how many iterations an element comes again; 0: there is no dependence. ``scope`` is the loop
    that it is said of, None for a whole function.
    """

    array: str
    inter: bool
    distance: int
    scope: Scope | None = None


@dataclass(frozen=True, slots=True)
class Directives:
    """All directives of a kernel; loops and functions by file and line, partitions and storage by array.

    ``depths`` are those of FIFOs. ``limits`` are units of operators, ``bound`` operators and latencies of what is
    computed for an array or a scalar. ``ignored`` are directives that the tool would follow and that mean nothing here.
    """

    loops: Mapping[Scope, LoopDirective] = field(default_factory=dict)
    partitions: Mapping[str, Partition] = field(default_factory=dict)
    ignored: tuple[str, ...] = ()
    functions: Mapping[Scope, LoopDirective] = field(default_factory=dict)
    storage: Mapping[str, Storage] = field(default_factory=dict)
    depths: Mapping[str, int] = field(default_factory=dict)
    dependences: tuple[DependenceDirective, ...] = ()
    limits: Mapping[str, int] = field(default_factory=dict)
    bound: Mapping[str, tuple[str, int]] = field(default_factory=dict)

    def of(self, loop: Loop) -> LoopDirective:
        """Return what is asked of a loop."""
        return self.loops.get(scope_of(loop), LoopDirective())

    def keeps(self, loop: Loop) -> bool:
        """Return whether something is asked of a loop inside this one that makes it stay a loop."""
        for node in loop.body:
            if isinstance(node, Loop):
                asked = self.of(node)
                if asked.pipeline is not None or asked.unroll or self.keeps(node):
                    return True
        return False

    def distances(self, loops: Sequence[Loop]) -> dict[str, int]:
        """Return for arrays ("" for all) after how many iterations of some loops an element may come again."""
        scopes = {None, *map(scope_of, loops)}
        return {each.array: each.distance for each in self.dependences if each.inter and each.scope in scopes}

    def apart(self, loops: Sequence[Loop]) -> frozenset[str]:
        """Return the arrays of which no two accesses in an iteration meet."""
        scopes = {None, *map(scope_of, loops)}
        return frozenset(each.array for each in self.dependences if not each.inter and each.scope in scopes)

    def inlined(self, frames: Sequence[Frame]) -> frozenset[tuple[str, ...]]:
        """Return the paths of the calls that are no tasks of their own, because their functions are inlined."""
        asked = {frame.path: self.functions.get(scope_of(frame)) for frame in frames}
        inside = {path for path, each in asked.items() if each is not None and each.inline}
        outside = {path for path, each in asked.items() if each is not None and each.region}
        return frozenset(path for path in asked if path in inside or path[:-1] in outside)


def scope_of(part: Loop | Frame) -> Scope:
    """Return what directives call a loop or a function by."""
    return part.position.file, part.position.line


def all_loops(body: Sequence[Node]) -> Iterable[Loop]:
    """Yield every loop of a body, outermost first."""
    for node in body:
        if isinstance(node, Loop):
            yield node
            yield from all_loops(node.body)
        elif isinstance(node, Guard):
            yield from all_loops(node.body)
            yield from all_loops(node.otherwise)
