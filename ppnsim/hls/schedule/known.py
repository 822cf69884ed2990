"""What schedules of one program under different directives have in common, found once."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from ppnsim.hls.schedule.scheduler import Schedule
from ppnsim.hls.structure.trees import Serial, Tree

if TYPE_CHECKING:
    from ppnsim.hls.schedule.regions import Region

Found = TypeVar("Found")
MOST = 64
"""Results kept of each kind: neighbours share most of theirs, and those of large bodies take much memory."""


@dataclass(slots=True)
class Recent(Generic[Found]):
    """The results of the last ``most`` keys that were asked for.

    Examples
    --------
    >>> squares = Recent[int](most=1)
    >>> squares.of(3, lambda: 9), squares.of(3, lambda: 0), squares.of(4, lambda: 16), squares.of(3, lambda: 1)
    (9, 9, 16, 1)
    """

    most: int = MOST
    _found: dict[Hashable, Found] = field(default_factory=dict)

    def of(self, key: Hashable, make: Callable[[], Found]) -> Found:
        """Return what was found for a key; make it if it is not known any more."""
        result = self._found.pop(key) if key in self._found else make()
        while len(self._found) >= self.most:
            del self._found[next(iter(self._found))]
        self._found[key] = result
        return result


@dataclass(slots=True)
class Known:
    """What is known of a program, a library and rules, whatever the directives.

    Attributes
    ----------
    trees : of the nodes of the program's body, by the directives of the loops in them.
    regions : of the state machine's outermost loops, by the identity of the loop and the partitions of its arrays. The
        loop is kept beside them, so that no other one gets its identity.
    schedules : of bodies of pipelined loops, by their graph.
    """

    trees: Recent[tuple[Tree, ...]] = field(default_factory=Recent)
    regions: Recent[tuple[Serial, list[Region]]] = field(default_factory=Recent)
    schedules: Recent[Schedule] = field(default_factory=Recent)
