"""An explored design space, for the terminal and as JSON: statements, walk, front, and the options of each point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.markup import escape

from ppnsim.derive.designs.exhaustive import Exhaustive
from ppnsim.derive.designs.space import DesignSpace, Point
from ppnsim.derive.designs.walk import DesignWalk
from ppnsim.report.text import plain_line, plain_table, some_of

_SHOWN_OPTIONS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class ExploredSpace:
    """An exploration as far as it came; ``exhaustive`` is None unless all designs were asked for."""

    walk: DesignWalk
    exhaustive: Exhaustive | None
    seconds: float
    interrupted: bool = False

    @property
    def whole(self) -> Exhaustive | None:
        """All designs, None unless all were looked at."""
        every = self.exhaustive
        return every if every is not None and every.looked_at >= every.designs else None


def design_space_result(explored: ExploredSpace) -> dict[str, Any]:
    """Return the exploration as a dictionary for JSON; ``exhaustive`` is null unless all designs were looked at."""
    walk = explored.walk
    space = walk.space
    steps = [_point(space, point) for point in walk.steps]
    for before, now, row in zip(walk.steps, walk.steps[1:], steps[1:], strict=False):
        row["changed"] = [_change(space, k, now) for k in _changed(before, now)]
    best = min(walk.steps, key=lambda each: each.finish)
    return {
        "file": space.program.file,
        "function": space.program.name,
        "statements": [
            {
                "name": each.name,
                "executions": each.executions,
                "self_dependences": list(each.self_dependences),
                "default": each.default,
                "tried": not each.reason,
                "reason": each.reason or None,
            }
            for each in space.statements
        ],
        "absolute": _point(space, space.start),
        "unbounded": _figures(space, space.unbounded),
        "bound": _figures(space, space.bound),
        "by_rule": [{"rule": name, **_point(space, point)} for name, point in walk.by_rule.items()],
        "steps": steps,
        "stopped": walk.stopped or None,
        "target": walk.target and {"cycles": walk.target, "reached": best.finish <= walk.target},
        "front": [_point(space, point) for point in space.front()],
        "points": [[point.processes, point.finish] for _, point in sorted(space.best.items())],
        "evaluated": space.evaluated,
        "exhaustive": _exhaustive(explored),
        "interrupted": explored.interrupted,
        "seconds": explored.seconds,
    }


def print_design_space(console: Console, explored: ExploredSpace) -> None:
    """Print what the walk reached, why statements were left alone, the steps, the front, and how to make the best."""
    walk = explored.walk
    space = walk.space
    found = min(walk.steps, key=lambda point: (point.finish, point.processes))
    reached = f"{space.start.finish} -> {found.finish} cycles with {found.processes} processes"
    effort = f"{space.evaluated} designs in {explored.seconds:.2f} s"
    name = f"{space.program.name}   {space.program.file}"
    plain_line(console, f"{name}   {reached}   unbounded {space.unbounded.finish}   {effort}")
    _print_statements(console, space)
    table = plain_table(
        "walk", "processes", "finish", "parallelism mean", "max", "speed-up", "above unbounded", "changed",
        right=(0, 1, 2, 3, 4, 5, 6),
    )  # fmt: skip
    for number, point in enumerate(walk.steps):
        changed = _changed(walk.steps[number - 1], point) if number else []
        table.add_row(str(number), *_cells(space, point), "; ".join(_words(space, k, point) for k in changed))
    for rule, point in walk.by_rule.items():
        table.add_row("", *_cells(space, point), escape(rule))
    table.add_row("", *_cells(space, space.unbounded, "-"), "unbounded: a process for each execution")
    console.print(table)
    table = plain_table("front", "processes", "finish", "options", right=(1, 2))
    for point in some_of(space.front()):
        table.add_row("", str(point.processes), str(point.finish), escape(_options(space, point)))
    console.print(table)
    bound = space.bound.finish
    if bound > space.unbounded.finish:
        stay = "while the statements that are not tried stay as they are"
        plain_line(console, f"{stay}, no design is below {bound} cycles")
    _print_end(console, explored)


def _print_statements(console: Console, space: DesignSpace) -> None:
    table = plain_table("statement", "executions", "reads its own", "self-dependence rule", "", right=(1,))
    for each in space.statements:
        own = "; ".join(each.self_dependences) or "-"
        why = f"not tried: {each.reason}" if each.reason else "tried"
        table.add_row(escape(each.name), str(each.executions), escape(own), each.default, escape(why))
    console.print(table)


def _print_end(console: Console, explored: ExploredSpace) -> None:
    walk = explored.walk
    if walk.target and min(point.finish for point in walk.steps) > walk.target:
        can = "no design reaches it" if walk.target < walk.space.bound.finish else "none that was tried reaches it"
        plain_line(console, f"target of {walk.target} cycles: {can}")
    if explored.whole is not None:
        worst = explored.whole.worst(walk.steps)
        behind = "nowhere behind the best of them"
        if worst.share > 0:
            figures = f"{worst.point.finish} cycles with {worst.point.processes} processes"
            best = f"{worst.best.finish} with {worst.best.processes}"
            behind = f"at most {100 * worst.share:.3g} % behind the best of them ({figures}, {best})"
        plain_line(console, f"all {explored.whole.designs} designs looked at: the walk is {behind}")
    if explored.interrupted:
        plain_line(console, "interrupted: these are the designs found until then")
    elif walk.stopped:
        plain_line(console, f"the walk ends: {walk.stopped}")


def _figures(space: DesignSpace, point: Point) -> dict[str, Any]:
    return {
        "processes": point.processes,
        "finish": point.finish,
        "parallelism": {"average": space.graph.busy / point.finish if point.finish else 0.0, "maximum": None},
        "speed_up": space.start.finish / point.finish if point.finish else 1.0,
        "above_unbounded": point.finish - space.unbounded.finish,
    }


def _point(space: DesignSpace, point: Point) -> dict[str, Any]:
    figures = _figures(space, point)
    figures["parallelism"]["maximum"] = space.maximum(point)
    changes = [_change(space, k, point) for k, choice in enumerate(point.design) if choice]
    return {**figures, "splits": changes, "options": space.options(point)}


def _change(space: DesignSpace, k: int, point: Point) -> dict[str, Any]:
    splits = [{"method": each.method, "loop": each.iterator, "factor": each.factor} for each in point.design[k]]
    return {"statement": space.statements[k].name, "splits": splits}


def _exhaustive(explored: ExploredSpace) -> dict[str, Any] | None:
    if explored.whole is None:
        return None
    worst = explored.whole.worst(explored.walk.steps)
    return {
        "designs": explored.whole.designs,
        "share": worst.share,
        "processes": worst.point.processes,
        "finish": worst.point.finish,
        "best_processes": worst.best.processes,
        "best_finish": worst.best.finish,
    }


def _changed(before: Point, now: Point) -> list[int]:
    """Return the numbers of the statements that two designs split differently."""
    return [k for k in range(len(now.design)) if now.design[k] != before.design[k]]


def _cells(space: DesignSpace, point: Point, most: str = "") -> list[str]:
    figures = _figures(space, point)
    return [
        str(point.processes), str(point.finish), f"{figures['parallelism']['average']:.2f}",
        most or str(space.maximum(point)), f"{figures['speed_up']:.2f}", str(figures["above_unbounded"]),
    ]  # fmt: skip


def _words(space: DesignSpace, k: int, point: Point) -> str:
    return escape(f"{space.statements[k].name}: {', '.join(map(str, point.design[k])) or 'one process again'}")


def _options(space: DesignSpace, point: Point) -> str:
    words = space.options(point)
    pairs = [f"{option} {value}" for option, value in zip(words[::2], words[1::2], strict=True)]
    more = len(pairs) - _SHOWN_OPTIONS
    return " ".join(pairs[:_SHOWN_OPTIONS]) + (f" and {more} more, see --json" if more > 0 else "")
