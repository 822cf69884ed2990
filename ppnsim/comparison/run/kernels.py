"""OpenCL kernels beside models of their cycles, and kernels in C beside formulas of their schedule."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace

from ppnsim.analysis.lost_cycles import CycleSplit
from ppnsim.comparison.laws.case import Case, DesignedKernel, SizedKernel
from ppnsim.comparison.model import Cause, Setting
from ppnsim.comparison.run.subject import Difference, Outcome, Why, check_whole_numbers, plain_axis
from ppnsim.comparison.run.taken_away import NOT_A_LIMIT, Freed, alone
from ppnsim.errors import InputError
from ppnsim.explore.sweep.parameters import Axis
from ppnsim.hls.library.library import Library
from ppnsim.hls.lost.designs import GENERAL, LoopDesign, Program, learned, split_at
from ppnsim.hls.lost.model import LostCycleModel
from ppnsim.opencl.design import Design, applied
from ppnsim.opencl.difference import OVERLAPS, costs, without_limits
from ppnsim.opencl.files.kernel import OpenclFile
from ppnsim.opencl.run import simulate


@dataclass(kw_only=True)
class OpenclSubject:
    """An OpenCL kernel on its board; ``load`` reads it for other values of its parameters."""

    name: str
    vary: Sequence[str]
    load: Callable[[Mapping[str, int]], OpenclFile]
    design: Design | None = None
    settings: Mapping[str, Setting] = field(default_factory=dict)
    kind: str = "kernel"
    quantity: str = "time"
    unit: str = "cycles"
    axes: Sequence[Axis] = field(init=False)

    def __post_init__(self) -> None:
        self.axes = [plain_axis(text) for text in self.vary]
        for axis in self.axes:
            check_whole_numbers(axis)

    def cases(self, values: dict[str, Setting]) -> Iterable[Case]:
        """Return the one case of a point."""
        file = self.load({name: int(value) for name, value in values.items()})
        yield Case(values=values, settings=self.settings, held=DesignedKernel(file, self.design or file.design))

    def simulate(self, case: Case) -> Outcome:
        """Execute the kernel, work item by work item."""
        file, design = case.held
        done = simulate(applied(file.kernel, design), file.board)
        return Outcome(done.cycles, done)

    def causes(self, at: Difference) -> Why:
        """Execute again without one limit at a time; name what each of them costs alone, the largest first.

        A model of one's own is asked about the same boards: what it knows of is no cause.
        """
        file, design = at.case.held
        cycles = at.outcome.run.cycles
        if at.ask is not None and at.predicted is not None:
            kernel = applied(file.kernel, design)
            freed = (
                Freed(words, simulate(kernel, board).cycles, at.said(replace(at.case, held=DesignedKernel(
                    replace(file, board=board), design
                ))))
                for words, board in without_limits(file.board)
            )  # fmt: skip
            found = alone(cycles, at.predicted, freed)
            return Why(found, told=() if found else (NOT_A_LIMIT,))
        if at.predicted is not None and at.predicted > cycles:
            return Why(told=(OVERLAPS,))
        return Why(tuple(Cause(*cost) for cost in costs(applied(file.kernel, design), file.board, cycles)))


@dataclass(kw_only=True)
class ScheduleSubject:
    """A kernel in C whose sizes are parameters or macros, scheduled as high-level synthesis does.

    ``program`` reads it for some sizes; the formulas are learned once, from small sizes; ``settings`` are for models.
    """

    name: str
    vary: Sequence[str]
    program: Program
    library: Library
    design: LoopDesign = field(default_factory=LoopDesign)
    bounds: Sequence[int] = GENERAL
    settings: Mapping[str, Setting] = field(default_factory=dict)
    kind: str = "schedule"
    quantity: str = "schedule"
    unit: str = "cycles"
    axes: Sequence[Axis] = field(init=False)

    def __post_init__(self) -> None:
        self.axes = [plain_axis(text) for text in self.vary]
        if not self.axes:
            raise InputError("names no size of the kernel, in which formulas could be learned", where="--vary")
        for axis in self.axes:
            check_whole_numbers(axis, least=1)
        self._model: LostCycleModel | InputError | None = None

    def cases(self, values: dict[str, Setting]) -> Iterable[Case]:
        """Return the one case of a point."""
        sizes = {name: int(value) for name, value in values.items()}
        yield Case(values=values, settings=self.settings, held=SizedKernel(sizes, lambda at: self._predicted(at).total))

    def simulate(self, case: Case) -> Outcome:
        """Schedule the kernel for these sizes."""
        split = split_at(self.program, self.library, self.design, case.held.sizes)
        return Outcome(split.total, split)

    def causes(self, at: Difference) -> Why:
        """Return which parts the formulas miss; another model is told how the scheduled cycles are spent."""
        scheduled = asdict(at.outcome.run)
        if at.model != "lost" or at.predicted is None:
            spent = ", ".join(f"{cycles} {part}" for part, cycles in scheduled.items() if cycles)
            return Why(told=(f"the {at.outcome.value} cycles of the schedule are {spent}",))
        known = asdict(self._predicted(at.case.held.sizes))
        differences = {part: cycles - known[part] for part, cycles in scheduled.items()}
        causes = tuple(
            Cause(f"{part} cycles: scheduled {scheduled[part]}, by formula {known[part]}", difference)
            for part, difference in differences.items() if difference
        )  # fmt: skip
        return Why(causes, True)

    def _predicted(self, sizes: Mapping[str, int]) -> CycleSplit:
        if self._model is None:
            try:
                names = [axis.name for axis in self.axes]
                self._model = learned(self.program, self.library, self.design, names, self.bounds)
            except InputError as reason:
                self._model = reason
        if isinstance(self._model, InputError):
            raise InputError(str(self._model))
        return self._model.at(sizes)
