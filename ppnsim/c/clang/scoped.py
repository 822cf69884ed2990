"""Constants that directives name with their namespace or their class: ``ii=config::factor``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ppnsim.c.clang.library import children_of, declared_in

_SCOPES = ("NAMESPACE", "CLASS_DECL", "STRUCT_DECL")
_OTHER_NAMES = ("TYPEDEF_DECL", "TYPE_ALIAS_DECL")


def scopes_named(cursor: Any, path: str, root: Any) -> list[Any]:
    """Return what ``a::b`` names in a function: namespaces, which may have several parts, or a class.

    Its first name is looked for as C++ does: in the classes and namespaces around the function, inner ones first.
    """
    first, *rest = path.split("::")
    around = cursor.semantic_parent
    while around is not None and around.kind.name != "TRANSLATION_UNIT":
        if found := _inside(_parts(around, root), first):
            return _along(found, rest)
        around = around.semantic_parent
    if found := _inside([root], first):
        return _along(found, rest)
    inner = [each for scope in _namespaces(root) for each in _meant(scope, first)]  # `using namespace` says which
    return _along(inner, rest) if len({each.get_usr() for each in inner}) == 1 else []


def _namespaces(scope: Any) -> Iterator[Any]:
    for each in _children(scope):
        if each.kind.name == "NAMESPACE":
            yield each
            yield from _namespaces(each)


def _along(found: list[Any], rest: list[str]) -> list[Any]:
    for name in rest:
        found = _inside(found, name)
    return found


def _parts(scope: Any, root: Any) -> list[Any]:
    """Return the parts of a namespace, each with its own braces; of a class the class."""
    if scope.kind.name != "NAMESPACE":
        return [scope]
    parents = [root] if scope.semantic_parent.kind.name != "NAMESPACE" else _parts(scope.semantic_parent, root)
    return [each for parent in parents for each in _children(parent) if each.get_usr() == scope.get_usr()]


def _inside(scopes: list[Any], name: str) -> list[Any]:
    return [each for scope in scopes for each in _meant(scope, name)]


def _meant(scope: Any, name: str) -> Iterator[Any]:
    for each in _children(scope):
        if each.spelling == name and each.kind.name in _SCOPES:
            yield each
        elif each.spelling == name and each.kind.name in _OTHER_NAMES:
            of = each.type.get_canonical().get_declaration()
            yield from [of] if of.kind.name in _SCOPES else []


def _children(scope: Any) -> list[Any]:
    outermost = scope.kind.name == "TRANSLATION_UNIT"
    return declared_in(scope, (*_SCOPES, *_OTHER_NAMES)) if outermost else list(children_of(scope))
