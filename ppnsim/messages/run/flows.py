"""Links that are shared fairly, as a SimPy component: rates are settled anew whenever a flow enters or ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from math import ceil

from simpy import Environment, Event

from ppnsim.messages.model.flows import Amount, FairFlow, FlowRun, Piece, Star, max_min_rates


class Transfer(Event):
    """A flow under way; it happens when the last byte has arrived, with that time as its value."""

    def __init__(self, env: Environment, number: int, route: Sequence[int], size: Amount) -> None:
        super().__init__(env)
        self.number, self.route, self.left = number, route, size
        self.rate: Amount = 0
        self.since: Amount = 0
        self.due: Amount = 0


class FairLinks:
    """Links of these bandwidths, shared max-min fairly by all transfers under way (L3.3).

    Time is the environment's: seconds as floats, or whole numbers. ``whole`` lets a transfer end at the first whole
    number at or after its last byte; with bandwidths that are fractions nothing else is rounded then.

    Examples
    --------
    >>> env = Environment()
    >>> links = FairLinks(env, [100.0])
    >>> first, second = links.transfer([0], 100), links.transfer([0], 50, delay=0.5)
    >>> env.run()
    >>> first.value, second.value
    (1.5, 1.5)
    """

    def __init__(self, env: Environment, capacity: Sequence[Amount], *, whole: bool = False) -> None:
        self.pieces: list[Piece] = []
        self._env, self._capacity, self._whole = env, capacity, whole
        self._active: list[Transfer] = []
        self._count = self._plan = 0
        self._clock: Amount = 0
        self._stale = False

    def transfer(self, route: Sequence[int], size: Amount, *, delay: float = 0) -> Transfer:
        """Return a flow that takes its share of the links of ``route`` after ``delay``."""
        flow = Transfer(self._env, self._count, route, size)
        self._count += 1
        self._env.timeout(delay).callbacks.append(lambda _: self._enter(flow))
        return flow

    def _enter(self, flow: Transfer) -> None:
        self._settle(max(self._clock, self._env.now))
        self._active.append(flow)
        self._replan_soon()

    def _settle(self, now: Amount) -> None:
        """Take off what has flowed since the last change."""
        elapsed = now - self._clock
        if elapsed > 0:
            for flow in self._active:
                flow.left = max(flow.left - flow.rate * elapsed, 0)
        self._clock = now

    def _change_rate(self, flow: Transfer, rate: Amount) -> None:
        if rate != flow.rate:
            if flow.since < self._clock and flow.rate:
                self.pieces.append(Piece(flow.number, float(flow.since), float(self._clock), float(flow.rate)))
            flow.rate, flow.since = rate, self._clock

    def _replan_soon(self) -> None:
        """Share anew once all that happens at this instant has happened."""
        self._plan += 1
        if not self._stale:
            self._stale = True
            self._env.timeout(0).callbacks.append(self._replan)

    def _replan(self, _: Event) -> None:
        self._stale = False
        if not self._active:
            return
        rates = max_min_rates(self._capacity, [flow.route for flow in self._active])
        for flow, rate in zip(self._active, rates, strict=True):
            self._change_rate(flow, rate)
            due = self._clock + flow.left / rate
            flow.due = ceil(due) if self._whole else due
        due, plan = min(flow.due for flow in self._active), self._plan
        self._env.timeout(max(due - self._env.now, 0)).callbacks.append(lambda _: self._end(plan, due))

    def _end(self, plan: int, due: Amount) -> None:
        """End the flows that are due; which they are was decided with the plan, whatever the rounding of the clock."""
        if plan != self._plan:
            return
        self._settle(due)
        ended = [flow for flow in self._active if flow.due <= due]
        self._active = [flow for flow in self._active if flow.due > due]
        for flow in ended:
            self._change_rate(flow, 0)
            flow.succeed(due)
        self._replan_soon()


def run_flows(star: Star, flows: Sequence[FairFlow], *, progress: Callable[[int, int], None] | None = None) -> FlowRun:
    """Run flows over a star.

    A flow takes its share from start + both latencies on, and finishes with its last byte.

    Raises
    ------
    InputError
        If a flow breaks a rule.

    Examples
    --------
    >>> star = Star(hosts=3, bandwidth=1e9, latency=1e-6)
    >>> [round(finish, 9) for finish in run_flows(star, [FairFlow(1, 0, 1e6), FairFlow(2, 0, 1e5)]).finish]
    [0.001102, 0.000202]
    """
    env = Environment(initial_time=0.0)
    links = FairLinks(env, star.capacity)
    transfers = [
        links.transfer(star.route(flow.source, flow.target), flow.size, delay=flow.start + star.delay)
        for flow in star.checked(flows)
    ]
    if progress is not None:
        ended = count(1)
        for flow in transfers:
            flow.callbacks.append(lambda _: progress(next(ended), len(transfers)))
    env.run()
    return FlowRun(finish=tuple(float(flow.due) for flow in transfers), pieces=tuple(links.pieces))
