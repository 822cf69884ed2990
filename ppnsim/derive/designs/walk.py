"""From the absolute towards the unbounded throughput: step by step the split that gains most per process.

Source: van Teijlingen 2014, section 5.6, says what to optimise first; order and amounts are our own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from itertools import combinations, product

from ppnsim.derive.designs.space import Design, DesignSpace, Point
from ppnsim.derive.designs.splits import METHODS, Choice, Method

Report = Callable[[int, int], None]
_INNERMOST, _OUTERMOST = -1, 0  # of the loops around a statement
_PAIR_WORK = 300_000_000  # executions timed for the pairs of one step, about a second


@dataclass(kw_only=True)
class DesignWalk:
    """A walk and the designs by rule; both are filled while the walk runs, so that an interrupt loses nothing.

    Attributes
    ----------
    target : finish in cycles at which the walk stops.
    steps : the designs of the walk; the first one is the unchanged program.
    by_rule : designs that split all statements in the same way, by name of the rule.
    stopped : why the walk has ended, "" while it goes on.
    """

    space: DesignSpace
    target: int | None = None
    steps: list[Point] = field(default_factory=list)
    by_rule: dict[str, Point] = field(default_factory=dict)
    stopped: str = ""

    def run(self, report: Report | None = None) -> None:
        """Try the designs by rule, then walk to the end; ``report`` gets the cycles gained and the cycles to gain."""
        space = self.space
        self.steps.append(space.start)
        self._look_at_rules()
        point, goal = space.start, max(space.bound.finish, self.target or 0)
        while not self._over(point):
            if report is not None:
                report(space.start.finish - point.finish, space.start.finish - goal)
            found = self._better(point)
            if found is None:
                self.stopped = "no further split helps"
                if any(self._too_large(design) for design in self._singles(point, self.space.open)):
                    self.stopped += f" within {space.max_processes} processes"
                break
            point = found
            self.steps.append(point)
        cheaper = self.trimmed(point, until=max(point.finish, self.target or 0))
        if cheaper != point:
            self.steps.append(cheaper)
        for name, by_rule in list(self.by_rule.items()):
            cheaper = self.trimmed(by_rule)
            if cheaper != by_rule:
                self.by_rule[f"{name}, without what gains nothing"] = cheaper

    def trimmed(self, point: Point, *, until: int | None = None) -> Point:
        """Return a design with as few processes as possible and the same finish, or a finish of at most ``until``."""
        limit = point.finish if until is None else until
        while True:
            fewer = [d for d in self._singles(point, self.space.open) if self.space.processes(d) < point.processes]
            fewer.sort(key=self.space.processes)
            cheaper = next((p for p in map(self.space.point, fewer) if p.finish <= limit), None)
            if cheaper is None:
                return point
            point = cheaper

    def _over(self, point: Point) -> bool:
        space = self.space
        if self.target is not None and point.finish <= self.target:
            self.stopped = f"the target of {self.target} cycles is reached"
        elif point.finish <= space.unbounded.finish:
            self.stopped = "the unbounded throughput is reached"
        elif point.finish <= space.bound.finish:
            self.stopped = "no design is earlier with the statements that are not tried left as they are"
        return bool(self.stopped)

    def _better(self, point: Point) -> Point | None:
        """Return the design that gains most per process: it changes one statement, else two, else all of them."""
        held_by = self.space.held_by(point) & set(self.space.open)
        if not held_by:
            return None
        found = self._best_of(point, self._singles(point, held_by))
        if found is None:
            found = self._best_of(point, self._pairs(point, held_by)) or self._best_of(point, self._alike(point.design))
            found = found and self.trimmed(found)
        return found

    def _best_of(self, point: Point, designs: Iterator[Design]) -> Point | None:
        best: tuple[float, Point] | None = None
        for design in designs:
            more = self.space.processes(design) - point.processes
            if more <= 0 or self._too_large(design):
                continue
            found = self.space.point(design)
            gain = (point.finish - found.finish) / more
            if gain > 0 and (best is None or gain > best[0]):
                best = gain, found
        return best and best[1]

    def _too_large(self, design: Design) -> bool:
        return self.space.processes(design) > self.space.max_processes

    def _singles(self, point: Point, statements: Collection[int]) -> Iterator[Design]:
        for k in sorted(statements):
            for choice in self.space.splitters[k].neighbours(point.design[k]):
                yield _with(point.design, k, choice)

    def _pairs(self, point: Point, held_by: Collection[int]) -> Iterator[Design]:
        """Yield designs with two statements split further, each by the next or by the largest factor."""
        moves = [(k, choice) for k in self.space.open for choice in self._next_and_last(k, point.design[k])]
        if len(moves) ** 2 // 2 * len(self.space.graph.number) > _PAIR_WORK:
            return
        for (k, one), (m, other) in combinations(moves, 2):
            if k != m and (k in held_by or m in held_by):
                yield _with(_with(point.design, k, one), m, other)

    def _next_and_last(self, k: int, choice: Choice) -> Iterator[Choice]:
        splitter = self.space.splitters[k]
        now = {(split.method, split.iterator): split.factor for split in choice}
        for method, iterator in splitter.trips:
            more = [f for f in splitter.factors(method, iterator) if f > now.get((method, iterator), 1)]
            for factor in dict.fromkeys((*more[:1], *more[-1:])):
                yield splitter.with_split(choice, splitter.split(method, iterator, factor))

    def _alike(self, design: Design) -> Iterator[Design]:
        """Yield designs with every statement split by one factor, over its innermost or its outermost loop."""
        largest = max((f for k in self.space.open for f in self.space.splitters[k].trips.values()), default=1)
        factors = (*(1 << k for k in range(1, largest.bit_length())), largest)
        for method, loop, factor in product(METHODS, (_INNERMOST, _OUTERMOST), factors):
            yield self._all_split(design, self.space.open, method, factor, loop)

    def _all_split(
        self, design: Design, statements: Collection[int], method: Method, factor: int | None, loop: int = _INNERMOST
    ) -> Design:
        """Return a design with some statements split by a factor, or by the largest factor if it is None."""
        for k in statements:
            splitter = self.space.splitters[k]
            if ways := [iterator for way, iterator in splitter.trips if way == method]:
                most = splitter.trips[method, ways[loop]]
                if (by := min(most, factor or most)) > 1:
                    choice = splitter.with_split(design[k], splitter.split(method, ways[loop], by))
                    design = _with(design, k, choice)
        return design

    def _look_at_rules(self) -> None:
        space, none = self.space, self.space.start.design
        unfold, cut = ([k for k in space.open if space.statements[k].default == method] for method in METHODS)
        rules = {
            "innermost loops unfolded": self._all_split(none, space.open, "unfold", None),
            "innermost loops cut in two": self._all_split(none, space.open, "cut", 2),
            "self-dependence rule": self._all_split(self._all_split(none, unfold, "unfold", None), cut, "cut", 2),
        }
        for name, design in rules.items():
            if design != none and not self._too_large(design):
                self.by_rule[name] = space.point(design)


def _with(design: Design, k: int, choice: Choice) -> Design:
    return (*design[:k], choice, *design[k + 1 :])
