"""What commands share: files one after the other, JSON at the end whatever happens, progress, exit codes."""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ppnsim.cli.outputs import check_distinct

if TYPE_CHECKING:
    from rich.console import Console

INTERNAL_ERROR, BAD_INPUT, DEADLOCK, INTERRUPTED = 1, 2, 3, 130

Files = Annotated[
    list[str],
    typer.Argument(metavar="FILE...", help="Networks: TOML scenarios, network JSON, SDF3 XML.", show_default=False),
]
Json = Annotated[
    str | None,
    typer.Option("--json", metavar="PATH", help="Write the results as JSON; - is standard output and nothing else."),
]
Result = dict[str, Any]
Work = Callable[[str], tuple[Result | list[Result], int]]


def console(json_path: str | None) -> Console:
    """Return where tables go: standard output, or nowhere if that is taken by JSON."""
    from rich.console import Console

    class Output(Console):
        def on_broken_pipe(self) -> None:
            """Go on without a reader: results that are written to files still are."""
            self.quiet = True
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    # Tables keep their columns on a narrow terminal, which wraps their lines; a file gets them whole.
    width = max(Console().width, 100) if sys.stdout.isatty() or "COLUMNS" in os.environ else 160
    return Output(quiet=json_path == "-", width=width, highlight=False)


def for_each_file(files: list[str], json_path: str | None, work: Work, *, as_list: bool = False) -> None:
    """Do ``work`` for every file, none stopping the others; write the JSON and exit with the first of 1, 2, 3.

    ``work`` returns a result, or several of one file, and its exit code; ``as_list`` makes the JSON a list in any case.
    An error becomes an entry ``{file, error}``. Ctrl-C ends the loop, but what is there by then is written; ``work``
    may also catch it itself and return `INTERRUPTED` with what it has.
    """
    check_place(json_path)
    check_distinct({"--json": json_path}, files)
    results: list[Result] = []
    codes: set[int] = set()
    for file in files:
        result, code = _attempt(work, file)
        results += result if isinstance(result, list) else [result]
        codes.add(code)
        if code == INTERRUPTED:
            typer.echo(f"interrupted at {file}", err=True)
            break
    if json_path is not None:
        write_json(results if as_list or len(files) > 1 else results[0], json_path)
    raise typer.Exit(INTERRUPTED if INTERRUPTED in codes else min(codes - {0}, default=0))


def _attempt(work: Work, file: str) -> tuple[Result | list[Result], int]:
    """Do ``work`` for one file; whatever goes wrong becomes an entry and an exit code."""
    from ppnsim.errors import PpnsimError
    from ppnsim.report.result import error_result

    try:
        return work(file)
    except KeyboardInterrupt:
        return error_result(file, f"{file}: interrupted"), INTERRUPTED
    except PpnsimError as error:
        message = str(error) if str(error).startswith(f"{file}:") else f"{file}: {error}"
        code = error.exit_code
    except MemoryError:
        message, code = f"{file}: needs more memory than there is", BAD_INPUT
    except OSError as error:
        message, code = f"{file}: the output cannot be written ({error.strerror})", INTERNAL_ERROR
    except Exception as error:
        traceback.print_exc()
        message, code = f"{file}: internal error, please report it: {error!r}", INTERNAL_ERROR
    typer.echo(message, err=True)
    return error_result(file, message), code


def check_place(json_path: str | None) -> None:
    """Raise `InputError` before any work is done if the JSON could not be written to its place."""
    from ppnsim.errors import InputError

    if json_path is not None and json_path != "-":
        if not json_path or Path(json_path).is_dir():
            raise InputError(f"'{json_path}' is no file to write to (- is standard output)", where="--json")
        if not Path(json_path).parent.is_dir():
            raise InputError(f"there is no directory '{Path(json_path).parent}'", where=f"--json {json_path}")


def check_output(output: Path, option: str, json_path: str | None) -> None:
    """Raise `InputError` before any work is done if a file could not be written, or if the JSON would replace it."""
    from ppnsim.errors import InputError

    if not output.parent.is_dir():
        raise InputError(f"there is no directory '{output.parent}'", where=f"{option} {output}")
    if output.is_dir():
        raise InputError(f"'{output}' is a directory", where=option)
    if json_path not in (None, "-") and Path(str(json_path)).resolve() == output.resolve():
        raise InputError(f"'{output}' is also given to --json, which would replace it", where=option)


@contextmanager
def written_to(folder: Path) -> Iterator[None]:
    """Make a folder for the files of a run; `InputError` names the file that cannot be written."""
    from ppnsim.errors import InputError

    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", where=str(error.filename or folder)) from None


def write_json(value: Any, path: str) -> None:
    """Write JSON to a file, or to standard output for ``-``; the same value gives the same bytes."""
    text = json.dumps(value, indent=2, allow_nan=False) + "\n"
    if path == "-":
        sys.stdout.write(text)
    else:
        _write(text, path)


def write_network(data: dict[str, Any], path: str) -> None:
    """Write network JSON with a line per process and channel: token lists are long, and indenting them takes longer.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     write_network({"name": "net", "processes": [{"name": "a", "firings": 1}], "channels": []}, file.name)
    ...     print(file.read().decode(), end="")
    {
      "name": "net",
      "processes": [
        {"name": "a", "firings": 1}
      ],
      "channels": []
    }
    """
    parts = []
    for key, value in data.items():
        text = json.dumps(value, allow_nan=False)
        if isinstance(value, list) and value:
            lines = ",\n    ".join(json.dumps(each, allow_nan=False) for each in value)
            text = f"[\n    {lines}\n  ]"
        parts.append(f"  {json.dumps(key)}: {text}")
    _write("{\n" + ",\n".join(parts) + "\n}\n", path)


def _write(text: str, path: str) -> None:
    from ppnsim.errors import InputError

    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", where=path) from None


@contextmanager
def progress(title: str, unit: str = "firings") -> Iterator[Callable[[int, int], None]]:
    """Yield a function of (done, all) that draws a bar on standard error once a run takes longer than a second."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    errors = Console(stderr=True)
    bar = Progress(
        TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TextColumn(unit),
        TimeRemainingColumn(), console=errors, transient=True,
    )  # fmt: skip
    began, task = time.monotonic(), bar.add_task(title)
    shown = False

    def report(done: int, total: int) -> None:
        nonlocal shown
        if errors.is_terminal and time.monotonic() - began > 1:
            if not shown:
                bar.start()
                shown = True
            bar.update(task, completed=done, total=total)

    try:
        yield report
    finally:
        if shown:
            bar.stop()


def depths_of(options: list[str]) -> tuple[list[int | None], dict[str, int | None]]:
    """Return the depths given for all channels (the last one counts), and those by channel name; None = unbounded.

    Examples
    --------
    >>> depths_of(["4", "c=8", "d=unbounded"])
    ([4], {'c': 8, 'd': None})
    """
    from ppnsim.errors import InputError

    for_all: list[int | None] = []
    by_name: dict[str, int | None] = {}
    for option in options:
        name, equals, number = option.rpartition("=")
        unbounded = number == "unbounded"
        if not (unbounded or (number.isascii() and number.isdecimal())) or (equals and not name):
            raise InputError(f"'{option}' is neither N nor CHANNEL=N with N tokens or unbounded", where="--depth")
        if len(number) > 15:
            raise InputError(f"'{option}' is more tokens than any memory holds", where="--depth")
        depth = None if unbounded else int(number)
        if equals:
            by_name[name] = depth
        else:
            for_all.append(depth)
    return for_all, by_name
