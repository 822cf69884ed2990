"""What skewing and interchange share: finding the loop around a statement, and replacing iterators by expressions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from ppnsim.loops.expressions import Affine
from ppnsim.loops.notation import renamed
from ppnsim.loops.program import Access, Execution, Guard, Loop, LoopProgram, Node, Operation, Statement
from ppnsim.loops.rewrite.partition import loop_of

By = Mapping[str, Affine]


def with_loop(program: LoopProgram, statement: str, iterator: str, change: Callable[[Loop], Loop]) -> LoopProgram:
    """Return the program with the loop over ``iterator`` around a statement changed.

    Raises
    ------
    InputError
        If there is no such statement or no such loop around it.
    """
    loop_of(program, statement, iterator)

    def changed(node: Node) -> Node:
        if isinstance(node, Execution) or statement not in names_in(node):
            return node
        if isinstance(node, Guard):
            return replace(node, body=tuple(map(changed, node.body)), otherwise=tuple(map(changed, node.otherwise)))
        if node.iterator == iterator:
            return change(node)
        return replace(node, body=tuple(map(changed, node.body)))

    return replace(program, body=tuple(map(changed, program.body)))


def names_in(*nodes: Node) -> set[str]:
    """Return the names of all statements in some nodes."""
    names = set()
    for node in nodes:
        if isinstance(node, Execution):
            names.add(node.statement.name)
        else:
            names |= names_in(*node.body, *(node.otherwise if isinstance(node, Guard) else ()))
    return names


def substituted(node: Node, by: By) -> Node:
    """Return a node with iterators replaced by expressions: in bounds, guards, subscripts and values."""
    if isinstance(node, Execution):
        return Execution(_statement(node.statement, by))
    body = tuple(substituted(each, by) for each in node.body)
    if isinstance(node, Guard):
        otherwise = tuple(substituted(each, by) for each in node.otherwise)
        return Guard(renamed(node.condition, by), body, otherwise)
    first, last = (tuple(bound.replaced(by) for bound in bounds) for bounds in (node.first, node.last))
    return replace(node, first=first, last=last, body=body)


def _statement(statement: Statement, by: By) -> Statement:
    reads, writes = (tuple(_access(each, by) for each in side) for side in (statement.reads, statement.writes))
    value = None if statement.value is None else _operation(statement.value, by)
    return replace(statement, reads=reads, writes=writes, value=value)


def _access(access: Access, by: By) -> Access:
    return replace(access, subscripts=tuple(subscript.replaced(by) for subscript in access.subscripts))


def _operation(operation: Operation, by: By) -> Operation:
    if operation.kind == "iterator" and operation.text in by:
        return _tree(by[operation.text], operation)
    place = None if operation.place is None else _access(operation.place, by)
    return replace(operation, operands=tuple(_operation(each, by) for each in operation.operands), place=place)


def _tree(value: Affine, like: Operation) -> Operation:
    """Return a sum of iterators times constants as a tree with the type and position of an iterator's node."""

    def node(kind: str, *operands: Operation, text: str = "") -> Operation:
        return replace(like, kind=kind, operands=operands, text=text)

    tree: Operation | None = None
    for atom, factor in value.terms:
        term = node("iterator", text=str(atom))
        if abs(factor) != 1:
            term = node("*", node("constant", text=str(abs(factor))), term)
        if tree is None:
            tree = term if factor > 0 else node("-x", term)
        else:
            tree = node("+" if factor > 0 else "-", tree, term)
    constant = node("constant", text=str(abs(value.constant)))
    if tree is None:
        return constant if value.constant >= 0 else node("-x", constant)
    return node("+" if value.constant > 0 else "-", tree, constant) if value.constant else tree
