"""Which branches a compiler predicates: those whose sides only compute."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ppnsim.c.kinds import LOOPS, STEPS
from ppnsim.c.syntax import CType, Function, SyntaxNode
from ppnsim.opencl.reader.control.changes import is_place
from ppnsim.opencl.reader.expressions.builtin_costs import BARRIERS

_GLOBAL = ("global", "generic")  # a generic pointer may point to global memory


def global_places(node: SyntaxNode) -> frozenset[str]:
    """Return the elements and members in global memory that an expression names."""
    return frozenset(str(each) for each in node.walk() if _is_global(each))


def only_computes(
    nodes: Sequence[SyntaxNode], functions: Mapping[str, Function], seen: frozenset[str] = frozenset(),
    around: tuple[str, ...] = (),
) -> bool:  # fmt: skip
    """Return whether statements have no loop, no barrier and no access to global memory but the loads ``seen``.

    ``functions`` are those of the file, whose bodies count, and ``around`` those in whose body the statements stand.
    """
    return all(_computes(node, functions, seen, around) for statement in nodes for node in statement.walk())


def _computes(
    node: SyntaxNode, functions: Mapping[str, Function], seen: frozenset[str], around: tuple[str, ...]
) -> bool:
    if node.kind in LOOPS or node.kind == "switch":
        return False
    if _is_global(node):
        return str(node) in seen
    if node.kind == "assign" or (node.kind == "unary" and node.text in (*STEPS, "&")):
        return not _is_global(node.children[0])
    if node.kind != "call":
        return True
    if node.spelled in BARRIERS or any(_points_to_global(each.type) for each in node.children):
        return False
    called = functions.get(node.text)
    if called is None or called.body is None or node.text in around:
        return True
    return only_computes([called.body], functions, around=(*around, node.text))


def _is_global(node: SyntaxNode) -> bool:
    """Return whether a node is an element or a member in global memory, or may be."""
    return is_place(node) and node.type.kind != "array" and node.type.space in _GLOBAL


def _points_to_global(of: CType) -> bool:
    return of.kind == "pointer" and of.element is not None and of.element.space in _GLOBAL
