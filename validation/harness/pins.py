"""Our own figures as they were recorded: what is within a tolerance must also be what it was.

``pins.json`` holds, by section and row, the figures of all rows that are near the printed figure and not equal to it,
and those that words of ours follow from.
``python -m validation --pin`` records those of the sections that ran; the difference is read in the commit.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from validation.harness.rows import Row, Value, Verdict, number
from validation.harness.section import Outcome

PINS = Path(__file__).parent.parent / "pins.json"
_NEAR = (Verdict.ROUNDING, Verdict.TOLERANCE)


def pinned(section: str, rows: Sequence[Row]) -> tuple[Row, ...]:
    """Return rows with their recorded figures.

    Two rows of one name have one figure recorded.
    """
    known = _recorded().get(section, {})
    return tuple(replace(row, pinned=_value(known[row.key])) if row.key in known else row for row in rows)


def record(outcomes: Iterable[Outcome]) -> int:
    """Write the figures of the sections that ran, keep those of the others, and return how many there are now."""
    data = dict(_recorded())
    for outcome in outcomes:
        found = [row for row in outcome.rows if row.missing is None and (row.near in _NEAR or row.basis is not None)]
        near = {row.key: str(row.recordable) for row in found}
        known = data.get(outcome.section.name, {})
        near |= {row.key: known[row.key] for row in outcome.rows if row.missing is Verdict.NOT_RUN and row.key in known}
        data[outcome.section.name] = dict(sorted(near.items()))
    PINS.write_text(json.dumps(dict(sorted(data.items())), indent=0, ensure_ascii=False) + "\n", encoding="utf-8")
    _recorded.cache_clear()
    return sum(map(len, data.values()))


@cache
def _recorded() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = json.loads(PINS.read_text(encoding="utf-8")) if PINS.exists() else {}
    return found


def _value(text: str) -> Value:
    value = number(text)
    if value is None:
        return text
    return int(value) if value.denominator == 1 else value
