"""Subscripts such as ``t[i ^ 4]``: data in the source, but constants in the copies of an unrolled loop (R1.1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from ppnsim.hls.structure.known_conditions import decided
from ppnsim.hls.structure.locations import GuardedStatement
from ppnsim.hls.structure.numerals import constant, whole
from ppnsim.hls.structure.trees import Serial, Tree, statements_of
from ppnsim.loops.expressions import Affine, Condition, condition_iterators
from ppnsim.loops.notation import renamed
from ppnsim.loops.program import DATA, Access, Array, Operation, Statement
from ppnsim.loops.work import READ, spend

Shapes = Mapping[str, tuple[int, ...]]
"""The shapes of the arrays that are not FIFOs, by name; a local scalar has an empty shape."""


def resolved(
    trees: Sequence[Tree], arrays: Sequence[Array], fold: Callable[[Statement], Statement]
) -> tuple[Tree, ...]:  # fmt: skip
    """Return trees whose straight-line code has constants in place of constant variables, also in subscripts.

    A statement under a condition that is never true is removed. Trees without a data-dependent address stay unchanged.
    ``fold`` computes the constants of a statement.
    """
    every = (access for each in statements_of(trees) for access in (*each.reads, *each.writes))
    chosen = {access.array for access in every if access.random and DATA in access.subscripts}
    if not chosen:  # most tasks of a region, whose program has the arrays of all of them
        return tuple(trees)
    shapes = {each.name: each.shape for each in arrays if not each.stream and (each.shape or each.role == "local")}
    if chosen.isdisjoint(shapes):
        return tuple(trees)
    numbers = _Numbers(shapes, fold)
    for each in arrays:  # initialised scalars
        if shapes.get(each.name) == () and not each.static and each.initial.isdecimal():
            numbers.set[each.name] = _Known(int(each.initial))
    return _resolved(trees, numbers)


def _resolved(trees: Sequence[Tree], numbers: _Numbers) -> tuple[Tree, ...]:
    found: list[Tree] = []
    for tree in trees:
        if isinstance(tree, GuardedStatement):
            found += numbers.steps([tree])
            continue
        numbers = numbers.beside(tree)
        if isinstance(tree, Serial):
            found.append(replace(tree, body=_resolved(tree.body, numbers.beside())))
        else:
            before, steps, after = (numbers.beside().steps(each) for each in (tree.before, tree.steps, tree.after))
            found.append(replace(tree, before=before, steps=steps, after=after))
    return tuple(found)


class _Known(NamedTuple):
    """The known value of a scalar, the conditions under which it holds, and the names that these depend on."""

    value: int
    under: frozenset[Condition] = frozenset()
    tests: frozenset[str] = frozenset()


class _Numbers:
    """The scalars with known values at a place in straight-line code, each with the conditions under which it holds."""

    def __init__(self, shapes: Shapes, fold: Callable[[Statement], Statement]) -> None:
        self.shapes, self.fold = shapes, fold
        self.set: dict[str, _Known] = {}
        self.known: dict[str, int] = {}

    def beside(self, *loops: Tree) -> _Numbers:
        """Return the scalars with known values under no condition, without those that loops set."""
        changed = {access.array for each in statements_of(loops) for access in each.writes}
        found = _Numbers(self.shapes, self.fold)
        found.set = {name: at for name, at in self.set.items() if not at.under and name not in changed}
        return found

    def steps(self, steps: Sequence[GuardedStatement]) -> tuple[GuardedStatement, ...]:
        """Return the statements that may run, each with the conditions that are not known to hold."""
        found = []
        for step in steps:
            spend(READ, step.statement.position)
            conditions = frozenset(step.conditions) if self.set else frozenset()
            self.known = {name: at.value for name, at in self.set.items() if not at.under or at.under <= conditions}
            held = [(each, self._decided(each)) for each in step.conditions]
            if any(holds is False for _, holds in held):
                continue
            statement = self._statement(step.statement)
            under = tuple(each for each, holds in held if holds is None)
            found.append(GuardedStatement(statement, under))
            self._note(statement, frozenset(under))
        return tuple(found)

    def _decided(self, condition: Condition) -> bool | None:
        by = {name: Affine.of(self.known[name]) for name in condition_iterators(condition) & self.known.keys()}
        return decided(renamed(condition, by), {}) if by else None

    def _note(self, statement: Statement, under: frozenset[Condition]) -> None:
        """Note a scalar that a statement sets to a constant; forget other written scalars, and what depends on them."""
        value = whole(statement.value) if statement.value is not None and len(statement.writes) == 1 else None
        for access in statement.writes:
            name = access.array
            self.set.pop(name, None)
            for each in [each for each, known in self.set.items() if name in known.tests]:
                del self.set[each]
            if value is not None and self.shapes.get(name) == () and not access.random and not statement.member:
                self.set[name] = _Known(value, under, frozenset().union(*map(condition_iterators, under)))

    def _statement(self, statement: Statement) -> Statement:
        if any(not access.subscripts and access.array in self.known for access in statement.reads):
            value = None if statement.value is None else self._numbered(statement.value, statement)
            index = tuple(self._numbered(each, statement) for each in statement.index)
            statement = self.fold(replace(statement, value=value, index=index))
        if not any(access.random for access in (*statement.reads, *statement.writes)):
            return statement
        reads = list(statement.reads)
        value = None if statement.value is None else self._placed(statement.value, reads)
        index = tuple(self._placed(each, reads) for each in statement.index)
        writes = statement.writes
        if writes and writes[0].random:
            first = self._at(writes[0], index)
            index = index if first.random else ()
            writes = (first, *writes[1:])
        return self.fold(replace(statement, reads=tuple(reads), writes=writes, value=value, index=index))

    def _numbered(self, tree: Operation, statement: Statement) -> Operation:
        """Return an expression with constants in place of scalars with known values."""
        operands = tuple(self._numbered(each, statement) for each in tree.operands)
        if tree.kind == "read" and tree.read is not None and not operands:
            access = statement.reads[tree.read]
            if not access.subscripts and not access.random and access.array in self.known:
                return constant(tree, self.known[access.array])
        return replace(tree, operands=operands) if operands else tree

    def _placed(self, tree: Operation, reads: list[Access]) -> Operation:
        """Return an expression whose reads have constant subscripts where these are known; update ``reads``."""
        operands = tuple(self._placed(each, reads) for each in tree.operands)
        if tree.kind == "read" and tree.read is not None and reads[tree.read].random:
            reads[tree.read] = found = self._at(reads[tree.read], operands)
            operands = operands if found.random else ()
        return tree if operands == tree.operands else replace(tree, operands=operands)

    def _at(self, access: Access, index: Sequence[Operation]) -> Access:
        """Return the element with constant subscripts; the same access if a subscript is data or out of bounds."""
        shape = self.shapes.get(access.array, ())
        if not shape or not len(shape) == len(index) == len(access.subscripts):
            return access
        numbers = [whole(each) for each in index]
        places = [number if place == DATA else place for place, number in zip(access.subscripts, numbers, strict=True)]
        if any(place is None for place in places):
            return access
        subscripts = tuple(
            place if isinstance(place, Affine) else Affine.of(place) for place in places if place is not None
        )
        inside = all(not at.is_constant or 0 <= at.constant < size for at, size in zip(subscripts, shape, strict=True))
        return Access(access.array, subscripts) if inside else access
