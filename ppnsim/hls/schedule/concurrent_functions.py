"""Concurrent calls of functions that share nothing: each function that is not inlined is a module (R9.20)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from types import MappingProxyType

from ppnsim.hls.schedule.model import ScheduledRegion, StateMachine
from ppnsim.hls.structure.aggregates import Aggregate
from ppnsim.hls.structure.locations import GuardedStatement
from ppnsim.hls.structure.partitions import Storage
from ppnsim.hls.structure.trees import Pipeline, Serial, Tree
from ppnsim.hls.structure.unrolling import path_of
from ppnsim.loops.position import Position
from ppnsim.loops.program import Frame, LoopProgram

_Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Call:
    """A call of a function: its regions in the state machine, and what it touches.

    ``touched`` are its module and its arguments, arrays and scalars; an argument on a bus also adds the bus. The
    condition that ends a loop is not a statement, but the values that it reads are arguments.
    """

    regions: tuple[int, ...]
    cycles: int
    touched: frozenset[str | Position]


def with_calls_at_once(
    machine: StateMachine, inlined: frozenset[_Path], frames: Sequence[Frame], storage: Mapping[str, Storage],
    aggregates: Mapping[str, Aggregate] = MappingProxyType({}),
) -> StateMachine:  # fmt: skip
    """Return a state machine in which successive calls that share nothing run at the same time.

    The tool inlines functions that are one pipeline (R5.4 has such loops), and directives inline the functions in
    ``inlined``. Two calls of one function share its module, two arguments of one bus share the port, and members of a
    struct that is a word share one memory (R6.22).
    """
    modules: dict[_Path, set[str | Position]] = {
        frame.path: {frame.position, *(array for _, array in frame.names if array)} for frame in frames
    }
    hidden: set[int] = set()
    for calls in _successive(machine, inlined, modules, storage, aggregates):
        batch: list[_Call] = []
        for call in calls:
            if any(call.touched & other.touched for other in batch):
                hidden |= _shorter(batch)
                batch = []
            batch.append(call)
        hidden |= _shorter(batch)
    if not hidden:
        return machine
    regions = tuple(_beside(each) if n in hidden else each for n, each in enumerate(machine.regions))
    saved = sum(machine.regions[n].cycles for n in hidden)
    return replace(machine, cycles=machine.cycles - saved, regions=regions)


def _shorter(batch: Sequence[_Call]) -> set[int]:
    """Return the regions of all calls except the longest call."""
    longest = max(batch, key=lambda call: call.cycles, default=None)
    return {n for call in batch if call is not longest for n in call.regions}


def _beside(region: ScheduledRegion) -> ScheduledRegion:
    """Return a region without cycles of its own: a longer call runs at the same time."""
    return replace(region, cycles=0, overlapped=sum(nest.cycles for nest in region.nests))


def _successive(
    machine: StateMachine,
    inlined: frozenset[_Path],
    modules: Mapping[_Path, set[str | Position]],
    storage: Mapping[str, Storage],
    aggregates: Mapping[str, Aggregate],
) -> Iterator[list[_Call]]:
    """Yield groups of successive calls; a function without a loop of the state machine is in no group.

    Its pipelined loops are run by code between loops of the state machine; if that code is not its own alone, the
    function does not run beside those before it, and the code is not part of the call.
    """
    calls, between = list[_Call](), _between(machine)
    for path, trees in groupby(machine.tree, _function):
        loops = [tree for tree in trees if not isinstance(tree, GuardedStatement)]
        own = [between[id(tree)] for tree in loops if isinstance(tree, Pipeline) and id(tree) in between]
        alone = {n for n, paths in own if set(paths) == {path}}
        serial = len(path) > 1 and path not in inlined and any(isinstance(tree, Serial) for tree in loops)
        if not serial or {n for n, _ in own} != alone:
            yield calls
            calls = []
        if serial:
            call = _call(machine, loops, alone)
            calls.append(replace(call, touched=_occupied(call.touched | modules[path], storage, aggregates)))
    yield calls


def _occupied(
    touched: frozenset[str | Position], storage: Mapping[str, Storage], aggregates: Mapping[str, Aggregate]
) -> frozenset[str | Position]:
    """Return what code touches, with the buses and the words of structs of these arrays."""
    arrays = {each for each in touched if isinstance(each, str)}
    buses = {storage[name].bundle for name in arrays & storage.keys()}
    return touched | {aggregates[name].memory for name in arrays & aggregates.keys()} | buses - {""}


def _between(machine: StateMachine) -> dict[int, tuple[int, Sequence[_Path]]]:
    """Return the region that runs each pipelined loop outside of other loops, and the calls of all code in it."""
    regions = [n for n, each in enumerate(machine.regions) if not each.outer]
    found: dict[int, tuple[int, Sequence[_Path]]] = {}
    paths: list[_Path] = []
    for tree in machine.tree:
        if isinstance(tree, Serial):
            regions, paths = regions[1:], []
            continue
        paths.append(_function(tree))
        if isinstance(tree, Pipeline) and regions:
            found[id(tree)] = regions[0], paths  # the list grows until the region ends
    return found


def _function(tree: Tree) -> _Path:
    """Return the call that a loop belongs to; an empty path for statements, which end a group."""
    return () if isinstance(tree, GuardedStatement) else path_of(tree.loops[0])[:2]


def _call(machine: StateMachine, trees: Sequence[Serial | Pipeline], between: set[int]) -> _Call:
    own = {id(tree.loops[0]) for tree in trees}
    inside = (n for n, each in enumerate(machine.regions) if each.outer and id(each.outer[0]) in own)
    regions = (*sorted(between), *inside)
    statements = LoopProgram(name="", arrays=(), body=tuple(tree.loops[0] for tree in trees)).statements()
    touched = frozenset(access.array for each in statements for access in (*each.reads, *each.writes))
    return _Call(regions, sum(machine.regions[n].cycles for n in regions), touched)
