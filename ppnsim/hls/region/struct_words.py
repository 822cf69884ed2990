"""Struct members in one memory: tasks that access them access the whole memory, which is handed over (R6.22, R7.3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from ppnsim.hls.pragmas.directives import Directives
from ppnsim.hls.region.leaves import Leaf
from ppnsim.hls.region.memories import used_apart
from ppnsim.hls.structure.aggregates import Aggregate, kept_together
from ppnsim.hls.structure.partitions import Storage
from ppnsim.loops.position import Position
from ppnsim.loops.program import Access, Array, LoopProgram, Node, Statement

Aggregates = Mapping[str, Aggregate]
_T = TypeVar("_T")


def with_words(program: LoopProgram, aggregates: Aggregates) -> LoopProgram:
    """Return a program whose accesses to members of structs in words go to the memory of the words.

    Examples
    --------
    >>> from ppnsim.loops.program import Execution
    >>> y = Array(name="s.y", shape=(8,), bits=16)
    >>> body = (Execution(Statement(name="t", writes=(Access("s.y", ()),))),)
    >>> found = with_words(LoopProgram(name="k", arrays=(y,), body=body), {"s.y": Aggregate("s", 1, told=True)})
    >>> [each.name for each in found.arrays], str(found.statements()[0].writes[0])
    (['s'], 's')
    """
    if not aggregates:
        return program
    return replace(program, arrays=tuple(_arrays(program.arrays, aggregates)), body=on_words(program.body, aggregates))


def on_words(body: Iterable[Node], aggregates: Aggregates) -> tuple[Node, ...]:
    """Return code whose accesses to members of structs in words go to the memory of the words."""

    def word(access: Access) -> Access:
        found = aggregates.get(access.array)
        if found is None:
            return access
        return replace(access, array=found.memory, subscripts=access.subscripts[: found.dims])

    def change(statement: Statement) -> Statement:
        return replace(
            statement, reads=tuple(map(word, statement.reads)), writes=tuple(map(word, statement.writes))
        )  # fmt: skip

    return LoopProgram(name="", arrays=(), body=tuple(body)).replaced(change).body


def tasks_on_words(leaves: Sequence[Leaf], aggregates: Aggregates) -> dict[Leaf, Leaf]:
    """Return each task with accesses to the memory of the words instead of members of structs."""
    return {leaf: _task(leaf, aggregates) if aggregates else leaf for leaf in leaves}


def words_directed(directives: Directives, aggregates: Aggregates) -> Directives:
    """Return directives that give the memory of the words the partition and storage of its members, which agree."""
    if not aggregates:
        return directives
    return replace(
        directives, partitions=_with_memories(directives.partitions, aggregates),
        storage=_with_memories(directives.storage, aggregates),
    )  # fmt: skip


def _with_memories(named: Mapping[str, _T], aggregates: Aggregates) -> dict[str, _T]:
    return {**named, **{each.memory: named[name] for name, each in aggregates.items() if name in named}}


def with_shared_ports(
    program: LoopProgram, directives: Directives, leaves: Sequence[Leaf], release: str
) -> Directives:  # fmt: skip
    """Return directives that divide the two ports of an argument among the tasks that access it (R9.18)."""
    words = kept_together(directives.aggregates, release, ())
    tasks_on = list(tasks_on_words(leaves, words).values())
    shared = set[str]()
    for array in with_words(program, words).arrays:
        if array.role != "parameter" or not array.shape or array.stream:
            continue
        touching = [leaf for leaf in tasks_on if array.name in leaf.reads or array.name in leaf.writes]
        partition = words_directed(directives, words).partitions.get(array.name)
        tasks = max((each.tasks for each in used_apart(array, partition, touching)), default=0)
        if tasks > 1:
            shared.add(array.name)
    made = {}
    for array in program.arrays:
        kept = directives.storage.get(array.name)
        memory = words[array.name].memory if array.name in words else array.name
        if memory in shared and (kept is None or kept.hint):
            made[array.name] = Storage(ports=1)
    return replace(directives, storage={**directives.storage, **made})


def _arrays(arrays: Iterable[Array], aggregates: Aggregates) -> list[Array]:
    found: dict[str, Array] = {}
    for array in arrays:
        if (word := aggregates.get(array.name)) is None:
            found[array.name] = array
        elif (known := found.get(word.memory)) is not None:
            found[word.memory] = replace(known, bits=known.bits + array.bits)
        else:
            found[word.memory] = replace(array, name=word.memory, shape=array.shape[: word.dims], member=None)
    return list(found.values())


def _task(leaf: Leaf, aggregates: Aggregates) -> Leaf:
    def memories(places: Mapping[str, Position]) -> dict[str, Position]:
        found: dict[str, Position] = {}
        for name, place in places.items():
            found.setdefault(aggregates[name].memory if name in aggregates else name, place)
        return found

    return replace(
        leaf, body=on_words(leaf.body, aggregates), reads=memories(leaf.reads), writes=memories(leaf.writes),
        moved=frozenset(aggregates[name].memory if name in aggregates else name for name in leaf.moved),
    )  # fmt: skip
