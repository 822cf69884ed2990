"""Process merging: several statements share one process, which executes them in turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ppnsim.errors import InputError, did_you_mean
from ppnsim.loops.processes import process_statements
from ppnsim.loops.program import LoopProgram, Statement


def merge(program: LoopProgram, names: Sequence[str], *, name: str | None = None) -> LoopProgram:
    """Return the program with some processes merged into one; its name joins theirs (``A+B``) unless ``name`` is given.

    The merged process fires once for each execution of any of its statements, in program order; it is one pipeline
    with the largest ii of its statements, and a firing has the latency of the statement that it executes. Channels
    between its statements lead from it to itself. Every execution keeps its place: the firings follow program order,
    and each firing reads values that an earlier firing wrote. Merging is therefore legal for every program and cannot
    cause a deadlock. It saves processes and may cost time.

    Statements that are folded (`loops.dependences.folded`) do not fire in a merged process either.

    Parameters
    ----------
    program : the program.
    names : statements, or processes merged before; at least two.
    name : name of the process.

    Raises
    ------
    InputError
        If a name is not known or stands there twice, fewer than two are given, or the new name is taken.

    Examples
    --------
    >>> from ppnsim.loops.program import Execution, Statement
    >>> body = tuple(Execution(Statement(name=name)) for name in "abc")
    >>> merged = merge(LoopProgram(name="k", arrays=(), body=body), ["a", "c"])
    >>> [statement.owner for statement in merged.statements()]
    ['a+c', 'b', 'a+c']

    Source: van Teijlingen 2014, section 2.3.4, after Meijer's process merging.
    """
    processes = process_statements(program.statements())
    for each in names:
        if each not in processes:
            raise InputError(_unknown(each, program, processes), where=program.name)
        if names.count(each) > 1:
            raise InputError(f"'{each}' is to be merged with itself (each name once)", where=program.name)
    if len(names) < 2:
        raise InputError(f"merging {len(names)} process leaves it as it is (name two or more)", where=program.name)
    together = name or "+".join(names)
    taken = set(processes) | {each.name for each in program.statements()}
    if together in taken - set(names):
        raise InputError(f"the merged process cannot be called '{together}': that name is taken", where=program.name)
    return program.replaced(lambda s: replace(s, process=together) if s.owner in names else s)


def _unknown(name: str, program: LoopProgram, processes: dict[str, list[Statement]]) -> str:
    for statement in program.statements():
        if statement.name == name:
            return f"statement '{name}' is in process '{statement.owner}' already: merge that"
    return f"no statement is called '{name}'{did_you_mean(name, processes)}"
