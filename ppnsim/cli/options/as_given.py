"""Values that need no conversion, as defaults and texts, are taken as they are.

Typer converts each option with a type adapter of pydantic, those that were not given, too: to import pydantic takes a
sixth of a short command that has no other use for it. Other values go typer's way, and all do where a version of typer
keeps its converters elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args, get_origin


def take_as_given(options: Sequence[Any]) -> None:
    """Stand before the converters of a command's options; a converter that is there already stays."""
    for each in options:
        if getattr(each, "_runtime_param", "elsewhere") is None and each.type_descriptor.parameter_info.parser is None:
            each._runtime_param = _AS_GIVEN


class _AsGiven:
    """Takes the place of typer's converter of an option until that is needed."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the value of an option, converted where it has to be."""
        several = param.multiple or param.nargs == -1
        if value is None:
            return () if several else None
        annotation = param.type_descriptor.annotation
        if several and get_origin(annotation) is list and isinstance(value, tuple | list):
            (annotation,) = get_args(annotation)
            if all(_is_a(annotation, each) for each in value):
                return list(value)
        elif not several and _is_a(annotation, value):
            return value
        param._runtime_param = None
        return param.get_runtime_param().coerce(value, param=param, ctx=ctx)


def _is_a(annotation: Any, value: Any) -> bool:
    """Return whether a value is of a kind that typer would return as it is."""
    if get_origin(annotation) is Literal:
        return isinstance(value, str) and value in get_args(annotation)
    return annotation in (str, bool, int, float) and type(value) is annotation


_AS_GIVEN = _AsGiven()
