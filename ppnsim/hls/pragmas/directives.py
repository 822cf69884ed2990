"""The directives of a kernel: on loops, functions, arrays and operators."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

from ppnsim.hls.graph.graph import ChosenOperator
from ppnsim.hls.structure.aggregates import Aggregate
from ppnsim.hls.structure.partitions import Partition, Storage
from ppnsim.hls.structure.unrolling import path_of
from ppnsim.loops.program import Array, Frame, Guard, Loop, Node

Scope = tuple[str, int, int]
"""A loop or a function, by the file, the line and the column where it begins."""


@dataclass(frozen=True, slots=True)
class LoopDirective:
    """The directives on a loop or a function; None where there is no directive. ``unroll`` 0 is complete.

    ``firm``: the directive names the interval. ``inline``: the function's body belongs to its caller; ``region``: the
    bodies of the functions that it calls belong to it. ``least`` is the least latency of an iteration, ``least_at`` the
    place of that directive. ``balance``: all sums and products become trees, also of floating point (True), or none do
    (False). ``call``: the loop is a function, whose arguments come with each call. ``endless``: the function runs again
    as long as tokens come. ``joined``: the loop is flattened with its inner loop, whatever code is around the inner
    one. ``rewind``: the next run of the pipeline may overlap. ``drains``: its iterations go on if a new one has no
    input (style=flp).
    """

    pipeline: bool | None = None
    ii: int = 1
    firm: bool = False
    unroll: int | None = None
    flatten: bool | None = None
    dataflow: bool = False
    inline: bool = False
    region: bool = False
    least: int = 0
    least_at: str = ""
    balance: bool | None = None
    call: bool = False
    endless: bool = False
    joined: bool = False
    rewind: bool = False
    drains: bool = False


@dataclass(frozen=True, slots=True)
class Modules:
    """At most how many modules the calls of a ``function`` have (R6.6); ``where`` is the place of the directive.

    ``function`` names the calling function, too, whose own modules they are.
    """

    where: str
    function: str
    most: int


@dataclass(frozen=True, slots=True)
class DependenceDirective:
    """A directive on the accesses to an array ("" for all), between iterations (``inter``) or in one iteration.

    The element is accessed again after ``distance`` iterations; 0: there is no dependence. ``scope`` is the loop of the
    directive, None for a whole function.
    """

    array: str
    inter: bool
    distance: int
    scope: Scope | None = None


@dataclass(frozen=True, slots=True)
class LoopTiming:
    """The timing of a pipelined loop, or of a nest flattened into one, from a tool's report.

    Attributes
    ----------
    loops : the loops of the nest, outermost first.
    ii : initiation interval in cycles.
    latency : states of an iteration.
    trips : iterations of a visit; None if they are not fixed.
    paths : the calls for which it holds, if the tool has copied the function; empty: all calls.
    where : the report and the name of the loop in it.
    """

    loops: tuple[Scope, ...]
    ii: int
    latency: int
    trips: int | None = None
    paths: tuple[tuple[str, ...], ...] = ()
    where: str = ""


@dataclass(frozen=True, slots=True)
class Directives:
    """All directives of a kernel; loops and functions by file and line, partitions and storage by array.

    ``depths`` are depths of FIFOs, ``copies`` numbers of copies of arrays between tasks, ``limits`` numbers of units of
    operators. ``bound`` gives, for an array or a scalar, the operator that computes it.
    ``ignored`` are directives that the tool would follow and that have no effect here. ``timings`` are the loops that a
    tool has reported, by their innermost loop. ``control`` are the scalar arguments, and ``return``, in registers of an
    AXI-lite port, ``hands`` the scalar arguments with a handshake (``ap_hs``), ``axes`` the ports of AXI streams.
    ``streamed`` are arrays that should become FIFOs between tasks, with their depth and the place of the directive;
    ``whole`` are arrays that should not, with the place of ``off``.
    ``fifo_channels`` is the place of a setting that makes FIFOs of all other arrays, with their depth (0: the number of
    elements), None without such a setting (R7.5). ``places`` are the places of directives on a loop or a function, by
    name. ``aggregates`` are struct members that are parts of words (R6.22). ``of_calls`` are numbers on a loop that
    differ by call of a template: path, field, number. ``untold`` are arguments without an interface,
    ``wires`` those of them that are one wire (R6.26). ``modules`` are the calls of functions that share few modules, by
    path (R6.6).
    """

    loops: Mapping[Scope, LoopDirective] = field(default_factory=dict)
    partitions: Mapping[str, Partition] = field(default_factory=dict)
    ignored: tuple[str, ...] = ()
    functions: Mapping[Scope, LoopDirective] = field(default_factory=dict)
    storage: Mapping[str, Storage] = field(default_factory=dict)
    depths: Mapping[str, int] = field(default_factory=dict)
    copies: Mapping[str, int] = field(default_factory=dict)
    dependences: tuple[DependenceDirective, ...] = ()
    limits: Mapping[tuple[str, tuple[str, ...]], int] = field(default_factory=dict)
    bound: Mapping[str, ChosenOperator] = field(default_factory=dict)
    timings: Mapping[Scope, tuple[LoopTiming, ...]] = field(default_factory=dict)
    control: frozenset[str] = frozenset()
    hands: frozenset[str] = frozenset()
    axes: frozenset[str] = frozenset()
    streamed: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    whole: Mapping[str, str] = field(default_factory=dict)
    fifo_channels: tuple[str, int] | None = None
    places: Mapping[tuple[Scope, str], str] = field(default_factory=dict)
    aggregates: Mapping[str, Aggregate] = field(default_factory=dict)
    of_calls: Mapping[Scope, tuple[tuple[tuple[str, ...], str, int], ...]] = field(default_factory=dict)
    untold: tuple[str, ...] = ()
    wires: tuple[str, ...] = ()
    modules: Mapping[tuple[str, ...], Modules] = field(default_factory=dict)
    _inlined: dict[int, tuple[Sequence[Frame], frozenset[tuple[str, ...]]]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    """Results of `inlined` by the identity of the frames, which all tasks of a program share."""

    def fifo_of(self, array: Array) -> tuple[int, str] | None:
        """Return the depth of an array that should become a FIFO between tasks, and the place that asks for it."""
        if array.name in self.streamed or self.fifo_channels is None:
            return self.streamed.get(array.name)
        where, depth = self.fifo_channels
        free = array.role == "local" and array.shape and not array.stream and array.name not in self.whole
        return (depth or prod(array.shape), where) if free else None

    def stored_as(self, kind: str) -> frozenset[str]:
        """Return the arrays that are stored as a ``bus``, ``fifo``, ``ram`` ..."""
        return frozenset(name for name, each in self.storage.items() if each.kind == kind)

    def idle_streams(self, *, network: bool) -> list[str]:
        """Return directives without effect on FIFOs: only tasks of a ``network`` can have arrays as FIFOs."""
        every = self.fifo_channels if network else None
        off = [] if every else [where for where in self.whole.values() if where]
        found = [f"{where}: stream off: an array is a memory here without a directive" for where in dict.fromkeys(off)]
        if network:
            return found
        setting = self.fifo_channels and f"{self.fifo_channels[0]}: config_dataflow -default_channel fifo"
        asked = [f"{where}: stream of an array" for _, where in self.streamed.values()]
        return [*found, *asked, *filter(None, (setting,))]

    def of(self, loop: Loop) -> LoopDirective:
        """Return the directives on a loop, with the numbers of its own call of a template (R9.45)."""
        found = self.loops.get(scope_of(loop), LoopDirective())
        numbers = self.of_calls.get(scope_of(loop), ())
        path = path_of(loop) if numbers and (found.unroll or found.pipeline) else ()
        own: Any = {name: count for call, name, count in numbers if path and path[: len(call)] == call}
        return replace(found, **own)

    def tells_of(self, loop: Loop) -> bool:
        """Return whether a loop has a directive other than ``pipeline off``, or an annotated timing."""
        return self.of(loop) not in (LoopDirective(), LoopDirective(pipeline=False)) or scope_of(loop) in self.timings

    def keeps(self, loop: Loop) -> bool:
        """Return whether a directive keeps an inner loop a loop; one both pipelined and unrolled does not count."""
        inside = [(node, self.of(node)) for node in loop.body if isinstance(node, Loop)]
        left = [(node, asked) for node, asked in inside if not (asked.pipeline and asked.unroll == 0)]
        return any(asked.pipeline is not None or asked.unroll or self.keeps(node) for node, asked in left)

    def dissolved(self, body: Sequence[Node]) -> list[Loop]:
        """Return the dataflow loops inside a loop with a ``pipeline`` directive, which unrolls them (R6.5)."""
        pipelined = (loop for loop in all_loops(body) if self.of(loop).pipeline)
        inside = {scope_of(each): each for loop in pipelined for each in all_loops(loop.body) if self.of(each).dataflow}
        return list(inside.values())

    def distances(self, loops: Sequence[Loop]) -> dict[str, int]:
        """Return, by array ("" for all), the iterations of some loops until an element may be accessed again."""
        scopes = {None, *map(scope_of, loops)}
        return {each.array: each.distance for each in self.dependences if each.inter and each.scope in scopes}

    def apart(self, loops: Sequence[Loop]) -> frozenset[str]:
        """Return the arrays whose accesses never alias in one iteration."""
        scopes = {None, *map(scope_of, loops)}
        return frozenset(each.array for each in self.dependences if not each.inter and each.scope in scopes)

    def inlined(self, frames: Sequence[Frame]) -> frozenset[tuple[str, ...]]:
        """Return the paths of calls of inlined functions: these calls are not tasks."""
        if not any(each.inline or each.region for each in self.functions.values()):
            return frozenset()  # most often; a program may have thousands of calls
        if id(frames) not in self._inlined:
            self._inlined[id(frames)] = frames, self._inlined_of(frames)
        return self._inlined[id(frames)][1]

    def _inlined_of(self, frames: Sequence[Frame]) -> frozenset[tuple[str, ...]]:
        asked = {frame.path: self.functions.get(scope_of(frame)) for frame in frames}
        inside = {path for path, each in asked.items() if each is not None and each.inline}
        outside = {path for path, each in asked.items() if each is not None and each.region}
        return frozenset(path for path in asked if path in inside or path[:-1] in outside)


def scope_of(part: Loop | Frame) -> Scope:
    """Return the key of a loop or a function in directives."""
    return part.position.file, part.position.line, part.position.column


def all_loops(body: Sequence[Node]) -> Iterable[Loop]:
    """Yield every loop of a body, outermost first."""
    for loop in direct_loops(body):
        yield loop
        yield from all_loops(loop.body)


def direct_loops(body: Sequence[Node]) -> list[Loop]:
    """Return the loops of a body, not the loops inside them."""
    found: list[Loop] = []
    for node in body:
        if isinstance(node, Loop):
            found.append(node)
        elif isinstance(node, Guard):
            found += [*direct_loops(node.body), *direct_loops(node.otherwise)]
    return found
