"""Pointers, references and rows at places that data chooses: the place is what it was where the name was bound.

``int &r = h[x[i]]`` is ``int o = x[i];``, and each ``r`` is ``h[o]``. So is the parameter of a call ``f(h[x[i]])``.
"""

from __future__ import annotations

from dataclasses import replace

from ppnsim.c.lowering.scope import ArrayPlace, Scope, Sum
from ppnsim.c.lowering.statements.assignments import copied
from ppnsim.c.lowering.values.affine import NotAffine, NotBound, read
from ppnsim.c.pragmas.read import StatementTiming
from ppnsim.c.syntax import SyntaxNode, Variable
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import Execution, Node


def bound(variable: Variable, target: ArrayPlace, scope: Scope, timing: StatementTiming, outer: Scope) -> list[Node]:
    """Bind a name to a place of an outer scope; return the statements that keep the subscripts of it that are data."""
    nodes: list[Node] = []

    def kept(part: Affine | SyntaxNode) -> Affine | SyntaxNode:
        if isinstance(part, Affine) or (known := _known(part, outer)) is not None:
            return part if isinstance(part, Affine) else known
        offset = Variable(variable.name, part.type, "local", part.position)
        made = scope.bindings[offset] = scope.context.new_array(offset.name, (), part.type, "local")
        nodes.append(Execution(copied(made, part, outer, timing)))
        return replace(part, kind="name", children=(), text="", value=None, variable=offset)

    index: tuple[Sum, ...] = ()
    if target.random:
        index = tuple(tuple(map(kept, parts)) for parts in target.computed)
    scope.bindings[variable] = replace(target, index=index)
    return nodes


def _known(part: SyntaxNode, scope: Scope) -> Affine | None:
    try:
        found = read(part, scope)
    except (NotAffine, NotBound):
        return None
    return found if isinstance(found, Affine) else None
