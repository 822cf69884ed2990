"""A small reader of Tcl: variables, conditions, loops, procedures; commands of the tool go to a receiver.

Nothing is executed outside: commands that would run programs or change files are handed to the receiver by name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ppnsim.errors import InputError
from ppnsim.hls.project.places import placed
from ppnsim.hls.project.tcl_commands import FUNCTIONS, Place, joined
from ppnsim.hls.project.tcl_expressions import truth, value
from ppnsim.hls.project.tcl_variables import VARIABLES, Variables
from ppnsim.hls.project.tcl_words import Command, Word, commands, items

_PART = re.compile(
    r"\\(?P<escape>.)|\$\{(?P<braced>[^}]*)\}|\$(?P<name>(?:::)?\w+(?:::\w+)*)(?:\((?P<key>[^)]*)\))?|(?P<open>\[)",
    re.DOTALL,
)
_ESCAPES = {"n": "\n", "t": "\t", "\n": " "}
_DEEPEST = 100
_MOST_STEPS = 100_000

Receiver = Callable[[str, Sequence[str], str], None]
"""Takes a command that is none of Tcl's: its name, its arguments, and file and line."""


class _Jump(Exception):
    """A part of the script ends early: ``exit``, ``return``, ``break``, ``continue``; with a value."""


class Tcl:
    """Reads a script.

    Parameters
    ----------
    file : the script.
    arguments : its ``argv``.
    receiver : of the commands of the tool.
    """

    def __init__(self, file: str, arguments: Sequence[str], receiver: Receiver) -> None:
        self.file, self.receiver = file, receiver
        self.folder = Path(file).parent  # where it is started: what it sources names files from there, too
        script = {"argv": joined(arguments), "argc": str(len(arguments)), "argv0": file}
        self.variables = Variables([script])
        self.procedures: dict[str, tuple[list[str], Word, str]] = {}
        self.where, self.depth, self.steps = "", 0, 0
        self.own: Mapping[str, Callable[[Sequence[Word]], str]] = {
            "if": self._if, "foreach": self._foreach, "while": self._while,
            "for": self._for, "break": self._jump("break"), "continue": self._jump("continue"),
            "exit": self._jump("exit"), "quit": self._jump("exit"), "return": self._jump("return"), "proc": self._proc,
            "source": self._source, "catch": self._catch, "expr": self._expr,
        }  # fmt: skip

    def run(self) -> None:
        """Read the whole script.

        Raises
        ------
        InputError
            With file and line: what is not Tcl, an unknown variable, a missing file, a loop without end.
        """
        try:
            self._file(self.file)
        except _Jump:
            return

    def _file(self, path: str) -> str:
        try:
            text = Path(path).read_text(encoding="utf-8", errors="replace")
        except OSError:
            raise InputError(f"no file '{path}'" if self.where else "no such file", where=self.where or path) from None
        outer, self.file = self.file, path
        found = self.script(text, 1)
        self.file = outer
        return found

    def script(self, text: str, line: int) -> str:
        """Run commands that begin in a line; return the value of the last one."""
        result = ""
        self.depth += 1
        try:
            if self.depth > _DEEPEST:
                raise InputError(f"more than {_DEEPEST} scripts inside each other", where=self.where)
            for command in commands(text, self.file, line):
                self.steps += 1
                self.where = f"{self.file}:{command.line}"
                if self.steps > _MOST_STEPS:
                    raise InputError(f"the script takes more than {_MOST_STEPS} steps", where=self.where)
                result = self._command(command)
        finally:
            self.depth -= 1
        return result

    def _command(self, command: Command) -> str:
        name = self.replaced(command.words[0])
        where = self.where
        try:
            if name in self.own:
                return self.own[name](command.words[1:])
            arguments = [part for word in command.words[1:] for part in self.spread(word)]
            if name in FUNCTIONS:
                return FUNCTIONS[name](arguments, Place(self.folder, where))
            if name in VARIABLES:
                return VARIABLES[name](self.variables, arguments, where)
        except (ValueError, IndexError):
            raise InputError(f"'{name}' is used in a way that is not understood here", where=where) from None
        if name in self.procedures:
            return self._call(name, arguments)
        self.receiver(name, arguments, where)
        return ""

    def _call(self, name: str, arguments: list[str]) -> str:
        names, body, file = self.procedures[name]
        values: dict[str, str] = {}
        for n, parameter in enumerate(names):
            own, *default = items(parameter, self.where)
            if own == "args" and n == len(names) - 1:
                values[own], arguments = joined(arguments[n:]), arguments[:n]
            elif n < len(arguments) or default:
                values[own] = arguments[n] if n < len(arguments) else default[0]
        if len(values) < len(names) or len(arguments) > len(names):
            raise InputError(f"'{name}' takes {' '.join(names) or 'no arguments'}", where=self.where)
        self.variables.open(values)
        outer, self.file = self.file, file
        try:
            return self.script(body.text, body.line)
        except _Jump as jump:
            if jump.args[0] != "return":
                raise
            return str(jump.args[1])
        finally:
            self.file = outer
            self.variables.close()

    # Words

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
                found += self.variables.get(name, self.where)
        return found + word[at:]

    def _inner(self, text: str) -> str:
        """Return the value of a command in brackets."""
        where = self.where
        found = self.script(text, int(where.rpartition(":")[2]))
        self.where = where
        return found

    def spread(self, word: Word) -> list[str]:
        """Return the words that a word is: its elements after ``{*}``."""
        text = self.replaced(word)
        return items(text, self.where) if word.spread else [text]

    def _value(self, word: Word) -> str:
        return value(word.text if word.literal else self.replaced(word), self.where, self.replaced)

    def _body(self, word: Word) -> str:
        return self.script(word.text if word.literal else self.replaced(word), word.line)

    # Commands

    def _if(self, words: Sequence[Word]) -> str:
        rest = [word for word in words if word.literal or word.text not in ("then", "elseif", "else")]
        while len(rest) > 1:
            if truth(self._value(rest[0])):
                return self._body(rest[1])
            rest = rest[2:]
        return self._body(rest[0]) if rest else ""

    def _foreach(self, words: Sequence[Word]) -> str:
        names, every = (items(self.replaced(word), self.where) for word in words[:2])
        (body,) = words[2:]
        for start in range(0, len(every), len(names)):
            part = every[start : start + len(names)]
            for name, each in zip(names, [*part, *[""] * len(names)], strict=False):
                self.variables.put(name, each)
            if not self._round(body):
                break
        return ""

    def _while(self, words: Sequence[Word]) -> str:
        test, body = words
        while truth(self._value(test)) and self._round(body):
            pass
        return ""

    def _for(self, words: Sequence[Word]) -> str:
        start, test, step, body = words
        self._body(start)
        while truth(self._value(test)) and self._round(body):
            self._body(step)
        return ""

    def _round(self, body: Word) -> bool:
        """Run the body of a loop once; return whether the loop goes on."""
        try:
            self._body(body)
        except _Jump as jump:
            if jump.args[0] not in ("break", "continue"):
                raise
            return bool(jump.args[0] == "continue")
        return True

    def _jump(self, kind: str) -> Callable[[Sequence[Word]], str]:
        def jump(words: Sequence[Word]) -> str:
            raise _Jump(kind, self.replaced(words[-1]) if words else "")

        return jump

    def _proc(self, words: Sequence[Word]) -> str:
        name, names, body = words
        self.procedures[self.replaced(name)] = (items(self.replaced(names), self.where), body, self.file)
        return ""

    def _source(self, words: Sequence[Word]) -> str:
        path = placed(self.file, self.folder, self.replaced(words[-1]))
        if path.name == "directives.tcl" and Path(self.file).name == "script.tcl" and not path.exists():
            self.receiver("source", [f"{path}: it is not there"], self.where)  # written by the tool, and not kept
            return ""
        return self._file(str(path))

    def _catch(self, words: Sequence[Word]) -> str:
        self._body(words[0])
        return "0"

    def _expr(self, words: Sequence[Word]) -> str:
        return value(" ".join(word.text for word in words), self.where, self.replaced)


def _bracket(text: str, start: int) -> tuple[str, int]:
    """Return what is in a bracket, and where the text goes on behind it."""
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] == "[") - (text[at] == "]")
        if not depth:
            return text[start + 1 : at], at + 1
    return text[start + 1 :], len(text)
