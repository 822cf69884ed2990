"""Arrays that a task both reads and writes: it may read only values of the same run, since copies change (R7.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ppnsim.errors import InputError
from ppnsim.hls.region.leaves import Leaf, in_region
from ppnsim.hls.region.memories import Shared
from ppnsim.hls.region.refusals import NoNetwork
from ppnsim.hls.structure.counting import constant_trips, is_data, visits
from ppnsim.loops.access_table import last_writes
from ppnsim.loops.expressions import Condition
from ppnsim.loops.program import DATA, Access, Array, Execution, Guard, Loop, LoopProgram, Node, Position, Statement

_Placed = Sequence[tuple[Statement, Sequence[Loop | Condition]]]
_MOST = 10_000_000
"""Most accesses that are compared."""


def refuse_second(array: Array, writer: Leaf, leaf: Leaf) -> None:
    """Refuse a second task that writes an array.

    Raises
    ------
    NoNetwork
        Always, with the place of the write.
    """
    words, where = f"array '{array.name}' of a dataflow region", str(leaf.writes[array.name])
    if array.name in leaf.reads:
        raise NoNetwork(
            f"{words} is both read and written by task '{leaf.name}', and task '{writer.name}' writes it too: "
            "one task writes an array, and later ones only read it; let this one write an array of its own",
            where=where,
        )  # fmt: skip
    names = f"{writer.name}, {leaf.name}"
    raise NoNetwork(
        f"{words} is written by several tasks ({names}): one writes, the others read; give each writer an array of its "
        "own, or write all of it in one task",
        where=where,
    )  # fmt: skip


def refuse_early(array: Array, shared: Shared, leaves: Sequence[Leaf]) -> None:
    """Refuse memories that a task reads before another task writes them.

    Raises
    ------
    InputError
        With the place of the read.
    """
    first = next(iter(shared.writes), None)
    for leaf in leaves[: leaves.index(first)] if first is not None else ():
        if first is not None and leaf in shared.reads and in_region(leaf, first):
            kind = "array" if array.shape else "variable"
            words = f"{kind} '{array.name}' of a dataflow region is read by '{leaf.name}' before"
            error = InputError if array.role == "local" else NoNetwork  # an argument has values from before
            advice = "put the task that writes it first, or read a copy"
            raise error(f"{words} '{first.name}' writes it; {advice}", where=str(shared.reads[leaf]))


def check_own_values(array: Array, leaf: Leaf, among: Callable[[Access], bool]) -> None:
    """Refuse a task that reads elements of its array before it writes them: each run has another copy.

    Only accesses that may go to some memories of the array (``among``) count.

    Raises
    ------
    NoNetwork
        With the place of the read.
    """
    if (place := unwritten_read(array, leaf.body, among)) is not None:
        words = f"array '{array.name}' of a dataflow region is both read and written by task '{leaf.name}'"
        raise NoNetwork(
            f"{words}, which reads an element here that it has not written: the copies of the array take turns, so "
            "that nothing is in it; write the array first, or keep what is read in a static array of the task",
            where=str(place),
        )  # fmt: skip


def unwritten_read(
    array: Array, body: Sequence[Node], among: Callable[[Access], bool] = lambda _: True
) -> Position | None:
    """Return where code reads an element of an array that it has not written before; None if it never does.

    If data decides about accesses, only a read that is certainly the first access is found.
    """
    program = LoopProgram(name="", arrays=(array,), body=tuple(_about(array.name, body, among)))
    placed = [(statement, around) for statement, around, _ in program.placed()]
    if not any(statement.reads for statement, _ in placed):
        return None
    if _is_static(placed) and sum(visits(around) for _, around in placed) <= _MOST:
        unwritten = last_writes(program)[1]
        return placed[min(unwritten)[0]][0].position if unwritten else None
    first, around = placed[0]
    sure = all(isinstance(part, Loop) and not part.assumed and constant_trips(part) for part in around)
    return first.position if first.reads and sure else None


def _is_static(placed: _Placed) -> bool:
    """Return whether no access depends on data."""
    parts = (part for _, around in placed for part in around)
    if any(part.assumed if isinstance(part, Loop) else is_data(part) for part in parts):
        return False
    accesses = [access for statement, _ in placed for access in (*statement.reads, *statement.writes)]
    names = {name for access in accesses for subscript in access.subscripts for name in subscript.iterators()}
    return names.isdisjoint(DATA.iterators()) and not any(access.random for access in accesses)


def _about(name: str, body: Sequence[Node], among: Callable[[Access], bool]) -> Iterator[Node]:
    """Yield the nodes of some code that access an array."""

    def own(accesses: tuple[Access, ...]) -> tuple[Access, ...]:
        return tuple(access for access in accesses if access.array == name and among(access))

    for node in body:
        if isinstance(node, Execution):
            reads, writes = own(node.statement.reads), own(node.statement.writes)
            if reads or writes:
                yield Execution(replace(node.statement, reads=reads, writes=writes, value=None))
            continue
        inside = tuple(_about(name, node.body, among))
        if isinstance(node, Guard):
            otherwise = tuple(_about(name, node.otherwise, among))
            if inside or otherwise:
                yield replace(node, body=inside, otherwise=otherwise)
        elif inside:
            yield replace(node, body=inside)
