"""Links that are shared fairly, as a SimPy component: rates are settled anew whenever a flow enters or ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from simpy import Environment, Event

from ppnsim.messages.model.flows import FairFlow, FlowRun, Piece, Star, max_min_rates


class Transfer(Event):
    """A flow under way; it happens when the last byte has arrived, with that time in seconds as its value."""

    def __init__(self, env: Environment, number: int, route: Sequence[int], size: float) -> None:
        super().__init__(env)
        self.number, self.route, self.left = number, route, float(size)
        self.rate, self.since, self.due = 0.0, 0.0, 0.0


class FairLinks:
    """Links of these bandwidths, shared max-min fairly by all transfers under way.

    Examples
    --------
    >>> env = Environment()
    >>> links = FairLinks(env, [100.0])
    >>> first, second = links.transfer([0], 100, delay=0.0), links.transfer([0], 50, delay=0.5)
    >>> env.run()
    >>> first.value, second.value
    (1.5, 1.5)
    """

    def __init__(self, env: Environment, capacity: Sequence[float]) -> None:
        self.pieces: list[Piece] = []
        self._env, self._capacity = env, capacity
        self._active: list[Transfer] = []
        self._count = self._plan = 0
        self._clock = 0.0
        self._stale = False

    def transfer(self, route: Sequence[int], size: float, *, delay: float) -> Transfer:
        """Return a flow that takes its share of the links of ``route`` after ``delay`` seconds."""
        flow = Transfer(self._env, self._count, route, size)
        self._count += 1
        self._env.timeout(delay).callbacks.append(lambda _: self._enter(flow))
        return flow

    def _enter(self, flow: Transfer) -> None:
        self._settle(max(self._clock, float(self._env.now)))
        self._active.append(flow)
        self._replan_soon()

    def _settle(self, now: float) -> None:
        """Take off what has flowed since the last change."""
        elapsed = now - self._clock
        if elapsed > 0:
            for flow in self._active:
                flow.left = max(flow.left - flow.rate * elapsed, 0.0)
        self._clock = now

    def _change_rate(self, flow: Transfer, rate: float) -> None:
        if rate != flow.rate:
            if flow.since < self._clock and flow.rate:
                self.pieces.append(Piece(flow.number, flow.since, self._clock, flow.rate))
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
        for flow, rate in zip(
            self._active, max_min_rates(self._capacity, [flow.route for flow in self._active]), strict=True
        ):
            self._change_rate(flow, rate)
            flow.due = self._clock + flow.left / rate
        due, plan = min(flow.due for flow in self._active), self._plan
        self._env.timeout(max(due - self._env.now, 0.0)).callbacks.append(lambda _: self._end(plan, due))

    def _end(self, plan: int, due: float) -> None:
        """End the flows that are due; which they are was decided with the plan, whatever the rounding of the clock."""
        if plan != self._plan:
            return
        self._settle(due)
        ended = [flow for flow in self._active if flow.due <= due]
        self._active = [flow for flow in self._active if flow.due > due]
        for flow in ended:
            self._change_rate(flow, 0.0)
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
        _follow(transfers, progress)
    env.run()
    return FlowRun(finish=tuple(flow.due for flow in transfers), pieces=tuple(links.pieces))


def _follow(transfers: Sequence[Transfer], progress: Callable[[int, int], None]) -> None:
    ended = 0

    def count(_: Event) -> None:
        nonlocal ended
        ended += 1
        progress(ended, len(transfers))

    for flow in transfers:
        flow.callbacks.append(count)
