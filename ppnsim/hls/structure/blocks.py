"""Locks of streams of blocks: the token of a lock stands for its whole block, which it changes (R7.7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ppnsim.c.blocks import BLOCK, FULL, HELD
from ppnsim.errors import InputError
from ppnsim.loops.program import DATA, Access, Array, LoopProgram, Statement


def blocks_of(array: Array) -> tuple[str, str]:
    """Return the stream of blocks that an array belongs to, and the member: ``("", "")`` for other arrays.

    Examples
    --------
    >>> blocks_of(Array(name="s_ppnsim_held", member=("s", "ppnsim_held"))), blocks_of(Array(name="a"))
    (('s', 'ppnsim_held'), ('', ''))
    """
    whole, path = array.member or ("", "")
    inside, _, member = path.rpartition(".")
    return (f"{whole}.{inside}".removesuffix("."), member) if member in (HELD, FULL, BLOCK) else ("", "")


def is_block(array: Array) -> bool:
    """Return whether an array is the block that the locks of a stream of blocks give access to."""
    return blocks_of(array)[1] == BLOCK


def copies_of(arrays: Sequence[Array], depths: Mapping[str, int]) -> dict[str, int]:
    """Return the number of copies of each block (as many as may be held), and 0 for the token FIFOs of their locks."""
    held = {blocks_of(each)[0]: depths.get(each.name, each.stream) for each in arrays if blocks_of(each)[1] == HELD}
    members = [each for each in arrays if blocks_of(each)[0] in held]
    return {each.name: held[blocks_of(each)[0]] if is_block(each) else 0 for each in members}


def with_locks(program: LoopProgram) -> LoopProgram:
    """Return a program whose locks change their block, so that no value of one block is used for the next block.

    Raises
    ------
    InputError
        If a task locks a second block of a stream before it has released the first one.
    """
    of: dict[str, list[Array]] = {}
    for array in program.arrays:
        if is_block(array):
            of.setdefault(blocks_of(array)[0], []).append(array)
    tokens = {array.name: of[name] for array in program.arrays if array.stream and (name := blocks_of(array)[0]) in of}
    _check_one_at_once(program, [array for array in program.arrays if array.name in tokens])
    return program.replaced(lambda statement: _changing(statement, tokens)) if tokens else program


def _check_one_at_once(program: LoopProgram, arrays: Sequence[Array]) -> None:
    """Refuse a lock in a function, or through a reference, while another lock of the same stream is held (R7.7)."""
    members = {array.name: blocks_of(array) for array in arrays}
    held: set[tuple[str, Any, str]] = set()
    for statement in program.statements() if members else ():
        for side, accesses, begins in (("write", statement.writes, HELD), ("read", statement.reads, FULL)):
            for each in accesses:
                blocks, member = members.get(each.array, ("", ""))
                lock = (blocks, each.subscripts, side)
                if member == begins and lock in held:
                    words = f"a second {side} lock of '{blocks}' while one is held (let the scope of that end before)"
                    raise InputError(words, where=str(statement.position))
                if member == begins:
                    held.add(lock)
                elif member:
                    held.discard(lock)


def _changing(statement: Statement, tokens: Mapping[str, Sequence[Array]]) -> Statement:
    found = [tokens[each.array] for each in (*statement.reads, *statement.writes) if each.array in tokens]
    if not found or locks_in(statement):
        return statement
    wholes = (Access(each.name, (DATA,) * len(each.shape), random=True) for each in found[0])
    return replace(statement, writes=(*statement.writes, *wholes))


def locks_in(statement: Statement) -> tuple[Access, ...]:
    """Return the whole blocks that the token of a lock changes; nothing for other statements."""
    if not statement.writes or not statement.writes[-1].random or statement.index:
        return ()
    return tuple(filter(_is_whole, statement.writes))


def _is_whole(access: Access) -> bool:
    return access.random and BLOCK in access.array and all(each == DATA for each in access.subscripts)


def without_lock(statement: Statement) -> Statement:
    """Return a lock's statement as a statement that only takes or puts its token."""
    wholes = locks_in(statement)
    return replace(statement, writes=statement.writes[: -len(wholes)]) if wholes else statement


def locked_in(statements: Sequence[Statement]) -> frozenset[str]:
    """Return the blocks that locks in some code change."""
    random = [each for each in statements if each.writes and each.writes[-1].random]
    return frozenset(lock.array for each in random for lock in locks_in(each))
