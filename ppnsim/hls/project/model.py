"""The data model of a project: sources, top function, target, and the settings that change schedules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ppnsim.boards.files import load_board
from ppnsim.c.pragmas.black_boxes import BlackBox
from ppnsim.hls.library.uncertainty import ClockUncertainty
from ppnsim.hls.pragmas.pragma import PlacedDirective
from ppnsim.hls.structure.partitions import Flow


@dataclass(frozen=True, slots=True)
class MissingFile:
    """A missing file that a project names, although its design can be read without it.

    Attributes
    ----------
    name, path : the name in the project, and the path where it was searched.
    testbench : whether it belongs to the testbench.
    where : the line of the project.
    """

    name: str
    path: str
    testbench: bool
    where: str

    @property
    def words(self) -> str:
        """The sentence about the missing file."""
        return (
            f"the {'testbench' if self.testbench else 'design'}'s '{self.name}' is not there (looked for {self.path})"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A project of high-level synthesis.

    Attributes
    ----------
    file : the script.
    top : name of the top function.
    top_at, part_at : the lines that give top and part.
    sources, testbench : files, in the order in which they are added; all of them exist.
    include, defines : folders and macros of the sources.
    part, clock_ns : target; "" and 0 if the project does not give them.
    clock_uncertainty : the share of the clock that the tool keeps; None if neither the project nor Vivado HLS gives it.
    unsafe_math : whether chains of floating-point operations may be balanced.
    pipeline_loops : trip count up to which loops are unrolled for a pipeline around them; 0: only directives pipeline.
    by_vivado : Vivado HLS wrote the script, not Vitis HLS: 0 is then the default of ``pipeline_loops`` (R1.6).
    flow : the product of the tool.
    bus_latency : latency of AXI buses whose interfaces give none; None if the project does not give it.
    bus_beat, bus_aligned : most bits of their beats, and the bytes to which their pointers are aligned (R6.24).
    of_buses : the settings of AXI buses, each with its line: without such a bus they have no effect.
    fifo_depth : depth of the streams without a depth; 0 if the project does not give it.
    override_depth : depth of all streams, whatever they state; 0 if the project does not give it.
    fifo_channels : the line that makes FIFOs of the arrays between tasks (R7.5); "" without such a line.
    directives : in order.
    boxes : functions that RTL replaces.
    solution, solutions : the chosen solution, and all solutions.
    unknown : settings without an effect here, each with its line.
    missing : missing files of the testbench, and missing headers and data of the design.
    said : assumptions about the environment in which the script runs.
    """

    file: str
    top: str
    sources: tuple[str, ...]
    top_at: str = ""
    testbench: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    defines: Mapping[str, str] = field(default_factory=dict)
    part: str = ""
    part_at: str = ""
    clock_ns: float = 0.0
    clock_uncertainty: ClockUncertainty | None = None
    unsafe_math: bool = False
    pipeline_loops: int = 64
    by_vivado: bool = False
    flow: Flow = "vivado"
    bus_latency: int | None = None
    bus_beat: int | None = None
    bus_aligned: int | None = None
    of_buses: tuple[str, ...] = ()
    fifo_depth: int = 0
    override_depth: int = 0
    fifo_channels: str = ""
    directives: tuple[PlacedDirective, ...] = ()
    boxes: tuple[BlackBox, ...] = ()
    solution: str = ""
    solutions: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    missing: tuple[MissingFile, ...] = ()
    said: tuple[str, ...] = ()

    @property
    def device(self) -> str | None:
        """The device of the part, None if the project gives no part.

        Raises
        ------
        InputError
            If no device has the name of the part; the message has the line of the project.
        """
        if self.part:
            load_board(self.part, self.part_at)
        return self.part or None

    @property
    def main(self) -> str:
        """The source with the body of the top function; in a mixture of languages, a C++ source."""
        cpp = [source for source in self.sources if not source.endswith(".c")]
        body = re.compile(rf"\b{re.escape(self.top)}\s*\([^;{{]*\)\s*\{{")
        texts = {source: Path(source).read_text(encoding="utf-8", errors="replace") for source in cpp or self.sources}
        return next((source for source, text in texts.items() if body.search(text)), next(iter(texts)))

    @property
    def linked(self) -> tuple[str, ...]:
        """The other sources."""
        return tuple(source for source in self.sources if source != self.main)
