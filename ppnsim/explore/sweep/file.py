"""The file of a sweep: rows by key, appended as they come, put in order at the end; CSV, or Parquet with a journal.

A row is there as soon as its line is complete, so that a sweep that is stopped, even hard, loses at most the points
that were running. Rows of other sweeps with the same columns may be in the file, and stay.

Several sweeps may write to one file at a time: each addition opens the file anew, under a lock that all share. A
journal per writer would need the same lock, to collect the journals at the end, and would leave those of killed sweeps.
The lock ends with the process that holds it. On Windows, which has no such lock, one sweep at a time may use a file.
"""

from __future__ import annotations

import csv
import io
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from ppnsim.errors import InputError

if sys.platform != "win32":
    import fcntl

Row = dict[str, Any]
Columns = Mapping[str, type]
SUFFIXES = (".csv", ".parquet")


class SweepFile:
    """Rows on disk.

    Parameters
    ----------
    path : a ``.csv`` or a ``.parquet``, which may be there from an earlier sweep.
    columns : names and types (object: a whole number or a text); the last one is ``key``.

    Raises
    ------
    InputError
        If the suffix is neither, pyarrow is missing, or the file cannot be read or has other columns.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "rows.csv"
    ...     with SweepFile(path, {"c.depth": object, "finish": int, "key": str}) as file:
    ...         file.append([{"c.depth": 2, "finish": 40, "key": "k2"}, {"c.depth": 1, "finish": None, "key": "k1"}])
    ...         file.finish(["k1", "k2"])
    ...     print(path.read_text())
    c.depth,finish,key
    1,,k1
    2,40,k2
    """

    def __init__(self, path: Path, columns: Columns) -> None:
        self.path, self.columns = path, dict(columns)
        if path.suffix not in SUFFIXES:
            raise InputError(f"'{path.suffix}' is none of {', '.join(SUFFIXES)}", where=str(path))
        self._parquet = path.suffix == ".parquet"
        if self._parquet:
            _pyarrow()
        self._journal = path.with_name(f"{path.name}.journal") if self._parquet else path
        self.rows: dict[str, Row] = {}
        self.merge(path)

    def merge(self, path: Path) -> None:
        """Also take the rows of another file with the same columns."""
        places = [path, path.with_name(f"{path.name}.journal")]
        for row in chain.from_iterable(_read(place, self.columns) for place in places):
            self.rows.setdefault(row["key"], row)

    def __enter__(self) -> SweepFile:
        try:
            with self._locked():
                self.merge(self.path)
                self._begin_journal(self.rows.values())
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror}", where=str(self.path)) from None
        return self

    def append(self, rows: Sequence[Row]) -> None:
        """Add rows; they are on disk when this returns."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        for row in rows:
            self.rows[row["key"]] = row
            writer.writerow([_word(row[name]) for name in self.columns])
        with self._locked():
            if not self._journal.exists():  # another sweep has finished
                self._begin_journal(())
            with self._journal.open("r+b") as out:
                _drop_torn_line(out)
                out.write(text.getvalue().encode())

    def finish(self, order: Sequence[str]) -> None:
        """Put the rows with these keys in this order, behind those of other sweeps, at once or not at all.

        Another sweep may have written to the file meanwhile: its rows are also taken.
        """
        mine = set(order)
        with self._locked():
            self.merge(self.path)
            others = [row for key, row in self.rows.items() if key not in mine]
            self._write_all([*others, *(self.rows[key] for key in order if key in self.rows)])
            if self._parquet:
                self._journal.unlink(missing_ok=True)

    def drop_if_empty(self) -> None:
        """Take the file away if no sweep has put a row into it."""
        if self.rows:
            return
        with self._locked():
            self.merge(self.path)
            if not self.rows:
                self.path.unlink(missing_ok=True)

    def __exit__(self, *_: object) -> None:
        """Nothing is open between two additions."""

    def _begin_journal(self, rows: Iterable[Row]) -> None:
        beside = self._journal.with_name(f"{self._journal.name}.tmp")
        _write_csv(beside, self.columns, rows)
        beside.replace(self._journal)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Keep all others from the file meanwhile; what holds the lock is a file beside it, which then goes."""
        if sys.platform == "win32":
            yield
            return
        path = self.path.with_name(f"{self.path.name}.lock")
        while True:
            with path.open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                try:
                    mine = os.path.samestat(path.stat(), os.fstat(lock.fileno()))
                except FileNotFoundError:
                    mine = False
                if mine:  # else it was waited for and then went with its last holder
                    try:
                        yield
                    finally:
                        path.unlink()
                    return

    def _write_all(self, rows: Iterable[Row]) -> None:
        beside = self.path.with_name(f"{self.path.name}.tmp")
        (_write_parquet if self._parquet else _write_csv)(beside, self.columns, list(rows))
        beside.replace(self.path)


