"""What a room says of its files, so that `ppnsim.load` finds their reader without importing it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """One kind of file.

    Attributes
    ----------
    kind : what such a file holds, as in "holds a network".
    makes : the name of the class that it is read into.
    home : the module with ``read(data, path, **options)``; ``data`` is None where clang decodes the file.
    suffixes : of the files.
    commands : the commands that take such a file.
    options : the options that ``read`` takes.
    function : another function than ``read``, which takes the path alone and options.
    recognises : whether decoded data, the top-level table of the file, are of this kind.
    """

    kind: str
    makes: str
    home: str
    suffixes: tuple[str, ...]
    commands: tuple[str, ...]
    options: tuple[str, ...] = ()
    function: str = ""
    recognises: Callable[[Mapping[str, Any]], bool] = lambda _: False

    def read(self, data: object, path: object, options: Mapping[str, Any]) -> object:
        """Import the reader and return what it makes of the file."""
        module = import_module(self.home)
        return (
            getattr(module, self.function)(str(path), **options)
            if self.function
            else module.read(data, path, **options)
        )


def holds(*keys: str) -> Callable[[Mapping[str, Any]], bool]:
    """Return the test that a table holds one of these keys.

    Examples
    --------
    >>> holds("star", "flows")({"star": {}})
    True
    """
    return lambda data: any(key in data for key in keys)
