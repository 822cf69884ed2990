"""A reader for reports in XML: ``csynth.xml`` of a whole design and ``FUNCTION_csynth.xml``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from ppnsim.errors import InputError
from ppnsim.hls.reports.model import Head, Range, ReportedFunction, ReportedLoop

_PLACE = re.compile(r"([^~:]+):(\d+)")


def read_xml(path: Path) -> tuple[Head, list[ReportedFunction]]:
    """Return the contents of a report in XML: one function, or all functions of the design.

    Raises
    ------
    InputError
        If the file is no XML, or no report.
    """
    try:
        root = ElementTree.parse(path).getroot()
    except ElementTree.ParseError as error:
        raise InputError(f"the report is not XML: {error}", where=str(path)) from None
    asked = root.find("UserAssignments")
    estimates = root.find("PerformanceEstimates")
    if asked is None or estimates is None:
        words = "no report of Vitis HLS: 'UserAssignments' and 'PerformanceEstimates' are not in it"
        raise InputError(words, where=str(path))
    head = Head(
        top=_text(asked, "TopModelName"), part=_text(asked, "Part"),
        clock_ns=float(_text(asked, "TargetClockPeriod") or 0), version=_text(root, "ReportVersion/Version"),
    )  # fmt: skip
    modules = root.findall("ModuleInformation/Module")
    if not modules:
        return head, [_function(head.top, estimates, (), str(path))]
    inside = _instances(root.find("RTLDesignHierarchy/TopModule"))
    found = []
    for module in modules:
        name, own = _text(module, "Name"), module.find("PerformanceEstimates")
        if own is not None:
            found.append(_function(name, own, inside.get(name, ()), str(path)))
    return head, found


def _function(name: str, estimates: Element, instances: Iterable[tuple[str, str]], file: str) -> ReportedFunction:
    whole = estimates.find("SummaryOfOverallLatency")
    kind = _text(estimates, "PipelineType") or _text(estimates, "SummaryOfOverallLatency/PipelineType")
    places = {
        _loop_name(loop): tuple((file, int(line)) for file, line in _PLACE.findall(_text(loop, "SourceLocation")))
        for loop in estimates.findall("SummaryOfViolations/SummaryOfLoopViolations/*")
    }
    loops = estimates.find("SummaryOfLoopLatency")
    return ReportedFunction(
        name=name, latency=_span(whole, "Best-caseLatency", "Worst-caseLatency"),
        interval=_span(whole, "Interval-min", "Interval-max")
        or _span(whole, "PipelineInitiationInterval", "PipelineInitiationInterval"),
        kind=kind or "no", loops=_loops(loops, name, places, file), instances=tuple(instances), file=file,
    )  # fmt: skip


def _loops(
    around: Element | None, function: str, places: dict[str, tuple[tuple[str, int], ...]], file: str
) -> tuple[ReportedLoop, ...]:
    """Return the loops directly inside an element: its parts with a trip count or a latency."""
    found = []
    for loop in around if around is not None else ():
        if loop.find("TripCount") is None and loop.find("Latency") is None:
            continue
        ii = _range(loop.find("PipelineII"))
        depth = _range(loop.find("PipelineDepth")) or _range(loop.find("IterationLatency"))
        kind = _text(loop, "PipelineType") or ("no" if ii is None else "yes")
        if loop.find("DataflowPipelineThroughput") is not None:
            kind, depth = "dataflow", None  # the depth in the summary is the latency of the whole loop
        name = _loop_name(loop)
        found.append(
            ReportedLoop(
                name=name, function=function, trips=_range(loop.find("TripCount")), ii=ii[1] if ii else None,
                iteration_latency=depth[1] if depth else None, latency=_range(loop.find("Latency")),
                kind="dataflow" if kind == "dataflow" else "no" if kind == "no" else "yes",
                sources=places.get(name, ()), inner=_loops(loop, function, places, file), file=file,
            )
        )  # fmt: skip
    return tuple(found)


def _loop_name(loop: Element) -> str:
    return _text(loop, "Name") or loop.tag


def _instances(top: Element | None) -> dict[str, tuple[tuple[str, str], ...]]:
    """Return the instances in each function of a hierarchy."""
    found: dict[str, tuple[tuple[str, str], ...]] = {}
    todo = [top] if top is not None else []
    while todo:
        module = todo.pop()
        inside = module.findall("InstancesList/Instance")
        found[_text(module, "ModuleName")] = tuple((_text(i, "InstName"), _text(i, "ModuleName")) for i in inside)
        todo += inside
    return found


def _text(around: Element, path: str) -> str:
    return (around.findtext(path) or "").strip()


def _range(element: Element | None) -> Range | None:
    """Return a number, or the ends of a range; None if the tool leaves it open (``undef``, ``?``, ``-``)."""
    if element is None:
        return None
    least, most = element.findtext(".//min"), element.findtext(".//max")
    texts = (least, most) if least is not None and most is not None else (element.text, element.text)
    return _numbers(*(text or "" for text in texts))


def _span(around: Element | None, least: str, most: str) -> Range | None:
    return None if around is None else _numbers(_text(around, least), _text(around, most))


def _numbers(least: str, most: str) -> Range | None:
    if not (least.strip().isdecimal() and most.strip().isdecimal()):
        return None
    return int(least), int(most)
