"""Tells how objects of a class are constructed: default constructors and default values of members."""

from __future__ import annotations

from typing import Any

from ppnsim.c.clang.library import children_of

# The class in the project's headers for the text of a number, and the calls that return or use such a text.
_TEXT, _OF_TEXTS = "ppnsim_text", ("to_string", "c_str", "operator ")


def defined(called: Any) -> Any:
    """Return the definition of a method that a class only declares; it may follow its use, or be in another source."""
    of_class = called.kind.name in ("CXX_METHOD", "CONSTRUCTOR", "CONVERSION_FUNCTION")
    return (called.get_definition() or called) if of_class and not called.is_definition() else called


def default_of(owner: Any) -> Any:
    """Return the default constructor that a class writes, None if the compiler generates it."""
    makers = (each for each in children_of(owner) if each.kind.name == "CONSTRUCTOR")
    return next((each for each in makers if each.is_default_constructor() and not each.is_default_method()), None)


def is_lambda(owner: str) -> bool:
    """Return whether the name of a class is that of a lambda.

    Examples
    --------
    >>> is_lambda("const (lambda at k.cpp:2:12) &"), is_lambda("Filter<(lambda at k.cpp:2:12)>")
    (True, False)
    """
    return owner.removeprefix("const ").startswith(("(lambda at ", "(lambda)"))


def is_of_template(constructor: Any) -> bool:
    """Return whether a constructor belongs to a class template, so that its types are not known."""
    return bool(constructor.semantic_parent.kind.name == "CLASS_TEMPLATE")


def directs(constructor: Any) -> bool:
    """Return whether a constructor contains directives."""
    return any(token.spelling == "pragma" for token in constructor.get_tokens())


def not_read(owner: Any) -> str:
    """Return why the default constructor of a class is not supported; "" if it is."""
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
    """Return the types of a constructor's parameters."""
    return [each.type.get_canonical().spelling for each in constructor.get_arguments()]


def expression_of(parameter: Any) -> Any:
    """Return the expression of the default argument of a parameter."""
    return [each for each in parameter.get_children() if each.kind.is_expression()][-1]


def value_of(field: Any) -> Any:
    """Return the default value of a member in its class, None if it has none."""
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
    """Return whether a call makes the text of a number, ``x.to_string(16)``, or uses such a text."""
    if not cursor.spelling.startswith(_OF_TEXTS):
        return False
    return cursor.type.spelling == _TEXT or bool(called and called.semantic_parent.spelling == _TEXT)
