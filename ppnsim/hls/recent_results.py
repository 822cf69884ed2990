"""A cache that keeps only the most recently used results."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Found = TypeVar("Found")
MOST = 64
"""Number of results that are kept: neighbouring designs share most results, and large bodies need much memory."""


@dataclass(slots=True)
class Recent(Generic[Found]):
    """The results of the ``most`` keys that were asked for last.

    Examples
    --------
    >>> squares = Recent[int](most=1)
    >>> squares.of(3, lambda: 9), squares.of(3, lambda: 0), squares.of(4, lambda: 16), squares.of(3, lambda: 1)
    (9, 9, 16, 1)
    """

    most: int = MOST
    _found: dict[Hashable, tuple[Found]] = field(default_factory=dict)

    def of(self, key: Hashable, make: Callable[[], Found]) -> Found:
        """Return the result for a key; make it if it is not kept."""
        found = self._found.pop(key, None) or (make(),)
        while len(self._found) >= self.most:
            del self._found[next(iter(self._found))]
        self._found[key] = found
        return found[0]
