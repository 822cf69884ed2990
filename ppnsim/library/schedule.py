"""``ppnsim.schedule``: the hardware that high-level synthesis makes of the loops of kernels, cycle by cycle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from ppnsim.c.load import Kernels
from ppnsim.c.policy import TIMED, LoweringPolicy
from ppnsim.c.pragmas.trips import Count
from ppnsim.errors import InputError, located
from ppnsim.export.window import window_from
from ppnsim.hls.formulas import CycleFormula
from ppnsim.hls.loop_names import loop_names
from ppnsim.hls.project import read as projects
from ppnsim.hls.project.model import Project
from ppnsim.hls.project.suffixes import check_none, is_project
from ppnsim.hls.report import ScheduledKernel
from ppnsim.hls.reports import read as folders
from ppnsim.hls.reports.model import Head
from ppnsim.hls.results import schedule_result
from ppnsim.hls.structure.partitions import Flow
from ppnsim.hls.tables import print_schedule
from ppnsim.library.answer import Answer
from ppnsim.library.kernels import KernelLike, kernels_of, of_kernels
from ppnsim.library.place import Place, tell
from ppnsim.library.scheduled_kernels import KernelScheduler
from ppnsim.loops.program import LoopProgram
from ppnsim.loops.work import limited
from ppnsim.source_networks.branch_cycles import read_for
from ppnsim.source_networks.of_callers import Callers
from ppnsim.source_networks.remarks import NO_EFFECT, remarks_on
from ppnsim.source_networks.scheduling import Scheduling
from ppnsim.source_networks.source import Source
from ppnsim.source_networks.target import Target

if TYPE_CHECKING:
    from ppnsim.plots.shown import NotebookFigure

Cycles = str | tuple[int | None, int | None]


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class KernelSchedules(Answer):
    """The schedules of the kernels of a source; ``skipped`` are the functions that cannot be used, with the reason.

    ``assumed`` is what was assumed when the source was read, ``idle`` what in a project has no effect: both are told
    on the error stream, too.
    """

    kernels: tuple[ScheduledKernel, ...]
    skipped: Sequence[Mapping[str, str]]
    file: str
    assumed: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()

    @property
    def formula(self) -> CycleFormula | None:
        """The cycles of the first kernel by its scalar arguments, ``.formula.at(n=100)``; None where there is none."""
        found = self.kernels[0].formula
        return found if isinstance(found, CycleFormula) else None

    @property
    def deadlocked(self) -> bool:
        """Whether the tasks of a dataflow region wait for each other for ever."""
        return any(kernel.machine.outcome and kernel.machine.outcome.deadlocked for kernel in self.kernels)

    def to_dict(self) -> dict[str, Any]:
        """Return what the command writes as JSON; several kernels are a list under ``kernels``."""
        return of_kernels(self.file, [{**each, "skipped": list(self.skipped)} for each in self._results()])

    def _results(self) -> list[dict[str, Any]]:
        results = [schedule_result(each, file=self.file) for each in self.kernels]
        more = {"without_effect": self.idle, "assumptions": self.assumed}
        return [each | {key: [*each[key], *words] for key, words in more.items()} for each in results]

    def print(self, console: Console) -> None:
        """Print the loops with their bounds, cycles and area of each kernel."""
        for each in self.kernels:
            print_schedule(console, each)

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return a row for each pipelined loop: its line, initiation interval, depth, trips and cycles."""
        return [{"function": each["function"], **loop} for each in self._results() for loop in each["loops"]]

    def figure(self, *, loop: int | None = None, window: Cycles | None = None) -> NotebookFigure:
        """Return the tasks of the first kernel over time, or the body of its longest loop, or of that of a line.

        ``window`` are the cycles of the tasks that are shown, ``(first, last + 1)`` or ``"A:B"``, also in time.

        Raises
        ------
        InputError
            If no pipelined loop begins in that line, there are no tasks, or the window holds no cycle.
        """
        from ppnsim.hls.pictures import body_gantt, tasks_gantt  # matplotlib takes a while to import
        from ppnsim.plots.shown import shown

        kernel = self.kernels[0]
        outcome = kernel.machine.outcome
        if outcome is not None and loop is None:
            ends = None if window is None else window_from(window, outcome.network, outcome.stopped)
            return shown(tasks_gantt(outcome, window=None if ends is None else (ends.first, ends.last)))
        if window is not None:
            raise InputError("only the tasks of a dataflow region are shown over time", where="--window")
        nests = kernel.machine.nests
        lines = {nest.line: nest for nest in nests}
        if not nests or (loop is not None and loop not in lines):
            known = ", ".join(str(each) for each in sorted(lines)) or "none"
            raise InputError(f"no pipelined loop begins in line {loop} (pipelined: {known})", where="--loop")
        nest = lines[loop] if loop is not None else max(nests, key=lambda each: each.cycles)
        (name,) = loop_names(kernel.program, [nest], kernel.nests)
        title = f"{kernel.program.name}, loop {name}"
        return shown(body_gantt(nest, title=title, budget=kernel.library.budget))


