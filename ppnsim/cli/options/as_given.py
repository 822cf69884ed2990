"""Values that need no conversion are taken as they are: options that were not given, and texts.

Typer converts every value by pydantic, which takes longer to import than a command to read its options.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any


def take_as_given(options: Sequence[Any]) -> None:
    """Let typer make its converter of an option only for a value that needs one; some of its versions have none."""
    for each in options:
        converter = getattr(each, "get_runtime_param", None)
        if converter is not None and "get_runtime_param" not in vars(each):
            each.get_runtime_param = partial(_AsGiven, converter)


class _AsGiven:
    """Stands before typer's converter of an option, which ``made`` returns."""

    def __init__(self, made: Callable[[], Any]) -> None:
        self.made = made

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the value of an option as typer does."""
        several, kind = param.multiple or param.nargs == -1, param.type_descriptor.annotation
        if value is None:
            return () if several else None
        if kind is str and _is_text(value):
            return value
        if several and kind == list[str] and isinstance(value, list | tuple) and all(map(_is_text, value)):
            return list(value)
        return self.made().coerce(value, param=param, ctx=ctx)


def _is_text(value: object) -> bool:
    """Return whether pydantic takes a value as a text; one that is no UTF-8 is refused by it."""
    return isinstance(value, str) and value.isprintable()
