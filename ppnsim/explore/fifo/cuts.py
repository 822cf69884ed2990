"""The cheapest depths that contradict nothing that is known to fail.

A *cut* is a vector D that fails although some FIFOs are as deep as allowed. Where deeper FIFOs never hurt, everything
below D fails, too: a vector that works is deeper than D in at least one entry. The cheapest vector that obeys all cuts
is therefore a lower bound on the cost of any that works, and, if it works itself, the answer.

Source: the scheme is logic-based Benders decomposition (Hooker and Ottosson 2003), the search over cuts a hitting set
problem, as in implicit hitting sets (Moreno-Centeno and Karp 2013).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ppnsim.arrays import Int64Array
from ppnsim.explore.fifo.problem import Full, OutOfBudget, Problem, Values, Vector

_ANY = 2**62  # entry of a cut that no depth exceeds
_NODES = 1_000_000  # of one search over cuts, minutes

# Depths so far, the largest ones allowed, the cuts that may not be obeyed yet, the cost.
_Node = tuple[Int64Array, Int64Array, NDArray[np.intp], int]


@dataclass(frozen=True, slots=True)
class Failure:
    """A vector that fails, and its values."""

    vector: Vector
    values: Values


class Cuts:
    """Failing vectors, of which only those are kept that no other one implies.

    Examples
    --------
    >>> from ppnsim.explore.fifo.sizing import problem_of
    >>> from ppnsim.model.builders import chain
    >>> cuts = Cuts(problem_of([chain(firings=9)]))
    >>> cuts.extend([Failure((3, None), (None,)), Failure((2, 5), (None,))])
    >>> cuts.cheapest(at_least=0, below=None)
    (4, 1)
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.matrix: Int64Array = np.empty((0, len(problem.variables)), dtype=np.int64)
        highs = [variable.high for variable in problem.variables]
        self._most = np.array([_ANY if high is None else high for high in highs], dtype=np.int64)
        self._costs: list[dict[int, int]] = [{} for _ in problem.variables]

    def add(self, failure: Failure) -> None:
        """Add a vector that fails; None = any depth that is allowed."""
        row = np.array([_ANY if depth is None else depth for depth in failure.vector], dtype=np.int64)
        if not (self.matrix >= row).all(axis=1).any():
            kept = ~(self.matrix <= row).all(axis=1)
            self.matrix = np.concatenate([self.matrix[kept], row[None]])

    def extend(self, failures: Iterable[Failure]) -> None:
        """Add several."""
        for failure in failures:
            self.add(failure)

    def last_blamed(self) -> list[int]:
        """Return which variables the latest cut blames."""
        return np.flatnonzero(self.matrix[-1] < _ANY).tolist() if len(self.matrix) else []

    def cheapest(self, *, at_least: int, below: int | None) -> Full | None:
        """Return the cheapest vector that obeys all cuts, None if none is cheaper than ``below``.

        ``at_least`` is a cost known to be a lower bound, at which the search may stop.

        Raises
        ------
        OutOfBudget
            If there are too many combinations.
        """
        search = _CutSearch(self, at_least, below)
        low = self.problem.low
        search.run((np.array(low, dtype=np.int64), self._most, np.arange(len(self.matrix)), self.problem.cost_of(low)))
        return search.best

    def price(self, index: int, depth: int) -> int:
        """Return the cost of a variable at a depth, remembered."""
        known = self._costs[index]
        if depth not in known:
            known[depth] = self.problem.cost_at(index, depth)
        return known[depth]


class _CutSearch:
    """Depth-first branch and bound: each branch obeys one entry of a cut, and the next ones leave that entry alone."""

    def __init__(self, cuts: Cuts, at_least: int, below: int | None) -> None:
        self.cuts, self.at_least = cuts, at_least
        self.limit = below
        self.best: Full | None = None
        self.nodes = 0

    def run(self, root: _Node) -> None:
        """Walk the tree below a node with a stack of its own: a branch may be as long as there are cuts."""
        path = [self._visit(root)]
        while path:
            child = next(path[-1], None)
            if child is None:
                path.pop()
            else:
                path.append(self._visit(child))

    def _visit(self, node: _Node) -> Iterator[_Node]:
        """Visit a node and yield its children."""
        vector, most, open_, cost = node
        self.nodes += 1
        if self.nodes > _NODES:
            raise OutOfBudget(f"the budget of {_NODES} combinations of cuts is spent")
        if self.done or (self.limit is not None and cost >= self.limit):
            return
        open_ = open_[(vector <= self.cuts.matrix[open_]).all(axis=1)]
        if not len(open_):
            self.best, self.limit = tuple(vector.tolist()), cost
            return
        entries = self._entries(vector, most, open_)
        if entries is None or (self.limit is not None and cost + _disjoint(entries) >= self.limit):
            return
        allowed = most.copy()
        for extra, index, depth in min(entries, key=lambda each: (len(each), -each[0][0])):
            child = vector.copy()
            child[index] = depth
            yield child, allowed.copy(), open_, cost + extra
            allowed[index] = depth - 1

    @property
    def done(self) -> bool:
        """Whether nothing cheaper is possible than what has been found."""
        return self.best is not None and self.limit is not None and self.limit <= self.at_least

    def _entries(
        self, vector: Int64Array, most: Int64Array, open_: NDArray[np.intp]
    ) -> list[list[tuple[int, int, int]]] | None:
        """Return, per open cut, the ways to obey it as (extra cost, variable, depth), cheapest first.

        None if a cut cannot be obeyed any more.
        """
        price, cuts = self.cuts.price, self.cuts.matrix[open_]
        found: list[list[tuple[int, int, int]]] = [[] for _ in cuts]
        for cut, index in np.argwhere(cuts < most).tolist():
            depth = int(cuts[cut, index]) + 1
            found[cut].append((price(index, depth) - price(index, int(vector[index])), index, depth))
        return [sorted(ways) for ways in found] if all(found) else None


def _disjoint(entries: list[list[tuple[int, int, int]]]) -> int:
    """Return a lower bound on the cost of obeying all cuts: those that share no variable add up."""
    used: set[int] = set()
    total = 0
    for ways in sorted(entries, key=lambda each: -each[0][0]):
        variables = {index for _, index, _ in ways}
        if not variables & used:
            used |= variables
            total += ways[0][0]
    return total
