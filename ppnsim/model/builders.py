"""Networks in one line: a chain, a fork and join, the predictor of van Teijlingen 2014, and any SDF or CSDF graph.

Those of the size of today's designs are in `ppnsim.model.designs`, and have their names here, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import cycle, islice, product

from ppnsim.errors import InputError, did_you_mean
from ppnsim.model.designs import fft, image_pipeline, multirate, residual, systolic, transformer
from ppnsim.model.network import Channel, Network, Process, Style
from ppnsim.model.parts import Depth
from ppnsim.model.recorder import Recorder
from ppnsim.model.schedule import AT_ONCE
from ppnsim.model.step_lists import StepList
from ppnsim.model.tokens import Rates

__all__ = [
    "buffers", "chain", "fft", "fork_join", "image_pipeline", "multirate", "predictor", "residual", "sdf", "systolic",
    "transformer",
]  # fmt: skip


def chain(
    *,
    firings: int,
    length: int = 3,
    ii: int | Sequence[int] = 1,
    latency: int | Sequence[int] = 3,
    depth: Depth = None,
    style: Style = "elastic",
) -> Network:
    """Return ``length`` processes p0, p1, ... in a row, with a channel of the given depth between neighbours.

    ``ii`` and ``latency`` (cycles) are one number for all or one per process, whose count then gives the length.

    Examples
    --------
    >>> [process.name for process in chain(firings=20, ii=(1, 3, 1), depth=2).processes]
    ['p0', 'p1', 'p2']
    """
    for given in (ii, latency):
        if not isinstance(given, int):
            length = len(given)
    iis = [ii] * length if isinstance(ii, int) else list(ii)
    latencies = [latency] * length if isinstance(latency, int) else list(latency)
    if not len(iis) == len(latencies) == length:
        raise InputError(f"chain: {len(iis)} initiation intervals for {len(latencies)} latencies (one each)")
    processes = [
        Process(name=f"p{i}", firings=firings, ii=iis[i], latency=latencies[i], style=style) for i in range(length)
    ]
    channels = [Channel(name=f"c{i}", source=f"p{i}", target=f"p{i + 1}", depth=depth) for i in range(length - 1)]
    return Network(name="chain", processes=processes, channels=channels).checked()


def fork_join(
    *,
    firings: int,
    latency: int = 1,
    long_latency: int = 12,
    short_depth: Depth = 2,
    long_depth: Depth = 2,
    style: Style = "elastic",
) -> Network:
    """Return ``split`` feeding ``short`` and ``long``, both feeding ``join``: the place where FIFOs have to be sized.

    The two channels of a branch share its depth; the long branch takes ``long_latency`` cycles, all else ``latency``.

    Examples
    --------
    >>> [channel.name for channel in fork_join(firings=20).channels]
    ['short_in', 'short_out', 'long_in', 'long_out']
    """
    latencies = {"split": latency, "short": latency, "long": long_latency, "join": latency}
    processes = [Process(name=name, firings=firings, latency=each, style=style) for name, each in latencies.items()]
    channels = [
        Channel(name="short_in", source="split", target="short", depth=short_depth),
        Channel(name="short_out", source="short", target="join", depth=short_depth),
        Channel(name="long_in", source="split", target="long", depth=long_depth),
        Channel(name="long_out", source="long", target="join", depth=long_depth),
    ]
    return Network(name="fork and join", processes=processes, channels=channels).checked()


def predictor(*, size: int = 5, latency: int = 3) -> Network:
    """Return the predictor of van Teijlingen 2014: a source of size x size values, a transformer, a sink.

    ``transformer`` computes a[i][j] from a[i-1][j] and a[i][j-1] for 1 <= i, j < size, which are two self-links;
    ``sink`` takes its results.
    The source reads an input array and the sink writes an output array, so both keep their latency of 1 for it.

    Source: van Teijlingen 2014, section 6.3.1.

    Examples
    --------
    >>> {process.name: process.firings for process in predictor().processes}
    {'source': 25, 'transformer': 16, 'sink': 16}
    """
    program = Recorder("predictor")
    program.statement("source", latency=latency, read=1)
    program.statement("transformer", latency=latency)
    program.statement("sink", latency=latency, write=1)
    for i, j in product(range(size), repeat=2):
        program.execute("source", writes=[("a", i, j)])
    for i, j in product(range(1, size), repeat=2):
        program.execute("transformer", reads=[("a", i - 1, j), ("a", i, j - 1)], writes=[("a", i, j)])
    for i, j in product(range(1, size), repeat=2):
        program.execute("sink", reads=[("a", i, j)])
    return program.network()


def sdf(
    actors: Mapping[str, int | Sequence[int]],
    channels: Mapping[str, tuple[str, int | str | Sequence[int], int | str | Sequence[int], str, int]],
    *,
    firings: Mapping[str, int],
    capacities: Mapping[str, int] | None = None,
) -> Network:
    """Return an SDF or CSDF graph as a network: tokens are taken at the start of a firing and put at its end.

    An actor is its execution time in cycles (one per phase for CSDF) and may fire any number of times at once unless a
    self-loop limits it. A channel is ``(producer, rates, rates, consumer, initial tokens)``. A capacity is claimed at
    the producer's start and given back at the consumer's end, as SDF3 and Kiter do: a channel of credits back.

    Parameters
    ----------
    actors : cycles by name, ``{"a": 2, "b": (1, 3)}``.
    channels : by name, ``{"c": ("a", 2, 1, "b", 0)}``: producer, its rates, the consumer's, consumer, initial tokens.
    firings : of every actor, ``{"a": 5, "b": 10}``.
    capacities : tokens that a channel holds, by name; the others have no end.

    Examples
    --------
    >>> graph = sdf({"a": 2, "b": 3}, {"c": ("a", 2, 1, "b", 0)}, firings={"a": 5, "b": 10}, capacities={"c": 3})
    >>> [(channel.name, channel.source, channel.initial) for channel in graph.channels]
    [('c', 'a', 0), ('c.space', 'b', 3)]
    """
    for key, named, known in (("firings", firings, actors), ("capacities", capacities or {}, channels)):
        if wrong := next((name for name in named if name not in known), None):
            raise InputError(f"'{wrong}' is not there{did_you_mean(wrong, known)}", where=f"sdf: {key}")
    if absent := next((name for name in actors if name not in firings), None):
        raise InputError(f"'{absent}' has none: write {{'{absent}': 4}}", where="sdf: firings")
    processes = []
    for name, time in actors.items():
        phases = [time] if isinstance(time, int) else list(time)
        count = firings[name]
        cyclic = phases[0] if len(set(phases)) == 1 else tuple(islice(cycle(phases), count))
        processes.append(Process(name=name, firings=count, ii=0, latency=cyclic, read=0, write=0))
    edges = []
    for name, (source, produce, consume, target, initial) in channels.items():
        rates = Rates(produce, consume)
        data = Channel(name=name, source=source, target=target, tokens=rates, initial=initial)
        edges.append(data)
        if capacities and name in capacities:
            room = capacities[name] - initial
            if room < 0:
                raise InputError(f"capacity {capacities[name]} below the {initial} initial tokens", where=data.where)
            space = Rates(rates.consume, rates.produce)
            edges.append(replace(data, name=f"{name}.space", source=target, target=source, tokens=space, initial=room))
    return Network(name="dataflow graph", processes=processes, channels=edges, clock_ns=1.0).checked()


def buffers(name: str, source: Process, target: Process, *, copies: int = 2, width: int = 32) -> list[Channel]:
    """Return the channels of an array that one scheduled process writes and another one reads, run by run.

    The writer fills a copy in a run, and hands it over at its last step; the reader gives it back at its own. With two
    copies (a double buffer) the writer may be a run ahead, with one it waits for the reader.

    Raises
    ------
    InputError
        If one of the processes is not scheduled.

    Examples
    --------
    >>> from ppnsim import run
    >>> a, b = (Process.scheduled(name=name, steps=10, runs=3) for name in "ab")
    >>> [run(Network(processes=[a, b], channels=buffers("x", a, b, copies=each))).finish for each in (2, 1)]
    [40, 60]

    Source: T3.6.
    """
    last = []
    for process in (source, target):
        if process.schedule is None:
            raise InputError("an array is passed between scheduled processes, and this one is not", where=process.where)
        last.append(StepList((process.schedule.steps - 1,)))
    return [
        Channel(
            name=name, source=source.name, target=target.name, write_steps=last[0], read_steps=AT_ONCE, width=width
        ),
        Channel(
            name=f"{name}.free", source=target.name, target=source.name, write_steps=last[1], read_steps=AT_ONCE,
            initial=copies, width=1,
        ),
    ]  # fmt: skip
