"""``ppnsim.explore_splits``: the designs of a C kernel, from its present throughput to the limit of its data."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.console import Console

from ppnsim.derive.derive import with_streams
from ppnsim.derive.designs.execution_graph import check_size
from ppnsim.derive.designs.exhaustive import Exhaustive
from ppnsim.derive.designs.report import ExploredSpace, design_space_result, print_design_space
from ppnsim.derive.designs.space import DesignSpace, Point
from ppnsim.derive.designs.walk import DesignWalk
from ppnsim.derive.estimate.estimate import estimate_program
from ppnsim.derive.given import Cycles, Latencies
from ppnsim.errors import InputError
from ppnsim.library.answer import Answer
from ppnsim.library.cycles import timed
from ppnsim.library.kernels import KernelLike, one_kernel
from ppnsim.library.place import tell
from ppnsim.loops.program import LoopProgram
from ppnsim.source_networks import remarks

if TYPE_CHECKING:
    from ppnsim.plots.shown import NotebookFigure

Progress = Callable[[int, int], None]


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class SplitDesigns(Answer):
    """The designs between absolute and unbounded throughput, as far as ``space`` was looked at."""

    _measured = frozenset({"seconds"})
    space: ExploredSpace

    def to_dict(self) -> dict[str, Any]:
        """Return what the command writes as JSON."""
        return design_space_result(self.space)

    def print(self, console: Console) -> None:
        """Print the walk, the front and the designs of fixed rules."""
        print_design_space(console, self.space)

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return the front: a row for each design, with its processes and its finish."""
        front: Sequence[Mapping[str, Any]] = self.to_dict()["front"]
        return front

    def figure(self) -> NotebookFigure:
        """Return the design space as a picture."""
        from ppnsim.derive.designs.pictures import design_space  # matplotlib takes a while to import
        from ppnsim.plots.shown import shown

        walk, space = self.space.walk, self.space.walk.space
        return shown(design_space(
            space.program.name, start=_place(space.start), unbounded=_place(space.unbounded), bound=space.bound.finish,
            points=[_place(point) for _, point in sorted(space.best.items())],
            walk=[_place(point) for point in walk.steps], front=[_place(point) for point in space.front()],
            busy=space.graph.busy, rules={name: _place(point) for name, point in walk.by_rule.items()},
        ))  # fmt: skip


def explore_splits(
    source: KernelLike, *, latency: Latencies | None = None, ii: Cycles | None = None, timing: str | None = None,
    io: bool = False, keep: Sequence[str] = (), max_processes: int = 4096, target: int | None = None,
    exhaustive: bool = False, progress: Progress | None = None, **options: Any,
) -> SplitDesigns:  # fmt: skip
    """Explore which statements of a C kernel to split into more processes, how far, and at what price.

    Parameters
    ----------
    source : path of a C source (``options``: ``function``, ``defines``, ``include``, ``settings``), or a loop program.
    latency, ii, timing, io : as of `ppnsim.profile`.
    keep : statements that stay one process.
    max_processes : look at no design with more.
    target : stop when the finish is no later than this, in cycles.
    exhaustive : look at every design of a small space, and tell how far the walk stays behind.
    progress : called with cycles gained, or designs looked at, and those in all.

    Raises
    ------
    InputError
        If the source does not hold one kernel, or it is too large.
    """
    program = one_kernel(source, **options)
    for sentence in () if isinstance(source, LoopProgram) else remarks.idle_pragmas([program]):
        tell(sentence)
    if target is not None and target < 1:
        raise InputError(f"{target} is below 1 cycle", where="--target")
    began = time.perf_counter()
    # The estimate takes no memory per execution, and refuses what executes nothing or leaves its arrays.
    check_size(program, estimate_program(program, io=io).executions)
    streamed, for_all, ii_for_all = timed(with_streams(program) if io else program, latency, ii, timing)
    space = DesignSpace(streamed, keep=list(keep), ii=ii_for_all, latency=for_all, max_processes=max_processes)
    walk = DesignWalk(space=space, target=target)
    everything = Exhaustive(space=space) if exhaustive else None
    interrupted = False
    try:
        walk.run(progress)
        if everything is not None:
            everything.run(progress)
    except KeyboardInterrupt:
        interrupted = True
    seconds = time.perf_counter() - began
    found = ExploredSpace(walk=walk, exhaustive=everything, seconds=seconds, interrupted=interrupted)
    return SplitDesigns(space=found)


def _place(point: Point) -> tuple[int, int]:
    return point.processes, point.finish
