"""``ppnsim size``: the smallest FIFOs, with proof, and the trade-off of memory against time."""

from __future__ import annotations

import json as json_module
import time
from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ppnsim.cli.common import INTERRUPTED, Files, Json, console, for_each_file, progress
from ppnsim.cli.run import Convention, ConventionName, Iterations, Style, StyleName, changed
from ppnsim.errors import InputError

if TYPE_CHECKING:
    from ppnsim.explore.fifo_cost import Cost
    from ppnsim.explore.fifo_problem import Full, Problem, Time
    from ppnsim.explore.fifo_sizing import FifoSizing
    from ppnsim.model.network import Network

_FORMATS = (".svg", ".png", ".pdf")
Limit = tuple[int, int | None] | None


class ObjectiveName(StrEnum):
    """What counts as time."""

    finish = "finish"
    period = "period"


class CostName(StrEnum):
    """What a FIFO is priced by."""

    tokens = "tokens"
    bits = "bits"
    fpga = "fpga"


def size_command(
    files: Files,
    objective: Annotated[
        ObjectiveName,
        typer.Option("--objective", help="Time is the finish of the run, or the period of the steady state."),
    ] = ObjectiveName.finish,
    target: Annotated[
        str | None,
        typer.Option("--target", metavar="CYCLES", help="Also find the smallest depths for this finish or period."),
    ] = None,
    cost: Annotated[
        CostName,
        typer.Option("--cost", help="Memory is counted in tokens, in bits, or in bits of FPGA memory blocks taken."),
    ] = CostName.tokens,
    memories: Annotated[
        str | None,
        typer.Option("--memories", metavar="FILE.toml", help="Memory blocks for --cost fpga: tables [[memory]]."),
    ] = None,
    limit: Annotated[
        list[str],
        typer.Option(
            "--limit",
            metavar="CHANNEL=LOW:HIGH",
            help="Depths allowed, either end may be left out; CHANNEL=N fixes it, CHANNEL=unbounded leaves it out.",
        ),
    ] = [],  # noqa: B006
    group: Annotated[
        list[str], typer.Option("--group", metavar="A,B", help="These channels share one depth; may be repeated.")
    ] = [],  # noqa: B006
    together: Annotated[
        bool, typer.Option("--together", help="The files are scenarios of one network: one set of depths for all.")
    ] = False,
    front: Annotated[bool, typer.Option("--front/--no-front", help="Find the whole trade-off, too.")] = True,
    start: Annotated[
        str | None, typer.Option("--start", metavar="JSON", help="Begin with the depths of an earlier result.")
    ] = None,
    budget: Annotated[
        int | None,
        typer.Option(
            "--budget",
            metavar="N",
            min=1,
            help="Depth vectors to run at most; default a million, 50 000 if all have to be run.",
        ),
    ] = None,
    style: Style = None,
    iterations: Iterations = None,
    convention: Convention = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="PATH", help="Draw the front: .svg, .png or .pdf.")
    ] = None,
    json: Json = None,
) -> None:
    """Find the smallest FIFO depths: without deadlock, without loss, for a target, and the trade-off between.

    For elastic and frozen processes without shared resources the answers are proven: nothing cheaper does, and the
    table says what one token less in each FIFO costs. For others all depths are tried, cheapest first, and what is not
    known is said. Depths in the file do not matter. Ctrl-C keeps what has been found.

    Examples:

      ppnsim size scenarios/fork_join.toml

      ppnsim size scenarios/fork_join.toml --target 45 --cost fpga --plot front.svg

      ppnsim size day.toml night.toml --together --limit short_in=2:16 --group long_in,long_out --json -

      ppnsim size h263decoder.xml --objective period --no-front
    """  # fmt: skip
    terminal = console(json)
    if plot is not None and plot.suffix.lower() not in _FORMATS:
        raise InputError(f"'{plot.suffix}' is none of {', '.join(_FORMATS)}", where=f"--plot {plot}")
    if plot is not None and not front:
        raise InputError("there is no front to draw with --no-front", where=f"--plot {plot}")
    if plot is not None and len(files) > 1 and not together:
        raise InputError(f"{len(files)} networks, one is drawn (or --together)", where=f"--plot {plot}")
    goal, limits = _target(target), dict(_limit(each) for each in limit)
    groups = [[name.strip() for name in each.split(",")] for each in group]
    price = _price(cost.value, memories)

    def sized(label: str, scenarios: Sequence[str]) -> tuple[dict[str, Any], int]:
        from ppnsim.explore.fifo_sizing import FifoSizing, problem_of
        from ppnsim.report.sizing import print_sizing, sizing_result

        networks = [_network(file, style, iterations, convention) for file in scenarios]
        problem = problem_of(
            networks, cost=price, objective=objective.value, limits=limits, groups=groups, budget=budget
        )
        sizing = FifoSizing(problem=problem, target=goal, start=_start(start, problem), with_front=front)
        began, interrupted = time.perf_counter(), False
        try:
            with progress(networks[0].name, "depth vectors") as report:
                sizing.run(report)
        except KeyboardInterrupt:
            interrupted = True
        seconds = time.perf_counter() - began
        result = sizing_result(sizing, file=label, cost=cost.value, seconds=seconds, interrupted=interrupted)
        print_sizing(terminal, result)
        if plot is not None and sizing.answers.unbounded:
            _draw(sizing, cost.value, plot)
            terminal.print(f"drawn to {plot}", markup=False)
        return result, INTERRUPTED if interrupted else 0

    if together:
        for_each_file([", ".join(files)], json, lambda label: sized(label, files))
    for_each_file(files, json, lambda file: sized(file, [file]))


