"""Finds constants that directives name with a namespace or a class: ``ii=config::factor``."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from ppnsim.c.clang.library import children_of, declared_in

_SCOPES = ("NAMESPACE", "CLASS_DECL", "STRUCT_DECL")
_OTHER_NAMES = ("TYPEDEF_DECL", "TYPE_ALIAS_DECL")
_HIDING = ("ENUM_DECL", "NAMESPACE_ALIAS", "USING_DECLARATION")
"""Other declarations that hide an outer scope of the same name."""


def scopes_named(cursor: Any, path: str, root: Any) -> list[Any]:
    """Return the scopes that ``a::b`` names in a function: the parts of a namespace, or a class.

    The first name is looked up as in C++: in the function, then in the enclosing classes and namespaces from the inside
    outwards.
    """
    first, *rest = path.split("::")
    if local := _in_body(cursor, first):
        return nested_scopes(_inside(_leading(cursor, local), first), rest)
    around = cursor.semantic_parent
    while around is not None and around.kind.name != "TRANSLATION_UNIT":
        if found := _inside(_parts(around, root), first):
            return nested_scopes(found, rest)
        around = around.semantic_parent
    if found := _inside([root], first):
        return nested_scopes(found, rest)
    inner = [each for scope in _namespaces(root) for each in _scopes_of_name(scope, first)]  # with `using namespace`
    return nested_scopes(inner, rest) if len({each.get_usr() for each in inner}) == 1 else []


def _in_body(function: Any, name: str) -> list[Any]:
    """Return the statements of a function, or of its template, that declare a possible meaning of a name."""
    body = (each for child in children_of(function) for each in child.walk_preorder())
    return [each for each in body if each.kind.name == "DECL_STMT" and any(_scopes_of_name(each, name))]


def _leading(function: Any, local: list[Any]) -> list[Any]:
    """Return a declaration before all other statements of a function, which applies to all directives; else nothing."""
    if len(local) != 1 or not (own := list(function.get_children())):  # numbers of a template are not constant
        return []
    declared = takewhile(lambda each: each.kind.name == "DECL_STMT", own[-1].get_children())
    return [each for each in declared if each == local[0]]


def _namespaces(scope: Any) -> Iterator[Any]:
    for each in _children(scope):
        if each.kind.name == "NAMESPACE":
            yield each
            yield from _namespaces(each)


def nested_scopes(found: list[Any], rest: list[str]) -> list[Any]:
    """Return the scopes inside some scopes to which the names of a path lead, one after the other."""
    for name in rest:
        found = _inside(found, name)
    return found


def _parts(scope: Any, root: Any) -> list[Any]:
    """Return the parts of a namespace, each with its own braces; for a class, the class."""
    if scope.kind.name != "NAMESPACE":
        return [scope]
    parents = [root] if scope.semantic_parent.kind.name != "NAMESPACE" else _parts(scope.semantic_parent, root)
    return [each for parent in parents for each in _children(parent) if each.get_usr() == scope.get_usr()]


def _inside(scopes: list[Any], name: str) -> list[Any]:
    return [each for scope in scopes for each in _scopes_of_name(scope, name)]


def _scopes_of_name(scope: Any, name: str) -> Iterator[Any]:
    for each in _children(scope):
        if each.spelling == name and each.kind.name in _SCOPES:
            yield each
        elif each.spelling == name and each.kind.name in _OTHER_NAMES:
            of = each.type.get_canonical().get_declaration()
            yield from [of] if of.kind.name in _SCOPES else []
        elif each.spelling == name and each.kind.name in _HIDING:
            of = next((part.referenced for part in reversed([*each.get_children()])), None)
            yield of if of is not None and of.kind.name in _SCOPES else each


def _children(scope: Any) -> list[Any]:
    outermost = scope.kind.name == "TRANSLATION_UNIT"
    return declared_in(scope, (*_SCOPES, *_OTHER_NAMES, *_HIDING)) if outermost else list(children_of(scope))
