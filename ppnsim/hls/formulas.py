"""The cycles of a kernel as a formula of its scalar arguments, on which the iterations of its loops depend (R5.13)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ppnsim.errors import InputError, did_you_mean
from ppnsim.hls.graph.addresses import MANY
from ppnsim.hls.schedule.model import ScheduledNest, ScheduledRegion, StateMachine
from ppnsim.hls.structure.counting import trips, used, visits
from ppnsim.loops.expressions import Condition
from ppnsim.loops.polynomials import Polynomial, most
from ppnsim.loops.program import Loop, LoopProgram


@dataclass(frozen=True, slots=True)
class CycleFormula:
    """The cycles of a kernel by its arguments, exact for the hardware that is scheduled.

    ``limits`` are counts of iterations, each with the number from which on it has other hardware (R2.4), and its loop.

    Examples
    --------
    >>> n = Polynomial.of("n")
    >>> found = CycleFormula(4 + 3 * n)
    >>> str(found), found.arguments, found.at(n=10)
    ('4 + 3*n', ('n',), 34)
    """

    cycles: Polynomial
    limits: tuple[tuple[Polynomial, int, str], ...] = ()

    @property
    def arguments(self) -> tuple[str, ...]:
        """The arguments that it depends on, by name."""
        return tuple(sorted(self.cycles.names))

    def at(self, **arguments: int) -> int:
        """Return the cycles for values of all its arguments.

        Raises
        ------
        InputError
            If an argument has no value, is none of the formula's or is negative, or the loops run so often that the
            hardware is another one.
        """
        for name in arguments:
            if name not in self.arguments:
                raise InputError(f"the formula has no argument '{name}'{did_you_mean(name, self.arguments)}")
        for name in self.arguments:
            if name not in arguments:
                raise InputError(f"the formula needs a value of '{name}': {self}")
            if arguments[name] < 0:
                raise InputError(f"{name} = {arguments[name]}: the formula is of numbers from 0 on")
        for runs, least, loop in self.limits:
            if (count := runs.value(arguments)) >= least:
                words = f"{loop} runs {count} times, and from {least} on an iteration takes a state more (R2.4)"
                raise InputError(f"{words}: '#pragma HLS loop_tripcount max=N' in it says so")
        return self.cycles.value(arguments)

    def __str__(self) -> str:
        return str(self.cycles)


def cycle_formula(program: LoopProgram, machine: StateMachine, more: int = 0) -> CycleFormula | str | None:
    """Return the cycles as a formula, in words why there is none, or None where no loop depends on an argument.

    Each loop counts as the schedule counts it, with a formula for its iterations; ``more`` are the cycles around all.
    That the formula gives the cycles of the schedule for the iterations that the schedule has is checked.
    """
    counts, assumed = _Counts(), [each for each in _loops(machine) if each.assumed]
    if machine.region or machine.tasks:
        return "the cycles of a dataflow region come from a run of its tasks" if assumed else None
    written = {access.array for each in program.statements() for access in each.writes}
    for loop in assumed:
        if loop.runs is None:
            return f"data ends loop '{loop.iterator}' (line {loop.position.line})"
        if changed := sorted(loop.runs.names & written):
            return f"'{changed[0]}', which ends loop '{loop.iterator}' (line {loop.position.line}), is assigned"
    if not any(loop.runs.names for loop in assumed if loop.runs is not None):
        return None
    try:
        total = _whole(machine, counts) + more
        limits = tuple(_limits(machine, counts))
    except _NoProduct as reason:
        return str(reason)
    if total.value(counts.usual) != machine.cycles:
        return "functions run at the same time, and which one takes longest depends on the arguments"
    return CycleFormula(
        total.replaced(counts.formulas),
        tuple((runs.replaced(counts.formulas), least, loop) for runs, least, loop in limits),
    )


class _NoProduct(Exception):
    """How often code runs is no product of the iterations of its loops."""


class _Counts:
    """Counts of runs by names for the iterations of loops; ``usual`` and ``formulas`` are what those stand for."""

    def __init__(self) -> None:
        self.usual: dict[str, int] = {}
        self.formulas: dict[str, Polynomial] = {}

    def of(self, around: Sequence[Loop | Condition], loops: Sequence[Loop] = ()) -> tuple[Polynomial, Polynomial]:
        """Return the iterations of all visits of the flattened ``loops``, and the visits."""
        parts = [*around, *loops]
        known = [Polynomial.of(1), Polynomial.of(1)]
        for number, part in enumerate(parts):
            if not isinstance(part, Loop) or not part.assumed:
                continue
            for later in parts[number + 1 :]:
                if used(later, part.iterator):
                    what = f"loop '{later.iterator}'" if isinstance(later, Loop) else "a condition"
                    words = f"depends on the iteration of loop '{part.iterator}' (line {part.position.line})"
                    raise _NoProduct(f"{what} {words}")
            side = number >= len(around)
            known[side] = known[side] * self._name(part)
        rest = [each for each in around if not (isinstance(each, Loop) and each.assumed)]
        inside = [each for each in loops if not each.assumed]
        runs, times = trips(rest, inside)
        inner, outer = int((runs * times).sum()), visits(rest)
        return known[0] * known[1] * inner, known[0] * outer

    def _name(self, loop: Loop) -> Polynomial:
        assert loop.runs is not None
        (first,), (last,) = loop.first, loop.last
        count = max(0, (last - first).constant // loop.step + 1)
        name = f"{loop.iterator} {loop.position} {count} {loop.runs}"
        self.usual[name], self.formulas[name] = count, loop.runs
        return Polynomial.of(name)


def _loops(machine: StateMachine) -> list[Loop]:
    around = [part for region in machine.regions for part in region.around]
    nested = [part for nest in machine.nests for part in (*nest.body.pipeline.around, *nest.body.pipeline.loops)]
    return [part for part in (*around, *nested) if isinstance(part, Loop)]


def _whole(machine: StateMachine, counts: _Counts) -> Polynomial:
    if not machine.regions:
        return _nest(machine.nests[0], counts) - 1 if machine.nests else Polynomial.of(machine.cycles)
    total = Polynomial.of(-1)
    for region in machine.regions:
        total = total + _region(region, counts)
    return total


def _region(region: ScheduledRegion, counts: _Counts) -> Polynomial:
    """Return the cycles of a region: of loops that start in one state, the longest counts."""
    calls = (node for node in region.graph.nodes if node.kind == "call")
    started: dict[int, list[Polynomial]] = {}
    for call, nest in zip(calls, region.nests, strict=True):
        started.setdefault(region.schedule.issue[call.index][0], []).append(_nest(nest, counts))
    total = counts.of(region.around)[1] * (region.schedule.states - len(started))
    for each in started.values():
        total = total + most(*each)
    return total


def _nest(nest: ScheduledNest, counts: _Counts) -> Polynomial:
    iterations, times = counts.of(nest.body.pipeline.around, nest.body.pipeline.loops)
    ii = nest.body.schedule.ii
    return times * (nest.body.depth - ii) + iterations * ii


def _limits(machine: StateMachine, counts: _Counts) -> list[tuple[Polynomial, int, str]]:
    """Return the counts of flattened loops from which on their address takes a state more (R2.4)."""
    found = []
    for nest in machine.nests if machine.regions else ():
        pipeline = nest.body.pipeline
        if len(pipeline.loops) > 1 and not any(isinstance(each, Loop) for each in pipeline.around):
            runs = counts.of(pipeline.around, pipeline.loops)[0]
            if runs.constant is None:
                found.append((runs, MANY, f"loop {nest.name} (line {nest.line})"))
    return found


def formula_result(found: CycleFormula | str) -> dict[str, str | None]:
    """Return a formula for JSON, or why there is none."""
    if isinstance(found, str):
        return {"formula": None, "no_formula": found}
    return {"formula": str(found)}


def formula_line(found: CycleFormula | str) -> str:
    """Return a formula, or why there is none, as a line of a report."""
    return f"no formula of the arguments: {found}" if isinstance(found, str) else f"cycles = {found}"
