"""The page of messages between ranks: what every rank did over time, and how long."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ppnsim.messages.run.record import MessageRun
from ppnsim.page.large import data_uri
from ppnsim.page.sections import Origin, provenance, section


def messages_told(
    outcome: MessageRun, result: Mapping[str, Any], picture: Any, *, origin: Origin, unit: str
) -> dict[str, Any]:  # fmt: skip
    """Return a run of messages as one entry of a page, which shows its result and its picture (of matplotlib)."""
    stuck = outcome.deadlock is not None
    answer = str(outcome.deadlock) if stuck else f"completion {outcome.completion} {unit}".rstrip()
    ranks = result["ranks"]
    columns = list(dict.fromkeys(key for row in ranks for key in row))
    rows = [[number, *(row.get(key) for key in columns)] for number, row in enumerate(ranks)]
    table = section("Ranks", ["rank", *columns], rows, *([f"times in {unit}"] if unit else []))
    return {
        "name": Path(origin.file).stem, "answer": answer, "deadlock": stuck, "engine": "des", "fallback": [table],
        "sections": [{"title": "Over time", "picture": data_uri(picture)}, table, provenance(origin, engine="des")],
    }  # fmt: skip
