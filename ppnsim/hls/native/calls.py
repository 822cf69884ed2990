"""One call of an executed region: the tasks that it starts, and their streams."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ppnsim.c.syntax import SyntaxNode, Variable
from ppnsim.hls.native.model import ExecutedStream, ExecutedTask
from ppnsim.hls.native.region import NativeRegion
from ppnsim.hls.native.session import Code, NativeEvent
from ppnsim.hls.native.timing import TaskTiming


@dataclass(frozen=True, slots=True)
class RegionCall:
    """A call of a region.

    Attributes
    ----------
    tasks : tasks in the order of their calls.
    streams : streams by number.
    after : for each task, the earlier tasks that have to end first.
    places : for each task, the number of its call in the source.
    variables : for each number of a stream, its variable.
    started : the events from which the call was made.
    """

    tasks: Sequence[ExecutedTask]
    streams: Mapping[int, ExecutedStream]
    after: Sequence[Sequence[int]]
    places: Sequence[int]
    variables: Mapping[int, Variable]
    started: tuple[NativeEvent, ...]


def region_call(region: NativeRegion, timings: Mapping[int, TaskTiming], started: Sequence[NativeEvent]) -> RegionCall:
    """Return a call of a region from the events that start its tasks."""
    numbers: list[int] = []
    paths: list[tuple[int, ...]] = []
    around: list[int] = []
    last = -1
    found: dict[int, tuple[Variable, int]] = {}
    for at, event in enumerate(started):
        if event.code in (Code.TASK, Code.GROUP):
            last = event.stream
        if event.code == Code.TASK:
            numbers.append(last)
            paths.append((*around, last))
        elif event.code == Code.GROUP:
            around.append(last)
        elif event.code == Code.GROUPED:
            around.pop()
        elif event.code == Code.NAME and event.place >= 0:
            argument = region.places.call[last].children[event.place]
            # A stream that an inner region gets has the name that it has outside.
            found.setdefault(event.stream, (_variable(argument), started[at + 1].stream))
    times = Counter(timings[number].name for number in numbers)
    seen: Counter[str] = Counter()
    tasks = []
    for number in numbers:
        name = timings[number].name
        seen[name] += 1
        tasks.append(ExecutedTask(f"{name}_{seen[name]}" if times[name] > 1 else name, timings[number]))
    after = [[k for k in range(at) if _before(paths[k], path, region.after)] for at, path in enumerate(paths)]
    variables = {number: variable for number, (variable, _) in sorted(found.items())}
    return RegionCall(tasks, _streams(region, found), after, numbers, variables, tuple(started))


def _before(one: Sequence[int], other: Sequence[int], after: Mapping[int, frozenset[int]]) -> bool:
    """Return whether a task comes before another one, by the calls that lead to them."""
    pairs = list(zip(one, other, strict=False))
    ends = next((pair for pair in pairs if pair[0] != pair[1]), pairs[-1])
    return ends[0] in after[ends[1]]


def _variable(argument: SyntaxNode) -> Variable:
    return next(node.variable for node in argument.walk() if node.kind == "name" and node.variable is not None)


def _streams(region: NativeRegion, found: Mapping[int, tuple[Variable, int]]) -> dict[int, ExecutedStream]:
    """Return the streams of a call by number; the streams of an array are numbered in its order."""
    each_of: dict[Variable, list[int]] = {}
    for number in sorted(found):
        each_of.setdefault(found[number][0], []).append(number)
    streams = {}
    for variable, numbers in each_of.items():
        declared = region.streams[variable]
        plain = variable.type.kind != "array" and len(numbers) == 1
        for place, number in enumerate(numbers):
            name = declared.name if plain else f"{declared.name}[{place}]"
            depth = None if declared.interface else declared.depth
            streams[number] = ExecutedStream(name, depth, declared.line, found[number][1])
    return dict(sorted(streams.items()))
