"""Loaded words: one load serves several elements of a word, or several memories at one place (R6.1, R6.2)."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable
from dataclasses import dataclass, field

from ppnsim.loops.program import DATA, Access

Word = tuple[Hashable, ...]


@dataclass(slots=True)
class Words:
    """Elements that share a word of their memory (``array_reshape``): one load and one store serve the whole word.

    ``of`` gives the word of an access, None if the word has one element. ``index`` are the nodes of subscripts that
    depend on data: equal nodes choose the same element. ``across`` gives the dimensions in which data chooses one of
    the array's memories: all of them are read at one place, so elements of the others at that place are loaded already.
    ``beats`` are the accesses that share beats of a bus (R6.24).
    """

    of: Callable[[Access], Word | None] = lambda _: None
    across: Callable[[Access], frozenset[int]] = lambda _: frozenset()
    beats: Container[Access] = ()
    _loaded: dict[Word, int] = field(default_factory=dict)
    _stored: dict[Word, int] = field(default_factory=dict)

    def loaded(self, access: Access, index: tuple[int, ...] = ()) -> int | None:
        """Return the load of an element's word, or of all memories at its place; None without such a load."""
        word = self._word(access, index) or self._place(access, index)
        return None if word is None else self._loaded.get(word)

    def choosing(self, access: Access, index: tuple[int, ...]) -> tuple[int, ...]:
        """Return the nodes that choose one of the memories that are read."""
        dims = self.across(access) if len(index) == len(access.subscripts) else ()
        return tuple(index[dim] for dim in sorted(dims))

    def load(self, access: Access, node: int, index: tuple[int, ...] = ()) -> None:
        """Note the load of a word."""
        if (word := self._word(access, index) or self._place(access, index)) is not None:
            self._loaded[word] = node

    def store(self, access: Access, node: int, index: tuple[int, ...] = ()) -> int | None:
        """Note the store of an element; return the first store to its word if there is an earlier one."""
        word = self._word(access, index)
        first = node if word is None else self._stored.setdefault(word, node)
        return None if first == node else first

    def _word(self, access: Access, index: tuple[int, ...]) -> Word | None:
        word = self.of(access)
        if word is None or not access.random:
            return word
        if len(index) != len(access.subscripts):
            return None
        lanes = _lanes(word, access)
        chosen = enumerate(zip(index, access.subscripts, strict=True))
        return (*word, *(node for dim, (node, at) in chosen if at == DATA and dim not in lanes))

    def _place(self, access: Access, index: tuple[int, ...]) -> Word | None:
        """Return the place in the memories among which data chooses; None if it chooses among none."""
        if not access.random or len(index) != len(access.subscripts) or not (dims := self.across(access)):
            return None
        at = [node if each == DATA else each for node, each in zip(index, access.subscripts, strict=True)]
        return (access.array, *(None if dim in dims else each for dim, each in enumerate(at)))

    def overwrite(self, access: Access, index: tuple[int, ...] = ()) -> None:
        """Forget the loaded words of an array that a store changes, except the word of the stored element itself."""
        stored = self._word(access, index)
        array = access.array if stored is None else stored[0]
        stored = None if stored is not None and _lanes(stored, access) else stored  # the element in the word is unknown
        for word in [word for word in self._loaded if word[0] == array and word != stored]:
            del self._loaded[word]

    def clear(self) -> None:
        """Forget all words, since code in between may have changed their memories."""
        self._loaded.clear()
        self._stored.clear()


def _lanes(word: Word, access: Access) -> frozenset[int]:
    """Return the dimensions in which data chooses an element inside a word."""
    if not access.random or len(word) <= len(access.subscripts):
        return frozenset()
    parts = zip(word[1:], access.subscripts, strict=False)
    return frozenset(dim for dim, (part, at) in enumerate(parts) if part is None and at == DATA)
