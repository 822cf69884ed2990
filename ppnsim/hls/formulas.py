"""Cycle formulas: the cycles of a kernel as a formula of the scalar arguments that decide its trip counts (R5.15)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from ppnsim.errors import InputError, did_you_mean
from ppnsim.hls.graph.addresses import MANY
from ppnsim.hls.loop_names import labels_of
from ppnsim.hls.region_formula import region_formula, told
from ppnsim.hls.run_counts import NoProduct, RunCounts, UsualCounts
from ppnsim.hls.schedule.model import ScheduledNest, ScheduledRegion, StateMachine
from ppnsim.loops.polynomials import Polynomial, most
from ppnsim.loops.program import Loop, LoopProgram, Node

OTHER_HARDWARE = (
    "the formula is of hardware that takes any values: for those that --set gives, synthesis may unroll, flatten or "
    "drop loops, and see which elements they meet, for other cycles (rule R5.15 in ppnsim/hls/RULES.md)"
)


@dataclass(frozen=True, slots=True)
class CycleFormula:
    """The cycles of a kernel as a formula of its arguments, exact for the scheduled hardware.

    ``cycles`` holds if all ``flattened`` loops run 2^15 times or more, which takes one more state (R2.4); ``few`` holds
    if they run fewer times. ``runs`` are argument values with which the tasks of a region were run; the runs confirm
    the formula, but do not prove it.

    Examples
    --------
    >>> n = Polynomial.of("n")
    >>> found = CycleFormula(4 + 3 * n)
    >>> str(found), found.arguments, found.at(n=10)
    ('4 + 3*n', ('n',), 34)
    """

    cycles: Polynomial
    few: Polynomial | None = None
    flattened: tuple[tuple[Polynomial, str], ...] = ()
    runs: tuple[Mapping[str, int], ...] = ()

    @property
    def arguments(self) -> tuple[str, ...]:
        """The arguments that it depends on, by name."""
        return tuple(sorted(self.cycles.names))

    def at(self, **arguments: int) -> int:
        """Return the cycles for values of all its arguments.

        Raises
        ------
        InputError
            If an argument is missing, unknown or negative, or if some flattened loops run 2^15 times and others do not.
        """
        for name in arguments:
            if name not in self.arguments:
                raise InputError(f"the formula has no argument '{name}'{did_you_mean(name, self.arguments)}")
        for name in self.arguments:
            if name not in arguments:
                raise InputError(f"the formula needs a value of '{name}': {self}")
            if arguments[name] < 0:
                raise InputError(f"{name} = {arguments[name]}: the formula is of numbers from 0 on")
        try:
            return self._at(arguments)
        except ValueError as reason:
            raise InputError(f"{told(arguments)}: the formula {reason} there") from None

    def _at(self, arguments: Mapping[str, int]) -> int:
        many = {runs.value(arguments) >= MANY for runs, _ in self.flattened}
        if len(many) > 1:
            loops = ", ".join(loop for _, loop in self.flattened)
            raise InputError(f"some of {loops} run {MANY} times and others do not: give values with --set")
        return max(0, (self.few if self.few is not None and many == {False} else self.cycles).value(arguments))

    def __str__(self) -> str:
        if self.runs:
            return f"{self.cycles}, as its tasks run with {'; '.join(map(told, self.runs))}"
        if self.few is None:
            return str(self.cycles)
        loops = " and ".join(loop for _, loop in self.flattened)
        return f"{self.cycles}, or {self.few} with fewer than {MANY} iterations of {loops}"


def cycle_formula(
    program: LoopProgram, machine: StateMachine, again: Callable[[LoopProgram], StateMachine], more: int = 0
) -> CycleFormula | str | None:  # fmt: skip
    """Return the cycles as a formula, or the reason why there is none, or None if no argument decides a trip count.

    Each loop counts as in the schedule, with a formula as its trip count; ``more`` are the cycles around the loops. The
    formula is checked: for the trip counts of the schedule it must give the cycles of the schedule. ``again`` schedules
    the program with other trip counts, which change only the hardware of flattened loops.
    """
    assumed = [each for each in _loops(machine) if each.assumed]
    of_tasks = bool(machine.region or machine.tasks)
    assumed += [each for part in machine.parts for each in _loops(part) if each.assumed]
    if not assumed or any(each.endless for each in assumed):
        return None
    known = labels_of(program)
    try:
        if of_tasks:
            counts = RunCounts(known)
            cycles, runs = region_formula(program, machine, counts, lambda part: _of_machine(part, counts), again, more)
            return CycleFormula(cycles, runs=runs)
        cycles, flattened = _formula(machine, more, known)
        if not flattened:
            return CycleFormula(cycles)
        ends = (_with_trips(program, count) for count in (1, MANY))
        few, many = (_formula(again(each), more, known)[0] for each in ends)
    except (NoProduct, InputError) as reason:
        return str(reason)
    return CycleFormula(many) if few == many else CycleFormula(many, few, flattened)


def _with_trips(program: LoopProgram, count: int) -> LoopProgram:
    """Return a program in which the loops with assumed trip counts have this trip count."""

    def change(node: Node) -> tuple[Node, ...] | None:
        if not isinstance(node, Loop) or not node.assumed:
            return None
        inner = _with_trips(replace(program, body=node.body), count).body
        return (replace(node, last=(node.first[0] + node.step * (count - 1),), body=inner),)

    return program.rewritten(change)


def _formula(
    machine: StateMachine, more: int, known: Mapping[tuple[str, int], str]
) -> tuple[Polynomial, tuple[tuple[Polynomial, str], ...]]:
    """Return the cycles, and for each flattened loop whose trip count decides its depth that count and its name."""
    counts = RunCounts(known)
    if (_of_machine(machine, UsualCounts()) + more).constant != machine.cycles:
        raise NoProduct("functions run at the same time, and which one takes longest depends on the arguments")
    formula = _of_machine(machine, counts) + more
    if formula.constant is not None:
        raise NoProduct("the loops whose iterations are assumed depend on none of them")
    return formula, tuple(_flattened(machine, counts, known))


def _loops(machine: StateMachine) -> list[Loop]:
    around = [part for region in machine.regions for part in region.around]
    nested = [part for nest in machine.nests for part in (*nest.body.pipeline.around, *nest.body.pipeline.loops)]
    return [part for part in (*around, *nested) if isinstance(part, Loop)]


def _of_machine(machine: StateMachine, counts: UsualCounts) -> Polynomial:
    if not machine.regions:
        return _of_nest(machine.nests[0], counts) - 1 if machine.nests else Polynomial.of(machine.cycles)
    total = Polynomial.of(-1)
    for region in machine.regions:
        total = total + _of_region(region, counts)
    return total


def _of_region(region: ScheduledRegion, counts: UsualCounts) -> Polynomial:
    """Return the cycles of a region: of the loops that start in one state, the longest counts."""
    calls = (node for node in region.graph.nodes if node.kind == "call")
    started: dict[int, list[Polynomial]] = {}
    for call, nest in zip(calls, region.nests, strict=True):
        started.setdefault(region.schedule.issue[call.index][0], []).append(_of_nest(nest, counts))
    total = counts.of(region.around)[1] * (region.schedule.states - len(started))
    for each in started.values():
        total = total + most(*each)
    return total


def _of_nest(nest: ScheduledNest, counts: UsualCounts) -> Polynomial:
    iterations, times = counts.of(nest.body.pipeline.around, nest.body.pipeline.loops)
    ii = nest.body.schedule.ii
    return times * (nest.body.depth - ii) + iterations * ii


def _flattened(
    machine: StateMachine, counts: RunCounts, known: Mapping[tuple[str, int], str]
) -> list[tuple[Polynomial, str]]:
    """Return the iterations and the names of flattened loops that take one more state for many iterations (R2.4)."""
    found = []
    for nest in machine.nests if machine.regions else ():
        pipeline = nest.body.pipeline
        if len(pipeline.loops) > 1 and not any(isinstance(each, Loop) for each in pipeline.around):
            runs = counts.of(pipeline.around, pipeline.loops)[0]
            if runs.constant is None:
                names = (known.get((each.iterator, each.position.line), each.iterator) for each in pipeline.loops)
                found.append((runs, f"loop {'.'.join(names)} (line {nest.line})"))
    return found


def formula_result(found: CycleFormula | str) -> dict[str, str | None]:
    """Return a formula for JSON, or why there is none."""
    if isinstance(found, str):
        return {"formula": None, "no_formula": found}
    return {"formula": str(found)}


def formula_line(found: CycleFormula | str) -> str:
    """Return a formula, or why there is none, as a line of a report."""
    return f"no formula of the arguments: {found}" if isinstance(found, str) else f"cycles = {found}"
