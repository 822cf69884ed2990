"""Reports of an exploration of directives, for JSON and as tables for the terminal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.markup import escape

from ppnsim.hls.dse.designs import Designs
from ppnsim.hls.dse.exhaustive import AllDesigns, front
from ppnsim.hls.dse.loops import Evaluated
from ppnsim.hls.dse.walk import SLOWER, Exploration
from ppnsim.report.text import plain_line, plain_table


@dataclass(frozen=True, slots=True, kw_only=True)
class Explored:
    """The space of designs, the walk through it, and ``every`` design of the space if all were tried."""

    designs: Designs
    walk: Exploration
    every: AllDesigns | None = None

    @property
    def complete(self) -> bool:
        """Whether the exploration was not interrupted."""
        return self.walk.complete and (self.every is None or self.every.complete)

    @property
    def known(self) -> int:
        """The number of designs that were in the file already."""
        return self.designs.rows.found if self.designs.rows is not None else 0

    @property
    def front(self) -> list[Evaluated]:
        """The front between cycles and area, of all designs that fit."""
        seen = [step.design for step in self.walk.steps if step.design.fits]
        return front([*seen, *(self.every.designs if self.every is not None else ())])

    @property
    def optimum(self) -> Evaluated | None:
        """The best design of the space, None if not all designs were tried."""
        return self.every.optimum if self.every is not None else None


def dse_result(found: Explored, *, file: str, seconds: float = 0.0) -> dict[str, Any]:
    """Return an exploration for JSON; ``seconds`` are of the wall clock."""
    designs, walk = found.designs, found.walk
    return {
        "file": file, "name": designs.program.name, "device": designs.library.device.name,
        "clock_ns": designs.library.clock_ns, "complete": found.complete,
        "seconds": round(seconds, 3), "known": found.known,
        "plain": _design(designs, walk.plain), "final": _design(designs, walk.final),
        "best": _design(designs, walk.best), "gain": walk.gain, "explored": walk.explored, "space": designs.space,
        "cut": list(walk.cut), "stopped": list(walk.stopped),
        "steps": [{"what": step.what, **_design(designs, step.design)} for step in walk.steps],
        "front": [_design(designs, each) for each in found.front],
        "optimum": _design(designs, found.optimum) if found.optimum else None,
    }  # fmt: skip


def _design(designs: Designs, design: Evaluated) -> dict[str, Any]:
    return {
        "cycles": design.cycles, "area": dict(design.area), "area_share": design.share, "fits": design.fits,
        "directives": designs.words(design),
    }  # fmt: skip


def print_dse(console: Console, found: Explored, *, seconds: float) -> None:
    """Print the gain, the walk, the front, the best design, and its distance to the optimum if that is known."""
    designs, walk = found.designs, found.walk
    known = f"   {found.known} known before" if found.known else ""
    plain_line(
        console,
        f"{designs.program.name}   {walk.plain.cycles} -> {walk.best.cycles} cycles ({walk.gain:.4g} x)   area "
        f"{_percent(walk.best)} of {designs.library.device.name}   {walk.explored} designs of "
        f"{_count(designs.space)}{known}   {seconds:.1f} s{'' if found.complete else '   interrupted'}",
    )
    steps = plain_table("step", "cycles", "area", "", right=(1, 2))
    for step in walk.steps:
        mark = "" if step.design.fits else "too large"
        steps.add_row(escape(step.what), str(step.design.cycles), _percent(step.design), mark)
    console.print(steps)
    fronts = plain_table("front", "cycles", "area", "loops", "arrays partitioned", right=(1, 2))
    for number, each in enumerate(found.front, start=1):
        loops, arrays = ("; ".join(words) for words in (designs.loop_words(each), designs.array_words(each)))
        fronts.add_row(str(number), str(each.cycles), _percent(each), loops or "none", arrays)
    console.print(fronts)
    for text in designs.words(walk.best):
        plain_line(console, f"best: {text}")
    for loop in walk.stopped:
        plain_line(console, f"loop {loop}: larger factors are not tried, since {SLOWER} in a row were slower")
    for loop in walk.cut:
        plain_line(console, f"loop {loop}: unrolling it further makes too many statements to look at")
    _print_answer(console, found)


def _print_answer(console: Console, found: Explored) -> None:
    best, final = found.walk.best.cycles, found.walk.final.cycles
    if found.complete and final != best:
        plain_line(console, f"Algorithm 1 ends at {final} cycles; an earlier step was better")
    if found.optimum is not None:
        optimum = found.optimum.cycles
        times = f"{best / max(optimum, 1):.3g} times that"
        said = f"Algorithm 1 found {times if best > optimum else 'it'}"
        plain_line(console, f"optimum of all designs that fit: {optimum} cycles; {said}")


def _count(number: int) -> str:
    return f"{number:.3g}" if 10**6 <= number < 10**300 else "over 1e300" if number > 10**6 else str(number)


def _percent(design: Evaluated) -> str:
    return f"{100 * design.share:.1f} %"
