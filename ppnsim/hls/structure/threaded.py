"""Jump threading: successive branches that exclude each other become an ``if`` with its ``else`` (R5.8)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence, Set
from dataclasses import replace

from ppnsim.hls.structure.counting import DATA_MARK
from ppnsim.hls.structure.truth_values import as_truth, is_whole
from ppnsim.loops.expressions import Affine, Compare, Not
from ppnsim.loops.program import Execution, Guard, Loop, LoopProgram, Node, Operation, Statement

_OPPOSITE = {"!=": "==", "<=": ">", ">=": "<"}
Key = tuple[Hashable, ...]
"""An expression without its positions in the source."""


def with_alternatives(program: LoopProgram) -> LoopProgram:
    """Return a program with ``if (p) a; if (!p) b;`` as ``if (p) a; else b;``, also for chains of ``x == 0``.

    The first branch must not store to anything that the second test reads, and no test may take a token or read a
    volatile variable.
    """
    taken = frozenset(array.name for array in program.arrays if array.stream or array.volatile)
    body = _threaded(program.body, taken)
    return program if body is program.body else replace(program, body=body)


def _threaded(body: tuple[Node, ...], taken: Set[str]) -> tuple[Node, ...]:
    found: list[Node] = []
    for node in body:
        found.append(_inside(node, taken))
        while len(found) > 3 and (joined := _joined(found[-4:], taken)) is not None:
            found[-4:] = joined
    return body if len(found) == len(body) and all(map(_same, found, body)) else tuple(found)


def _same(left: Node, right: Node) -> bool:
    return left is right


def _inside(node: Node, taken: Set[str]) -> Node:
    if isinstance(node, Loop):
        body = _threaded(node.body, taken)
        return node if body is node.body else replace(node, body=body)
    if isinstance(node, Guard):
        yes, no = _threaded(node.body, taken), _threaded(node.otherwise, taken)
        return node if yes is node.body and no is node.otherwise else replace(node, body=yes, otherwise=no)
    return node


def _joined(nodes: Sequence[Node], taken: Set[str]) -> list[Node] | None:
    """Return the nodes that replace two tests and their branches; None if the tests decide nothing about each other."""
    match nodes:
        case [Execution(first), Guard() as one, Execution(second), Guard() as other]:
            pass
        case _:
            return None
    if not (_decides(first, one) and _decides(second, other)):
        return None
    read = {access.array for access in second.reads}
    if not read.isdisjoint(taken) or not read.isdisjoint(_stored(one)):
        return None
    (mine, holds), (theirs, too) = _test(first), _test(second)
    if mine == theirs:
        yes, no = (other.body, other.otherwise) if holds == too else (other.otherwise, other.body)
        one = replace(one, body=(*one.body, *yes), otherwise=(*one.otherwise, *no))
    elif holds and too and not other.otherwise and _exclude(mine, theirs):
        one = replace(one, otherwise=(*one.otherwise, nodes[2], other))
    else:
        return None
    return [nodes[0], _inside(one, taken)]


def _decides(statement: Statement, guard: Guard) -> bool:
    """Return whether a statement computes the condition of a branch from its reads alone."""
    written = statement.writes[0].array if len(statement.writes) == 1 else ""
    if DATA_MARK not in written or statement.value is None or guard.condition != Not(_is_zero(written)):
        return False
    return not any(each.kind in ("call", "list", "address", "reference") for each in _walk(statement.value))


def _is_zero(name: str) -> Compare:
    return Compare(Affine.of(name), "=")


def _walk(tree: Operation) -> Iterator[Operation]:
    yield tree
    for each in tree.operands:
        yield from _walk(each)


def _stored(node: Node) -> set[str]:
    if isinstance(node, Execution):
        return {access.array for access in node.statement.writes}
    inner = (*node.body, *node.otherwise) if isinstance(node, Guard) else node.body
    return {name for each in inner for name in _stored(each)}


def _test(statement: Statement) -> tuple[Key, bool]:
    """Return the comparison of a test, and whether the test asks for it or for its opposite."""
    tree, holds = statement.value, True
    assert tree is not None
    while (simple := as_truth(tree)).kind == "!x":
        tree, holds = simple.operands[0], not holds
    # If an operand is NaN, neither x > y nor x <= y holds.
    if simple.kind == "!=" or (simple.kind in _OPPOSITE and all(map(is_whole, simple.operands))):
        simple, holds = replace(simple, kind=_OPPOSITE[simple.kind]), not holds
    return _key(simple, statement), holds


def _key(tree: Operation, statement: Statement) -> Key:
    read = None if tree.read is None else statement.reads[tree.read]
    return (tree.kind, tree.type, tree.text, read, *(_key(each, statement) for each in tree.operands))


def _exclude(mine: Key, theirs: Key) -> bool:
    """Return whether one value is compared with two different constants."""
    alike = mine[0] == theirs[0] == "==" and mine[4] == theirs[4]
    numbers = (mine[-1], theirs[-1])
    return alike and all(isinstance(each, tuple) and each[0] == "constant" for each in numbers) and mine != theirs
