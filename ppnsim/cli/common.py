"""What commands share: a loop over files that always ends with JSON, progress bars, exit codes."""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import typer
from rich.console import Console

from ppnsim.cli import bar
from ppnsim.cli.interrupts import HeldInterrupts
from ppnsim.cli.later import Interrupts
from ppnsim.cli.options.outputs import check_distinct, check_place, write_json
from ppnsim.errors import PpnsimError
from ppnsim.report import folding

INTERNAL_ERROR, BAD_INPUT, DEADLOCK, INTERRUPTED = 1, 2, 3, 130

Result = dict[str, Any]
Work = Callable[[str], tuple[Result, int]]


def for_each_file(files: list[str], json_path: str | None, work: Work) -> None:
    """Do ``work`` for every file, even after an error; write the JSON and exit with the first of 1, 2, 3.

    ``work`` returns the result of a file and its exit code. The JSON is a list exactly when several files were given.
    An error becomes an entry ``{file, error}``. Ctrl-C ends the loop, and the results so far are written; ``work``
    may also catch Ctrl-C and return `INTERRUPTED` with a partial result.
    """
    check_place(json_path)
    check_distinct({"--json": json_path}, files)
    results: list[Result] = []
    codes: set[int] = set()
    for file in files:
        result, code = _attempt(work, file)
        results.append(result)
        codes.add(code)
        if code == INTERRUPTED:
            typer.echo(f"interrupted at {file}", err=True)
            break
    with HeldInterrupts() as ctrl_c:
        if json_path is not None:
            write_json(results if len(files) > 1 else results[0], json_path)
    codes |= {INTERRUPTED} if ctrl_c.noted else set()
    raise typer.Exit(INTERRUPTED if INTERRUPTED in codes else min(codes - {0}, default=0))


def _attempt(work: Work, file: str) -> tuple[Result, int]:
    """Do ``work`` for one file; an error becomes an entry and an exit code."""
    try:
        return work(file)
    except KeyboardInterrupt:
        return {"file": file, "error": f"{file}: interrupted"}, INTERRUPTED
    except PpnsimError as error:
        message = str(error) if f"{file}:" in str(error) else f"{file}: {error}"
        code = error.exit_code
    except MemoryError:
        message = f"{file}: needs more memory than there is (fewer firings, or smaller sizes, need less)"
        code = BAD_INPUT
    except OSError as error:
        what = f"no access to '{error.filename}'" if error.filename else "the output cannot be written"
        message, code = f"{file}: {what} ({error.strerror})", BAD_INPUT
    except Exception as error:
        if Interrupts.noted:
            return {"file": file, "error": f"{file}: interrupted"}, INTERRUPTED
        traceback.print_exc()
        message, code = f"{file}: internal error, please report it: {error!r}", INTERNAL_ERROR
    typer.echo(folding.told_on(sys.stderr, message), err=True)
    return {"file": file, "error": message}, code


@contextmanager
def progress(title: str, unit: str = "firings") -> Iterator[Callable[[int, int], None]]:
    """Yield a function of (done, all) that draws a bar on standard error once a run takes longer than a second."""
    errors = Console(stderr=True)
    began, shown = time.monotonic(), None

    def report(done: int, total: int) -> None:
        nonlocal shown
        if errors.is_terminal and time.monotonic() - began > 1:
            shown = shown or bar.started(title, unit, errors)
            shown.update(shown.task_ids[0], completed=done, total=total)

    try:
        yield report
    finally:
        if shown is not None:
            shown.stop()
