"""Constant folding in expressions (R1.1): integers, choices with known conditions, elements of constant tables."""

from __future__ import annotations

import ast
import operator
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from functools import lru_cache

from ppnsim.errors import InputError
from ppnsim.hls.library.types import Format
from ppnsim.hls.structure.disjoint import joined
from ppnsim.hls.structure.negated import magnitude, negated, positive
from ppnsim.hls.structure.numerals import computed, constant, real, whole
from ppnsim.hls.structure.truth_values import as_truth
from ppnsim.loops.program import Access, Array, Operation, Statement

Table = Sequence["Table | int | float"] | int | float
_ZEROS = ("0", "0.0")


def tables_of(arrays: Iterable[Array], written: frozenset[str]) -> dict[str, Table]:
    """Return the initial values of the arrays that are initialised and never written.

    Examples
    --------
    >>> tables_of([Array(name="a", shape=(2, 2), initial="{{1, 2}, {3}}")], frozenset())
    {'a': [[1, 2], [3]]}
    """
    found: dict[str, Table] = {}
    for array in arrays:
        known = array.initial and array.shape and array.name not in written
        if known and (table := _table(array.initial)) is not None:
            found[array.name] = table
    return found


@lru_cache(maxsize=64)
def _table(initial: str) -> Table | None:
    """Return the numbers of an initialiser; cached, since the tasks of a program share initialisers."""
    try:
        found: Table = ast.literal_eval(initial.replace("{", "[").replace("}", "]"))
    except (ValueError, SyntaxError):
        return None
    return found


def folded(statement: Statement, tables: Mapping[str, Table], fifos: Set[str] = frozenset()) -> Statement:
    """Return a statement with constants folded, without reads of memories that are no longer needed."""
    if statement.value is None:
        return statement
    value = fold(statement.value, statement, tables, fifos)
    index = tuple(fold(each, statement, tables, fifos) for each in statement.index)
    if value is statement.value and all(map(operator.is_, index, statement.index)):
        return statement  # the usual case; comparing identical objects is fast
    before, used = _reads(statement.value, *statement.index), _reads(value, *index)
    if used == before:
        return replace(statement, value=value, index=index)
    kept = [n for n in range(len(statement.reads)) if n in used or n not in before]
    number = {old: new for new, old in enumerate(kept)}
    return replace(
        statement, reads=tuple(statement.reads[n] for n in kept), value=_renumbered(value, number),
        index=tuple(_renumbered(each, number) for each in index),
    )  # fmt: skip


def fold(
    tree: Operation, statement: Statement, tables: Mapping[str, Table], fifos: Set[str] = frozenset()
) -> Operation:  # fmt: skip
    """Return an expression with constants folded; reads of ``fifos`` stay, even if their value is not needed."""
    if not tree.operands and tree.kind != "read":
        return tree  # most leaves are constants
    operands = tuple([fold(operand, statement, tables, fifos) for operand in tree.operands])
    if not all(map(operator.is_, operands, tree.operands)):
        tree = tree.on(operands, tree.read)
    match tree.kind:
        case "read":
            entry = None if tree.read is None else _entry(statement.reads[tree.read], tables)
            return tree if entry is None else constant(tree, entry)
        case "?:":
            test = whole(operands[0])
            return as_truth(tree) if test is None else operands[1 if test else 2]
        case "&&" | "||":
            found = _logic(tree)
            return tree if found.kind == "constant" and _takes(operands[0], statement, fifos) else found
        case "call":
            return magnitude(tree) or tree
        case "list":
            return tree
    found = _arithmetic(tree)
    return tree if found.kind == "constant" and _takes(tree, statement, fifos) else found


def _arithmetic(tree: Operation) -> Operation:
    """Return an operation on numbers, as a number if it can be computed."""
    if tree.kind in ("+", "-", "*") and (simple := _neutral(tree)) is not None:
        return simple
    if tree.kind == "*" and (negative := negated(tree)) is not None:
        return negative
    if tree.kind in ("+", "-") and (plain := positive(tree)) is not None:
        return plain
    if tree.kind == "+" and (parts := joined(tree)) is not None:
        return parts
    if tree.kind in ("==", "!=", "!x") and (truth := as_truth(tree)) is not tree:
        return truth
    if tree.type in ("half", "float", "double"):
        return real(tree)
    numbers = [number for operand in tree.operands if (number := whole(operand)) is not None]
    value = computed(tree.kind, numbers) if len(numbers) == len(tree.operands) else None
    return tree if value is None else constant(tree, value)


def _neutral(tree: Operation) -> Operation | None:
    """Return the simpler form of an integer sum with 0, or of a product with 0 or 1; None for other operations."""
    left, right = tree.operands
    try:
        family = Format.of(tree.type).family
    except InputError:
        return None
    if tree.kind == "*" and family in ("integer", "fixed") and any(each.text in _ZEROS for each in tree.operands):
        return constant(tree, 0)
    for number, other in ((whole(right), left), (whole(left), right)):
        if number not in (0, 1) or whole(other) is not None or (other is right and tree.kind == "-"):
            continue
        if family != "integer":
            return None
        if number == (tree.kind == "*"):
            return other
    return None


def _logic(tree: Operation) -> Operation:
    """Return ``&&`` or ``||``, simplified if one side is a constant."""
    stop = int(tree.kind == "||")
    left, right = tree.operands
    for side, other in ((left, right), (right, left)):
        value, rest = whole(side), whole(other)
        if value is not None:
            if (value != 0) == (stop != 0):
                return constant(tree, stop)
            return other if rest is None else constant(tree, int(rest != 0))
    return tree


def _entry(access: Access, tables: Mapping[str, Table]) -> int | float | None:
    found: Table | None = tables.get(access.array)
    if found is None or access.random or not all(each.is_constant for each in access.subscripts):
        return None
    for subscript in access.subscripts:
        if isinstance(found, int | float) or not subscript.constant >= 0:
            return None
        if subscript.constant >= len(found):
            return 0  # C fills the rest of an initialiser list with 0
        found = found[subscript.constant]
    return found if isinstance(found, int | float) else None


def _reads(*trees: Operation) -> set[int]:
    found: set[int] = set()
    todo = [*trees]
    while todo:
        tree = todo.pop()
        todo += tree.operands
        if tree.read is not None:
            found.add(tree.read)
    return found


def _takes(tree: Operation, statement: Statement, fifos: Set[str]) -> bool:
    """Return whether an expression takes a token from a FIFO."""
    return not fifos.isdisjoint(statement.reads[n].array for n in _reads(tree))


def _renumbered(tree: Operation, number: Mapping[int, int]) -> Operation:
    read = None if tree.read is None else number[tree.read]
    operands = tuple([_renumbered(each, number) for each in tree.operands])
    same = read == tree.read and all(map(operator.is_, operands, tree.operands))
    return tree if same else tree.on(operands, read)
