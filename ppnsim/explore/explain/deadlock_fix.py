"""Which FIFOs to deepen so that a deadlocked network runs: the smallest increases, checked by running (T7.2).

A deadlock is a circle of waits. Where runs are monotone in the depths (elastic and frozen processes, no shared
resource) every depth vector that works raises at least one of the full FIFOs of that circle: as long as none of them is
deeper, its waits stay. So a search that branches over those FIFOs, cheapest vector first, finds the smallest total.
Where that takes too many runs, the depths are a question to FIFO sizing, which begins with the declared ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from heapq import heappop, heappush

from ppnsim.engines.compiled import engine as compiled
from ppnsim.engines.program import Program
from ppnsim.engines.run import PAYS, run
from ppnsim.explore.explain.no_depths import buried_in, circle_of, without_depths
from ppnsim.explore.fifo import live_depths
from ppnsim.explore.fifo.other_styles import styles_that_finish
from ppnsim.model.network import Network, is_monotone
from ppnsim.model.run import Fix, Run
from ppnsim.model.summary import most_held
from ppnsim.model.timeline import NEVER

Depths = tuple[int, ...]
_WALKED = 200_000  # passings that are walked sooner than what repeats in them is found
_LONGEST = 10_000_000  # firings after which depths that work are lowered no further (then in one way, not in two)
_FIRINGS_AN_ELEMENT = 10  # of the budget: making a channel or a process for a run takes as long
_FIRINGS_A_VECTOR = 5_000  # of the budget: a vector of FIFO sizing, which runs the repetitions of a long run once


def fix_deadlock(stuck: Run, *, budget: int = 1_000_000) -> Fix:
    """Return the smallest depth increases with which a deadlocked run finishes.

    Parameters
    ----------
    stuck : the run that ended in a deadlock.
    budget : simulated firings, the same on every machine, after which the best that is found quickly is the answer.

    Examples
    --------
    >>> from ppnsim import fork_join, run
    >>> stuck = run(fork_join(firings=20, short_depth=3, style="frozen"), on_deadlock="return")
    >>> str(fix_deadlock(stuck)).partition(";")[0]
    "'short_out' at depth 9 or more breaks the circle (checked by running it)"
    """
    return _DepthSearch(stuck.network, budget).best(stuck)


class _DepthSearch:
    def __init__(self, network: Network, budget: int) -> None:
        self.network, self.written = network, network.written
        # The tables of a long network take more memory than what happens before it stands still.
        self.asked: Program | Network = network if network.passings > _LONGEST else Program.of(network)
        self.names = [each.name for each in self.written.channels if each.depth is not None and not each.fixed]
        self.elements = _FIRINGS_AN_ELEMENT * (len(self.written.channels) + len(self.written.processes))
        self.declared = {name: self.written.channel(name).depth or 0 for name in self.names}
        self.runs, self.budget, self.vectors = 0, budget, budget // _FIRINGS_A_VECTOR
        self.full_by_depths: dict[Depths, tuple[int, ...] | None] = {}
        self.hopeless: frozenset[tuple[str, str, str]] = frozenset()  # the circle that no depth helps

    def best(self, stuck: Run) -> Fix:
        """Search from the depths of ``stuck`` upwards."""
        full = self.full_in(stuck) or ()
        is_long = self.network.passings > self.budget
        if is_long and (depths := self.by_sizing(self.vectors, full)) is not None:
            return self.answer(depths, smallest=True)
        free = self.simulate(dict.fromkeys(self.names))
        if free.deadlock is not None:
            self.hopeless = circle_of(free.deadlock)
            if not full or stuck.deadlock is None or circle_of(stuck.deadlock) == self.hopeless:
                return without_depths(free, stuck.network, self.runs)
            first = self.smallest(free, full, may_size=False)
            behind = without_depths(free, stuck.network.with_depths(first.depths), first.runs)
            return replace(first, runs=behind.runs, behind=behind, behind_at=free.deadlock.at)
        return self.smallest(free, full, may_size=not is_long)

    def smallest(self, free: Run, full: tuple[int, ...], *, may_size: bool) -> Fix:
        """Return the smallest increases after which no FIFO that is a choice is in a circle, as in the run ``free``."""
        unfilled = tuple(max(self.declared[name], self.never_full(free, name)) for name in self.names)
        start = tuple(self.declared[name] for name in self.names)
        self.full_by_depths[start] = full
        queue, queued = [(sum(start), start)], {start}
        while queue and self.budget > 0:
            _, depths = heappop(queue)
            held_up = self.full_with(depths)
            if held_up is None:
                return self.answer(depths, smallest=is_monotone(self.network))
            for larger in self.branches(depths, held_up):
                if larger not in queued:
                    queued.add(larger)
                    heappush(queue, (sum(larger), larger))
        if may_size and (proven := self.by_sizing(self.vectors, full)) is not None:
            return self.answer(proven, smallest=True)
        found = self.lowered(unfilled)
        if self.budget > 0 or 10 * self.network.passings <= _LONGEST:  # a second way of a long run takes as long again
            all_held = tuple(max(self.declared[name], self.all_tokens(name)) for name in self.names)
            found = min(found, self.lowered(all_held), key=sum)
        return self.answer(found, smallest=False, stopped=True)

    def by_sizing(self, vectors: int, full: tuple[int, ...]) -> Depths | None:
        """Return the smallest depths from the declared ones on, by FIFO sizing; None if they are not found or proven.

        FIFOs that are ``full`` in the first deadlock are deepened first. Channels of a group share a depth, as one
        pragma gives it to them.
        """
        if not vectors or not is_monotone(self.network):
            return None
        found, runs = live_depths.live_depths(self.written, self.declared, {self.names[n] for n in full}, vectors)
        self.runs += runs
        return None if found is None else tuple(found[name] for name in self.names)

    def never_full(self, free: Run, name: str) -> int:
        """Return a depth with which a channel is never full; that of credits is claimed before anything is written."""
        return self.all_tokens(name) if self.network.credits else most_held(free, name)

    def all_tokens(self, name: str) -> int:
        """Return the tokens that a channel ever gets."""
        return self.written.counts[name].initial + self.written.counts[name].written

    def branches(self, depths: Depths, full: tuple[int, ...]) -> list[Depths]:
        """Return the depth vectors to try next: one more slot for each full FIFO of the circle, more if that is known.

        As long as raising the first of them alone leaves the same FIFOs in the circle, a solution either goes on
        raising it or raises another one, so the steps in between can be skipped.
        """
        if not full:
            return []
        first, *others = full
        return [self.leap(depths, first, set(full)), *(_raised(depths, index, 1) for index in others)]

    def leap(self, depths: Depths, index: int, circle: set[int]) -> Depths:
        """Return ``depths`` with FIFO ``index`` raised just as far as the same circle stands still, and one further."""

        def same(raise_by: int) -> bool:
            full = self.full_with(_raised(depths, index, raise_by))
            return full is not None and set(full) <= circle and index in full

        high = 1
        while same(high) and self.budget > 0:
            high *= 2
        low = high // 2  # the same circle still stands at low (or low is where we are)
        while high - low > 1 and self.budget > 0:
            middle = (low + high) // 2
            low, high = (middle, high) if same(middle) else (low, middle)
        return _raised(depths, index, low + 1)

    def lowered(self, depths: Depths) -> Depths:
        """Return depths that work, lowered one FIFO after the other from ``depths``, which do, while that is cheap.

        Those that would grow most come first: a FIFO behind a reduction may hold in few tokens what they hold in many.
        """
        self.budget = min(10 * self.network.passings, _LONGEST)
        grown = {index: depths[index] - self.declared[name] for index, name in enumerate(self.names)}
        for index in sorted(grown, key=lambda each: -grown[each]):
            name = self.names[index]
            low, high = self.declared[name], depths[index]
            while low < high and self.budget > 0:
                middle = (low + high) // 2
                if self.full_with((*depths[:index], middle, *depths[index + 1 :])) is None:
                    high = middle
                else:
                    low = middle + 1
            depths = (*depths[:index], high, *depths[index + 1 :])
        return depths

    def full_with(self, depths: Depths) -> tuple[int, ...] | None:
        """Return the full FIFOs of the circle in which these depths end, None if they end in none."""
        if depths not in self.full_by_depths:
            self.full_by_depths[depths] = self.full_in(self.simulate(dict(zip(self.names, depths, strict=True))))
        return self.full_by_depths[depths]

    def full_in(self, run_: Run) -> tuple[int, ...] | None:
        """Return the numbers of the full FIFOs in the circle of a deadlock, None if there is none that depths help."""
        if run_.deadlock is None or circle_of(run_.deadlock) == self.hopeless:
            return None
        spaces = run_.network.credits
        full = {wait.channel for wait in run_.deadlock.cycle if wait.kind == "slot"}
        full |= {spaces[wait.channel] for wait in run_.deadlock.cycle if wait.channel in spaces}
        return tuple(index for index, name in enumerate(self.names) if name in full)

    def simulate(self, depths: Mapping[str, int | None]) -> Run:
        """Run with these depths and charge the budget: firings that started, some for the start, and the network."""
        many = self.runs * self.network.events >= PAYS and compiled.unsupported(self.network) is None
        engine, skips = "compiled" if many else "auto", self.network.passings > _WALKED
        result = run(self.asked, engine=engine, depths=depths, fast_forward=skips, on_deadlock="return")
        self.runs += 1
        started = self.network.passings
        if result.deadlocked:
            started = sum(int((rows[0] != NEVER).sum()) for rows in result.recorded.passed.values())
        self.budget -= started + self.network.passings // 4 + self.elements
        return result

    def answer(self, depths: Depths, *, smallest: bool, stopped: bool = False) -> Fix:
        """Return the fix that these depths are."""
        changed = {name: depth for name, depth in zip(self.names, depths, strict=True) if depth != self.declared[name]}
        buried = buried_in(self.network, changed)
        styles, tried = ((), 0) if self.hopeless else styles_that_finish(self.written)
        return Fix(
            depths=changed, smallest=smallest, runs=self.runs + tried, buried=buried, stopped=stopped, styles=styles
        )


def _raised(depths: Depths, index: int, by: int) -> Depths:
    return (*depths[:index], depths[index] + by, *depths[index + 1 :])
