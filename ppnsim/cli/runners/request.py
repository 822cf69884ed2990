"""What ``ppnsim run`` asks of the module that runs one kind of file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from ppnsim.cli.options.network import NetworkOptions
from ppnsim.cli.options.outputs import FORMATS, save_picture, write_json
from ppnsim.errors import InputError, UnsupportedByEngine
from ppnsim.export.place import folder_at
from ppnsim.report import text


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """A file and the options of the command line.

    Attributes
    ----------
    file : the path as it was given.
    terminal : where tables go.
    folder : where files go, None = nowhere.
    plot : the picture, or the folder of all of them, None = none.
    engine : ``auto``, ``des`` or ``compiled``.
    pictures : suffix of the pictures in a folder.
    first : whether it is the first of several files, with which words are said that hold for all.
    options, fast_forward, self_check, window : what only networks know.
    """

    file: str
    terminal: Console
    folder: Path | None
    plot: Path | None
    engine: str
    pictures: str
    first: bool
    options: NetworkOptions
    fast_forward: bool
    self_check: bool
    window: str | None

    def refuse_network_options(self, kind: str, *, but: tuple[str, ...] = ()) -> None:
        """Refuse options that only networks know, instead of ignoring them; ``kind`` is what the file holds."""
        options = [*self.options.given(), *(["--self-check"] if self.self_check else [])]
        options += [] if self.fast_forward else ["--no-fast-forward"]
        options += ["--window"] if self.window is not None else []
        if given := [name for name in options if name not in but]:
            raise InputError(f"{', '.join(given)} can only be used with a network; this file holds {kind}")

    def refuse_compiled(self, kind: str) -> None:
        """Refuse the compiled engine for a kind of file that only SimPy runs."""
        if self.engine == "compiled":
            raise UnsupportedByEngine("engine compiled", f"{kind} run in the SimPy engine only (--engine des)")

    def write(self, result: dict[str, Any], more: Callable[[Path], list[str]], *, page: bool = True) -> None:
        """Write result.json, and what ``more`` writes to a folder, if one is given, and print what ``more`` says.

        ``page`` is whether a page is among that.
        """
        if self.folder is None:
            return
        with folder_at(self.folder):
            write_json(result, str(self.folder / "result.json"))
            for sentence in more(self.folder):
                text.plain_line(self.terminal, sentence)
        words = f"written to {self.folder}"
        if page and self.first and self.plot is None:
            words += f" (report.html shows it; --plot {self.folder} draws pictures)"
        text.plain_line(self.terminal, words)

    def draw(self, pictures: Callable[[], Mapping[str, Callable[[], Any]]]) -> None:
        """Draw the first of the pictures, or all of them to a folder, if that is asked for.

        Raises
        ------
        InputError
            If there are none.
        """
        if self.plot is None:
            return
        drawn = pictures()
        if not drawn:
            raise InputError("there is no picture of such a file", where=f"--plot {self.plot}")
        if self.plot.suffix.lower() in FORMATS and not self.plot.is_dir():
            save_picture(next(iter(drawn.values()))(), self.plot, "--plot")
        else:
            with folder_at(self.plot):
                for name, draw in drawn.items():
                    save_picture(draw(), self.plot / f"{name}.{self.pictures}", "--plot")
        text.plain_line(self.terminal, f"drawn to {self.plot}")
