"""The one door to the engines: `run` checks, lowers, picks an engine and says which one it was."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from ppnsim.engines.program import Program
from ppnsim.errors import InputError, UnsupportedByEngine
from ppnsim.model.network import Network
from ppnsim.model.run import DeadlockError, Run

ENGINES = ("des", "compiled")
Engine = Callable[..., Run]

_LARGEST = 400_000_000  # firings and tokens: about 16 GB
_PAYS = 20_000  # firings that SimPy runs in a tenth of a second, as long as loading the kernels takes


def run(
    network: Network | Program,
    *,
    engine: str = "auto",
    depths: Mapping[str, int | None] | None = None,
    on_deadlock: Literal["raise", "return"] = "raise",
    progress: Callable[[int, int], None] | None = None,
) -> Run:
    """Simulate a network, exact to the cycle.

    Parameters
    ----------
    network : a network, or one already lowered with `Program.of` (which a search does once).
    engine : ``des`` (SimPy, the definition), ``compiled`` (numba), or ``auto``: compiled for networks that are large
        enough for its start-up to pay, unless they need what only SimPy can do.
    depths : other depths in tokens for some channels, None = unbounded.
    on_deadlock : ``raise`` a `DeadlockError`, or ``return`` the run with its ``deadlock`` set.
    progress : called now and then with firings started and firings in all.

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
    program = network if isinstance(network, Program) else _lowered(network)
    if depths:
        program = program.with_depths(depths)
    result = _engine(engine, program)(program, progress=progress)
    if result.deadlocked and on_deadlock == "raise":
        raise DeadlockError(result)
    return result


def _lowered(network: Network) -> Program:
    if network.checked().size > _LARGEST:
        reason = f"{network.size} firings and tokens; it records each of them, and takes {_LARGEST} at most"
        raise UnsupportedByEngine("engine des", reason)
    return Program.of(network)


def _engine(asked: str, program: Program) -> Engine:
    """Return the engine asked for, or the one that suits; it is imported only now, which takes its time."""
    if asked == "compiled" or (asked == "auto" and program.firings >= _PAYS):
        from ppnsim.engines.compiled import engine as compiled

        if asked == "compiled" or compiled.unsupported(program.network) is None:
            return compiled.run
    from ppnsim.engines.des import engine as des

    return des.run
