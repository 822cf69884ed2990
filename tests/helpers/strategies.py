"""Random small networks that obey the rules of `ppnsim.model.checks` by construction, as hypothesis strategies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import assume
from hypothesis import strategies as st

from ppnsim.errors import InputError
from ppnsim.model.latency import Distribution, Latency
from ppnsim.model.network import STYLES, Channel, Network, Process, Style
from ppnsim.model.step_lists import StepList
from ppnsim.model.tokens import ONE_PER_FIRING, Listed, Rates, Runs, Tokens
from tests.helpers.by_seed import by_seed


@by_seed
def networks(
    draw: st.DrawFn,
    *,
    styles: Sequence[Style] = STYLES,
    resources: bool = True,
    max_firings: int = 12,
    max_processes: int = 5,
    scheduled: bool = True,
) -> Network:
    """Draw a checked network: a tree of processes, and a few channels more across, backwards, or back to themselves."""
    names = [f"p{i}" for i in range(draw(st.integers(1, max_processes)))]
    units = {name: draw(st.integers(1, 2)) for name in ("r", "q")[: draw(st.integers(0, 2))]} if resources else {}
    # Equal counts let plain FIFOs and cycles run to the end; half of the networks have them.
    common = draw(st.none() | st.integers(1, max_firings))
    processes = {
        name: _process(draw, name, common or draw(st.integers(1, max_firings)), styles, sorted(units)) for name in names
    }
    if scheduled and "frozen" in styles:
        for name in names:
            if draw(st.integers(0, 3)) == 0:
                processes[name] = _scheduled(draw, name, max_firings)
    ends = [(names[draw(st.integers(0, i - 1))], names[i]) for i in range(1, len(names))]
    ends += draw(st.lists(st.tuples(st.sampled_from(names), st.sampled_from(names)), max_size=3))
    channels = [
        _channel(draw, f"c{i}", processes[source], processes[target], backwards=source >= target)
        for i, (source, target) in enumerate(ends)
    ]
    order = draw(st.permutations(channels)) if draw(st.booleans()) else channels
    network = Network(processes=processes.values(), channels=order, resources=units)
    try:
        return network.checked()
    except InputError:
        # What is left: an output far before the end of execution in a process whose read latency depends on its
        # channels, and a token of its own that a process reads too early.
        assume(False)
        raise


def _process(draw: st.DrawFn, name: str, firings: int, styles: Sequence[Style], resources: list[str]) -> Process:
    style = draw(st.sampled_from(list(styles)))
    fixed = st.integers(0, 6)
    latency: Latency = draw(fixed)
    if style != "frozen" and draw(st.integers(0, 3)) == 0:
        listed = st.lists(fixed, min_size=firings, max_size=firings).map(tuple)
        latency = draw(st.one_of(listed, _distributions()))
    explicit = st.none() | st.integers(0, 3)
    return Process(
        name=name,
        firings=firings,
        ii=draw(st.sampled_from([1, 1, 1, 2, 3, 4] + ([0] if style == "elastic" else []))),
        latency=latency,
        read=draw(explicit),
        write=draw(explicit),
        style=style,
        resource=draw(st.none() | st.sampled_from(resources)) if resources else None,
    )


def _scheduled(draw: st.DrawFn, name: str, most: int) -> Process:
    steps, runs = draw(st.integers(1, most)), draw(st.sampled_from([1, 1, 2, 3]))
    return Process.scheduled(name=name, steps=steps, runs=runs, start_steps=_steps(draw, steps, least=1))


def _steps(draw: st.DrawFn, steps: int, *, least: int = 0, most: int = 6) -> StepList:
    """Draw steps of a run, written in one of the three forms."""
    listed = sorted(draw(st.lists(st.integers(0, steps - 1), min_size=least, max_size=most)))
    if draw(st.booleans()):
        return StepList(tuple(listed))
    return StepList.of(listed)


@st.composite
def _distributions(draw: st.DrawFn) -> Distribution:
    seed = draw(st.integers(0, 99))
    name, parameters = draw(
        st.sampled_from(
            [
                ("uniform", (0, 5)),
                ("uniform", (2, 4)),
                ("normal", (3.0, 1.5)),
                ("exponential", (2.0,)),
                ("geometric", (0.5,)),
                ("poisson", (2.0,)),
                ("choice", (1, 7)),
            ]
        )
    )
    return Distribution(name, parameters, seed=seed)


@dataclass
class _Burst:
    """The most tokens that a firing of either side writes or reads, as a measure of how much room a channel needs."""

    tokens: Tokens
    size: int


def _channel(draw: st.DrawFn, name: str, source: Process, target: Process, *, backwards: bool) -> Channel:
    # A circle without initial tokens never moves: rare, but drawn.
    initial = draw(st.sampled_from([1, 2, 3, 4, 6, 12, 0] if backwards else [0, 0, 0, 1, 2]))
    if source.schedule is not None or target.schedule is not None:
        return _at_steps(draw, name, source, target, initial)
    burst = _tokens(draw, source, target, initial)
    depth = draw(st.none() | st.integers(1, 5))
    if depth is not None:
        # Too little room for one burst, or for one more where the first tokens wait, is a deadlock: mostly avoided.
        depth = max(depth, initial, initial + burst.size if draw(st.integers(0, 5)) else 1)
    few = st.sampled_from([None, None, 0, 1, 2, 3])
    shortest, longest = _shortest_and_longest(source)
    # The read latency may come from the channels; 1 is safe to assume for the latest, not for the earliest output.
    from_offset = st.none() | st.integers(longest - shortest, longest + 1 + 3)
    return Channel(
        name=name,
        source=source.name,
        target=target.name,
        tokens=burst.tokens,
        depth=depth,
        forward=draw(few),
        release=draw(few),
        initial=initial,
        from_offset=draw(from_offset) if draw(st.integers(0, 2)) == 0 else None,
        to_offset=draw(st.integers(0, 4)) if draw(st.integers(0, 2)) == 0 else None,
    )


def _at_steps(draw: st.DrawFn, name: str, source: Process, target: Process, initial: int) -> Channel:
    """Draw a channel at least one of whose ends is scheduled; no more is read than is there."""
    write_steps, produce = None, draw(st.integers(1, 2))
    listed = draw(st.sampled_from(["rates", "rates", "listed", "runs"]))
    if source.schedule is not None:
        write_steps, produce = _steps(draw, source.schedule.steps), 1
        written = write_steps.count * source.schedule.runs
    else:
        produce = produce if listed == "rates" else 1
        written = produce * source.firings
    there = initial + written
    read_steps, read_tokens, consume, reads = None, None, [1], tuple[tuple[int, int], ...]()
    if target.schedule is not None:
        read_steps, runs = _steps(draw, target.schedule.steps), target.schedule.runs
        while read_steps.count * runs > there:
            read_steps = StepList.of(read_steps.expand()[:-1])
        if there and draw(st.integers(0, 3)) == 0:
            number = read_steps.count * runs
            read_tokens = StepList.of(draw(st.lists(st.integers(0, there - 1), min_size=number, max_size=number)))
    elif listed == "rates":
        consume = [1] * min(there, target.firings) + [0] * max(0, target.firings - there)
    else:
        reads = tuple((firing, draw(st.integers(0, there - 1))) for firing in range(min(there, target.firings)))
    writes = () if write_steps is not None else tuple(range(source.firings))
    if listed == "rates" or (write_steps is not None and read_steps is not None):
        tokens: Tokens = Rates(produce, consume)
    elif listed == "runs" and (not reads or not writes):
        in_order = ((0, 1, min(there, target.firings)),) if read_steps is None else ()
        tokens = Runs(((0, 1, source.firings),) if writes else (), in_order)
    else:
        tokens = Listed(writes, reads)
    few = st.sampled_from([None, None, 0, 1, 2, 3])
    depth = draw(st.none() | st.integers(1, 8))
    return Channel(
        name=name, source=source.name, target=target.name, tokens=tokens, initial=initial,
        depth=None if depth is None else max(depth, initial), forward=draw(few), release=draw(few),
        write_steps=write_steps, read_steps=read_steps, read_tokens=read_tokens,
    )  # fmt: skip


def _shortest_and_longest(process: Process) -> tuple[int, int]:
    if isinstance(process.latency, Distribution):
        drawn = process.latency.draw(process.firings)
        return int(drawn.min()), int(drawn.max())
    if isinstance(process.latency, tuple):
        return min(process.latency), max(process.latency)
    return 0, process.latency


def _tokens(draw: st.DrawFn, source: Process, target: Process, initial: int) -> _Burst:
    kinds = ["rates", "rates", "listed", "runs"]
    if source.firings == target.firings:
        kinds += ["one", "one", "one"]
    kind = draw(st.sampled_from(kinds))
    own = source.name == target.name
    if kind == "one":
        return _Burst(ONE_PER_FIRING, 1)
    if kind == "rates":
        return _rates(draw, source.firings, target.firings, initial, own=own)
    if kind == "listed":
        return _listed(draw, source.firings, target.firings, initial, own=own)
    return _runs(draw, source.firings, target.firings, initial)


def _rates(draw: st.DrawFn, producers: int, consumers: int, initial: int, *, own: bool) -> _Burst:
    phases = st.one_of(st.integers(1, 3).map(lambda rate: [rate]), st.lists(st.integers(0, 3), min_size=1, max_size=4))
    draw_more = draw(st.integers(0, 5)) > 0
    produce = draw(phases)
    consume = list(produce) if own and draw(st.booleans()) else draw(phases)
    # Nothing may be read that is never there: write more of it, or in the end read less.
    while _total(consume, consumers) > initial + _total(produce, producers):
        if max(produce) < 5 and not own:
            produce[produce.index(min(produce))] += 1
        else:
            consume[consume.index(max(consume))] -= 1
    # Much more written than read fills any depth for good: mostly, read more of it.
    while draw_more and not own and initial + _total(produce, producers) > _total(consume, consumers) + 2:
        place = consume.index(min(consume))
        consume[place] += 1
        if _total(consume, consumers) > initial + _total(produce, producers):
            consume[place] -= 1
            break
    if own:
        # Nor may a firing read what itself or a later one writes.
        while not _earlier_firings_suffice(produce, consume, initial, consumers):
            consume[consume.index(max(consume))] -= 1
    return _Burst(Rates(tuple(produce), tuple(consume)), max(produce) + max(consume) - (max(consume) > 0))


def _total(rates: list[int], firings: int) -> int:
    return sum(rates[n % len(rates)] for n in range(firings))


def _earlier_firings_suffice(produce: list[int], consume: list[int], initial: int, firings: int) -> bool:
    written, read = initial, 0
    for n in range(firings):
        read += consume[n % len(consume)]
        if read > written:
            return False
        written += produce[n % len(produce)]
    return True


def _listed(draw: st.DrawFn, producers: int, consumers: int, initial: int, *, own: bool) -> _Burst:
    per_firing = draw(st.lists(st.integers(0, 2), min_size=producers, max_size=producers))
    writes = [firing for firing, tokens in enumerate(per_firing) for _ in range(tokens)]
    there = initial + len(writes)
    reads: list[tuple[int, int]] = []
    if there:
        # Reads keep near the diagonal, where a small depth can do; a wild one jumps anywhere.
        order = draw(st.sampled_from(["in order", "swapped", "near", "near", "wild"]))
        for place in range(draw(st.integers(0, min(there, 2 * consumers)))):
            if order == "wild":
                firing, token = draw(st.integers(0, consumers - 1)), draw(st.integers(0, there - 1))
            else:
                shift = {"in order": 0, "swapped": 1 - 2 * (place % 2), "near": draw(st.integers(-2, 2))}[order]
                firing = place * consumers // max(there, consumers)
                token = min(max(place + shift, 0), there - 1)
            reads.append((firing, token))
        if draw(st.integers(0, 2)) == 0:
            reads += draw(st.lists(st.sampled_from(reads), max_size=3)) if reads else []
    if own:
        reads = [(firing, token) for firing, token in reads if token < initial or writes[token - initial] < firing]
    # Out of order, what lies between has to fit as well.
    return _Burst(Listed(tuple(writes), tuple(reads)), 6)


def _runs(draw: st.DrawFn, producers: int, consumers: int, initial: int) -> _Burst:
    writes = _ascending_runs(draw, producers)
    written = sum(times for _, _, times in writes)
    reads = []
    left = initial + written
    for first, step, times in _ascending_runs(draw, consumers):
        times = min(times, left)
        left -= times
        reads.append((first, step, times))
    if draw(st.integers(0, 4)) == 0:
        reads.reverse()
    return _Burst(Runs(tuple(writes), tuple(reads)), 6)


def _ascending_runs(draw: st.DrawFn, firings: int) -> list[tuple[int, int, int]]:
    runs = []
    first = draw(st.integers(0, min(2, firings - 1)))
    for _ in range(draw(st.integers(1, 3))):
        step = draw(st.sampled_from([1, 1, 1, 0, 2, 3]))
        most = (firings - 1 - first) // step + 1 if step else 3
        times = draw(st.integers(0, most)) if draw(st.booleans()) else most
        runs.append((first, step, times))
        first += step * max(times - 1, 0) + draw(st.integers(0, 1))
        if first >= firings:
            break
    return runs
