"""A small reader of Tcl: variables, conditions, loops and procedures; commands of the tool go to a receiver.

Nothing is executed: commands that would run programs or change files are passed to the receiver by name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ppnsim.errors import InputError
from ppnsim.hls.project.places import elsewhere, placed
from ppnsim.hls.project.recipes import environment
from ppnsim.hls.project.tcl_commands import FUNCTIONS, Place
from ppnsim.hls.project.tcl_expressions import truth, value
from ppnsim.hls.project.tcl_replaced import Replaced
from ppnsim.hls.project.tcl_several import SEVERAL
from ppnsim.hls.project.tcl_strings import joined, matches
from ppnsim.hls.project.tcl_variables import EXECUTABLE, OF_TOOL, VARIABLES, VERSION, UnsetError, Variables
from ppnsim.hls.project.tcl_words import Command, Word, commands, items
from ppnsim.hls.project.words import text_of

_RUNS = frozenset("csim_design csynth_design cosim_design export_design exit quit puts".split())  # noqa: SIM905
"""Commands that change nothing in a project: it does not matter whether a script reaches them."""
_DEEPEST = 100
_MOST_STEPS = 100_000

Receiver = Callable[[str, Sequence[str], str], None]
"""Receives a command that is not a Tcl command: its name, its arguments, and file and line."""


class _Jump(Exception):
    """The early end of a part of the script: ``exit``, ``return``, ``break``, ``continue``, with a value."""


class Tcl(Replaced):
    """A reader of a script.

    Parameters
    ----------
    file : the script.
    arguments : its ``argv``.
    receiver : receives the commands of the tool.
    """

    def __init__(self, file: str, arguments: Sequence[str], receiver: Receiver) -> None:
        self.file, self.receiver = file, receiver
        self.folder = Path(file).parent  # the start folder; file names in sourced files are also relative to it
        script = {"argv": joined(arguments), "argc": str(len(arguments)), "argv0": file}
        super().__init__(Variables([script], given=OF_TOOL | environment(file)))
        self.procedures: dict[str, tuple[list[str], Word, str]] = {}
        self.depth = self.steps = 0
        self.own: Mapping[str, Callable[[Sequence[Word]], str]] = {
            "if": self._if, "foreach": self._foreach, "while": self._while,
            "for": self._for, "break": self._jump("break"), "continue": self._jump("continue"),
            "exit": self._jump("exit"), "quit": self._jump("exit"), "return": self._jump("return"), "proc": self._proc,
            "source": self._source, "catch": self._catch, "expr": self._expr,
            "switch": self._switch, "exec": self._exec, "gets": self._gets,
        }  # fmt: skip

    def run(self) -> None:
        """Read the whole script.

        Raises
        ------
        InputError
            With file and line: invalid Tcl, an unknown variable, a missing file, an endless loop.
        """
        try:
            self._file(self.file)
        except _Jump:
            return

    def _file(self, path: str) -> str:
        try:
            text = text_of(path)
        except OSError:
            raise InputError(f"no file '{path}'" if self.where else "no such file", where=self.where or path) from None
        outer, self.file = self.file, path
        found = self.script(text, 1)
        self.file = outer
        return found

    def script(self, text: str, line: int) -> str:
        """Run the commands of a text that begins in a line; return the value of the last one."""
        result = ""
        self.depth += 1
        try:
            if self.depth > _DEEPEST:
                raise InputError(f"more than {_DEEPEST} scripts inside each other", where=self.where)
            for command in commands(text, self.file, line):
                self.where = f"{self.file}:{command.line}"
                self._step()
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
            if (about := VARIABLES.get(name) or SEVERAL.get(name)) is not None:
                return about(self.variables, arguments, where)
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

    def _value(self, word: Word) -> str:
        return value(word.text if word.literal else self.decided(word), self.where, self.decided)

    def _body(self, word: Word) -> str:
        return self.script(word.text if word.literal else self.replaced(word), word.line)

    # Commands

    def _if(self, words: Sequence[Word]) -> str:
        rest = [word for word in words if word.literal or word.text not in ("then", "elseif", "else")]
        while len(rest) > 1:
            try:
                holds = truth(self._value(rest[0]))
            except UnsetError:
                if all(map(self._runs, [*rest[1::2], *rest[len(rest) // 2 * 2 :]])):
                    return ""
                raise
            if holds:
                return self._body(rest[1])
            rest = rest[2:]
        return self._body(rest[0]) if rest else ""

    def _runs(self, body: Word) -> bool:
        """Return whether commands only run the tool."""
        return all(command.words[0].text in _RUNS for command in commands(body.text, self.file, body.line))

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

    def _step(self) -> None:
        """Count a command, or an iteration of a loop, which may contain no command."""
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise InputError(f"the script takes more than {_MOST_STEPS} steps", where=self.where)

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
        """Run the body of a loop once; return whether the loop continues."""
        self._step()
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
        path = placed(self.file, self.folder, name := self.replaced(words[-1]))
        if not path.exists() and (other := elsewhere(self.folder, name)) is not None and other.is_file():
            self.receiver("source", [f"{path}: it is not there; '{other}' is read"], self.where)
            path = other  # relative to the folder in which the tool runs
        if not path.exists():  # made by a Makefile, or written by the tool, and not stored
            self.receiver("source", [f"{path}: it is not there"], self.where)
            self.variables.absent.append(str(path))
            return ""
        return self._file(str(path))

    def _exec(self, words: Sequence[Word]) -> str:
        """Run nothing; a script that asks for the tool's version gets a recent one, and parts of paths are computed."""
        arguments = [part for word in words for part in self.spread(word)]
        if len(arguments) == 2 and arguments[0] in ("basename", "dirname"):
            path = Path(self.folder, arguments[1]) if arguments[1] == "." else Path(arguments[1])
            return path.resolve().name if arguments[0] == "basename" else str(path.parent)
        self.receiver("exec", arguments, self.where)
        return VERSION if arguments[1:] == ["-version"] and arguments[0].endswith(EXECUTABLE) else ""

    def _gets(self, words: Sequence[Word]) -> str:
        """Return the end of the file: scripts read reports, which do not exist here."""
        self.receiver("gets", [self.replaced(word) for word in words], self.where)
        return "-1" if len(words) > 1 else ""

    def _switch(self, words: Sequence[Word]) -> str:
        """Run the body of the first pattern that matches a value; ``-`` stands for the body of the next pattern."""
        first = next(at for at, word in enumerate(words) if word.literal or not word.text.startswith("-"))
        options = [word.text for word in words[:first]]
        if "-regexp" in options:
            raise ValueError(options)
        text, *rest = words[first:]
        if len(rest) == 1:
            rest = [part for command in commands(rest[0].text, self.file, rest[0].line) for part in command.words]
        given = self.decided(text)
        patterns = [word.text if word.literal else self.replaced(word) for word in rest[::2]]
        for at, pattern in enumerate(patterns):
            holds = matches(pattern, given) if "-glob" in options else pattern == given
            if holds or (pattern == "default" and at == len(patterns) - 1):
                return self._body(next(body for body in rest[2 * at + 1 :: 2] if body.literal or body.text != "-"))
        return ""

    def _catch(self, words: Sequence[Word]) -> str:
        self._body(words[0])
        return "0"

    def _expr(self, words: Sequence[Word]) -> str:
        return value(" ".join(word.text for word in words), self.where, self.decided)
