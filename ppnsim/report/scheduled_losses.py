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
    """Return what to draw: a bar for each design, and one for each of its predictions."""
    bars = {}
    for design in result["designs"]:
        bars[design["design"]] = {part: design[part] for part in PARTS}
        for each in design.get("predictions", ()):
            bars[f"{design['design']}, {_named(each['sizes'])}"] = {part: each["predicted"][part] for part in PARTS}
    return bars


def print_scheduled_losses(console: Console, result: dict[str, Any]) -> None:
    """Print the split of each design, what costs most, and the formulas and predictions."""
    plain_line(console, f"{result['function']}   {result['device']} at {result['clock_ns']:g} ns")
    table = plain_table("design", "cycles", *PARTS, "useful share", right=tuple(range(1, len(PARTS) + 3)))
    for design in result["designs"]:
        share = f"{100 * design['useful'] / design['cycles']:.3g} %" if design["cycles"] else "-"
        table.add_row(escape(design["design"]), *(str(design[part]) for part in ("cycles", *PARTS)), share)
    console.print(table)
    best = min(result["designs"], key=lambda design: design["cycles"])
    part = max(PARTS[1:], key=lambda each: best[each])
    plain_line(console, f"'{best['design']}' takes fewest cycles; most of those it loses are {part} ({best[part]})")
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
        predicted = each["predicted"]
        cells = (str(predicted[part]) for part in ("cycles", *PARTS))
        table.add_row(escape(_named(each["sizes"])), *cells, str(each["scheduled"]["cycles"]))
    console.print(table)


def _named(sizes: dict[str, int]) -> str:
    return ", ".join(f"{name} {size}" for name, size in sizes.items())
