"""Initiation intervals and latencies of statements, and the process that one or more statements become."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import overload

import numpy as np

from ppnsim.derive.given import EVERY, Cycles, Latencies
from ppnsim.errors import InputError, did_you_mean
from ppnsim.loops.processes import ProcessMember
from ppnsim.loops.program import LoopProgram, Statement
from ppnsim.model.network import Process


def check_names(program: LoopProgram, *given: Latencies) -> None:
    """Refuse cycles for a statement or function that the program does not have."""
    known = {name for s in program.statements() for name in (s.name, s.function) if name} | {EVERY}
    for mapping in given:
        for name in () if isinstance(mapping, int) else mapping:
            if name not in known:
                raise InputError(f"no statement or function is called '{name}'{did_you_mean(name, known)}")


def varies(latency: Latencies) -> bool:
    """Return whether a statement has a separate latency for each execution."""
    return not isinstance(latency, int) and not all(isinstance(each, int) for each in latency.values())


@overload
def cycles(statement: Statement, given: Cycles, own: int | None) -> int: ...
@overload
def cycles(statement: Statement, given: Latencies, own: int | None) -> int | Sequence[int]: ...
def cycles(statement: Statement, given: Latencies, own: int | None) -> int | Sequence[int]:
    """Return the cycles of a statement: by its name in ``given``, else from the source, else those of all."""
    if isinstance(given, int):
        return given if own is None else own
    for name in (statement.name, statement.function):
        if name in given:
            return given[name]
    return given.get(EVERY, 1) if own is None else own


def process_of(
    name: str, statements: list[Statement], executions: Mapping[str, int], places: Mapping[str, ProcessMember],
    *, ii: Cycles, latency: Latencies,
) -> Process:  # fmt: skip
    """Return the process that some statements share.

    The process is one pipeline. It reads (writes) in every firing if one of its statements reads (writes). Its ii is
    the largest ii of its statements. A firing has the latency of the statement that it executes.
    """
    latencies = [cycles(s, latency, s.latency) for s in statements]
    firings = sum(executions[s.name] for s in statements)
    first = latencies[0]
    each: int | tuple[int, ...] = first if isinstance(first, int) else tuple(first)
    for s, value in zip(statements, latencies, strict=True):
        if not isinstance(value, int) and len(value) != executions[s.name]:
            problem = f"{len(value)} latencies for {executions[s.name]} executions (one each, in program order)"
            raise InputError(problem, where=f"statement '{s.name}'")
    if any(value != first for value in latencies):
        by_firing = np.zeros(firings, dtype=np.int64)
        for s, value in zip(statements, latencies, strict=True):
            by_firing[places[s.name].firings] = value
        each = tuple(by_firing.tolist())
    read, write = any(s.reads for s in statements), any(s.writes for s in statements)
    longest = max(cycles(s, ii, s.ii) for s in statements)
    return Process(name=name, firings=firings, ii=longest, latency=each, read=int(read), write=int(write))
