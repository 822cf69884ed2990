"""``ppnsim.sweep``: a network at many values of its parameters."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, cast

from rich.console import Console

from ppnsim.comparison.sizes import with_values
from ppnsim.errors import InputError
from ppnsim.explore.sweep.parameters import Axis, axis_of
from ppnsim.explore.sweep.report import print_sweep, sweep_result
from ppnsim.explore.sweep.run import Swept, jobs_of, run_sweep
from ppnsim.explore.sweep.sizes import Load, SizedNetworks, SizedSweep, is_size
from ppnsim.explore.sweep.sweep import Row, Sweep
from ppnsim.files import load, refuse_options
from ppnsim.hls.project.suffixes import is_source
from ppnsim.library.answer import Answer
from ppnsim.library.compare import texts_of
from ppnsim.library.place import tell
from ppnsim.library.subject import NetworkFile, NetworkLike, Place, network_file
from ppnsim.model.network import Network
from ppnsim.placed.model.placement import Placement
from ppnsim.placed.sweep.parameters import placed_axis_of
from ppnsim.placed.sweep.sweep import PlacedSweep
from ppnsim.source_networks.memories import swept_memories
from ppnsim.source_networks.one_clock import check_one_clock

if TYPE_CHECKING:
    from ppnsim.explore.sweep.sizes import Read
    from ppnsim.plots.shown import NotebookFigure

Progress = Callable[[int, int], None]
_CHANGES = ("depths", "style", "convention")  # of a network, once it is read
_of_source = partial(is_size, clock=True)
Vary = Mapping[str, Iterable[int | str | None] | int | str | None] | str | Sequence[str]


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class SweepTable(Answer):
    """The rows of a sweep: ``table.to_frame()`` is the usual way to go on.

    Attributes
    ----------
    sweep : what was varied.
    swept : the rows, and how many were known before.
    file, out : where the network comes from, and the file of the rows, if there is one.
    seconds : how long it took.
    """

    _unframed: ClassVar[frozenset[str]] = frozenset({"key"})  # by which a file knows its points again

    sweep: Sweep
    swept: Swept
    file: str
    out: Path | None
    seconds: float

    @property
    def best(self) -> Row | None:
        """The first row with the earliest finish, None if all deadlock."""
        best: Row | None = self.to_dict()["best"]
        return best

    def to_dict(self) -> dict[str, Any]:
        """Return what the command writes as JSON."""
        return sweep_result(self.sweep, self.swept, file=self.file, output=self.out)

    def print(self, console: Console) -> None:
        """Print the answer and the rows, or the best of them if they are many."""
        print_sweep(console, self.sweep, self.swept, output=self.out, seconds=self.seconds)

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return a row for each point: its values, finish, time, deadlock, parallelism; last those refused, and why."""
        return self.swept.all_rows

    def figure(self) -> NotebookFigure:
        """Return the finish over the parameters as a picture.

        Raises
        ------
        InputError
            If there is no row.
        """
        if not self.swept.rows:
            raise InputError("there are no points to draw", where="--plot")
        from ppnsim.explore.sweep.pictures import sweep_figure  # matplotlib takes a while to import
        from ppnsim.plots.shown import shown

        values = {axis.name: axis.values for axis in self.sweep.axes}
        return shown(sweep_figure(self.sweep.network.name, values, self.swept.rows))


