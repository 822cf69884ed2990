"""A splitter of Tcl into commands and words; `tcl` interprets the words."""

from __future__ import annotations

from dataclasses import dataclass

from ppnsim.errors import InputError

_CLOSE = {"{": "}", "[": "]"}


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a command: ``text`` without its outer braces or quotes, and the line where it begins.

    ``literal``: it was in braces, so that nothing in it is replaced; ``spread``: ``{*}`` was before it.
    """

    text: str
    line: int
    literal: bool = False
    spread: bool = False


@dataclass(frozen=True, slots=True)
class Command:
    """A command and the line where it begins."""

    words: tuple[Word, ...]
    line: int


def commands(text: str, where: str, line: int = 1) -> list[Command]:
    r"""Return the commands of a script; ``line`` is the number of its first line.

    Raises
    ------
    InputError
        If a brace, a bracket or a quote is not closed.

    Examples
    --------
    >>> [command.line for command in commands("set a {1\n2}; puts $a\n# no\nexit", "x.tcl")]
    [1, 2, 4]
    """
    return _Reader(text, where, line).script()


def items(text: str, where: str) -> list[str]:
    """Return the elements of a Tcl list."""
    return [word.text for command in _Reader(text, where, 1, lists=True).script() for word in command.words]


class _Reader:
    """A text while it is split; a list has no comments, and its line ends do not end commands."""

    def __init__(self, text: str, where: str, line: int, *, lists: bool = False) -> None:
        self.text, self.where, self.first, self.lists = text.replace("\\\n", "  \f"), where, line, lists
        self.at = 0

    def line(self, at: int) -> int:
        return self.first + self.text.count("\n", 0, at) + self.text.count("\f", 0, at)

    def script(self) -> list[Command]:
        found: list[Command] = []
        words: list[Word] = []
        start = 0
        ends = "" if self.lists else "\n;"
        while self.at < len(self.text):
            char = self.text[self.at]
            if char in ends:
                self.at += 1
                if words:
                    found.append(Command(tuple(words), self.line(start)))
                words = []
            elif char.isspace():
                self.at += 1
            elif char == "#" and not words and not self.lists:
                self.at = self._until("\n", self.at)
            else:
                start = start if words else self.at
                words.append(self._word())
        if words:
            found.append(Command(tuple(words), self.line(start)))
        return found

    def _until(self, char: str, start: int) -> int:
        end = self.text.find(char, start)
        return len(self.text) if end < 0 else end

    def _word(self) -> Word:
        spread = self.text.startswith("{*}", self.at) and not self.lists
        self.at += 3 * spread
        char = self.text[self.at : self.at + 1]
        if char == "{":
            end = self._matching(self.at)
            word = Word(self._part(self.at + 1, end), self.line(self.at), literal=True, spread=spread)
            self.at = end + 1
            return word
        if char == '"':
            end = self._quoted(self.at + 1)
            word = Word(self._part(self.at + 1, end), self.line(self.at), spread=spread)
            self.at = end + 1
            return word
        start = self.at
        stop = "" if self.lists else ";"
        while self.at < len(self.text) and not self.text[self.at].isspace() and self.text[self.at] not in stop:
            self._step()
        return Word(self._part(start, self.at), self.line(start), spread=spread)

    def _part(self, start: int, end: int) -> str:
        """Return a part of the text, with escaped line ends replaced."""
        return self.text[start:end].replace("  \f", "\\\n")

    def _step(self) -> None:
        """Skip one character, an escape, or a bracket with its contents."""
        char = self.text[self.at]
        if char == "\\":
            self.at += 2
        elif char == "[" and not self.lists:
            self.at = self._matching(self.at) + 1
        elif self.text.startswith("${", self.at):
            self.at = self._until("}", self.at) + 1
        else:
            self.at += 1

    def _matching(self, start: int) -> int:
        """Return the position where a brace or a bracket is closed."""
        opened = self.text[start]
        depth, at = 0, start
        while at < len(self.text):
            char = self.text[at]
            depth += (char == opened) - (char == _CLOSE[opened])
            if not depth:
                return at
            at += 2 if char == "\\" else 1
        raise InputError(f"'{opened}' is not closed", where=f"{self.where}:{self.line(start)}")

    def _quoted(self, start: int) -> int:
        self.at = start
        while self.at < len(self.text):
            if self.text[self.at] == '"':
                end, self.at = self.at, start - 1
                return end
            self._step()
        raise InputError("a quote is not closed", where=f"{self.where}:{self.line(start)}")
