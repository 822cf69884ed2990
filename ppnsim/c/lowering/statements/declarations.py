"""Lowers declarations and assignments: a name is bound to its value or its place, or a statement computes it."""

from __future__ import annotations

from dataclasses import replace

from ppnsim.c.lowering.places.bindings import bound_value, moves, target_of
from ppnsim.c.lowering.places.elements import note_copies, place
from ppnsim.c.lowering.places.held_pointers import copies_held, holds, member_pointers
from ppnsim.c.lowering.scope import ArrayPlace, Scope
from ppnsim.c.lowering.statements.assignments import assignment, copied, listed, of_bits, statement_of
from ppnsim.c.lowering.statements.blocks import copied_block
from ppnsim.c.lowering.statements.bound_places import bound
from ppnsim.c.lowering.statements.choices import by_choice
from ppnsim.c.lowering.statements.operations import Reading
from ppnsim.c.lowering.statements.struct_numbers import has_arrays
from ppnsim.c.lowering.statements.structs import as_assigned, member_copies
from ppnsim.c.lowering.values.affine import NotAffine, NotBound, stored
from ppnsim.c.lowering.values.piecewise import Value
from ppnsim.c.lowering.variables.uses import AROUND, written
from ppnsim.c.plain.nodes import INT, letters, number
from ppnsim.c.pragmas.timing import StatementTiming
from ppnsim.c.refusals import unsupported
from ppnsim.c.syntax import CType, SyntaxNode, Variable, refuse
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import Execution, Loop, Node, Statement


def declaration(node: SyntaxNode, scope: Scope, timing: StatementTiming) -> tuple[Node, ...]:
    """Return the statements of a declaration; there are none if the name is bound to its value or its place."""
    variable = node.variable
    if variable is not None and variable.scope == "local":
        scope.context.spelling.anew[variable] = tuple(scope.context.open_iterators)
    if variable is None or not node.children or variable.scope == "static" or node.children[0].kind == "empty":
        return ()
    if variable.type.kind == "stream":
        return ()  # its initialiser is only the name of the stream
    initial = node.children[0]
    if variable.type.kind == "array" and initial.kind == "other":
        refuse(initial.position, unsupported(initial))
    if variable.type.kind == "pointer":
        return _to_place(variable, node, scope, timing)
    known = variable in scope.steering or (variable.type.const and variable not in written(scope.function))
    if variable.type.kind == "integer" and known:  # a constant with a pointer to it has a place
        try:
            scope.bindings[variable] = stored(initial, variable.type, scope)
            return ()
        except NotAffine:
            scope.bindings.pop(variable, None)
        except NotBound:
            if not scope.context.policy.data_subscripts:
                raise
            scope.bindings.pop(variable, None)
    return _initialised(variable, node, scope, timing)


def _initialised(variable: Variable, node: SyntaxNode, scope: Scope, timing: StatementTiming) -> tuple[Node, ...]:
    """Return the statements that give a declared variable its initial value."""
    initial = letters(node.children[0], variable.type)
    name = SyntaxNode("name", node.position, variable.type, variable=variable, end=node.end)
    whole = replace(node, kind="assign", text="=", children=(name, initial), type=variable.type)
    nested = any(each.kind == "list" for each in initial.children)
    if has_arrays(variable.type) and scope.context.policy.vendor_types and (initial.kind != "list" or nested):
        return assigned(replace(whole, type=node.type), scope, timing)
    note_copies(node, scope)
    if initial.kind == "list" and scope.context.policy.vendor_types and (parts := member_pointers(whole)):
        return tuple(each for part in parts for each in _part(part, scope, timing))
    return listed(name, initial, scope, timing) if initial.kind == "list" else assigned(whole, scope, timing)


def _to_place(variable: Variable, node: SyntaxNode, scope: Scope, timing: StatementTiming) -> tuple[Node, ...]:
    """Return the statements of the declaration of a pointer or a reference."""
    initial = node.children[0]
    if not _is_temporary(initial, variable):
        return tuple(bound(variable, target_of(variable, initial, scope), scope, timing, node, scope))
    note_copies(SyntaxNode("assign", node.position, initial.type, (initial,), "="), scope)
    local = scope.context.new_array(variable.name, (), variable.type, "local")
    scope.bindings[variable] = replace(local, pointer=True)
    return (Execution(copied(local, initial, scope, timing)),)


def _is_temporary(value: SyntaxNode, variable: Variable) -> bool:
    """Return whether a reference to a constant extends the life of a computed value, such as a bit."""
    refers = "&" in variable.type.text and variable.type.points_to_const
    return refers and value.bare.kind in ("bits", "binary", "number") and variable.scope == "local"


def copied_memory(node: SyntaxNode, scope: Scope, timing: StatementTiming) -> tuple[Node, ...]:
    """Return ``memcpy`` as an assignment if it copies a struct with (separate) arrays, else as a loop."""
    whole = as_assigned(node) if scope.context.policy.vendor_types else node
    return copied_block(node, scope, timing) if whole is node else assigned(whole, scope, timing)


