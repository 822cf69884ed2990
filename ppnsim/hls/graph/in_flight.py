"""Accesses to an array while a body is built, indexed: few of them are asked whether they meet another one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ppnsim.hls.structure.aliases import surely_apart
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import Access


@dataclass(slots=True)
class InFlight:
    """Accesses to one array with their nodes.

    Accesses whose subscripts are all numbers meet only the same element among each other.


    Examples
    --------
    >>> found = InFlight()
    >>> first, second, moving = (Access("a", (Affine.of(at),)) for at in (0, 1, "i"))
    >>> found.add(first, 7), found.add(moving, 8)
    (None, None)
    >>> list(found.meeting(second)), [node for _, node in found.meeting(moving)]
    ([(Access(array='a', subscripts=(Affine(terms=(('i', 1),), constant=0),), random=False), 8)], [7, 8])
    """

    fixed: dict[tuple[Affine, ...], list[tuple[Access, int]]] = field(default_factory=dict)
    moving: list[tuple[Access, int]] = field(default_factory=list)

    def add(self, access: Access, node: int) -> None:
        """Add an access."""
        if is_fixed(access):
            self.fixed.setdefault(access.subscripts, []).append((access, node))
        else:
            self.moving.append((access, node))

    def same(self, access: Access) -> list[tuple[Access, int]]:
        """Return the accesses to exactly this element, oldest first."""
        if is_fixed(access):
            return list(self.fixed.get(access.subscripts, ()))
        return [found for found in self.moving if found[0] == access]

    def meeting(self, access: Access) -> Iterator[tuple[Access, int]]:
        """Yield the accesses that may be the same element in an iteration."""
        if is_fixed(access):
            yield from self.fixed.get(access.subscripts, ())
        else:
            for found in self.fixed.values():
                if not surely_apart(found[0][0], access):
                    yield from found
        for other, node in self.moving:
            if not surely_apart(other, access):
                yield other, node

    def remove(self, access: Access, node: int) -> None:
        """Remove an access."""
        where = self.fixed[access.subscripts] if is_fixed(access) else self.moving
        where.remove((access, node))

    def __iter__(self) -> Iterator[tuple[Access, int]]:
        for found in self.fixed.values():
            yield from found
        yield from self.moving

    def clear(self) -> None:
        """Remove all."""
        self.fixed.clear()
        self.moving.clear()


def is_fixed(access: Access) -> bool:
    """Return whether an access is to the same element in all iterations."""
    return not access.random and all(subscript.is_constant for subscript in access.subscripts)
