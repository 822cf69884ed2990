"""Hashes that are computed once: of an unrolled body each access is a key of many tables."""

from __future__ import annotations


class KeptHash:
    """What a frozen dataclass inherits that says ``__hash__ = KeptHash.__hash__``.

    The place of the hash is no field, so that nothing compares, prints or pickles it.

    Examples
    --------
    >>> from ppnsim.loops.program import Access
    >>> hash(Access("a")) == hash(Access("a")), hash(Access("a")) == hash(Access("a", random=True))
    (True, False)
    """

    __slots__ = ("_hash",)
    _hash: int

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:
            found = hash(tuple([getattr(self, name) for name in self.__match_args__]))  # type: ignore[attr-defined]
            object.__setattr__(self, "_hash", found)
            return found
