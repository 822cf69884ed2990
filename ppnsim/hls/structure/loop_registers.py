"""Elements at fixed places that a loop keeps in registers, whatever other loops do with their array (R9.24)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from ppnsim.hls.structure.aliases import is_fixed, surely_apart
from ppnsim.hls.structure.locations import GuardedStatement, Role, is_constant
from ppnsim.loops.program import Access

HELD = 7
"""Sums of a memory that are kept: eight are loaded and stored in every iteration in earlier releases (R9.29)."""


def _in_registers(access: Access, others: set[Access]) -> bool:
    """Return whether a loop accesses a memory at fixed places alone, all apart: registers hold them in it (R9.24)."""
    few = is_fixed(access) and len(others) < HELD
    return few and all(is_fixed(other) and surely_apart(access, other) for other in others)


def kept_in_registers(
    updated: set[Access], own: Collection[str], by_bank: Mapping[str, set[Access]], bank: Callable[[Access], str]
) -> set[Access]:  # fmt: skip
    """Return the updated elements of a kernel's ``own`` arrays that a loop keeps; ``by_bank`` has what it accesses."""
    return {a for a in updated if a.array in own and _in_registers(a, by_bank.get(bank(a), set()) - {a})}


def as_register(starts: Sequence[GuardedStatement]) -> Role:
    """Return the role of such an element; ``starts`` are the statements that set it before the loop."""
    return Role("accumulate", bool(starts), bool(starts) and is_constant(starts[-1].statement.value), sunk=True)
