"""Which release of the tool ran beside a source, and what it made: its logs and reports say so at their beginning."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from glob import glob
from itertools import islice, product
from pathlib import Path

from ppnsim.hls.structure.partitions import Flow

_PLACES = (
    (
        "*_hls.log", "*csynth.rpt", "*csynth.xml", "solution*.log", "solution*/solution*.log",
        "*/solution*/solution*.log", "syn/report/*csynth.*", "*/syn/report/*csynth.*", "*/*/syn/report/*csynth.*",
    ),
    ("*/*csynth.rpt", "*/*csynth.xml", "*/*_hls.log"),
)  # fmt: skip
"""Where the tool leaves them below a folder, and only if it left none, where people put them."""
_LEVELS = 2
"""Folders above that of the source that are looked through, inside of its repository."""
_MOST, _BEGINNING = 20, 4096
"""Files of a folder that are opened, and the bytes of each that are read."""
_RELEASE = re.compile(
    r"HLS - High-Level Synthesis from .* v(20\d\d\.\d)|\* Version:\s*(20\d\d\.\d)|<Version>(20\d\d\.\d)"
)
_FLOW = re.compile(r"\((Vivado IP|Vitis Kernel) Flow Target\)")
_FLOWS: dict[str, Flow] = {"Vivado IP": "vivado", "Vitis Kernel": "vitis"}
_PART = re.compile(r"\* Target device:\s*(\S+)|<Part>([^<\s]+)</Part>")


@dataclass(frozen=True, slots=True)
class ToolRun:
    """What files of the vendor's tool say of its run; "" and None where they do not, or not all the same.

    ``release`` is as ``--release`` takes it; ``release_file`` and ``flow_file`` are the first that say it. ``unlike``
    are the values, each with its file, of those that do not say all the same, by what they are of. ``part`` is that of
    reports, which is not taken: what ran last need not be for the board that is meant.
    """

    release: str = ""
    release_file: str = ""
    flow: Flow | None = None
    flow_file: str = ""
    part: str = ""
    unlike: Mapping[str, str] = field(default_factory=dict)


def tool_run(*sources: str) -> ToolRun:
    """Return what the logs and reports around the first source that has some say.

    They lie in its folder, else in the nearest one above that has some: in its repository, as without one nobody knows
    whose files those beside the folder are.

    Examples
    --------
    >>> tool_run("no/such/file.cpp")
    ToolRun(release='', release_file='', flow=None, flow_file='', part='', unlike={})
    """
    for places, source in product(_PLACES, sources):
        for folder in _upwards(Path(source).parent):
            if (found := _run_in(folder, places)).release_file:
                return found
    return ToolRun()


def _upwards(folder: Path) -> Iterator[Path]:
    """Yield a folder and those above it that are looked through."""
    every = (folder.resolve(), *folder.resolve().parents)
    root = next((level for level, above in enumerate(every) if (above / ".git").exists()), 0)
    for above in every[: min(root, _LEVELS) + 1]:
        yield above if folder.is_absolute() else Path(os.path.relpath(above))


def _run_in(folder: Path, places: Sequence[str]) -> ToolRun:
    releases, flows, parts = dict[str, str](), dict[str, str](), dict[str, str]()
    for file in islice(_files(folder, places), _MOST):
        try:
            with file.open("rb") as opened:
                text = opened.read(_BEGINNING).decode("utf-8", errors="replace")
        except OSError:  # gone meanwhile, or of somebody else
            continue
        if (match := _RELEASE.search(text)) is not None:
            releases.setdefault(match[match.lastindex or 0], str(file))
            if (of := _FLOW.search(text)) is not None:
                flows.setdefault(of[1], str(file))
            if (at := _PART.search(text)) is not None:
                parts.setdefault(at[1] or at[2], str(file))
    (release, release_file), (flow, flow_file), (part, _) = (_only(each) for each in (releases, flows, parts))
    unlike = {
        name: " and ".join(f"{_FLOWS.get(value, value)} ({file})" for value, file in found.items())
        for name, found in {"release": releases, "flow": flows}.items() if len(found) > 1
    }  # fmt: skip
    return ToolRun(release, release_file, _FLOWS.get(flow), flow_file, part, unlike)


def _only(found: dict[str, str]) -> tuple[str, str]:
    """Return what is said and the first file that says it; of several that differ, the file alone."""
    first = next(iter(found.items()), ("", ""))
    return first if len(found) <= 1 else ("", first[1])


def _files(folder: Path, places: Sequence[str]) -> Iterator[Path]:
    for place in places:
        # Unlike that of Path, this glob goes on where a folder is gone meanwhile, as folders in /tmp may be.
        found = (folder / each for each in glob(place, root_dir=folder))  # noqa: PTH207
        yield from sorted(each for each in found if each.is_file())
