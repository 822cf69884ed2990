"""Where lines of today's files were when the tests' lines were measured: files change, and move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher

_ALIKE = 0.4  # of a file's lines that an older file must have to be the same one, moved
_TELLING = 12  # characters of a line that says which file it is of


@dataclass(frozen=True)
class Before:
    """The lines that a file's lines were, by number: the same ones, and for all others their neighbours."""

    exact: Mapping[int, tuple[int, ...]]
    near: Mapping[int, tuple[int, ...]]


class Places:
    r"""Files as they were measured, by path.

    Examples
    --------
    >>> places = Places({"old.py": "import ppnsim\n\ntotal = first + second\nprint(total, first)\n"})
    >>> file, before = places.measured("new.py", "total = first + second\nprint(total)\nprint(total, first)\n")
    >>> file, dict(before.exact), dict(before.near)
    ('old.py', {1: (3,), 3: (4,)}, {2: (3, 4)})
    """

    def __init__(self, sources: Mapping[str, str]) -> None:
        self.sources = sources

    def measured(self, file: str, text: str) -> tuple[str | None, Before]:
        """Return which measured file a file is, None if it is new, and where its lines were in it."""
        was = file if file in self.sources else self._alike(text)
        if was is None:
            return None, Before({}, {})
        new, old = text.splitlines(), self.sources[was].splitlines()
        exact: dict[int, tuple[int, ...]] = {}
        near: dict[int, tuple[int, ...]] = {}
        for kind, i, until, j, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            for place in range(j, end):
                if kind == "equal":
                    exact[place + 1] = (i + place - j + 1,)
                else:
                    near[place + 1] = tuple(line for line in range(i, until + 2) if 1 <= line <= len(old))
        return was, Before(exact, near)

    def _alike(self, text: str) -> str | None:
        """Return the measured file that has the most of a text's lines, if it has enough of them."""
        lines = Counter(_telling(text))
        shared = {file: (lines & Counter(_telling(old))).total() for file, old in self.sources.items()}
        best = max(shared, key=lambda file: (shared[file], file), default=None)
        return best if best is not None and lines and shared[best] >= _ALIKE * lines.total() else None


def _telling(text: str) -> list[str]:
    lines = (line.strip() for line in text.splitlines())
    return [line for line in lines if len(line) >= _TELLING and line != "from __future__ import annotations"]
