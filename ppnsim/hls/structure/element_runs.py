"""Bus reads of consecutive elements in loops of the state machine: one request before the loop fetches them (R6.21)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from math import prod

from ppnsim.hls.structure.counting import constant_trips
from ppnsim.hls.structure.locations import GuardedStatement
from ppnsim.hls.structure.partitions import Storage
from ppnsim.hls.structure.trees import Pipeline, Serial, Tree, accesses_of
from ppnsim.loops.expressions import Affine, Quotient
from ppnsim.loops.program import DATA, Access, Array, Execution, Loop

READ = 1
"""States from an element that was requested before the loop to its use."""
SOONER = 3
"""States by which a response is shorter than a read: it has no request and no element."""
REQUEST = 2
"""States before the data of a bus write: its address, and the request (R6.9)."""
Read = tuple[Access, tuple[Loop, ...], bool]
"""An access to an element, the loops around it, and whether a condition or a pipelined loop is also around it."""


def requested(
    tree: Serial, storage: Mapping[str, Storage], arrays: Mapping[str, Array], *, whole: bool
) -> tuple[Mapping[str, Storage], int, int]:  # fmt: skip
    """Return the buses of which a loop's elements are requested at once, and the states before and behind the loop."""
    reads, before = runs_of(tree, storage, arrays, whole=whole)
    writes, behind = runs_of(tree, storage, arrays, whole=False, stored=True)
    return {**reads, **writes}, max(before, REQUEST if writes else 0), behind


def runs_of(
    tree: Serial, storage: Mapping[str, Storage], arrays: Mapping[str, Array], *, whole: bool, stored: bool = False
) -> tuple[Mapping[str, Storage], int]:  # fmt: skip
    """Return the buses whose elements a loop reads one after the other, and the states of the request before the loop.

    The element is the only read of an iteration over its bundle, under no condition, and nothing stores to its array.
    ``whole``: an element arrives at the end of a state (R6.21). ``stored``: the buses to which the loop writes, and
    the states of the response after it.
    """
    written = {access.array for access, _, _ in _accesses((tree,), stored=not stored)}
    written |= {name for name, array in arrays.items() if array.volatile}  # each access is a request of its own
    by_bundle: dict[str, dict[Access, Read]] = {}
    for read in _accesses((tree,), stored=stored):
        kept = storage.get(read[0].array)
        if kept is not None and kept.kind == "bus" and not kept.asked:
            by_bundle.setdefault(kept.bundle, {})[read[0]] = read
    alone = [next(iter(each.values())) for each in by_bundle.values() if len(each) == 1]
    found = [
        access.array for access, loops, asked in alone
        if not asked and access.array not in written and _in_row(access, loops, arrays[access.array])
    ]  # fmt: skip
    before = max((storage[name].latency - (SOONER if stored else READ) for name in found), default=0)
    return {name: replace(storage[name], latency=READ, asked=whole) for name in found}, before


def copies(loop: Loop, buses: Collection[str]) -> bool:
    """Return whether a loop is that of a ``memcpy`` from or to a bus, which Vivado HLS pipelines, too (R1.6)."""
    (first, *more) = loop.body
    if more or not isinstance(first, Execution) or not re.fullmatch(r"memcpy(_\d+)?", first.statement.name):
        return False
    return any(each.array in buses for each in (*first.statement.reads, *first.statement.writes))


def stays(
    tree: Serial, storage: Mapping[str, Storage], arrays: Mapping[str, Array], written: frozenset[str]
) -> list[Access]:  # fmt: skip
    """Return the elements that a loop reads over buses at a fixed address, of arrays that nothing stores to (R6.21)."""
    written |= {name for name, array in arrays.items() if array.volatile}
    found = (
        access for access, loops, asked in _accesses((tree,))
        if (kept := storage.get(access.array)) is not None and kept.kind == "bus" and not asked
        and not access.random and DATA not in access.subscripts and access.array not in written
        and not any(access_moves(access, loop) for loop in loops)
    )  # fmt: skip
    return [*dict.fromkeys(found)]  # without the loops: hashing a loop would hash its whole body


def sum_of(tree: Serial, before: Sequence[GuardedStatement], arrays: Mapping[str, Array]) -> Access | None:
    """Return the location that the statement before a loop sets and the loop keeps in a register (R1.11), or None.

    The loop contains no loop, and accesses no other element of the location's array; no iteration moves the location.
    """
    if not before or before[-1].conditions or any(not isinstance(each, GuardedStatement) for each in tree.body):
        return None
    (found, *more), stored = before[-1].statement.writes, [*_accesses((tree,), stored=True)]
    if more or not found.subscripts or found.random or any(access_moves(found, loop) for loop in tree.loops):
        return None
    if arrays[found.array].volatile:
        return None
    both = [[read for read in of if read[0].array == found.array] for of in (_accesses((tree,)), stored)]
    alone = all(of and all(access == found and not asked for access, _, asked in of) for of in both)
    return found if alone else None


