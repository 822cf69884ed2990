"""Declarations and assignments: a name is bound to its value or its place, or a statement computes it."""

from __future__ import annotations

from dataclasses import replace

from ppnsim.c.lowering.places.bindings import bind_pointer, bound_value, is_bound
from ppnsim.c.lowering.places.elements import note_copies
from ppnsim.c.lowering.scope import Scope
from ppnsim.c.lowering.statements.assignments import assignment, listed, of_bits
from ppnsim.c.lowering.statements.choices import by_choice
from ppnsim.c.lowering.values.affine import NotAffine, read
from ppnsim.c.lowering.variables.uses import AROUND
from ppnsim.c.pragmas.read import StatementTiming
from ppnsim.c.syntax import SyntaxNode, refuse
from ppnsim.loops.program import Execution, Node


def declaration(node: SyntaxNode, scope: Scope, timing: StatementTiming) -> tuple[Node, ...]:
    """Return the statements of a declaration: none where the name stands for its value or its place."""
    variable = node.variable
    if variable is None or not node.children or variable.scope == "static" or node.children[0].kind == "empty":
        return ()
    if variable.type.kind == "stream":
        return ()  # what it is initialised with is its name
    initial = node.children[0]
    if variable.type.kind == "pointer":
        bind_pointer(variable, initial, scope)
        return ()
    if variable.type.kind == "integer" and (variable in scope.steering or variable.type.const):
        try:
            scope.bindings[variable] = read(initial, scope)
            return ()
        except NotAffine:
            scope.bindings.pop(variable, None)
    note_copies(node, scope)
    name = SyntaxNode("name", node.position, variable.type, variable=variable, end=node.end)
    if initial.kind == "list":
        return listed(name, initial, scope, timing)
    return assigned(replace(node, kind="assign", text="=", children=(name, initial), type=variable.type), scope, timing)


def assigned(node: SyntaxNode, scope: Scope, timing: StatementTiming) -> tuple[Node, ...]:
    """Return the statements of an assignment: none where the variable stands for its value or its place."""
    target, value = node.children
    if target.bare.kind == "bits":
        return assigned(of_bits(node), scope, timing)
    if target.variable and target.kind == "name":
        variable = target.variable
        if variable in scope.iterators:
            refuse(node.position, f"'{node}' changes '{variable.name}', the iterator of a loop around it")
        if target.type.kind == "pointer":
            if node.text != "=" or not is_bound(variable, scope):
                refuse(
                    node.position,
                    f"pointer arithmetic in '{node}': where '{variable.name}' points is then not known at each use; "
                    "write an element (a[i])",
                )
            bind_pointer(variable, value, scope)
            return ()
        scope.finished.discard(variable)
        if bound_value(node, scope):
            return ()
    note_copies(node, scope)
    inner = value.bare
    if inner.kind == "call" and inner.text in AROUND:
        scope.context.spelling.left_out.append(inner)
        return ()
    if inner.kind == "assign":
        # a = b = c means b = c and then a = b; a constant c goes to both directly.
        last = inner.children[1].bare
        handed = last if last.kind in ("integer", "real") else inner.children[0]
        return assigned(inner, scope, timing) + assigned(replace(node, children=(target, handed)), scope, timing)
    return by_choice(node, scope, lambda each: Execution(assignment(each, scope, timing)))


def stepped(node: SyntaxNode, scope: Scope, timing: StatementTiming) -> tuple[Node, ...]:
    """Return the statements of ``x++``, ``x--``, ``++x`` and ``--x``."""
    target = node.children[0]
    if target.type.kind == "pointer":
        refuse(node.position, f"pointer arithmetic in '{node}': the array behind it is lost; write an element (a[i])")
    one = SyntaxNode("integer", node.position, target.type, value=1)
    text = "+=" if "+" in node.text else "-="
    return assigned(replace(node, kind="assign", text=text, children=(target, one)), scope, timing)
