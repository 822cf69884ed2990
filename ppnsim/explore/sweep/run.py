"""A sweep from its first missing row to its last: what is known is taken, what is not is run and kept."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

from ppnsim.errors import InputError, PpnsimError
from ppnsim.explore.sweep.file import SweepFile
from ppnsim.explore.sweep.parameters import Value
from ppnsim.explore.sweep.sweep import REFUSED, Row, Sweep
from ppnsim.explore.sweep.workers import runner


@dataclass(frozen=True, slots=True)
class PointWithoutRow:
    """A point that breaks a rule, or is more than an engine does, and the reason."""

    values: Mapping[str, Value]
    reason: str

    def __str__(self) -> str:
        """Return both in a line.

        Examples
        --------
        >>> print(PointWithoutRow({"c.depth": 0, "p.ii": 1}, "depth = 0 holds no token"))
        c.depth = 0, p.ii = 1: depth = 0 holds no token
        """
        name = ", ".join(f"{name} = {value}" for name, value in self.values.items())
        return f"{name}: {self.reason.removeprefix(f'{name}: ')}"

    @property
    def row(self) -> Row:
        """Its values and the reason as a row of a table."""
        return {**self.values, "error": self.reason}


@dataclass(frozen=True, slots=True, kw_only=True)
class Swept:
    """What a sweep has found.

    Attributes
    ----------
    rows : those of its points that are known, in the order of the points.
    points : how many there are in all.
    ran, known : how many were run now, and how many had been before.
    interrupted : whether Ctrl-C ended it.
    refused : the points that have no row.
    """

    rows: list[Row]
    points: int
    ran: int
    known: int
    interrupted: bool
    refused: Sequence[PointWithoutRow] = ()

    @property
    def all_rows(self) -> list[Row]:
        """The rows, and behind them those of refused points with an ``error``, which all then have."""
        if not self.refused:
            return self.rows
        rows = [row | {"error": None} for row in self.rows]
        return rows + [dict.fromkeys(rows[0] if rows else ()) | each.row for each in self.refused]


def jobs_of(asked: int | None) -> int:
    """Return how many processes run at a time; None = as many as cores."""
    if asked is not None and asked < 1:
        raise InputError(f"{asked} is below 1 process at a time (None: as many as cores)", where="jobs")
    return asked or os.cpu_count() or 1


def run_sweep(
    sweep: Sweep, *, path: Path | None = None, merge: Sequence[Path] = (), part: tuple[int, int] = (1, 1),
    jobs: int = 1, dask: str | None = None, report: Callable[[int, int], None] | None = None,
) -> Swept:  # fmt: skip
    """Run the points of a sweep that no file has yet.

    Parameters
    ----------
    path : CSV or Parquet file of the rows, read before and appended to; None = keep them in memory only.
    merge : files of the same sweep from elsewhere, whose rows also count.
    part : ``(k, n)`` runs every n-th point from the k-th on, so that n machines share a sweep.
    jobs : processes of this machine.
    dask : address of a Dask scheduler, whose workers are used instead.
    report : called with points done and points in all.

    Raises
    ------
    InputError
        If a file is not that of this sweep, or if every point breaks a rule: with the reason of the first.

    Examples
    --------
    >>> from ppnsim.explore.sweep.parameters import axis_of
    >>> from ppnsim.model.builders import chain
    >>> network = chain(firings=20)
    >>> swept = run_sweep(Sweep(network=network, axes=[axis_of("c*.depth=1:3", network)]))
    >>> [row["finish"] for row in swept.rows], swept.ran
    ([51, 32, 32], 3)
    """
    k, n = part
    if not 1 <= k <= n:
        raise InputError(f"{k}/{n} is not a part K/N with 1 <= K <= N", where="--part")
    numbers = sweep.numbers[k - 1 :: n]
    rows: dict[int, Row] = {}
    refused: dict[int, str] = {}
    known, interrupted = 0, False
    with ExitStack() as stack:
        file = _opened(sweep, path, merge)
        if file is not None:
            stack.enter_context(file)
        try:
            rows.update(_known(sweep, file))
            known = len(rows)
            left = [number for number in numbers if number not in rows]
            done = len(numbers) - len(left)
            with closing(runner(jobs=jobs, dask=dask)(sweep, left)) as pieces:
                for piece in pieces if left else ():
                    ran, without_row = _by_result(sweep, piece)
                    refused |= without_row
                    rows |= {sweep.number(row): row for row in ran}
                    if file is not None and ran:
                        file.append(ran)  # an interrupt in here loses none: the end writes what is missing
                    done += len(piece)
                    if report is not None:
                        report(done, len(numbers))
        except KeyboardInterrupt:
            interrupted = True
        finally:
            if file is not None:
                # Others may have written the rows of the other parts meanwhile.
                _finish(file, sweep, rows, all_parts=n > 1 and not interrupted)
    without = [PointWithoutRow(sweep.point(number), refused[number]) for number in sorted(refused)]
    if without and not rows and not interrupted:
        raise InputError(str(without[0]))
    return Swept(
        rows=[rows[number] for number in sorted(rows)], points=len(sweep.numbers), ran=max(0, len(rows) - known),
        known=known, interrupted=interrupted, refused=without,
    )  # fmt: skip


def _by_result(sweep: Sweep, piece: Sequence[Row]) -> tuple[list[Row], dict[int, str]]:
    """Return the rows of points that ran, and the reasons of those that did not, by point."""
    refused = {sweep.number(row): row[REFUSED] for row in piece if REFUSED in row}
    return [row for row in piece if REFUSED not in row], refused


def _finish(file: SweepFile, sweep: Sweep, rows: Mapping[int, Row], *, all_parts: bool) -> None:
    """Put the rows of a sweep in order in its file; one without rows goes, as its name may be wanted again."""
    known = (rows[each]["key"] if each in rows else _key(sweep, each) if all_parts else "" for each in sweep.numbers)
    for row in rows.values():
        file.rows.setdefault(row["key"], row)
    file.finish([key for key in known if key])
    file.drop_if_empty()


def _key(sweep: Sweep, number: int) -> str:
    """Return the key of a point, "" if there is no such network."""
    try:
        return sweep.key(number)
    except PpnsimError:
        return ""


def _known(sweep: Sweep, file: SweepFile | None) -> Iterator[tuple[int, Row]]:
    """Yield the rows that a file has, by point; keys of a million points take minutes, so a new file asks for none.

    A row may have been named otherwise where it comes from: 10 ns there, 100 MHz here.
    """
    if file is not None and file.rows:
        for number in sweep.numbers:
            row = file.rows.get(_key(sweep, number))
            if row is not None:
                yield number, row | sweep.point(number)


def _opened(sweep: Sweep, path: Path | None, merge: Sequence[Path]) -> SweepFile | None:
    """Return the file of the rows with those of others merged into it, None for a sweep that keeps none."""
    if path is None:
        if merge:
            raise InputError("needs a file to merge into (--out)", where="--merge")
        return None
    file = SweepFile(path, sweep.columns)
    for other in merge:
        if not other.exists():
            raise InputError("no such file", where=f"--merge {other}")
        file.merge(other)
    return file