def schedule(
    source: KernelLike, *, device: str | None = None, clock: str | None = None, clock_uncertainty: str | None = None,
    pragmas: Sequence[str] = (), unsafe_math: bool = False, flow: Flow | None = None, release: str | None = None,
    worst: bool = False, reports: Place | None = None, arguments: Sequence[str] = (), solution: str | None = None,
    **options: Any,
) -> KernelSchedules:  # fmt: skip
    """Schedule the loops of kernels as high-level synthesis does, and count the cycles.

    Parameters
    ----------
    source : path of a C or C++ source (``options``: ``function``, ``defines``, ``include``, ``settings``), a loop
        program, or a project (``run_hls.tcl``, ``hls_config.cfg``), which says top, sources, macros, part, clock and
        directives; what is given here wins.
    device : board or device, or a table of your own (.toml); default that of the project or the reports, then xc7z020.
    clock : period or frequency, with its unit; default as for ``device``, then 10 ns.
    clock_uncertainty : what the tool keeps of each period, ``"27%"``, ``"0.5 ns"`` or ``"0.5"`` in ns; default that of
        the project, then 27 %, or 12.5 % for Vivado HLS (R2.5).
    pragmas : directives as if they stood in the source: ``"28: unroll factor=2"``.
    unsafe_math : also balance chains of floating point, which changes their results.
    flow : ``vivado`` (an IP: an AXI bus whose interface says no latency has 0) or ``vitis`` (a kernel: 64); default
        that of the project, then ``vivado`` for a release of Vivado HLS, else ``vitis``.
    release : of the vendor's tool, such as ``"2022.2"``, which flattens fewer nests than 2023.2, or ``"2019.1"``, which
        pipelines loops by directives only; default that of the reports, of a run of the tool whose log or report lies
        around the source (which is said), else that of the device's table. So it is with ``flow``.
    worst : count every loop at its most iterations, as the reports of synthesis do for the maximum.
    reports : folder of a vendor's synthesis reports, whose intervals and latencies are taken.
    arguments, solution : of a project, the ``argv`` of its script and the solution that is read, default the first.

    Raises
    ------
    InputError
        If the source cannot be read, no kernel in it can be scheduled, or the release is none.

    Examples
    --------
    >>> from ppnsim.formats.shipped import directory
    >>> found = schedule(directory() / "kernels" / "gemm.c", defines={"NI": "16", "NJ": "16", "NK": "16"})
    >>> [row["ii"] for row in found.rows()]
    [1, 16]
    """
    target = Target.asked(
        device=device, clock=clock, clock_uncertainty=clock_uncertainty, unsafe_math=unsafe_math, flow=flow,
        release=release,
    )  # fmt: skip
    project = _project(source, arguments, solution)
    with limited():
        return _scheduled(source, target, project, pragmas, reports, "most" if worst else "usual", options)


def _scheduled(
    source: KernelLike, target: Target, project: Project | None, pragmas: Sequence[str], reports: Place | None,
    count: Count, options: Mapping[str, Any],
) -> KernelSchedules:  # fmt: skip
    """Return the schedules of the kernels of a source, as `schedule` was asked for them."""
    said = folders.read_reports(Path(reports)) if reports is not None else None
    target, head = target if project is None else target.under(project), said.head if said is not None else Head()
    ran = list[str]()
    if not isinstance(source, LoopProgram | Kernels):
        target, ran = target.beside(head, str(source), *(project.sources[:1] if project is not None else ()))
    library = target.library(head)
    placed = project.directives if project is not None else ()
    policy = read_for(replace(TIMED, count=count), target, head, pragmas, placed)
    if not isinstance(source, LoopProgram | Kernels):
        options = {**options, "defines": target.macros(options.get("defines") or {})}
    under, kernels, noted = _read(source, project, policy, options)
    for told in (*ran, *(f"skipped {each.function}: {each.reason}" for each in kernels.skipped)):
        tell(told)
    if said is not None:
        said.head.check_clock(library.clock_ns, str(reports))
    beside = [frame for program in kernels.programs for frame in program.frames]
    callers = Callers.of(kernels, target.flow, project.top if project is not None else "")
    asked = Scheduling(target, library, pragmas, said, project, under, callers, beside=beside)
    scheduler = KernelScheduler(asked, kernels, count, noted)
    found = scheduler.all(skipped := list[dict[str, str]]())
    return KernelSchedules(
        kernels=tuple(found), skipped=skipped, assumed=(*scheduler.assumed(), *noted, *ran),
        file=found[0].program.file if isinstance(source, LoopProgram) else str(source),
        idle=project.unknown if project is not None else (),
    )  # fmt: skip


def _read(
    source: KernelLike, project: Project | None, policy: LoweringPolicy, options: Mapping[str, Any]
) -> tuple[Source | None, Kernels, list[str]]:
    """Return the source of a project (None without one), the kernels, and what the answer says of the project."""
    if project is None:
        return None, kernels_of(source, policy=policy, silent=True, **options), []
    under = Source(path=str(source), **options).under(project)
    kernels = under.kernels(policy)
    remarks = tuple(remarks_on(project))
    for note in remarks:
        tell(note)
    return under, kernels, [each for each in remarks if not each.startswith(NO_EFFECT)]


def _project(source: KernelLike, arguments: Sequence[str], solution: str | None) -> Project | None:
    """Return the project that a file is, None if it is none."""
    if not isinstance(source, LoopProgram | Kernels) and is_project(str(source)):
        return projects.read_project(str(source), arguments=arguments, solution=solution)
    with nullcontext() if isinstance(source, LoopProgram | Kernels) else located(str(source)):
        check_none(arguments, solution)
    return None
