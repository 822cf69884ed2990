"""Explorations of directives as a dictionary for JSON and as tables for the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.markup import escape

from ppnsim.hls.dse.design import Evaluated
from ppnsim.hls.dse.designs import Designs
from ppnsim.hls.dse.exhaustive import AllDesigns, front
from ppnsim.hls.dse.walk import Exploration
from ppnsim.report.text import plain_line, plain_table


def dse_result(
    designs: Designs, found: Exploration, every: AllDesigns | None = None, *, file: str, seconds: float = 0.0
) -> dict[str, Any]:
    """Return all of an exploration; ``every`` are all designs of the space, if they were tried.

    ``seconds`` are of the wall clock.
    """
    seen = [step.design for step in found.steps if step.design.fits]
    optimum = every.optimum if every is not None else None
    return {
        "file": file, "name": designs.program.name, "device": designs.library.device.name,
        "clock_ns": designs.library.clock_ns, "complete": found.complete and (every is None or every.complete),
        "seconds": round(seconds, 3), "known": designs.rows.found if designs.rows is not None else 0,
        "plain": _design(designs, found.plain), "final": _design(designs, found.final),
        "best": _design(designs, found.best), "gain": found.gain, "explored": found.explored, "space": designs.space,
        "cut": list(found.cut),
        "steps": [{"what": step.what, **_design(designs, step.design)} for step in found.steps],
        "front": [_design(designs, each) for each in front([*seen, *(every.designs if every is not None else ())])],
        "optimum": _design(designs, optimum) if optimum else None,
    }  # fmt: skip


def _design(designs: Designs, design: Evaluated) -> dict[str, Any]:
    return {
        "cycles": design.cycles, "area": dict(design.area), "area_share": design.share, "fits": design.fits,
        "directives": designs.words(design),
    }  # fmt: skip


def print_dse(console: Console, result: Mapping[str, Any]) -> None:
    """Print the gain, the walk, the front, the best design, and how far it is from the optimum if that is known."""
    best, plain = result["best"], result["plain"]
    known = f"   {result['known']} known before" if result["known"] else ""
    plain_line(
        console,
        f"{result['name']}   {plain['cycles']} -> {best['cycles']} cycles ({result['gain']:.4g} x)   area "
        f"{100 * best['area_share']:.1f} % of {result['device']}   {result['explored']} designs of "
        f"{_count(result['space'])}{known}   {result['seconds']:.1f} s{'' if result['complete'] else '   interrupted'}",
    )
    steps = plain_table("step", "cycles", "area", "", right=(1, 2))
    for step in result["steps"]:
        mark = "" if step["fits"] else "too large"
        steps.add_row(escape(step["what"]), str(step["cycles"]), _percent(step), mark)
    console.print(steps)
    fronts = plain_table("front", "cycles", "area", "loops", "arrays partitioned", right=(1, 2))
    for number, each in enumerate(result["front"], start=1):
        loops = "; ".join(words for words in each["directives"] if not words.startswith("array_partition"))
        said = [words.split("variable=", 1)[1] for words in each["directives"] if words.startswith("array_partition")]
        fronts.add_row(str(number), str(each["cycles"]), _percent(each), loops or "none", "; ".join(said))
    console.print(fronts)
    for words in best["directives"]:
        plain_line(console, f"best: {words}")
    for loop in result["cut"]:
        plain_line(console, f"loop {loop}: unrolling it by more makes too many statements to look at")
    _print_answer(console, result)


def _print_answer(console: Console, result: Mapping[str, Any]) -> None:
    best = result["best"]["cycles"]
    if result["complete"] and result["final"]["cycles"] != best:
        plain_line(console, f"Algorithm 1 ends at {result['final']['cycles']} cycles; an earlier step was better")
    if result["optimum"] is not None:
        optimum = result["optimum"]["cycles"]
        times = f"{best / max(optimum, 1):.3g} times that"
        said = f"Algorithm 1 found {times if best > optimum else 'it'}"
        plain_line(console, f"optimum of all designs that fit: {optimum} cycles; {said}")


def _count(number: int) -> str:
    return f"{number:.3g}" if 10**6 <= number < 10**300 else "over 1e300" if number > 10**6 else str(number)


def _percent(design: Mapping[str, Any]) -> str:
    return f"{100 * design['area_share']:.1f} %"
