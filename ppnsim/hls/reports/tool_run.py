"""The tool's last run beside a source: the release and the flow, from the first lines of its logs and reports."""

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
"""The places where the tool leaves these files below a folder; if it left none, the places where people put them."""
_LEVELS = 2
"""Most folders above that of the source that are searched, inside of its repository."""
_MOST, _BEGINNING = 20, 4096
"""Most files of a folder that are opened, and the bytes of each that are read."""
_RELEASE = re.compile(
    r"HLS - High-Level Synthesis from .* v(20\d\d\.\d)|\* Version:\s*(20\d\d\.\d)|<Version>(20\d\d\.\d)"
)
_FLOW = re.compile(r"\((Vivado IP|Vitis Kernel) Flow Target\)")
_FLOWS: dict[str, Flow] = {"Vivado IP": "vivado", "Vitis Kernel": "vitis"}
_TOOL = re.compile(r"(Vivado|Vitis)(?:\(TM\))? HLS")
_PART = re.compile(r"\* Target device:\s*(\S+)|<Part>([^<\s]+)</Part>")


@dataclass(frozen=True, slots=True)
class ToolRun:
    """The facts about the vendor tool's run in its files; "" and None for missing or contradicting facts.

    ``release`` has the form of ``--release``; ``release_file`` and ``flow_file`` are the first files with that fact.
    ``unlike`` are contradicting values, each with its file, by fact. ``part`` is the part in reports, which is not
    used: the last run need not be for the intended board. ``by_vivado``: Vivado HLS wrote the logs and reports that
    name their tool; release 2020.1 is one of both tools.
    """

    release: str = ""
    release_file: str = ""
    flow: Flow | None = None
    flow_file: str = ""
    part: str = ""
    by_vivado: bool = False
    unlike: Mapping[str, str] = field(default_factory=dict)


def tool_run(*sources: str) -> ToolRun:
    """Return the facts in the logs and reports around the first source that has some.

    They are in its folder, else in the nearest folder above with some, inside of its repository: outside of a
    repository it is unknown whose files are in the folders around.

    Examples
    --------
    >>> tool_run("no/such/file.cpp")
    ToolRun(release='', release_file='', flow=None, flow_file='', part='', by_vivado=False, unlike={})
    """
    for places, source in product(_PLACES, sources):
        for folder in _upwards(Path(source).parent):
            if (found := _run_in(folder, places)).release_file:
                return found
    return ToolRun()


def _upwards(folder: Path) -> Iterator[Path]:
    """Yield a folder, and the folders above it that are searched."""
    every = (folder.resolve(), *folder.resolve().parents)
    root = next((level for level, above in enumerate(every) if (above / ".git").exists()), 0)
    for above in every[: min(root, _LEVELS) + 1]:
        yield above if folder.is_absolute() else Path(os.path.relpath(above))


def _run_in(folder: Path, places: Sequence[str]) -> ToolRun:
    releases, flows, parts = dict[str, str](), dict[str, str](), dict[str, str]()
    tools = set[str]()
    for file in islice(_files(folder, places), _MOST):
        try:
            with file.open("rb") as opened:
                text = opened.read(_BEGINNING).decode("utf-8", errors="replace")
        except OSError:  # deleted meanwhile, or not readable
            continue
        if (match := _RELEASE.search(text)) is not None:
            releases.setdefault(match[match.lastindex or 0], str(file))
            tools |= {found[1] for found in (_TOOL.search(text),) if found}
            if (of := _FLOW.search(text)) is not None:
                flows.setdefault(of[1], str(file))
            if (at := _PART.search(text)) is not None:
                parts.setdefault(at[1] or at[2], str(file))
    (release, release_file), (flow, flow_file), (part, _) = (_only(each) for each in (releases, flows, parts))
    unlike = {
        name: " and ".join(f"{_FLOWS.get(value, value)} ({file})" for value, file in found.items())
        for name, found in {"release": releases, "flow": flows}.items() if len(found) > 1
    }  # fmt: skip
    return ToolRun(release, release_file, _FLOWS.get(flow), flow_file, part, tools == {"Vivado"}, unlike)


def _only(found: dict[str, str]) -> tuple[str, str]:
    """Return a fact and the first file with it; if files contradict each other, only the file."""
    first = next(iter(found.items()), ("", ""))
    return first if len(found) <= 1 else ("", first[1])


def _files(folder: Path, places: Sequence[str]) -> Iterator[Path]:
    for place in places:
        # Unlike Path.glob, this glob continues if a folder is deleted meanwhile, as folders in /tmp may be.
        found = (folder / each for each in glob(place, root_dir=folder))  # noqa: PTH207
        yield from sorted(each for each in found if each.is_file())
