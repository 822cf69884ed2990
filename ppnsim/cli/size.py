"""``ppnsim size``: the smallest FIFOs, with proof, and the trade-off of memory against time."""

from __future__ import annotations

import time
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Any

import typer

from ppnsim.cli.common import DEADLOCK, INTERRUPTED, for_each_file, progress
from ppnsim.cli.options.groups import Help, Without
from ppnsim.cli.options.network import Files, NetworkOptions
from ppnsim.cli.options.outputs import Output
from ppnsim.cli.options.sizing import limits_of, price_of, sized_network, start_of, target_of
from ppnsim.errors import InputError
from ppnsim.explore.fifo.report import print_sizing, sizing_result
from ppnsim.explore.fifo.sizing import FifoSizing, problem_of


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
    *,
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
        typer.Option(
            "--memories", metavar="FILE.toml", help="Memory blocks for --cost fpga: an array of tables 'memory'."
        ),
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
    front: Annotated[bool, typer.Option("--front/--no-front", help="Also find the whole trade-off.")] = True,
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
    options: Annotated[NetworkOptions, Without("depth")],
    output: Annotated[Output, Help(plot="Draw the front: .svg, .png or .pdf.")],
) -> None:
    """Find the smallest FIFO depths: without deadlock, without loss, for a target, and the trade-off between.

    For elastic and frozen processes without shared resources the answers are proven: nothing cheaper does, and the
    table says what one token less in each FIFO costs. For other networks all depths are tried, cheapest first, and the
    report lists the questions that are still open. Depths in the file do not matter. Ctrl-C keeps the answers found so
    far. A network that deadlocks at any
    depth gives exit code 3.

    Examples:

      ppnsim size scenarios/networks/fork_join.toml

      ppnsim size scenarios/networks/fork_join.toml --target 45 --cost fpga --plot front.svg

      ppnsim size day.toml night.toml --together --limit short_in=2:16 --group long_in,long_out --json -

      ppnsim size h263decoder.xml --objective period --no-front
    """  # fmt: skip
    terminal, plot = output.terminal(), output.plot
    output.check()
    if plot is not None:
        if not front:
            raise InputError("there is no front to draw with --no-front", where=f"--plot {plot}")
        if len(files) > 1 and not together:
            raise InputError(f"{len(files)} networks, but only one is drawn (or --together)", where=f"--plot {plot}")
    goal, limits = target_of(target), limits_of(limit)
    groups = [[name.strip() for name in each.split(",")] for each in group]
    price = price_of(cost.value, memories)

    def sized(label: str, scenarios: Sequence[str]) -> tuple[dict[str, Any], int]:
        networks = [sized_network(file, options) for file in scenarios]
        problem = problem_of(
            networks, cost=price, objective=objective.value, limits=limits, groups=groups, budget=budget
        )
        sizing = FifoSizing(problem=problem, target=goal, start=start_of(start, problem), with_front=front)
        began, interrupted = time.perf_counter(), False
        try:
            with progress(networks[0].name, "depth vectors") as report:
                sizing.run(report)
        except KeyboardInterrupt:
            interrupted = True
        seconds = time.perf_counter() - began
        result = sizing_result(sizing, file=label, cost=cost.value, seconds=seconds, interrupted=interrupted)
        print_sizing(terminal, sizing, cost=cost.value, seconds=seconds, interrupted=interrupted)
        if plot is not None and sizing.answers.unbounded:
            from ppnsim.explore.fifo.pictures import sizing_front  # matplotlib takes a while to import

            output.save(sizing_front(sizing, cost=cost.value), terminal)
        if interrupted:
            return result, INTERRUPTED
        return result, DEADLOCK if None in result["unbounded"].values() else 0

    if together:
        for_each_file([", ".join(files)], output.json, lambda label: sized(label, files))
    for_each_file(files, output.json, lambda file: sized(file, [file]))
