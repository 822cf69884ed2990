"""Whether a wrong figure would be seen: every figure of ours is changed, and its row must then fail."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction

from validation.harness.rows import Row, Value, Verdict

_SILENT = (Verdict.IMPOSSIBLE, Verdict.NOT_RUN)  # these claim nothing


def blind(rows: Iterable[Row]) -> list[Row]:
    """Return rows, with a wrong figure in place of ours, that keep a verdict other than unexplained."""
    return [wrong for row in rows if row.verdict not in _SILENT for wrong in changed(row) if passes(wrong)]


def passes(row: Row) -> bool:
    """Return whether a row does not make the validation fail."""
    return row.verdict is not Verdict.UNEXPLAINED


def changed(row: Row) -> Iterator[Row]:
    """Yield a row with wrong figures: 1 per cent (or one) more, and a thousand times as much.

    Examples
    --------
    >>> [wrong.ours for wrong in changed(Row(group="g", what="w", source="s", printed="83", ours=83))]
    [84, 83002]
    """
    for value in _wrong(row.ours):
        yield replace(row, ours=value)
    for value in _wrong(row.basis) if row.basis is not None else ():
        yield replace(row, basis=value)


def _wrong(ours: Value | None) -> tuple[Value, ...]:
    if isinstance(ours, Fraction) and ours.denominator > 1:
        return ours * Fraction(101, 100), ours * 1000
    if isinstance(ours, int | Fraction):
        return ours + 1, ours * 1000 + 2
    return (f"{ours} or something else",)
