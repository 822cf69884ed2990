"""A C or C++ source with all that its reader is told of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ppnsim.c.load import Kernels, load_kernels
from ppnsim.c.policy import HARDWARE, STRICT, LoweringPolicy
from ppnsim.c.pragmas.black_boxes import BlackBox
from ppnsim.c.pragmas.placed import PlacedCount
from ppnsim.errors import AdvisedError, InputError, UnknownFunctionError
from ppnsim.hls.pragmas.pragma import PlacedDirective
from ppnsim.hls.project.model import Project
from ppnsim.source_networks.remarks import remarks_on


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A file, what clang is told of it, and what a project adds: further sources, directives by label, remarks."""

    path: str
    function: str | None = None
    defines: Mapping[str, str] = field(default_factory=dict)
    include: Sequence[str] = ()
    settings: Mapping[str, int] = field(default_factory=dict)
    linked: Sequence[str] = ()
    function_at: str = ""
    placed: Sequence[PlacedDirective] = ()
    boxes: Sequence[BlackBox] = ()
    notes: Sequence[str] = ()

    def kernels(self, policy: LoweringPolicy = STRICT) -> Kernels:
        """Return the loop programs, read by a policy."""
        try:
            return load_kernels(
                self.path, function=self.function, defines=self.defines, include=self.include, settings=self.settings,
                linked=self.linked, policy=policy, counts=self._counts(), boxes=self.boxes,
            )  # fmt: skip
        except UnknownFunctionError as error:
            raise InputError(str(error), where=self.function_at) from None

    def _counts(self) -> list[PlacedCount]:
        """Return the trip counts that the project gives to loops by their labels."""
        placed = (
            each for each in self.placed if each.label and each.text.partition(" ")[0].lower() == "loop_tripcount"
        )
        return [PlacedCount(each.function, each.label, each.text) for each in placed]

    def network_kernels(self) -> Kernels:
        """Return those that may be networks of statements; of others the error says what counts their cycles."""
        try:
            return self.kernels()
        except InputError as reason:
            if isinstance(reason, AdvisedError):
                raise
            raise InputError(f"{reason}{self._scheduled_instead()}") from None

    def _scheduled_instead(self) -> str:
        """Return what counts the cycles of a function that is no network of statements, "" where that is no help."""
        try:
            self.kernels(HARDWARE)
        except InputError:
            return ""
        words = "it has no '#pragma HLS dataflow', so it becomes a network of its statements"
        return f"; {words}: ppnsim schedule counts its cycles"

    def under(self, project: Project) -> Source:
        """Return the source of a project, for which this one says the rest; this one wins."""
        return replace(
            self, path=project.main, function=self.function or project.top, linked=project.linked,
            function_at="" if self.function else project.top_at, defines={**project.defines, **self.defines},
            include=(*self.include, *project.include),
            placed=project.directives, boxes=project.boxes, notes=list(remarks_on(project)),
        )  # fmt: skip
