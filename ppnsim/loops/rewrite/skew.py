"""Loop skewing: an outer iterator is added to an inner one, so that a diagonal becomes a straight line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine
from ppnsim.loops.notation import renamed
from ppnsim.loops.program import Access, Execution, Guard, Loop, LoopProgram, Node, Operation, Statement
from ppnsim.loops.rewrite.partition import loop_of, loops_around

By = Mapping[str, Affine]


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


_LARGEST = 2**31


def skew(program: LoopProgram, statement: str, iterator: str, by: str, factor: int = 1) -> LoopProgram:
    """Return the program with the loop over ``iterator`` skewed by ``factor`` times an iterator further out.

    The loop around ``statement`` counts j' = j + factor * i, and j' takes the name of j. Both bounds grow by
    factor * i, and every j in the body becomes j' - factor * i. Iterations and their order do not change, so skewing is
    legal for every program and does not change any time. It enables `rewrite.interchange`, which dependences on the
    diagonal neighbour would forbid otherwise.

    Raises
    ------
    InputError
        If the statement or a loop does not exist, ``by`` is not further out, the factor is 0 or beyond 2**31, or the
        loop's bounds are data.

    Examples
    --------
    >>> from ppnsim.loops.program import Access, Array, Execution, Statement
    >>> i, j = Affine.of("i"), Affine.of("j")
    >>> work = Execution(Statement(name="work", writes=(Access("a", (i, j)),)))
    >>> inner = Loop(iterator="j", first=(Affine.of(1),), last=(Affine.of(4),), body=(work,))
    >>> outer = Loop(iterator="i", first=(Affine.of(1),), last=(Affine.of(4),), body=(inner,))
    >>> program = LoopProgram(name="k", arrays=(Array(name="a", shape=(5, 5)),), body=(outer,))
    >>> [(statement, (_, loop), _)] = skew(program, "work", "j", "i").placed()
    >>> str(loop.first[0]), str(loop.last[0]), str(statement.writes[0])
    ('i + 1', 'i + 4', 'a[i][j - i]')

    Source: van Teijlingen 2014, sections 2.3.4 and 5.6.1; Wolfe, Loop skewing: the wavefront method revisited, 1986.
    """
    where = program.name
    if not 0 < abs(factor) < _LARGEST:
        limit = "leaves it as it is" if factor == 0 else "makes numbers too large (2**31)"
        raise InputError(f"skewing '{iterator}' by {factor} times '{by}' {limit}", where=where)
    iterators = [loop.iterator for loop in loops_around(program, statement)]
    distance = Affine.of(by) * factor

    def change(loop: Loop) -> Loop:
        if loop.assumed:
            raise InputError(f"the bounds of loop '{iterator}' are data, so it cannot be skewed", where=where)
        if by not in iterators[: iterators.index(iterator)]:
            around = ", ".join(iterators[: iterators.index(iterator)]) or "none"
            reason = f"loop '{iterator}' can only be skewed by a loop around it ({around}), not by '{by}'"
            raise InputError(reason, where=where)
        first, last = (tuple(bound + distance for bound in bounds) for bounds in (loop.first, loop.last))
        body = tuple(substituted(node, {iterator: Affine.of(iterator) - distance}) for node in loop.body)
        return replace(loop, first=first, last=last, body=body)

    wanted = loop_of(program, statement, iterator)
    return program.rewritten(lambda node: (change(wanted),) if node is wanted else None)
