"""``ppnsim.styles``: which pipeline style hardware has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Console
from rich.markup import escape

from ppnsim.library.answer import Answer
from ppnsim.model.styles import HARDWARE, HardwareStyle
from ppnsim.report.text import plain_line, plain_table


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class StyleTable(Answer):
    """Kinds of hardware by the name that can stand for a style, with what is known and what assumed of each."""

    hardware: tuple[HardwareStyle, ...]

    def to_dict(self) -> list[dict[str, Any]]:
        """Return what the command writes as JSON."""
        return [asdict(each) for each in self.hardware]

    def print(self, console: Console) -> None:
        """Print the table."""
        plain_line(console, "elastic: firings wait one by one, bubbles close up")
        plain_line(console, "flushable: the pipeline stops reading and goes on with what it has begun; bubbles stay")
        plain_line(console, "frozen: a missing token or slot stops the pipeline as a whole, with all that it has begun")
        table = plain_table("name", "style", "hardware", "known", "assumed")
        for each in self.hardware:
            table.add_row(*map(escape, (each.name, each.style, each.hardware, each.known, each.assumed or "-")))
        console.print(table)

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return a row for each kind of hardware."""
        return self.to_dict()


def styles() -> StyleTable:
    """Return which pipeline style hardware has; a name of the table can stand wherever a style can.

    Examples
    --------
    >>> {row["name"]: row["style"] for row in styles().rows()}["finn"]
    'flushable'
    """
    return StyleTable(hardware=HARDWARE)
