"""Elements that share a word of their memory (``array_reshape``): it is loaded once and stored once for all of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from ppnsim.loops.program import Access

Word = tuple[Hashable, ...]


@dataclass(slots=True)
class Words:
    """The words that have been loaded and stored; ``of`` tells the word of an access, None if it has one element."""

    of: Callable[[Access], Word | None] = lambda _: None
    _loaded: dict[Word, int] = field(default_factory=dict)
    _stored: dict[Word, int] = field(default_factory=dict)

    def loaded(self, access: Access) -> int | None:
        """Return the load of the word that an element is in."""
        word = self.of(access)
        return None if word is None else self._loaded.get(word)

    def load(self, access: Access, node: int) -> None:
        """Note the load of a word."""
        if (word := self.of(access)) is not None:
            self._loaded[word] = node

    def store(self, access: Access, node: int) -> int | None:
        """Note the store of an element; return the first store to its word if there is an earlier one."""
        word = self.of(access)
        first = node if word is None else self._stored.setdefault(word, node)
        return None if first == node else first

    def overwrite(self, array: str) -> None:
        """Forget the loaded words of an array."""
        for word in [word for word in self._loaded if word[0] == array]:
            del self._loaded[word]
