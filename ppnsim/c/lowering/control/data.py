"""Control flow that depends on data: trip counts from vendor pragmas, conditions that a statement computes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ppnsim.c.kinds import UNCOUNTED
from ppnsim.c.lowering.control.counted import is_affine
from ppnsim.c.lowering.functions.frames import constants
from ppnsim.c.lowering.scope import Scope
from ppnsim.c.lowering.statements.assignments import copied
from ppnsim.c.lowering.values.affine import condition
from ppnsim.c.lowering.values.errors import NotAffine, NotBound
from ppnsim.c.pragmas.read import StatementTiming
from ppnsim.c.syntax import CType, SyntaxNode
from ppnsim.loops.expressions import Affine, Compare, Condition, Not
from ppnsim.loops.program import Execution, Node

BIT = CType("integer", "bool", 1)


def given_trips(node: SyntaxNode, scope: Scope) -> int | None:
    """Return the trip count from ``#pragma HLS loop_tripcount`` in a loop, None if the bounds are affine."""
    if node.kind == "for" and is_affine(node, scope):
        return None
    inner = [
        each.position.line for child in node.children for each in child.walk()
        if each.kind in ("for", *UNCOUNTED)
    ]  # fmt: skip
    until = min(inner, default=node.end + 1)
    return scope.context.pragmas.trips(node.position.file, node.position.line, until, constants(scope))


def data_condition(
    node: SyntaxNode, scope: Scope, timing: StatementTiming, *, alone: bool
) -> tuple[list[Condition], list[Node], Condition]:
    """Return the affine parts of a condition, the statement that computes the others, and the test of its result.

    Parameters
    ----------
    alone : there is no ``else``, so that the parts of the condition may be tested one after the other.
    """
    affine: list[Condition] = []
    data: SyntaxNode | None = None
    for part in _conjuncts(node) if alone else [node]:
        try:
            affine.append(condition(part, scope))
        except (NotAffine, NotBound):
            data = part if data is None else replace(node, kind="binary", text="&&", children=(data, part), type=BIT)
    assert data is not None
    target = scope.context.new_array(f"if@{node.position.line}", (), BIT, "local")
    test = Execution(copied(target, data, scope, timing))
    return affine, [test], Not(Compare(Affine.of(target.array), "="))


def _conjuncts(node: SyntaxNode) -> Iterator[SyntaxNode]:
    node = node.bare
    if node.kind == "binary" and node.text == "&&":
        for child in node.children:
            yield from _conjuncts(child)
    else:
        yield node
