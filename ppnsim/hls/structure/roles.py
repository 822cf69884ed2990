"""The roles of all locations that a loop writes: which share a memory, and which a register holds (R1.2)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from operator import attrgetter

from ppnsim.hls.structure.aliases import is_fixed, never_meet, surely_apart
from ppnsim.hls.structure.blocks import locked_in, without_lock
from ppnsim.hls.structure.counting import is_data
from ppnsim.hls.structure.locations import (
    GuardedStatement,
    Role,
    arms,
    by_write,
    distinct,
    innermost,
    iterators,
    recent_role,
    register_role,
    role_of,
)
from ppnsim.hls.structure.loop_registers import HELD, as_register, kept_in_registers
from ppnsim.hls.structure.reuse_distance import revisit
from ppnsim.loops.expressions import Condition, Not
from ppnsim.loops.program import Access, Loop

PROMOTED = 8
"""Most sums of an innermost loop in registers; more sums are partitioned (seen: up to 8, and 16, 49)."""


def roles(
    loops: Sequence[Loop], steps: Sequence[GuardedStatement], before: Sequence[GuardedStatement], real: Set[str],
    registers: Collection[str] = (), bank: Callable[[Access], str] = attrgetter("array"), *, recent: bool = False,
    limited: Collection[str] = (), own: Collection[str] = (),
) -> dict[Access, Role]:  # fmt: skip
    """Return the role of each location that a loop writes.

    Parameters
    ----------
    loops : the loop, or the flattened loops, outermost first.
    steps : its body.
    before : statements right before it.
    real : arrays of floating-point numbers.
    registers : arrays of which each element is a register.
    bank : the memory of an access; accesses to other memories cannot be the same location.
    recent : sums of the innermost loop are in registers, even if the loop accesses more of their memory (R9.17).
    limited : arrays of which a memory with more than `HELD` sums loads and stores them in every iteration (R9.29).
    own : arrays that only the kernel accesses; a loop keeps their elements at fixed places in registers (R9.24).
    """
    if not (locked := locked_in([step.statement for step in distinct(steps)])):
        return _roles(loops, steps, before, real, registers, bank, recent, limited, own)
    plain = [replace(step, statement=without_lock(step.statement)) for step in steps]
    found = _roles(loops, plain, before, real, registers, bank, recent, limited, own)
    # The block of the next iteration is another block.
    return {access: Role("move") if access.array in locked else role for access, role in found.items()}


def _roles(
    loops: Sequence[Loop], steps: Sequence[GuardedStatement], before: Sequence[GuardedStatement], real: Set[str],
    registers: Collection[str], bank: Callable[[Access], str], recent: bool, limited: Collection[str],
    own: Collection[str],
) -> dict[Access, Role]:  # fmt: skip
    read_before, steps = _read_first(steps), distinct(steps)
    loaded = [access for step in steps for access in step.statement.reads]
    written = [access for step in steps for access in step.statement.writes]
    stored = set(written)
    by_bank, alike = _by_memory(filter(_is_element, dict.fromkeys((*loaded, *written))), bank)
    inner = innermost(loops)[-1]
    still = {place for place, group in by_bank.items() if not any(inner in iterators(each) for each in group)}
    set_before = by_write(before)
    touching = _touching(steps)
    held = kept_in_registers(read_before, own, by_bank, bank)
    chosen = arms(steps)
    found = {}
    for access in dict.fromkeys(written):
        starts, updated = set_before.get(access, []), access in read_before
        if not _is_element(access):
            found[access] = role_of(access, loops, set(), stored, starts, updated, access.array in real)
            continue
        if access.array in registers and access.subscripts:
            found[access] = register_role(access, loops, _of_other_shapes(access, alike[bank(access)]), starts, updated)
            continue
        place = bank(access)
        others = by_bank[place] - {access}
        if recent and _replaced(access, touching[access], others, updated):
            found[access] = Role("move", sunk=True)
            continue
        if access in held:
            found[access] = as_register(starts)
            continue
        few = recent and _is_few(access, others, limited)
        if few and place in still and _alone(access, others, loops, touching[access]):
            others = set()
        found[access] = role_of(access, loops, others, stored, starts, updated, access.array in real)
        found[access] = _unless_chosen(found[access], access, chosen, loops)
        if recent:
            found[access] = recent_role(found[access], access, loops, touching[access], updated=updated)
    return found


def _unless_chosen(
    role: Role, access: Access, chosen: Collection[tuple[Condition, Access]], loops: Sequence[Loop]
) -> Role:  # fmt: skip
    """Return a role, without a register that passes on an element which arms of a chain store (R5.8)."""
    if role.kind == "forward" and any(access == each for _, each in chosen):
        return Role("move", distance=revisit(access, loops))
    return role


def _is_few(access: Access, others: set[Access], limited: Collection[str]) -> bool:
    return access.array not in limited or len(others) < HELD


def _by_memory(
    accesses: Iterable[Access], bank: Callable[[Access], str]
) -> tuple[dict[str, set[Access]], dict[str, dict[tuple[object, ...], set[Access]]]]:
    """Return the elements of each memory, also grouped by subscripts that move alike."""
    by_bank: dict[str, set[Access]] = {}
    alike: dict[str, dict[tuple[object, ...], set[Access]]] = {}
    for access in accesses:
        place = bank(access)
        by_bank.setdefault(place, set()).add(access)
        alike.setdefault(place, {}).setdefault(_shape(access), set()).add(access)
    return by_bank, alike


def _alone(
    access: Access, others: set[Access], loops: Sequence[Loop], touching: Sequence[GuardedStatement]
) -> bool:  # fmt: skip
    """Return whether a register keeps an element, whatever the loop does to other elements of its memory (R9.17)."""
    return not _set_by_some(access, touching) and _promoted(access, others, loops)


def _touching(steps: Sequence[GuardedStatement]) -> dict[Access, list[GuardedStatement]]:
    """Return the statements that access each element."""
    found: dict[Access, list[GuardedStatement]] = {}
    for step in steps:
        for access in filter(_is_element, dict.fromkeys((*step.statement.reads, *step.statement.writes))):
            found.setdefault(access, []).append(step)
    return found


def _is_element(access: Access) -> bool:
    """Return whether an access goes to an element of an array: a variable shares its place with nothing."""
    return bool(access.subscripts) or access.random


def _shape(access: Access) -> tuple[object, ...]:
    """Return an access without the constants of its subscripts: accesses of one shape never alias, unless random."""
    return access.array, access.random, *(subscript.terms for subscript in access.subscripts)


def _of_other_shapes(access: Access, alike: Mapping[tuple[object, ...], set[Access]]) -> set[Access]:
    own = _shape(access)
    return {other for shape, group in alike.items() if shape != own for other in group}


def _set_by_some(access: Access, steps: Sequence[GuardedStatement]) -> bool:
    """Return whether only conditional stores on iterators set a location before it is loaded: it is no sum (R5.8).

    ``steps`` are the statements that load or store it.
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


def _promoted(access: Access, others: set[Access], loops: Sequence[Loop]) -> bool:
    """Return whether the loop around the innermost one moves a location that aliases no other one of its memory."""
    around = innermost(loops)[:-1]
    return (not around or around[-1] in iterators(access)) and all(never_meet(access, o, loops) for o in others)


def _replaced(access: Access, steps: Sequence[GuardedStatement], others: set[Access], updated: bool) -> bool:
    """Return whether each iteration stores one element anew, so that only the last store counts (R9.24)."""
    if updated or not access.subscripts or not is_fixed(access) or not all(surely_apart(access, o) for o in others):
        return False
    return any(access in step.statement.writes and not step.conditions for step in steps)


def _read_first(steps: Sequence[GuardedStatement]) -> set[Access]:
    """Return the locations that are read before they are written in an iteration.

    A location that is written only under a condition may keep its value from an earlier iteration.
    """
    found: set[Access] = set()
    written: dict[Access, set[tuple[Condition, ...]]] = {}
    certain: set[int] = set()  # unconditional steps: a repetition changes nothing
    for step in steps:
        if id(step) in certain:
            continue
        if not step.conditions:
            certain.add(id(step))
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
