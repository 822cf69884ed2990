"""A network in columns: which process stands in which, and in what order, so that few channels cross.

Processes stand in even columns. Every channel gets a place of its own in each column it passes, so that parallel
channels spread and the text of each has room; a process is reached from its neighbouring columns only.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from graphlib import TopologicalSorter
from itertools import pairwise
from typing import NamedTuple

from ppnsim.model.network import Network

_SWEEPS = 12


class Slot(NamedTuple):
    """What stands in a column: a process (``channel`` False) or a channel on its way through."""

    channel: bool
    name: str
    column: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Layers:
    """Columns from left to right, each from top to bottom.

    Attributes
    ----------
    columns : the places of each column, in order.
    routes : per channel, the places that it passes from its left end to its right end; self-loops have none.
    backward : channels whose producer stands right of their consumer.
    main : the places of the longest way from left to right, which is drawn straight.
    """

    columns: tuple[tuple[Slot, ...], ...]
    routes: Mapping[str, tuple[Slot, ...]]
    backward: frozenset[str]
    main: frozenset[Slot]

    def label_place(self, channel: str) -> Slot:
        """Return the place where the text of a channel stands: the odd column nearest to its middle."""
        route = self.routes[channel]
        return route[1 + 2 * ((len(route) - 2) // 4)]


def layered(network: Network) -> Layers:
    """Return the columns of a network: longest paths give the column, barycentres the order within it.

    Examples
    --------
    >>> from ppnsim.model.builders import fork_join
    >>> [[place.name for place in column] for column in layered(fork_join(firings=4)).columns[::2]]
    [['split'], ['short', 'long'], ['join']]
    """
    forward, backward = _without_cycles(network)
    column_of = _columns_of(forward)
    routes: dict[str, tuple[Slot, ...]] = {}
    for channel in network.channels:
        if channel.source == channel.target:
            continue
        left, right = channel.source, channel.target
        if channel.name in backward:
            left, right = right, left
        between = [Slot(True, channel.name, column) for column in range(column_of[left] + 1, column_of[right])]
        ends = Slot(False, left, column_of[left]), Slot(False, right, column_of[right])
        routes[channel.name] = (ends[0], *between, ends[1])
    columns: list[list[Slot]] = [[] for _ in range(max(column_of.values()) + 1)]
    for process in network.processes:
        columns[column_of[process.name]].append(Slot(False, process.name, column_of[process.name]))
    for route in routes.values():
        for place in route[1:-1]:
            columns[place.column].append(place)
    ordered = _few_crossings(columns, neighbours(routes, 1), neighbours(routes, -1))
    return Layers(
        columns=tuple(map(tuple, ordered)), routes=routes, backward=frozenset(backward), main=_main_line(routes)
    )


def neighbours(routes: Mapping[str, tuple[Slot, ...]], step: int) -> dict[Slot, list[Slot]]:
    """Return what each place is connected to in the column to its left (``step`` 1) or right (-1)."""
    found: dict[Slot, list[Slot]] = {}
    for route in routes.values():
        there = route[::step]
        for before, place in pairwise(there):
            found.setdefault(place, []).append(before)
    return found


def _main_line(routes: Mapping[str, tuple[Slot, ...]]) -> frozenset[Slot]:
    """Return the places that every longest way from left to right passes: none of branches that are as long."""
    short = sorted((route for route in routes.values() if len(route) == 3), key=lambda route: route[0].column)
    first = min((route[0].column for route in short), default=0)
    last = max((route[-1].column for route in short), default=0)
    before: Counter[Slot] = Counter({route[0]: 1 for route in short if route[0].column == first})
    after: Counter[Slot] = Counter({route[-1]: 1 for route in short if route[-1].column == last})
    for left, _, right in short:
        before[right] += before[left]
    for left, _, right in reversed(short):
        after[left] += after[right]
    ways = sum(after[place] for place in after if place.column == first)
    found = {place for place in before if ways and before[place] * after[place] == ways}
    return frozenset(found | {route[1] for route in short if before[route[0]] * after[route[-1]] == ways and ways})


def _without_cycles(network: Network) -> tuple[dict[str, list[str]], set[str]]:
    """Return the consumers of each process along channels that make no circle, and the channels that would.

    A channel with initial tokens is the natural feedback of a cycle, so the others are laid first.
    """
    forward: dict[str, list[str]] = {process.name: [] for process in network.processes}
    backward = set()
    for channel in sorted(network.channels, key=lambda channel: channel.initial > 0):
        if channel.source == channel.target or channel.target in forward[channel.source]:
            continue
        if _leads(forward, channel.target, channel.source):
            backward.add(channel.name)
        else:
            forward[channel.source].append(channel.target)
    return forward, backward


def _leads(forward: Mapping[str, list[str]], first: str, last: str) -> bool:
    """Return whether a way leads from one process to another."""
    seen, ahead = {first}, [first]
    while ahead:
        beyond = [name for name in forward[ahead.pop()] if name not in seen]
        seen.update(beyond)
        ahead += beyond
    return last in seen


def _columns_of(forward: Mapping[str, list[str]]) -> dict[str, int]:
    before: dict[str, list[str]] = {name: [] for name in forward}
    for name, consumers in forward.items():
        for consumer in consumers:
            before[consumer].append(name)
    column: dict[str, int] = {}
    order = list(TopologicalSorter(before).static_order())
    for name in order:
        column[name] = max((column[each] + 2 for each in before[name]), default=0)
    for name in reversed(order):  # a source stands beside its nearest consumer, not at the far left
        if not before[name] and forward[name]:
            column[name] = min(column[each] for each in forward[name]) - 2
    return column


def _few_crossings(
    columns: list[list[Slot]], left: dict[Slot, list[Slot]], right: dict[Slot, list[Slot]]
) -> list[list[Slot]]:
    best, fewest = columns, _crossings(columns, left)
    for sweep in range(_SWEEPS):
        columns = [list(column) for column in columns]
        towards = left if sweep % 2 == 0 else right
        position = {place: index for column in columns for index, place in enumerate(column)}
        for column in columns if sweep % 2 == 0 else reversed(columns):
            column.sort(key=lambda place: _barycentre(place, towards, position))
            position.update({place: index for index, place in enumerate(column)})
        crossings = _crossings(columns, left)
        if crossings < fewest:
            best, fewest = columns, crossings
    return best


def _barycentre(place: Slot, towards: dict[Slot, list[Slot]], position: dict[Slot, int]) -> float:
    beside = towards.get(place)
    return sum(position[other] for other in beside) / len(beside) if beside else position[place]


def _crossings(columns: list[list[Slot]], left: dict[Slot, list[Slot]]) -> int:
    total = 0
    for before, column in pairwise(columns):
        position = {place: index for index, place in enumerate(before)}
        passed: list[int] = []
        for place in column:
            ends = sorted(position[other] for other in left.get(place, []))
            total += sum(len(passed) - bisect_right(passed, end) for end in ends)
            for end in ends:
                insort(passed, end)
    return total
