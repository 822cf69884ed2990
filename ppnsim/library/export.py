"""``ppnsim.export``: a network, or its run, in the format of another tool."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import Any

from rich.console import Console

from ppnsim.errors import InputError
from ppnsim.export.formats import FORMATS, NETWORKS, Format, Table
from ppnsim.export.place import replacing
from ppnsim.export.window import WindowLike
from ppnsim.files import load
from ppnsim.formats.network_text import network_text
from ppnsim.formats.sdf3_dump import dump_sdf3
from ppnsim.hls.project.suffixes import is_source
from ppnsim.library.answer import Answer
from ppnsim.library.place import Place
from ppnsim.library.subject import Depths, NetworkFile, NetworkLike, network_file
from ppnsim.model.network import Network
from ppnsim.model.run import Run
from ppnsim.platform.files.toml import PlatformFile
from ppnsim.report.text import plain_line

STANDARD_OUTPUT = "-"


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class WrittenExport(Answer):
    """What was written: ``result`` is that of the command, ``words`` the sentence that it prints."""

    result: Mapping[str, Any]
    words: str

    @property
    def paths(self) -> list[Path]:
        """The files that were written."""
        written = self.result["output"]
        return [Path(each) for each in ([written] if isinstance(written, str) else written)]

    def to_dict(self) -> dict[str, Any]:
        """Return what the command writes as JSON."""
        return dict(self.result)

    def print(self, console: Console) -> None:
        """Print what was written where."""
        plain_line(console, self.words)

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return a row for each file."""
        return [{"path": str(path)} for path in self.paths]


def export(
    network: NetworkLike | Run | PlatformFile, out: Place, *, format: Format | None = None,
    window: WindowLike = (None, None), table: Table | None = None, flows: bool = False, depths: Depths | None = None,
    style: str | None = None, convention: str | None = None, progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> WrittenExport:  # fmt: skip
    """Write a network as SDF3 XML, network JSON or TOML, or its run for waveform viewers and data frames.

    Parameters
    ----------
    network : a network, a run, a platform with an application, or a path (``options``: what `ppnsim.load` takes).
    out : the file; its suffix says the format, unless ``format`` does.
    format : ``json`` and ``perfetto``, ``wavedrom`` share a suffix.
    window : cycles ``(first, last + 1)`` of a run, None = its end; or ``"A:B"`` in cycles or time.
    table : of csv and parquet: ``firings``, ``states``, ``occupancy``; platforms have ``spans``.
    flows : of perfetto: an arrow for every token.
    depths, style : as of `ppnsim.run`.
    convention : what depths count, ``ppn`` or ``sdf3``; default that of the network.
    progress : called while a platform is simulated.

    Raises
    ------
    InputError
        If the suffix is not that of a format, an option says nothing to it, or the file cannot be written.
    """
    place = Path(out)
    kind = format or format_of(place)
    whole = window == (None, None)
    check(kind, place, {"--window": None if whole else window, "--table": table, "--flows": flows or None})
    same = depths is None and style is None and convention is None
    if isinstance(network, Run) and (kind in NETWORKS or not same):
        network = network.network
    if not isinstance(network, Run):
        held, file = _held(network, options)
        if not isinstance(held, PlatformFile):
            more = options if isinstance(held, str) else {}
            found = network_file(held, depths=depths, style=style, convention=convention, **more)
            if kind in NETWORKS:
                return written_network(found, place, kind)
            return write_run(kind, place, found.network, file, window, table, flows=flows)
        if kind in NETWORKS or not same:
            raise InputError("a platform has neither depths nor styles, and is written as vcd, perfetto, csv, parquet")
        return write_run(kind, place, held, file, window, table, flows=flows, progress=progress)
    return write_run(kind, place, network, network.network.name, window, table, flows=flows)


def write_run(
    kind: str, place: Path, held: Run | Network | PlatformFile, file: str, window: WindowLike, table: str | None, *,
    flows: bool, progress: Callable[[int, int], None] | None = None,
) -> WrittenExport:  # fmt: skip
    """Write a run, or that of a network or a platform, which is then simulated."""
    module = import_module("ppnsim.library.run_export")  # pandas takes a while to import
    asked = module.RunExport(kind=kind, output=place, window=window, table=table, flows=flows, progress=progress)
    result, words = asked.write(held, file)
    return WrittenExport(result=result, words=words)


def written_network(found: NetworkFile, place: Path, kind: str) -> WrittenExport:
    """Write a network as network JSON, TOML or SDF3 XML."""
    network, more = found.network, ""
    result: dict[str, Any] = {"file": found.file, "output": str(place)}
    if kind == "sdf3":
        dump = dump_sdf3(network)
        text, result["iterations"] = dump.text, dump.iterations
        more = f" (as given: --iterations {dump.iterations})"
    else:
        text = network_text(network, f"-.{kind}")
    if str(place) == STANDARD_OUTPUT:
        sys.stdout.write(text)
    else:
        with replacing(place) as file:
            file.write(text)
    sizes = {"processes": len(network.processes), "channels": len(network.written.channels)}
    return WrittenExport(result=result | sizes | found.result(), words=f"{network.name}: written to {place}{more}")


def format_of(output: Path) -> str:
    """Return the format that a suffix says: .json is the network's own, .svg a diagram of its run; ``-`` is JSON."""
    if str(output) == STANDARD_OUTPUT:
        return "json"
    for kind, suffixes in FORMATS.items():
        if output.suffix.lower() in suffixes:
            return kind
    known = ", ".join(dict.fromkeys(suffix for suffixes in FORMATS.values() for suffix in suffixes))
    raise InputError(f"'{output.suffix}' is none of {known}", where=f"--out {output}")


def check(kind: str, output: Path, asked: Mapping[str, Any]) -> None:
    """Refuse a suffix that is not that of the format, and options that the format does not know."""
    if str(output) == STANDARD_OUTPUT:
        if kind not in NETWORKS:
            raise InputError(f"standard output takes a network ({', '.join(NETWORKS)}), not {kind}", where="--out -")
    elif output.suffix.lower() not in FORMATS[kind]:
        raise InputError(f"'{output.suffix}' is not {' or '.join(FORMATS[kind])}", where=f"--out {output}")
    known = {
        "vcd": {"window"}, "wavedrom": {"window"}, "perfetto": {"window", "flows"}, "csv": {"window", "table"},
        "parquet": {"window", "table"},
    }.get(kind, set())  # fmt: skip
    for option, value in asked.items():
        needs = "window" if option in ("--window", "--from", "--to") else option.removeprefix("--")
        if value is not None and needs not in known:
            raise InputError(f"{option} says nothing to the format {kind}")


def _held(given: NetworkLike | PlatformFile, options: Mapping[str, Any]) -> tuple[NetworkLike | PlatformFile, str]:
    """Return what is exported and where it comes from; depths of a file count tokens until they are written."""
    if not isinstance(given, str | PathLike):
        name = given.system.name if isinstance(given, PlatformFile) else network_file(given).file
        return given, name
    file = str(given)
    if is_source(file):
        return file, file
    held = load(file, "Network", "PlatformFile", **options)
    return (NetworkFile(network=held, file=file) if isinstance(held, Network) else held), file
