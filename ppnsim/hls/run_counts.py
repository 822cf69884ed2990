"""How often code runs, as a formula of the iterations of the loops around it whose bounds are data."""

from __future__ import annotations

from collections.abc import Sequence

from ppnsim.hls.scalars import Scalars
from ppnsim.hls.structure.counting import used, visits
from ppnsim.loops.expressions import Condition
from ppnsim.loops.polynomials import Polynomial
from ppnsim.loops.program import Loop


class NoProduct(Exception):
    """How often code runs is no product of the iterations of its loops."""


class RunCounts:
    """Counts of runs by names for the iterations of loops; ``usual`` and ``formulas`` are what those stand for."""

    def __init__(self, scalars: Scalars) -> None:
        self.scalars = scalars
        self.usual: dict[str, int] = {}
        self.formulas: dict[str, Polynomial] = {}

    def of(self, around: Sequence[Loop | Condition], loops: Sequence[Loop] = ()) -> tuple[Polynomial, Polynomial]:
        """Return the iterations of all visits of the flattened ``loops``, and the visits."""
        return self._runs([*around, *loops]), self._runs(around)

    def _runs(self, parts: Sequence[Loop | Condition]) -> Polynomial:
        """Return how often the body of some loops and conditions runs."""
        product, rest = Polynomial.of(1), list(parts)
        for number, part in enumerate(parts):
            if isinstance(part, Loop) and part.assumed:
                count = self._name(part)
                inner = [each for each in parts[number + 1 :] if used(each, part.iterator)]
                product = product * (self._sum(part, count, inner[0], parts) if len(inner) == 1 else count)
                if len(inner) > 1:
                    raise NoProduct(f"bounds and conditions depend on the iteration of {_called(part)}")
                rest = [each for each in rest if each is not part and each not in inner]
        return product * visits(rest)

    def _sum(
        self, outer: Loop, count: Polynomial, inner: Loop | Condition, parts: Sequence[Loop | Condition]
    ) -> Polynomial:  # fmt: skip
        """Return the iterations of a loop in all those of another one, if their number grows by the same each time."""
        what = _called(inner) if isinstance(inner, Loop) else "a condition"
        no = NoProduct(f"{what} depends on the iteration of {_called(outer)}")
        if not isinstance(inner, Loop) or inner.assumed or abs(inner.step) != 1:
            raise no
        if len(inner.first) != 1 or len(inner.last) != 1 or any(used(each, inner.iterator) for each in parts):
            raise no
        way = (inner.last[0] - inner.first[0]) * inner.step
        if not way.iterators() <= {outer.iterator} or any(not isinstance(atom, str) for atom, _ in way.terms):
            raise no
        if not outer.first[0].is_constant:
            raise no
        least = way.value({outer.iterator: outer.first[0].constant}) + 1
        more = dict(way.terms).get(outer.iterator, 0) * outer.step
        if least < 0 or more < 0:
            raise no
        return least * count + more * (count * count - count).divided(2)

    def _name(self, loop: Loop) -> Polynomial:
        """Return the iterations of a visit by a name for them."""
        where = _called(loop)
        if loop.runs is None:
            raise NoProduct(f"data ends {where}")
        values = {name: self.scalars.of(name) for name in loop.runs.names}
        known = {name: each for name, each in values.items() if each is not None}
        if len(known) < len(values):
            name = min(values.keys() - known.keys())
            raise NoProduct(f"'{name}', which ends {where}, is no such formula")
        count = max(0, (loop.last[0] - loop.first[0]).constant // loop.step + 1)
        # The formula of the head takes names for numbers from 0 on, which variables need not be.
        if loop.runs.quotients and (below := [name for name, each in known.items() if not each.never_negative]):
            raise NoProduct(f"'{min(below)}', which ends {where}, may be negative")
        name = f"{loop.iterator} {loop.position} {count} {loop.runs}"
        self.usual[name], self.formulas[name] = count, loop.runs.replaced(known).positive()
        return Polynomial.of(name)


def _called(loop: Loop) -> str:
    return f"loop '{loop.iterator}' (line {loop.position.line})"
