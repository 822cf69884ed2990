"""Which firing writes and reads which token, as network files say it: rates, lists, or runs of firings."""

from __future__ import annotations

from typing import Any

from ppnsim.formats.values import rule, whole


def rates(value: object) -> tuple[int, ...]:
    """Return tokens per firing: a number, or a list that is repeated."""
    if isinstance(value, list):
        return tuple(whole(entry, at=f"[{at}]") for at, entry in enumerate(value))
    return (whole(value),)


def firings(value: object) -> tuple[int, ...]:
    """Return a list of firings."""
    return tuple(whole(entry, at=f"[{at}]") for at, entry in enumerate(_list(value, "firings")))


def reads(value: object) -> tuple[tuple[int, ...], ...]:
    """Return a list of ``[consumer firing, token]``."""
    return _rows(value, "[consumer firing, token]", 2)


def runs(value: object) -> tuple[tuple[int, ...], ...]:
    """Return a list of ``[first, step, count]``."""
    return _rows(value, "[first, step, count]", 3)


def _rows(value: object, shape: str, columns: int) -> tuple[tuple[int, ...], ...]:
    rows = _list(value, shape)
    for at, row in enumerate(rows):
        if not isinstance(row, list) or len(row) != columns:
            raise rule(f"must be {shape}", at=f"[{at}]", value=row)
    return tuple(
        tuple(whole(entry, at=f"[{at}][{column}]") for column, entry in enumerate(row)) for at, row in enumerate(rows)
    )


def _list(value: object, of: str) -> list[Any]:
    if not isinstance(value, list):
        raise rule(f"must be a list of {of}")
    return value
