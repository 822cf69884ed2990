"""Networks across nodes beside a user's model of their finish; no model of this program predicts them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from ppnsim.comparison.laws.case import Case
from ppnsim.comparison.model import Cause, Setting
from ppnsim.comparison.run.subject import Difference, Outcome, Why
from ppnsim.comparison.run.taken_away import Freed, brought_closer, rest_words
from ppnsim.explore.sweep.parameters import Axis, check_axes
from ppnsim.placed.model.placement import Placement
from ppnsim.placed.report.sentence import binding_sentence
from ppnsim.placed.report.terms import binding
from ppnsim.placed.run.network import run_placed
from ppnsim.placed.sweep.parameters import placed_axis_of, varied_placement

_PER_SECOND = 10**12  # a placed run counts picoseconds


@dataclass(kw_only=True)
class PlacedSubject:
    """A network whose processes are placed on nodes."""

    name: str
    vary: Sequence[str]
    placement: Placement
    kind: str = "placed"
    quantity: str = "finish"
    unit: str = "s"
    axes: Sequence[Axis] = field(init=False)

    def __post_init__(self) -> None:
        self.axes = [placed_axis_of(text, self.placement) for text in self.vary]
        check_axes(self.axes)

    def cases(self, values: dict[str, Setting]) -> Iterable[Case]:
        """Return the one case of a point."""
        at = varied_placement(self.placement, self.axes, list(values.values()))  # type: ignore[arg-type]
        yield Case(values=values, held=at)

    def simulate(self, case: Case) -> Outcome:
        """Run the network on its nodes."""
        done = run_placed(case.held)
        return Outcome(None if done.finish is None else Fraction(done.finish, _PER_SECOND), done)

    def causes(self, at: Difference) -> Why:
        """Attribute simulated minus predicted to full FIFOs, credits, links and the rest, each taken away by a run."""
        if at.outcome.value is None:
            return Why(told=("the simulation deadlocks: see `ppnsim run`",))
        if at.predicted is None:
            return Why()
        simulated = Fraction(at.outcome.value)
        freed = (
            Freed(words, self.simulate(Case(values={}, held=placement)).value, at.said(self._freed(at.case, placement)))
            for words, placement in _steps(at.case.held)
        )
        explained = brought_closer(simulated, at.predicted, freed)
        causes = [step.cause(self.unit) for step in explained.steps]
        if rest := explained.rest(simulated, at.predicted):
            causes.append(Cause(rest_words(simulated, at.predicted, self.unit, explained), float(rest)))
        bound = binding(at.outcome.run)
        return Why(tuple(causes), True, () if bound is None else (binding_sentence(at.outcome.run, bound),))

    def _freed(self, case: Case, free: Placement) -> Case:
        """Return a case without a limit as a model sees it: depths are numbers that are never reached."""
        depths = {channel.name: channel.depth for channel in free.network.channels}
        deep = {
            channel.name: max(channel.initial + free.network.counts[channel.name].written, 1)
            for channel in case.held.network.channels
            if channel.depth is not None and depths[channel.name] is None
        }  # fmt: skip
        held = replace(free, network=free.network.with_depths(deep))
        endless: dict[str, Setting] = {
            axis.name: max(deep[name] for name in axis.targets)
            for axis in self.axes if axis.parameter == "depth" and all(name in deep for name in axis.targets)
        }  # fmt: skip
        return Case(values={**case.values, **endless}, held=held)


def _steps(placement: Placement) -> Iterable[tuple[str, Placement]]:
    """Yield placements with one more limit taken away, by what that limit is."""
    network = placement.network
    crossing = {channel.name for channel in network.channels if placement.crosses(channel)}
    local = {channel.name: None for channel in network.channels if channel.name not in crossing}
    free = replace(placement, network=network.with_depths(local))
    yield "full FIFOs on a node: a process waits for a slot", free
    free = replace(free, network=free.network.with_depths(dict.fromkeys(crossing)))
    yield "credits of the links: a process waits for a slot to come back", free
    links = tuple(
        replace(link, latency=0, overhead=0, gap=0, per_byte=0, efficiency=(), clamp=False) for link in free.links
    )
    yield "links: latency, gap, bytes and packets of messages", replace(free, links=links, packet={})
