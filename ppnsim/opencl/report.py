"""What is known of an OpenCL kernel: predicted, advised, tuned, swept, executed; as tables and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.markup import escape

from ppnsim.opencl.kernel import Count, Kernel
from ppnsim.opencl.laws import NAMES, RESOURCES
from ppnsim.opencl.run import OpenclRun
from ppnsim.opencl.tune import BestDesign, PredictedDesign
from ppnsim.report.text import plain_line, plain_table
from ppnsim.units import duration


@dataclass(slots=True)
class PathStep:
    """A step of the tuning path, and its execution if that was asked for."""

    predicted: PredictedDesign
    run: OpenclRun | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepPoint:
    """The kernel at a value of each swept parameter: cycles predicted, and executed if that was asked for; B_itpp.

    ``because`` says why the two differ, "" where they agree.
    """

    values: Mapping[str, int]
    cycles: float
    executed: int | None
    itpp: float
    because: str = ""

    @property
    def difference(self) -> float | None:
        """Cycles executed minus cycles predicted, None if it was not executed."""
        return None if self.executed is None else self.executed - self.cycles


@dataclass(slots=True, kw_only=True)
class OpenclAnswer:
    """What is known of a kernel; what was not asked for is None.

    Attributes
    ----------
    now, advice : its design as it is, and the next one that is worth doing.
    run, because : of the design as it is, and why it differs from the prediction, "" if they agree.
    path, best, sweep : steps of the tuning path, the best of all combinations, points of a sweep.
    interrupted : Ctrl-C ended the tuning path or the sweep.
    """

    kernel: Kernel
    now: PredictedDesign
    advice: PredictedDesign | None
    run: OpenclRun | None = None
    because: str = ""
    path: list[PathStep] | None = None
    best: BestDesign | None = None
    sweep: list[SweepPoint] | None = None
    interrupted: bool = False


def opencl_result(answer: OpenclAnswer, file: str) -> dict[str, Any]:
    """Return an answer as the dictionary that ``--json`` writes."""
    path = None if answer.path is None else [
        {**predicted_result(step.predicted), "simulated": _run_result(step.run)} for step in answer.path
    ]  # fmt: skip
    sweep = None if answer.sweep is None else [
        {"value": _value(point), "cycles": point.cycles, "itpp": point.itpp, "simulated": point.executed,
         "difference": point.difference, "because": point.because}
        for point in answer.sweep
    ]  # fmt: skip
    best = None if answer.best is None else {
        "looked_at": answer.best.looked_at, "fit": answer.best.fitting, "best": predicted_result(answer.best.best),
        "path_behind": _path_behind(answer),
    }  # fmt: skip
    return {
        "file": file, "name": answer.kernel.name, "work_items": answer.kernel.work_items,
        **predicted_result(answer.now), "simulated": _run_result(answer.run),
        "difference": None if answer.run is None else answer.run.cycles - float(answer.now.prediction.cycles),
        "because": answer.because,
        "advice": None if answer.advice is None else predicted_result(answer.advice),
        "tuning": path, "combinations": best, "sweep": sweep, "interrupted": answer.interrupted,
    }  # fmt: skip


def predicted_result(predicted: PredictedDesign) -> dict[str, Any]:
    """Return what is predicted of a design as it is in JSON.

    Examples
    --------
    >>> from ppnsim.opencl.files.board import opencl_board
    >>> from ppnsim.opencl.tune import look
    >>> from ppnsim.opencl.kernel import Block, BlockStep, Kernel
    >>> from ppnsim.opencl.design import Design
    >>> block = Block(name="b", steps=(BlockStep(name="l", op="load", bytes=4, along=("items",)),))
    >>> kernel = Kernel(name="f", work_items=1000, body=(block,))
    >>> result = predicted_result(look(kernel, opencl_board(), Design()))
    >>> result["design"], result["cycles"], result["blocks"][0]["bound_by"]
    ('baseline', 1000.0, 'computation')
    """
    prediction = predicted.prediction
    return {
        "design": str(predicted.design), "cycles": float(prediction.cycles), "seconds": float(prediction.seconds),
        "frequency_mhz": float(prediction.frequency), "fits": prediction.fits,
        "utilisation": {name: float(used) for name, used in zip(RESOURCES, prediction.utilisation, strict=True)},
        "potentials": {name: float(value) for name, value in predicted.potentials.by_name().items()},
        "blocks": [
            {
                "name": block.name, "trip": _number(block.trip), "around": _number(block.around),
                "critical_path": block.cycle, "cycles": float(block.cycles), "computation": float(block.computation),
                "memory": float(block.memory), "transactions": float(block.transactions), "bound_by": block.bound_by,
            }
            for block in prediction.blocks.values()
        ],
        "why": predicted.why,
    }  # fmt: skip


def print_prediction(console: Console, answer: OpenclAnswer) -> None:
    """Print the answer, the blocks, the potentials, and what to do next."""
    now, prediction = answer.now, answer.now.prediction
    predicted = f"{float(prediction.cycles):,.0f} cycles ({_time(now)} at {float(prediction.frequency):.0f} MHz)"
    room = "" if now.fits else "   does not fit"
    plain_line(console, f"{answer.kernel.name}   {now.design}   predicted {predicted}{room}")
    table = plain_table("block", "trips", "critical path", "computation", "memory", "bound by", right=(1, 2, 3, 4))
    for block in prediction.blocks.values():
        around, trip = _shown(block.around), _shown(block.trip)
        passes = [float(each) * _number(block.around) for each in (block.computation, block.memory)]
        table.add_row(
            escape(block.name), f"{around} x {trip}" if block.around > 1 else trip, str(block.cycle),
            *(f"{cycles:,.0f}" for cycles in passes), block.bound_by,
        )  # fmt: skip
    console.print(table)
    left = now.potentials.by_name().items()
    plain_line(console, "potentials: " + ", ".join(f"{name} {float(value):.2f}" for name, value in left))
    used = zip(RESOURCES, prediction.utilisation, strict=True)
    plain_line(console, "device: " + ", ".join(f"{name} {100 * float(share):.0f} %" for name, share in used))
    if answer.run is not None:
        ratio = _ratio(answer.run.cycles, float(prediction.cycles))
        plain_line(console, f"executed: {answer.run.cycles:,} cycles, {ratio} of the prediction")
        if answer.because:
            plain_line(console, f"  because: {answer.because}")
    if answer.advice is None:
        plain_line(console, "nothing that fits is worth doing next")
    else:
        plain_line(console, f"next: {answer.advice.design} ({answer.advice.why}), {_time(answer.advice)}")


def print_path(console: Console, name: str, path: Sequence[PathStep]) -> None:
    """Print the tuning path: potentials, speed-up, cycles executed if there are any, and why each step was taken."""
    executed = path[0].run is not None
    heads = ("time", "speed-up", *(("cycles", "executed") if executed else ()))
    table = plain_table("step", "design", *NAMES, *heads, right=(0, *range(2, 6 + len(heads))))
    for number, step in enumerate(path):
        now = step.predicted
        potentials = (f"{float(left):.2f}" for left in now.potentials.by_name().values())
        faster = f"{float(path[0].predicted.seconds) / float(now.seconds):.4g}x"
        cycles = (f"{float(now.prediction.cycles):,.0f}", f"{step.run.cycles:,}") if step.run is not None else ()
        table.add_row(str(number), escape(str(now.design)), *potentials, _time(now), faster, *cycles)
    plain_line(console, f"tuning path of {name}")
    console.print(table)
    for number, step in enumerate(path[1:], start=1):
        plain_line(console, f"step {number}: {step.predicted.why}")


def print_best(console: Console, answer: OpenclAnswer) -> None:
    """Print the best of all combinations."""
    if (found := answer.best) is not None:
        fastest = f"the fastest is {found.best.design}, {_time(found.best)}"
        behind = f"the path ends {100 * _path_behind(answer):.3g} % above it"
        plain_line(console, f"of {found.looked_at:,} combinations {found.fitting:,} fit; {fastest}; {behind}")


def print_sweep(console: Console, points: Sequence[SweepPoint]) -> None:
    """Print a sweep: predicted and simulated cycles side by side."""
    beside = any(point.executed is not None for point in points)
    heads = [*map(escape, points[0].values), "predicted", *(("simulated", "difference") if beside else ()), "B_itpp"]
    table = plain_table(*heads, right=tuple(range(len(heads))))
    for point in points:
        cells = [*map(str, point.values.values()), f"{point.cycles:,.0f}"]
        if beside:
            cells += [f"{point.executed:,}", f"{point.difference:+,.0f}"]
        table.add_row(*cells, f"{point.itpp:.2f}")
    console.print(table)
    for point in points:
        if point.because:
            at = ", ".join(f"{name} = {value}" for name, value in point.values.items())
            plain_line(console, f"{at}, because: {point.because}")


def _value(point: SweepPoint) -> int | dict[str, int]:
    """Return a point for JSON: the value of the one parameter that varies, or those of several by name."""
    return next(iter(point.values.values())) if len(point.values) == 1 else dict(point.values)


def _run_result(run: OpenclRun | None) -> dict[str, Any] | None:
    if run is None:
        return None
    return {"cycles": run.cycles, "transactions": run.transactions, "banks": run.busy, "executions": run.executions}


def _path_behind(answer: OpenclAnswer) -> float:
    """Return by which share the end of the path is slower than the best of all combinations."""
    if not answer.path or answer.best is None:
        return 0.0
    return float(answer.path[-1].predicted.seconds) / float(answer.best.best.seconds) - 1


def _number(count: Count) -> float:
    """Return a trip count as JSON has it: whole if it is."""
    return count if isinstance(count, int) else float(count)


def _shown(count: Count) -> str:
    return str(count) if isinstance(count, int) else f"{float(count):.4g}"


def _ratio(ours: float, predicted: float) -> str:
    return f"{ours / predicted:.3f}" if predicted else "-"


def _time(predicted: PredictedDesign) -> str:
    return duration(float(f"{float(predicted.seconds) * 1e9:.4g}"))
