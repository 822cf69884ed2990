"""Frames: networks that do the same, row after row, between a beginning and an end of their own.

Their rates do not come round over the whole run, as those of a line buffer that writes nothing in its first rows. But
each process has a part of its places (`row_places`) in which all that it does comes round. A frame with fewer rows is
the same network up to the end of that part, and behind it the same as the whole frame, some rows earlier.

So if two moments of a frame with few rows are alike (`periods`), both in that part of every process and whole rows
apart, then what follows the later one in a frame with as many rows more is what follows the earlier one here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.engines.compiled.row_parts import Ends, ends_of, places_of_a_row, regular_parts
from ppnsim.model.latency import Distribution
from ppnsim.model.network import Channel, Network, Process
from ppnsim.model.step_lists import StepList
from ppnsim.model.tokens import Rates

_FEWEST = 8


@dataclass(frozen=True, slots=True, eq=False)
class FrameRows:
    """A network with rows.

    Attributes
    ----------
    network : the whole frame.
    ends : of each channel, where it is written and where it is read.
    regular : of each process, between which places it does the same again and again.
    places : of each process, in one row.
    firings : of each process, in one row; passings, of a scheduled process.
    iterations : rows in the regular part of every process.
    """

    network: Network
    ends: Ends
    regular: Mapping[str, tuple[int, int]]
    places: Mapping[str, int]
    firings: Mapping[str, int]
    iterations: int

    @classmethod
    def of(cls, network: Network) -> FrameRows | None:
        """Return the rows of a network, None if it has none, or so few that leaving some out does not pay.

        Examples
        --------
        >>> processes = [Process(name="camera", firings=120), Process(name="window", firings=120),
        ...              Process(name="sink", firings=100)]
        >>> line_buffer = Rates("2 x (10 x 0), 10 x (10 x 1)")
        >>> channels = [Channel(name="a", source="camera", target="window"),
        ...             Channel(name="b", source="window", target="sink", tokens=line_buffer)]
        >>> rows = FrameRows.of(Network(processes=processes, channels=channels))
        >>> rows.iterations, [each.firings for each in rows.shortened(60).processes]
        (98, [60, 60, 40])
        """
        if any(isinstance(process.latency, tuple | Distribution) for process in network.processes):
            return None
        if any(process.schedule is not None and process.schedule.runs != 1 for process in network.processes):
            return None
        ends = ends_of(network)
        if ends is None:
            return None
        regular = regular_parts(network, ends)
        places = places_of_a_row(network, ends)
        if regular is None or places is None:
            return None
        iterations = min((regular[name][1] - regular[name][0]) // count for name, count in places.items())
        if iterations < _FEWEST:
            return None
        firings = {
            name: _passing(network, name, regular[name][0] + count) - _passing(network, name, regular[name][0])
            for name, count in places.items()
        }
        return cls(network, ends, regular, places, firings, iterations)

    def shortened(self, iterations: int) -> Network:
        """Return the network with ``iterations`` rows fewer."""
        if not iterations:
            return self.network
        processes = [self._fewer(process, iterations) for process in self.network.processes]
        channels = [self._shorter(channel, iterations) for channel in self.network.channels]
        return self.network.replace(processes=processes, channels=channels).checked()

    def limits(self, network: Network, iterations: int) -> dict[str, tuple[int, int]]:
        """Return between which passings each process of ``network``, which has so many rows fewer, has its rows."""
        found = {}
        for name, (begin, end) in self.regular.items():
            last = end - iterations * self.places[name]
            found[name] = _passing(network, name, begin), _passing(network, name, last)
        return found

    def fewer_tokens(self, channel: str, iterations: int) -> int:
        """Return the tokens that a channel lacks with so many rows fewer if it is written or read in one place."""
        for end, other in (self.ends[channel], self.ends[channel][::-1]):
            if end.regular is None:
                return other.in_places(iterations * self.places[other.process])
        return 0

    def _fewer(self, process: Process, iterations: int) -> Process:
        if process.schedule is None:
            return replace(process, firings=process.firings - iterations * self.places[process.name])
        less, starts = iterations * self.places[process.name], process.schedule.start_steps
        first, every, count = starts.even or (0, 1, 0)
        begin, _ = self.regular[process.name]
        if less % every == 0 and first < begin <= first + every * (count - 1) - less:  # all rows lie among them
            fewer = StepList(((first, every, count - less // every),))
        else:
            fewer = StepList.of(self._without(process.name, starts.expand(), iterations))
        schedule = replace(process.schedule, steps=process.schedule.steps - less, start_steps=fewer)
        return replace(process, schedule=schedule, firings=schedule.firings)

    def _without(self, process: str, places: Int64Array, iterations: int) -> Int64Array:
        """Return accesses of a process without those of its first rows."""
        begin, _ = self.regular[process]
        less = iterations * self.places[process]
        low, high = np.searchsorted(places, [begin, begin + less])
        return np.concatenate([places[:low], places[high:] - less])

    def _shorter(self, channel: Channel, iterations: int) -> Channel:
        ends = self.ends[channel.name]
        left = []
        fewer = self.fewer_tokens(channel.name, iterations)
        for end in ends:
            places = self._without(end.process, end.places, iterations)
            if end.regular is None:  # all in one place, where the other end comes round
                places = places[: len(places) - fewer]
            left.append(places)
        steps = [
            None if listed is None else StepList.of(places)
            for listed, places in zip((channel.write_steps, channel.read_steps), left, strict=True)
        ]
        rates = [self._rates(end.process, places, iterations) for end, places in zip(ends, left, strict=True)]
        if isinstance(channel.tokens, Rates):
            given = channel.tokens.produce, channel.tokens.consume
            rates = [own if len(own) == 1 else new for own, new in zip(given, rates, strict=True)]
        return replace(channel, tokens=Rates(*rates), write_steps=steps[0], read_steps=steps[1])

    def _rates(self, process: str, places: Int64Array, iterations: int) -> tuple[int, ...]:
        """Return the rates of an end, firing by firing."""
        declared = self.network.process(process)
        if declared.schedule is not None:
            return (1,)
        count = declared.firings - iterations * self.places[process]
        return tuple(np.bincount(places, minlength=count).tolist())


def _passing(network: Network, name: str, place: int) -> int:
    """Return the first passing of a process in a place or behind it."""
    stops = network.stops.get(name)
    return place if stops is None else stops.before(place)
