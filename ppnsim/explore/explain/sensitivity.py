"""What a change of one parameter would save: suggested by the critical path, checked by running it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice

from ppnsim.analysis.path.critical_path import CriticalPath
from ppnsim.engines.evaluate import finishes
from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.explore.explain.changed import with_channel, with_depth, with_process, with_units, without_depths
from ppnsim.model.network import Network, is_monotone
from ppnsim.model.run import Run
from ppnsim.units import counted

ALL = "all channels"
_LEAST = 1  # cycle that an access, a firing and a FIFO take: what is done in none is no advice to who builds it


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Another value of one parameter; None = unbounded (a depth), or one cycle less for each firing (a latency).

    ``parameter`` is depth, ii, latency, read, forward, release or units; ``part`` is the name of its owner.
    """

    parameter: str
    part: str
    before: int | None
    after: int | None
    apply: Callable[[Network], Network] = field(repr=False, compare=False)

    def __str__(self) -> str:
        if self.parameter == "latency" and self.before is None:
            return f"latency of {self.part} one less per firing"
        if self.part == ALL:
            return f"depth of {ALL} -> unbounded"
        return f"{self.parameter} of {self.part} {self.before} -> {'unbounded' if self.after is None else self.after}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What a run with a change showed: the finish (None = deadlock) and how many cycles that is less than before."""

    change: Change
    finish: int | None
    saves: int | None

    def __str__(self) -> str:
        if self.saves is None:
            return f"{self.change} deadlocks"
        return f"{self.change} {'saves' if self.saves >= 0 else 'costs'} {counted(abs(self.saves), 'cycle')}"


def claims(path: CriticalPath, *, top: int, given: bool = True, whole: Run | None = None) -> Iterator[Claim]:
    """Yield what the first ``top`` of the `candidates` save, each found by a run with that change alone.

    A FIFO without a limit that saves cycles is claimed with the smallest depth that saves as many. ``given`` tells that
    somebody gives the delays of channels; those of a source come with its FIFOs. Runs are those of the path, or of the
    ``whole`` run that the path is a part of.

    Examples
    --------
    >>> from ppnsim import fork_join, run
    >>> from ppnsim.analysis.path.critical_path import critical_path
    >>> path = critical_path(run(fork_join(firings=20, short_depth=2)).timeline)
    >>> str(next(claims(path, top=1)))
    'depth of short_in 2 -> 13 saves 33 cycles'
    """
    network, before = (path.graph.timeline.network, path.finish) if whole is None else (whole.network, whole.finish)
    assert before is not None, "a deadlock has no critical path"
    for change in islice(candidates(path, given=given), top):
        try:
            changed = change.apply(network).checked()
        except InputError:
            continue  # such a network does not exist: an output would come before the start of its firing, for example
        finish = run(changed, on_deadlock="return").finish
        if change.parameter == "depth" and change.part != ALL and change.after is None and finish != before:
            change = _least(network, change, finish)
        yield Claim(change=change, finish=finish, saves=None if finish is None else before - finish)


def candidates(path: CriticalPath, *, given: bool = True) -> Iterator[Change]:
    """Yield changes worth a try: depths that the path waits for in turn with what costs most on it, then the rest.

    In a monotone network nothing else can help: the path stays as it is under a change of anything that is not on it.
    There no depth of a FIFO saves more than none; elsewhere twice its depth may.
    ``given`` is as of `claims`.
    """
    network = path.graph.timeline.network
    waits = (each for each in path.shares if each.kind == "release" and not network.channel(each.part).fixed)
    full = sorted(waits, key=lambda each: (-each.count, each.part))
    monotone = is_monotone(network)
    deeper = [_depth(network, each.part, times=None if monotone else 2) for each in full]
    shares = [each for each in path.shares if given or each.kind not in ("forward", "release")]
    other = [change for each in shares if (change := _less(network, each.kind, each.part)) is not None]
    for place in range(max(len(deeper), len(other))):
        yield from deeper[place : place + 1]
        if place == 0 and full:  # where none alone helps, all together may
            yield Change(parameter="depth", part=ALL, before=None, after=None, apply=without_depths)
        yield from other[place : place + 1]
    if not monotone:
        yield from _elsewhere(network, [each.part for each in full])


def _elsewhere(network: Network, full: Sequence[str]) -> Iterator[Change]:
    """Yield depths where a network is not monotone: any of the ``full`` FIFOs, then twice the depth of any other."""
    for name in full:
        yield _depth(network, name, times=None)
    for channel in network.channels:
        if channel.depth is not None and not channel.fixed and channel.name not in full:
            yield _depth(network, channel.name)


def _depth(network: Network, channel: str, *, times: int | None = 2) -> Change:
    """Return a depth several times as large, None = unbounded."""
    before = network.channel(channel).depth
    assert before is not None, "only a channel with a depth lacks slots"
    after = None if times is None else times * before
    return Change(
        parameter="depth", part=channel, before=before, after=after, apply=partial(with_depth, channel, after)
    )


def _least(network: Network, unbounded: Change, finish: int | None) -> Change:
    """Return the smallest depth of a FIFO with which the network finishes as early as without a limit of it."""
    name, before = unbounded.part, unbounded.before
    if before is None or not is_monotone(network):
        return unbounded
    found = finishes(network)
    high = 2 * before
    while found({name: high}) != finish:
        high *= 2
    low = high // 2  # too little, as is what is declared
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if found({name: middle}) == finish else (middle, high)
    return replace(unbounded, after=high, apply=partial(with_depth, name, high))


def _less(network: Network, kind: str, part: str) -> Change | None:
    """Return one cycle less (one unit more) of what a share of the path is made of, None where that cannot be."""
    if kind == "ii":
        before = network.process(part).ii
        return _of_process(part, "ii", before) if before > 1 else None
    if kind in ("read", "write"):
        cycles = network.read_latency(part) if kind == "read" else network.write_latency(part)
        return _of_process(part, kind, cycles) if cycles > _LEAST else None
    if kind == "latency":
        return _latency(network, part)
    if kind in ("forward", "release"):
        cycles = network.forward(part) if kind == "forward" else network.release(part)
        return _of_channel(part, kind, cycles) if cycles > _LEAST else None
    if kind == "resource":
        units = network.resources[part]
        return Change(
            parameter="units", part=part, before=units, after=units + 1,
            apply=partial(with_units, part, units + 1),
        )  # fmt: skip
    return None


def _latency(network: Network, part: str) -> Change | None:
    latencies = network.steps[part].latencies
    if not (latencies > _LEAST).any():
        return None
    if len(latencies) == 1:
        return _of_process(part, "latency", int(latencies[0]))
    less = tuple(cycles - (cycles > _LEAST) for cycles in latencies.tolist())
    return Change(
        parameter="latency", part=part, before=None, after=None,
        apply=partial(with_process, part, {"latency": less}),
    )  # fmt: skip


def _of_process(part: str, parameter: str, before: int) -> Change:
    return Change(
        parameter=parameter, part=part, before=before, after=before - 1,
        apply=partial(with_process, part, {parameter: before - 1}),
    )  # fmt: skip


def _of_channel(part: str, parameter: str, before: int) -> Change:
    return Change(
        parameter=parameter, part=part, before=before, after=before - 1,
        apply=partial(with_channel, part, {parameter: before - 1}),
    )  # fmt: skip
