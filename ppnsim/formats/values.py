"""The numbers and texts of all files: strict types whose complaints are complete rules, shared by JSON and TOML.

Every function here takes what the file holds and either returns a value of the model or raises a `rule`. A rule is the
rest of a sentence that begins with ``key = value``; `complaints` puts the sentence together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic_core import PydanticCustomError

from ppnsim.errors import did_you_mean

_LONGEST = 60  # characters of a value that a complaint shows
LARGEST = 2**53
"""The largest number of a file: floats, and so all programs that read JSON, hold whole numbers exactly up to it."""
OUT_OF_RANGE = "is out of range ({}numbers up to 2**53 are taken)"


def shown(value: object) -> str:
    """Return a value as a file would write it, shortened.

    Examples
    --------
    >>> shown(True), shown([1, 2]), shown("fast")
    ('true', '[1, 2]', "'fast'")
    """
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    try:
        words = repr(value)
    except ValueError:
        return "a number of thousands of digits"
    return words if len(words) <= _LONGEST else words[:_LONGEST] + "..."


def rule(words: str, *, at: str = "", value: object = ...) -> PydanticCustomError:
    """Return the complaint that ``key = value`` breaks a rule; ``at`` and ``value`` point into a list (``[3]``)."""
    context = {"words": words, "at": at, "value": "" if value is ... else shown(value)}
    return PydanticCustomError("rule", "{words}", context)


def sentence(words: str) -> PydanticCustomError:
    """Return the complaint that a whole table breaks a rule."""
    return PydanticCustomError("sentence", "{words}", {"words": words})


def whole(value: object, *, at: str = "") -> int:
    """Return a whole number; neither true nor 3.0 is one."""
    if type(value) is not int:
        raise rule("must be a whole number", at=at, value=value)
    if abs(value) > LARGEST:
        raise rule(OUT_OF_RANGE.format("whole "), at=at, value=value)
    return value


def whole_from(least: int) -> Callable[..., int]:
    """Return the check of a whole number from ``least`` on."""

    def check(value: object, *, at: str = "") -> int:
        found = whole(value, at=at)
        if found < least:
            raise rule(f"must be at least {least}", at=at, value=value)
        return found

    return check


def real(value: object, *, at: str = "") -> float:
    """Return a number, whole or not."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise rule("must be a number", at=at, value=value)
    if not abs(value) <= LARGEST:
        raise rule(OUT_OF_RANGE.format(""), at=at, value=value)
    return float(value)


def measure(value: object, *, at: str = "") -> float:
    """Return a number from 0 on, but not so near 0 that its reciprocal is out of range."""
    found = real(value, at=at)
    if found < 0:
        raise rule("must be at least 0", at=at, value=value)
    if 0 < found < 1 / LARGEST:
        raise rule("is out of range (0, or numbers from 2**-53 on)", at=at, value=value)
    return found


def listed(read: Callable[..., Any], of: str, *, length: int | None = None) -> Callable[..., tuple[Any, ...]]:
    """Return the check of a list; ``of`` says what it lists, as in "must be a list of names".

    With a length, ``of`` is the list itself, as in "must be [depth, width]".

    Parameters
    ----------
    read : the check of an entry, as a function of it and of ``at``.
    length : how many entries it has, None = any number.
    """

    def check(value: object, *, at: str = "") -> tuple[Any, ...]:
        if not isinstance(value, list) or (length is not None and len(value) != length):
            raise rule(f"must be {of}" if length else f"must be a list of {of}", at=at, value=value)
        return tuple(read(each, at=f"{at}[{place}]") for place, each in enumerate(value))

    return check


def text(value: object, *, at: str = "") -> str:
    """Return a text that can be printed on one line."""
    if not isinstance(value, str) or not value.isprintable():
        raise rule("must be a text of printable characters", at=at, value=value)
    return value


def chosen_from(names: tuple[Any, ...]) -> Callable[[object], Any]:
    """Return the check that a value is one of several."""

    def check(value: object) -> object:
        if value not in names:
            hint = did_you_mean(value, names) if isinstance(value, str) else ""
            near = hint if "did you mean" in hint else ""
            raise rule(f"is none of {', '.join(names)}{near}" if len(names) > 1 else f"must be {names[0]}")
        return value

    return check


def whole_by_name(value: object) -> dict[str, int]:
    """Return a table of whole numbers."""
    if not isinstance(value, dict):
        raise rule("must be a table of whole numbers by name")
    return {name: whole(each, at=f".{name}") for name, each in value.items()}
