"""Synthesis reports in the layout of the vendor's tool, written from a few numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Written:
    """A loop to write: ``ii`` None is not pipelined; ``places`` are its lines in ``kernel.cpp``."""

    name: str
    trips: int | None
    depth: int
    ii: int | None = 1
    places: Sequence[int] = ()
    file: str = "src/kernel.cpp"
    latency: int | None = None

    @property
    def cycles(self) -> int | None:
        """Cycles of the loop as the tool counts them."""
        if self.latency is not None or self.trips is None:
            return self.latency
        return self.trips * self.depth if self.ii is None else (self.trips - 1) * self.ii + max(self.depth, 2) - 1


def write_xml(folder: Path, function: str, loops: Sequence[Written], *, clock: float = 3.33) -> Path:
    """Write ``FUNCTION_csynth.xml``."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{function}_csynth.xml"
    path.write_text(
        f"""<profile>
<ReportVersion><Version>2023.2</Version></ReportVersion>
<UserAssignments>
<unit>ns</unit><Part>xcu280-fsvh2892-2L-e</Part><TopModelName>{function}</TopModelName>
<TargetClockPeriod>{clock}</TargetClockPeriod><ClockUncertainty>0.90</ClockUncertainty>
</UserAssignments>
{_estimates(loops, "")}
</profile>
""",
        encoding="utf-8",
    )
    return path


def write_summary(folder: Path, top: str, functions: dict[str, Sequence[Written]]) -> Path:
    """Write ``csynth.xml`` of a design whose top holds one instance of each other function."""
    folder.mkdir(parents=True, exist_ok=True)
    inside = "".join(
        f"<Instance><InstName>grp_{name}_fu_7</InstName><ModuleName>{name}</ModuleName></Instance>"
        for name in functions
        if name != top
    )
    modules = "".join(
        f"<Module><Name>{name}</Name>{_estimates(loops, '<PipelineType>no</PipelineType>')}</Module>"
        for name, loops in functions.items()
    )
    path = folder / "csynth.xml"
    path.write_text(
        f"""<profile>
<ReportVersion><Version>2023.2</Version></ReportVersion>
<UserAssignments><Part>xcu280-fsvh2892-2L-e</Part><TopModelName>{top}</TopModelName>
<TargetClockPeriod>3.33</TargetClockPeriod></UserAssignments>
{_estimates((), "")}
<RTLDesignHierarchy><TopModule><ModuleName>{top}</ModuleName><InstancesList>{inside}</InstancesList></TopModule>
</RTLDesignHierarchy>
<ModuleInformation>{modules}</ModuleInformation>
</profile>
""",
        encoding="utf-8",
    )
    return path


def _estimates(loops: Sequence[Written], kind: str) -> str:
    rows = "".join(
        f"<{loop.name}><Slack>2.43</Slack><TripCount>{'?' if loop.trips is None else loop.trips}</TripCount>"
        f"<Latency>{'undef' if loop.cycles is None else loop.cycles}</Latency>"
        + (
            f"<IterationLatency>{loop.depth}</IterationLatency>"
            if loop.ii is None
            else f"<PipelineII>{loop.ii}</PipelineII><PipelineDepth>{loop.depth}</PipelineDepth>"
        )
        + f"<InstanceList/></{loop.name}>"
        for loop in loops
    )
    places = "".join(
        f"<{loop.name}><Name>{loop.name}</Name><SourceLocation>"
        + "~".join(f"{loop.file}:{line}" for line in loop.places)
        + f"</SourceLocation></{loop.name}>"
        for loop in loops
        if loop.places
    )
    total = sum(loop.cycles or 0 for loop in loops) + 2
    return (
        f"<PerformanceEstimates><PipelineType>no</PipelineType><SummaryOfOverallLatency>"
        f"<Best-caseLatency>{total}</Best-caseLatency><Worst-caseLatency>{total}</Worst-caseLatency>"
        f"<Interval-min>{total}</Interval-min><Interval-max>{total}</Interval-max>{kind}</SummaryOfOverallLatency>"
        f"<SummaryOfLoopLatency>{rows}</SummaryOfLoopLatency>"
        f"<SummaryOfViolations><SummaryOfLoopViolations>{places}</SummaryOfLoopViolations></SummaryOfViolations>"
        "</PerformanceEstimates>"
    )


def write_text(folder: Path, function: str, loops: Sequence[tuple[int, Written]], callees: Sequence[str] = ()) -> Path:
    """Write ``FUNCTION_csynth.rpt``; each loop comes with how deep it stands."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = "\n".join(
        f"        |{'-' if not depth else ' ' + '+' * depth} {loop.name}  "
        f"|  {loop.cycles or '?'}|  {loop.cycles or '?'}|"
        f"  {loop.depth}|  {loop.ii or '-'}|  {'-' if loop.ii is None else 1}|"
        f"  {'?' if loop.trips is None else loop.trips}|  {'no' if loop.ii is None else 'yes'}|"
        for depth, loop in loops
    )
    instances = "\n".join(
        f"        |grp_{name}_fu_7  |{name}  |  5|  5|  1 ns|  1 ns|  5|  5|  no|" for name in callees
    )
    path = folder / f"{function}_csynth.rpt"
    path.write_text(
        f"""
== Vitis HLS Report for '{function}'
* Version:        2023.2 (Build 1 on a day)
* Target device:  xcu280-fsvh2892-2L-e

== Performance Estimates
+ Timing:
    |  Clock |  Target | Estimated| Uncertainty|
    |ap_clk  |  3.33 ns|  1.914 ns|     0.90 ns|

+ Latency:
    * Summary:
    |  Latency (cycles) |  Latency (absolute) |  Interval | Pipeline|
    |   min   |   max   |    min   |    max   | min | max |   Type  |
    |       43|       47|  0.143 us|  0.143 us|   43|   47|       no|

    + Detail:
        * Instance:
        |  |  |  Latency (cycles) |  Latency (absolute) |   Interval  | Pipeline|
        |  Instance  |  Module  |  min  |  max  |  min  |  max  |  min |  max |   Type  |
{instances}

        * Loop:
        |          |  Latency (cycles) | Iteration|  Initiation Interval  | Trip |          |
        | Loop Name|   min   |   max   |  Latency |  achieved |   target  | Count| Pipelined|
{rows}

== Utilization Estimates
* Summary:
|         Name        | BRAM_18K|  DSP |    FF   |   LUT   | URAM|
|DSP                  |        -|     -|        -|        -|    -|
""",
        encoding="utf-8",
    )
    return path
