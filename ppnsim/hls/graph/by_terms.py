"""Cached address states: accesses whose subscripts differ only by constants have the same state."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Protocol, TypeVar

from ppnsim.loops.program import Access


class _Remembers(Protocol):
    """An object with a table of the states that it has found."""

    @property
    def known(self) -> dict[Hashable, int]: ...


Owner = TypeVar("Owner", bound=_Remembers)


def by_terms(state: Callable[[Owner, Access], int]) -> Callable[[Owner, Access], int]:
    """Let a method compute a state once for all accesses whose subscripts differ only by constants."""

    @wraps(state)
    def found(self: Owner, access: Access) -> int:
        key = state.__name__, access.array, access.random, *[each.terms for each in access.subscripts]
        if (before := self.known.get(key)) is None:
            before = self.known[key] = state(self, access)
        return before

    return found
