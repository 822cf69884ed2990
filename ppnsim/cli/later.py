"""Modules of the package are run when something of them is first used, so that the help of a command needs none.

This holds for modules that are imported whole, as in ``from ppnsim.formats import decode``; to import a name from a
module needs the module at once. The files of ``ppnsim.cli`` therefore import rooms below whole, and take what stands in
``ppnsim`` itself (``ppnsim.size``, ``ppnsim.Network``) from there.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import LazyLoader
from types import ModuleType


class _Later:
    """Finds the modules of the package as Python does, and gives each to the lazy loader of the standard library."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return the specification of a module of the package, None for others, which Python finds by itself."""
        if not name.startswith("ppnsim."):
            return None
        found = PathFinder.find_spec(name, path, target)
        if found is not None and found.loader is not None:
            vars(found.loader)["exec_module"] = noting(found.loader.exec_module)
            found.loader = LazyLoader(found.loader)
        return found


class Interrupts:
    """Whether Ctrl-C came while a module was run, which is then not whole.

    Python may lose that interrupt: an import of a module that is there already looks at an attribute of it, which runs
    it, and drops whatever that raises.
    """

    noted = False


def noting(execute: Callable[[ModuleType], None]) -> Callable[[ModuleType], None]:
    """Return what runs a module as ``execute`` does, and notes an interrupt."""

    def executed(module: ModuleType) -> None:
        try:
            execute(module)
        except KeyboardInterrupt:
            Interrupts.noted = True
            raise

    return executed


def load_later() -> None:
    """Let modules of the package that are imported from now on run when something of them is first used."""
    if _Later not in sys.meta_path:
        sys.meta_path.insert(0, _Later)
