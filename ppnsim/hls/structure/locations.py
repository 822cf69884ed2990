"""What a loop does with the locations that it writes (R1.2): accumulates, reuses, or moves on.

A location is an array with its subscripts; a scalar has none.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Literal

from ppnsim.hls.structure.aliases import beside, is_fixed, never_meet, surely_apart
from ppnsim.hls.structure.blocks import locked_in, without_lock
from ppnsim.hls.structure.counting import constant_trips, is_data
from ppnsim.hls.structure.nearest import revisit
from ppnsim.loops.expressions import Condition, Not
from ppnsim.loops.program import Access, Loop, Operation, Statement

PROMOTED = 8
"""Sums of an innermost loop that are kept in registers; more of them are partitioned (seen: up to 8, and 16, 49)."""
HELD = 7
"""The same for `limited` arrays, of earlier releases: eight sums are loaded and stored in every iteration (R9.29)."""


@dataclass(frozen=True, slots=True)
class GuardedStatement:
    """A statement under conditions of iterators."""

    statement: Statement
    conditions: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Role:
    """What becomes of a location that a loop writes.

    Attributes
    ----------
    kind : ``accumulate`` (P1): a register holds it; ``rotate`` (P2): the same, but every iteration stores it, so that
        other loads see it; ``reuse`` (P3): loads take the last value stored if the address is the same; ``forward``:
        the next iteration takes it as the element beside; ``move``: none of these.
    given : the statements before the loop set it.
    constant : they set it to a number.
    sunk : it is stored once, after the loop.
    distance : iterations until the location comes again, 0 if it never comes.
    """

    kind: Literal["accumulate", "rotate", "reuse", "forward", "move"]
    given: bool = False
    constant: bool = False
    sunk: bool = False
    distance: int = 0


def iterators(access: Access) -> set[str]:
    """Return the iterators in the subscripts of an access."""
    return {name for subscript in access.subscripts if subscript.terms for name in subscript.iterators()}


def is_constant(tree: Operation | None) -> bool:
    """Return whether an expression is a number."""
    while tree is not None and tree.kind == "cast":
        tree = tree.operands[0]
    return tree is not None and tree.kind == "constant"


def roles(
    loops: Sequence[Loop], steps: Sequence[GuardedStatement], before: Sequence[GuardedStatement], real: set[str],
    registers: Collection[str] = (), bank: Callable[[Access], str] = attrgetter("array"), *, recent: bool = False,
    limited: Collection[str] = (),
) -> dict[Access, Role]:  # fmt: skip
    """Return the role of each location that a loop writes.

    Parameters
    ----------
    loops : the loop, or the flattened ones, outermost first.
    steps : its body.
    before : statements right before it.
    real : arrays of floating-point numbers.
    registers : arrays of which each element is a register.
    bank : the memory that an access goes to: those to other memories are none of its locations.
    recent : sums of the innermost loop are in registers, whatever else is in their memory (R9.17).
    limited : arrays of which a memory with more sums than `HELD` loads and stores them in every iteration (R9.29).
    """
    if not (locked := locked_in([step.statement for step in steps])):
        return _roles(loops, steps, before, real, registers, bank, recent, limited)
    plain = [replace(step, statement=without_lock(step.statement)) for step in steps]
    found = _roles(loops, plain, before, real, registers, bank, recent, limited)
    # What an iteration writes to its block is no location of the next one's.
    return {access: Role("move") if access.array in locked else role for access, role in found.items()}


def _roles(
    loops: Sequence[Loop], steps: Sequence[GuardedStatement], before: Sequence[GuardedStatement], real: set[str],
    registers: Collection[str], bank: Callable[[Access], str], recent: bool, limited: Collection[str],
) -> dict[Access, Role]:  # fmt: skip
    loaded = [access for step in steps for access in step.statement.reads]
    written = [access for step in steps for access in step.statement.writes]
    stored = set(written)
    read_before = _read_first(steps)
    by_bank: dict[str, set[Access]] = {}
    alike: dict[str, dict[tuple[object, ...], set[Access]]] = {}
    for access in filter(_is_element, dict.fromkeys((*loaded, *written))):
        place = bank(access)
        by_bank.setdefault(place, set()).add(access)
        alike.setdefault(place, {}).setdefault(_shape(access), set()).add(access)
    inner = _innermost(loops)[-1]
    still = {place for place, group in by_bank.items() if not any(inner in iterators(each) for each in group)}
    set_before = _by_write(before)
    touching: dict[Access, list[GuardedStatement]] = {}
    for step in steps:
        for access in filter(_is_element, {*step.statement.reads, *step.statement.writes}):
            touching.setdefault(access, []).append(step)
    found = {}
    for access in dict.fromkeys(written):
        starts, updated = set_before.get(access, []), access in read_before
        if not _is_element(access):
            found[access] = _role(access, loops, set(), stored, starts, updated, access.array in real)
            continue
        if access.array in registers and access.subscripts:
            found[access] = _register(access, loops, _of_other_shapes(access, alike[bank(access)]), starts, updated)
            continue
        place = bank(access)
        others = by_bank[place] - {access}
        if recent and _replaced(access, touching[access], others, updated):
            found[access] = Role("move", sunk=True)
            continue
        few = access.array not in limited or len(others) < HELD
        promoted = recent and few and place in still and _promoted(access, others, loops)
        if promoted and not _set_by_some(access, touching[access]):
            others = set()
        role = found[access] = _role(access, loops, others, stored, starts, updated, access.array in real)
        if recent and updated and role.kind == "move" and None in map(constant_trips, loops[1:]):
            found[access] = Role("reuse", distance=1)  # R4.12
        elif recent and role.kind in ("accumulate", "forward") and left_out(access, touching[access]):
            found[access] = Role("move", distance=revisit(access, loops) if inner in iterators(access) else 1)
    return found


def left_out(access: Access, steps: Sequence[GuardedStatement]) -> bool:
    """Return whether data decides about each store of a location: it stays in its memory then (R4.11)."""
    stores = [step for step in steps if access in step.statement.writes]
    return bool(stores) and all(any(map(is_data, step.conditions)) for step in stores)


def _is_element(access: Access) -> bool:
    """Return whether an access is to an element of an array: a variable shares its place with nothing."""
    return bool(access.subscripts) or access.random


def _by_write(steps: Sequence[GuardedStatement]) -> dict[Access, list[GuardedStatement]]:
    found: dict[Access, list[GuardedStatement]] = {}
    for step in steps:
        for access in dict.fromkeys(step.statement.writes):
            found.setdefault(access, []).append(step)
    return found


def _shape(access: Access) -> tuple[object, ...]:
    """Return an access without the constants of its subscripts: two of one shape, and not random, are apart."""
    return access.array, access.random, *(subscript.terms for subscript in access.subscripts)


def _of_other_shapes(access: Access, alike: Mapping[tuple[object, ...], set[Access]]) -> set[Access]:
    own = _shape(access)
    return {other for shape, group in alike.items() if shape != own for other in group}


def _set_by_some(access: Access, steps: Sequence[GuardedStatement]) -> bool:
    """Return whether conditions on iterators choose who stores a location before it is loaded: it is no sum (R5.8).

    ``steps`` are those that load or store it.
    """
    stored = False
    for step in steps:
        if access in step.statement.reads and not stored:
            return False
        if access in step.statement.writes:
            if not step.conditions or any(map(is_data, step.conditions)):
                return False
            stored = True
    return stored


def _innermost(loops: Sequence[Loop]) -> list[str]:
    """Return the iterators of loops that move, the innermost one last."""
    return [loop.iterator for loop in loops if constant_trips(loop) != 1] or [loops[-1].iterator]


def _promoted(access: Access, others: set[Access], loops: Sequence[Loop]) -> bool:
    """Return whether the loop around the innermost one moves a location that others of its memory are apart from."""
    around = _innermost(loops)[:-1]
    return (not around or around[-1] in iterators(access)) and all(never_meet(access, o, loops) for o in others)


def _replaced(access: Access, steps: Sequence[GuardedStatement], others: set[Access], updated: bool) -> bool:
    """Return whether each iteration stores one element anew, so that the last store alone counts (R9.24)."""
    if updated or not access.subscripts or not is_fixed(access) or not all(surely_apart(access, o) for o in others):
        return False
    return any(access in step.statement.writes and not step.conditions for step in steps)


def _read_first(steps: Sequence[GuardedStatement]) -> set[Access]:
    """Return the locations that are read before they are written in an iteration.

    A location that is written only under a condition may keep its value from an earlier iteration.
    """
    found: set[Access] = set()
    written: dict[Access, set[tuple[Condition, ...]]] = {}
    for step in steps:
        for access in step.statement.reads:
            before = written.get(access)
            if before is None or not any(step.conditions[:n] in before for n in range(len(step.conditions) + 1)):
                found.add(access)
        for access in step.statement.writes:
            under = written.setdefault(access, set())
            under.add(step.conditions)
            place = step.conditions
            while place and isinstance(place[-1], Not) and (*place[:-1], place[-1].part) in under:
                place = place[:-1]  # both branches write it
                under.add(place)
    return found


def _register(
    access: Access, loops: Sequence[Loop], others: set[Access], starts: list[GuardedStatement], updated: bool
) -> Role:  # fmt: skip
    """Return the role of an element that is a register: other elements of its array do not matter.

    ``others`` are those whose subscripts move otherwise: of those that move alike, all are apart.
    """
    if access.random or any(not surely_apart(access, other) for other in others):
        return Role("move", distance=1)
    if loops[-1].iterator in iterators(access):
        return Role("move", distance=revisit(access, loops))
    if not updated:
        return Role("move", distance=1)
    constant = bool(starts) and is_constant(starts[-1].statement.value)
    return Role("accumulate", bool(starts), constant, bool(starts))


def _role(
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
