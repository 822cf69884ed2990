"""Inlines calls as high-level synthesis does: the body of a function replaces each of its calls.

A call inside an expression is executed before the statement that holds the expression.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ppnsim.c.lowering.control.exits import returns, without_returns
from ppnsim.c.lowering.functions.frames import frame_of
from ppnsim.c.lowering.functions.inline import opened, timing_of
from ppnsim.c.lowering.places.arrays import shape_of
from ppnsim.c.lowering.places.bindings import target_of
from ppnsim.c.lowering.scope import Scope
from ppnsim.c.lowering.values.affine import NotAffine, NotBound, read, stored
from ppnsim.c.lowering.values.tables import called_value
from ppnsim.c.lowering.variables.reaching import sets
from ppnsim.c.plain.nodes import number, with_children
from ppnsim.c.pragmas.timing import StatementTiming
from ppnsim.c.syntax import Function, SyntaxNode, Variable, refuse
from ppnsim.loops.program import Node

_HEADS = {"assign": 2, "declare": 1, "if": 1, "return": 1, "unary": 1, "call": 1 << 30, "cast": 1}
Block = Callable[[tuple[SyntaxNode, ...], Scope, StatementTiming, int], tuple[Node, ...]]


def is_open(node: SyntaxNode, scope: Scope) -> Function | None:
    """Return the called function if its body can replace the call, else None."""
    function = scope.context.unit.functions.get(node.text) if node.kind == "call" else None
    return function if function is not None and function.body is not None and not function.system else None


def without_calls(
    node: SyntaxNode, scope: Scope, timing: StatementTiming, block: Block
) -> tuple[tuple[Node, ...], SyntaxNode]:
    """Return the inlined bodies of the calls in a statement, and the statement with the results of the calls."""
    found: list[Node] = []

    def changed(inner: SyntaxNode) -> SyntaxNode:
        children = tuple(changed(child) for child in inner.children)
        if any(a is not b for a, b in zip(children, inner.children, strict=True)):
            inner = replace(inner, children=children)
        function = is_open(inner, scope)
        if function is None or function.result.kind == "void":
            return inner
        if (value := called_value(inner, scope, read)) is not None:
            return number(inner, value, inner.type)
        before, result = _called(inner, function, scope, timing, block)
        found.extend(before)
        return result

    heads = _HEADS.get(node.kind, 0)
    if not any(is_open(inner, scope) for child in node.children[:heads] for inner in child.walk("call")):
        return (), node
    children = tuple(changed(child) for child in node.children[:heads])
    return tuple(found), replace(node, children=(*children, *node.children[heads:]))


def called(
    node: SyntaxNode, function: Function, scope: Scope, timing: StatementTiming, block: Block
) -> tuple[Node, ...]:
    """Return the body of a called function, for a call that is a statement of its own."""
    return _called(node, function, scope, timing, block)[0]


def _called(
    node: SyntaxNode, function: Function, scope: Scope, timing: StatementTiming, block: Block
) -> tuple[tuple[Node, ...], SyntaxNode]:
    inner, copies = opened(node, function, scope, timing)
    own = timing_of(function, inner, timing)
    of = function.result
    if of.element is not None and "&" in of.text and of.points_to_const and of.element.kind in ("integer", "real"):
        of = of.element
    result = Variable(f"{function.name}_result", of, "local", node.position)
    assert function.body is not None
    body = without_returns(function.body, result)
    name = SyntaxNode("name", node.position, of, variable=result, end=node.end)
    if len(body.children) == 1 and of.kind == "integer" and body.children[0].kind == "assign":
        try:
            scope.bindings[result] = stored(body.children[0].children[1], of, inner)
        except (NotAffine, NotBound):
            pass
        else:
            return copies, name
    if of.kind == "pointer" and (place := _returned_place(body, result, node)) is not None:
        statements = block(body.children[:-1], inner, own, body.position.line)
        scope.bindings[result] = target_of(result, _for_caller(place, inner, scope), inner)
        scope.context.frames.append(frame_of(function, inner))
        return (*copies, *statements), replace(name, type=node.type) if "&" in of.text else name
    if of.kind != "void":
        made = scope.context.new_array(result.name, shape_of(of, name, scope), of, "local")
        inner.bindings[result] = scope.bindings[result] = made
    statements = block(body.children, inner, own, body.position.line)
    scope.context.frames.append(frame_of(function, inner))
    return (*copies, *statements), name


def _returned_place(body: SyntaxNode, result: Variable, call: SyntaxNode) -> SyntaxNode | None:
    """Return the place to which a function returns a pointer or reference, None if its value can replace it."""
    last, of = body.children[-1], result.type.element
    if last.kind == "assign" and sum(sets(each, result) for each in body.walk()) == 1:
        return last.children[1]
    if of is not None and of.kind == "struct" and not of.const:
        refuse(call.position, f"'{call}' is one of several objects, which data chooses; choose among their members")
    return None


def _for_caller(place: SyntaxNode, inner: Scope, scope: Scope) -> SyntaxNode:
    """Return a place with names that the caller knows too, because it computes the subscripts there."""
    if place.kind == "name" and place.variable in inner.bindings:
        name = replace(place.variable)
        inner.bindings[name] = scope.bindings[name] = inner.bindings[place.variable]
        return replace(place, variable=name)
    return with_children(place, [_for_caller(each, inner, scope) for each in place.children])


def single_exit(kernel: Function, scope: Scope) -> SyntaxNode:
    """Return the body of a kernel with a single exit; several returns become assignments to a result variable."""
    assert kernel.body is not None
    if all(node is kernel.body.children[-1] for node in returns(kernel.body)):
        return kernel.body
    result = Variable(f"{kernel.name}_result", kernel.result, "local", kernel.position)
    if kernel.result.kind != "void":
        scope.bindings[result] = scope.context.new_array(result.name, (), kernel.result, "parameter")
    return without_returns(kernel.body, result)
