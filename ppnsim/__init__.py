"""Simulate process networks, exact to the cycle, and see where every cycle went.

A function for each command of ``ppnsim``, which takes a path or an object; methods of networks and runs are the same
functions. Everything public, with a sentence each, is on the page ``PYTHON.md`` beside this file.

run, explain, estimate, size, sweep, draw, save, export, report, lost, compare, predict, styles, suspicions
    networks: simulated, explained, sized, swept, drawn, written
gantt, occupancy, parallelism, fix_deadlock, absolute, unbounded, lower_bounds
    pictures of runs, depths that break a deadlock, what theory says of a network
derive, profile, transform, schedule, explore_splits, explore_directives
    kernels in C and C++
opencl, roofline, memory, memory_presets, platform, lesson, scenarios
    boards, memories, platforms; what comes with ppnsim
load, load_network, Network, Process, Channel, Rates, Listed, Runs, Distribution
    networks from files, and piece by piece
Recorder, chain, fork_join, predictor, sdf
    networks recorded, and ready-made
Run, DeadlockError, InputError, PpnsimError
    what comes back

Names are imported when they are first used, so that ``import ppnsim`` costs nothing.

Examples
--------
>>> import ppnsim
>>> ppnsim.run(ppnsim.predictor()).finish
83
"""

from __future__ import annotations

import sys
from types import ModuleType

from ppnsim.version import VERSION

TYPE_CHECKING = False  # what a command needs at once is imported here; `typing` is no part of it
if TYPE_CHECKING:
    from typing import Any

    from ppnsim.errors import InputError as InputError
    from ppnsim.errors import PpnsimError as PpnsimError
    from ppnsim.files import load as load
    from ppnsim.files import load_network as load_network
    from ppnsim.library.compare import compare as compare
    from ppnsim.library.derive import derive as derive
    from ppnsim.library.draw import draw as draw
    from ppnsim.library.estimate import estimate as estimate
    from ppnsim.library.explain import explain as explain
    from ppnsim.library.explore_directives import explore_directives as explore_directives
    from ppnsim.library.explore_splits import explore_splits as explore_splits
    from ppnsim.library.export import export as export
    from ppnsim.library.figures import gantt as gantt
    from ppnsim.library.figures import occupancy as occupancy
    from ppnsim.library.figures import parallelism as parallelism
    from ppnsim.library.fix_deadlock import fix_deadlock as fix_deadlock
    from ppnsim.library.lesson import lesson as lesson
    from ppnsim.library.lost import lost as lost
    from ppnsim.library.memory import memory as memory
    from ppnsim.library.memory import memory_presets as memory_presets
    from ppnsim.library.opencl import opencl as opencl
    from ppnsim.library.platform import platform as platform
    from ppnsim.library.predict import predict as predict
    from ppnsim.library.profile import profile as profile
    from ppnsim.library.report import report as report
    from ppnsim.library.roofline import roofline as roofline
    from ppnsim.library.run import run as run
    from ppnsim.library.save import save as save
    from ppnsim.library.scenarios import scenarios as scenarios
    from ppnsim.library.schedule import schedule as schedule
    from ppnsim.library.size import size as size
    from ppnsim.library.styles import styles as styles
    from ppnsim.library.sweep import sweep as sweep
    from ppnsim.library.theory import absolute as absolute
    from ppnsim.library.theory import lower_bounds as lower_bounds
    from ppnsim.library.theory import suspicions as suspicions
    from ppnsim.library.theory import unbounded as unbounded
    from ppnsim.library.transform import transform as transform
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
    "absolute": "library.theory",
    "chain": "model.builders",
    "compare": "library.compare",
    "derive": "library.derive",
    "draw": "library.draw",
    "estimate": "library.estimate",
    "explain": "library.explain",
    "explore_directives": "library.explore_directives",
    "explore_splits": "library.explore_splits",
    "export": "library.export",
    "fix_deadlock": "library.fix_deadlock",
    "fork_join": "model.builders",
    "gantt": "library.figures",
    "lesson": "library.lesson",
    "load": "files",
    "load_network": "files",
    "lost": "library.lost",
    "lower_bounds": "library.theory",
    "memory": "library.memory",
    "memory_presets": "library.memory",
    "occupancy": "library.figures",
    "opencl": "library.opencl",
    "parallelism": "library.figures",
    "platform": "library.platform",
    "predict": "library.predict",
    "predictor": "model.builders",
    "profile": "library.profile",
    "report": "library.report",
    "roofline": "library.roofline",
    "run": "library.run",
    "save": "library.save",
    "scenarios": "library.scenarios",
    "schedule": "library.schedule",
    "sdf": "model.builders",
    "size": "library.size",
    "styles": "library.styles",
    "suspicions": "library.theory",
    "sweep": "library.sweep",
    "transform": "library.transform",
    "unbounded": "library.theory",
}

_RENAMED = {"serve": ("report", {"serve": True})}
"""What older names call now, with which options; they go with the next version."""

__version__ = VERSION


class _StarredNames(tuple[str, ...]):
    """What ``from ppnsim import *`` brings.

    ``help(ppnsim)`` asks ``in`` whose documentation it prints in full: nobody's, or it would fill forty screens.
    """

    __slots__ = ()

    def __contains__(self, name: object) -> bool:
        return False


if not TYPE_CHECKING:  # a type checker sees the imports above
    __all__ = _StarredNames(sorted(_HOMES))


def __getattr__(name: str) -> Any:
    """Import a public name from its home when it is first asked for."""
    if name in _RENAMED:
        import warnings
        from functools import partial

        newer, options = _RENAMED[name]
        said = "".join(f", {option}={value}" for option, value in options.items())
        warnings.warn(f"ppnsim.{name} is ppnsim.{newer}(...{said}) now", DeprecationWarning, stacklevel=2)
        return partial(__getattr__(newer), **options)
    if name not in _HOMES:
        raise AttributeError(f"module 'ppnsim' has no attribute '{name}'", name=name, obj=sys.modules[__name__])
    from ppnsim.calls import public_in

    return public_in(_HOMES[name], name)


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