def assigned(node: SyntaxNode, scope: Scope, timing: StatementTiming) -> tuple[Node, ...]:
    """Return the statements of an assignment; there are none if the variable is bound to its value or its place."""
    target, value = node.children
    if value.bare.kind == "empty":
        if target.kind != "token" and target.type.kind not in ("integer", "real"):
            return ()
        value = _of_nothing(value, target.type)
        node = replace(node, children=(target, value))
    parts = (member_pointers(node) or member_copies(node)) if scope.context.policy.vendor_types else None
    if parts is not None:
        return tuple(each for part in parts for each in _part(part, scope, timing, declares=False))
    if target.type.kind == "array" and value.kind == "list":  # the members of a constructed object
        return listed(target, value, scope, timing, declares=False)
    if target.bare.kind == "bits":
        return assigned(of_bits(node), scope, timing)
    if holds(node, scope):
        return ()
    if target.variable and target.kind == "name" and (
        found := _to_variable(node, target.variable, scope, timing)
    ) is not None:  # fmt: skip
        return found
    note_copies(node, scope)
    copies_held(node, scope)
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


def _of_nothing(value: SyntaxNode, of: CType) -> SyntaxNode:
    """Return the value of a C++ object without a value: 0 for a number, a list without values for a token."""
    return number(value, 0, of) if of.kind != "struct" else replace(value.bare, kind="list", type=of)


def _to_variable(
    node: SyntaxNode, variable: Variable, scope: Scope, timing: StatementTiming
) -> tuple[Node, ...] | None:  # fmt: skip
    """Return the statements of an assignment to a variable that is bound to a value or a place; None if it is data."""
    if variable in scope.iterators:
        refuse(node.position, f"'{node}' changes '{variable.name}', the iterator of a loop around it")
    if node.children[0].type.kind == "pointer":
        return _pointed(node, variable, scope, timing)
    scope.finished.discard(variable)
    before = scope.bindings.get(variable)
    if bound_value(node, scope):
        return ()
    if before is None or isinstance(before, ArrayPlace) or variable in scope.bindings:
        return None
    return _changed_to_data(node, before, scope, timing)


def _changed_to_data(node: SyntaxNode, before: Value, scope: Scope, timing: StatementTiming) -> tuple[Node, ...]:
    """Return the statements of an assignment of data to a variable that was bound to a value so far."""
    target, value = node.children
    after = assigned(node, scope, timing)
    if node.text == "=" and all(each.variable is not target.variable for each in value.walk()):
        return after
    first = _store_of(place(target, scope), before, target, scope, timing)
    return (Execution(first), *after)


def _store_of(target: ArrayPlace, value: Value, node: SyntaxNode, scope: Scope, timing: StatementTiming) -> Statement:
    """Return the statement that stores the value to which a name was bound in a scalar."""
    tree, to = (reading := Reading(scope)).integer(value, node), (target.access(),)
    return statement_of(target.array, reading, scope, timing, node.position, writes=to, value=tree)


def _pointed(node: SyntaxNode, variable: Variable, scope: Scope, timing: StatementTiming) -> tuple[Node, ...]:
    """Bind a pointer to the assigned place; if data moves it, bind it to any element of the array, or refuse it."""
    target, value = node.children
    hardware = scope.context.policy.data_subscripts
    if hardware or (node.text == "=" and variable.scope == "local" and not moves(variable, scope)):
        if node.text != "=":
            value = replace(node, kind="binary", text=node.text[:-1], type=target.type)
        return tuple(bound(variable, target_of(variable, value, scope), scope, timing, node, scope))
    words = f"pointer arithmetic in '{node}': where '{variable.name}' points is then not known at each use"
    return refuse(node.position, f"{words}; write an element (a[i])")


def _part(
    node: SyntaxNode, scope: Scope, timing: StatementTiming, *, declares: bool = True
) -> tuple[Node, ...]:  # fmt: skip
    """Return the statements of one part of a copy: a whole token, an element, or a loop over an array."""
    if any(child.kind == "token" for child in node.children):
        return by_choice(node, scope, lambda each: Execution(assignment(each, scope, timing)))
    if node.kind == "assign" and node.children[1].kind == "list" and node.children[0].type.kind in ("array", "struct"):
        return listed(node.children[0], node.children[1], scope, timing, declares=declares)
    if node.kind == "assign":
        return assigned(node, scope, timing)
    return (_loop(node, scope, timing),)


def _loop(node: SyntaxNode, scope: Scope, timing: StatementTiming) -> Loop:
    """Return the loop that copies a long array in a struct."""
    start, test, _, body = node.children
    count = test.children[1].value
    assert start.variable is not None and count is not None
    name = scope.context.new_iterator(start.variable.name)
    scope.ranges[name], scope.bindings[start.variable] = (0, count - 1), Affine.of(name)
    scope.context.open_iterators.append(name)
    inner = tuple(each for part in body.children for each in _part(part, scope, timing))
    scope.context.open_iterators.pop()
    first, last = (Affine.of(0),), (Affine.of(count - 1),)
    return Loop(iterator=name, first=first, last=last, body=inner, position=node.position, end=node.end)


def stepped(node: SyntaxNode, scope: Scope, timing: StatementTiming) -> tuple[Node, ...]:
    """Return the statements of ``x++``, ``x--``, ``++x`` and ``--x``."""
    target = node.children[0]
    if target.type.kind == "pointer" and not (target.variable and scope.context.policy.data_subscripts):
        refuse(node.position, f"pointer arithmetic in '{node}': the array behind it is lost; write an element (a[i])")
    one = number(node, 1, target.type if target.type.kind != "pointer" else INT)
    text = "+=" if "+" in node.text else "-="
    return assigned(replace(node, kind="assign", text=text, children=(target, one)), scope, timing)
