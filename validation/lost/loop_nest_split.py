"""Useful and lost cycles of a loop nest, counted by walking it as a synthesis tool would let it run.

A nest accumulates: its reduction loops add to an element that the other loops choose. What one iteration, visit or
round costs is given by `NestCosts`; how the costs of a design follow from them is said by the rules here.

Source: da Silva et al., A Lost Cycles Analysis for Performance Prediction using High-Level Synthesis, section 5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Literal

from ppnsim.analysis.lost_cycles import CycleSplit
from ppnsim.errors import InputError, did_you_mean

Kind = Literal["none", "unroll", "pipeline"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NestCosts:
    """Cycles that a tool spends on a nest, read off its report of small designs.

    Attributes
    ----------
    independent, dependent : filling of the operators before the accumulation, and of the accumulation itself.
    memory, memory_unrolled, memory_pipelined : accesses in a round that nothing overlaps; pipelined: per filling of
        the outermost pipeline.
    visit, round : control of entering and leaving a loop, and of an innermost iteration.
    visit_unrolled : more of the former if the innermost loop is unrolled.
    pipelined, visit_pipelined : control of a pipeline that is entered once, and of every entry of an innermost one.

    The defaults are those of Vivado HLS 2014.2 on a Virtex-6 at 250 MHz, single precision, as Table 1 shows them.
    """

    independent: int = 5
    dependent: int = 7
    memory: int = 2
    memory_unrolled: int = 3
    memory_pipelined: int = 3
    visit: int = 2
    round: int = 1
    visit_unrolled: int = 1
    pipelined: int = 3
    visit_pipelined: int = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop:
    """A loop from 0 to its bound, or from the value of an outer loop on (``start``)."""

    name: str
    start: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Nest:
    """Loops from the outermost to the innermost; ``reductions`` are those that do not choose the element."""

    loops: tuple[Loop, ...]
    reductions: frozenset[str]
    costs: NestCosts = NestCosts()

    def check(self, design: Design, bounds: Mapping[str, int]) -> None:
        """Raise `InputError` unless a design can be made of this nest for these bounds."""
        names = [loop.name for loop in self.loops]
        for name in names:
            if name not in bounds:
                raise InputError(f"the bound of loop '{name}' is not given")
            if bounds[name] < 1:
                raise InputError(f"loop '{name}': bound {bounds[name]} executes nothing (bounds start at 1)")
        if design.kind == "none":
            return
        if design.loop not in names:
            raise InputError(f"no loop is called '{design.loop}'{did_you_mean(str(design.loop), names)}")
        inside = self.loops[names.index(design.loop) :]
        if design.kind == "unroll":
            if design.factor < 1 or bounds[design.loop] % design.factor:
                rule = "only factors that divide the trip count leave no epilogue"
                raise InputError(f"loop '{design.loop}': {bounds[design.loop]} by {design.factor}: {rule}")
            inside = inside[:1]
        else:
            inside = inside[1:]
        if any(loop.start for loop in inside):
            raise InputError(f"a loop in '{design.loop}' starts at an outer one, so it cannot be unrolled as a whole")


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """What is done to a nest: nothing, or one loop partially unrolled or pipelined (all loops in it unrolled)."""

    kind: Kind = "none"
    loop: str = ""
    factor: int = 1


def split_of(nest: Nest, design: Design, bounds: Mapping[str, int]) -> CycleSplit:
    """Return useful and lost cycles of a design of a nest.

    Raises
    ------
    InputError
        If the loop does not exist, a bound is missing or below 1, or a factor does not divide its trip count.

    Examples
    --------
    >>> nest = Nest(loops=(Loop(name="L0"), Loop(name="L1"), Loop(name="L2")), reductions=frozenset({"L2"}))
    >>> split_of(nest, Design(), {"L0": 4, "L1": 4, "L2": 4})
    CycleSplit(useful=64, initialisation=768, memory=128, control=106)
    >>> split_of(nest, Design(kind="pipeline", loop="L1"), {"L0": 4, "L1": 4, "L2": 4}).total
    103
    """
    nest.check(design, bounds)
    if design.kind == "pipeline":
        return _pipelined(nest, design, bounds)
    entered = 0 if _is_gone(nest, design, bounds, 0) else nest.costs.visit
    return _visited(nest, design, bounds, {}, 0) + CycleSplit(control=entered)


def _visited(nest: Nest, design: Design, bounds: Mapping[str, int], at: dict[str, int], level: int) -> CycleSplit:
    """Return the cycles of all iterations of a loop, without those of entering and leaving it."""
    loop, costs = nest.loops[level], nest.costs
    mine = design.kind == "unroll" and design.loop == loop.name
    values = range(at[loop.start] if loop.start else 0, bounds[loop.name])
    if level == len(nest.loops) - 1:
        copies = design.factor if mine else 1
        rounds = len(values) // copies
        if mine and rounds == 1 and copies > 1:  # no loop is left: what follows from the data remains
            return _round(costs, copies, unrolled=True)
        extra = costs.visit_unrolled if mine and copies > 1 else 0
        one = _round(costs, copies, unrolled=copies > 1) + CycleSplit(control=costs.round)
        return CycleSplit(**{name: rounds * getattr(one, name) for name in _NAMES}) + CycleSplit(control=extra)
    total = CycleSplit()
    copies = design.factor if mine else 1
    # A visit is entered and left in half of its control each; copies in a row leave one and enter the next at once.
    shared = (copies - 1) * (costs.visit - costs.visit // 2)
    for count, value in enumerate(values):
        total += _visited(nest, design, bounds, {**at, loop.name: value}, level + 1)
        gone = _is_gone(nest, design, bounds, level + 1)
        total += CycleSplit(control=0 if gone else costs.visit - (shared if count % copies == 0 else 0))
    return total


_NAMES = ("useful", "initialisation", "memory", "control")


def _is_gone(nest: Nest, design: Design, bounds: Mapping[str, int], level: int) -> bool:
    """Return whether the loop at a level is the innermost one and completely unrolled, so that nothing is entered."""
    name = nest.loops[level].name
    mine = design.kind == "unroll" and design.loop == name and level == len(nest.loops) - 1
    return mine and design.factor == bounds[name] > 1


def _round(costs: NestCosts, copies: int, *, unrolled: bool) -> CycleSplit:
    """Return the cycles of an innermost round: its accumulations follow one another, all else overlaps."""
    return CycleSplit(
        useful=copies, initialisation=costs.independent + copies * costs.dependent,
        memory=costs.memory_unrolled if unrolled else costs.memory,
    )  # fmt: skip


def _pipelined(nest: Nest, design: Design, bounds: Mapping[str, int]) -> CycleSplit:
    """Return the cycles of a nest with one loop pipelined: outer loops are one with it, or enter it every time.

    One operator of each kind starts an operation per cycle. Operations on one element follow each other by the latency
    of the accumulation. A reduction loop is entered anew for every element, because its element is set before it.
    """
    costs, names = nest.costs, [loop.name for loop in nest.loops]
    level = names.index(design.loop)
    filled = costs.independent + costs.dependent
    outer = names[:level]
    if design.loop in nest.reductions and outer:
        total = CycleSplit(control=costs.visit)
        for trips in _trip_counts(nest, bounds, level):
            last = _last_issue(nest, bounds, level, trips)
            operations = trips * prod(bounds[name] for name in names[level + 1 :])
            total += CycleSplit(
                useful=operations, initialisation=last + 1 - operations + filled, memory=costs.memory,
                control=costs.visit_pipelined,
            )  # fmt: skip
        return total
    iterations = sum(_trip_counts(nest, bounds, level))
    operations = iterations * prod(bounds[name] for name in names[level + 1 :])
    last = _last_issue(nest, bounds, level, iterations)
    return CycleSplit(
        useful=operations, initialisation=last + 1 - operations + filled, memory=costs.memory_pipelined,
        control=costs.pipelined,
    )  # fmt: skip


def _trip_counts(nest: Nest, bounds: Mapping[str, int], level: int) -> Iterator[int]:
    """Yield the trip count of every visit of the loop at a level."""

    def visits(depth: int, at: dict[str, int]) -> Iterator[int]:
        loop = nest.loops[depth]
        values = range(at[loop.start] if loop.start else 0, bounds[loop.name])
        if depth == level:
            yield len(values)
            return
        for value in values:
            yield from visits(depth + 1, {**at, loop.name: value})

    return visits(0, {})


def _last_issue(nest: Nest, bounds: Mapping[str, int], level: int, iterations: int) -> int:
    """Return the cycle in which the last operation starts, the first one being started in cycle 0.

    An iteration is issued the initiation interval after the one before it: as many cycles as it has operations, and as
    many as the accumulation takes if it adds to the same element.
    """
    inner = [loop.name for loop in nest.loops[level + 1 :]]
    step = nest.costs.dependent + 1
    if not inner:
        carried = nest.loops[level].name in nest.reductions
        return (iterations - 1) * (step if carried else 1)
    offsets = _offsets([(bounds[name], name in nest.reductions) for name in inner], step)
    interval = len(offsets)
    if nest.loops[level].name in nest.reductions:
        interval = max(interval, max(offsets) + step)
    return (iterations - 1) * interval + max(offsets)


def _offsets(loops: Sequence[tuple[int, bool]], step: int) -> list[int]:
    """Return the cycles in which the operations of one iteration start, reductions outermost in their order."""
    elements = prod(bound for bound, reduced in loops if not reduced)
    additions = prod(bound for bound, reduced in loops if reduced)
    pace = max(step, elements)
    return [addition * pace + element for addition in range(additions) for element in range(elements)]
