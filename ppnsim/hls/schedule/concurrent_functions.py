"""Functions that share nothing run at the same time (R9.20): each that is not inlined is a module of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from types import MappingProxyType

from ppnsim.hls.schedule.model import ScheduledRegion, StateMachine
from ppnsim.hls.structure.aggregates import Aggregate
from ppnsim.hls.structure.partitions import Storage
from ppnsim.hls.structure.trees import Serial, Tree
from ppnsim.hls.structure.unrolling import path_of
from ppnsim.loops.position import Position
from ppnsim.loops.program import Frame, LoopProgram

_Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Call:
    """A function as some regions of a state machine; ``touched`` are its module, and what it may read or write.

    That are its arguments, arrays and scalars, and for an argument behind a bus the bus. A condition that leaves a
    loop is no statement, but what it reads is an argument.
    """

    regions: tuple[int, ...]
    cycles: int
    touched: frozenset[str | Position]


def with_calls_at_once(
    machine: StateMachine, inlined: frozenset[_Path], frames: Sequence[Frame], storage: Mapping[str, Storage],
    aggregates: Mapping[str, Aggregate] = MappingProxyType({}),
) -> StateMachine:  # fmt: skip
    """Return a state machine whose calls run at the same time where nothing is between them and they share nothing.

    Functions that are one pipeline are inlined by the tool (R5.4 has such loops), ``inlined`` ones by directives. Two
    calls of one function are one module, two arguments of one bus are one port, and members of structs that are words
    one memory (R6.22).
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
    """Return the regions of all calls but the longest."""
    longest = max(batch, key=lambda call: call.cycles, default=None)
    return {n for call in batch if call is not longest for n in call.regions}


def _beside(region: ScheduledRegion) -> ScheduledRegion:
    """Return a region whose cycles are those of another one."""
    return replace(region, cycles=0, overlapped=sum(nest.cycles for nest in region.nests))


def _successive(
    machine: StateMachine,
    inlined: frozenset[_Path],
    modules: Mapping[_Path, set[str | Position]],
    storage: Mapping[str, Storage],
    aggregates: Mapping[str, Aggregate],
) -> Iterator[list[_Call]]:
    """Yield calls with nothing between them; a function that is no loop of the state machine is none."""
    calls = list[_Call]()
    for path, trees in groupby(machine.tree, _function):
        loops = [tree for tree in trees if isinstance(tree, Serial)]
        if len(path) < 2 or path in inlined:  # the kernel's own
            yield calls
            calls = []
        else:
            call = _call(machine, loops)
            touched = call.touched | modules[path]
            buses = {storage[name].bundle for name in touched if isinstance(name, str) and name in storage}
            words = {aggregates[name].memory for name in touched if isinstance(name, str) and name in aggregates}
            calls.append(replace(call, touched=touched | words | buses - {""}))
    yield calls


def _function(tree: Tree) -> _Path:
    """Return the call that a loop of the state machine comes from; nothing for other trees, which end a function."""
    return path_of(tree.loops[0])[:2] if isinstance(tree, Serial) else ()


def _call(machine: StateMachine, trees: Sequence[Serial]) -> _Call:
    own = {id(tree.loops[0]) for tree in trees}
    regions = tuple(n for n, each in enumerate(machine.regions) if each.outer and id(each.outer[0]) in own)
    statements = LoopProgram(name="", arrays=(), body=tuple(tree.loops[0] for tree in trees)).statements()
    touched = frozenset(access.array for each in statements for access in (*each.reads, *each.writes))
    return _Call(regions, sum(machine.regions[n].cycles for n in regions), touched)
