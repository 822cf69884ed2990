"""Reports of useful and lost cycles of a kernel's designs, with predictions for other sizes, as tables and JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console
from rich.markup import escape

from ppnsim.analysis.lost_cycles import CycleSplit
from ppnsim.hls.lost.designs import POWERS, LoopDesign, is_power
from ppnsim.hls.lost.model import PARTS, LostCycleModel
from ppnsim.report.text import plain_line, plain_table


@dataclass(frozen=True, slots=True, kw_only=True)
class SizePrediction:
    """The predicted split for some sizes, None for a ``reason``, beside the split of the schedule."""

    sizes: Mapping[str, int]
    predicted: CycleSplit | None
    scheduled: CycleSplit
    reason: str = ""


@dataclass(slots=True, kw_only=True)
class DesignLosses:
    """The split of a design; then its formulas, or the ``reason`` why none was found, and predictions.

    Without formulas and without a reason nothing has been learned.
    """

    design: LoopDesign
    split: CycleSplit
    model: LostCycleModel | None = None
    reason: str = ""
    predictions: list[SizePrediction] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class KernelLosses:
    """The designs of a kernel on a device at a clock, as far as they were looked at."""

    function: str
    device: str
    clock_ns: float
    designs: list[DesignLosses] = field(default_factory=list)
    interrupted: bool = False


def split_result(split: CycleSplit) -> dict[str, int]:
    """Return a split as JSON.

    Examples
    --------
    >>> split_result(CycleSplit(useful=64, memory=32))
    {'cycles': 96, 'useful': 64, 'initialisation': 0, 'memory': 32, 'control': 0, 'lost': 32}
    """
    return {"cycles": split.total, **_parts(split), "lost": split.lost}


def losses_result(losses: KernelLosses, *, file: str) -> dict[str, Any]:
    """Return the designs of a kernel for JSON."""
    return {
        "file": file, "function": losses.function, "device": losses.device, "clock_ns": losses.clock_ns,
        "designs": [_design(each) for each in losses.designs],
    }  # fmt: skip


def _design(losses: DesignLosses) -> dict[str, Any]:
    found = {"design": str(losses.design), **split_result(losses.split)}
    if losses.model is not None:
        formulas = {part: str(formula) for part, formula in losses.model.formulas.items()}
        found |= {"formulas": formulas, "explored": losses.model.explored, "checked": losses.model.checked}
    elif losses.reason:
        found |= {"formulas": None, "reason": losses.reason}
    else:
        return found
    predictions = [
        {"sizes": dict(each.sizes), "predicted": split_result(each.predicted) if each.predicted else None,
         **({"reason": each.reason} if each.reason else {}), "scheduled": split_result(each.scheduled)}
        for each in losses.predictions
    ]  # fmt: skip
    return found | {"predictions": predictions}


def bars_of(losses: KernelLosses) -> dict[str, dict[str, int]]:
    """Return the bars to draw: the predictions if there are any, because small sizes are invisible beside them."""
    predicted = {
        f"{design.design}, {_named(each.sizes)}": _parts(each.predicted)
        for design in losses.designs
        for each in design.predictions
        if each.predicted
    }
    return predicted or {str(each.design): _parts(each.split) for each in losses.designs}


def prediction_rows(losses: KernelLosses) -> list[dict[str, Any]]:
    """Return a row for each predicted design and size: cycles of the formulas, of the schedule, the difference.

    ``because`` names the part that the formulas miss most, or the reason why they give no number.
    """
    rows = []
    for design in losses.designs:
        for each in design.predictions:
            scheduled = _parts(each.scheduled)
            row: dict[str, Any] = {"design": str(design.design), **each.sizes, "predicted": None}
            row |= {"simulated": each.scheduled.total, "difference": None, "because": each.reason}
            if each.predicted is not None:
                missed = {part: scheduled[part] - cycles for part, cycles in _parts(each.predicted).items()}
                most = max(missed, key=lambda part: abs(missed[part]))
                row |= {"predicted": each.predicted.total, "difference": each.scheduled.total - each.predicted.total}
                row |= {"because": f"{most}: {missed[most]:+} cycles"} if missed[most] else {}
            rows.append(row)
    return rows


def print_scheduled_losses(console: Console, losses: KernelLosses) -> None:
    """Print the split of each design, its largest loss, and the formulas and predictions."""
    plain_line(console, f"{losses.function}   {losses.device} at {losses.clock_ns:g} ns")
    table = plain_table("design", "cycles", *PARTS, "useful share", right=tuple(range(1, len(PARTS) + 3)))
    for each in losses.designs:
        cycles = each.split.total
        share = f"{100 * each.split.useful / cycles:.3g} %" if cycles else "-"
        table.add_row(escape(str(each.design)), *_cells(each.split), share)
    console.print(table)
    if losses.designs:
        best = min(losses.designs, key=lambda each: each.split.total)
        part, cycles = max(list(_parts(best.split).items())[1:], key=lambda each: each[1])
        most = f"most of its lost cycles are {part} ({cycles})" if best.split.lost else "it loses none"
        plain_line(console, f"'{best.design}' takes the fewest cycles; {most}")
    for each in losses.designs:
        if each.model is not None:
            plain_line(console, "")
            _print_formulas(console, each, each.model)
        elif each.reason:
            plain_line(console, "")
            words = "the tool decides otherwise for some sizes: choose others with --sizes"
            plain_line(console, f"{each.design}: {each.reason}; {words}")


def _print_formulas(console: Console, losses: DesignLosses, model: LostCycleModel) -> None:
    plain_line(console, f"{losses.design}: learned from {model.explored} sizes, exact at {model.checked} others")
    table = plain_table("part", "cycles")
    for part, formula in model.formulas.items():
        table.add_row(part, escape(str(formula)))
    console.print(table)
    if not losses.predictions:
        return
    table = plain_table("sizes", "predicted", *PARTS, "scheduled", right=tuple(range(1, len(PARTS) + 3)))
    for each in losses.predictions:
        cells = _cells(each.predicted) if each.predicted else ["-"] * (1 + len(PARTS))
        table.add_row(escape(_named(each.sizes)), *cells, str(each.scheduled.total))
    console.print(table)
    for each in losses.predictions:
        if words := _missed(each):
            plain_line(console, f"{_named(each.sizes)}: {words}")


def _missed(found: SizePrediction) -> str:
    """Return where a prediction differs from the schedule, and the remedy."""
    if found.predicted is None:
        return found.reason
    scheduled, predicted = _parts(found.scheduled), _parts(found.predicted)
    parts = [f"{part} is {scheduled[part]}" for part in PARTS if scheduled[part] != predicted[part]]
    cure = "the tool decides otherwise than at the sizes learned from: give similar sizes with --sizes"
    if powers := sorted({str(size) for size in found.sizes.values() if is_power(size)}):
        of_two = f"{powers[0]} is a power of two" if len(powers) == 1 else f"{' and '.join(powers)} are powers of two"
        cure = f"{of_two}, whose addresses are cheaper: learn at such sizes with --sizes {','.join(map(str, POWERS))}"
    return f"{' and '.join(parts)} in the schedule; {cure}" if parts else ""


def _parts(split: CycleSplit) -> dict[str, int]:
    return {part: getattr(split, part) for part in PARTS}


def _cells(split: CycleSplit) -> list[str]:
    return [str(split.total), *map(str, _parts(split).values())]


def _named(sizes: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {size}" for name, size in sizes.items())
