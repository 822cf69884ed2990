"""``ppnsim.scenarios``: the networks and kernels that come with ppnsim."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ppnsim.formats.shipped import Scenario, called, shipped
from ppnsim.library.answer import Answer

_WHAT = {
    "scenario": "what to see", "platform": "what to see", "kernel": "what it computes", "roofline": "what it shows",
    "opencl": "what it computes", "hls": "what to see", "model": "what it predicts",
}  # fmt: skip


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class ShippedScenarios(Answer):
    """Scenarios with their kinds; ``scenarios()["predictor"]`` is the path of one, for all functions."""

    chosen: tuple[tuple[str, Scenario], ...]

    def __getitem__(self, name: str) -> Path:
        return _chosen([name])[0][1].path

    def __iter__(self) -> Iterator[str]:
        return (entry.name for _, entry in self.chosen)

    def to_dict(self) -> list[dict[str, Any]]:
        """Return what the command writes as JSON."""
        return [{"name": e.name, "kind": kind, "title": e.title, "path": str(e.path)} for kind, e in self.chosen]

    def print(self, console: Console) -> None:
        """Print a table for each kind."""
        for kind in _WHAT:
            self.print_kind(console, kind)

    def print_kind(self, console: Console, kind: str) -> bool:
        """Print the table of a kind; return whether there is one."""
        table = Table(kind, _WHAT[kind], box=None, pad_edge=False)
        for its_kind, entry in self.chosen:
            if its_kind == kind:
                table.add_row(escape(entry.name), escape(entry.title))
        if table.row_count:
            console.print(table)
        return bool(table.row_count)

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return a row for each: name, kind, title, path."""
        return self.to_dict()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {', '.join(entry.name for _, entry in self.chosen)}>"


def scenarios(*names: str) -> ShippedScenarios:
    """List the scenarios and the kernels (C, C++, OpenCL C) that come with ppnsim.

    Parameters
    ----------
    names : only these.

    Raises
    ------
    InputError
        If there is no such scenario.

    Examples
    --------
    >>> scenarios()["predictor"].name
    'predictor.toml'
    """
    return ShippedScenarios(chosen=tuple(_chosen(names)))


def _chosen(names: Sequence[str]) -> list[tuple[str, Scenario]]:
    known = {entry.name: (kind, entry) for kind, entries in shipped().items() for entry in entries}
    listed = {name: entry for name, (_, entry) in known.items()}
    return [known[called(name, listed)] for name in names] if names else list(known.values())
