"""Sized FIFOs, for the terminal and as JSON: the answers by channel, what one token less does, the front, the gap."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.markup import escape

from ppnsim.explore.fifo.answers import OUT_OF_REACH, Sized
from ppnsim.explore.fifo.cuts import WHOLE, Cut, Reach
from ppnsim.explore.fifo.forced import print_forced
from ppnsim.explore.fifo.objectives import Time, plain_number
from ppnsim.explore.fifo.other_styles import StyleRun
from ppnsim.explore.fifo.problem import Problem, worst
from ppnsim.explore.fifo.sizing import FifoSizing
from ppnsim.explore.fifo.source_waits import print_source_waits, source_waits, source_waits_result
from ppnsim.report.text import MOST_ROWS, alike, plain_line, plain_table, some_of, style_words
from ppnsim.units import counted

QUESTIONS = ("deadlock_free", "target", "lossless")
_COST_HEADS = {"fpga": "memory bits"}
_DEEPEST = 2**40  # tokens
IN_WORDS = {"deadlock_free": "without deadlock", "target": "for the target", "lossless": "without loss"}


def sizing_result(
    sizing: FifoSizing, *, file: str, cost: str, seconds: float, interrupted: bool = False
) -> dict[str, Any]:
    """Return the answers as a dictionary; an answer not found, or not asked for, is null.

    Examples
    --------
    >>> from ppnsim import fork_join
    >>> from ppnsim.explore.fifo.sizing import problem_of
    >>> sizing = FifoSizing(problem=problem_of([fork_join(firings=20)]))
    >>> _ = sizing.run()
    >>> lossless = sizing_result(sizing, file="f.toml", cost="tokens", seconds=0.1)["lossless"]
    >>> lossless["depths"], lossless["total"], lossless["finish"], lossless["certified"]
    ({'short_in': 2, 'short_out': 13, 'long_in': 2, 'long_out': 2}, 19, 37, True)
    """
    problem, answers = sizing.problem, sizing.answers
    found = {question: answers.found.get(question) for question in QUESTIONS}
    return {
        "file": file, "name": problem.networks[0].name, "objective": problem.objective.name, "cost": cost,
        "monotone": problem.monotone,
        "unbounded": problem.objective.as_json(worst(answers.unbounded) if answers.unbounded else None),
        **{question: sized and _sized(problem, sized) for question, sized in found.items()},
        "front": [_sized(problem, sized) for sized in answers.front],
        "gap": [asdict(gap) for gap in answers.gaps] or None,
        "source_waits": source_waits_result(source_waits(sizing)),
        "evaluated": problem.evaluated, "interrupted": interrupted, "seconds": seconds,
    }  # fmt: skip


def _sized(problem: Problem, sized: Sized) -> dict[str, Any]:
    depths = problem.chosen(sized.vector)
    return {
        "depths": depths, "total": sum(depths.values()), "bits": _bits(problem, depths), "cost": sized.cost,
        **problem.objective.as_json(sized.time),
        "scenarios": [problem.objective.as_json(time) for time in sized.times] if len(sized.times) > 1 else None,
        "certified": sized.certified,
        "forced": [_forced(problem, cut) for cut in sized.forced],
        "one_less": {
            ", ".join(problem.variables[index].channels): {
                **problem.objective.as_json(time),
                "lost": None if time is None else plain_number(time - sized.time),
            }
            for index, time in sized.one_less.items()
        },
    }  # fmt: skip


def _forced(problem: Problem, cut: Cut) -> dict[str, Any]:
    """Return an inequality: a sum over channels of floor((depth + ahead) / tokens), and what else happens."""
    terms = [
        {"channels": list(problem.variables[reach.variable].channels), "times": count, **_reach(reach)}
        for reach, count in cut.terms
    ]
    return {"sum": terms, "least": cut.least, "else": problem.objective.as_json(cut.beyond), "scenario": cut.scenario}


def _reach(reach: Reach) -> dict[str, int]:
    """Return a reach as numbers: deeper than a depth, or tokens ahead of a multiple."""
    if reach.tokens == WHOLE:
        return {"deeper_than": reach.next_step(0) - 1}
    return {"ahead": reach.ahead, "tokens": reach.tokens}


def _bits(problem: Problem, depths: Mapping[str, int]) -> int:
    return sum(depth * problem.width(name) for name, depth in depths.items())


def print_sizing(console: Console, sizing: FifoSizing, *, cost: str, seconds: float, interrupted: bool) -> None:
    """Print the front, the answers, the depths by channel with what one token less costs, and what is not known."""
    problem, answers = sizing.problem, sizing.answers
    found = {question: answers.found[question] for question in QUESTIONS if question in answers.found}
    smallest = "no depths without loss found"
    if "lossless" in found:
        smallest = f"no loss with {price_words(problem, found['lossless'], cost)}"
    plain_line(
        console,
        f"{problem.networks[0].name}   {_reached(sizing)}   {smallest}   {_styles(problem)}   "
        f"{counted(problem.evaluated, 'vector')} in {seconds:.2f} s",
    )
    if answers.front:  # before the answers, which a terminal then still shows
        _print_front(console, problem, answers.front, cost)
    if "lossless" in found or "deadlock_free" in found:
        _print_answers(console, problem, found, cost)
        _print_channels(console, problem, found)
        _print_same(console, problem, found, cost)
        (*_, question) = found
        print_forced(console, problem, _words(question), found[question])
    for gap in answers.gaps:
        between = "" if gap.lower is None else f" (at least {gap.lower}, at most {gap.upper or 'unknown'})"
        plain_line(console, f"{_words(gap.question)}: {gap.not_searched}{between}")
    print_source_waits(console, sizing, IN_WORDS)
    if interrupted:
        plain_line(console, "interrupted: these are the answers found so far")


def _styles(problem: Problem) -> str:
    """Return the styles that an answer, and its proof, holds for."""
    return ", ".join(dict.fromkeys(map(style_words, problem.networks)))


def _reached(sizing: FifoSizing) -> str:
    """Return the best time that is possible, and first whether it is too late for the target."""
    beyond = (gap.not_searched for gap in sizing.answers.gaps if gap.question == "target")
    if words := next((each for each in beyond if each.startswith(OUT_OF_REACH)), ""):
        return f"target {_time(sizing.target)} {words}"
    unbounded, name = sizing.answers.unbounded, sizing.problem.objective.name
    return f"{name} {_time(worst(unbounded))} with unbounded FIFOs" if unbounded else f"{name} not known yet"


def _print_answers(console: Console, problem: Problem, found: Mapping[str, Sized], cost: str) -> None:
    memory = [_COST_HEADS[cost]] if cost in _COST_HEADS else []
    heads = "smallest depths", "tokens", "bits", *memory, problem.objective.name
    table = plain_table(*heads, f"in {_styles(problem)}", right=tuple(range(1, len(heads))))
    for question, sized in found.items():
        paid = [str(sized.cost)] if memory else []
        depths = problem.chosen(sized.vector)
        proof = "proven: nothing cheaper does" if sized.certified else "not proven to be the smallest"
        table.add_row(
            _words(question), str(sum(depths.values())), str(_bits(problem, depths)), *paid, _time(sized.time), proof
        )
    console.print(table)


def _print_channels(console: Console, problem: Problem, found: Mapping[str, Sized]) -> None:
    headings = [_words(question) for question in found]
    *_, best = found.values()
    less = {name: time for index, time in best.one_less.items() for name in problem.variables[index].channels}
    more = (index for index, depth in enumerate(best.vector) if depth > problem.low[index])
    not_run = {name for index in more for name in problem.variables[index].channels} - set(less)
    columns = [problem.chosen(sized.vector) for sized in found.values()]
    known = [f"one token less than {headings[-1]}"] if set(columns[-1]) - not_run else []
    table = plain_table("channel", *headings, *known, right=tuple(range(1, len(found) + 1)))
    rows: dict[tuple[str, ...], list[str]] = {}
    for name in columns[-1]:
        depths = [str(column[name]) for column in columns]
        last = _loss(best, less[name]) if name in less else "not run" if name in not_run else "-"
        row = name.partition("[")[0], *depths, *([last] if known else [])
        rows.setdefault(row, []).append(name)
    for (_, *cells), names in rows.items():
        for title in alike(names):
            table.add_row(escape(title), *cells)
    console.print(table)


def _print_same(console: Console, problem: Problem, found: Mapping[str, Sized], cost: str) -> None:
    """Print up to which depths the FIFOs of the last answer cost the same, where memory comes in blocks."""
    *_, best = found.values()
    same: dict[int, list[str]] = {}
    for index, depth in enumerate(best.vector):
        if cost in _COST_HEADS and (deepest := _same_cost(problem, index, depth)) > depth:
            same.setdefault(deepest, []).extend(problem.variables[index].channels)
    if same:
        told = "; ".join(f"{depth} of {_listed(names)}" for depth, names in same.items())
        plain_line(console, f"memory comes in blocks; as deep as this costs the same: {told}")


def _listed(names: Sequence[str]) -> str:
    """Return names, of many the first ones and how many more there are."""
    more = f" and {len(names) - MOST_ROWS} more" if len(names) > MOST_ROWS else ""
    return ", ".join(names[:MOST_ROWS]) + more


def _same_cost(problem: Problem, index: int, depth: int) -> int:
    """Return the deepest that a variable may be at the cost of a depth."""
    low, high, paid = depth, 2 * depth, problem.cost_at(index, depth)
    while problem.cost_at(index, high) == paid:
        if high > _DEEPEST:
            return depth  # it costs nothing
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if problem.cost_at(index, middle) == paid else (low, middle)
    most = problem.variables[index].high
    return low if most is None else min(low, most)


def _loss(best: Sized, time: Time | None) -> str:
    return "deadlock" if time is None else f"{counted(time - best.time, 'cycle')} lost"


def _print_front(console: Console, problem: Problem, front: Sequence[Sized], cost: str) -> None:
    table = plain_table("front", _COST_HEADS.get(cost, cost), problem.objective.name, "depths", right=(1, 2))
    for sized in some_of(front):
        depths = " ".join(f"{name}={depth}" for name, depth in problem.chosen(sized.vector).items())
        table.add_row("", str(sized.cost), _time(sized.time), escape(depths))
    console.print(table)
    if len(front) > MOST_ROWS:
        plain_line(console, f"{len(front)} points, {MOST_ROWS} shown: all are in --json")


def price_words(problem: Problem, sized: Sized, cost: str) -> str:
    """Return the tokens of depths, and what they cost where that is counted in something else."""
    units = {"tokens": "", "fpga": f" ({sized.cost} bits of memory)"}
    return f"{sum(problem.chosen(sized.vector).values())} tokens" + units.get(cost, f" ({sized.cost} bits)")


def _time(time: Time | None) -> str:
    return "never" if time is None else str(time)


def _words(question: str) -> str:
    return question.replace("_", " ")


def print_other_styles(console: Console, found: Mapping[str, Sequence[StyleRun]]) -> None:
    """Print for which other pipeline styles the depths do, which running them has shown."""
    for question, runs in found.items():
        for each in runs:
            plain_line(console, f"depths {IN_WORDS[question]} in style {each}")
