"""Lists of steps as files write them: plain ``[0, 3, 4]``, runs ``[[first, step, count]]``, or nests of either."""

from __future__ import annotations

from typing import Any

from ppnsim.formats import values
from ppnsim.model.step_lists import Entry, Nest, StepList

_NEST = ("times", "every", "of")


def read(value: object, *, at: str = "") -> StepList:
    """Return a list of steps; its forms can be mixed.

    Examples
    --------
    >>> read([0, [4, 2, 3], {"times": 2, "every": 10, "of": [20, 21]}]).expand().tolist()
    [0, 4, 6, 8, 20, 21, 30, 31]
    """
    return StepList(_entries(value, at))


def _entries(value: object, at: str) -> tuple[Entry, ...]:
    if isinstance(value, dict):
        return (_nest(value, at),)
    if not isinstance(value, list):
        raise values.rule("must be a list of steps, of [first, step, count], or {times, every, of}", at=at, value=value)
    return tuple(_entry(each, f"{at}[{index}]") for index, each in enumerate(value))


def _entry(value: object, at: str) -> Entry:
    if isinstance(value, dict):
        return _nest(value, at)
    if isinstance(value, list):
        first, step, count = values.listed(values.whole_from(0), "[first, step, count]", length=3)(value, at=at)
        return first, step, count
    return values.whole_from(0)(value, at=at)


def _nest(value: dict[str, Any], at: str) -> Nest:
    if sorted(value) != sorted(_NEST):
        raise values.rule("must be {times, every, of}: a list, so many times, each so much later", at=at, value=value)
    times, every = (values.whole_from(0)(value[key], at=f"{at}.{key}") for key in _NEST[:2])
    return Nest(times, every, _entries(value["of"], f"{at}.of"))


def dump(listed: StepList) -> Any:
    """Return a list of steps as `read` takes it."""
    entries = [_dump(entry) for entry in listed.entries]
    return entries[0] if len(entries) == 1 and isinstance(entries[0], dict) else entries


def _dump(entry: Entry) -> Any:
    if isinstance(entry, Nest):
        return {"times": entry.times, "every": entry.every, "of": [_dump(each) for each in entry.of]}
    return list(entry) if isinstance(entry, tuple) else entry
