"""Elements at fixed places that a loop keeps in registers, even if other loops access their array (R9.24)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from ppnsim.hls.structure.aliases import is_fixed, surely_apart
from ppnsim.hls.structure.locations import GuardedStatement, Role, is_constant
from ppnsim.loops.program import Access

HELD = 7
"""Most sums of a memory that a loop keeps: eight are loaded and stored in every iteration in older releases (R9.29)."""


def _in_registers(access: Access, others: set[Access]) -> bool:
    """Return whether a loop accesses a memory only at fixed places, all different: registers hold them (R9.24)."""
    few = is_fixed(access) and len(others) < HELD
    return few and all(is_fixed(other) and surely_apart(access, other) for other in others)


def kept_in_registers(
    updated: set[Access], own: Collection[str], by_bank: Mapping[str, set[Access]], bank: Callable[[Access], str]
) -> set[Access]:  # fmt: skip
    """Return the updated elements of ``own`` arrays that a loop keeps in registers; ``by_bank`` has its accesses."""
    return {a for a in updated if a.array in own and _in_registers(a, by_bank.get(bank(a), set()) - {a})}


def as_register(starts: Sequence[GuardedStatement]) -> Role:
    """Return the role of such an element; ``starts`` are the statements that set it before the loop."""
    return Role("accumulate", bool(starts), bool(starts) and is_constant(starts[-1].statement.value), sunk=True)
