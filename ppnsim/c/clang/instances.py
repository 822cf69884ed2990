"""What an instance of a function template is called, ``f<8, int>``, and where its calls of further ones end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ppnsim.c.clang.library import evaluated, kind_of, walked

_LOOPS = frozenset(("FOR_STMT", "WHILE_STMT", "DO_STMT", "CXX_FOR_RANGE_STMT"))


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


def never_taken(branch: Any, parts: Sequence[Any], within: Sequence[str]) -> Sequence[Any]:
    """Return the way of an ``if`` that is never taken, if an instance of a template calls a further one there.

    ``f<N - 1>(x)`` behind ``if (N == 1) return x; else`` has no end but that of numbers: each of them is an instance.
    ``parts`` are the condition and one or two ways, ``within`` the names of the functions around it, the innermost
    last. A way with loops, which directives may be about, is read.
    """
    if not within or branch.kind.name != "IF_STMT" or (holds := evaluated(parts[0], "AsLongLong")) is None:
        return ()
    return [each for each in (parts[2:3] if holds else parts[1:2]) if _calls(each, within[-1])]


def _calls(way: Any, name: str) -> bool:
    inside = walked(way)
    if any(kind_of(each) in _LOOPS for each in inside):
        return False
    called = [each.referenced for each in inside if kind_of(each) == "CALL_EXPR" and name.startswith(each.spelling)]
    return any(each is not None and instance_of(each) for each in called)
