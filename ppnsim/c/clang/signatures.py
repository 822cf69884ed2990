"""Compares signatures of functions with those of function pointers and ``std::function``; default arguments."""

from __future__ import annotations

from typing import Any

from ppnsim.c.clang.names import OF_OBJECTS
from ppnsim.c.clang.places import PlacesOfSource

_OBJECTS = "std::function<"


def is_function(of: Any) -> bool:
    """Return whether a type is a ``std::function``, or a reference to one."""
    of = of.get_canonical()
    of = of.get_pointee() if "REFERENCE" in of.kind.name else of
    return str(of.get_canonical().spelling).removeprefix("const ").startswith(_OBJECTS)


def signature(of: Any) -> Any:
    """Return clang's function type of a function pointer or a ``std::function``, None for others."""
    of = of.get_canonical()
    if "REFERENCE" in of.kind.name:
        of = of.get_pointee().get_canonical()
    if is_function(of):
        return of.get_template_argument_type(0).get_canonical()
    of = of.get_pointee().get_canonical() if of.kind.name == "POINTER" else of
    return of if of.kind.name == "FUNCTIONPROTO" else None


def same(one: Any, other: Any) -> bool:
    """Return whether two signatures are equal; a reference to a constant may replace a value."""

    def plain(of: Any) -> str:
        of = of.get_canonical()
        if of.kind.name == "LVALUEREFERENCE" and of.get_pointee().is_const_qualified():
            of = of.get_pointee()
        return str(of.spelling).removeprefix("const ")

    taken = [[plain(each) for each in of.argument_types()] for of in (one, other)]
    return taken[0] == taken[1] and plain(one.get_result()) == plain(other.get_result())


def default_of(given: Any, called: Any, at: int, places: PlacesOfSource) -> Any:
    """Return the default argument for an argument that a call leaves out, None for other arguments."""
    is_own = called and called.kind.name in ("FUNCTION_DECL", *OF_OBJECTS)
    taken = list(called.get_arguments()) if is_own and not places.of(given.location)[0] else []
    written = list(taken[at].get_children()) if at < len(taken) else []
    return next((each for each in reversed(written) if each.kind.is_expression()), None)
