"""Where the depths of ``ppnsim size`` go: the options and pragmas to paste, the source or network that has them."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import typer
from rich.console import Console

from ppnsim.c.suffixes import SUFFIXES as SOURCES
from ppnsim.cli.options.depths import answered, pasted
from ppnsim.cli.options.outputs import Output, check_distinct, check_output, check_standard_output
from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.formats import toml_depths
from ppnsim.formats.decode import read_text
from ppnsim.formats.network_text import SUFFIXES as NETWORKS
from ppnsim.formats.network_text import network_text
from ppnsim.formats.places import format_of_text
from ppnsim.hls.project.suffixes import is_source
from ppnsim.library import sized_copy
from ppnsim.library.subject import NetworkFile
from ppnsim.model.network import Network
from ppnsim.report.text import plain_line
from ppnsim.source_networks import blocks, memories
from ppnsim.source_networks import depths as in_source
from ppnsim.source_networks import report as places
from ppnsim.source_networks.model import SourceNetwork

_OPTION = "--out"


def check_copy(out: Path, files: Sequence[str], output: Output) -> None:
    """Raise `InputError` before any work is done if a copy could not be written, or would replace a file."""
    where = f"{_OPTION} {out}"
    if len(files) > 1:
        raise InputError(f"{len(files)} files, but only one can be copied", where=where)
    if str(out) == "-":
        check_standard_output({_OPTION: out, "--csv": output.csv, "--json": output.json})
        return
    if out.suffix in SOURCES and not is_source(files[0]):
        raise InputError(f"'{files[0]}' is not a C or C++ source, which pragmas could be written to", where=where)
    if out.suffix not in SOURCES and out.suffix.lower() not in NETWORKS:
        known = ", ".join((*NETWORKS, *SOURCES))
        raise InputError(f"'{out.suffix}' is no format for sized depths (known: {known})", where=where)
    if out.exists() and Path(files[0]).exists() and out.samefile(files[0]):
        raise InputError(f"'{out}' is the source itself; choose another name", where=_OPTION)
    check_output(out, _OPTION, output.json)
    check_distinct({_OPTION: out, "--plot": output.plot, "--json": output.json}, files)


def check_streams(source: SourceNetwork | None, out: Path | None) -> None:
    """Refuse a copy with pragmas of a source without streams, or in place of the source that a project names."""
    if out is None or source is None or _format(out, source.file) not in SOURCES:
        return
    if out.exists() and out.samefile(source.file):
        raise InputError(f"'{out}' is the source itself; choose another name", where=_OPTION)
    sized_copy.check_streams(source, out, where=f"{_OPTION} {out}")


def depths_given(terminal: Console, found: NetworkFile, result: Mapping[str, Any], out: Path | None) -> dict[str, Any]:
    """Print how to apply the depths of an answer, write the file that has them, and return both as JSON.

    The depths are those for the target if there is one, else those without loss (`ppnsim.cli.options.depths.answered`),
    and after an interrupt the best ones that were found.
    """
    what, depths = _best(result)
    given = {} if found.source is None else _pragmas(terminal, found.source, depths)
    if found.source is not None and depths:
        _tell_rams(terminal, found.network, found.source, depths)
    if depths is not None and not depths:
        plain_line(terminal, "there is no depth to choose (fixed channels keep theirs unless --limit names them)")
    elif depths is not None and not given.get("pragmas"):
        plain_line(terminal, f"to apply those {what}: {pasted(depths)}")
    if out is None:
        return given
    if depths is None or (result["target"] is None and any(gap["question"] == "target" for gap in result["gap"] or ())):
        typer.echo(f"{out} is not written: there are no such depths", err=True)
        return given
    suffix = _format(out, found.file)
    if suffix in NETWORKS:
        own, anew = _network(found, depths, suffix)
        _write(own.encode(), out)
        words = f"{found.network.name} with these depths{_not_proven(result, depths)} is in {out}"
        plain_line(terminal, words + (" (written anew: comments are not in it)" if anew else ""))
    else:
        assert found.source is not None
        if not given["pragmas"]:
            return given
        text, pragmas = Path(found.source.file).read_bytes(), in_source.stream_pragmas(found.source, depths)
        _write(in_source.with_pragmas(text, found.source.file, pragmas), out)
        left = blocks.not_written(text, found.source, depths)
        words = "with these pragmas" if not left else "with what can be written of them"
        plain_line(terminal, f"{found.source.file} {words}{_not_proven(result, depths)} is in {out}")
        if left:
            plain_line(terminal, left)
    return given | {"written": str(out)}


def _best(result: Mapping[str, Any]) -> tuple[str, dict[str, int] | None]:
    """Return the recommended depths and what they are for, after an interrupt also those that only run."""
    what, depths = answered(result)
    if depths is None and result["interrupted"] and result["deadlock_free"]:
        return "without deadlock", result["deadlock_free"]["depths"]
    return what, depths


def _not_proven(result: Mapping[str, Any], depths: Mapping[str, int]) -> str:
    """Return words on depths that nobody has proven to be the smallest: the search was stopped, or could not."""
    answers = [result[question] for question in ("target", "lossless", "deadlock_free") if result[question]]
    proven = next(answer["certified"] for answer in answers if answer["depths"] == depths)
    return "" if proven else ", which are not proven to be the smallest,"


def _format(out: Path, file: str | Path) -> str:
    """Return the suffix of what is written; standard output gets the format of the file, or TOML."""
    if str(out) != "-":
        return out.suffix if out.suffix in SOURCES else out.suffix.lower()
    if str(file) == "-":
        return format_of_text(read_text(Path("-")))
    own = Path(file).suffix
    return own if own in SOURCES else own.lower() if own.lower() in NETWORKS else ".toml"


def _write(copy: bytes, out: Path) -> None:
    """Write a copy to its place, or to standard output."""
    if str(out) == "-":
        sys.stdout.write(copy.decode())
        return
    try:
        out.write_bytes(copy)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", where=f"{_OPTION} {out}") from None


def _network(found: NetworkFile, depths: Mapping[str, int], suffix: str) -> tuple[str, bool]:
    """Return the network with these depths, of TOML in the words of its author, and whether that was not possible."""
    file = Path(found.file)
    own = format_of_text(read_text(file)) if found.file == "-" else file.suffix.lower()
    both = own == suffix == ".toml"
    text = toml_depths.with_depths_in_text(read_text(file), file, found.network, depths) if both else None
    if text is not None:
        return text, False
    return network_text(found.network.with_depths(depths), Path(f"sized{suffix}")), both and "#" in read_text(file)


def _pragmas(terminal: Console, source: SourceNetwork, depths: Mapping[str, int] | None) -> dict[str, Any]:
    pragmas = in_source.stream_pragmas(source, depths) if depths is not None else []
    places.print_pragmas(terminal, source, pragmas)
    return {"pragmas": [in_source.pragma_result(each) for each in pragmas]}


def _tell_rams(terminal: Console, network: Network, source: SourceNetwork, depths: Mapping[str, int]) -> None:
    """Say what the source finishes at with the pragmas, where that is not what was sized for its memories (R10.2)."""
    pasted_network, changed = memories.as_pasted(network, source, depths)
    if changed:
        sized, then = (run(each, on_deadlock="return").finish for each in (network.with_depths(depths), pasted_network))
        if sized != then:
            words = f"the finish with these pragmas is {then}, not {sized}: they make other memories of"
            plain_line(terminal, f"{words} {', '.join(changed)} (a token passes a RAM in 2 cycles, registers in 1)")
