"""Explorations of directives as a dictionary for JSON and as tables for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape

from ppnsim.explore.hls_designs import Designs, Evaluated
from ppnsim.explore.hls_dse import Exploration, front
from ppnsim.hls.partitions import Partition
from ppnsim.report.text import plain_line, plain_table


def dse_result(
    designs: Designs, found: Exploration, *, file: str, every: Sequence[Evaluated] = (), seconds: float = 0.0
) -> dict[str, Any]:
    """Return all of an exploration; ``every`` are all designs of the space that fit, if they were tried.

    ``seconds`` are of the wall clock.
    """
    seen = [step.design for step in found.steps if step.design.fits]
    optimum = min(every, key=lambda each: (each.cycles, each.share), default=None)
    return {
        "file": file, "name": designs.program.name, "device": designs.library.device.name,
        "clock_ns": designs.library.clock_ns, "complete": found.complete, "seconds": round(seconds, 3),
        "plain": _design(designs, found.plain), "final": _design(designs, found.final),
        "best": _design(designs, found.best), "gain": found.gain, "explored": found.explored, "space": found.space,
        "steps": [{"what": step.what, **_design(designs, step.design)} for step in found.steps],
        "front": [_design(designs, each) for each in front([*seen, *every])],
        "optimum": _design(designs, optimum) if optimum else None,
    }  # fmt: skip


def _design(designs: Designs, design: Evaluated) -> dict[str, Any]:
    return {
        "cycles": design.cycles, "area": dict(design.area), "area_share": design.share, "fits": design.fits,
        "directives": [
            *(f"{key[1]}: {_level(designs, design, key)}" for key in designs.loops if design.levels.get(key)),
            *(words for name, each in design.partitions.items() for words in _partition(name, each)),
        ],
    }  # fmt: skip


def _level(designs: Designs, design: Evaluated, key: tuple[str, int]) -> str:
    level = design.levels[key]
    if designs.complete(key, design.levels):
        return "unroll"
    return "pipeline" if level == 1 else f"pipeline, unroll factor={level}"


def _partition(name: str, partition: Partition) -> list[str]:
    return [
        f"array_partition variable={name} {each.kind}"
        + (f" factor={each.factor}" if each.kind != "complete" else "") + f" dim={each.dim}"
        for each in (partition, *partition.more)
    ]  # fmt: skip


def print_dse(console: Console, result: dict[str, Any]) -> None:
    """Print the gain, the walk, the directives of the best design, and how far it is from the optimum if known."""
    best, plain = result["best"], result["plain"]
    plain_line(
        console,
        f"{result['name']}   {plain['cycles']} -> {best['cycles']} cycles ({result['gain']:.4g} x)   area "
        f"{100 * best['area_share']:.1f} % of {result['device']}   {result['explored']} designs of "
        f"{result['space']:g}   {result['seconds']:.1f} s{'' if result['complete'] else '   interrupted'}",
    )
    table = plain_table("step", "cycles", "area", "", right=(1, 2))
    for step in result["steps"]:
        mark = "" if step["fits"] else "too large"
        table.add_row(escape(step["what"]), str(step["cycles"]), f"{100 * step['area_share']:.1f} %", mark)
    console.print(table)
    for words in best["directives"]:
        plain_line(console, f"best: {words}")
    if result["final"]["cycles"] != best["cycles"]:
        plain_line(console, f"Algorithm 1 ends at {result['final']['cycles']} cycles; an earlier step was better")
    if result["optimum"] is not None:
        ratio = best["cycles"] / max(result["optimum"]["cycles"], 1)
        words = f"optimum of all designs that fit: {result['optimum']['cycles']} cycles"
        plain_line(console, f"{words}; Algorithm 1 found {ratio:.3g} times that")
