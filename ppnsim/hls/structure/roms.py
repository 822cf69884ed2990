"""ROMs: tables that a separate function, or a loop, fills with constants; the filling code is removed (R9.44)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache

from ppnsim.hls.pragmas.directives import all_loops
from ppnsim.hls.structure.constant_fills import COMPUTED, computed_of
from ppnsim.hls.structure.locations import iterators
from ppnsim.loops.expressions import Condition, condition_iterators
from ppnsim.loops.program import Execution, Guard, Loop, LoopProgram, Node, Statement

LOOPS = "2020.2"
"""The first release that keeps such loops: two were seen that stay, and none that is removed (R9.19)."""


def with_roms(
    program: LoopProgram, release: str = "", tasks: Callable[[], Sequence[Sequence[Node]]] = tuple
) -> LoopProgram:
    """Return a program whose local arrays are tables if a call that does nothing else fills them with constants.

    Before ``LOOPS``, a loop that does nothing else is also removed. A task of a dataflow region stays, since it passes
    its array on to others (R9.19); ``tasks`` returns the bodies of the tasks.

    Examples
    --------
    >>> with_roms(LoopProgram(name="k", arrays=(), body=())).body
    ()
    """
    statements = program.statements()
    loops = all_loops(program.body) if "" < release < LOOPS else []
    parts = [*_calls(program, statements), *(_of((loop,)) for loop in loops)]
    if not parts:
        return program
    known, whole = computed_of(program), cache(lambda: [set(map(id, _of(tuple(body)))) for body in tasks()])
    tables, gone = set[str](), set[int]()
    begun = {each.name for each in program.arrays if each.initial}
    placed = [(each, around) for each, around, _ in program.placed()]
    for part in parts:
        found, own = _tables(part, statements, known), set(map(id, part))
        if (
            found
            and found.isdisjoint(begun)
            and _is_alone(own, placed, found)
            and not any(task and task <= own for task in whole())
        ):
            tables |= found
            gone |= own
    if not tables:
        return program
    arrays = tuple(replace(each, initial=COMPUTED) if each.name in tables else each for each in program.arrays)
    return replace(program, arrays=arrays, body=tuple(_without(program.body, gone)))


def _of(body: tuple[Node, ...]) -> list[Statement]:
    return LoopProgram(name="", arrays=(), body=body).statements()


def _calls(program: LoopProgram, statements: Sequence[Statement]) -> list[list[Statement]]:
    """Return the statements of each call, nested calls included; an algorithm of the library is a loop, not a call."""
    parts: dict[tuple[str, ...], list[Statement]] = {path: [] for path in sorted({each.path for each in statements})}
    for each in statements:
        for deep in range(2, len(each.path) + 1):  # for each call that contains the statement
            if (path := each.path[:deep]) in parts:
                parts[path].append(each)
    called = {frame.path: frame.position for frame in program.frames}
    return [part for path, part in parts.items() if part and called.get(path) != part[0].position]


def _is_alone(
    own: set[int], placed: Sequence[tuple[Statement, Sequence[Loop | Condition]]], tables: set[str]
) -> bool:  # fmt: skip
    """Return whether a part appears once, and computes the same values whatever code is around it.

    It reads nothing that other code sets; no data decides whether it runs, unless the same decides about the loops that
    look up its tables; nor does a condition that it shares with other code; and it uses no iterator of a loop that it
    shares with other code.
    """
    inside = [(each, around) for each, around in placed if id(each) in own]
    if not _is_closed([each for each, _ in inside]):
        return False
    if not _alike(inside, [(each, around) for each, around in placed if not tables.isdisjoint(_read(each))]):
        return False
    shared = {id(each) for statement, around in placed if id(statement) not in own for each in around}
    outside = {id(each): each for _, around in inside for each in around if id(each) in shared}.values()
    moved = {each.iterator for each in outside if isinstance(each, Loop)}
    return len(moved) == len(outside) and moved.isdisjoint(name for each in inside for name in _iterators(*each))


def _alike(*uses: Sequence[tuple[Statement, Sequence[Loop | Condition]]]) -> bool:
    """Return whether the same tests by data decide about all of some statements."""
    return len({_unders(around) for part in uses for _, around in part}) <= 1


def _read(statement: Statement) -> set[str]:
    return {access.array for access in statement.reads}


def _unders(around: Sequence[Loop | Condition]) -> tuple[Condition, ...]:
    """Return the tests by data that decide whether the loops around a statement run, each once."""
    tests = (each.under for each in around if isinstance(each, Loop) and each.under is not None)
    return tuple(dict.fromkeys(tests))


def _is_closed(inside: Sequence[Statement]) -> bool:
    """Return whether statements are not copies of each other, and read only what they store."""
    places = {(each.position, tuple(each.writes)) for each in inside}
    stored = {access.array for each in inside for access in each.writes}
    return len(places) == len(inside) and all(access.array in stored for each in inside for access in each.reads)


def _iterators(statement: Statement, around: Sequence[Loop | Condition]) -> Iterator[str]:
    """Yield the iterators that a statement, and the loops and conditions around it, use."""
    for access in (*statement.reads, *statement.writes):
        yield from iterators(access)
    for tree in (statement.value, *statement.index):
        yield from (node.text for node in tree.walk() if node.kind == "iterator") if tree is not None else ()
    for each in around:
        if isinstance(each, Loop):
            yield from (name for bound in (*each.first, *each.last) for name in bound.iterators())
        else:
            yield from condition_iterators(each)


def _tables(inside: Sequence[Statement], statements: Sequence[Statement], known: set[str]) -> set[str]:
    """Return the arrays that a part fills with constants and does not read.

    The result is empty if the part has another effect, or if other code also stores to the arrays.
    """
    stored = [access for each in inside for access in each.writes]
    if not stored or not {each.array for each in stored} <= known:  # usually true, and fast
        return set()
    own = {id(each) for each in inside}
    outside = [each for each in statements if id(each) not in own]
    handed = {each.array for each in stored} & {access.array for each in outside for access in each.reads}
    others = {access.array for each in outside for access in each.writes}
    if handed & (others | {access.array for each in inside for access in each.reads}):
        return set()
    return set() if any(not each.subscripts for each in stored if each.array in handed) else handed


def _without(nodes: Sequence[Node], gone: set[int]) -> list[Node]:
    """Return nodes without some statements, and without loops and conditions that become empty."""
    left: list[Node] = []
    for node in nodes:
        if isinstance(node, Execution):
            if id(node.statement) not in gone:
                left.append(node)
        elif isinstance(node, Guard):
            ways = [tuple(_without(way, gone)) for way in (node.body, node.otherwise)]
            if any(ways):
                left.append(node if ways == [node.body, node.otherwise] else Guard(node.condition, *ways))
        elif body := tuple(_without(node.body, gone)):
            left.append(node if body == node.body else replace(node, body=body))
    return left
