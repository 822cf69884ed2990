"""Answers of the library on the command line: printed, drawn, and written as CSV and JSON, alike in all commands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich.console import Console

from ppnsim.cli import interrupts
from ppnsim.cli.common import DEADLOCK, INTERRUPTED, for_each_file
from ppnsim.cli.options.outputs import Output, write_table
from ppnsim.explore.explain import deadlock_fix
from ppnsim.library.answer import Answer
from ppnsim.model.run import DeadlockError, Run
from ppnsim.report import result as results
from ppnsim.report import text
from ppnsim.source_networks import report as places

if TYPE_CHECKING:
    from ppnsim.source_networks.model import SourceNetwork

Ask = Callable[[str], tuple[Answer, int]]
"""What returns the answer on a file, and the exit code."""


class StuckSource(DeadlockError):
    """A deadlock of a network that comes from a source, whose lines are told."""

    def __init__(self, run: Run, source: SourceNetwork | None) -> None:
        super().__init__(run)
        self.source = source


@contextmanager
def table_of(output: Output, files: Sequence[str]) -> Iterator[Callable[[str, Answer], None]]:
    """Yield what takes the answer on a file; at the end the rows of all are written as CSV, if that is asked for.

    The file stands in the first column if there are several. What could be answered is written, also where another
    file has a fault.
    """
    rows: list[Mapping[str, Any]] = []

    def add(file: str, found: Answer) -> None:
        if output.csv is not None:
            rows.extend(({"file": file} if len(files) > 1 else {}) | dict(row) for row in found.rows())

    try:
        yield add
    finally:  # a command ends with an exception, also when all is well
        with interrupts.HeldInterrupts() as ctrl_c:
            if output.csv is not None and not rows:
                text.plain_line(output.terminal(), f"no rows to write to {output.csv}")
            elif output.csv is not None:
                write_table(rows, output.csv, "--csv")
                text.plain_line(output.terminal(), f"rows written to {output.csv}")
        ctrl_c.check()


def answer_each_file(
    files: list[str],
    output: Output,
    ask: Ask,
    *,
    drawn: Callable[[Any], Any] = lambda found: found.figure(),
) -> None:
    """Print the answer on every file, draw it, and write its rows as CSV and all of it as JSON, as far as asked for.

    ``drawn`` draws an answer; of several files each gets a picture, with the name of the file in its own.
    """
    terminal = output.terminal()
    output.check(files)
    places = iter(output.pictures(files))
    with table_of(output, files) as add:

        def work(file: str) -> tuple[dict[str, Any], int]:
            place = next(places, None)
            try:
                found, code = ask(file)
            except DeadlockError as error:
                return stuck(terminal, error.run, file, getattr(error, "source", None))
            with interrupts.HeldInterrupts() as ctrl_c:
                if not terminal.quiet:
                    found.print(terminal)
                add(file, found)
                if output.plot is not None and (code == 0 or found.rows()):
                    output.save(drawn(found), terminal, place=place)
                result = found.to_dict()
            return result, INTERRUPTED if ctrl_c.noted else code

        for_each_file(files, output.json, work)


def stuck(
    terminal: Console, outcome: Run, file: str, source: SourceNetwork | None = None
) -> tuple[dict[str, Any], int]:
    """Report a deadlock as `ppnsim run` does, by its circle of waits."""
    code = DEADLOCK
    fix = None
    try:
        fix = deadlock_fix.fix_deadlock(outcome)
    except KeyboardInterrupt:
        code = INTERRUPTED
    text.plain_line(terminal, f"{outcome.network.name}   {outcome.deadlock}")
    text.plain_line(terminal, f"  -> {fix or 'the search for depths was interrupted'}")
    result: dict[str, Any] = {
        "file": file, "name": outcome.network.name, "finish": None, "time_ns": None, "engine": outcome.engine,
        "deadlock": results.deadlock_result(outcome, fix),
    }  # fmt: skip
    if source is not None:
        places.print_deadlock_places(terminal, source, outcome, fix)
        result["source"] = places.source_result(source)
        result["deadlock"]["source"] = places.deadlock_places(source, outcome, fix)
    return result, code
