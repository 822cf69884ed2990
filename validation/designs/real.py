"""Code that people wrote, as it stands: how many of its functions are scheduled, and the reasons for the others.

``python -m validation.designs.real DIR [WORD ...]`` schedules every function of the list whose repository lies under
DIR as ``owner+name``, prints what became of them, and with ``--record`` keeps it in ``real.json`` (figures only).
"""

from __future__ import annotations

import json
import os
import re
import statistics
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stderr
from dataclasses import asdict, dataclass
from io import StringIO
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from ppnsim.errors import PpnsimError
from ppnsim.hls.as_reports import SAID
from ppnsim.hls.project.suffixes import is_project
from ppnsim.hls.schedule.model import StateMachine
from ppnsim.hls.unused import REMOVED
from ppnsim.library.schedule import schedule
from validation.designs.asked import asked

LIST = Path(__file__).with_name("real_hls_code.json")
RECORD = Path(__file__).with_name("real.json")
_INCLUDE = {"breagen/MachSuite": "common"}
"""Folders of headers that a repository gives on the command line of its compiler."""
_VARIABLES = {"Xilinx/finn-hlslib": "FINN_HLS_ROOT"}
"""What a repository wants its own folder to be called in the environment."""
LIMIT = 60
"""Seconds after which a function counts as hung."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a function: ``answered``, ``refused``, ``crashed`` or ``hung``; cycles and those of a report.

    ``other``: why its report is not that of this source; its error is told apart.
    ``assumed``: something is said about its schedule besides what is removed and what reports add, as that the tasks
    of its region are not run against each other (R7.4).
    """

    repo: str
    path: str
    function: str
    status: str
    cycles: int | None = None
    assumed: bool = False
    reference: tuple[int, int] | None = None
    reason: str = ""
    other: str = ""

    @property
    def error(self) -> float | None:
        """The share by which the cycles differ from those of the vendor's report; None without one."""
        if self.reference is None or not self.cycles or not self.reference[1]:
            return None
        return abs(self.cycles / self.reference[1] - 1)


def answers(entries: Sequence[Mapping[str, Any]], folder: Path, words: Sequence[str] = ()) -> Iterator[Answer]:
    """Yield what becomes of each function whose repository is in a folder."""
    for entry in entries:
        repository = folder / entry["repo"].replace("/", "+")
        name = f"{entry['repo']}/{entry['path']}:{entry['function']}"
        if repository.is_dir() and (not words or any(word in name for word in words)):
            yield _answer(entry, repository)


def _answer(entry: Mapping[str, Any], repository: Path) -> Answer:
    """Return what becomes of a function in a process of its own, which is ended when it takes too long."""
    context = get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_scheduled, args=(entry, repository, theirs))
    process.start()
    theirs.close()
    found: dict[str, Any] = {"status": "hung"}
    if ours.poll(LIMIT):
        try:
            found = ours.recv()
        except EOFError:
            found = {"status": "crashed", "reason": "the process ended"}
    process.kill()
    process.join()
    most = entry.get("ref_cycles_max")
    reference = (entry.get("ref_cycles_min") or most, most) if most else None
    other = entry.get("other", "")
    return Answer(entry["repo"], entry["path"], entry["function"], reference=reference, other=other, **found)


def _scheduled(entry: Mapping[str, Any], repository: Path, out: Connection) -> None:
    try:
        machine = machine_of(entry, repository)
        stuck = machine.outcome is not None and machine.outcome.deadlocked
        found = {"reason": "its tasks deadlock"} if stuck else {"cycles": machine.cycles}
        assumed = [each for each in machine.said if not each.startswith((REMOVED, SAID))]
        out.send({"status": "answered", "assumed": assumed != [], **found})
    except PpnsimError as reason:
        out.send({"status": "refused", "reason": re.sub(r"\S*/(?=\S)", "", str(reason))})
    except Exception as fault:
        out.send({"status": "crashed", "reason": f"{type(fault).__name__}: {fault}"[:200]})


def machine_of(entry: Mapping[str, Any], repository: Path) -> StateMachine:
    """Return the schedule of a function of the list, with the cycles that reports count; it sets the environment.

    Raises
    ------
    PpnsimError
        If the function is refused.
    """
    path, repo = repository / entry["path"], entry["repo"]
    os.environ |= {_VARIABLES[repo]: str(repository)} if repo in _VARIABLES else {}
    options: dict[str, Any] = {} if is_project(str(path)) else {"function": entry["function"]}
    options["include"] = [str(repository / _INCLUDE[repo])] if repo in _INCLUDE else []
    clock = f"{entry['clock_ns']} ns"
    # What the caller that the report is of makes of arguments: buses that the function does not name itself.
    buses = [f"interface m_axi port={name} bundle={bus}" for name, bus in entry.get("buses", {}).items()]
    # As the maximum of reports.
    asked = {"device": entry["device"], "clock": clock, "worst": True, "flow": entry.get("flow")}
    asked["release"] = ".".join(entry.get("reference_tool", "").split(".")[:2]) or None
    with redirect_stderr(StringIO()):
        return schedule(path, pragmas=buses, **asked, **options).kernels[0].machine


def summary(found: Sequence[Answer]) -> str:
    """Return the counts, the median error against reports, and the reasons with the functions that they concern."""
    of_status = {status: [each for each in found if each.status == status] for status in _STATUSES}
    counts = ", ".join(f"{len(each)} {status}" for status, each in of_status.items())
    lines = [f"{len(found)} functions: {counts} ({len(of_status['answered']) / max(1, len(found)):.0%} answered)"]
    errors = [each.error for each in found if each.error is not None and not each.other]
    apart = [each for each in found if each.other]
    if errors:
        near = sum(error <= 0.1 for error in errors)
        lines += [f"{len(errors)} with a report: median error {statistics.median(errors):.1%}, {near} within 10 %"]
    lines += [f"report of another source: {each.repo}/{each.path}: {each.other}" for each in apart]
    for status in _STATUSES[1:]:
        reasons: dict[str, list[Answer]] = {}
        for each in of_status[status]:
            reasons.setdefault(_kind(each.reason), []).append(each)
        for reason, concerned in sorted(reasons.items(), key=lambda pair: -len(pair[1])):
            lines.append(f"{status} {len(concerned)}: {reason}")
            lines += [f"    {each.repo}/{each.path}:{each.function}: {each.reason}" for each in concerned]
    return "\n".join(lines)


_STATUSES = ("answered", "refused", "crashed", "hung")


def _kind(reason: str) -> str:
    """Return a reason without its place and its names, so that those of one kind are the same.

    Examples
    --------
    >>> _kind("top.cpp:4:9: function 'f' has no operator")
    "function '..' has no operator"
    """
    return re.sub(r"'[^']*'", "'..'", re.sub(r"^\S+:\d+:\d+: ", "", reason))[:100]


def main(arguments: Sequence[str]) -> None:
    """Print what becomes of the functions, and keep it if that is asked for."""
    given = asked("validation.designs.real", __doc__, arguments, record=f"keep it in {RECORD.name}")
    entries = json.loads(LIST.read_text(encoding="utf-8"))["functions"]
    found = list(answers(entries, given.folder, given.words))
    sys.stdout.write(summary(found) + "\n")
    if given.record:
        kept = [{key: value for key, value in asdict(each).items() if value not in (None, "", False)} for each in found]
        RECORD.write_text(json.dumps(kept, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
