"""Latency and initiation interval of the statements of a loop program, by name, for all, or for each execution."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, overload

from ppnsim.derive.given import EVERY, Cycles, Latencies, TimingFile
from ppnsim.errors import InputError, did_you_mean
from ppnsim.files import load_as
from ppnsim.library.place import Place
from ppnsim.loops.program import LoopProgram, Statement


def timed_each(
    program: LoopProgram, latency: Latencies | None = None, ii: Cycles | None = None, timing: Place | None = None
) -> tuple[LoopProgram, Latencies, int]:
    """Return the program with latencies and intervals, and those for all other statements or each execution.

    What is said of a statement wins over the file, that over a pragma in the source, and this over the number for all.

    Parameters
    ----------
    latency : cycles for all statements, or by name of a statement or function; ``"*"`` is all others, and a list gives
        one for each execution.
    ii : initiation intervals likewise.
    timing : a TOML file with tables ``latency`` and ``ii``.

    Raises
    ------
    InputError
        If a name is not that of a statement or function.
    """
    said = load_as(timing, TimingFile) if timing is not None else TimingFile()
    latencies = {**said.latency, **_by_name(latency)}
    intervals = {**said.ii, **_by_name(ii)}
    known = {name for statement in program.statements() for name in (statement.name, statement.function) if name}
    for option, named, in_file in (("--latency", latencies, said.latency), ("--ii", intervals, said.ii)):
        for name in named:
            if name not in known and name != EVERY:
                where = str(timing) if name in in_file else option
                raise InputError(f"no statement or function is called '{name}'{did_you_mean(name, known)}", where=where)
    each: dict[str, int | tuple[int, ...]] = {}

    def change(statement: Statement) -> Statement:
        names = (statement.name, statement.function)
        given = next((latencies[name] for name in names if name in latencies), statement.latency)
        if given is not None and not isinstance(given, int):
            each[statement.name] = given
            given = None
        own = next((intervals[name] for name in names if name in intervals), statement.ii)
        return replace(statement, latency=given, ii=own)

    changed, for_all = program.replaced(change), latencies.get(EVERY, 1)
    assert isinstance(for_all, int)
    return changed, {EVERY: for_all, **each} if each else for_all, intervals.get(EVERY, 1)


def timed(
    program: LoopProgram, latency: Latencies | None = None, ii: Cycles | None = None, timing: Place | None = None
) -> tuple[LoopProgram, int, int]:
    """Return the program with its cycles as `timed_each`, for what takes one latency per statement."""
    program, for_all, ii_for_all = timed_each(program, latency, ii, timing)
    if not isinstance(for_all, int):
        words = "a latency for each execution cannot be used here, only one per statement"
        raise InputError(words, where=str(timing or "--latency"))
    return program, for_all, ii_for_all


@overload
def _by_name(cycles: Cycles | None) -> dict[str, int]: ...
@overload
def _by_name(cycles: Latencies | None) -> dict[str, int | tuple[int, ...]]: ...
def _by_name(cycles: Latencies | None) -> Any:
    if isinstance(cycles, Mapping):
        return {name: each if isinstance(each, int) else tuple(each) for name, each in cycles.items()}
    return {} if cycles is None else {EVERY: cycles}
