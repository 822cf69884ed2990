"""What an instance of a function template is called: ``f<8, int>``."""

from __future__ import annotations

from typing import Any


def instance_of(cursor: Any) -> str:
    """Return a function as an instance of its template, "" for a function that no template makes."""
    count = cursor.get_num_template_arguments() if cursor.kind.name == "FUNCTION_DECL" else 0
    given = ", ".join([_argument(cursor, place) for place in range(count)])
    return f"{cursor.spelling}<{given}>" if count > 0 else ""


def _argument(cursor: Any, place: int) -> str:
    try:
        kind = cursor.get_template_argument_kind(place).name
    except ValueError:  # a pack, which the Python binding does not know
        return ".."
    if kind == "INTEGRAL":
        return str(cursor.get_template_argument_value(place))
    return str(cursor.get_template_argument_type(place).spelling) if kind == "TYPE" else "?"
