"""``ppnsim.run``: simulate what a path or an object holds."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from os import PathLike
from typing import Any, Literal, overload

from ppnsim.engines.program import Program
from ppnsim.engines.run import check_fast_forward, check_on_deadlock
from ppnsim.engines.run import run as simulate
from ppnsim.errors import InputError, UnsupportedByEngine
from ppnsim.files import load
from ppnsim.hls.project.suffixes import is_source
from ppnsim.library.subject import Depths, NetworkFile, asks_for_execution, network_file
from ppnsim.model.network import Network
from ppnsim.model.run import DeadlockError, Run
from ppnsim.source_networks.model import SourceNetwork
from ppnsim.source_networks.report import deadlock_lines

Progress = Callable[[int, int], None]


@overload
def run(
    network: Network | SourceNetwork | NetworkFile | Program, *, engine: str = ..., depths: Depths | None = ...,
    style: str | None = ..., on_deadlock: Literal["raise", "return"] = ..., progress: Progress | None = ...,
    fast_forward: bool = ..., self_check: bool = ...,
) -> Run: ...  # fmt: skip
@overload
def run(
    network: object, *, engine: str = ..., depths: Depths | None = ..., style: str | None = ...,
    on_deadlock: Literal["raise", "return"] = ..., progress: Progress | None = ..., fast_forward: bool = ...,
    self_check: bool = ..., **options: Any,
) -> Any: ...  # fmt: skip
def run(
    network: object,
    *,
    engine: str = "auto",
    depths: Depths | None = None,
    style: str | None = None,
    on_deadlock: Literal["raise", "return"] = "raise",
    progress: Progress | None = None,
    fast_forward: bool = True,
    self_check: bool = False,
    **options: Any,
) -> Any:
    """Simulate a network, exact to the cycle, or whatever else a file holds.

    Parameters
    ----------
    network : a network, or the path of a file: a network gives a `Run`; a network placed on nodes, a platform with an
        application, messages, flows and a memory with its traffic give the records of their own simulations.
    engine : ``des`` (SimPy, the definition), ``compiled`` (machine code), or ``auto``.
    depths : other depths in tokens: one for all channels, or by channel; None = unbounded.
    style : pipeline style of all processes: ``elastic``, ``flushable``, ``frozen``, or one of `ppnsim.styles`.
    on_deadlock : ``raise`` a `DeadlockError`, or ``return`` the run with its ``deadlock`` set.
    progress : called now and then with firings started and firings in all.
    fast_forward : leave out the repetitions of a run that has become periodic, which is proved on its complete state.
    self_check : run with and without fast-forward, and compare every cycle.
    options : for a path: what `ppnsim.load` takes, as ``device`` and ``clock`` of C++; where data decides in it, also
        ``testbench`` (a C++ file to execute it with), ``trace`` (a file to keep that in) and ``time_limit`` in seconds.

    Raises
    ------
    InputError
        If the path cannot be read, or the network breaks a rule.
    DeadlockError
        If the network deadlocks and ``on_deadlock`` is ``raise``.

    Examples
    --------
    >>> from ppnsim.model.builders import fork_join
    >>> run(fork_join(firings=20), depths={"short_in": 1, "short_out": 1}).finish
    92
    """
    check_on_deadlock(on_deadlock)
    if isinstance(network, Program) and depths is None and style is None:
        return simulate(network, engine=engine, on_deadlock=on_deadlock, progress=progress, fast_forward=fast_forward)
    held: object = network.network if isinstance(network, Program) else network
    file = str(held) if isinstance(held, str | PathLike) else type(held).__name__
    if isinstance(held, str | PathLike) and not is_source(file):
        held, options = load(file, **options), {}
    elif isinstance(held, str | PathLike) and asks_for_execution(options):
        held, options = import_module("ppnsim.library.executed").executed(file, options), {}
    if isinstance(held, Network) and isinstance(network, str | PathLike):
        held = NetworkFile(network=held, file=file)
    if isinstance(held, Network | SourceNetwork | NetworkFile | str | PathLike):
        found = network_file(held, depths=depths, style=style, **options)
        outcome = simulate(
            found.network, engine=engine, on_deadlock="return", progress=progress, fast_forward=fast_forward
        )
        if outcome.deadlocked and on_deadlock == "raise":
            raise DeadlockError(outcome, deadlock_lines(found.source, outcome) if found.source is not None else "")
        if self_check:
            check_fast_forward(outcome)
        return outcome
    if options:
        words = f"can only be used with a network; this holds a {type(held).__name__}"
        raise InputError(f"{', '.join(options)} {words}")
    if engine == "compiled" and type(held).__name__ != "MemoryFile":
        raise UnsupportedByEngine("engine compiled", f"a {type(held).__name__} runs in the SimPy engine only")
    # What is not a network comes with SimPy and its own room, which take a while to import.
    others = import_module("ppnsim.library.others")
    return others.simulated(held, file=file, engine=engine, depths=depths, style=style, progress=progress)
