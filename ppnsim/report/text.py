"""Results as tables for the terminal: the first line answers the question, the table shows why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ppnsim.model import network as networks
from ppnsim.model import suspicions
from ppnsim.report import bottleneck
from ppnsim.report.folding import folded
from ppnsim.report.table import PlainTable, Screen
from ppnsim.units import counted, duration

if TYPE_CHECKING:  # tables of other things need none of these
    from ppnsim.analysis.lower_bounds import Bound
    from ppnsim.analysis.throughput import Estimate
    from ppnsim.model.network import Network
    from ppnsim.model.run import Fix
    from ppnsim.model.steady import LeftOut
    from ppnsim.model.summary import RunSummary

Row = TypeVar("Row")
MOST_ROWS = 20  # of a front
_HEADS = {"ii": "between starts", "resource": "resource"}  # cycles, of an interval or of a schedule
_MOST_ALIKE = 4  # elements of an array with a row each


def print_run(console: Console, summary: RunSummary, *, fix: Fix | None, seconds: float | None) -> None:
    """Print the answer, where every cycle of every process went, the channels, and what to do about it.

    ``seconds`` is how long it took, None if that is not known.
    """
    run, degree = summary.run, summary.parallelism
    answer = "deadlock" if run.finish is None else f"finish {run.finish} cycles ({duration(run.time_ns)})"
    average = "-" if degree.average is None else f"{degree.average:.2f}"
    plain_line(
        console,
        f"{run.network.name}   {answer}   parallelism {average} mean, {degree.maximum} max   "
        f"engine {run.engine}   {style_words(run.network)}" + ("" if seconds is None else f"   {seconds:.2f} s"),
    )
    console.print(_processes(summary))
    for words in _used_briefly(summary):
        plain_line(console, words)
    if run.network.channels:
        console.print(_channels(summary))
    if run.left_out is not None:
        plain_line(console, _steady(run.left_out))
    for each in suspicions.suspicions(summary):
        plain_line(console, str(each))
    if run.deadlock is not None:
        plain_line(console, str(run.deadlock))
        plain_line(console, f"  -> {fix or 'the search for depths was interrupted'}")
    elif (sentence := bottleneck.bottleneck(summary)) is not None:
        plain_line(console, f"bottleneck: {sentence}")


def style_words(network: Network) -> str:
    """Return the pipeline styles of a network; scheduled processes are frozen.

    Examples
    --------
    >>> from ppnsim import predictor
    >>> style_words(predictor())
    'style elastic'
    """
    found = Counter(process.style for process in network.processes)
    if len(found) == 1:
        return f"style {network.processes[0].style}"
    return "styles " + ", ".join(f"{style} {found[style]}" for style in networks.STYLES if found[style])


def _steady(left_out: LeftOut) -> str:
    steady = left_out.steady
    each = "per graph iteration" if steady.iterations == 1 else f"for {steady.iterations} graph iterations"
    return (
        f"steady state: {counted(steady.cycles, 'cycle')} {each}, from cycle {steady.since} on; "
        f"{left_out.rounds} repetitions left out, exactly"
    )


def print_estimate(console: Console, absolute: Estimate, unbounded: Estimate, bounds: Sequence[Bound]) -> None:
    """Print the two estimates and the lower bounds with their reasons."""
    network = absolute.timeline.network
    plain_line(console, network.name)
    table = plain_table("estimate", "finish", "time", "parallelism mean", "max")
    for name, estimate in (("absolute", absolute), ("unbounded", unbounded)):
        degree, cycles = estimate.parallelism, estimate.finish
        finish = "never: the data goes round in a circle" if cycles is None else f"{cycles} cycles"
        time = duration(None if cycles is None else cycles * network.clock_ns)
        mean = "-" if degree.average is None else f"{degree.average:.2f}"
        table.add_row(name, finish, time, mean, str(degree.maximum))
    console.print(table)
    table = plain_table("no run is below", "cycles", "because", right=(1,))
    for bound in bounds:
        table.add_row(escape(bound.name), str(bound.cycles), escape(bound.reason))
    console.print(table)


def _processes(summary: RunSummary) -> Table:
    rows, network = summary.processes, summary.run.network
    extra = [kind for kind in ("ii", "resource") if any(getattr(row.cycles, kind) for row in rows.values())]
    table = plain_table(
        "process", "firings", "first..last start", "utilisation", "starting", *(_HEADS[kind] for kind in extra),
        "starved", "blocked", "draining", "done",
        right=(1, 2, 3, 4, *([5] if "ii" in extra else []), 7 + len(extra), 8 + len(extra)),
    )  # fmt: skip
    for process in network.processes:
        row = rows[process.name]
        cycles = row.cycles
        started = "never" if row.first_start is None else f"{row.first_start}..{row.last_start}"
        busy = "-" if row.utilisation is None else f"{100 * row.utilisation:.3g} %"
        shown = [str(cycles.ii) if kind == "ii" else _causes(cycles.resource) for kind in extra]
        blocked: dict[str, int] = {}
        for channel, count in cycles.blocked.items():
            target = network.channel(channel).target
            blocked[target] = blocked.get(target, 0) + count
        table.add_row(
            escape(process.name), str(process.firings), started, busy, str(cycles.starting), *shown,
            _causes(summary.starved_for(process.name), process.name), _causes(blocked, process.name),
            str(cycles.draining), str(cycles.done),
        )  # fmt: skip
    return table


def _used_briefly(summary: RunSummary) -> Iterator[str]:
    """Say what utilisation counts, by the busy process with the fewest cycles if these are under half of the run's."""
    busy = [
        ((each.last_start or 0) - (each.first_start or 0) + 1, name, each.utilisation)
        for name, each in summary.processes.items()
        if (each.first_start or 0) < (each.last_start or 0) and (each.utilisation or 0) >= 0.5
    ]
    cycles, name, used = min(busy, default=(0, "", 0))
    if busy and 2 * cycles < (whole := summary.run.stopped):
        of = f"the {100 * (used or 0):.3g} % of {name} are of {cycles} of the {counted(whole, 'cycle')}"
        yield f"utilisation counts from the first to the last start: {of}"


