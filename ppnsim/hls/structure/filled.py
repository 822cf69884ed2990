"""Arrays that one loop fills with zeros and nothing else writes: tables that need no loop (R9.19)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ppnsim.hls.structure.counting import constant_trips, is_data
from ppnsim.loops.program import Array, Execution, Loop, LoopProgram, Node, Statement


def with_zero_tables(program: LoopProgram) -> LoopProgram:
    """Return a program in which such arrays are given their zeros, without the loops that filled them.

    The loop stands by itself, goes through all elements, and nothing has read the array before.
    """
    tables, left, seen = dict[str, Array](), list[Node](), set[str]()
    local = {array.name: array for array in program.arrays if array.role == "local" and not array.static}
    writers = Counter(access.array for statement in program.statements() for access in statement.writes)
    for node in program.body:
        array = _zeroed(node, local)
        if array is not None and array.name not in seen and writers[array.name] == 1 and not array.stream:
            tables[array.name] = replace(array, initial="{0}")
            continue
        left.append(node)
        inside = LoopProgram(name="", arrays=(), body=(node,)).statements()
        seen |= {access.array for statement in inside for access in (*statement.reads, *statement.writes)}
    if not tables:
        return program
    return replace(program, arrays=tuple(tables.get(each.name, each) for each in program.arrays), body=tuple(left))


def constant_tables(program: LoopProgram) -> list[str]:
    """Return a sentence for each local table that is computed from constants alone, of which the tool may make a ROM.

    The vendor asks for a function of its own that computes it (UG1399, "ROM initialization"); which others become ROMs
    was not seen. Here they are computed and stored whenever the kernel runs.
    """
    known = {each.name for each in program.arrays if each.role == "local" and not each.stream}
    statements = program.statements()
    looked_up = {access.array for each in statements for access in each.reads if access.random} & known
    stored = {access.array for each in statements for access in each.writes if access.array in looked_up}
    known -= {access.array for each in _unsure(program.body) for access in each.writes} if stored else set()
    known = _computed(known, statements) if stored else known
    return [
        f"the table '{each.name}' is computed from constants: its cycles count, though synthesis may make a ROM of it"
        for each in program.arrays if each.name in stored & known
    ]  # fmt: skip


def _computed(known: set[str], statements: Sequence[Statement]) -> set[str]:
    """Return those of some arrays and scalars whose values come from constants and from each other alone."""
    left, before = set(known), -1
    while len(left) != before:
        before = len(left)
        for each in statements:
            if each.value is None or any(access.array not in left for access in each.reads):
                left.difference_update(access.array for access in each.writes)
    return left


def _unsure(body: Sequence[Node], *, inside: bool = False) -> Iterator[Statement]:
    """Yield the statements that store at an element that data chooses, that data leaves out, or that it runs again."""
    for node in body:
        if isinstance(node, Execution):
            if inside or any(access.random for access in node.statement.writes):
                yield node.statement
        elif isinstance(node, Loop):
            yield from _unsure(node.body, inside=inside or node.assumed)
        else:
            yield from _unsure((*node.body, *node.otherwise), inside=inside or is_data(node.condition))


def _zeroed(node: Node, local: Mapping[str, Array]) -> Array | None:
    """Return the array that a nest of loops sets to zero, element by element, if it does nothing else."""
    loops: dict[str, Loop] = {}
    while isinstance(node, Loop) and len(node.body) == 1:
        loops[node.iterator] = node
        node = node.body[0]
    if not loops or not isinstance(node, Execution) or not _is_zero(node.statement):
        return None
    (access,) = node.statement.writes
    array = local.get(access.array)
    if array is None or sorted(map(str, access.subscripts)) != sorted(loops):
        return None
    through = (loops[str(subscript)] for subscript in access.subscripts)
    whole = all(
        abs(loop.step) == 1 and constant_trips(loop) == elements
        for loop, elements in zip(through, array.shape, strict=True)
    )
    return array if whole else None


def _is_zero(statement: Statement) -> bool:
    """Return whether a statement writes the constant 0, of any type."""
    value = statement.value
    while value is not None and value.kind == "cast":
        (value,) = value.operands
    if value is None or value.kind != "constant" or statement.reads or len(statement.writes) != 1:
        return False
    try:
        return float(value.text.rstrip("fFlLuU")) == 0
    except ValueError:
        return False
