"""A simulation of what is not a network: its text, JSON and tables, its pictures, and the folder that keeps them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from ppnsim.errors import InputError
from ppnsim.export.place import folder_at, replacing
from ppnsim.library.answer import Answer
from ppnsim.library.place import Place

if TYPE_CHECKING:
    from ppnsim.page.sections import Origin
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
    shown, pictures, tables, page : how it is printed and drawn (figures of matplotlib by name), its tables written to a
        folder, and the entry of a page that shows it, all of a window ``A:B``. They are functions of this, with a name,
        so that a pickle finds them.
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
    page: Callable[[SimulatedFile, Origin, str | None], Mapping[str, Any]] | None

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

    def save(self, folder: Place, *, window: str | None = None) -> Path:
        """Write the result, tables, and a page with pictures to a folder, as ``ppnsim run --out``, and return it.

        Raises
        ------
        InputError
            If a window is given and there is no picture, or it shows no moment of the simulation, or a file cannot be
            written.
        """
        place = Path(folder)
        with folder_at(place):
            with replacing(place / "result.json") as file:
                file.write(json.dumps(self.to_dict(), indent=2, allow_nan=False) + "\n")
            self.fill(place, window=window)
        return place

    def fill(self, folder: Path, *, window: str | None = None) -> list[str]:
        """Write the tables and the page to a folder that is there; nothing is left out that would have to be told."""
        if window is not None and self.pictures is None:
            raise InputError("says what pictures show, and there are none of such a file", where="--window")
        if (told := self.page) is not None:
            write_page = import_module("ppnsim.page.html").write_page  # takes a while to import
            write_page(folder, self.file, lambda origin: told(self, origin, window))
        if self.tables is not None:
            self.tables(self, folder, window)
        return []

    def pictures_in(self, window: str | None = None) -> Mapping[str, Callable[[], Any]]:
        """Return what draws each of its pictures, by name."""
        drawn = self.pictures(self, window) if self.pictures is not None else {}
        return {name: partial(_itself, figure) for name, figure in drawn.items()}


def _itself(figure: Any) -> Any:
    return figure


def _columns(row: object) -> Mapping[str, Any]:
    return row if isinstance(row, Mapping) else {"value": row}


def simulation_of(
    held: object, record: object, result: Mapping[str, Any], table: str,
    shown: Callable[[Console, SimulatedFile], None],
    pictures: Callable[[SimulatedFile, str | None], Mapping[str, Any]] | None = None,
    tables: Callable[[SimulatedFile, Path, str | None], None] | None = None,
    page: Callable[[SimulatedFile, Origin, str | None], Mapping[str, Any]] | None = None, *, deadlocked: bool = False,
) -> SimulatedFile:  # fmt: skip
    """Return a simulation whose seconds are not known yet; its file is that of the result."""
    return SimulatedFile(
        held=held, record=record, result=result, table=table, file=str(result["file"]), seconds=0.0, shown=shown,
        pictures=pictures, tables=tables, page=page, deadlocked=deadlocked,
    )  # fmt: skip
