"""Binds pointers, references and rows whose place depends on data: the place is fixed when the name is bound.

``int &r = h[x[i]]`` becomes ``int o = x[i];``, and each ``r`` becomes ``h[o]``. The parameter of a call ``f(h[x[i]])``
is treated likewise. For a pointer that data moves, a variable counts the offset: ``if (x[i]) p++;`` becomes ``if (x[i])
o++;``.
"""

from __future__ import annotations

from dataclasses import replace

from ppnsim.c.lowering.places.arrays import variable_place
from ppnsim.c.lowering.places.bindings import moves, moves_for_all, table
from ppnsim.c.lowering.scope import ArrayPlace, Scope, Sum
from ppnsim.c.lowering.statements.assignments import summed
from ppnsim.c.lowering.values.affine import NotAffine, NotBound, read
from ppnsim.c.plain.nodes import INT
from ppnsim.c.pragmas.timing import StatementTiming
from ppnsim.c.syntax import SyntaxNode, Variable, refuse
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import DATA, Execution, Node


def bound(
    variable: Variable, target: ArrayPlace, scope: Scope, timing: StatementTiming, node: SyntaxNode, outer: Scope
) -> list[Node]:
    """Bind a name to a place of an outer scope; return the statements that save its data-dependent subscripts.

    Raises
    ------
    InputError
        If data decides which of several arrays a pointer points into.
    """
    nodes: list[Node] = []

    def kept(parts: Sum, offset: SyntaxNode) -> Sum:
        made = variable_place(offset.variable, offset, scope) if offset.variable is not None else None
        assert made is not None
        nodes.append(Execution(summed(made, parts, outer, timing, node.position)))
        return (offset,)

    index: tuple[Sum, ...] = ()
    _check_one_array(variable, target, node, scope)
    if target.subscripts and scope.context.policy.data_subscripts and _is_moved(variable, target, scope):
        offset = _offset_name(variable, target, node, scope)
        index = (*target.computed[:-1], kept(target.computed[-1], offset))
        target = replace(target, subscripts=(DATA,) * len(target.subscripts), random=True)
    elif target.random:
        index = tuple(_affine_sum(each, outer) or kept(each, _offset(variable, node)) for each in target.computed)
    table(variable, scope)[variable] = replace(target, index=index)
    if variable.volatile:  # hardware performs each access through it
        scope.context.last_is_used(target.array)
        arrays = scope.context.arrays
        if scope.context.policy.own_memories and arrays[target.array].shape:
            arrays[target.array] = replace(arrays[target.array], volatile=True)
    return nodes


def _is_moved(variable: Variable, target: ArrayPlace, scope: Scope) -> bool:
    return moves_for_all(variable, target, scope) if variable.scope == "global" else moves(variable, scope)


def _check_one_array(variable: Variable, target: ArrayPlace, node: SyntaxNode, scope: Scope) -> None:
    """Refuse a pointer that data moves, or a global one, if it points into another array than before."""
    before, follows = table(variable, scope).get(variable), variable not in scope.moving and variable.scope != "global"
    if follows or not isinstance(before, ArrayPlace) or before.array == target.array:
        return
    words = f"'{variable.name}' may point into '{before.array}' or into '{target.array}' after '{node}'"
    if variable.scope == "global" and scope.context.spelling.owners.get(before.array) is variable:
        words = f"'{variable.name}' is accessed before '{node}' in the code, where it points to nothing that is known"
    refuse(node.position, f"{words}; access each array in its own branch, 'if (c) a[i] = x; else b[i] = x;'")


def _offset(variable: Variable, node: SyntaxNode) -> SyntaxNode:
    """Return the name of a new variable that counts a pointer's offset from the start of its array."""
    name = f"{variable.name}_moved" if variable.scope == "parameter" else variable.name  # directives name its memory
    made = Variable(name, INT, "global" if variable.scope == "global" else "local", node.position)
    return SyntaxNode("name", node.position, INT, variable=made, end=node.end)


def _offset_name(variable: Variable, target: ArrayPlace, node: SyntaxNode, scope: Scope) -> SyntaxNode:
    """Return the name of the variable that counts the offset of a pointer that data moves."""
    known = scope.context.moving if variable.scope == "global" else scope.moving
    if variable not in known:
        return known.setdefault(variable, _offset(variable, node))
    words = f"'{variable.name}' points to any element of '{target.array}': line {node.position.line} moves it"
    scope.context.assumed[str(node.position)] = words
    return known[variable]


def _affine_sum(parts: Sum, scope: Scope) -> Sum:
    """Return a sum that is affine in the iterators, an empty one if it is data."""
    total = Affine.of(0)
    for each in parts:
        try:
            found = each if isinstance(each, Affine) else read(each, scope)
        except (NotAffine, NotBound):
            return ()
        if not isinstance(found, Affine):
            return ()
        total += found
    return (total,)
