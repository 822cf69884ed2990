"""Names that are no directive's, and what was meant: ``unroll_factor=4``, ``pipeline,II=2``, ``#pragma HLSunroll``."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches

from ppnsim.errors import InputError, did_you_mean

_ALIKE = 0.8
"""Likeness (of difflib) from which an unknown name is a slip of the pen: ``pipelin``, but not ``loop_tile``."""
_WORDS = frozenset(("ii", "factor", "off", "variable", "complete", "dim", "depth"))
"""Clauses that may follow a name without a blank."""
_CLAUSES = {"pipeline": "II", "unroll": "factor"}
"""The clause of a number without a name."""


def check_name(name: str, where: str, known: Collection[str], *, asked: bool) -> None:
    """Raise `InputError` for a name that is nearly a directive's, or that begins with one; if ``asked``, for any.

    Examples
    --------
    >>> check_name("unroll_factor=4", "k.c:3:1", ["unroll", "pipeline"], asked=False)
    Traceback (most recent call last):
    ...
    ppnsim.errors.InputError: k.c:3:1: #pragma HLS knows no 'unroll_factor=4' here (did you mean 'unroll factor=4'?)
    """
    if meant := _meant(name, known):
        words = f"#pragma {name} is no directive" if name.startswith("hls") else f"#pragma HLS knows no '{name}' here"
        raise InputError(f"{words} (did you mean '{meant}'?)", where=where)
    if asked or get_close_matches(name, known, n=1, cutoff=_ALIKE):
        raise InputError(f"#pragma HLS knows no '{name}' here{did_you_mean(name, known)}", where=where)


def _meant(name: str, known: Collection[str]) -> str:
    """Return what was meant by a name that begins with a directive's, or without a blank after HLS; "" for others."""
    glued = name.startswith("hls")
    base, sign, value = (name[3:].lstrip("_") if glued else name).partition("=")
    found = max((each for each in known if base.startswith(each)), key=len, default="")
    tail = base[len(found) :]
    if not found or (not tail and not sign and not glued) or (tail[:1].isalpha() and tail not in _WORDS):
        return ""
    clause = tail.strip("_,;:-()")
    if clause.isdigit():  # unroll(4), a number without a name
        clause, sign, value = "", "=", clause
    clause = clause or (_CLAUSES.get(found, "") if value.isdigit() else "")
    told = f"{found} {clause}{sign if clause else ''}{value if clause else ''}".strip()
    return f"#pragma HLS {told}" if glued else told
