"""The one door to the engines: `run` checks, lowers, picks an engine and says which one it was."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Literal

import numpy as np

from ppnsim.engines.compiled import blocks as by_blocks
from ppnsim.engines.compiled import budget, scheduled
from ppnsim.engines.compiled import engine as compiled
from ppnsim.engines.compiled import windows as by_windows
from ppnsim.engines.compiled.uncontended import alone, uncontended
from ppnsim.engines.program import Program
from ppnsim.errors import InputError, UnsupportedByEngine
from ppnsim.model.network import Network
from ppnsim.model.run import DeadlockError, Run

ENGINES = ("des", "compiled")
Engine = Callable[..., Run]

_LARGEST = 400_000_000  # firings and tokens: about 16 GB
_BYTES = 40  # of a firing or token, with what the figures take
_KEPT = 100_000_000  # 4 GB; with more of them the cycles are not kept, where figures can be had without
_TRIED = 2_000_000  # firings
PAYS = 100_000
"""Firings and tokens that SimPy runs in some tenths of a second; the compiled engine takes less from nothing."""


def run(
    network: Network | Program,
    *,
    engine: str = "auto",
    depths: Mapping[str, int | None] | None = None,
    on_deadlock: Literal["raise", "return"] = "raise",
    progress: Callable[[int, int], None] | None = None,
    fast_forward: bool = True,
    blocks: bool = True,
) -> Run:
    """Simulate a network, exact to the cycle.

    A run of the compiled engine with more than 10^8 firings and tokens that never repeats itself is made in blocks: it
    has its figures (`model.summary`), and refuses whoever asks for cycles of single firings.

    Parameters
    ----------
    network : a network, or one already lowered with `Program.of` (which a search does once).
    engine : ``des`` (SimPy, the definition), ``compiled`` (machine code), or ``auto``: compiled for networks that are
        large enough for its start-up to pay, unless they need what only SimPy can do, as processes that wait for a
        unit of a shared resource.
    depths : other depths in tokens for some channels, None = unbounded.
    on_deadlock : ``raise`` a `DeadlockError`, or ``return`` the run with its ``deadlock`` set.
    progress : called now and then with firings started and firings in all (stops, of scheduled processes).
    fast_forward : let the compiled engine leave out the repetitions of a run that has become periodic: proved, not
        estimated, and `Run.timeline` puts them back.
    blocks : let the compiled engine make such a run in blocks; without, it keeps every cycle, or is refused before.

    Raises
    ------
    InputError
        If the network breaks a rule, or the engine is unknown.
    UnsupportedByEngine
        If the network is more than the engine can do.
    DeadlockError
        If the network deadlocks and ``on_deadlock`` is ``raise``.

    Examples
    --------
    >>> from ppnsim.model.builders import fork_join
    >>> run(fork_join(firings=20, short_depth=8)).finish
    37
    >>> run(fork_join(firings=20), depths={"short_in": 1, "short_out": 1}).finish
    92
    """
    if engine not in (*ENGINES, "auto"):
        raise InputError(f"engine = '{engine}' is none of auto, {', '.join(ENGINES)}")
    check_on_deadlock(on_deadlock)
    given = network.network if isinstance(network, Program) else network
    asked = (given.with_depths(depths) if depths else given).checked()
    result = _not_kept(engine, asked, progress, fast_forward=fast_forward, blocks=blocks)
    sharing = engine == "auto" and asked.resources and PAYS <= asked.events <= _KEPT
    if sharing and (free := alone(asked)) is not None:
        result = uncontended(asked, run(free, progress=progress, on_deadlock="return"))
    if result is None and asked.events <= _LARGEST and _takes_compiled(engine, asked):
        result = scheduled.run_scheduled(asked, progress)
    if result is None:
        _check_memory(asked, engine)
        program = network.with_depths(depths or {}) if isinstance(network, Program) else _lowered(asked, engine)
        result = _engine(engine, program, fast_forward)(program, progress=progress)
    if result.deadlocked and on_deadlock == "raise":
        raise DeadlockError(result)
    return result


def check_on_deadlock(word: str) -> None:
    """Raise `InputError` if a word says neither of the two things that can be done on a deadlock."""
    if word not in ("raise", "return"):
        raise InputError(f"on_deadlock = '{word}' is none of raise, return")


def check_fast_forward(outcome: Run) -> None:
    """Run once more without fast-forward, and compare every cycle of every firing.

    Raises
    ------
    AssertionError
        If they differ, which would be an error of ppnsim.
    """
    if outcome.left_out is None:
        return
    whole = run(outcome.network, engine=outcome.engine, on_deadlock="return", fast_forward=False)
    same = outcome.finish == whole.finish and all(
        np.array_equal(outcome.timeline.passed[name], rows) for name, rows in whole.timeline.passed.items()
    )
    if not same:
        raise AssertionError(f"fast-forward of '{outcome.network.name}' differs from the run itself")


def _not_kept(
    engine: str, network: Network, progress: Callable[[int, int], None] | None, *, fast_forward: bool, blocks: bool
) -> Run | None:
    """Return the run of the compiled engine without its repetitions, or in blocks; None if it takes every cycle."""
    if not _takes_compiled(engine, network):
        return None

    def cut(*firings: int, sparing: bool = False) -> Run | None:  # which imports its engine only now
        return compiled.run_cut_short(network, *firings, deadlocks=network.events > _KEPT, sparing=sparing)

    if network.events <= _KEPT or not blocks:
        tried = fast_forward and (network.events > _KEPT or budget.pay_beside(network))
        return cut(sparing=network.events <= _LARGEST) if tried else None
    # A look for a repetition that may be in vain costs less than the blocks do.
    result = cut(_TRIED, sparing=True) if fast_forward else None
    result = result or by_blocks.run_in_blocks(network, progress)
    result = result or by_windows.run_in_windows(network, progress)
    return result or (cut() if fast_forward else None)


def _takes_compiled(engine: str, network: Network) -> bool:
    """Return whether the compiled engine is asked for, or the network so large that its start-up pays."""
    return engine == "compiled" or (engine == "auto" and network.events >= PAYS)


def _lowered(network: Network, engine: str) -> Program:
    if network.events > _LARGEST:
        # A network that repeats itself has been cut short before; of others every cycle is kept, unless blocks do.
        reason = f"{network.events} firings and tokens; it records each of them, and takes {_LARGEST} at most"
        raise UnsupportedByEngine(_name(engine, network), reason)
    return Program.of(network)


def _check_memory(network: Network, engine: str) -> None:
    """Refuse a run of which every cycle is kept and does not fit: the system would end it without a word."""
    if not _KEPT < network.events <= _LARGEST:
        return
    needed, free = network.events * _BYTES, _free_bytes()
    if free is not None and needed > free:
        reason = f"{network.events} firings and tokens, each of which it records, take about {needed / 1e9:.0f} GB"
        raise UnsupportedByEngine(_name(engine, network), f"{reason}, and {free / 1e9:.0f} GB are free")


def _name(engine: str, network: Network) -> str:
    return f"engine {'compiled' if _takes_compiled(engine, network) else 'des'}"


def _free_bytes() -> int | None:
    """Return the memory that is free, None where the system does not say."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")), None)


def _engine(asked: str, program: Program, fast_forward: bool) -> Engine:
    """Return the engine asked for, or the one that suits; SimPy is imported only now, which takes its time."""
    if asked == "compiled" or (
        _takes_compiled(asked, program.network) and compiled.unsupported(program.network) is None
    ):
        return partial(compiled.run, cut=fast_forward)
    from ppnsim.engines.des import engine as des

    return des.run
