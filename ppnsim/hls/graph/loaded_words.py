"""Words of memories that hold several elements, while a body is built (R6.2)."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from ppnsim.loops.program import DATA, Access

Word = tuple[Hashable, ...]


@dataclass(slots=True)
class Words:
    """Elements that share a word of their memory (``array_reshape``): it is loaded once and stored once for all.

    ``of`` tells the word of an access, None if it has one element. ``index`` are the nodes of the subscripts of one
    that data chooses: where those that are data are the same nodes, data chooses the same.
    """

    of: Callable[[Access], Word | None] = lambda _: None
    _loaded: dict[Word, int] = field(default_factory=dict)
    _stored: dict[Word, int] = field(default_factory=dict)

    def loaded(self, access: Access, index: tuple[int, ...] = ()) -> int | None:
        """Return the load of the word that an element is in."""
        word = self._word(access, index)
        return None if word is None else self._loaded.get(word)

    def load(self, access: Access, node: int, index: tuple[int, ...] = ()) -> None:
        """Note the load of a word."""
        if (word := self._word(access, index)) is not None:
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
        return (*word, *(node for node, at in zip(index, access.subscripts, strict=True) if at == DATA))

    def overwrite(self, access: Access, index: tuple[int, ...] = ()) -> None:
        """Forget the loaded words of the array that is stored to, but not the others in the element's own word."""
        stored = self._word(access, index)
        array = access.array if stored is None else stored[0]
        for word in [word for word in self._loaded if word[0] == array and word != stored]:
            del self._loaded[word]
