"""The entry point of reports: `read_reports` reads all reports in a folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ppnsim.errors import InputError
from ppnsim.hls.reports.model import Head, ReportedFunction, ReportedLoop, Reports
from ppnsim.hls.reports.text_reports import read_text
from ppnsim.hls.reports.xml_reports import read_xml

_SHOWN = 4


def read_reports(folder: str | Path) -> Reports:
    """Return the contents of a folder's synthesis reports: ``csynth.xml|rpt`` and ``FUNCTION_csynth.xml|rpt``.

    A function has up to four reports: its own in XML, its part of the summary in XML, and both in text. Later ones
    complete earlier ones: for instance, a function's own XML has no instances. If the folder itself has no report, the
    only folder below it with reports is taken, so that the folder of a project is enough.

    Raises
    ------
    InputError
        If there is no folder, no report, more than one folder with reports, or a file that is not a report.
    """
    where = _only(Path(folder))
    files = [
        *sorted(where.glob("*_csynth.xml")), *sorted(where.glob("csynth.xml")),
        *sorted(where.glob("*_csynth.rpt")), *sorted(where.glob("csynth.rpt")),
    ]  # fmt: skip
    heads, found = [], dict[str, ReportedFunction]()
    for path in files:
        own = path.stem != "csynth"
        head, functions = read_xml(path) if path.suffix == ".xml" else read_text(path)
        heads.append(replace(head, top="") if own else head)
        for function in functions:
            known = found.get(function.name)
            found[function.name] = function if known is None else _completed(known, function)
    used = {name for function in found.values() for _, name in function.instances}
    free = [name for name in found if name not in used]
    top = next((head.top for head in heads if head.top), free[0] if len(free) == 1 else "")
    head = Head(
        top=top, part=next((head.part for head in heads if head.part), ""),
        clock_ns=next((head.clock_ns for head in heads if head.clock_ns), 0.0),
        version=next((head.version for head in heads if head.version), ""),
    )  # fmt: skip
    return Reports(folder=str(where), head=head, functions=found)


def _completed(known: ReportedFunction, other: ReportedFunction) -> ReportedFunction:
    """Return a function, completed with the facts that only another of its reports has."""
    return replace(
        known, instances=known.instances or other.instances, latency=known.latency or other.latency,
        interval=known.interval or other.interval, loops=_loops(known.loops, other.loops),
    )  # fmt: skip


def _loops(known: tuple[ReportedLoop, ...], other: tuple[ReportedLoop, ...]) -> tuple[ReportedLoop, ...]:
    if [loop.name for loop in known] != [loop.name for loop in other]:
        return known
    return tuple(
        replace(
            loop, trips=loop.trips or more.trips, latency=loop.latency or more.latency,
            iteration_latency=more.iteration_latency if loop.iteration_latency is None else loop.iteration_latency,
            sources=loop.sources or more.sources, inner=_loops(loop.inner, more.inner),
        )
        for loop, more in zip(known, other, strict=True)
    )  # fmt: skip


def _only(folder: Path) -> Path:
    """Return the folder that has reports: this one, or the only one below it."""
    where = f"--reports {folder}"
    if not folder.is_dir():
        what = "is a file" if folder.exists() else "no such folder"
        raise InputError(f"{what}; a folder of csynth reports is wanted", where=where)
    if _has(folder):
        return folder
    below = sorted({path.parent for kind in ("xml", "rpt") for path in folder.rglob(f"*csynth.{kind}")})
    if not below:
        raise InputError("no *csynth.xml and no *csynth.rpt in it or below", where=where)
    if len(below) > 1:
        names = [str(path.relative_to(folder)) for path in below[:_SHOWN]]
        more = f" and {len(below) - _SHOWN} more" if len(below) > _SHOWN else ""
        raise InputError(f"{len(below)} folders have reports ({', '.join(names)}{more}); name one", where=where)
    return below[0]


def _has(folder: Path) -> bool:
    return any(next(folder.glob(f"*csynth.{kind}"), None) for kind in ("xml", "rpt"))
