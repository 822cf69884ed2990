"""Iteration domains, schedules and accesses of a loop program in isl's notation.

Iterators are renamed i0, i1, ... from the outermost loop inwards. A C iterator may have the name of an operator of isl
(``mod``, ``min``), and with numbers, orders and relations need no names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Literal

from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine, All, Compare, Condition, Not, Some, isl_text
from ppnsim.loops.program import Access, Loop, LoopProgram, Statement

Side = Literal["R", "W"]


class ScheduledStatement:
    """A statement with its iteration domain and its schedule as text.

    ``steps`` are the strides of its loops, outermost first; ``number`` counts statements in textual order.
    """

    def __init__(
        self, program: LoopProgram, number: int, statement: Statement, around: tuple[Loop | Condition, ...],
        place: tuple[int, ...], depth: int,
    ) -> None:  # fmt: skip
        self.number, self.statement = number, statement
        self._shapes = {array.name: array.shape for array in program.arrays}
        self._names: dict[str, Affine] = {}
        conditions: list[str] = []
        steps: list[int] = []
        for part in around:
            if isinstance(part, Loop):
                name = f"i{len(steps)}"
                conditions += _bounds(part, name, self._names)
                self._names[part.iterator] = Affine.of(name)
                steps.append(part.step)
            else:
                conditions.append(isl_text(renamed(part, self._names)))
        self.steps = tuple(steps)
        self._domain = " and ".join(f"({condition})" for condition in conditions) or "true"
        self._firing = vector(self.steps, signed=False)
        signed = [f"{'-' if step < 0 else ''}i{k}" for k, step in enumerate(steps)]
        times = [text for pair in zip(map(str, place), [*signed, ""], strict=True) for text in pair if text]
        self._times = times + ["0"] * (2 * depth - 1 - len(times))

    def accesses(self, side: Side) -> tuple[Access, ...]:
        """Return the reads (R) or the writes (W)."""
        return self.statement.reads if side == "R" else self.statement.writes

    def affine(self, side: Side) -> list[int]:
        """Return the numbers of the accesses whose element is an affine function of the firing."""
        return [number for number, access in enumerate(self.accesses(side)) if not access.random]

    def where(self, side: Side, number: int) -> str:
        """How an error names an access."""
        word = "read" if side == "R" else "write"
        return f"statement '{self.statement.name}', {word} {number} of {self.accesses(side)[number]}"

    def access(self, side: Side, number: int) -> str:
        """Return an access as a map from firings to elements; a random one may be to any element of its array.

        Raises
        ------
        InputError
            If the array is unknown or has another number of dimensions.
        """
        access = self.accesses(side)[number]
        if access.array not in self._shapes:
            raise InputError(
                "the array is not declared, so that nothing is known of it", where=self.where(side, number)
            )
        shape = self._shapes[access.array]
        if access.random:
            element = [f"e{k}" for k in range(len(shape))]
            inside = "".join(f" and 0 <= {e} < {size}" for e, size in zip(element, shape, strict=True))
            return f"{{ {self._firing} -> [{', '.join(element)}] : {self._domain}{inside} }}"
        if len(access.subscripts) != len(shape):
            counts = f"{len(access.subscripts)} subscripts for {len(shape)} dimensions"
            raise InputError(f"{counts} (one subscript per dimension)", where=self.where(side, number))
        subscripts = ", ".join(str(subscript.replaced(self._names)) for subscript in access.subscripts)
        return f"{{ {self._firing} -> [{subscripts}] : {self._domain} }}"

    def schedule(self, side: Side, number: int, levels: Sequence[int] = ()) -> str:
        """Return the time of an access in 2d + 1 form: in a firing, all reads come before the writes, one by one.

        ``levels`` gives a new order of the loops, from the outermost inwards, by their present numbers.
        """
        phase, times = 0 if side == "R" else number + 1, list(self._times)
        for level, other in enumerate(levels):
            times[2 * level + 1] = self._times[2 * other + 1]
        return f"{{ {self._firing} -> [{', '.join([*times, str(phase)])}] }}"


def scheduled_statements(program: LoopProgram) -> list[ScheduledStatement]:
    """Return the statements of a program in textual order, with schedules of equal length."""
    placed = list(program.placed())
    depth = max((len(place) for _, _, place in placed), default=0)
    return [ScheduledStatement(program, number, *parts, depth) for number, parts in enumerate(placed)]


def execution_order(steps: tuple[int, ...]) -> str:
    """Return the map from iteration vectors to vectors whose lexicographic order is the order of execution.

    Examples
    --------
    >>> execution_order((1, -2))
    '{ [i0, i1] -> [i0, -i1] }'
    """
    return f"{{ {vector(steps, signed=False)} -> {vector(steps, signed=True)} }}"


def vector(steps: tuple[int, ...], *, signed: bool) -> str:
    """Return an iteration vector; with ``signed``, iterators that count down are negated."""
    return f"[{', '.join(f'-i{k}' if signed and step < 0 else f'i{k}' for k, step in enumerate(steps))}]"


def _bounds(loop: Loop, name: str, names: dict[str, Affine]) -> list[str]:
    """Return the conditions on a loop's iterator; a larger stride counts from wherever the loop starts."""
    first = [str(bound.replaced(names)) for bound in loop.first]
    last = [str(bound.replaced(names)) for bound in loop.last]
    after, before, start = (">=", "<=", "max") if loop.step > 0 else ("<=", ">=", "min")
    conditions = [f"{name} {after} {bound}" for bound in first] + [f"{name} {before} {bound}" for bound in last]
    if abs(loop.step) > 1:
        begin = reduce(lambda left, right: f"{start}({left}, {right})", first)
        conditions.append(f"({name} - ({begin})) mod {abs(loop.step)} = 0")
    return conditions


def renamed(condition: Condition, names: Mapping[str, Affine]) -> Condition:
    """Return a condition with iterators replaced by expressions."""
    if isinstance(condition, Compare):
        return Compare(condition.left.replaced(names), condition.relation)
    if isinstance(condition, Not):
        return Not(renamed(condition.part, names))
    parts = tuple(renamed(part, names) for part in condition.parts)
    return All(parts) if isinstance(condition, All) else Some(parts)
