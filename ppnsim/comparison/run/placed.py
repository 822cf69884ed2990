"""Networks across nodes beside a user's model of their finish; no model of this program predicts them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from ppnsim.comparison.laws.case import Case
from ppnsim.comparison.model import Cause, Setting
from ppnsim.comparison.run.subject import Difference, Outcome, Why
from ppnsim.engines.run import run
from ppnsim.explore.sweep.parameters import Axis, check_axes
from ppnsim.placed.model.placement import Placement
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
        """Return what the links cost: the finish without the network's on one node, at the network's own clock."""
        if at.outcome.value is None:
            return Why(told=("the simulation deadlocks: see `ppnsim run`",))
        network = at.case.held.network
        alone = run(network, on_deadlock="return").time_ns
        if alone is None:
            return Why()
        words = f"links, packets and clocks of the nodes: on one node at {network.clock_ns:g} ns it takes {alone:g} ns"
        return Why((Cause(words, float(at.outcome.value) - alone * 1e-9),))
