"""What a project is: sources, top function, target, and the settings that change schedules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ppnsim.boards.files import load_board
from ppnsim.hls.library.uncertainty import ClockUncertainty
from ppnsim.hls.pragmas.pragma import PlacedDirective
from ppnsim.hls.structure.partitions import Flow


@dataclass(frozen=True, slots=True)
class MissingFile:
    """A file that a project names, without which its design can be read, and that is not there.

    Attributes
    ----------
    name, path : as the project says it, and where that was looked for.
    testbench : it is one of the testbench.
    where : the line of the project.
    """

    name: str
    path: str
    testbench: bool
    where: str

    @property
    def words(self) -> str:
        """What is not there."""
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
    top_at, part_at : the lines that say top and part.
    sources, testbench : files, in the order in which they are added; both exist.
    include, defines : folders and macros of the sources.
    part, clock_ns : target; "" and 0 where the project does not say.
    clock_uncertainty : what the tool keeps of the clock; None where neither the project nor Vivado HLS says.
    unsafe_math : chains of floating point may be balanced.
    pipeline_loops : trip count up to which loops are unrolled for a pipeline around them; 0 pipelines by directives.
    by_vivado : Vivado HLS wrote the script, not Vitis HLS: 0 is the default of ``pipeline_loops`` (R1.6).
    flow : what the tool makes.
    bus_latency : of AXI buses whose interfaces say none; None where the project does not say.
    bus_beat, bus_aligned : most bits of their beats, and the bytes to which pointers on them are aligned (R6.24).
    fifo_depth : depth of the streams that say none; 0 where the project does not say.
    override_depth : depth of all streams, whatever they say; 0 where the project does not say.
    fifo_channels : the line that makes FIFOs of the arrays between tasks (R7.5); "" where none does.
    directives : in order.
    solution, solutions : the solution that is read, and all of them.
    unknown : settings that have no effect here, each with its line.
    missing : files of the testbench, and headers and data of the design, that are not there.
    said : what is assumed of the environment that the script runs in.
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
    fifo_depth: int = 0
    override_depth: int = 0
    fifo_channels: str = ""
    directives: tuple[PlacedDirective, ...] = ()
    solution: str = ""
    solutions: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    missing: tuple[MissingFile, ...] = ()
    said: tuple[str, ...] = ()

    @property
    def device(self) -> str | None:
        """The part, None where the project does not say one.

        Raises
        ------
        InputError
            With the line of the project, if no device has its name.
        """
        if self.part:
            load_board(self.part, self.part_at)
        return self.part or None

    @property
    def main(self) -> str:
        """The source to read: the one with the body of the top function; in a mixture of languages one in C++."""
        cpp = [source for source in self.sources if not source.endswith(".c")]
        body = re.compile(rf"\b{re.escape(self.top)}\s*\([^;{{]*\)\s*\{{")
        texts = {source: Path(source).read_text(encoding="utf-8", errors="replace") for source in cpp or self.sources}
        return next((source for source, text in texts.items() if body.search(text)), next(iter(texts)))

    @property
    def linked(self) -> tuple[str, ...]:
        """The other sources."""
        return tuple(source for source in self.sources if source != self.main)