def _network(file: str, style: StyleName | None, iterations: int | None, convention: ConventionName | None) -> Network:
    """Read a network, with depths everywhere that count what the convention says."""
    from ppnsim.formats.load import load_network, usual_convention
    from ppnsim.model.convention import with_convention

    network = changed(load_network(file, iterations=iterations, convention="ppn"), style, [])
    if (convention or usual_convention(file)) == "ppn":
        return network
    bounded = with_convention(network.with_depths(lambda channel: max(1, channel.initial)), "sdf3")
    known = {channel.name for channel in network.channels}
    for channel in bounded.channels:
        if channel.name not in known:
            name = channel.name.removesuffix(".space")
            words = "needs credits in convention sdf3 (an end is frozen or its durations differ), and these have no depth"
            raise InputError(f"{words}: give --convention ppn", where=f"{file}: channel '{name}'")
    return bounded


def _target(text: str | None) -> Time | None:
    """Return the target in cycles, also as a fraction ``13/2`` or ``6.5``."""
    if text is None:
        return None
    try:
        value = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise InputError(f"'{text}' is no number of cycles", where="--target") from None
    if value <= 0:
        raise InputError(f"{text} is not above 0 cycles", where="--target")
    return int(value) if value.denominator == 1 else value


def _limit(option: str) -> tuple[str, Limit]:
    """Return a channel and the depths it may have.

    Examples
    --------
    >>> _limit("c=2:16"), _limit("c=:8"), _limit("c=3"), _limit("c=unbounded")
    (('c', (2, 16)), ('c', (1, 8)), ('c', (3, 3)), ('c', None))
    """
    name, equals, text = option.rpartition("=")
    low, colon, high = text.partition(":")
    numbers = [part for part in (low, high) if part]
    where = f"--limit {option}"
    if equals and name and text == "unbounded":
        return name, None
    if not (equals and name and numbers and all(part.isascii() and part.isdecimal() for part in numbers)):
        raise InputError("is neither CHANNEL=LOW:HIGH, CHANNEL=N nor CHANNEL=unbounded", where=where)
    if any(len(part) > 12 for part in numbers):
        raise InputError("is more tokens than any memory holds", where=where)
    least, most = int(low or 1), int(high) if high else (None if colon else int(low))
    if least < 1 or (most is not None and most < least):
        raise InputError("depths go from 1 on, the lower one first", where=where)
    return name, (least, most)


def _price(cost: str, memories: str | None) -> Cost:
    from ppnsim.explore.fifo_cost import XILINX, Memory, MemoryTable, cost_of
    from ppnsim.formats.memory_table import load_memory_table

    if memories is None:
        return cost_of(cost, XILINX)
    if cost != "fpga":
        raise InputError(f"--cost {cost} takes no memory blocks (give --cost fpga)", where=f"--memories {memories}")
    return cost_of(cost, MemoryTable(tuple(Memory(**each) for each in load_memory_table(memories))))


def _start(path: str | None, problem: Problem) -> list[Full]:
    """Return the depth vectors of an earlier result, brought within the limits."""
    if path is None:
        return []
    from ppnsim.report.sizing import QUESTIONS

    try:
        result = json_module.loads(Path(path).read_text(encoding="utf-8"))
        rows = [*(result[question] for question in QUESTIONS), *result["front"][:20]]
        maps = [dict(row["depths"]) for row in rows if row]
        vectors = [tuple(max(int(each[name]) for name in v.channels) for v in problem.variables) for each in maps]
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", where=f"--start {path}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        words = "is no result of `ppnsim size --json` for one network with these channels"
        raise InputError(words, where=f"--start {path}") from None
    clipped = [
        tuple(
            max(v.low, depth if v.high is None else min(depth, v.high))
            for v, depth in zip(problem.variables, vector, strict=True)
        )
        for vector in vectors
    ]
    return list(dict.fromkeys(clipped))


def _draw(sizing: FifoSizing, cost: str, path: Path) -> None:
    from ppnsim.explore.fifo_problem import worst
    from ppnsim.plots.save import save
    from ppnsim.plots.sizing import sizing_front

    answers = sizing.answers
    figure = sizing_front(
        sizing.problem.networks[0].name, [(point.cost, float(point.time)) for point in answers.front],
        unbounded=float(worst(answers.unbounded) or 0), cost=cost, objective=sizing.problem.objective,
        answers={name.replace("_", " "): (each.cost, float(each.time)) for name, each in answers.found.items()},
    )  # fmt: skip
    try:
        save(figure, path)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", where=f"--plot {path}") from None
