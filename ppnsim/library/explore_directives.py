"""``ppnsim.explore_directives``: which loops to pipeline and unroll and which arrays to partition."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from ppnsim.errors import InputError
from ppnsim.hls.dse.designs import RULES, Designs
from ppnsim.hls.dse.exhaustive import all_designs, designs_in
from ppnsim.hls.dse.report import Explored, dse_result, print_dse
from ppnsim.hls.dse.rows import DesignRows
from ppnsim.hls.dse.walk import explore_directives as walk_of
from ppnsim.hls.pragmas.directives import Directives
from ppnsim.hls.structure.members import without_structs
from ppnsim.library.answer import Answer
from ppnsim.library.kernels import KernelLike, synthesised_kernel
from ppnsim.library.place import Place, tell
from ppnsim.library.target import library_of
from ppnsim.loops.program import ADDRESSES, LoopProgram

if TYPE_CHECKING:
    from ppnsim.plots.shown import NotebookFigure
from ppnsim.source_networks.branch_cycles import hardware_on

Progress = Callable[[int, int], None]

MOST = 2000  # designs that are tried when all are asked for


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class DirectiveDesigns(Answer):
    """The designs of a kernel by its directives: the walk of Algorithm 1 and the front between cycles and area."""

    _measured = frozenset({"seconds"})
    explored: Explored
    file: str
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """Return what the command writes as JSON."""
        return dse_result(self.explored, file=self.file, seconds=self.seconds)

    def print(self, console: Console) -> None:
        """Print the gain, the walk, the front and the best design."""
        print_dse(console, self.explored, seconds=self.seconds)

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return the front: a row for each design, with its cycles, its area and its directives."""
        front: Sequence[Mapping[str, Any]] = self.to_dict()["front"]
        return front

    def figure(self) -> NotebookFigure:
        """Return area and cycles of the steps as a picture."""
        from ppnsim.hls.pictures import dse_figure  # matplotlib takes a while to import
        from ppnsim.plots.shown import shown

        found = self.explored
        return shown(dse_figure(found.designs.program.name, found.walk, found.front))


def explore_directives(
    source: KernelLike, *, device: str | None = None, clock: str | None = None, clock_uncertainty: str | None = None,
    out: Place | None = None, exhaustive: bool = False, most: int | None = None, unsafe_math: bool = False,
    progress: Progress | None = None, **options: Any,
) -> DirectiveDesigns:  # fmt: skip
    """Explore the directives of a kernel: pipelining, unrolling, array partitioning (Siracusa et al. 2021).

    Directives of the source on loops and arrays are left out, which is told: the designs have others in their place.
    Arguments on buses (``interface m_axi``) and on wires (R6.26) stay there, and are not partitioned.

    Parameters
    ----------
    source : path of a C source (``options``: ``function``, ``defines``, ``include``, ``settings``), or a loop program.
    device : board or device, or a table of your own (.toml).
    clock : period or frequency, with its unit.
    clock_uncertainty : what the tool keeps of each period, ``"27%"`` or ``"0.5 ns"``; default 27 %.
    out : file of the designs, .csv or .parquet; those in it are not redone.
    exhaustive : also try all designs, and tell how far the walk is from the best.
    most : designs that ``exhaustive`` tries at most; None = 2000.
    unsafe_math : also balance chains of floating point, which changes their results.
    progress : called with designs looked at and those in all.

    Raises
    ------
    InputError
        If the source does not hold one kernel, or its space is larger than ``most``.
    """
    if most is not None and not exhaustive:
        raise InputError("changes nothing without exhaustive", where="most")
    most = MOST if most is None else most
    if most < 1:
        raise InputError(f"{most} must be at least 1", where="--most")
    library = library_of(device, clock, clock_uncertainty)
    began = time.monotonic()
    rules = replace(RULES, balance=unsafe_math)
    program, directives = synthesised_kernel(source, policy=hardware_on(library, rules), **options)
    program = without_structs(program)
    _check_loops(program, directives)
    if directives.loops or directives.partitions:
        tell("directives of the source on loops and arrays are left out: the designs have others in their place")
    with ExitStack() as stack:
        rows = stack.enter_context(DesignRows(Path(out))) if out is not None else None
        wires = {array.name for array in program.arrays if array.shape[:1] == (ADDRESSES,)}
        kept = {name: each for name, each in directives.storage.items() if name in wires or each.kind == "bus"}
        designs = Designs(program, library, rules, rows, kept)
        if exhaustive:
            designs_in(designs, most=most)  # refused before any work is done
        walk = walk_of(designs, progress=progress)
        every = all_designs(designs, most=most, progress=progress) if exhaustive and walk.complete else None
    found = Explored(designs=designs, walk=walk, every=every)
    return DirectiveDesigns(explored=found, file=program.file, seconds=time.monotonic() - began)


def _check_loops(program: LoopProgram, directives: Directives) -> None:
    """Raise `InputError` of a dataflow region with FIFOs: its tasks run side by side, not one after the other."""
    has_region = any(each is not None and each.dataflow for each in directives.functions.values())
    if has_region and any(array.stream for array in program.arrays):
        words = f"'{program.name}' is a dataflow region, and this explores the loops of one function"
        raise InputError(f"{words}: choose a task with --function (ppnsim schedule lists them)")
