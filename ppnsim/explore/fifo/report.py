"""Sized FIFOs, for the terminal and as JSON: the answers by channel, what one token less does, the front, the gap."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rich.console import Console
from rich.markup import escape

from ppnsim.explore.fifo.answers import Sized
from ppnsim.explore.fifo.problem import Problem, Time, worst
from ppnsim.explore.fifo.sizing import FifoSizing
from ppnsim.report.text import MOST_ROWS, plain_line, plain_table, some_of
from ppnsim.units import counted

QUESTIONS = ("deadlock_free", "target", "lossless")


def sizing_result(
    sizing: FifoSizing, *, file: str, cost: str, seconds: float, interrupted: bool = False
) -> dict[str, Any]:
    """Return what was found as a dictionary; what was not found, or not asked for, is null.

    Examples
    --------
    >>> from ppnsim import fork_join
    >>> from ppnsim.explore.fifo.sizing import problem_of
    >>> sizing = FifoSizing(problem=problem_of([fork_join(firings=20)]))
    >>> _ = sizing.run()
    >>> lossless = sizing_result(sizing, file="f.toml", cost="tokens", seconds=0.1)["lossless"]
    >>> lossless["depths"], lossless["total"], lossless["finish"], lossless["certified"]
    ({'short_in': 3, 'short_out': 12, 'long_in': 2, 'long_out': 2}, 19, 37, True)
    """
    problem, answers = sizing.problem, sizing.answers
    found = {question: answers.found.get(question) for question in QUESTIONS}
    return {
        "file": file,
        "name": problem.networks[0].name,
        "objective": problem.objective,
        "cost": cost,
        "monotone": problem.monotone,
        "unbounded": _times(problem, worst(answers.unbounded) if answers.unbounded else None),
        **{question: sized and _sized(problem, sized) for question, sized in found.items()},
        "front": [_sized(problem, sized) for sized in answers.front],
        "gap": [
            {"question": gap.question, "lower": gap.lower, "upper": gap.upper, "not_searched": gap.not_searched}
            for gap in answers.gaps
        ]
        or None,
        "evaluated": problem.evaluated,
        "interrupted": interrupted,
        "seconds": seconds,
    }


def _sized(problem: Problem, sized: Sized) -> dict[str, Any]:
    depths = {name: depth for name, depth in problem.depths(sized.vector).items() if depth is not None}
    return {
        "depths": depths,
        "total": sum(depths.values()),
        "bits": sum(depth * problem.width(name) for name, depth in depths.items()),
        "cost": sized.cost,
        **_times(problem, sized.time),
        "scenarios": [_times(problem, time) for time in sized.times] if len(sized.times) > 1 else None,
        "certified": sized.certified,
        "one_less": {
            ", ".join(problem.variables[index].channels): {
                **_times(problem, time),
                "lost": None if time is None else _plain(time - sized.time),
            }
            for index, time in sized.one_less.items()
        },
    }


def _times(problem: Problem, time: Time | None) -> dict[str, Any]:
    """Return ``finish``, or ``period`` as a number and exactly; null for a deadlock."""
    if problem.objective == "finish":
        return {"finish": time}
    return {"period": None if time is None else _plain(time), "period_exact": None if time is None else str(time)}


def _plain(time: Time) -> int | float:
    return int(time) if Fraction(time).denominator == 1 else float(time)


def print_sizing(console: Console, result: dict[str, Any]) -> None:
    """Print the answers, the depths by channel with what one token less costs, the front, and what is not known."""
    objective, best = result["objective"], result["lossless"] or result["deadlock_free"]
    smallest = (
        f"no loss with {_cost(result, result['lossless'])}" if result["lossless"] else "no depths without loss found"
    )
    plain_line(
        console,
        f"{result['name']}   {objective} {_time(result, result['unbounded'])} with unbounded FIFOs   {smallest}   "
        f"{result['evaluated']} vectors in {result['seconds']:.2f} s",
    )
    if best is not None:
        _print_answers(console, result)
        _print_channels(console, result)
    if result["front"]:
        _print_front(console, result)
    for gap in result["gap"] or ():
        between = "" if gap["lower"] is None else f" (at least {gap['lower']}, at most {gap['upper'] or 'unknown'})"
        plain_line(console, f"{gap['question'].replace('_', ' ')}: {gap['not_searched']}{between}")
    if result["interrupted"]:
        plain_line(console, "interrupted: these are the answers found until then")


def _print_answers(console: Console, result: dict[str, Any]) -> None:
    table = plain_table("smallest depths", "tokens", "bits", result["objective"], "", right=(1, 2, 3))
    for question in QUESTIONS:
        if (row := result[question]) is not None:
            proof = "proven: nothing cheaper does" if row["certified"] else "not proven to be the smallest"
            table.add_row(question.replace("_", " "), str(row["total"]), str(row["bits"]), _time(result, row), proof)
    console.print(table)


def _print_channels(console: Console, result: dict[str, Any]) -> None:
    asked = [question for question in QUESTIONS if result[question] is not None]
    best = result[asked[-1]]
    headings = [question.replace("_", " ") for question in asked]
    right = tuple(range(1, len(asked) + 1))
    table = plain_table("channel", *headings, f"one token less than {headings[-1]}", right=right)
    less = {name: row for names, row in best["one_less"].items() for name in names.split(", ")}
    for name in best["depths"]:
        depths = [str(result[question]["depths"][name]) for question in asked]
        table.add_row(escape(name), *depths, _loss(best, less[name]) if name in less else "-")
    console.print(table)


def _loss(best: dict[str, Any], row: dict[str, Any]) -> str:
    if row["lost"] is None:
        return "deadlock"
    key = "finish" if "finish" in row else "period_exact"
    lost = Fraction(row[key]) - Fraction(best[key])
    return f"{counted(lost, 'cycle')} lost"


def _print_front(console: Console, result: dict[str, Any]) -> None:
    front: Sequence[dict[str, Any]] = result["front"]
    table = plain_table("front", result["cost"], result["objective"], "depths", right=(1, 2))
    for row in some_of(front):
        depths = " ".join(f"{name}={depth}" for name, depth in row["depths"].items())
        table.add_row("", str(row["cost"]), _time(result, row), escape(depths))
    console.print(table)
    if len(front) > MOST_ROWS:
        plain_line(console, f"{len(front)} points, {MOST_ROWS} shown: all are in --json")


def _cost(result: dict[str, Any], row: dict[str, Any]) -> str:
    return f"{row['total']} tokens" + ("" if result["cost"] == "tokens" else f" ({row['cost']} {_unit(result)})")


def _unit(result: dict[str, Any]) -> str:
    return "bits of memory" if result["cost"] == "fpga" else "bits"


def _time(result: dict[str, Any], row: dict[str, Any]) -> str:
    value = row["finish"] if result["objective"] == "finish" else row["period_exact"]
    return "never" if value is None else str(value)
