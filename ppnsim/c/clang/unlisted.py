"""What a constructor leaves to the compiler: bases and members outside its list that code makes."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from ppnsim.c.clang import names
from ppnsim.c.clang.joined import constructs
from ppnsim.c.clang.library import children_of, foreign

_ZERO = re.compile(r"[={},]|0[xXbB]?0*[uUlL]*|0*\.?0*[fF]?|false|nullptr|NULL|'\\0'")


def unlisted(constructor: Any) -> str:
    """Return what the compiler makes by code of the source although a constructor does not list it; "" if nothing.

    That code is in no place of the source that could be read, and what it does must not be lost.
    """
    constructor = constructor.get_definition() or constructor
    if constructor.is_copy_constructor() or constructor.is_move_constructor():
        return ""
    owner, listed, of_member = constructor.semantic_parent, set(), False
    for each in constructor.get_children():
        if each.kind.name == "MEMBER_REF":
            listed.add(each.spelling)
        elif each.kind.is_expression() and not of_member:  # of a base, which has no reference before it
            listed.add(each.type.get_canonical().spelling)
        of_member = each.kind.name == "MEMBER_REF"
    if owner.type.get_canonical().spelling in listed:  # the other constructor that is called makes them
        return ""
    return _of_class(owner, listed)


def has_loop(function: Any) -> bool:
    """Return whether a constructor, a destructor or an assignment takes time beyond that of a copy."""
    body = function.get_definition() or function
    loops = ("FOR_STMT", "WHILE_STMT", "DO_STMT", "CXX_FOR_RANGE_STMT")
    return not foreign(body.location) and any(each.kind.name in loops for each in body.walk_preorder())


def _of_class(owner: Any, listed: Collection[str] = ()) -> str:
    if names.is_vendors(owner.type.get_canonical().spelling) or foreign(owner.location):
        return ""
    for each in children_of(owner):
        if each.kind.name in ("STRUCT_DECL", "UNION_DECL") and each.is_anonymous() and (found := _of_class(each)):
            return found
        made, name = each.type.get_canonical(), each.spelling
        while made.kind.name == "CONSTANTARRAY":
            made = made.element_type.get_canonical()
        if each.kind.name == "CXX_BASE_SPECIFIER" and made.spelling not in listed and _works(made):
            return f"its base {made.spelling} (: {made.spelling}())"
        if each.kind.name == "FIELD_DECL" and name not in listed:
            if _has_value(each) and not names.stream_depth(made.spelling):
                return f"the value of its member {name} (: {name}(..))"
            if _works(made):
                return f"its member {name} (: {name}())"
    return ""


def _has_value(field: Any) -> bool:
    """Return whether a class gives a member a value that is not 0: what a member without one holds may be 0."""
    words = [token.spelling for token in field.get_tokens()]
    own = words[len(words) - words[::-1].index(field.spelling) :] if field.spelling in words else []
    signs = [at for at, word in enumerate(own) if word in ("=", "{")]
    return bool(signs) and not all(_ZERO.fullmatch(word) for word in own[signs[0] :])


def _works(made: Any) -> bool:
    """Return whether an object of a type is made by code, where nothing is said."""
    owner = made.get_declaration()
    if owner.kind.name not in ("CLASS_DECL", "STRUCT_DECL", "CLASS_TEMPLATE"):
        return False
    owner = owner.get_definition() or owner
    if names.is_vendors(made.spelling) or foreign(owner.location):
        return False
    own = [each for each in children_of(owner) if each.kind.name == "CONSTRUCTOR" and each.is_default_constructor()]
    if any(each.kind.name == "FUNCTION_TEMPLATE" and each.spelling == owner.spelling for each in children_of(owner)):
        return True  # a constructor for several types: which one is called is not known here
    if not own:
        return bool(_of_class(owner))
    return any(constructs(each.get_definition() or each) or unlisted(each) for each in own)
