"""Streamed arrays between tasks: a directive or a setting makes them FIFOs if both ends use one order (R7.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from ppnsim.arrays import Int64Array
from ppnsim.hls.pragmas.directives import Directives
from ppnsim.hls.region.leaves import Leaf
from ppnsim.hls.structure.counting import is_data
from ppnsim.loops.expressions import Condition, Not
from ppnsim.loops.points import iteration_points, values
from ppnsim.loops.program import DATA, Access, Array, Execution, Guard, Loop, LoopProgram, Node, Operation, Statement

_Around = tuple[Loop | Condition, ...]
_MOST = 10_000_000
"""Most accesses that are compared."""


def with_fifos(
    program: LoopProgram, directives: Directives, leaves: Sequence[Leaf]
) -> tuple[LoopProgram, Directives, tuple[str, ...]]:
    """Return a program whose streamed arrays are FIFOs, their depths, and a sentence for each array that is not."""
    made: dict[str, int] = {}
    said = []
    tasks = Counter(name for leaf in leaves for name in {*leaf.writes, *leaf.reads})
    for array in program.arrays:
        between = tasks[array.name] > 1
        if (asked := directives.fifo_of(array)) is not None and (between or array.name in directives.streamed):
            depth, where = asked
            if reason := _obstacle(array, directives, leaves):
                said.append(f"{where}: array '{array.name}' is handed over whole and is no FIFO: {reason}")
            else:
                made[array.name] = depth
    if not made:
        return program, directives, tuple(said)
    arrays = tuple(
        replace(array, shape=(), stream=made[array.name]) if array.name in made else array for array in program.arrays
    )
    directives = replace(directives, depths={**directives.depths, **made})
    body = tuple(_node(node, frozenset(made)) for node in program.body)
    return replace(program, arrays=arrays, body=body), directives, tuple(said)


def _obstacle(array: Array, directives: Directives, leaves: Sequence[Leaf]) -> str:
    """Return the reason why an array cannot be a FIFO, "" if it can."""
    writers = [leaf for leaf in leaves if array.name in leaf.writes]
    readers = [leaf for leaf in leaves if array.name in leaf.reads]
    if len(writers) != 1 or len(readers) != 1 or writers == readers:
        return "a FIFO has one task that writes it and another one that reads it"
    if array.name in directives.partitions:
        return "it has several memories"
    (writer,), (reader,) = writers, readers
    written, read = _elements(array, writer, write=True), _elements(array, reader, write=False)
    for task, elements in ((writer, written), (reader, read)):
        if isinstance(elements, str):
            return f"{elements} in task '{task.name}'"
    assert not isinstance(written, str) and not isinstance(read, str)
    for verb, task, elements in (("writes", writer, written), ("reads", reader, read)):
        if not np.diff(np.sort(elements, kind="stable")).all():  # np.unique takes ten times as long
            return f"task '{task.name}' {verb} an element more than once"
    if not np.array_equal(written, read):
        if len(written) != len(read):
            return f"task '{writer.name}' writes {len(written)} elements and '{reader.name}' reads {len(read)}"
        return f"task '{reader.name}' reads its elements in another order than '{writer.name}' writes them"
    return ""


def _elements(array: Array, leaf: Leaf, *, write: bool) -> Int64Array | str:
    """Return the elements that a task accesses, in order, or the reason why these are unknown."""
    mine = []
    for statement, around, places in _statements(leaf.body, (), ()):
        accesses = [each for each in (statement.writes if write else statement.reads) if each.array == array.name]
        if accesses and any(each.assumed if isinstance(each, Loop) else is_data(each) for each in around):
            return "data decides whether it is accessed"
        mine += [(access, around, (*places, number)) for number, access in enumerate(accesses)]
    if any(_is_data(access) or len(access.subscripts) != len(array.shape) for access, _, _ in mine):
        return "data decides which element is accessed"
    width = 2 * max((len(places) for _, _, places in mine), default=0)
    keys, elements, count = [np.zeros((0, width), dtype=np.int64)], [np.zeros(0, dtype=np.int64)], 0
    for access, around, places in mine:
        key, flat = _instances(array, access, around, places, width)
        keys.append(key)
        elements.append(flat)
        if (count := count + len(flat)) > _MOST:
            return f"more than {_MOST} accesses would have to be compared"
    found: Int64Array = np.concatenate(elements)
    return found[np.lexsort(np.concatenate(keys).T[::-1])] if len(found) else found


def _instances(
    array: Array, access: Access, around: _Around, places: tuple[int, ...], width: int
) -> tuple[Int64Array, Int64Array]:
    """Return a sort key for each instance of an access, in execution order, and the element of the instance.

    Keys are lexicographic, shape (instances, width): the place in each body, then the iteration of the loop there.
    """
    points = iteration_points(around)
    loops = [each for each in around if isinstance(each, Loop)]
    columns = {loop.iterator: points[:, k] for k, loop in enumerate(loops)}
    flat = np.zeros(len(points), dtype=np.int64)
    for subscript, extent in zip(access.subscripts, array.shape, strict=True):
        flat = flat * extent + values(subscript, columns, len(points))
    key = np.zeros((len(points), width), dtype=np.int64)
    key[:, 0 : 2 * len(places) : 2] = places
    for k, loop in enumerate(loops):
        key[:, 2 * k + 1] = points[:, k] if loop.step > 0 else -points[:, k]
    return key, flat


def _is_data(access: Access) -> bool:
    names = {name for subscript in access.subscripts for name in subscript.iterators()}
    return not access.subscripts or bool(names & set(DATA.iterators()))


def _statements(
    body: Sequence[Node], around: _Around, places: tuple[int, ...]
) -> Iterator[tuple[Statement, _Around, tuple[int, ...]]]:
    """Yield each statement with the loops and conditions around it, and its place in the body of each loop."""
    flat = list(_flat(body, ()))
    for number, (node, under) in enumerate(flat):
        if isinstance(node, Execution):
            yield node.statement, (*around, *under), (*places, number)
        else:
            assert isinstance(node, Loop)
            yield from _statements(node.body, (*around, *under, node), (*places, number))


def _flat(body: Sequence[Node], under: tuple[Condition, ...]) -> Iterator[tuple[Node, tuple[Condition, ...]]]:
    """Yield the statements and loops of a body in order, each with the conditions around it."""
    for node in body:
        if isinstance(node, Guard):
            yield from _flat(node.body, (*under, node.condition))
            yield from _flat(node.otherwise, (*under, Not(node.condition)))
        else:
            yield node, under


def _node(node: Node, names: frozenset[str]) -> Node:
    """Return code in which accesses to some arrays are accesses to FIFOs."""

    def named(access: Access) -> Access:
        return Access(access.array, random=True) if access.array in names else access

    def value_of(tree: Operation) -> Operation:
        place = None if tree.place is None else named(tree.place)
        return replace(tree, operands=tuple(map(value_of, tree.operands)), place=place)

    if isinstance(node, Execution):
        each = node.statement
        value = None if each.value is None else value_of(each.value)
        reads, writes = tuple(map(named, each.reads)), tuple(map(named, each.writes))
        return Execution(replace(each, reads=reads, writes=writes, value=value))
    body: tuple[Node, ...] = tuple(_node(inner, names) for inner in node.body)
    if isinstance(node, Guard):
        return replace(node, body=body, otherwise=tuple(_node(inner, names) for inner in node.otherwise))
    return replace(node, body=body)
