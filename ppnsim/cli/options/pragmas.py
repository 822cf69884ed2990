"""The end of ``ppnsim size`` on a C++ source: the pragmas to paste, and a copy of the source that has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from ppnsim.cli.options.outputs import Output, check_distinct, check_output
from ppnsim.cli.options.source_network import is_source
from ppnsim.errors import InputError
from ppnsim.report.text import plain_line
from ppnsim.source_networks.depths import pragma_result, stream_pragmas, with_pragmas
from ppnsim.source_networks.model import SourceNetwork
from ppnsim.source_networks.report import print_pragmas

_OPTION = "--write"


def check_copy(write: Path, files: Sequence[str], output: Output) -> None:
    """Raise `InputError` before any work is done if a copy could not be written, or would replace a file."""
    where = f"{_OPTION} {write}"
    if len(files) > 1:
        raise InputError(f"{len(files)} files, but only one can be copied", where=where)
    if not is_source(files[0]):
        raise InputError(f"'{files[0]}' is not a C or C++ source, which pragmas could be written to", where=where)
    if write.exists() and Path(files[0]).exists() and write.samefile(files[0]):
        raise InputError(f"'{write}' is the source itself; choose another name", where=_OPTION)
    check_output(write, _OPTION, output.json)
    check_distinct({_OPTION: write, "--plot": output.plot, "--json": output.json}, files)


def check_streams(source: SourceNetwork | None, write: Path | None) -> None:
    """Refuse a copy with pragmas of a source without streams, or in place of the source that a project names."""
    if write is not None and source is not None and write.exists() and write.samefile(source.file):
        raise InputError(f"'{write}' is the source itself; choose another name", where=_OPTION)
    if write is not None and source is not None and not source.streams:
        what = "has no streams between its tasks" if source.made_of == "tasks" else "has no '#pragma HLS dataflow'"
        words = f"function '{source.function}' {what}, so there are no depths to write"
        raise InputError(words, where=f"{_OPTION} {write}")


def pragmas_of(
    terminal: Console, source: SourceNetwork, result: Mapping[str, Any], write: Path | None
) -> dict[str, Any]:  # fmt: skip
    """Print the pragmas of an answer, those for the target if there is one, and write the copy; return both as JSON."""
    chosen = next((question for question in ("target", "lossless") if result[question]), None)
    pragmas = stream_pragmas(source, result[chosen]["depths"]) if chosen is not None else []
    print_pragmas(terminal, pragmas)
    found: dict[str, Any] = {"pragmas": [pragma_result(each) for each in pragmas]}
    if write is not None and pragmas:
        copy = with_pragmas(Path(source.file).read_bytes(), source.file, pragmas)
        try:
            write.write_bytes(copy)
        except OSError as error:
            raise InputError(f"cannot be written ({error.strerror})", where=f"{_OPTION} {write}") from None
        plain_line(terminal, f"{source.file} with these pragmas is in {write}")
        found["written"] = str(write)
    return found
