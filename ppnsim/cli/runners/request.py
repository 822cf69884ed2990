"""What ``ppnsim run`` asks of the module that runs one kind of file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from ppnsim.cli.options.network import NetworkOptions
from ppnsim.cli.options.outputs import write_json, written_to
from ppnsim.errors import InputError, UnsupportedByEngine
from ppnsim.report import text


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """A file and the options of the command line.

    Attributes
    ----------
    file : the path as it was given.
    terminal : where tables go.
    folder : where files go, None = nowhere.
    engine : ``auto``, ``des`` or ``compiled``.
    pictures : suffix of the pictures in ``folder``.
    options, fast_forward, self_check, window : what only networks know.
    """

    file: str
    terminal: Console
    folder: Path | None
    engine: str
    pictures: str
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

    def write(self, result: dict[str, Any], more: Callable[[Path, str], None] | None = None) -> None:
        """Write result.json, and what ``more`` writes to a folder with a suffix of pictures, if a folder is given."""
        if self.folder is None:
            return
        with written_to(self.folder):
            write_json(result, str(self.folder / "result.json"))
            if more is not None:
                more(self.folder, self.pictures)
        text.plain_line(self.terminal, f"written to {self.folder}")
