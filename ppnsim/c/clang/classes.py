"""What a class says about how its objects are made: constructors without arguments, values of members."""

from __future__ import annotations

from typing import Any

from ppnsim.c.clang.library import children_of

# The class of our headers that is the text of a number, and the calls that make or take one.
_TEXT, _OF_TEXTS = "ppnsim_text", ("to_string", "c_str", "operator ")


def defined(called: Any) -> Any:
    """Return the body of a method that a class only declares: it may stand behind its use, or in another source."""
    of_class = called.kind.name in ("CXX_METHOD", "CONSTRUCTOR", "CONVERSION_FUNCTION")
    return (called.get_definition() or called) if of_class and not called.is_definition() else called


def default_of(owner: Any) -> Any:
    """Return the constructor without arguments that a class writes, None if the compiler makes it."""
    makers = (each for each in children_of(owner) if each.kind.name == "CONSTRUCTOR")
    return next((each for each in makers if each.is_default_constructor() and not each.is_default_method()), None)


def is_lambda(owner: str) -> bool:
    """Return whether a class is that of a lambda, by its name.

    Examples
    --------
    >>> is_lambda("const (lambda at k.cpp:2:12) &"), is_lambda("Filter<(lambda at k.cpp:2:12)>")
    (True, False)
    """
    return owner.removeprefix("const ").startswith(("(lambda at ", "(lambda)"))


def is_of_template(constructor: Any) -> bool:
    """Return whether a constructor is that of a template of classes, whose types are not known."""
    return bool(constructor.semantic_parent.kind.name == "CLASS_TEMPLATE")


def directs(constructor: Any) -> bool:
    """Return whether there are directives in a constructor."""
    return any(token.spelling == "pragma" for token in constructor.get_tokens())


def not_read(owner: Any) -> str:
    """Return why the constructor without arguments of a class is not read; "" if it is."""
    parts = children_of(owner)
    if any(each.kind.name == "FUNCTION_TEMPLATE" and each.spelling == owner.spelling for each in parts):
        return "whose constructor is a template"
    default = default_of(owner)
    works = default is not None and is_of_template(default) and _has_work(default)
    return "whose class a template makes" if works else ""


def _has_work(constructor: Any) -> bool:
    parts = list(constructor.get_children())
    body = (each for each in parts if each.kind.name == "COMPOUND_STMT")
    listed = any(each.kind.name == "MEMBER_REF" or each.kind.is_expression() for each in parts)
    return listed or any(list(each.get_children()) for each in body)


def taken_by(constructor: Any) -> list[str]:
    """Return the types that a constructor takes."""
    return [each.type.get_canonical().spelling for each in constructor.get_arguments()]


def expression_of(parameter: Any) -> Any:
    """Return the expression of the default argument of a parameter."""
    return [each for each in parameter.get_children() if each.kind.is_expression()][-1]


def value_of(field: Any) -> Any:
    """Return the expression that a class gives a member as its value, None if it gives none."""
    tokens = list(field.get_tokens())
    named = [at for at, each in enumerate(tokens) if each.spelling == field.spelling]
    behind = tokens[named[-1] + 1 :] if named else []
    sign = next((each for each in behind if each.spelling in ("=", "{")), None)
    if sign is None:
        return None
    parts = (each for each in field.get_children() if each.kind.is_expression())
    start = sign.extent.start.offset
    return next((each for each in parts if each.extent.start.offset >= start), None)


def is_text(cursor: Any, called: Any) -> bool:
    """Return whether a call makes a text of a number, ``x.to_string(16)``, or asks such a text for something."""
    if not cursor.spelling.startswith(_OF_TEXTS):
        return False
    return cursor.type.spelling == _TEXT or bool(called and called.semantic_parent.spelling == _TEXT)
