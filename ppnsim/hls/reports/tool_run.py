"""Which release of the tool ran beside a source, and what it made: its logs and reports say so at their beginning."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from ppnsim.hls.structure.partitions import Flow

_PLACES = (
    "*_hls.log", "*csynth.rpt", "*csynth.xml", "solution*.log", "solution*/solution*.log", "*/solution*/solution*.log",
    "syn/report/*csynth.*", "*/syn/report/*csynth.*", "*/*/syn/report/*csynth.*",
)  # fmt: skip
_LEVELS = 2
"""Folders above that of the source that are looked through, inside of its repository."""
_MOST, _BEGINNING = 20, 4096
"""Files of a folder that are opened, and the bytes of each that are read."""
_RELEASE = re.compile(
    r"HLS - High-Level Synthesis from .* v(20\d\d\.\d)|\* Version:\s*(20\d\d\.\d)|<Version>(20\d\d\.\d)"
)
_FLOW = re.compile(r"\((Vivado IP|Vitis Kernel) Flow Target\)")


@dataclass(frozen=True, slots=True)
class ToolRun:
    """What files of the vendor's tool say of its run; "" and None where they do not, or not all the same.

    ``release`` is as ``--release`` takes it; ``release_file`` and ``flow_file`` are the first that say it.
    """

    release: str = ""
    release_file: str = ""
    flow: Flow | None = None
    flow_file: str = ""


def tool_run(source: str | Path) -> ToolRun:
    """Return what the logs and reports around a source say: in its folder, else in the nearest one above that has some.

    Examples
    --------
    >>> tool_run("no/such/file.cpp")
    ToolRun(release='', release_file='', flow=None, flow_file='')
    """
    for folder in islice(_upwards(Path(source).parent), _LEVELS + 1):
        found = _run_in(folder)
        if found.release_file or (folder / ".git").exists():
            return found
    return ToolRun()


def _upwards(folder: Path) -> Iterator[Path]:
    above = (folder.resolve(), *folder.resolve().parents)
    yield from above if folder.is_absolute() else (Path(os.path.relpath(each)) for each in above)


def _run_in(folder: Path) -> ToolRun:
    releases, flows = dict[str, str](), dict[str, str]()
    for file in islice(_files(folder), _MOST):
        with file.open("rb") as opened:
            text = opened.read(_BEGINNING).decode("utf-8", errors="replace")
        if (match := _RELEASE.search(text)) is not None:
            releases.setdefault(match[match.lastindex or 0], str(file))
            if (of := _FLOW.search(text)) is not None:
                flows.setdefault(of[1], str(file))
    (release, release_file), (flow, flow_file) = (_only(each) for each in (releases, flows))
    kinds: dict[str, Flow] = {"Vivado IP": "vivado", "Vitis Kernel": "vitis"}
    return ToolRun(release, release_file, kinds.get(flow), flow_file)


def _only(found: dict[str, str]) -> tuple[str, str]:
    """Return what is said and the first file that says it; of several that differ, the file alone."""
    first = next(iter(found.items()), ("", ""))
    return first if len(found) <= 1 else ("", first[1])


def _files(folder: Path) -> Iterator[Path]:
    for place in _PLACES:
        yield from sorted(each for each in folder.glob(place) if each.is_file())
