"""Loops of which only the last iteration counts, and loops that only count: the compiler removes both (R1.10)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from ppnsim.hls.library.types import Format
from ppnsim.hls.pragmas.directives import all_loops
from ppnsim.hls.shown_lines import lines_in_words
from ppnsim.hls.structure.counting import constant_trips
from ppnsim.hls.structure.members import without_structs
from ppnsim.hls.structure.unrolling import substituted, values_of
from ppnsim.hls.waits import WAITS, waits
from ppnsim.loops.program import Access, Array, Execution, Guard, Loop, LoopProgram, Node, Operation, Statement


def without_last_only(
    program: LoopProgram, told: Callable[[Loop], bool], counted: Collection[str] | None
) -> tuple[Node, ...]:  # fmt: skip
    """Return the body of a program without such loops; loops with a directive (``told``) stay.

    ``counted`` are the arrays of `all_counted`.
    """
    return program.body if counted is None else last_only(program.body, counted, told)


def all_counted(program: LoopProgram) -> frozenset[str] | None:
    """Return the arrays of a program of which every access is visible in hardware; None if no loop may be removed.

    No loop of a program with ``ap_wait`` is removed, since a wait has an effect in each iteration.
    """
    if waits(program) or any(each.function in WAITS for each in program.statements()):
        return None
    return frozenset(each.name for each in program.arrays if each_access_counts(each))


def said_of_last_only(program: LoopProgram, told: Callable[[Loop], bool]) -> list[str]:
    """Return a sentence for the loops of a program that are removed."""
    program = without_structs(program)
    left = without_last_only(program, told, all_counted(program))
    stay = {(loop.position, loop.iterator) for loop in all_loops(left)}
    gone = {loop.position for loop in all_loops(program.body) if (loop.position, loop.iterator) not in stay}
    words = "only the last iteration counts, and synthesis leaves the loop out (rule R1.10 in ppnsim/hls/RULES.md)"
    return [f"of the loop in {lines_in_words(gone, program)} {words}"] if gone else []


def last_only(
    body: Sequence[Node], kept: Collection[str], told: Callable[[Loop], bool] = lambda _: False
) -> tuple[Node, ...]:  # fmt: skip
    """Return nodes in which such loops are replaced by their results; every access to an array in ``kept`` counts.

    Such a loop has a constant trip count, and its statements set variables. Each variable is computed from values of
    the same iteration, or from itself plus a constant.

    Examples
    --------
    >>> from ppnsim.loops.expressions import Affine
    >>> from ppnsim.loops.program import Access
    >>> read = Operation("read", "int", read=0)
    >>> take = Statement(name="t", reads=(Access("a", (Affine.of("i"),)),), writes=(Access("out"),), value=read)
    >>> loop = Loop(iterator="i", first=(Affine.of(0),), last=(Affine.of(9),), body=(Execution(take),))
    >>> [str(each.statement.reads[0]) for each in last_only((loop,), ())]
    ['a[9]']
    """
    found: list[Node] = []
    for node in body:
        if isinstance(node, Execution):
            found.append(node)
        elif isinstance(node, Guard):
            ways = last_only(node.body, kept, told), last_only(node.otherwise, kept, told)
            found.append(
                node if ways == (node.body, node.otherwise) else replace(node, body=ways[0], otherwise=ways[1])
            )
        else:
            inside = last_only(node.body, kept, told)
            whole = node if inside == node.body else replace(node, body=inside)
            left = None if told(node) else _left(whole, kept)
            found += [whole] if left is None else left
    return tuple(found)


def each_access_counts(array: Array) -> bool:
    """Return whether every access to an array is visible in hardware: of a FIFO, a port, a volatile or static array."""
    port = array.name.endswith(".ppnsim_value")  # a port of hls_directio.h
    lasting = array.static and (
        not array.shape or array.role == "parameter"
    )  # a static argument of several elements is volatile
    return bool(array.stream) or port or lasting


def _left(loop: Loop, kept: Collection[str]) -> list[Node] | None:
    """Return the statements that replace all iterations of a loop; None if no statements can."""
    trips = constant_trips(loop) or 1
    statements = [node.statement for node in loop.body if isinstance(node, Execution)]
    if trips == 1 or _is_left(loop) or len(statements) < len(loop.body) or any(_is_kept(s, kept) for s in statements):
        return None
    own = {access for each in statements for access in each.writes}
    found: list[Node] = []
    known = set[object]()
    for each in statements:
        last: Statement | None = each
        if each.writes[0] in each.reads and _is_alone(each.writes[0], statements):
            last = _summed(each, trips)
        elif any(access in own and access not in known for access in each.reads):
            last = None
        if last is None:
            return None
        known |= set(each.writes)
        found.append(Execution(last))
    left = substituted(found, loop.iterator, values_of(loop)[-1])
    return left if loop.under is None else [Guard(loop.under, tuple(left))]  # without a loop, data selects the value


def _is_alone(variable: Access, statements: Sequence[Statement]) -> bool:
    """Return whether exactly one statement reads a variable and one writes it."""
    reads, writes = [each.reads for each in statements], [each.writes for each in statements]
    return all(sum(variable in of for of in every) == 1 for every in (reads, writes))


def _is_left(loop: Loop) -> bool:
    """Return whether data may end a loop, or the code after it uses its iterator."""
    return bool(loop.ended or loop.leaves)


def _is_kept(statement: Statement, kept: Collection[str]) -> bool:
    """Return whether a statement has another effect than setting one variable."""
    if statement.value is None or statement.function or len(statement.writes) != 1 or statement.writes[0].subscripts:
        return True
    if any(tree.kind == "call" for tree in statement.value.walk()) or statement.writes[0].random or statement.member:
        return True
    return any(access.array in kept for access in (*statement.reads, *statement.writes))


def _summed(statement: Statement, trips: int) -> Statement | None:
    """Return ``x = x + c`` as ``x = x + trips * c``, None for any other statement."""

    def tree(one: Operation) -> Operation | None:
        if Format.of(one.type, str(one.position)).family != "integer":  # fixed point may saturate
            return None
        if one.kind == "cast" and len(one.operands) == 1:
            inner = tree(one.operands[0])
            return None if inner is None else replace(one, operands=(inner,))
        if one.kind not in ("+", "-") or len(one.operands) != 2:
            return None
        value, number = one.operands
        while value.kind == "cast":
            (value,) = value.operands
        if value.kind != "read" or number.kind != "constant" or not number.text.lstrip("-").isdigit():
            return None
        return replace(one, operands=(one.operands[0], replace(number, text=str(int(number.text) * trips))))

    whole = None if statement.value is None or len(statement.reads) != 1 else tree(statement.value)
    return None if whole is None else replace(statement, value=whole)