def sweep(
    network: NetworkLike | Placement | Load, vary: Vary, *, out: Place | None = None, samples: int | None = None,
    seed: int = 0, jobs: int | None = 1, dask: str | None = None, part: tuple[int, int] = (1, 1),
    merge: Sequence[Place] = (), occupancy: bool = False, progress: Progress | None = None, **options: Any,
) -> SweepTable:  # fmt: skip
    """Run a network at all combinations of values of its parameters: a row for each, also for a deadlock.

    Parameters
    ----------
    network : a network, one placed on nodes, or a path. Of a C or C++ source also its macros and integer parameters can
        vary, ``{"N": range(16, 65)}``; or of a function that takes such values as a dictionary and returns a network.
        ``options`` are ``depths``, ``style`` and ``convention`` as of `ppnsim.run`, and for a path what `ppnsim.load`
        takes.
    vary : values by name of the parameter, as ``{"c.depth": range(1, 65), "clock": ["100 MHz", "5 ns"]}``; a name may
        be a pattern, ``c*.depth``, and the value of a depth ``None`` or ``"unbounded"``; or texts as ``--vary`` takes
        them, ``["c.depth=1:64"]``.
    out : CSV or Parquet file of the rows, read before and appended to.
    samples, seed : run so many combinations drawn at random, not all.
    jobs : processes at a time; None = as many as cores.
    dask : address of a Dask scheduler, whose workers are used instead.
    part : ``(k, n)`` runs every n-th point from the k-th on, so that n machines share a sweep.
    merge : files of the same sweep from elsewhere, whose rows also count.
    occupancy : add a column per channel, the most tokens that it held.
    progress : called with points done and in all.

    Raises
    ------
    InputError
        If there is no such parameter, or if no point obeys the rules; one that does not is in ``swept.refused``.

    Examples
    --------
    >>> from ppnsim.model.builders import fork_join
    >>> table = sweep(fork_join(firings=20), {"short_in.depth": range(1, 4)})
    >>> table.to_frame()["finish"].tolist()
    [77, 70, 57]
    """
    began = time.perf_counter()
    if not vary and not merge:
        raise InputError("names nothing to vary: write {'c.depth': range(1, 65)}", where="vary")
    planned, file = _planned(network, vary, samples=samples, seed=seed, occupancy=occupancy, **options)
    place = None if out is None else Path(out)
    swept = run_sweep(
        planned, path=place, merge=[Path(each) for each in merge], part=part, jobs=jobs_of(jobs),
        dask=dask, report=progress,
    )  # fmt: skip
    return SweepTable(sweep=planned, swept=swept, file=file, out=place, seconds=time.perf_counter() - began)


def _planned(given: NetworkLike | Placement | Load, vary: Vary, *, occupancy: bool, **more: Any) -> tuple[Sweep, str]:
    """Return the sweep of what is given, and where that comes from."""
    draw = {name: more.pop(name) for name in ("samples", "seed")}
    words = texts_of(vary)
    file = ""
    if callable(given) or (isinstance(given, str | PathLike) and is_source(given) and any(map(_of_source, words))):
        sized, file = _at_sizes(given, words, more)
        return SizedSweep(network=sized.first, axes=sized.axes, sized=sized, occupancy=occupancy, **draw), file
    if isinstance(given, str | PathLike) and not is_source(given):
        file = str(given)
        asked = {name: value for name in _CHANGES if (value := more.pop(name, None)) is not None}
        held, more = load(file, "Network", "Placement", **more), asked
        assert isinstance(held, Network | Placement)
        given = held if isinstance(held, Placement) else NetworkFile(network=held, file=file)
    if isinstance(given, Placement):
        if more or occupancy:
            option = "--occupancy" if occupancy else ", ".join(f"--{name}" for name in more)
            raise InputError("can only be used with networks that are not placed on nodes", where=option)
        axes = [placed_axis_of(each, given) for each in words]
        return PlacedSweep(network=given.network, placement=given, axes=axes, **draw), file or given.network.name
    found = network_file(given, **more)
    check_one_clock(found.source, words)
    named = [axis_of(each, found.network) for each in words]
    tell_memories(found, named)
    return Sweep(network=found.network, axes=named, occupancy=occupancy, **draw), found.file


def tell_memories(given: NetworkFile, axes: Sequence[Axis]) -> None:
    """Say at which depths FIFOs of a source would be other memories, as for depths that do not vary."""
    if given.source is not None:
        depths = {axis.name: (axis.targets, {each for each in axis.values if isinstance(each, int)})
                  for axis in axes if axis.parameter == "depth"}  # fmt: skip
        for words in swept_memories(given.source, depths):
            tell(words)


def _at_sizes(given: Place | Load, vary: Sequence[str], options: Mapping[str, Any]) -> tuple[SizedNetworks, str]:
    """Return the networks of a source, or of a function, for values of its sizes, and where they come from."""
    if not callable(given):
        sized = SizedNetworks(read=partial(_at_values, str(given), options), vary=vary)
        if any(axis.parameter == "depth" for axis in sized.axes):
            first = {axis.name: axis.values[0] for axis in sized.axes if _of_source(axis.name)}
            tell_memories(network_file(given, **with_values(str(given), options, first)), sized.axes)
        return sized, str(given)
    refuse_options(options, more=_CHANGES)
    clocked = getattr(given, "reads_clock", False)  # of the command, whose options read the source
    sized = SizedNetworks(vary=vary, read=cast("Read", given)) if clocked else SizedNetworks(vary=vary, load=given)
    return sized, sized.first.name


def _at_values(path: str, options: Mapping[str, Any], values: Mapping[str, int | str]) -> Network:
    return network_file(path, **with_values(path, options, values)).network
