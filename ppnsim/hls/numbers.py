"""Constant propagation: a variable that one statement sets to a number is replaced by that number (R1.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from ppnsim.hls.structure.folding import Table, folded
from ppnsim.loops.expressions import Condition, condition_iterators
from ppnsim.loops.program import Array, Execution, Guard, Loop, LoopProgram, Node, Operation, Statement


def with_numbers(program: LoopProgram, shared: Collection[str] = ()) -> LoopProgram:
    """Return a program without the variables that one statement sets to a number before all statements that read them.

    Parameters
    ----------
    shared : variables that tasks of a dataflow region may pass on, which are kept.

    Examples
    --------
    >>> from ppnsim.loops.program import Access, Array, Operation
    >>> arrays = Array(name="y", role="parameter"), Array(name="k")
    >>> values = Operation("constant", "int", text="3"), Operation("read", "int", read=0)
    >>> first = Statement(name="k", writes=(Access("k"),), value=values[0])
    >>> second = Statement(name="y", reads=(Access("k"),), writes=(Access("y"),), value=values[1])
    >>> program = LoopProgram(name="p", arrays=arrays, body=(Execution(first), Execution(second)))
    >>> [(each.name, each.value.text, each.reads) for each in with_numbers(program).statements()]
    [('y', '3', ())]
    """
    kept = {each.name for each in program.arrays if not _is_variable(each)}.union(shared)
    kept |= set(_names_that_decide(program.body))
    while tables := _constants(program, kept):
        program = _with_constants(program, tables)
    return program


def _with_constants(program: LoopProgram, tables: Mapping[str, Table]) -> LoopProgram:
    def gone(node: Node) -> tuple[Node, ...] | None:
        return () if isinstance(node, Execution) and _target(node.statement) in tables else None

    fifos = frozenset(each.name for each in program.arrays if each.stream or each.volatile)
    return program.rewritten(gone).replaced(lambda statement: folded(statement, tables, fifos))


def _is_variable(array: Array) -> bool:
    return array.role == "local" and not (array.shape or array.stream or array.static or array.fields)


def _names_that_decide(nodes: Sequence[Node]) -> Iterator[str]:
    """Yield the names in conditions and in the bounds of loops, and the variables that loops leave behind."""
    for node in nodes:
        if isinstance(node, Guard):
            yield from condition_iterators(node.condition)
            yield from _names_that_decide((*node.body, *node.otherwise))
        elif isinstance(node, Loop):
            yield from (node.leaves, *(access.array for access in node.reads))
            yield from _names_that_decide(node.body)


def _target(statement: Statement) -> str:
    """Return the variable that a statement sets to a value, "" for any other statement."""
    alone = len(statement.writes) == 1 and not statement.member and not statement.writes[0].subscripts
    return statement.writes[0].array if alone and statement.value is not None else ""


def _constants(program: LoopProgram, kept: Collection[str]) -> dict[str, Table]:
    """Return the variables that are constants, each as a table of one value."""
    placed = list(program.placed())
    writes = Counter(access.array for statement, _, _ in placed for access in statement.writes)
    found: dict[str, Table] = {}
    set_in: dict[str, tuple[Loop | Condition, ...]] = {}
    seen: set[str] = set()
    for statement, around, _ in placed:
        seen |= {access.array for access in statement.reads}
        for name in {access.array for access in statement.reads} & found.keys():
            if around[: len(set_in[name])] != set_in[name]:  # the variable may not be set there
                del found[name]
        target = _target(statement)
        alone = writes[target] == 1 and target not in kept and target not in seen
        value = _number(statement.value) if alone else None
        if value is not None:
            found[target], set_in[target] = value, around
    return found


def _number(tree: Operation | None) -> int | float | None:
    """Return the value of an expression if it is a number, else None."""
    while tree is not None and tree.kind == "cast" and tree.operands[0].type == tree.type:
        (tree,) = tree.operands
    if tree is None or tree.kind != "constant":
        return None
    try:
        return float(tree.text.rstrip("fFlL")) if tree.type in ("float", "double") else int(tree.text, 0)
    except ValueError:
        return None
