"""An explored design space, for the terminal and as JSON: statements, walk, front, and the options of each point."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.markup import escape

from ppnsim.derive.designs.exhaustive import Exhaustive
from ppnsim.derive.designs.space import DesignSpace, Point
from ppnsim.derive.designs.walk import DesignWalk
from ppnsim.report.text import plain_line, plain_table, some_of

_SHOWN_OPTIONS = 6


def design_space_result(
    walk: DesignWalk, exhaustive: Exhaustive | None, *, seconds: float, interrupted: bool = False
) -> dict[str, Any]:
    """Return the exploration as a dictionary; ``exhaustive`` is null unless all designs were looked at."""
    space = walk.space
    steps = [_point(space, point) for point in walk.steps]
    for before, now, row in zip(walk.steps, walk.steps[1:], steps[1:], strict=False):
        row["changed"] = [_change(space, k, now) for k in range(len(now.design)) if now.design[k] != before.design[k]]
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
        "exhaustive": _exhaustive(exhaustive, walk),
        "interrupted": interrupted,
        "seconds": seconds,
    }


def print_design_space(console: Console, result: dict[str, Any]) -> None:
    """Print what the walk reached, why statements were left alone, the steps, the front, and how to make the best."""
    absolute, unbounded, bound = (result[name]["finish"] for name in ("absolute", "unbounded", "bound"))
    found = min(result["steps"], key=lambda row: (row["finish"], row["processes"]))
    plain_line(
        console,
        f"{result['function']}   {result['file']}   {absolute} -> {found['finish']} cycles with {found['processes']} "
        f"processes   unbounded {unbounded}   {result['evaluated']} designs in {result['seconds']:.2f} s",
    )
    _print_statements(console, result)
    table = plain_table(
        "walk", "processes", "finish", "parallelism mean", "max", "speed-up", "above unbounded", "changed",
        right=(0, 1, 2, 3, 4, 5, 6),
    )  # fmt: skip
    for number, row in enumerate(result["steps"]):
        table.add_row(str(number), *_cells(row), "; ".join(_words(each) for each in row.get("changed", ())))
    for row in result["by_rule"]:
        table.add_row("", *_cells(row), escape(row["rule"]))
    table.add_row("", *_cells(result["unbounded"]), "unbounded: a process for each execution")
    console.print(table)
    table = plain_table("front", "processes", "finish", "options", right=(1, 2))
    for row in some_of(result["front"]):
        table.add_row("", str(row["processes"]), str(row["finish"]), escape(_options(row)))
    console.print(table)
    if bound > unbounded:
        plain_line(
            console, f"with the statements that are not tried left as they are, no design is below {bound} cycles"
        )
    _print_end(console, result)


def _print_statements(console: Console, result: dict[str, Any]) -> None:
    table = plain_table("statement", "executions", "reads its own", "self-dependence rule", "", right=(1,))
    for row in result["statements"]:
        own = "; ".join(row["self_dependences"]) or "-"
        why = "tried" if row["tried"] else f"not tried: {row['reason']}"
        table.add_row(escape(row["name"]), str(row["executions"]), escape(own), row["default"], escape(why))
    console.print(table)


def _print_end(console: Console, result: dict[str, Any]) -> None:
    target = result["target"]
    if target and not target["reached"]:
        low = result["bound"]["finish"]
        can = "no design reaches it" if target["cycles"] < low else "none that was tried reaches it"
        plain_line(console, f"target of {target['cycles']} cycles: {can}")
    whole = result["exhaustive"]
    if whole:
        behind = "nowhere behind the best of them"
        if whole["share"] > 0:
            behind = (
                f"at most {100 * whole['share']:.3g} % behind the best of them ({whole['finish']} cycles with "
                f"{whole['processes']} processes, {whole['best_finish']} with {whole['best_processes']})"
            )
        plain_line(console, f"all {whole['designs']} designs looked at: the walk is {behind}")
    if result["interrupted"]:
        plain_line(console, "interrupted: these are the designs found until then")
    elif result["stopped"]:
        plain_line(console, f"the walk ends: {result['stopped']}")


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


def _exhaustive(exhaustive: Exhaustive | None, walk: DesignWalk) -> dict[str, Any] | None:
    if exhaustive is None or exhaustive.looked_at < exhaustive.designs:
        return None
    worst = exhaustive.worst(walk.steps)
    return {
        "designs": exhaustive.designs,
        "share": worst.share,
        "processes": worst.point.processes,
        "finish": worst.point.finish,
        "best_processes": worst.best.processes,
        "best_finish": worst.best.finish,
    }


def _cells(row: dict[str, Any]) -> list[str]:
    most = row["parallelism"]["maximum"]
    return [
        str(row["processes"]), str(row["finish"]), f"{row['parallelism']['average']:.2f}",
        "-" if most is None else str(most), f"{row['speed_up']:.2f}", str(row["above_unbounded"]),
    ]  # fmt: skip


def _words(change: dict[str, Any]) -> str:
    splits = ", ".join(f"{each['method']} by {each['factor']} over {each['loop']}" for each in change["splits"])
    return escape(f"{change['statement']}: {splits or 'one process again'}")


def _options(row: dict[str, Any]) -> str:
    words = row["options"]
    pairs = [f"{option} {value}" for option, value in zip(words[::2], words[1::2], strict=True)]
    more = len(pairs) - _SHOWN_OPTIONS
    return " ".join(pairs[:_SHOWN_OPTIONS]) + (f" and {more} more, see --json" if more > 0 else "")
