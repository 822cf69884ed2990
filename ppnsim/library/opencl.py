"""``ppnsim.opencl``: an OpenCL kernel on an FPGA board predicted, tuned, swept and executed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

from rich.console import Console

from ppnsim.calls import CallError
from ppnsim.comparison.compare import MOST_POINTS
from ppnsim.errors import InputError
from ppnsim.files import load_as
from ppnsim.library.answer import Answer
from ppnsim.library.place import Place
from ppnsim.opencl.design import Design, applied, parse_design
from ppnsim.opencl.difference import because
from ppnsim.opencl.files.board import load_opencl_board
from ppnsim.opencl.files.kernel import OpenclFile
from ppnsim.opencl.reader.hints import ReaderOptions
from ppnsim.opencl.report import (
    OpenclAnswer,
    PathStep,
    SweepPoint,
    opencl_result,
    print_best,
    print_path,
    print_prediction,
    print_sweep,
)
from ppnsim.opencl.run import OpenclRun
from ppnsim.opencl.run import simulate as execute
from ppnsim.opencl.tune import PredictedDesign, advise, best_design, look
from ppnsim.opencl.tune import combinations as all_designs
from ppnsim.opencl.tune import tune as tuning_steps

if TYPE_CHECKING:
    from ppnsim.plots.shown import NotebookFigure

Progress = Callable[[int, int], None]


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class OpenclPrediction(Answer):
    """An OpenCL kernel on a board: its prediction, and the path, the sweep or the run that were asked for.

    Attributes
    ----------
    answer : prediction with potentials and advice; tuning path, best design, swept points, run; None if not asked for.
    file : the kernel's file.
    """

    answer: OpenclAnswer
    file: str

    @property
    def cycles(self) -> float:
        """The cycles that are predicted."""
        return float(self.answer.now.prediction.cycles)

    def to_dict(self) -> dict[str, Any]:
        """Return what the command writes as JSON."""
        return opencl_result(self.answer, self.file)

    def print(self, console: Console) -> None:
        """Print the prediction, what bounds it, the advice, and the path or the sweep."""
        answer = self.answer
        print_prediction(console, answer)
        if answer.path is not None:
            print_path(console, answer.kernel.name, answer.path)
        if answer.best is not None:
            print_best(console, answer)
        if answer.sweep:
            print_sweep(console, answer.sweep)

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return a row for each point of the sweep, or for each step of the tuning path, or for the design."""
        if self.answer.sweep:
            return [
                {
                    **each.values, "predicted": each.cycles, "simulated": each.executed,
                    "difference": each.difference, "because": each.because, "B_itpp": each.itpp,
                }
                for each in self.answer.sweep
            ]  # fmt: skip
        path = self.answer.path or [PathStep(self.answer.now, self.answer.run)]
        return [
            {
                "design": str(each.predicted.design), "predicted": float(each.predicted.prediction.cycles),
                "simulated": None if each.run is None else each.run.cycles,
            }
            for each in path
        ]  # fmt: skip

    def figure(self) -> NotebookFigure:
        """Return the sweep or the tuning path as a picture."""
        from ppnsim.opencl.pictures import path_points, tuning_path, work_item_sweep  # matplotlib takes a while
        from ppnsim.plots.shown import shown

        answer = self.answer
        if answer.sweep:
            return shown(work_item_sweep(answer.kernel.name, answer.sweep))
        path = [answer.now] if answer.path is None else [step.predicted for step in answer.path]
        return shown(tuning_path(answer.kernel.name, path_points(path)))


@dataclass(frozen=True, kw_only=True)
class KernelFile:
    """A kernel's file, and what is said of it beside: the design, values, work sizes, macros, the board."""

    file: str
    design: Design | None
    settings: Mapping[str, int]
    reader: ReaderOptions
    board: str | None

    def read(self, more: Mapping[str, int] | None = None) -> OpenclFile:
        """Read the file; ``more`` gives the values of further parameters."""
        found = load_as(self.file, OpenclFile, settings={**self.settings, **(more or {})}, source=self.reader)
        return found if self.board is None else replace(found, board=load_opencl_board(self.board))


