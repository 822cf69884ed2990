"""Finds special member functions of classes that do more than copy: constructors, assignments, destructors.

Destructors are not read; therefore every destructor that does any work counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from ppnsim.c.clang import names
from ppnsim.c.clang.library import children_of, foreign, library

_LOOPS = frozenset(("FOR_STMT", "WHILE_STMT", "DO_STMT", "CXX_FOR_RANGE_STMT"))
_WORK = _LOOPS | {"BINARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR", "UNARY_OPERATOR"}
_COPYING = frozenset(
    """COMPOUND_STMT CXX_THIS_EXPR IF_STMT MEMBER_REF MEMBER_REF_EXPR
    NAMESPACE_REF NULL_STMT PARM_DECL PAREN_EXPR RETURN_STMT TEMPLATE_REF TYPE_REF UNEXPOSED_EXPR""".split()  # noqa: SIM905
)
Special = Literal["copy", "assignment", "end"]


def takes_time(function: Any, open_: tuple[str, ...] = ()) -> bool:
    """Return whether a function has a loop, calls one that has, or constructs parts of an object by such a function."""
    body = function.get_definition() or function
    if foreign(body.location) or (usr := body.get_usr()) in open_:
        return False
    open_ = (*open_, usr)
    nodes = list(body.walk_preorder())
    if any(each.kind.name in _LOOPS for each in nodes):
        return True
    calls = (each.referenced for each in nodes if each.kind.name == "CALL_EXPR")
    if any(each is not None and takes_time(each, open_) for each in calls):
        return True
    is_constructor = body.kind.name == "CONSTRUCTOR" and not body.is_default_method()
    return is_constructor and any(_makes_slowly(each, open_) for each in unlisted_types(body))


def works(function: Any, open_: tuple[str, ...] = ()) -> bool:
    """Return whether an assignment or a copy constructor does more than copy member by member.

    ``open_`` are the functions being visited: a class may assign to itself, ``*this = {..}``.
    """
    body = function.get_definition() or function
    vendors = names.is_vendors(body.semantic_parent.type.get_canonical().spelling)
    if vendors or foreign(body.location) or (usr := body.get_usr()) in open_:
        return False
    if body.is_default_method() or body.location == body.semantic_parent.location:  # the compiler generates it
        calls = (each.referenced for each in body.walk_preorder() if each.kind.name == "CALL_EXPR")
        return any(each is not None and works(each, (*open_, usr)) for each in calls)
    is_copy = body.is_copy_constructor() or body.is_move_constructor()
    is_copy |= body.is_copy_assignment_operator_method() or body.is_move_assignment_operator_method()
    return not is_copy or takes_time(body) or not all(map(_copies, body.get_children()))


def _copies(cursor: Any) -> bool:
    """Return whether code only copies: ``if (this != &other) x = other.x; return *this;``."""
    kind, called = cursor.kind.name, cursor.referenced
    if kind == "CALL_EXPR":
        own = called is not None and not foreign(called.location) and works(called)
        if own or not (cursor.spelling == "operator=" or called is None or called.kind.name == "CONSTRUCTOR"):
            return False
    elif kind == "BINARY_OPERATOR":
        if names.BINARY.get(library().clang_getCursorBinaryOperatorKind(cursor)) not in ("=", "==", "!="):
            return False
    elif kind == "UNARY_OPERATOR":
        if names.UNARY.get(library().clang_getCursorUnaryOperatorKind(cursor)) not in ("*", "&"):
            return False
    elif kind == "DECL_REF_EXPR":
        return called is None or called.kind.name != "VAR_DECL"
    elif kind == "ARRAY_SUBSCRIPT_EXPR":
        return True
    elif kind in ("CSTYLE_CAST_EXPR", "CXX_STATIC_CAST_EXPR") and cursor.type.kind.name == "VOID":
        return all(each.kind.name == "INTEGER_LITERAL" for each in cursor.get_children())  # a disabled assertion
    elif kind not in _COPYING:
        return False
    return all(map(_copies, cursor.get_children()))


def unlisted_types(constructor: Any) -> Iterator[Any]:
    """Yield the types of the bases and members that a constructor does not list."""
    owner = constructor.semantic_parent
    listed = {each.spelling for each in constructor.get_children() if each.kind.name == "MEMBER_REF"}
    listed |= {each.type.get_canonical().spelling for each in constructor.get_children() if each.kind.is_expression()}
    if owner.type.get_canonical().spelling not in listed:
        for name, of in parts_of(owner.type):
            if (name or of.spelling) not in listed:
                yield of


def parts_of(owner: Any) -> Iterator[tuple[str, Any]]:
    """Yield the types of the bases of a class, without names, and the types of its members, elements for arrays."""
    for each in children_of(owner.get_declaration()):
        if each.kind.name == "CXX_BASE_SPECIFIER":
            yield "", each.type.get_canonical()
    for field in owner.get_canonical().get_fields():
        yield field.spelling, element_of(field.type)


def element_of(of: Any) -> Any:
    """Return the element type of an array of any dimensions; return another type unchanged."""
    of = of.get_canonical()
    while of.kind.name == "CONSTANTARRAY":
        of = of.element_type.get_canonical()
    return of


def class_of(of: Any) -> Any:
    """Return the class of a type whose objects code of the source constructs, None for other types."""
    declared = of.get_declaration()
    declared = declared.get_definition() or declared
    known = declared.kind.name in ("CLASS_DECL", "STRUCT_DECL", "UNION_DECL", "CLASS_TEMPLATE")
    return declared if known and not names.is_vendors(of.spelling) else None


def _makes_slowly(of: Any, open_: tuple[str, ...]) -> bool:
    owner = class_of(of)
    if owner is None or (usr := owner.get_usr()) in open_:
        return False
    open_ = (*open_, usr)
    own = [each for each in children_of(owner) if "CONSTRUCTOR" in each.kind.name]
    if any(each.is_default_constructor() and not each.is_default_method() for each in own):
        return any(takes_time(each, open_) for each in own if each.is_default_constructor())
    return any(_makes_slowly(part, open_) for _, part in parts_of(of))


def is_slow(of: Any, what: Special, open_: tuple[str, ...] = ()) -> bool:
    """Return whether copying, assigning or ending an object of a type, or of its parts, does work.

    ``open_`` are the classes being visited: a template may be derived from itself, ``struct d : d<N - 1>``.
    """
    owner = class_of(of)
    if owner is None or (usr := owner.get_usr()) in open_:
        return False
    open_ = (*open_, usr)
    own = [each for each in children_of(owner) if _is_special(each, what) and not each.is_default_method()]
    if any(map(_destructor_works if what == "end" else works, own)):
        return True
    return (not own or what == "end") and any(is_slow(part, what, open_) for _, part in parts_of(of))


def _destructor_works(destructor: Any) -> bool:
    """Return whether a destructor does more than free memory or print."""
    body = destructor.get_definition() or destructor
    for each in () if foreign(body.location) else body.walk_preorder():
        called = each.referenced if each.kind.name == "CALL_EXPR" else None
        owner = called.semantic_parent.type.get_canonical().spelling if called is not None else ""
        if each.kind.name in _WORK or (
            called is not None and (names.is_vendors(owner) or not foreign(called.location))
        ):
            return True
    return False


def _is_special(function: Any, what: Special) -> bool:
    kind = function.kind.name
    if what == "copy":
        return bool(kind == "CONSTRUCTOR" and (function.is_copy_constructor() or function.is_move_constructor()))
    if what == "end":
        return bool(kind == "DESTRUCTOR")
    moves = kind == "CXX_METHOD" and function.is_move_assignment_operator_method()
    return bool(moves or (kind == "CXX_METHOD" and function.is_copy_assignment_operator_method()))
