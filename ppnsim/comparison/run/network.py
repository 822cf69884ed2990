"""Networks beside models of their finish: what separates the two is taken away step by step, each step by a run."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from ppnsim.analysis.path.critical_path import critical_path
from ppnsim.analysis.throughput import absolute, unbounded
from ppnsim.comparison.laws.case import Case
from ppnsim.comparison.model import Cause, Setting
from ppnsim.comparison.run.subject import Difference, Outcome, Why
from ppnsim.comparison.run.taken_away import Freed, brought_closer, rest_words
from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.explore.explain.deadlock_fix import fix_deadlock
from ppnsim.explore.explain.explanation import Explanation, sentences
from ppnsim.explore.sweep.parameters import Axis, Value, axis_of, check_axes, varied
from ppnsim.explore.sweep.sizes import Read, SizedNetworks
from ppnsim.model.network import Channel, Network, Process
from ppnsim.model.run import Run

_REST = {
    "busiest": "data under way: the busiest process waits for its first and for later tokens",
    "bounds": "no single bound is reached: processes, dependences and resources hold each other up",
}


@dataclass(kw_only=True)
class NetworkSubject:
    """A network; ``read`` is None unless it comes from a source with parameters and a clock of its own (C)."""

    name: str
    vary: Sequence[str]
    network: Network | None = None
    read: Read | None = None
    settings: Mapping[str, Setting] = field(default_factory=dict)
    kind: str = "network"
    quantity: str = "finish"
    unit: str = "cycles"
    axes: Sequence[Axis] = field(init=False)
    _at: Callable[[Sequence[Value]], Network] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.read is not None:
            sized = SizedNetworks(read=self.read, vary=self.vary)
            self.axes, self._at = sized.axes, sized.at
        else:
            assert self.network is not None
            self.axes = [axis_of(text, self.network) for text in self.vary]
            check_axes(self.axes)
            self._at = partial(varied, self.network, self.axes)

    def cases(self, values: dict[str, Setting]) -> Iterable[Case]:
        """Return the one case of a point: the network there."""
        network = self._at([values[axis.name] for axis in self.axes])  # type: ignore[misc]
        yield Case(values=values, settings={**_said(network), **self.settings}, held=network.checked())

    def simulate(self, case: Case) -> Outcome:
        """Run the network."""
        done = run(case.held, on_deadlock="return")
        return Outcome(done.finish, done)

    def causes(self, at: Difference) -> Why:
        """Attribute simulated minus predicted: to full FIFOs, shared resources, pipeline styles, order, and the rest.

        Each amount is the difference of two runs, or of a run and an estimate, less what the model says it is; they
        add up. What a model knows of by itself, as of depths, is no cause.
        """
        done: Run = at.outcome.run
        if done.deadlock is not None:
            lines = (*str(done.deadlock).split("\n"), f"-> {fix_deadlock(done)}")
            return Why(told=tuple(line.strip() for line in lines))
        if at.predicted is None or done.finish is None:
            return Why()
        freed = (
            Freed(words, finish, at.predicted if free is None else at.said(self._freed(at.case, free)))
            for words, finish, free in _steps(at.case.held, at.model)
        )
        explained = brought_closer(done.finish, at.predicted, freed)
        causes = [step.cause(self.unit) for step in explained.steps]
        if rest := explained.rest(done.finish, at.predicted):
            words = rest_words(done.finish, at.predicted, self.unit, explained)
            words = words if at.ask else _REST.get(at.model, words)
            causes.append(Cause(words, int(rest) if rest.denominator == 1 else float(rest)))
        return Why(tuple(causes), True, tuple(_path(done)))

    def _freed(self, case: Case, free: Network) -> Case:
        """Return a case without a limit as a model sees it: depths are numbers that are never reached."""
        deep = {
            channel.name: max(channel.initial + free.counts[channel.name].written, 1)
            for channel in case.held.written.channels if channel.depth is not None
        }  # fmt: skip
        held = free.with_depths(deep)
        endless: dict[str, Setting] = {
            axis.name: max(deep.get(name, 1) for name in axis.targets)
            for axis in self.axes if axis.parameter == "depth" and axis.targets  # else a macro of that name
        }  # fmt: skip
        return Case(values={**case.values, **endless}, settings={**case.settings, **_said(held)}, held=held)


def _said(network: Network) -> dict[str, Setting]:
    """Return the numbers of processes and channels by ``NAME_PARAMETER``; a name that means two things is left out."""
    parts: list[tuple[Process | Channel, tuple[str, ...]]] = [
        *((process, ("firings", "ii", "latency")) for process in network.written.processes),
        *((channel, ("depth", "initial", "width")) for channel in network.written.channels),
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


def _steps(network: Network, model: str) -> Iterable[tuple[str, int | None, Network | None]]:
    """Yield networks with one more limit taken away, by what that limit is, with their finish."""
    free = network.never_full()
    yield "full FIFOs: a process waits for a slot", run(free, on_deadlock="return").finish, free
    if model in ("bounds", "busiest") and free.resources:
        return  # these models know of shared resources
    if free.resources:
        alone = [replace(process, resource=None) for process in free.processes]
        free = free.replace(processes=alone)
        yield "shared resources: every unit is taken", run(free, on_deadlock="return").finish, free
    free = free.with_style("elastic")
    yield "pipelines that freeze or flush while they wait", absolute(network).finish, free
    if model == "unbounded":
        yield "one process executes the firings of a statement in order", unbounded(network).finish, None


def _path(done: Run) -> Iterable[str]:
    """Yield what the critical path says, or why there is none."""
    try:
        path = critical_path(done.timeline)
    except InputError as reason:
        yield f"no critical path: {reason}"
        return
    told = Explanation(run=done, path=path, slack="", claims=(), steady="")
    yield from sentences(told)[:2]
