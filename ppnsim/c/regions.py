"""Finds the part of the source that a kernel's loop program replaces, and the array names there, to write C."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from pathlib import Path

from ppnsim.c.kinds import LOOPS
from ppnsim.c.lowering.scope import ArrayPlace, Scope
from ppnsim.c.lowering.variables.reaching import is_set_first, sets
from ppnsim.c.syntax import Function, SyntaxNode, Variable
from ppnsim.loops.program import Array, Position, Region

_END = re.compile(rb"(?:\s|/\*.*?\*/)*;", re.DOTALL)


def region_of(kernel: Function, scope: Scope, inside: Sequence[SyntaxNode], scops: Sequence[tuple[int, int]]) -> Region:
    """Return the part of a loop program's file: a scop, or the range from the first to the last statement.

    ``inside`` are the outermost statements in it. The code before and after it does not change: declarations, calls
    that measure time or print, the return.
    """
    text = Path(scope.context.unit.file).read_bytes()
    begins = _line_offsets(text)
    start, end = _bytes(text, begins, inside, scops)
    declared = [inner.variable for node in inside for inner in _declarations(node) if inner.variable]
    names = tuple((variable.name, "" if variable.type.element else variable.type.text) for variable in declared)
    obstacle, where = _obstacle(kernel, scope, begins, (start, end), len(scops))
    assert kernel.body is not None
    head = _offset_of(replace(kernel.position, column=1), begins)
    return Region(start, end, (head, kernel.body.extent[1]), names, obstacle, where)


def spelled(arrays: Iterable[Array], kernel: Function, scope: Scope, region: Region) -> tuple[Array, ...]:
    """Return the arrays with their names in the source around the region."""
    spelling, begins = scope.context.spelling, _line_offsets(Path(scope.context.unit.file).read_bytes())
    found = []
    for array in arrays:
        owner, symbol = spelling.owners.get(array.name), ""
        if owner is not None and _is_outside(owner, kernel, begins, region.start):
            place = (scope.context.globals if owner.scope == "global" else scope.bindings).get(owner)
            # A pointer to a whole array is dereferenced first; a pointer to its first element is indexed like an array.
            whole = isinstance(place, ArrayPlace) and place.pointer and not place.subscripts
            behind = whole and "&" not in owner.type.text
            symbol = f"*{owner.name}" if behind else owner.name
        elif array.name in spelling.results:
            symbol = "return"
        initial, member = spelling.initials.get(array.name, ""), spelling.members.get(array.name)
        found.append(replace(array, symbol=symbol, initial=initial, member=member))
    return tuple(found)


def _bytes(
    text: bytes, begins: Sequence[int], inside: Sequence[SyntaxNode], scops: Sequence[tuple[int, int]]
) -> tuple[int, int]:
    if scops:
        return _offset(begins, scops[0][0] + 1), _offset(begins, scops[-1][1])
    if not inside:
        return 0, 0
    end = inside[-1].extent[1]
    semicolon = _END.match(text, end)
    return inside[0].extent[0], semicolon.end() if semicolon else end


def _line_offsets(text: bytes) -> Sequence[int]:
    """Return the byte offset of each line of a text, and the offset after the last line."""
    return tuple(accumulate(map(len, text.splitlines(keepends=True)), initial=0))


def _offset(begins: Sequence[int], line: int) -> int:
    return begins[min(line, len(begins)) - 1]


def _declarations(node: SyntaxNode) -> Sequence[SyntaxNode]:
    """Return the declarations that are visible after a statement."""
    return node.children if node.kind == "block" and all(child.kind == "declare" for child in node.children) else ()


def _is_outside(variable: Variable, kernel: Function, begins: Sequence[int], start: int) -> bool:
    if variable.scope == "global" or variable in kernel.parameters:
        return True
    return _is_in(variable.position, kernel) and _offset_of(variable.position, begins) < start


def _is_in(position: Position, kernel: Function) -> bool:
    return position.file == kernel.position.file and kernel.position.line <= position.line <= kernel.end


def _offset_of(position: Position, begins: Sequence[int]) -> int:
    return _offset(begins, position.line) + position.column - 1


def _obstacle(
    kernel: Function, scope: Scope, begins: Sequence[int], region: tuple[int, int], scops: int
) -> tuple[str, Position]:
    """Return the reason why the region cannot be replaced, and its position; "" if it can."""
    spelling, file, (start, end) = scope.context.spelling, scope.context.unit.file, region
    if kernel.position.file != file:
        return f"function '{kernel.name}' is in another file than the one that is rewritten", kernel.position
    if scops > 1:
        return f"function '{kernel.name}' has {scops} scops; only one can be rewritten", kernel.position
    for node in spelling.left_out:
        if not _is_in(node.position, kernel) or start <= node.extent[0] < end:
            advice = "put #pragma scop and #pragma endscop around the rest"
            return f"'{node}' is amid the loops and would be lost; {advice}", node.position
    for node in spelling.recast:
        return f"'{node}' has another type than its array, and the new C would convert it; use a union", node.position
    for variable in spelling.owners.values():
        if _is_outside(variable, kernel, begins, start):
            continue
        if variable.scope == "static":
            return f"'{variable.name}' is static; declare it before the loops of '{kernel.name}'", variable.position
        if variable.type.kind == "pointer":
            return f"'{variable.name}' is a pointer that is set amid the loops; set it before them", variable.position
        if "(" in variable.type.base().text:
            return f"the type of '{variable.name}' has no name, so it cannot be declared again", variable.position
    return _unset(kernel, scope, start, end)


def _unset(kernel: Function, scope: Scope, start: int, end: int) -> tuple[str, Position]:
    """Return the obstacle of an iterator, or of a name bound to a value or a place, that is read after the region."""
    nodes = list(kernel.walk())
    region = [node for node in nodes if start <= node.extent[0] < end]
    outside = [node for node in nodes if not start <= node.extent[0] < end]
    places = {v for v, bound in scope.bindings.items() if isinstance(bound, ArrayPlace) and v.type.kind != "pointer"}
    assert kernel.body is not None
    after = list(_nodes_after(kernel.body, start, end))
    for variable in (*scope.finished, *(scope.bindings.keys() - places)):
        node = next((node for node in region if sets(node, variable)), None)
        if node is not None and (variable.scope in ("global", "static") or _may_be_read(variable, after, outside)):
            words = f"'{variable.name}' may be read after the loops, and the loops that replace them do not set it"
            return f"{words}; assign it again behind them, or use another variable in them", node.position
    return "", Position()


def _may_be_read(variable: Variable, after: Sequence[SyntaxNode], outside: Sequence[SyntaxNode]) -> bool:
    """Return whether code ``after`` the region may read a variable set in it; ``outside`` is all other code."""
    if any(_has_address(node, variable) for node in outside):
        return True
    if any(node.kind == "goto" for node in outside):
        return any(node.variable is variable and node.kind == "name" for node in outside)
    if any(map(_leaves, after)):  # assignments after a break may not be reached
        return any(node.variable is variable and node.kind == "name" for each in after for node in each.walk())
    return not is_set_first(variable, after)


def _has_address(node: SyntaxNode, variable: Variable) -> bool:
    """Return whether a node makes a pointer or a reference to a variable."""
    refers = node.kind == "unary" and node.text == "&"
    if node.kind == "declare" and node.variable:
        refers = node.variable.type.kind == "pointer" and "&" in node.variable.type.text
    return refers and any(child.variable is variable for child in node.children)


def _leaves(node: SyntaxNode) -> bool:
    """Return whether a statement may jump out of itself into other statements of its function."""
    own = node.kind in LOOPS
    return node.kind in ("break", "continue") or (not own and any(map(_leaves, node.children)))


def _nodes_after(node: SyntaxNode, start: int, end: int) -> Iterator[SyntaxNode]:
    """Yield the nodes that may be executed after a region, also by the next iteration of a loop around it."""
    for child in node.children:
        if child.extent[0] >= end and node.kind != "if":  # the other branch is not executed after this one
            yield child
        elif child.extent[0] < start and end <= child.extent[1]:
            yield from _nodes_after(child, start, end)
            yield from child.children[child.kind == "for" :] if child.kind in LOOPS else ()
