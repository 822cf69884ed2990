"""Networks beside models of their finish: what separates the two is taken away step by step, each step by a run."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ppnsim.analysis.throughput import absolute, unbounded
from ppnsim.comparison.laws.case import Case, Number
from ppnsim.comparison.model import Cause, Setting
from ppnsim.comparison.run.subject import Difference, Outcome, Why, check_whole_numbers, plain_axis
from ppnsim.engines.run import run
from ppnsim.errors import InputError, PpnsimError
from ppnsim.explore.explain.critical_path import critical_path
from ppnsim.explore.explain.deadlock_fix import fix_deadlock
from ppnsim.explore.explain.explanation import Explanation, sentences
from ppnsim.explore.sweep.parameters import Axis, axis_of, check_axes, varied
from ppnsim.model.network import Channel, Network, Process
from ppnsim.model.run import Run

_REST = {
    "busiest": "data under way: the busiest process waits for its first and for later tokens",
    "bounds": "no single bound is reached: processes, dependences and resources hold each other up",
}
Load = Callable[[Mapping[str, int]], Network]
"""The network of a source for values of its parameters and macros."""


@dataclass(kw_only=True)
class NetworkSubject:
    """A network; ``load`` is None unless it comes from a source with parameters of its own (C)."""

    name: str
    vary: Sequence[str]
    network: Network | None = None
    load: Load | None = None
    settings: Mapping[str, Setting] = field(default_factory=dict)
    kind: str = "network"
    quantity: str = "finish"
    unit: str = "cycles"
    axes: Sequence[Axis] = field(init=False)

    def __post_init__(self) -> None:
        own = {text: plain_axis(text) for text in self.vary if self.load is not None and _of_source(text)}
        for axis in own.values():
            check_whole_numbers(axis)
        self._source_axes = [axis.name for axis in own.values()]
        self._seen: tuple[tuple[Setting, ...] | None, Network | None] = (None, self.network)
        first = self._network({axis.name: axis.values[0] for axis in own.values()})
        self.axes = [own.get(text) or axis_of(text, first) for text in self.vary]
        check_axes([axis for axis in self.axes if axis.name not in self._source_axes])

    def cases(self, values: dict[str, Setting]) -> Iterable[Case]:
        """Return the one case of a point: the network there."""
        network = self._network(values)
        # Another size may have more processes and channels, which a pattern also means.
        texts = [text for text, axis in zip(self.vary, self.axes, strict=True) if axis.name not in self._source_axes]
        axes = [axis_of(text, network) for text in texts]
        network = varied(network, axes, [values[axis.name] for axis in axes])  # type: ignore[misc]
        yield Case(values=values, settings={**_said(network), **self.settings}, held=network.checked())

    def simulate(self, case: Case) -> Outcome:
        """Run the network."""
        done = run(case.held, on_deadlock="return")
        return Outcome(done.finish, done)

    def causes(self, at: Difference) -> Why:
        """Attribute simulated minus predicted: to full FIFOs, shared resources, pipeline styles, order, and the rest.

        Each amount is the difference of two runs, or of a run and an estimate; they add up.
        """
        done: Run = at.outcome.run
        if done.deadlock is not None:
            lines = (*str(done.deadlock).split("\n"), f"-> {fix_deadlock(done)}")
            return Why(told=tuple(line.strip() for line in lines))
        if at.predicted is None or done.finish is None:
            return Why()
        causes, left = [], done.finish
        for words, finish in _steps(at.case.held, at.model):
            if finish is None:
                break
            if finish != left:
                causes.append(Cause(words, left - finish))
            left = finish
        if left != at.predicted:
            words = _REST.get(at.model, f"the model's own terms: without any of these stalls it takes {left} cycles")
            causes.append(Cause(words, _plain(left - at.predicted)))
        return Why(tuple(causes), True, tuple(_path(done)))

    def _network(self, values: Mapping[str, Setting]) -> Network:
        """Return the network for the values of the source's own parameters; neighbouring points share it."""
        if self.load is None:
            assert self.network is not None
            return self.network
        key = tuple(values[name] for name in self._source_axes)
        if self._seen[0] != key or self._seen[1] is None:
            chosen = {name: int(values[name]) for name in self._source_axes}
            try:
                self._seen = key, self.load(chosen)
            except PpnsimError as error:
                said = "".join(f"{name} = {value}: " for name, value in chosen.items())
                raise InputError(f"{said}{error}") from None
        assert self._seen[1] is not None
        return self._seen[1]


def _plain(number: Number) -> float:
    return number if isinstance(number, int) else float(number)


def _of_source(text: str) -> bool:
    name = text.partition("=")[0]
    return "." not in name and name.strip() != "clock"


def _said(network: Network) -> dict[str, Setting]:
    """Return the numbers of processes and channels by ``NAME_PARAMETER``; a name that means two things is left out."""
    parts: list[tuple[Process | Channel, tuple[str, ...]]] = [
        *((process, ("firings", "ii", "latency")) for process in network.processes),
        *((channel, ("depth", "initial", "width")) for channel in network.channels),
    ]
    found: dict[str, Setting] = {}
    twice = set()
    for part, names in parts:
        for name in names:
            key, value = re.sub(r"\W", "_", f"{part.name}_{name}"), getattr(part, name)
            if key in found:
                twice.add(key)
            if isinstance(value, int):
                found[key] = value
    return {key: value for key, value in found.items() if key not in twice}


def _steps(network: Network, model: str) -> Iterable[tuple[str, int | None]]:
    """Yield networks with one more limit taken away, by what that limit is, with their finish."""
    free = network.never_full()
    yield "full FIFOs: a process waits for a slot", run(free, on_deadlock="return").finish
    if model in ("bounds", "busiest") and free.resources:
        return  # these models know of shared resources
    if free.resources:
        alone = [replace(process, resource=None) for process in free.processes]
        free = free.replace(processes=alone)
        yield "shared resources: every unit is taken", run(free, on_deadlock="return").finish
    one_each = absolute(network).finish
    yield "pipelines that freeze or flush while they wait", one_each
    if model == "unbounded":
        yield "one process executes the firings of a statement in order", unbounded(network).finish


def _path(done: Run) -> Iterable[str]:
    """Yield what the critical path says, or why there is none."""
    try:
        path = critical_path(done.timeline)
    except InputError as reason:
        yield f"no critical path: {reason}"
        return
    told = Explanation(run=done, path=path, slack="", claims=(), steady="")
    yield from sentences(told)[:2]
