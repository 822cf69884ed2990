"""What the shell offers as the value of an option: the names that ppnsim knows; files it offers by itself."""

from __future__ import annotations

from importlib import import_module


def styles(begun: str) -> list[str]:
    """Return the pipeline styles that begin like this, and the hardware that can stand for one.

    Examples
    --------
    >>> styles("f")
    ['flushable', 'frozen', 'flp', 'frp', 'finn']
    """
    return _like(begun, "model.styles", "STYLE_NAMES")


def models(begun: str) -> list[str]:
    """Return the models to compare that begin like this."""
    return _like(begun, "comparison.laws.named", "NAMED")


def memories(begun: str) -> list[str]:
    """Return the presets of memories that begin like this."""
    return _like(begun, "memory.model.presets", "PRESETS")


def boards(begun: str) -> list[str]:
    """Return the boards and devices that begin like this."""
    known = import_module("ppnsim.boards.files").known_boards()
    return [name for name in known if name.startswith(begun)]


def scenarios(begun: str) -> list[str]:
    """Return the scenarios and kernels that begin like this."""
    known = import_module("ppnsim.library.scenarios").scenarios()
    return [name for name in known if name.startswith(begun)]


def _like(begun: str, home: str, names: str) -> list[str]:
    """Return the names of a module that begin like this; the module is imported only when the shell asks."""
    return [name for name in getattr(import_module(f"ppnsim.{home}"), names) if name.startswith(begun)]
