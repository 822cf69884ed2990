"""``ppnsim.memory``: the limits of a DRAM system, and its curves beside the analytic laws."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from ppnsim.comparison.run.subject import check_whole_numbers, plain_axis
from ppnsim.errors import InputError, did_you_mean
from ppnsim.files import load_as
from ppnsim.library.answer import Answer
from ppnsim.library.compare import texts_of
from ppnsim.library.place import Place
from ppnsim.memory.files.json import MemoryFile
from ppnsim.memory.model.dram import Dram
from ppnsim.memory.model.presets import PRESETS, Preset, preset
from ppnsim.memory.report import curve_row, memory_result, print_curve, print_memory, print_presets
from ppnsim.memory.run.curves import SWEEPS, CurvePoint, memory_curve
from ppnsim.report.text import plain_line

if TYPE_CHECKING:
    from ppnsim.plots.shown import NotebookFigure

Progress = Callable[[int, int], None]
ALL = "all"


@dataclass(kw_only=True, repr=False, eq=False)
class MemoryLimits(Answer):
    """A DRAM system with its ceilings, and the points of its curves if a sweep was asked for.

    Attributes
    ----------
    dram, preset : the memory; the preset is None for one of a file.
    name : of the preset, or the path of the file.
    notes : what the file may not mean.
    points : by sweep, each point with what the law says and the limit that makes the difference.
    interrupted : whether Ctrl-C ended a sweep.
    """

    dram: Dram
    preset: Preset | None
    name: str
    notes: Sequence[str] = ()
    points: dict[str, list[CurvePoint]] = field(default_factory=dict)
    interrupted: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return what the command writes as JSON."""
        result = memory_result(self.dram, self.preset, file=self.name) | {"notes": list(self.notes)}
        return result | ({"points": self.rows()} if self.points or self.interrupted else {})

    def print(self, console: Console) -> None:
        """Print the parameters and ceilings, or the curves if there are any."""
        if not self.points and not self.interrupted:
            print_memory(console, self.dram, self.preset, file=self.name)
        for note in self.notes:
            plain_line(console, f"note: {note}")
        for name, points in self.points.items():
            if points:
                print_curve(console, name, points)

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return a row for each point of the curves."""
        return [curve_row(point) for points in self.points.values() for point in points]

    def figure(self) -> NotebookFigure:
        """Return the curves as a picture."""
        from ppnsim.memory.pictures import memory_figure  # matplotlib takes a while to import
        from ppnsim.plots.shown import shown

        points = [point for each in self.points.values() for point in each]
        if not points:
            raise InputError("there are no points to draw: say what varies", where=self.name)
        return shown(memory_figure(Path(self.name).stem, points))


@dataclass(frozen=True, repr=False, eq=False)
class MemoryPresets(Answer):
    """The memories that come with ppnsim."""

    presets: Mapping[str, Preset] = field(default_factory=lambda: PRESETS)

    def to_dict(self) -> list[dict[str, Any]]:
        """Return what the command writes as JSON."""
        return [memory_result(each.dram, each, file=name) for name, each in self.presets.items()]

    def print(self, console: Console) -> None:
        """Print a row for each."""
        print_presets(console)

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return a row for each preset."""
        return self.to_dict()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {', '.join(self.presets)}>"


def memory(
    name: Place | Dram, *, vary: str | Sequence[str] | Mapping[str, Iterable[int]] = (), requests: int = 10_000,
    progress: Progress | None = None,
) -> MemoryLimits:  # fmt: skip
    """Tell the limits of a DRAM system, and simulate its curves of bandwidth and latency beside the laws.

    Parameters
    ----------
    name : a preset (`ppnsim.memory_presets` lists them), the path of a JSON file that holds ``dram``, or a memory.
    vary : what varies: ``frequency``, ``locality``, ``outstanding``, ``concurrency``, ``banks``, or ``all``; at the
        usual values, or as a mapping or texts ``banks=1,2,4`` at others.
    requests : of every point, from 100 to 10000000.
    progress : called with points done and points in all.

    Raises
    ------
    InputError
        If there is no such preset, file or sweep.

    Examples
    --------
    >>> found = memory("DDR4-2400")
    >>> round(found.dram.peak_gbps, 1)
    19.2
    """
    if not 100 <= requests <= 10_000_000:
        raise InputError(f"{requests} must be from 100 to 10000000 requests", where="--requests")
    wanted = _wanted([vary] if isinstance(vary, str) else vary)
    found = _memory(name)
    for each, values in wanted.items():
        own = found.points.setdefault(each, [])
        try:
            own.extend(memory_curve(found.dram, each, values=values, requests=requests, progress=progress))
        except KeyboardInterrupt:
            found.interrupted = True
            break
    return found


def memory_presets() -> MemoryPresets:
    """Return the memories that come with ppnsim."""
    return MemoryPresets()


def _wanted(vary: Sequence[str] | Mapping[str, Iterable[int]]) -> dict[str, Sequence[int]]:
    """Return the values of each sweep that is asked for, none for the usual ones."""
    found: dict[str, Sequence[int]] = {}
    for each in vary:
        name, equals, _ = each.partition("=")
        if name not in (*SWEEPS, ALL) or (equals and name == ALL):
            near = did_you_mean(name, SWEEPS) if not equals else ""
            raise InputError(f"'{each}' is none of {', '.join((*SWEEPS, ALL))}{near}", where="--vary")
        if equals and found.get(name):
            raise InputError(f"'{each}' is a second list of values for {name}: give one, as {name}=1,2", where="--vary")
        values: list[int] = []
        if equals or isinstance(vary, Mapping):
            [text] = texts_of({each: vary[each]} if isinstance(vary, Mapping) else each)
            axis = plain_axis(text)
            check_whole_numbers(axis, least=1)
            values = [int(value) for value in axis.values]
        # Usual values take the place of none that are given.
        usual = dict.fromkeys(SWEEPS if name == ALL else (name,), ())
        found = usual | found if not values else found | {name: values}
    return found


def _memory(name: Place | Dram) -> MemoryLimits:
    """Return the memory of a preset or of a file."""
    if isinstance(name, Dram):
        return MemoryLimits(dram=name, preset=None, name="memory")
    if Path(name).suffix.lower() != ".json" and not Path(name).is_file():
        found = preset(str(name))
        return MemoryLimits(dram=found.dram, preset=found, name=str(name))
    held = load_as(name, MemoryFile)
    return MemoryLimits(dram=held.dram, preset=None, name=str(name), notes=list(held.notes))
