"""Names the instance of a function template: ``f<8, int>``."""

from __future__ import annotations

from typing import Any


def instance_of(cursor: Any) -> str:
    """Return the name of a function as a template instance, "" for a function that is no instance."""
    count = cursor.get_num_template_arguments() if cursor.kind.name == "FUNCTION_DECL" else 0
    given = ", ".join([_argument(cursor, place) for place in range(count)])
    return f"{cursor.spelling}<{given}>" if count > 0 else ""


def _argument(cursor: Any, place: int) -> str:
    try:
        kind = cursor.get_template_argument_kind(place).name
    except ValueError:  # a parameter pack, which the Python binding does not support
        return ".."
    if kind == "INTEGRAL":
        return str(cursor.get_template_argument_value(place))
    return str(cursor.get_template_argument_type(place).spelling) if kind == "TYPE" else "?"
