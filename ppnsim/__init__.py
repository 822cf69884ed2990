"""Simulate process networks, exact to the cycle, and see where every cycle went.

The names below are the everyday interface; they are imported when first used, so that ``import ppnsim`` costs nothing.

Examples
--------
>>> import ppnsim
>>> ppnsim.run(ppnsim.predictor()).finish
83
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ppnsim.analysis.lower_bounds import lower_bounds as lower_bounds
    from ppnsim.analysis.throughput import absolute as absolute
    from ppnsim.analysis.throughput import unbounded as unbounded
    from ppnsim.engines.run import run as run
    from ppnsim.errors import InputError as InputError
    from ppnsim.errors import PpnsimError as PpnsimError
    from ppnsim.explore.explain.deadlock_fix import fix_deadlock as fix_deadlock
    from ppnsim.files import load as load
    from ppnsim.files import load_network as load_network
    from ppnsim.model.builders import chain as chain
    from ppnsim.model.builders import fork_join as fork_join
    from ppnsim.model.builders import predictor as predictor
    from ppnsim.model.builders import sdf as sdf
    from ppnsim.model.latency import Distribution as Distribution
    from ppnsim.model.network import Channel as Channel
    from ppnsim.model.network import Network as Network
    from ppnsim.model.network import Process as Process
    from ppnsim.model.recorder import Recorder as Recorder
    from ppnsim.model.run import DeadlockError as DeadlockError
    from ppnsim.model.run import Run as Run
    from ppnsim.model.tokens import Listed as Listed
    from ppnsim.model.tokens import Rates as Rates
    from ppnsim.model.tokens import Runs as Runs

_HOMES = {
    "Channel": "model.network",
    "DeadlockError": "model.run",
    "Distribution": "model.latency",
    "InputError": "errors",
    "Listed": "model.tokens",
    "Network": "model.network",
    "PpnsimError": "errors",
    "Process": "model.network",
    "Rates": "model.tokens",
    "Recorder": "model.recorder",
    "Run": "model.run",
    "Runs": "model.tokens",
    "absolute": "analysis.throughput",
    "chain": "model.builders",
    "fix_deadlock": "explore.explain.deadlock_fix",
    "fork_join": "model.builders",
    "load": "files",
    "load_network": "files",
    "lower_bounds": "analysis.lower_bounds",
    "predictor": "model.builders",
    "run": "engines.run",
    "sdf": "model.builders",
    "unbounded": "analysis.throughput",
}

__all__ = sorted(_HOMES)
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Import a public name from its home when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module 'ppnsim' has no attribute '{name}'")
    return getattr(import_module(f"ppnsim.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    """List the public names, imported or not."""
    return [*__all__, "__version__"]
