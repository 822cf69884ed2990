"""Useful and lost cycles of scheduled designs as tables and JSON, with the formulas learned."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.markup import escape

from ppnsim.analysis.lost_cycles import Split
from ppnsim.report.text import plain_line, plain_table

PARTS = ("useful", "initialisation", "memory", "control")


def split_result(split: Split) -> dict[str, int]:
    """Return a split as JSON.

    Examples
    --------
    >>> split_result(Split(useful=64, memory=32))
    {'cycles': 96, 'useful': 64, 'initialisation': 0, 'memory': 32, 'control': 0, 'lost': 32}
    """
    return {"cycles": split.total, **{part: getattr(split, part) for part in PARTS}, "lost": split.lost}


def bars_of(result: dict[str, Any]) -> dict[str, dict[str, int]]:
    """Return what to draw: the predictions if there are any, as small sizes would not be seen beside them."""
    predicted = {
        f"{design['design']}, {_named(each['sizes'])}": each["predicted"]
        for design in result["designs"]
        for each in design.get("predictions", ())
        if each["predicted"]
    }
    bars = predicted or {design["design"]: design for design in result["designs"]}
    return {name: {part: bar[part] for part in PARTS} for name, bar in bars.items()}


def print_scheduled_losses(console: Console, result: dict[str, Any]) -> None:
    """Print the split of each design, what costs most, and the formulas and predictions."""
    plain_line(console, f"{result['function']}   {result['device']} at {result['clock_ns']:g} ns")
    table = plain_table("design", "cycles", *PARTS, "useful share", right=tuple(range(1, len(PARTS) + 3)))
    for design in result["designs"]:
        share = f"{100 * design['useful'] / design['cycles']:.3g} %" if design["cycles"] else "-"
        table.add_row(escape(design["design"]), *(str(design[part]) for part in ("cycles", *PARTS)), share)
    console.print(table)
    if result["designs"]:
        best = min(result["designs"], key=lambda design: design["cycles"])
        part = max(PARTS[1:], key=lambda each: best[each])
        most = f"most of those it loses are {part} ({best[part]})" if best["lost"] else "it loses none"
        plain_line(console, f"'{best['design']}' takes fewest cycles; {most}")
    for design in result["designs"]:
        if "formulas" in design:
            _print_formulas(console, design)


def _print_formulas(console: Console, design: dict[str, Any]) -> None:
    plain_line(console, "")
    if design["formulas"] is None:
        words = "the tool decides otherwise for some sizes: choose with --sizes"
        plain_line(console, f"{design['design']}: {design['reason']}; {words}")
        return
    plain_line(
        console,
        f"{design['design']}: learned from {design['explored']} sizes, exact at {design['checked']} others",
    )
    table = plain_table("part", "cycles")
    for part, formula in design["formulas"].items():
        table.add_row(part, escape(formula))
    console.print(table)
    if not design["predictions"]:
        return
    table = plain_table("sizes", "predicted", *PARTS, "scheduled", right=tuple(range(1, len(PARTS) + 3)))
    for each in design["predictions"]:
        predicted = each["predicted"] or dict.fromkeys(("cycles", *PARTS), "-")
        cells = (str(predicted[part]) for part in ("cycles", *PARTS))
        table.add_row(escape(_named(each["sizes"])), *cells, str(each["scheduled"]["cycles"]))
    console.print(table)
    for each in design["predictions"]:
        if words := _missed(each):
            plain_line(console, f"{_named(each['sizes'])}: {words}")


def _missed(prediction: dict[str, Any]) -> str:
    """Return where a prediction is not what the schedule says, and what to do about it."""
    predicted, scheduled = prediction["predicted"], prediction["scheduled"]
    if predicted is None:
        return str(prediction["reason"])
    parts = [f"{part} is {scheduled[part]}" for part in PARTS if scheduled[part] != predicted[part]]
    cure = "the tool decides otherwise than for the sizes learned from: choose like ones with --sizes"
    return f"{' and '.join(parts)} in the schedule; {cure}" if parts else ""


def _named(sizes: dict[str, int]) -> str:
    return ", ".join(f"{name} {size}" for name, size in sizes.items())