def _channels(summary: RunSummary) -> Table:
    table = plain_table("channel", "from", "to", "kind", "tokens", "most held", "depth", right=(4, 5, 6))
    rows: dict[tuple[str, ...], list[str]] = {}
    for channel in summary.run.network.channels:
        counts = summary.run.network.counts[channel.name]
        depth = "unbounded" if channel.depth is None else str(channel.depth)
        array = channel.name.partition("[")[0]
        row = (
            array, channel.source, channel.target, counts.kind, str(channel.initial + counts.written),
            str(summary.occupancy[channel.name]), depth,
        )  # fmt: skip
        rows.setdefault(row, []).append(channel.name)
    for (_, *cells), names in rows.items():
        for name in alike(names):
            table.add_row(escape(name), *map(escape, cells))
    return table


def alike(names: Sequence[str]) -> Sequence[str]:
    """Return the titles of the rows for channels that a table says the same of: many elements of an array share a row.

    Examples
    --------
    >>> alike(["s[0]", "s[1]"]), alike([f"s[{k}]" for k in range(16)])
    (['s[0]', 's[1]'], ['s[0] .. s[15] (16)'])
    """
    return names if len(names) <= _MOST_ALIKE else [f"{names[0]} .. {names[-1]} ({len(names)})"]


def _causes(cycles: Mapping[str, int], itself: str | None = None) -> str:
    parts = (f"{'itself' if cause == itself else cause} {count}" for cause, count in cycles.items())
    return escape(", ".join(parts)) or "-"


def plain_table(*headings: str, right: tuple[int, ...] = ()) -> Table:
    """Return a table with these headings; the columns numbered in ``right`` are for numbers."""
    table = PlainTable()
    for index, heading in enumerate(headings):
        table.add_column(heading, justify="right" if index in right else "left", overflow="fold")
    return table


def some_of(rows: Sequence[Row]) -> list[Row]:
    """Return as many rows as are read: of more than 20 every few ones, with the first and the last.

    Examples
    --------
    >>> some_of(range(39))[:3], len(some_of(range(39)))
    ([0, 2, 4], 20)
    """
    if len(rows) <= MOST_ROWS:
        return list(rows)
    return [rows[k * (len(rows) - 1) // (MOST_ROWS - 1)] for k in range(MOST_ROWS)]


def plain_line(console: Console, text: str) -> None:
    """Print a line as it is: no markup, no colours, and broken between words only where a terminal has no room."""
    if isinstance(console, Screen) and console.folds:
        text = folded(text, console.room)
    console.print(text, markup=False, highlight=False, soft_wrap=True)