def overwritten(
    tree: Serial, behind: Tree | None, storage: Mapping[str, Storage], arrays: Mapping[str, Array]
) -> Access | None:  # fmt: skip
    """Return the element that a nest of the state machine updates and the next statement stores anew, or None.

    The nest accesses no other element of the array, which is a memory, and no loop moves the element: a register holds
    it (R1.11).
    """
    if not isinstance(behind, GuardedStatement) or behind.conditions or not behind.statement.writes:
        return None
    (found, *more), kept = behind.statement.writes, storage.get(behind.statement.writes[0].array)
    told = more or arrays[found.array].volatile or (kept is not None and kept.kind != "ram")
    if told or not found.subscripts or found.random or DATA in found.subscripts:
        return None
    return found if _straight(tree) and _is_all(tree, found) else None


def _is_all(tree: Serial, found: Access) -> bool:
    """Return whether a nest stores an element, accesses only it in its array, and no loop moves the element."""
    stored = [each for each in _accesses((tree,), stored=True) if each[0].array == found.array]
    own = [*stored, *(each for each in _accesses((tree,)) if each[0].array == found.array)]
    alone = all(access == found and not asked for access, _, asked in own)
    moved = any(access_moves(found, loop) for _, loops, _ in own for loop in loops)
    return bool(stored) and alone and not moved


def _straight(tree: Serial) -> bool:
    """Return whether a nest consists of loops of the state machine with constant trip counts, and no data ends them."""
    inside = (
        isinstance(each, GuardedStatement) or (isinstance(each, Serial) and _straight(each)) for each in tree.body
    )
    return all(constant_trips(loop) and not loop.ended for loop in tree.loops) and all(inside)


def access_moves(access: Access, loop: Loop) -> bool:
    """Return whether the element of an access depends on a loop's iterator."""
    return any(loop.iterator in subscript.iterators() for subscript in access.subscripts)


def _accesses(
    trees: Sequence[Tree], loops: tuple[Loop, ...] = (), *, asked: bool = False, stored: bool = False
) -> Iterator[Read]:  # fmt: skip
    """Yield the reads, or the stores, of trees in program order."""
    for tree in trees:
        if isinstance(tree, Serial):
            around, under = (*loops, *tree.loops), asked or tree.loops[0].under is not None
            yield from _accesses(tree.body, around, asked=under, stored=stored)
        elif isinstance(tree, Pipeline):
            yield from ((access, (*loops, *tree.loops), True) for access in accesses_of(tree))
        else:
            found = tree.statement.writes if stored else tree.statement.reads
            yield from ((access, loops, asked or bool(tree.conditions)) for access in found)


def _in_row(access: Access, loops: Sequence[Loop], array: Array) -> bool:
    """Return whether each iteration accesses the next element, or the same element in inner loops."""
    if access.random or not access.subscripts or DATA in access.subscripts:
        return False
    left = list(loops)
    while left and not access_moves(access, left[-1]):
        left.pop()
    row = 1
    for loop in reversed(left):
        trips = constant_trips(loop)
        if _moved(access, loop, array) != row or (trips is None and loop is not left[0]):
            return False
        row *= trips or 1
    return bool(left)


def _moved(access: Access, loop: Loop, array: Array) -> int:
    """Return by how many elements an iteration moves an access; 0 if not all iterations move it alike."""
    moved = [_shift(subscript, loop.iterator, loop.step) for subscript in access.subscripts]
    known = [each for each in moved if each is not None]
    if len(known) < len(moved):
        return 0
    return sum(each * prod(array.shape[number + 1 :]) for number, each in enumerate(known))


def _shift(subscript: Affine, iterator: str, step: int) -> int | None:
    """Return by how much each step of an iterator moves a subscript, None if some steps move it by more than others.

    Examples
    --------
    >>> i = Affine.of("i")
    >>> [_shift(each, "i", 2) for each in (3 * i, i // 2, i // 4, (i // 2) % 8, i % 2)]
    [6, 1, None, None, 0]
    """
    moved = 0
    for atom, factor in subscript.terms:
        if isinstance(atom, str):
            moved += factor * step * (atom == iterator)
            continue
        inner = _shift(atom.of, iterator, step)
        if inner is None or inner % atom.by:
            return None
        moved += factor * (inner // atom.by) if isinstance(atom, Quotient) else 0
    return moved
