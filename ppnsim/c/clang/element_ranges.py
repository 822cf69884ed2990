"""Reads algorithms of the project's own headers on consecutive elements: ``last_ - first_`` becomes one number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from os.path import normpath
from typing import Any

from ppnsim.c.clang.library import STUBS
from ppnsim.c.clang.methods import name_of
from ppnsim.c.plain.nodes import LONG, with_children
from ppnsim.c.syntax import Function, SyntaxNode, Variable
from ppnsim.loops.position import Position

_HEADER = str(STUBS / "vendor" / "ppnsim_algorithm.h")
_RESULTS = ("result_", "other_")
_OF_LIBRARY = ("stl_algo", "stl_heap", "stl_numeric", "numeric", "glue_", "algorithmfwd", "ranges_", "stl_iterator")
_REMEDIES = dict.fromkeys(("sort", "stable_sort"), "write a sorting network or an insertion sort")


def is_on_row(called: Any) -> bool:
    """Return whether a function is one of the project's own that stands for an algorithm of the standard library."""
    return called.location.file is not None and normpath(called.location.file.name) == _HEADER


def unwritten(called: Any) -> str:
    """Return the words that refuse an unsupported algorithm of the standard library; "" for other functions."""
    file = called.location.file.name.rsplit("/", 1)[-1] if called.location.file is not None else ""
    if not file.startswith(_OF_LIBRARY):
        return ""
    return f"std::{called.spelling} ({_REMEDIES.get(called.spelling, 'write its loop')})"


def counted(function: Function) -> Function:
    """Return an algorithm with the number of elements as its second argument; a returned place is a number too.

    The number counts elements from the argument that `result_of` names.
    """
    first, last = function.parameters[:2]
    if function.body is None or last.type.kind != "pointer":
        return function
    count = Variable(last.name, LONG, "parameter", last.position)
    body = _counted(function.body, first, last, count)
    parameters = (first, count, *function.parameters[2:])
    if function.result.kind != "pointer":
        return replace(function, parameters=parameters, body=body)
    *before, returned = body.children
    behind = replace(returned, type=LONG, children=returned.children[0].bare.children[1:])
    return replace(function, parameters=parameters, body=with_children(body, (*before, behind)), result=LONG)


def placed(function: Function, at: Position) -> Function:
    """Return an algorithm whose code has the position of its call."""
    body = None if function.body is None else _placed(function.body, at)
    name = f"{function.name}_{at.line}_{at.column}"
    return replace(function, name=name, position=at, end=at.line, body=body)


def _placed(node: SyntaxNode, at: Position) -> SyntaxNode:
    inner = tuple(_placed(each, at) for each in node.children)
    return replace(node, position=at, end=at.line, extent=(0, 0), children=inner)


def result_of(called: Any, arguments: Sequence[SyntaxNode]) -> SyntaxNode | None:
    """Return the argument whose first element is the base of the place that an algorithm returns, None for no place."""
    if called.result_type.get_canonical().kind.name != "POINTER":
        return None
    taken = [each.spelling for each in called.get_arguments()]
    return next((each for each, name in zip(arguments, taken, strict=True) if name in _RESULTS), arguments[0])


def _counted(node: SyntaxNode, first: Variable, last: Variable, count: Variable) -> SyntaxNode:
    """Return code in which the number of elements replaces ``last_ - first_``."""
    is_difference = node.kind == "binary" and node.text == "-"
    if is_difference and [each.bare.variable for each in node.children] == [last, first]:
        return name_of(count, node)
    return with_children(node, tuple(_counted(each, first, last, count) for each in node.children))
