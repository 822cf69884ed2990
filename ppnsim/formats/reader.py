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
    home : the module with the reading function.
    suffixes : of the files.
    commands : the commands that take such a file.
    function : what reads the file; ``data`` is None where clang decodes it.
    takes : what the function is given: the decoded ``data``, the ``path``, the path as ``text``.
    options : what it can be told by name.
    recognises : whether decoded data, the top-level table of the file, are of this kind.
    """

    kind: str
    makes: str
    home: str
    suffixes: tuple[str, ...]
    commands: tuple[str, ...]
    function: str = "read"
    takes: tuple[str, ...] = ("data", "path")
    options: tuple[str, ...] = ()
    recognises: Callable[[Mapping[str, Any]], bool] = lambda _: False

    def read(self, data: object, path: object, options: Mapping[str, Any]) -> object:
        """Import the reader and return what it makes of the file."""
        given = {"data": data, "path": path, "text": str(path)}
        return getattr(import_module(self.home), self.function)(*(given[name] for name in self.takes), **options)


def holds(*keys: str) -> Callable[[Mapping[str, Any]], bool]:
    """Return the test that a table holds one of these keys.

    Examples
    --------
    >>> holds("star", "flows")({"star": {}})
    True
    """
    return lambda data: any(key in data for key in keys)
