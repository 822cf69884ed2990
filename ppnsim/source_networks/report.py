"""Answers in the words of the source: its lines, its variables, the pragmas to paste."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape

from ppnsim.hls.ends import start_to_done, two_ends
from ppnsim.loops.position import Position
from ppnsim.model.run import Fix, Run
from ppnsim.report.text import plain_line, plain_table
from ppnsim.source_networks.depths import StreamPragma, pragma_result, stream_pragmas
from ppnsim.source_networks.model import SourceNetwork, line_of


def source_result(source: SourceNetwork) -> dict[str, Any]:
    """Return what was taken from the source, and where its processes and streams stand there.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> source = SourceNetwork(network=chain(firings=1, length=2), file="k.c", function="f", made_of="statements")
    >>> source_result(source)["processes"]
    {'p0': None, 'p1': None}
    """
    open_to = {"depths_hold_for": source.holds_for} if source.holds_for else {}
    return {
        "function": source.function, "made_of": source.made_of, "device": source.device or None,
        "clock_ns": source.network.clock_ns, "notes": list(source.notes),
        "processes": {each.name: source.line(each.name) or None for each in source.network.processes},
        "streams": [
            {"variable": each.variable, "channels": list(each.channels), "at": each.place or None}
            for each in source.streams
        ],
        **open_to,
    }  # fmt: skip


def start_to_done_of(source: SourceNetwork, run: Run) -> int | None:
    """Return the cycles of a region between start and done, as co-simulation counts; None where that is not known."""
    if source.whole:
        return run.finish
    return start_to_done(run, source.late) + source.control if source.late and run.finish is not None else None


def ends_of(source: SourceNetwork, run: Run) -> str:
    """Return a sentence that names both ends of a region where they differ, else ""."""
    cycles = start_to_done_of(source, run)
    return "" if cycles is None or run.finish is None else two_ends(cycles, run.finish, source.control)


def print_ends(console: Console, source: SourceNetwork, run: Run) -> None:
    """Print both ends of a region where they differ."""
    if words := ends_of(source, run):
        plain_line(console, words)


def fix_pragmas(source: SourceNetwork, run: Run, fix: Fix | None) -> list[StreamPragma]:
    """Return the pragmas that break a deadlock; FIFOs of one variable share the deepest of their depths."""
    deeper = fix.deeper if fix is not None else {}
    changed = {name for each in source.streams if set(each.channels) & set(deeper) for name in each.channels}
    now = {each.name: each.depth for each in run.network.channels if each.name in changed}
    return stream_pragmas(source, {**now, **deeper})


def deadlock_places(source: SourceNetwork, run: Run, fix: Fix | None) -> dict[str, Any]:
    """Return where the processes and channels of a deadlock stand in the source, and the pragmas that break it."""
    assert run.deadlock is not None
    cycle = run.deadlock.cycle
    channels = {}
    for wait in cycle:
        written, read = (line_of(each) or None for each in source.ends(wait.channel))
        at = line_of(source.declared.get(wait.channel, Position())) or None
        channels[wait.channel] = {"at": at, "written_at": written, "read_at": read}
    return {
        "processes": {wait.process: source.line(wait.process) or None for wait in cycle},
        "channels": channels,
        "pragmas": [pragma_result(each) for each in fix_pragmas(source, run, fix)],
    }


def print_deadlock_places(console: Console, source: SourceNetwork, run: Run, fix: Fix | None) -> None:
    """Print the lines of the source that wait for each other, and the pragmas that break the circle."""
    assert run.deadlock is not None
    plain_line(console, f"in {source.file}:")
    table = plain_table("channel", "declared", "written", "read")
    for name in dict.fromkeys(wait.channel for wait in run.deadlock.cycle):
        channel, (written, read) = run.network.channel(name), source.ends(name)
        table.add_row(
            escape(name), _line(source.declared.get(name, Position()), source),
            f"{_line(written, source)}, by {escape(channel.source)}",
            f"{_line(read, source)}, by {escape(channel.target)}",
        )  # fmt: skip
    console.print(table)
    print_pragmas(console, source, fix_pragmas(source, run, fix))


def deadlock_lines(source: SourceNetwork, run: Run) -> str:
    """Return where the channels of a deadlock are declared, written and read in the source, a line each."""
    assert run.deadlock is not None
    lines = [f"in {source.file}:"]
    for name in dict.fromkeys(wait.channel for wait in run.deadlock.cycle):
        places = (source.declared.get(name, Position()), *source.ends(name))
        declared, written, read = (_line(place, source) for place in places)
        lines.append(f"  {name}: declared {declared}, written {written}, read {read}")
    return "\n".join(lines)


def _line(place: Position, source: SourceNetwork) -> str:
    """Return a place, without the name of the file if that is the source itself."""
    return escape(line_of(place) if place.file != source.file else f"line {place.line}") or "-"


def print_pragmas(console: Console, source: SourceNetwork, pragmas: Sequence[StreamPragma]) -> None:
    """Print the pragmas to paste, each with the place where it belongs."""
    for line in pragma_lines(source, pragmas):
        plain_line(console, line)


def pragma_lines(source: SourceNetwork, pragmas: Sequence[StreamPragma]) -> Iterator[str]:
    """Yield the pragmas to paste, each with the place where it belongs, and for which inputs they are enough."""
    width = max((len(each.text) for each in pragmas), default=0)
    kinds: dict[str, list[StreamPragma]] = {
        "paste after the declarations:": [], "paste in the functions:": [], "put in place of the pragmas there:": [],
        "change the types, there and where functions take them:": [],
    }  # fmt: skip
    after, inside, there, types = kinds.values()
    for each in pragmas:
        stream = each.stream
        kind = types if stream.blocks else there if stream.pragmas else inside if stream.scope is not None else after
        kind.append(each)
    for heads, some in kinds.items():
        if some:
            yield heads
        for each in some:
            yield f"  {each.text:<{width}}   {_belongs(each)}".rstrip()
    if pragmas and source.holds_for:
        yield f"these depths hold for {source.holds_for}; with more tokens they may lose cycles or deadlock"


def _belongs(pragma: StreamPragma) -> str:
    if pragma.stream.pragmas and not pragma.stream.blocks:
        return ", ".join(line_of(place) for place in pragma.stream.pragmas)
    scope = pragma.stream.scope
    return pragma.stream.place if scope is None else f"{line_of(scope.position)}, at the top of '{scope.name}'"
