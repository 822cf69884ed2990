"""What unfolding and cutting share: a statement becomes several copies, each with a part of its iterations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ppnsim.errors import InputError, did_you_mean
from ppnsim.loops.expressions import Condition
from ppnsim.loops.program import Execution, Guard, Loop, LoopProgram, Node, Statement

MOST_PARTS = 4096  # each becomes a process


def loops_around(program: LoopProgram, statement: str) -> list[Loop]:
    """Return the loops around a statement, outermost first.

    Raises
    ------
    InputError
        If the program has no such statement.
    """
    names = []
    for candidate, around, _ in program.placed():
        names.append(candidate.name)
        if candidate.name == statement:
            return [each for each in around if isinstance(each, Loop)]
    raise InputError(f"no statement is called '{statement}'{did_you_mean(statement, names)}", where=program.name)


def loop_of(program: LoopProgram, statement: str, iterator: str | None) -> Loop:
    """Return the loop over ``iterator`` around a statement, the innermost one for None.

    Raises
    ------
    InputError
        If there is none.
    """
    loops = loops_around(program, statement)
    if not loops:
        raise InputError(f"statement '{statement}' is in no loop", where=program.name)
    if iterator is None:
        return loops[-1]
    for loop in loops:
        if loop.iterator == iterator:
            return loop
    hint = did_you_mean(iterator, [loop.iterator for loop in loops])
    raise InputError(f"statement '{statement}' is in no loop over '{iterator}'{hint}", where=program.name)


def partitioned(program: LoopProgram, statement: str, parts: Sequence[Condition]) -> LoopProgram:
    """Return the program with a statement replaced by copies ``statement.0``, ``statement.1``, ..., one per condition.

    Exactly one condition must hold in each iteration. The order of execution does not change, so this is legal for
    every program.
    """
    taken = {each.name for each in program.statements()}
    for each in program.statements():
        if each.name == statement and each.process:
            reason = f"statement '{statement}' shares process '{each.process}', where its copies would stay"
            raise InputError(f"{reason}: split it before it is merged", where=program.name)
    copies = [f"{statement}.{number}" for number in range(len(parts))]
    for name in copies:
        if name in taken:
            raise InputError(f"statement '{statement}' cannot be split: '{name}' exists already", where=program.name)

    def change(node: Node) -> tuple[Node, ...]:
        if isinstance(node, Execution):
            return _copies(node.statement, copies, parts) if node.statement.name == statement else (node,)
        if isinstance(node, Guard):
            return (replace(node, body=changed(node.body), otherwise=changed(node.otherwise)),)
        return (replace(node, body=changed(node.body)),)

    def changed(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
        return tuple(new for node in nodes for new in change(node))

    return replace(program, body=changed(program.body))


def _copies(statement: Statement, names: Sequence[str], parts: Sequence[Condition]) -> tuple[Node, ...]:
    return tuple(
        Guard(condition, (Execution(replace(statement, name=name)),))
        for name, condition in zip(names, parts, strict=True)
    )
