"""``ppnsim size``: the smallest FIFOs, with proof, and the trade-off of memory against time."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ppnsim.cli import answers, interrupts
from ppnsim.cli.common import BAD_INPUT, DEADLOCK, INTERRUPTED, for_each_file, progress
from ppnsim.cli.options.groups import Help, Without
from ppnsim.cli.options.network import Files, NetworkOptions
from ppnsim.cli.options.outputs import Output, console
from ppnsim.cli.options.sizing import SizedCopy, SizingOptions, sized_network
from ppnsim.cli.runners import sized as copies
from ppnsim.errors import InputError
from ppnsim.explore.fifo import answers as reached
from ppnsim.explore.fifo import pictures
from ppnsim.explore.fifo import report as reports
from ppnsim.units import counted

if TYPE_CHECKING:
    from ppnsim.cli.interrupts import HeldInterrupts
    from ppnsim.explore.fifo.search import Bounds
    from ppnsim.explore.fifo.sizing import FifoSizing, Grown
    from ppnsim.library.size import Progress

_NEAR = 10  # an upper bound that is more often the lower one says nothing as a share of it


def told_after(began: float) -> Bounds:
    """Return what writes bounds to standard error whenever they get closer, from a second after ``began`` on."""
    told: set[tuple[str, int, int | None]] = set()

    def tell(question: str, lower: int, upper: int | None) -> None:
        seconds = time.perf_counter() - began
        if question == "front" or not lower or seconds < 1 or (question, lower, upper) in told:
            return  # nothing costs nothing only where no depth is a choice
        told.add((question, lower, upper))
        # Before any depths are tried the upper bound is that of depths without end: no share of the lower one.
        gap = f", gap {(upper - lower) / lower:.1%}" if upper is not None and upper < _NEAR * lower else ""
        most = "no depths found yet" if upper is None else f"at most {upper}{gap}"
        typer.echo(f"{seconds:6.1f} s  {question.replace('_', ' ')}: at least {lower}, {most}", err=True)

    return tell


def shown_after(began: float, output: Output, cost: str) -> Grown:
    """Return what tells points of the front as they are found, from a second after ``began`` on, and draws them.

    At most a point a second is told, and drawing takes at most a tenth of the time. The first one says how to do
    without the others, which may take far longer than the smallest depths did.
    """
    told = drawn = began
    how = "; Ctrl-C ends it here, --no-front leaves it out"

    def show(sizing: FifoSizing) -> None:
        nonlocal told, drawn, how
        now, point = time.perf_counter(), sizing.answers.front[-1]
        if now - told >= 1:
            told = now
            words = f"{reports.price_words(sizing.problem, point, cost)}, {point.time} {sizing.problem.objective.unit}"
            points = counted(len(sizing.answers.front), "point")
            typer.echo(f"{now - began:6.1f} s  front: {points}, now {words}{how}", err=True)
            how = ""
        if output.plot is not None and now >= drawn + 1:
            with suppress(InputError):  # what cannot be written is said at the end, when nothing is lost by it
                output.save(pictures.sizing_front(sizing, cost=cost))
            drawn = time.perf_counter() + 9 * (time.perf_counter() - now)

    return show


@contextmanager
def _styles_shown(name: str, ctrl_c: HeldInterrupts) -> Iterator[Progress]:
    """Yield what draws the progress of runs in other styles, and ends them by Ctrl-C."""
    with progress(name, "firings in another style") as report:

        def told(done: int, total: int) -> None:
            ctrl_c.check()
            report(done, total)

        yield told


def _code(result: Mapping[str, Any]) -> int:
    """Return the exit code: a deadlock with the deepest FIFOs allowed, or a target that they do not reach."""
    beyond = {gap["question"] for gap in result["gap"] or () if gap["not_searched"].startswith(reached.OUT_OF_REACH)}
    if None in result["unbounded"].values() or "deadlock_free" in beyond:
        return DEADLOCK
    return BAD_INPUT if "target" in beyond else 0


def size_command(
    files: Files,
    *,
    asked: SizingOptions,
    options: Annotated[NetworkOptions, Without("depth", "depths")],
    out: SizedCopy = None,
    output: Annotated[Output, Help(plot="Draw the front, also as it grows: .svg, .png or .pdf.")],
) -> None:
    """Find the smallest FIFO depths: without deadlock, without loss, for a target, and the whole trade-off.

    For elastic and frozen processes without shared resources the answers are proven: nothing cheaper does, and the
    table says what one token less in each FIFO costs. For other networks all depths are tried, cheapest first, and
    the report lists the questions that are still open. Depths in the file do not matter. Ctrl-C keeps the answers
    found so far, and so do --within and --seconds; bounds are told as they get closer, and points of the front as
    they are found. A network that deadlocks at any depth allowed gives exit code 3, a --target out of reach 2.

    The answer ends with the depths without loss, or for the --target, as options to paste; -o writes the network that
    has them, and `ppnsim run FILE --depths sized.json` takes them from the --json of this command. Depths that are
    found are also run in the other pipeline styles; Ctrl-C ends these runs, and what is known is printed and written.

    Of a C++ file with a dataflow region the streams are sized, those of an array of streams together, and the answer
    ends with pragmas to paste. Buffers between tasks and in ports keep their depth, also in a file that it was exported
    to, as every fixed channel does that no --limit names.

    Examples:

      ppnsim size scenarios/networks/fork_join.toml

      ppnsim size scenarios/networks/fork_join.toml --target 45 --cost fpga --plot front.svg

      ppnsim size day.toml night.toml --together --limit short_in=2:16 --group long_in,long_out --json -

      ppnsim size h263decoder.xml --objective period --no-front

      ppnsim size scenarios/networks/resnet.toml --no-front --within 1% --seconds 60

      ppnsim size scenarios/networks/resnet.toml -o sized.toml && ppnsim run sized.toml

      ppnsim size scenarios/hls/subtract_mean.cpp -o sized.cpp
    """
    terminal = console("-") if str(out) == "-" else output.terminal()
    output.check(files)
    asked.check(len(files), output.plot)
    if out is not None:
        copies.check_copy(out, files, output)

    def sized(scenarios: Sequence[str]) -> tuple[dict[str, Any], int]:
        networks = [sized_network(file, options) for file in scenarios]
        source = networks[0].source
        copies.check_streams(source, out)
        began = time.perf_counter()
        with progress(networks[0].network.name, "depth vectors") as report:
            found = asked.sized(
                networks, progress=report, bounds=told_after(began), grown=shown_after(began, output, asked.cost)
            )
        with interrupts.HeldInterrupts() as ctrl_c:
            found.print(terminal, _styles_shown(networks[0].network.name, ctrl_c))
            add(", ".join(scenarios), found)
            result = found.to_dict()
            if output.plot is not None and found.answers.unbounded:
                output.save(found.figure(), terminal)
            result |= copies.depths_given(terminal, networks[0], result, out)
        result["interrupted"] = found.stopped or ctrl_c.noted
        return result, INTERRUPTED if result["interrupted"] else _code(result)

    with answers.table_of(output, files[:1] if asked.together else files) as add:
        if asked.together:
            for_each_file([", ".join(files)], output.json, lambda _: sized(files))
        for_each_file(files, output.json, lambda file: sized([file]))
