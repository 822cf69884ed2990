"""Tables of a run for spreadsheets and data frames, as CSV or Parquet, chunk by chunk."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import IO, Any

import pandas as pd

from ppnsim.errors import InputError
from ppnsim.export.trace import Trace, trace_of
from ppnsim.export.window import Window
from ppnsim.model.timeline import Timeline
from ppnsim.report.tables import firing_chunks

_ROWS = 100_000
TYPES: dict[str, dict[str, str]] = {
    "firings": {
        "process": "string", "firing": "int64", "start": "Int64", "execute": "Int64", "write": "Int64", "end": "Int64",
    },
    "states": {"process": "string", "first": "int64", "last": "int64", "state": "string", "cause": "string"},
    "occupancy": {"channel": "string", "cycle": "int64", "tokens": "int64"},
    "spans": {"where": "string", "what": "string", "start": "int64", "end": "int64"},
}  # fmt: skip
"""Columns of each table and their types in pandas; ``Int64`` may lack a value (what never happened)."""

Chunks = Iterator[pd.DataFrame]


def chunks_of(timeline: Timeline, table: str, window: Window) -> Chunks:
    """Yield a table of a network's run in pieces, the rows that touch the window: firings, states or occupancy."""
    if table == "firings":
        whole = window.first == 0 and window.last >= timeline.stopped
        return firing_chunks(timeline, None if whole else (window.first, window.last))
    return trace_chunks(trace_of(timeline), table, window)


def trace_chunks(trace: Trace, table: str, window: Window) -> Chunks:
    """Yield the states, the occupancy or the spans of a trace in pieces."""
    rows: Iterator[tuple[Any, ...]]
    if table == "states":
        split = ((each.name, a, b, *_parts(word)) for each in trace.states for a, b, word in each.within(window))
        rows = split
    elif table == "occupancy":
        rows = ((each.name, tick, value) for each in trace.levels for tick, value in each.within(window))
    else:
        rows = (
            (each.name, each.words[place] if each.words else str(each.number[place]), begin, end)
            for each in trace.spans
            for begin, end, place in each.within(window, stopped=trace.stopped)
        )
    return _collected(rows, table)


def write_csv(chunks: Chunks, table: str, out: IO[str]) -> None:
    """Write a table as CSV; a cell is empty where something never happened."""
    out.write(",".join(TYPES[table]) + "\n")
    for chunk in chunks:
        chunk.to_csv(out, index=False, header=False, lineterminator="\n")


def write_parquet(chunks: Chunks, table: str, out: IO[bytes]) -> None:
    """Write a table as Parquet, a row group per chunk.

    pyarrow is an optional extra: it is ten times as large as ppnsim, and only this format and sweeps need it.

    Raises
    ------
    InputError
        If pyarrow is not installed.
    """
    try:
        pa, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise InputError("Parquet needs pyarrow: pip install 'ppnsim[parquet]' (or write CSV)") from None
    kinds = {"string": pa.string(), "int64": pa.int64(), "Int64": pa.int64()}
    schema = pa.schema([pa.field(name, kinds[kind], kind != "int64") for name, kind in TYPES[table].items()])
    with parquet.ParquetWriter(out, schema) as writer:
        for chunk in chunks:
            writer.write_table(pa.Table.from_pandas(chunk, schema=schema, preserve_index=False))


def _collected(rows: Iterator[tuple[Any, ...]], table: str) -> Chunks:
    columns, batch = list(TYPES[table]), list[tuple[Any, ...]]()
    for row in rows:
        batch.append(row)
        if len(batch) == _ROWS:
            yield pd.DataFrame(batch, columns=columns)
            batch = []
    if batch:
        yield pd.DataFrame(batch, columns=columns)


def _parts(word: str) -> tuple[str, str | None]:
    state, colon, cause = word.partition(":")
    return state, cause if colon else None
