"""``ppnsim.lost``: useful and lost cycles of every process of a network, or of a scheduled kernel."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from ppnsim.analysis.lost_cycles import ProcessSplit, lost_cycles
from ppnsim.c.suffixes import SUFFIXES
from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.hls.lost.report import (
    KernelLosses,
    bars_of,
    losses_result,
    prediction_rows,
    print_scheduled_losses,
)
from ppnsim.library.answer import Answer
from ppnsim.library.lost_source import lost_in_source, region_run
from ppnsim.library.place import may_have_a_region
from ppnsim.library.subject import Depths, NetworkFile, NetworkLike, network_file
from ppnsim.model.run import DeadlockError, Run
from ppnsim.report.lost_cycles import lost_result, print_lost
from ppnsim.source_networks.model import SourceNetwork

if TYPE_CHECKING:
    from ppnsim.plots.shown import NotebookFigure

Progress = Callable[[int, int], None]


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class LostCycles(Answer):
    """Where the cycles of the processes of a network went, ``splits``, or those of a kernel's designs, ``designs``."""

    file: str
    run: Run | None = None
    splits: tuple[ProcessSplit, ...] = ()
    designs: KernelLosses | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return what the command writes as JSON."""
        if self.designs is not None:
            return losses_result(self.designs, file=self.file)
        assert self.run is not None
        return lost_result(self.run, self.splits, file=self.file)

    def print(self, console: Console) -> None:
        """Print the parts of every process or design."""
        if self.designs is not None:
            print_scheduled_losses(console, self.designs)
        elif self.run is not None:
            print_lost(console, self.run, self.splits)

    def bars(self) -> Mapping[str, Mapping[str, int]]:
        """Return the cycles by part of every process or design: what a picture shows."""
        bars: Mapping[str, Mapping[str, int]]
        bars = bars_of(self.designs) if self.designs is not None else self.to_dict()["processes"]
        return bars

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return a row for each process or design, its cycles by part; of formulas one for each size that they predict.

        Such a row has the cycles that are predicted and those of the schedule (``simulated``).
        """
        if self.designs is not None and (predicted := prediction_rows(self.designs)):
            return predicted
        return [{"name": name, **parts} for name, parts in self.bars().items()]

    def figure(self) -> NotebookFigure:
        """Return the cycles of all processes as a picture."""
        from ppnsim.plots.lost_cycles import lost_cycles_figure  # matplotlib takes a while to import
        from ppnsim.plots.shown import shown

        name = self.designs.function if self.designs is not None else str(self.to_dict()["name"])
        return shown(lost_cycles_figure(name, self.bars()))


def lost(
    network: NetworkLike | Run, *, depths: Depths | None = None, style: str | None = None,
    progress: Progress | None = None, **options: Any,
) -> LostCycles:  # fmt: skip
    """Split the cycles of every process of a network, or of a kernel in C, into useful and lost ones.

    Parameters
    ----------
    network : a network, a run of one, or a path (``options`` are then what `ppnsim.load` takes). The path of a C or C++
        source is that of a kernel, which is scheduled;
        the tasks of a dataflow region are the processes of a network.
    depths, style : of a network, as of `ppnsim.run`.
    options : of a kernel ``designs`` (``"none"``, ``"pipeline k"``, ``"unroll k=2"``), ``device``, ``clock``,
        ``clock_uncertainty``, ``function``, ``defines``, ``include``, ``settings``; ``learn`` names sizes in which
        formulas are learned, ``at`` lists sizes that they predict, and ``sizes`` are those to learn from; ``vary`` does
        both, as ``{"NI": [64, 128]}``, for all combinations.

    Raises
    ------
    InputError
        If the path cannot be read.
    DeadlockError
        If the network deadlocks.

    Examples
    --------
    >>> from ppnsim.model.builders import predictor
    >>> lost(predictor()).to_frame().loc[0, ["useful", "lost"]].tolist()
    [25, 58]
    """
    if isinstance(network, str | PathLike) and Path(network).suffix in SUFFIXES:
        of_designs = sorted({"designs", "learn", "at", "sizes", "vary"} & options.keys())
        if style is not None:
            raise InputError("style can only be used with networks; this file is a C source")
        if depths is not None:
            return _lost_at(depths, str(network), of_designs, progress, options)
        region = None if of_designs else region_run(network, **options)
        if region is not None and region.deadlocked:
            raise DeadlockError(region)
        if region is not None:
            return LostCycles(file=str(network), run=region, splits=tuple(lost_cycles(region)))
        return LostCycles(file=str(network), designs=lost_in_source(network, progress=progress, **options))
    if isinstance(network, Run) and depths is None and style is None and not network.deadlocked:
        _refuse_whole(network.network.origin)
        return LostCycles(file=network.network.name, run=network, splits=tuple(lost_cycles(network)))
    given = network.network if isinstance(network, Run) else network
    return _lost_of(network_file(given, depths=depths, style=style, **options), progress)


def _lost_of(found: NetworkFile, progress: Progress | None) -> LostCycles:
    _refuse_whole(found.source)
    outcome = run(found.network, progress=progress)
    return LostCycles(file=found.file, run=outcome, splits=tuple(lost_cycles(outcome)))


def _refuse_whole(source: object) -> None:
    """Refuse a function that is one task: all but one of its cycles would count as lost, whatever it does in them."""
    if isinstance(source, SourceNetwork) and source.whole:
        words = f"'{source.function}' is one task, whose cycles a network does not tell apart"
        remedy = f"ppnsim lost {source.file} splits them by its operators (with the --device and --clock of a project)"
        raise InputError(f"{words}: {remedy}")


def _lost_at(
    depths: Depths, file: str, of_designs: Sequence[str], progress: Progress | None, options: Mapping[str, Any]
) -> LostCycles:
    """Split the tasks of a dataflow region at other depths of its FIFOs; nothing else of a source has any."""
    if of_designs:
        raise InputError(f"depths are of networks and dataflow regions: what {of_designs[0]} schedules has no FIFOs")
    found = network_file(file, **options) if may_have_a_region(file) else None
    if found is None or found.source is None or not found.source.has_region:
        raise InputError("depths are of networks and dataflow regions: this kernel has no FIFOs")
    return _lost_of(network_file(found, depths=depths), progress)