def _drop_torn_line(file: BinaryIO) -> None:
    """Go to the end of a file, without the line that somebody was writing when killed."""
    if file.seek(0, os.SEEK_END):
        file.seek(-1, os.SEEK_END)
        if file.read(1) != b"\n":
            file.seek(0)
            file.truncate(file.read().rfind(b"\n") + 1)
            file.seek(0, os.SEEK_END)


def _read(path: Path, columns: Columns) -> list[Row]:
    if not path.exists():
        return []
    try:
        return _read_parquet(path, columns) if path.suffix == ".parquet" else _read_csv(path, columns)
    except FileNotFoundError:
        return []  # another sweep has just finished: a journal
    except (OSError, ValueError, csv.Error) as error:
        raise InputError(f"cannot be read: {error}", where=str(path)) from None


def _read_csv(path: Path, columns: Columns) -> list[Row]:
    text = path.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]  # a line that was being written when it ended is none
    lines = list(csv.reader(whole.split("\n")))
    if not lines or not lines[0]:
        return []
    _check_columns(lines[0], columns, path)
    return [
        {name: _value(word, kind) for word, (name, kind) in zip(line, columns.items(), strict=True)}
        for line in lines[1:]
        if len(line) == len(columns)
    ]


def _read_parquet(path: Path, columns: Columns) -> list[Row]:
    _pyarrow()
    parquet = import_module("pyarrow.parquet")
    try:
        table = parquet.read_table(path)
    except Exception as error:  # pyarrow's own, which are not there without it
        raise InputError(f"cannot be read as Parquet: {error}", where=str(path)) from None
    _check_columns(table.column_names, columns, path)
    rows: list[Row] = table.to_pylist()
    return [
        {name: _value(value, kind) if isinstance(value, str) else value
         for (name, kind), value in zip(columns.items(), row.values(), strict=True)}
        for row in rows
    ]  # fmt: skip


def _check_columns(found: Sequence[str], columns: Columns, path: Path) -> None:
    if list(found) != list(columns):
        words = f"has the columns of another sweep ({', '.join(found)[:200]}): choose another file"
        raise InputError(words, where=str(path))


def _write_csv(path: Path, columns: Columns, rows: Iterable[Row]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows([_word(row[name]) for name in columns] for row in rows)


def _write_parquet(path: Path, columns: Columns, rows: list[Row]) -> None:
    arrow = _pyarrow()
    types = {int: arrow.int64(), float: arrow.float64(), bool: arrow.bool_(), str: arrow.string()}
    schema = []
    for name, kind in columns.items():
        if kind is object:
            kind = int if all(isinstance(row[name], int) for row in rows) else str
            rows = rows if kind is int else [row | {name: str(row[name])} for row in rows]
        schema.append(arrow.field(name, types[kind]))
    import_module("pyarrow.parquet").write_table(arrow.Table.from_pylist(rows, schema=arrow.schema(schema)), path)


def _pyarrow() -> Any:
    try:
        return import_module("pyarrow")
    except ImportError:
        words = "Parquet needs pyarrow, which is not installed (pip install 'ppnsim[parquet]', or take .csv)"
        raise InputError(words) from None


def _word(value: object) -> object:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else value


def _value(word: str, kind: type) -> Any:
    if kind is bool:
        return word == "true"
    if kind is str:
        return word
    if kind is object:
        return int(word) if word.isascii() and word.isdecimal() else word
    return kind(word) if word else None
