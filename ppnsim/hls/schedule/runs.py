"""Elements in a row that a loop of the state machine reads over a bus: they are asked for once, before it (R6.21)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import prod

from ppnsim.hls.structure.locations import GuardedStatement
from ppnsim.hls.structure.partitions import Storage
from ppnsim.hls.structure.trees import Serial
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import DATA, Access, Array, Loop

READ = 1
"""States from an element that was asked for before the loop to its use."""


def runs_of(
    tree: Serial, storage: Mapping[str, Storage], arrays: Mapping[str, Array]
) -> tuple[Mapping[str, Storage], int]:  # fmt: skip
    """Return the buses of whose elements a loop without loops in it reads one after the other, and the states before.

    Such an element is all that an iteration reads over its bundle, under no condition, and nothing stores to its array.
    """
    if not all(isinstance(each, GuardedStatement) for each in tree.body):
        return {}, 0
    steps = [each for each in tree.body if isinstance(each, GuardedStatement)]
    written = {access.array for step in steps for access in step.statement.writes}
    by_bundle: dict[str, dict[Access, bool]] = {}
    for step in steps:
        for access in step.statement.reads:
            if (kept := storage.get(access.array)) is not None and kept.kind == "bus":
                by_bundle.setdefault(kept.bundle, {})[access] = bool(step.conditions)
    alone = [next(iter(each.items())) for each in by_bundle.values() if len(each) == 1]
    found = [
        access.array for access, asked in alone
        if not asked and access.array not in written and _in_row(access, tree.loops[-1], arrays[access.array])
    ]  # fmt: skip
    before = max((storage[name].latency - READ for name in found), default=0)
    return {name: replace(storage[name], latency=READ) for name in found}, before


def _in_row(access: Access, loop: Loop, array: Array) -> bool:
    """Return whether each iteration accesses the element behind that of the one before."""
    if access.random or not access.subscripts or DATA in access.subscripts:
        return False
    moved = 0
    for number, subscript in enumerate(access.subscripts):
        own = dict(subscript.terms).get(loop.iterator, 0)
        if loop.iterator in (subscript - own * Affine.of(loop.iterator)).iterators():
            return False  # in a quotient or a remainder
        moved += own * prod(array.shape[number + 1 :])
    return moved * loop.step == 1
