"""Messages over links as CSV."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from ppnsim.platform.mapping import Message


def write_messages(messages: Iterable[Message], path: Path) -> None:
    """Write a row per message: channel, link, nodes, bytes, and when it was ready, started, arrived, accepted (ps)."""
    columns = ["channel", "link", "source", "target", "size", "ready", "started", "arrived", "accepted"]
    rows = [[getattr(message, column) for column in columns] for message in messages]
    pd.DataFrame(rows, columns=columns).to_csv(path, index=False)
