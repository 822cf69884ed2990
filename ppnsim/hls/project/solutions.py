"""The parts of a project while it is read: the files of a component, and the settings of a solution."""

from __future__ import annotations

from dataclasses import dataclass, field

from ppnsim.c.pragmas.black_boxes import BlackBox
from ppnsim.hls.library.uncertainty import ClockUncertainty
from ppnsim.hls.pragmas.pragma import PlacedDirective
from ppnsim.hls.project.model import MissingFile
from ppnsim.hls.structure.partitions import Flow


@dataclass(slots=True)
class Files:
    """The files of a component; ``again``: its project was opened again, and no file has been added since."""

    top: tuple[str, str] = ("", "")
    sources: list[str] = field(default_factory=list)
    testbench: list[str] = field(default_factory=list)
    missing: list[MissingFile] = field(default_factory=list)
    include: list[str] = field(default_factory=list)
    defines: dict[str, str] = field(default_factory=dict)
    boxes: list[BlackBox] = field(default_factory=list)
    again: bool = False

    def renewed(self) -> None:
        """Forget the files of a project that was opened again, since it gets new ones; the top function stays."""
        if self.again:
            self.again = False
            self.sources, self.testbench, self.missing, self.include, self.defines = [], [], [], [], {}
            self.boxes = []


@dataclass(slots=True)
class Solution:
    """The settings of one solution; ``files`` are the files of its component."""

    name: str = ""
    files: Files = field(default_factory=Files)
    part: str = ""
    part_at: str = ""
    clock_ns: float = 0.0
    uncertainty: ClockUncertainty | None = None
    clock_name: str = ""
    unsafe_math: bool = False
    pipeline_loops: int | None = None
    flow: Flow = "vivado"
    bus_latency: int | None = None
    bus_beat: int | None = None
    bus_aligned: int | None = None
    of_buses: dict[str, str] = field(default_factory=dict)
    fifo_depth: int = 0
    override_depth: int = 0
    fifo_channels: str = ""
    directives: list[PlacedDirective] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
