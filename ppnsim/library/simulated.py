"""A simulation of what is not a network: its text, JSON and tables, its pictures, and the folder that keeps them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from ppnsim.errors import InputError
from ppnsim.library.answer import Answer

if TYPE_CHECKING:
    from ppnsim.plots.shown import NotebookFigure


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class SimulatedFile(Answer):
    """A simulation of what is not a network.

    Attributes
    ----------
    held : what was simulated.
    record : what happened, as the room of its subject records it; of a memory one for each seed.
    result : what the command writes as JSON.
    table : name of the main table in ``result``.
    file : where it came from.
    seconds : how long it took.
    deadlocked : whether it stands still before its end.
    shown, pictures, tables : how it is printed and drawn (figures of matplotlib by name), and its tables written to a
        folder, both of a window ``A:B``. They are functions of this, with a name, so that a pickle finds them.
    """

    held: Any
    record: Any
    result: Mapping[str, Any]
    table: str
    file: str
    seconds: float
    deadlocked: bool
    shown: Callable[[Console, SimulatedFile], None]
    pictures: Callable[[SimulatedFile, str | None], Mapping[str, Any]] | None
    tables: Callable[[SimulatedFile, Path, str | None], None] | None

    def to_dict(self) -> dict[str, Any]:
        """Return what the command writes as JSON."""
        return dict(self.result)

    def print(self, console: Console) -> None:
        """Print when it ends, and what each part did until then."""
        self.shown(console, self)

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return a row for each part: process, term, rank, flow, seed or task."""
        table = self.result[self.table]
        if isinstance(table, Mapping):
            return [{"name": name, **_columns(row)} for name, row in table.items()]
        return [{"number": number, **_columns(row)} for number, row in enumerate(table)]

    def figure(self, picture: str | None = None, *, window: str | None = None) -> NotebookFigure:
        """Return a picture over time, the first one unless another is named; ``window`` is ``A:B``, as "1us:2us".

        Raises
        ------
        InputError
            If there is no such picture, or the window shows no moment of the simulation.
        """
        from ppnsim.plots.shown import shown  # matplotlib takes a while to import

        found = self.pictures(self, window) if self.pictures is not None else {}
        name = next(iter(found), "") if picture is None else picture
        if name not in found:
            words = f"'{name}' is none of {', '.join(found)}" if found else "such a simulation has no picture"
            raise InputError(words, where=self.file)
        return shown(found[name])

    def save(self, folder: Path, *, pictures: str = "png", window: str | None = None) -> None:
        """Write tables, and the pictures in a format, to a folder that is there.

        Raises
        ------
        InputError
            If a window is given and there is no picture, or it shows no moment of the simulation.
        """
        from ppnsim.plots.save import save  # matplotlib takes a while to import

        drawn = self.pictures(self, window) if self.pictures is not None else {}
        if window is not None and not drawn:
            raise InputError("says what pictures show, and there are none of such a file", where="--window")
        if self.tables is not None:
            self.tables(self, folder, window)
        for name, picture in drawn.items():
            save(picture, folder / f"{name}.{pictures}")


def _columns(row: object) -> Mapping[str, Any]:
    return row if isinstance(row, Mapping) else {"value": row}


def simulation_of(
    held: object, record: object, result: Mapping[str, Any], table: str,
    shown: Callable[[Console, SimulatedFile], None],
    pictures: Callable[[SimulatedFile, str | None], Mapping[str, Any]] | None = None,
    tables: Callable[[SimulatedFile, Path, str | None], None] | None = None, *, deadlocked: bool = False,
) -> SimulatedFile:  # fmt: skip
    """Return a simulation whose seconds are not known yet; its file is that of the result."""
    return SimulatedFile(
        held=held, record=record, result=result, table=table, file=str(result["file"]), seconds=0.0, shown=shown,
        pictures=pictures, tables=tables, deadlocked=deadlocked,
    )  # fmt: skip
