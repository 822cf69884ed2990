"""Substitution of variables and commands in Tcl words."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod

from ppnsim.hls.project.tcl_variables import UnsetError, Variables
from ppnsim.hls.project.tcl_words import Word, items

_PART = re.compile(
    r"\\(?P<escape>.)|\$\{(?P<braced>[^}]*)\}|\$(?P<name>(?:::)?\w+(?:::\w+)*)(?:\((?P<key>[^)]*)\))?|(?P<open>\[)",
    re.DOTALL,
)
_ESCAPES = {"n": "\n", "t": "\t", "\n": " "}


class Replaced(ABC):
    """A substitution of variables, commands and escapes; ``where`` is the line that is read."""

    def __init__(self, variables: Variables) -> None:
        self.variables, self.where = variables, ""

    @abstractmethod
    def script(self, text: str, line: int) -> str:
        """Run the commands of a text that begins in a line; return the value of the last one."""

    def replaced(self, word: Word | str) -> str:
        """Return the text of a word with variables, commands and escapes replaced."""
        if isinstance(word, Word):
            if word.literal:
                return word.text
            word = word.text
        found, at = "", 0
        while match := _PART.search(word, at):
            found += word[at : match.start()]
            at = match.end()
            if match["escape"]:
                found += _ESCAPES.get(match["escape"], match["escape"])
            elif match["open"]:
                inside, at = _bracket(word, match.start())
                found += self._inner(inside)
            else:
                name = match["braced"] or match["name"]
                name = name if match["key"] is None else f"{name}({self.replaced(match['key'])})"
                found += self._known(name, match[0])
        return found + word[at:]

    def _known(self, name: str, written: str) -> str:
        """Return the value of a variable; its name as written if a missing file, or the user, sets it."""
        try:
            return self.variables.get(name, self.where)
        except UnsetError:
            if not self.variables.absent and not name.removeprefix("::").startswith("env("):
                raise
            return written

    def decided(self, text: Word | str) -> str:
        """Return a text that decides something: all values in it must be known."""
        found = self.replaced(text)
        for match in _PART.finditer(found):
            if match["name"] or match["braced"]:
                self.variables.get(
                    (match["braced"] or match["name"]) + (f"({match['key']})" if match["key"] else ""), self.where
                )
        return found

    def _inner(self, text: str) -> str:
        """Return the value of a command in brackets."""
        where = self.where
        found = self.script(text, int(where.rpartition(":")[2]))
        self.where = where
        return found

    def spread(self, word: Word) -> list[str]:
        """Return the words that a word stands for: its elements after ``{*}``."""
        text = self.replaced(word)
        return items(text, self.where) if word.spread else [text]


def _bracket(text: str, start: int) -> tuple[str, int]:
    """Return the contents of a bracket, and the position after it."""
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] == "[") - (text[at] == "]")
        if not depth:
            return text[start + 1 : at], at + 1
    return text[start + 1 :], len(text)