def opencl(
    file: Place, *, design: str | None = None, settings: Mapping[str, int] | None = None, kernel: str | None = None,
    global_size: Sequence[int] = (), local_size: Sequence[int] = (), defines: Mapping[str, str] | None = None,
    include: Sequence[str] = (), board: str | None = None, tune: bool = False, combinations: bool = False,
    vary: Mapping[str, Iterable[int]] | None = None, simulate: bool = False, progress: Progress | None = None,
    function: str | None = None, device: str | None = None,
) -> OpenclPrediction:  # fmt: skip
    """Predict an OpenCL kernel on an FPGA board, and say what to do next.

    Parameters
    ----------
    file : a kernel in OpenCL C (.cl) or in TOML.
    design : optimisations: SM, MC, PM, VT, UL8:loop, SIMD4, CU2, joined by +; None = what the source asks for.
    settings : values of parameters of TOML, of arguments, of macros.
    function : the kernel of a source that has several; ``kernel`` says the same.
    global_size, local_size : work sizes of a source, one to three numbers.
    defines, include : macros and folders of headers of a source.
    device : a board, or a TOML file whose table ``board`` counts; ``board`` says the same.
    tune : follow the advisor until nothing more is worth doing.
    combinations : also look at all combinations, and tell how far the path is off.
    vary : predict for several values of parameters, all combinations.
    simulate : execute the kernel too, work item by work item.
    progress : called with work items or combinations, done and in all.

    Raises
    ------
    InputError
        If the file cannot be read, or a design is not one.
    """
    if (function and kernel) or (device and board):
        twice = "function and kernel" if function and kernel else "device and board"
        raise CallError(f"{twice} say the same: give one", where="opencl")
    given = KernelFile(
        file=str(file), design=None if design is None else parse_design(design), settings=settings or {},
        board=device or board,
        reader=ReaderOptions(
            kernel=function or kernel, sizes=tuple(global_size), groups=tuple(local_size), include=list(include),
            defines=dict(defines or {}),
        ),
    )  # fmt: skip
    return predicted(given, tune=tune, combinations=combinations, vary=vary, simulate=simulate, progress=progress)


def predicted(
    given: KernelFile, *, tune: bool, combinations: bool, vary: Mapping[str, Iterable[int]] | None, simulate: bool,
    progress: Progress | None,
) -> OpenclPrediction:  # fmt: skip
    """Predict a kernel's file (`opencl`); Ctrl-C keeps what was found."""
    axes = {name: list(values) for name, values in (vary or {}).items()}
    if (count := prod(map(len, axes.values()))) > MOST_POINTS:
        raise InputError(f"{count} points are too many (at most {MOST_POINTS})", where="--vary")
    read = given.read()
    chosen = given.design or read.design
    if combinations:
        all_designs(read.kernel)  # too many are refused before anything is worked out
    now = look(read.kernel, read.board, chosen)
    answer = OpenclAnswer(kernel=read.kernel, now=now, advice=advise(read.kernel, read.board, now))
    if simulate and not axes:
        answer.run = _executed(read, chosen, progress)
        answer.because = _because(read, now, answer.run.cycles)
    try:
        if tune or combinations:
            answer.path = [PathStep(step) for step in tuning_steps(read.kernel, read.board, now.design)]
            for step in answer.path if simulate else ():
                step.run = _executed(read, step.predicted.design, progress)
        if combinations:
            answer.best = best_design(read.kernel, read.board, now, progress=progress)
        if axes:
            answer.sweep = []
            for values in product(*axes.values()):
                at = dict(zip(axes, values, strict=True))
                answer.sweep.append(_point(given, at, progress if simulate else None, simulate=simulate))
    except KeyboardInterrupt:
        answer.interrupted = True
    return OpenclPrediction(answer=answer, file=given.file)


def _point(
    given: KernelFile, values: Mapping[str, int], progress: Progress | None, *, simulate: bool
) -> SweepPoint:  # fmt: skip
    read = given.read(values)
    now = look(read.kernel, read.board, given.design or read.design)
    executed = _executed(read, now.design, progress).cycles if simulate else None
    why = "" if executed is None else _because(read, now, executed)
    cycles, itpp = float(now.prediction.cycles), float(now.potentials.itpp)
    return SweepPoint(values=values, cycles=cycles, executed=executed, itpp=itpp, because=why)


def _because(read: OpenclFile, now: PredictedDesign, executed: int) -> str:
    return because(applied(read.kernel, now.design), read.board, float(now.prediction.cycles), executed)


def _executed(read: OpenclFile, design: Design, progress: Progress | None) -> OpenclRun:
    return execute(applied(read.kernel, design), read.board, progress=progress)
