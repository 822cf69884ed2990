"""Sweeps of networks across nodes: placements, packets, depths, links and clocks, a row for each point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ppnsim.explore.sweep.parameters import Value
from ppnsim.explore.sweep.sweep import Row, Sweep
from ppnsim.messages.model.loggp import MessageCosts
from ppnsim.placed.model.links import Link
from ppnsim.placed.model.placement import PacketNeverFills, Placement
from ppnsim.placed.run.network import run_placed
from ppnsim.placed.run.record import PlacedRun
from ppnsim.placed.sweep.parameters import varied_placement


@dataclass(kw_only=True)
class PlacedSweep(Sweep):
    """A sweep of a placed network; its points are placements.

    A packet larger than its FIFO never leaves: such a point is a deadlock, not an error, so that packets and depths can
    be varied together.

    Parameters
    ----------
    placement : what is varied.

    Examples
    --------
    >>> from ppnsim.placed.sweep.parameters import placed_axis_of
    >>> from ppnsim.model.builders import chain
    >>> from ppnsim.placed.model.placement import one_node
    >>> placement = one_node(chain(firings=20, depth=1))
    >>> axis = placed_axis_of("node.clock=100 MHz,200 MHz", placement)
    >>> sweep = PlacedSweep(network=placement.network, placement=placement, axes=[axis])
    >>> [(row["node.clock"], row["finish_s"]) for row in sweep.rows(sweep.numbers)]
    [('100 MHz', 5.1e-07), ('200 MHz', 2.55e-07)]
    """

    placement: Placement
    measure: ClassVar[str] = "finish_s"
    unit: ClassVar[str] = "s"

    @property
    def measures(self) -> dict[str, type]:
        """Finish in seconds, messages, and the share of the finish in which the busier port of each link was taken."""
        busy = {f"busy.{link.name}": float for link in self.placement.links}
        return {"finish_s": float, "deadlocked": bool, "messages": int, **busy}

    def _said(self, values: Sequence[Value]) -> Any:
        placement = self.placement
        point: tuple[tuple[str, Value], ...] = ()
        try:
            placement = varied_placement(placement, self.axes, values)
        except PacketNeverFills:
            point = tuple(zip((axis.name for axis in self.axes), values, strict=True))
        return (
            point,
            placement.nodes, placement.links, sorted(placement.node_of.items()),
            sorted(placement.packet.items()), placement.memories, placement.ports,
            self._network_said(placement.network),
        )  # fmt: skip

    def _found(self, values: tuple[Value, ...]) -> Row:
        return self._run_placed(values) | {"engine": "des", "key": self.key_at(values)}

    def _run_placed(self, values: tuple[Value, ...]) -> Row:
        try:
            outcome = run_placed(varied_placement(self.placement, self.axes, values))
        except PacketNeverFills:
            nothing = {f"busy.{link.name}": None for link in self.placement.links}
            return {"finish_s": None, "deadlocked": True, "messages": 0, **nothing}
        finish = None if outcome.finish is None else outcome.finish * 1e-12
        busy = {f"busy.{link.name}": _busy(outcome, link) for link in outcome.placement.links}
        found = {"finish_s": finish, "deadlocked": finish is None, "messages": len(outcome.messages)}
        return found | busy


def _busy(run: PlacedRun, link: Link) -> float | None:
    if not run.finish:
        return None
    mine = [message for message in run.messages if message.link == link.name]
    costs = MessageCosts(link)
    return max(sum(costs[m.size].interval for m in mine if m.source == end) for end in link.ends) / run.finish
