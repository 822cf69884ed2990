"""Methods of networks and runs whose functions stand in rooms above, found when they are called.

What types they have, `methods.pyi` says beside this file: those of the functions themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MethodType
from typing import Any

from ppnsim.calls import public_in


class _Above:
    """A function of a module above as a method; its name is that of the attribute, unless another one is given."""

    def __init__(self, home: str, name: str = "", *, static: bool = False) -> None:
        self.home, self.name, self.static = home, name, static
        self.called = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.called, self.name = "" if name == self.name else name, self.name or name

    def __get__(self, instance: object, owner: type | None = None) -> Callable[..., Any]:
        function: Callable[..., Any] = public_in(self.home, self.name, self.called)
        return function if instance is None or self.static else MethodType(function, instance)


class NetworkMethods:
    """What can be asked of a network."""

    __slots__ = ()

    run = _Above("library.run")
    explain = _Above("library.explain")
    estimate = _Above("library.estimate")
    size = _Above("library.size")
    sweep = _Above("library.sweep")
    draw = _Above("library.draw")
    suspicions = _Above("library.theory")
    save = _Above("library.save")
    compare = _Above("library.compare")
    predict = _Above("library.predict")
    report = _Above("library.report")
    gantt = _Above("library.figures")
    occupancy = _Above("library.figures")
    parallelism = _Above("library.figures")
    lost = _Above("library.lost")
    export = _Above("library.export")
    with_initial = _Above("model.initial")
    to_networkx = _Above("formats.network_graph")
    from_networkx = _Above("formats.network_graph", static=True)


class RunMethods:
    """What can be asked of a run."""

    __slots__ = ()

    figure = _Above("library.figures", "gantt")
    gantt = _Above("library.figures")
    occupancy = _Above("library.figures")
    parallelism = _Above("library.figures")
    to_frame = _Above("library.tables", "run_frame")
    to_dict = _Above("library.tables", "run_dict")
    rows = _Above("library.tables", "run_rows")
    print = _Above("library.tables", "run_print")
    __str__ = _Above("library.tables", "run_text")
    suspicions = _Above("library.theory")
    draw = _Above("library.draw")
    report = _Above("library.report")
    save = _Above("library.save_run", "save_run")
    explain = _Above("library.explain")
    lost = _Above("library.lost")
    export = _Above("library.export")


class TimelineMethods:
    """What can be asked of a timeline."""

    __slots__ = ()

    to_frame = _Above("report.tables", "timeline_table")
