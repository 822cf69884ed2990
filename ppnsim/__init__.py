"""Simulate process networks, exact to the cycle, and see where every cycle went.

The names below are the everyday interface; they are imported when first used, so that ``import ppnsim`` costs nothing.

Examples
--------
>>> import ppnsim
>>> ppnsim.run(ppnsim.predictor()).finish
83
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ppnsim.version import VERSION

if TYPE_CHECKING:
    from ppnsim.analysis.lower_bounds import lower_bounds as lower_bounds
    from ppnsim.analysis.throughput import absolute as absolute
    from ppnsim.analysis.throughput import unbounded as unbounded
    from ppnsim.errors import InputError as InputError
    from ppnsim.errors import PpnsimError as PpnsimError
    from ppnsim.explore.explain.deadlock_fix import fix_deadlock as fix_deadlock
    from ppnsim.files import load as load
    from ppnsim.files import load_network as load_network
    from ppnsim.library.compare import compare as compare
    from ppnsim.library.draw import draw as draw
    from ppnsim.library.estimate import estimate as estimate
    from ppnsim.library.explain import explain as explain
    from ppnsim.library.figures import gantt as gantt
    from ppnsim.library.figures import occupancy as occupancy
    from ppnsim.library.figures import parallelism as parallelism
    from ppnsim.library.run import run as run
    from ppnsim.library.save import save as save
    from ppnsim.library.size import size as size
    from ppnsim.library.styles import styles as styles
    from ppnsim.library.sweep import sweep as sweep
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
    from ppnsim.model.suspicions import suspicions as suspicions
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
    "compare": "library.compare",
    "draw": "library.draw",
    "estimate": "library.estimate",
    "explain": "library.explain",
    "fix_deadlock": "explore.explain.deadlock_fix",
    "fork_join": "model.builders",
    "gantt": "library.figures",
    "load": "files",
    "load_network": "files",
    "lower_bounds": "analysis.lower_bounds",
    "occupancy": "library.figures",
    "parallelism": "library.figures",
    "predictor": "model.builders",
    "run": "library.run",
    "save": "library.save",
    "sdf": "model.builders",
    "size": "library.size",
    "styles": "library.styles",
    "suspicions": "model.suspicions",
    "sweep": "library.sweep",
    "unbounded": "analysis.throughput",
}

__version__ = VERSION


def __getattr__(name: str) -> Any:
    """Import a public name from its home when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module 'ppnsim' has no attribute '{name}'")
    return getattr(import_module(f"ppnsim.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    """List the public names, imported or not."""
    return [*sorted(_HOMES), "__version__"]


class _Package(ModuleType):
    """The package: a name that is a function and a room means the function (``ppnsim.derive("kernel.c")``).

    Importing a room binds its name in the package; that binding is left out. ``from ppnsim.derive import ...`` works.
    """

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _HOMES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
