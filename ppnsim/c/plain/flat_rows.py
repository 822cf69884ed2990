"""Rewrites parameters that point to rows but get a flat array, ``f((int (*)[4])line)``, to take the flat array.

Ciphers do so: their state is ``uint8_t s[4][4]`` and their blocks are ``uint8_t buf[16]``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ppnsim.c.plain.nodes import LONG, binary, number, with_children
from ppnsim.c.syntax import CType, Function, SyntaxNode, Variable

_Flat = Mapping[Variable, Variable]
"""The parameter, a pointer to a number, that replaces each parameter."""


def with_lines(functions: Mapping[str, Function]) -> Mapping[str, Function]:
    """Return the functions of a file with such parameters as pointers to numbers, ``s[i][j]`` as ``s[4 * i + j]``.

    A parameter is rewritten only if each of its uses names a number or passes it to such a parameter, and if each call
    passes a cast of a flat array. Otherwise its subscripts would name another element.
    """
    found = {each for function in functions.values() for each in _handed_lines(function, functions)}
    while wrong := {each for each in found if not _can_flatten(each, found, functions)}:
        found -= wrong
    flat = {each: replace(each, type=_flat_type(each.type)) for each in found}
    return {name: _flattened(each, flat, functions) for name, each in functions.items()} if flat else functions


def _handed_lines(function: Function, functions: Mapping[str, Function]) -> Iterator[Variable]:
    """Yield the parameters to which a function passes flat arrays, and those to which these are passed on."""
    open_: list[tuple[Function, Variable | None]] = [(function, None)] if function.body is not None else []
    seen: set[Variable] = set()
    while open_:
        caller, given = open_.pop()
        for call in caller.calls():
            called = functions.get(call.text)
            for parameter, argument in zip(called.parameters if called else (), call.children, strict=False):
                is_handed = _as_flat(argument, parameter) is not None if given is None else argument.variable is given
                if is_handed and parameter not in seen and called is not None and _sizes(parameter.type):
                    seen.add(parameter)
                    open_.append((called, parameter))
                    yield parameter


def _can_flatten(parameter: Variable, found: set[Variable], functions: Mapping[str, Function]) -> bool:
    for function in functions.values():
        if parameter in function.parameters and (
            function.body is None or not _is_used_whole(function, parameter, found, functions)
        ):
            return False
        for call in function.calls():
            called = functions.get(call.text)
            for own, argument in zip(called.parameters if called else (), call.children, strict=False):
                if (
                    own is parameter
                    and _as_flat(argument, own) is None
                    and (argument.variable is None or argument.variable not in found)
                ):
                    return False
    return True


def _is_used_whole(
    function: Function, parameter: Variable, found: set[Variable], functions: Mapping[str, Function]
) -> bool:
    """Return whether each use of a parameter names a number, or passes the parameter on."""
    uses = sum(each.variable is parameter for each in function.walk("name"))
    whole = sum(_subscripts(each, parameter) is not None for each in function.walk("index"))
    handed = 0
    for call in function.calls():
        called = functions.get(call.text)
        for own, argument in zip(called.parameters if called else (), call.children, strict=False):
            handed += own in found and argument.variable is parameter and _sizes(own.type) == _sizes(parameter.type)
    return uses == whole + handed


def _sizes(of: CType) -> tuple[int, ...]:
    """Return the sizes of the rows of numbers that a pointer points to, an empty tuple for other types.

    The number of rows must be unknown, ``s[][4]``, because an array with a known number, ``s[4][4]``, may belong to a
    kernel.
    """
    points = (of.kind == "pointer" and "&" not in of.text) or (of.kind == "array" and of.size is None)
    sizes, inner = [], of.element if points else None
    while inner is not None and inner.kind == "array" and isinstance(inner.size, int):
        sizes.append(inner.size)
        inner = inner.element
    return tuple(sizes) if inner is not None and inner.kind in ("integer", "real") else ()


def _flat_type(of: CType) -> CType:
    base = of.base()
    return CType("pointer", f"{base.text} *", 64, element=base)


def _as_flat(argument: SyntaxNode, parameter: Variable) -> SyntaxNode | None:
    """Return the flat array of numbers that a cast turns into rows, None for other arguments."""
    inner, of = argument.bare, argument.bare.type
    if (
        argument.kind != "cast"
        or of.kind not in ("pointer", "array")
        or of.element is None
        or not _sizes(parameter.type)
    ):
        return None
    one, other = of.element, parameter.type.base()
    return inner if (one.kind, one.bits, one.text) == (other.kind, other.bits, other.text) else None


def _subscripts(node: SyntaxNode, parameter: Variable) -> list[SyntaxNode] | None:
    """Return the subscripts of a number that is reached by a pointer to rows: ``p[r][i][j]``, ``(*p)[i][j]``."""
    found: list[SyntaxNode] = []
    while node.kind == "index":
        found.insert(0, node.children[1])
        node = node.children[0].bare if node.children[0].kind == "cast" else node.children[0]
    if node.kind == "unary" and node.text == "*":
        found.insert(0, number(node, 0))
        node = node.children[0]
    whole = node.variable is parameter and len(found) == len(_sizes(parameter.type)) + 1
    return found if whole else None


def _flattened(function: Function, flat: _Flat, functions: Mapping[str, Function]) -> Function:
    own = tuple(flat.get(each, each) for each in function.parameters)
    if function.body is None:
        return function
    return replace(function, parameters=own, body=_rewritten(function.body, flat, functions))


def _rewritten(node: SyntaxNode, flat: _Flat, functions: Mapping[str, Function]) -> SyntaxNode:
    if node.kind == "index":
        for each, line in flat.items():
            if (subscripts := _subscripts(node, each)) is not None:
                by, *rest = (_rewritten(part, flat, functions) for part in subscripts)
                for size, part in zip(_sizes(each.type), rest, strict=True):
                    by = binary("+", binary("*", by, number(by, size), LONG), part, LONG)
                name = SyntaxNode("name", node.position, line.type, variable=line, end=node.end, extent=node.extent)
                return replace(node, children=(name, by))
    children = [_rewritten(each, flat, functions) for each in node.children]
    if node.kind == "call" and (called := functions.get(node.text)) is not None:
        for at, (parameter, argument) in enumerate(zip(called.parameters, node.children, strict=False)):
            if parameter in flat:
                rows, named = _as_flat(argument, parameter), argument.variable
                if rows is not None:
                    children[at] = _rewritten(rows, flat, functions)
                elif named is not None:
                    children[at] = replace(argument, variable=flat[named], type=flat[named].type)
    return with_children(node, children)
