"""What a source is scheduled for: the device, its clock, and the rules of the tool."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ppnsim.boards.default import CLOCK, DEVICE
from ppnsim.c.input_checks import OF_VIVADO
from ppnsim.errors import InputError
from ppnsim.hls.library.library import Library, load_library
from ppnsim.hls.library.releases import check_release
from ppnsim.hls.library.uncertainty import VIVADO, ClockUncertainty, uncertainty_of
from ppnsim.hls.pragmas.buses import Buses
from ppnsim.hls.project.model import Project
from ppnsim.hls.reports.model import Head
from ppnsim.hls.reports.tool_run import ToolRun, tool_run
from ppnsim.hls.rules import TOOL, Rules
from ppnsim.hls.schedule.machine import PIPELINES
from ppnsim.hls.structure.partitions import Flow
from ppnsim.units import clock_ns, period_with_unit


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What a dataflow region is scheduled for; what is None comes from the reports, else from `DEVICE` and `CLOCK`.

    ``memory`` is the DRAM behind its ports on buses; None: they have the latency of the interface. ``outside`` is how
    many tokens come from outside for tasks without an end, by FIFO; they run once where that is not known.
    ``by_vivado``: files around the source are of Vivado HLS, which says the tool of release 2020.1.
    """

    device: str | None = None
    clock: str | float | None = None
    clock_uncertainty: ClockUncertainty | None = None
    unsafe_math: bool = False
    flow: Flow | None = None
    release: str = ""
    reports: str | Path | None = None
    memory: str | None = None
    project: Project | None = None
    outside: Mapping[str, int] = field(default_factory=dict)
    by_vivado: bool = False

    @classmethod
    def asked(
        cls, *, clock: str | None, clock_uncertainty: str | None, release: str | None, **more: Any
    ) -> Target:  # fmt: skip
        """Return the target that a caller asks for, in the words of the command line; ``more`` are other fields.

        Raises
        ------
        InputError
            If a clock or its uncertainty has no unit, or the tool has no such release.
        """
        if clock is not None:
            period_with_unit(clock, "--clock:")  # before a number is taken for nanoseconds
        if release is not None:
            check_release(release, "--release")
        uncertainty = uncertainty_of(clock_uncertainty)
        return cls(clock=clock, clock_uncertainty=uncertainty, release=release or "", **more)

    def __post_init__(self) -> None:
        """Refuse a device without a name."""
        if self.device == "":
            raise InputError("names no device: leave it away for the default, or give one (xc7z020)", where="--device")

    def under(self, project: Project) -> Target:
        """Return the target of a project, for which this one says the rest; this one wins."""
        return Target(
            device=self.device or project.device or None, clock=self.clock or project.clock_ns or None,
            clock_uncertainty=self.clock_uncertainty or project.clock_uncertainty,
            unsafe_math=self.unsafe_math or project.unsafe_math, flow=self.flow or project.flow,
            release=self.release, reports=self.reports, memory=self.memory, project=project, outside=self.outside,
            by_vivado=self.by_vivado,
        )  # fmt: skip

    def beside(self, head: Head, *sources: str) -> tuple[Target, list[str]]:
        """Return the target with the release and flow of reports, or of a run of the tool that left its files around.

        What is given wins; of several sources, the first counts that has such files around it. The second value says
        what is taken from where.
        """
        release = self.release or head.release
        run = ToolRun() if release and self.flow and not release.startswith(PIPELINES) else tool_run(*sources)
        taken = {
            "release": (release, run.release, run.release_file),
            "flow": (self.flow, run.flow, run.flow_file),
        }  # fmt: skip
        said = [
            f"{name} {found} is that of {file}; --{name} gives another one"
            for name, (given, found, file) in taken.items()
            if not given and found
        ] + [
            f"{name} {values}: files of the tool around the source differ, and none is taken; --{name} says it"
            for name, values in run.unlike.items()
            if not taken[name][0]
        ]
        if run.part and not self.device and not head.part:
            said.append(f"part {run.part} of reports around the source is not taken; --device {run.part} takes it")
        by_vivado = run.by_vivado and (release or run.release) == run.release
        return replace(self, release=release or run.release, flow=self.flow or run.flow, by_vivado=by_vivado), said

    @property
    def rules(self) -> Rules:
        """The rules of the tool, as a project sets them."""
        loops = TOOL.pipeline_loops if self.project is None else self.project.pipeline_loops
        loops = 0 if self._of_vivado and self.release else loops  # R1.6
        later = not self._of_vivado  # R1.8, R2.13, R9.23
        return replace(
            TOOL, balance=self.unsafe_math, release=self.release, pipeline_loops=loops, mac=later, hoist=later,
            vitis=later,
        )  # fmt: skip

    def macros(self, defines: Mapping[str, str]) -> Mapping[str, str]:
        """Return the macros that a source is given, with the one of Vivado HLS if that is the tool."""
        return {OF_VIVADO: "1", **defines} if self._of_vivado else defines

    @property
    def _of_vivado(self) -> bool:
        """Whether the release is one of Vivado HLS; where both tools have it, or without one, who wrote the files."""
        if self.release and not self.release.startswith(PIPELINES):
            return self.release < PIPELINES
        return self.by_vivado or (self.project is not None and self.project.by_vivado)

    @property
    def buses(self) -> Buses:
        """AXI buses whose interfaces do not say what they are like: those of the flow, unless the project says it.

        Vivado HLS knows no flow: it makes IPs (R6.4).
        """
        flow, project = self.flow or ("vivado" if self._of_vivado else "vitis"), self.project
        if project is None:
            return Buses.of_flow(flow)
        return Buses.of_flow(flow, project.bus_latency, project.bus_beat, project.bus_aligned)

    def library(self, head: Head) -> Library:
        """Return the operators; ``head`` is what reports say of part and clock."""
        clock = self.clock or head.clock_ns or CLOCK
        uncertainty = self.clock_uncertainty or (VIVADO if self._of_vivado else None)  # R2.5
        return load_library(self.device or head.part or DEVICE, clock_ns(clock), uncertainty, uncut=self._of_vivado)
