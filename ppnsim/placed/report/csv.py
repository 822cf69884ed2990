"""Messages over links as CSV."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ppnsim.placed.model.links import Message
from ppnsim.report.csv import write_rows

_COLUMNS = ("channel", "link", "source", "target", "size", "ready", "started", "arrived", "accepted")


def write_messages(messages: Iterable[Message], path: str | Path) -> None:
    """Write a row per message: channel, link, nodes, bytes, and when it was ready, started, arrived, accepted (ps).

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    write_rows(_COLUMNS, ([getattr(message, column) for column in _COLUMNS] for message in messages), path)
