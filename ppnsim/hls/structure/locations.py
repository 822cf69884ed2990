"""The roles of locations that a loop writes (R1.2): accumulated, reused, forwarded or moving.

A location is an array with its subscripts. A scalar is a location without subscripts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from ppnsim.hls.structure.aliases import beside, surely_apart
from ppnsim.hls.structure.counting import constant_trips, is_data
from ppnsim.hls.structure.reuse_distance import revisit
from ppnsim.loops.expressions import Condition, Not
from ppnsim.loops.program import Access, Loop, Operation, Statement


@dataclass(frozen=True, slots=True)
class GuardedStatement:
    """A statement with conditions on iterators."""

    statement: Statement
    conditions: tuple[Condition, ...] = ()


def distinct(steps: Iterable[GuardedStatement]) -> list[GuardedStatement]:
    """Return steps without repetitions: unrolled copies of a statement that do not differ are one object.

    Examples
    --------
    >>> one, other = GuardedStatement(Statement(name="one")), GuardedStatement(Statement(name="other"))
    >>> [step.statement.name for step in distinct([one, other, one])]
    ['one', 'other']
    """
    return list({id(step): step for step in steps}.values())


def iterators(access: Access) -> set[str]:
    """Return the iterators in the subscripts of an access."""
    return {name for subscript in access.subscripts if subscript.terms for name in subscript.iterators()}


@dataclass(frozen=True, slots=True)
class Role:
    """How a loop treats a location that it writes.

    Attributes
    ----------
    kind : ``accumulate`` (P1): a register holds it; ``rotate`` (P2): a register holds it, and every iteration stores
        it, so that other loads see it; ``reuse`` (P3): loads take the last stored value if the address is the same;
        ``forward``: the next iteration takes it as the neighbouring element; ``move``: none of these.
    given : the statements before the loop set it.
    constant : they set it to a constant.
    sunk : it is stored once, after the loop.
    distance : iterations until the loop accesses the location again, 0 if it never does.
    stays : no register passes on the stored value (R4.13).
    """

    kind: Literal["accumulate", "rotate", "reuse", "forward", "move"]
    given: bool = False
    constant: bool = False
    sunk: bool = False
    distance: int = 0
    stays: bool = False


def is_constant(tree: Operation | None) -> bool:
    """Return whether an expression is a constant."""
    while tree is not None and tree.kind == "cast":
        tree = tree.operands[0]
    return tree is not None and tree.kind == "constant"


def stored_by_data(steps: Sequence[GuardedStatement]) -> frozenset[Access]:
    """Return the locations with stores that all depend on data: they stay in their memory (R4.11)."""
    return frozenset(access for access, stores in by_write(distinct(steps)).items() if left_out(access, stores))


def arms(steps: Iterable[GuardedStatement]) -> frozenset[tuple[Condition, Access]]:
    """Return the elements that arms of a chain of branches on data store, with the conditions of the arms (R5.8).

    One way of a branch stores the element, the other way under a further condition only, and not on both ways of that.
    Where such arms meet, more than two ways do, so that no multiplexer joins their stores with one before the chain. An
    element that is stored behind the chain in any case is stored only there, and one that is not stored before it has
    nothing to join.
    """
    every, last = defaultdict[Condition, set[Access]](set), defaultdict[Condition, set[Access]](set)
    always, first = set[Access](), set[Access]()  # stored last in any case, and before any condition
    for step in steps:
        tests = [plain(each) for each in step.conditions if is_data(each)]
        elements = [each for each in step.statement.writes if each.subscripts or each.random]
        for test in tests:
            every[test].update(elements)
        for test in tests[-1:]:
            last[test].update(elements)
        if tests:
            always.difference_update(elements)
        else:
            always.update(elements)
            first.update(elements)
    both = {access for test in last for access in last[test] & last.get(plain(Not(test)), set())}
    ways = [(test, other) for test in last if (other := plain(Not(test))) in every]
    return frozenset(
        (way, access)
        for test, other in ways
        for access in (last[test] & every[other] & first) - both - always
        for way in (test, other)
    )


def plain(condition: Condition) -> Condition:
    """Return a condition without double negations: the ``else`` of a negated test."""
    while isinstance(condition, Not) and isinstance(condition.part, Not):
        condition = condition.part.part
    return condition


def by_write(steps: Sequence[GuardedStatement]) -> dict[Access, list[GuardedStatement]]:
    """Return the statements that write each location."""
    found: dict[Access, list[GuardedStatement]] = {}
    for step in steps:
        for access in dict.fromkeys(step.statement.writes):
            found.setdefault(access, []).append(step)
    return found


def decided(steps: Iterable[GuardedStatement]) -> set[str]:
    """Return the arrays that steps access only under conditions on data: they get no additional ports (R9.3)."""
    found: dict[str, bool] = {}
    for step in distinct(steps):
        under = any(map(is_data, step.conditions))
        for access in (*step.statement.reads, *step.statement.writes):
            found[access.array] = found.get(access.array, True) and under
    return {name for name, under in found.items() if under}


def chosen_store(step: GuardedStatement) -> bool:
    """Return whether a statement computes a value and stores it in an element under a condition on data (R9.2)."""
    computed = () if step.statement.value is None else step.statement.value.walk()
    stores = any(each.subscripts or each.random for each in step.statement.writes)
    return stores and any(map(is_data, step.conditions)) and any(each.kind in ("+", "-", "*", "/") for each in computed)


def left_out(access: Access, steps: Sequence[GuardedStatement]) -> bool:
    """Return whether all stores of a location are under conditions on data: it then stays in its memory (R4.11)."""
    stores = [step for step in steps if access in step.statement.writes]
    return bool(stores) and all(any(map(is_data, step.conditions)) for step in stores)


def innermost(loops: Sequence[Loop]) -> list[str]:
    """Return the iterators of the loops that do not run exactly once, the innermost one last."""
    return [loop.iterator for loop in loops if constant_trips(loop) != 1] or [loops[-1].iterator]


def recent_role(
    role: Role, access: Access, loops: Sequence[Loop], touching: Sequence[GuardedStatement], *, updated: bool
) -> Role:  # fmt: skip
    """Return the role of a location in recent releases, for unknown trip counts and for stores under conditions."""
    if updated and len(loops) > 1 and None in map(constant_trips, loops[1:]) and role.kind == "move":
        return Role("reuse", distance=1)  # R4.12
    if role.kind in ("accumulate", "forward") and left_out(access, touching):
        inner = innermost(loops)[-1]
        return Role("move", distance=revisit(access, loops) if inner in iterators(access) else 1)
    if len(loops) > 1 and role.kind in ("reuse", "forward") and not access.random and sometimes(access, touching):
        return Role("move", distance=1, stays=True)  # R4.13
    return role


def volatile_role(role: Role) -> Role:
    """Return the role of a volatile element: no register holds it, since each access is visible in hardware (R1.2)."""
    return Role("move", distance=role.distance if role.kind in ("move", "reuse") else 1, stays=True)


def sometimes(access: Access, steps: Sequence[GuardedStatement]) -> bool:
    """Return whether all stores of a location are under conditions: no register passes its value on (R4.13)."""
    stores = [step for step in steps if access in step.statement.writes]
    return bool(stores) and all(step.conditions for step in stores)


def register_role(
    access: Access, loops: Sequence[Loop], others: set[Access], starts: list[GuardedStatement], updated: bool
) -> Role:  # fmt: skip
    """Return the role of an element that is a register, whatever happens to other elements of its array.

    ``others`` are the elements whose subscripts move in another way: elements that move alike never alias.
    """
    if access.random or any(not surely_apart(access, other) for other in others):
        return Role("move", distance=1)
    if loops[-1].iterator in iterators(access):
        return Role("move", distance=revisit(access, loops))
    if not updated:
        return Role("move", distance=1)
    constant = bool(starts) and is_constant(starts[-1].statement.value)
    return Role("accumulate", bool(starts), constant, bool(starts))


def role_of(
    access: Access, loops: Sequence[Loop], others: set[Access], written: set[Access], starts: list[GuardedStatement],
    updated: bool, real: bool,
) -> Role:  # fmt: skip
    """Return the role of a scalar or of an element of a memory; ``starts`` are the statements that set it before."""
    if access.random:
        return Role("reuse", distance=1)
    constant = bool(starts) and is_constant(starts[-1].statement.value)
    if not access.subscripts:
        return Role("accumulate", True, constant, True) if updated else Role("move")
    if loops[-1].iterator in iterators(access):
        before = [each for each in others if access.subscripts[:-1] == each.subscripts[:-1]]
        if any(beside(access, other, loops[-1]) == 1 for other in before):
            return Role("forward")
        distance = revisit(access, loops)
        return Role("reuse" if distance == 1 else "move", distance=distance)
    if updated and not others:
        return Role("accumulate", bool(starts), constant, constant or (bool(starts) and not real))
    alone = others.isdisjoint(written)
    return Role("rotate", True, constant) if updated and starts and alone else Role("reuse", distance=1)
