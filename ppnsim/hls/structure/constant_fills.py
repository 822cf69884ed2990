"""Constant tables: arrays that one loop nest fills with constants become tables without a loop (R9.19)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace

from ppnsim.hls.structure.counting import DATA_MARK, constant_trips
from ppnsim.loops.expressions import condition_iterators
from ppnsim.loops.program import Array, Execution, Loop, LoopProgram, Node, Operation, Statement

PLAIN = frozenset(("constant", "iterator", "cast", "+", "-", "*", "/", "-x"))
"""The operators that may compute the constants of such a table."""
COMPUTED = "computed"
"""The initialiser of a table whose numbers are not known: a load of it remains a load, and is not folded."""


def with_computed_tables(program: LoopProgram) -> LoopProgram:
    """Return a program in which such arrays are tables, without the loops that filled them.

    The nest stands alone, does nothing else, and goes through all elements of its arrays before any of them is read.
    The stored value is a constant, or computed from constants and iterators of the nest, without a choice or a call.
    """
    tables, left, seen = dict[str, Array](), list[Node](), set[str]()
    local = {array.name: array for array in program.arrays if array.role == "local" and not array.static}
    writers = Counter(access.array for statement in program.statements() for access in statement.writes)
    for node in program.body:
        found = _filled(node, (), local)
        if found and all(name not in seen and writers[name] == 1 for name in found):
            tables |= found
            continue
        left.append(node)
        inside = LoopProgram(name="", arrays=(), body=(node,)).statements()
        seen |= {access.array for statement in inside for access in (*statement.reads, *statement.writes)}
    if not tables:
        return program
    return replace(program, arrays=tuple(tables.get(each.name, each) for each in program.arrays), body=tuple(left))


def constant_tables(program: LoopProgram) -> list[str]:
    """Return a sentence for each local table that is computed from constants alone: the tool may make a ROM of it.

    Arrays that one nest fills are tables (R9.19). For other arrays the vendor asks for a separate function that
    computes them (UG1399, "ROM initialization"); here each run of the kernel computes and stores them.
    """
    known = {each.name for each in program.arrays if each.role == "local" and not each.stream}
    statements = program.statements()
    tables = [
        f"the table '{each.name}' is computed from constants alone: a ROM, and the loop that fills it takes no time"
        for each in program.arrays if each.initial == COMPUTED
    ]  # fmt: skip
    looked_up = {access.array for each in statements for access in each.reads if access.random} & known
    stored = {access.array for each in statements for access in each.writes if access.array in looked_up}
    known = computed_of(program) if stored else known
    return tables + [
        f"the table '{each.name}' is computed from constants: its cycles count, though synthesis may make a ROM of it"
        for each in program.arrays if each.name in stored & known
    ]  # fmt: skip


def computed_of(program: LoopProgram) -> set[str]:
    """Return the local arrays and scalars that are computed only from constants, iterators and each other.

    The same holds for the tests of the conditions under which they are stored.
    """
    known = {each.name for each in program.arrays if each.role == "local" and not each.static and not each.stream}
    statements, before = program.statements(), -1
    while len(known) != before:
        before = len(known)
        known -= {access.array for each in _unsure(program.body, known) for access in each.writes}
        known = _computed(known, statements)
    return known


def _computed(known: set[str], statements: Sequence[Statement]) -> set[str]:
    """Return those of some arrays and scalars that are computed only from constants and from each other."""
    left, before = set(known), -1
    while len(left) != before:
        before = len(left)
        for each in statements:
            if each.value is None or any(access.array not in left for access in each.reads):
                left.difference_update(access.array for access in each.writes)
    return left


def _unsure(body: Sequence[Node], known: Set[str], *, inside: bool = False) -> Iterator[Statement]:
    """Yield the stores whose address depends on data, and those that data may skip or repeat.

    Tests that are ``known`` are not data.
    """
    for node in body:
        if isinstance(node, Execution):
            if inside or any(access.random for access in node.statement.writes):
                yield node.statement
        elif isinstance(node, Loop):
            yield from _unsure(node.body, known, inside=inside or node.assumed)
        else:
            decides = any(DATA_MARK in name and name not in known for name in condition_iterators(node.condition))
            yield from _unsure((*node.body, *node.otherwise), known, inside=inside or decides)


def _filled(node: Node, around: tuple[Loop, ...], local: Mapping[str, Array]) -> dict[str, Array] | None:
    """Return the tables that a nest of loops fills; None if the nest does anything else."""
    found: dict[str, Array] = {}
    if isinstance(node, Loop):
        for each in node.body:
            inside = _filled(each, (*around, node), local)
            if inside is None:
                return None
            found |= inside
        return found
    if not around or not isinstance(node, Execution) or (table := _table(node.statement, around, local)) is None:
        return None
    return {table.name: table}


def _table(statement: Statement, around: tuple[Loop, ...], local: Mapping[str, Array]) -> Array | None:
    """Return the array that a statement fills in all iterations of its loops, with its constant if there is one."""
    if statement.value is None or statement.reads or len(statement.writes) != 1:
        return None
    (access,) = statement.writes
    array, loops = local.get(access.array), {loop.iterator: loop for loop in around}
    through = [loops.get(str(subscript)) for subscript in access.subscripts]
    if array is None or array.stream or len(through) != len(array.shape) or len(set(access.subscripts)) < len(through):
        return None
    for loop, elements in zip(through, array.shape, strict=True):
        if loop is None or abs(loop.step) != 1 or constant_trips(loop) != elements:
            return None
    if any(each.kind not in PLAIN for each in statement.value.walk()):
        return None
    return replace(array, initial="{0}" if _is_zero(statement.value) else COMPUTED)


def _is_zero(value: Operation) -> bool:
    """Return whether an expression is the constant 0, of any type."""
    while value.kind == "cast":
        (value,) = value.operands
    try:
        return value.kind == "constant" and float(value.text.rstrip("fFlLuU")) == 0
    except ValueError:
        return False
