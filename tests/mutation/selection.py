"""Which tests may notice a change: those that run its lines, the most specific ones first.

``python -m tests.coverage`` measures once and keeps, for every line, the tests that ran it, the seconds of every test,
and the text of every file. Files change and move afterwards: a line is looked up where it was (`Places`). Machine code,
which no tracer sees, gets the tests of what calls it. A line that no test ran, or that is new, gets the tests of the
lines around it; a file that looks like none that was measured, and a table of data, those of the files that import it
or stand beside it. Tests that are newer than the measurement are related to what their file names, and to everything in
their room.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from functools import cache, cached_property
from pathlib import Path

from coverage import CoverageData

from tests.coverage import DATA, ROOT, SECONDS, SOURCES, machine_code
from tests.mutation.mutants import Mutant
from tests.mutation.places import Places

_TELLING = 8  # letters of a name that is not just any word
_UNKNOWN = 0.1  # seconds of a test that was not measured
_NAMED = 10.0  # score of a test that names the module, above what any measured one has
_WORD = 0.1  # of one that shares a word of its own with the module: among those that a measured one has
_OF_ROOM = 0.05  # of one that reads all files of a room


class Selection:
    """The tests of a project, and what is known of them.

    Parameters
    ----------
    collected : names of all tests that there are now.
    """

    def __init__(
        self, collected: Iterable[str], data: Path = DATA, seconds: Path = SECONDS, sources: Path = SOURCES
    ) -> None:
        self.collected = dict.fromkeys(collected)
        self.seconds: dict[str, float] = json.loads(seconds.read_text(encoding="utf-8"))
        self.places = Places(json.loads(sources.read_text(encoding="utf-8")))
        self.data = CoverageData(str(data))
        self.data.read()
        self._files: dict[str, dict[int, list[str]]] = {}
        self._naming: dict[tuple[str, str], float] = {}  # by the file of tests and the one that is wrong
        self._of_file = defaultdict[str, list[str]](list)  # tests by their file
        for test in self.collected:
            self._of_file[test.partition("::")[0]].append(test)

    def related(self, mutant: Mutant, most_seconds: float) -> list[str]:
        """Return the tests to run, those first that are likely to notice soonest, until the time is over."""
        files, running = self._running(mutant)
        scores = {test: self._score(test, files) for test in running if test in self.collected}
        for test in [test for test in scores if scores[test] == 0]:  # of a fixture that it shares with its file
            scores[test] = 1e-6
        for file in {test.partition("::")[0] for test in running if test.endswith("|setup")}:
            for test in self._of_file[file]:
                scores.setdefault(test, 1e-6)
        for test in self._new(mutant):
            scores[test] = max(scores.get(test, 0.0), self._named(test, mutant), 1e-3)
        for test in [*self._of_file[mutant.file], *self._reading(mutant)]:  # examples in its own text
            scores[test] = max(scores.get(test, 0.0), 5.0)
        for test in self._reading_room(mutant):
            scores[test] = max(scores.get(test, 0.0), _OF_ROOM)
        taken: list[str] = []
        spent = 0.0
        for test in self._mixed(scores):
            if taken and spent + self._cost(test) > most_seconds:
                continue
            spent += self._cost(test)
            taken.append(test)
        return taken

    def _mixed(self, scores: Mapping[str, float]) -> list[str]:
        """Return tests by their scores, where the second set of parameters of one function counts half, and so on."""
        before: Counter[str] = Counter()
        mixed: dict[str, float] = {}
        for test in sorted(scores, key=lambda test: (-scores[test], self._cost(test), test)):
            function = test.partition("[")[0]
            before[function] += 1
            mixed[test] = scores[test] / before[function]
        return sorted(mixed, key=lambda test: -mixed[test])

    def cost(self, tests: Iterable[str]) -> float:
        """Return the seconds that tests took."""
        return sum(map(self._cost, tests))

    def limit(self, tests: Iterable[str]) -> float:
        """Return the seconds of processor time after which tests that still run are said to have no end."""
        return 45 + 1.5 * self.cost(tests)  # measured with coverage, which takes longer; machine code may be made anew

    def _cost(self, test: str) -> float:
        return self.seconds.get(test, _UNKNOWN) + 0.01

    def _score(self, test: str, files: Collection[str]) -> float:
        """Return the share of these files in all that a test runs, by its seconds."""
        lines = self._lines_run.get(test)
        if not lines:
            return 0.0
        return sum(lines[file] for file in files) / lines.total() / (self._cost(test) + 0.1)

    def _running(self, mutant: Mutant) -> tuple[list[str], set[str]]:
        """Return measured files, and the tests that ran the mutant's lines there or what is nearest."""
        if mutant.file.endswith(".py"):
            text = (ROOT / mutant.file).read_text(encoding="utf-8")
            file, before = self.places.measured(mutant.file, text)
            if mutant.file in machine_code():
                files = sorted(callers(mutant.file, frozenset(self._measured)))
                return files, {test for each in files for tests in self._lines(each).values() for test in tests}
            if file is not None:
                lines = self._lines(file)
                for wanted in (before.exact, before.near):
                    here = [line for at in range(mutant.line, mutant.last + 1) for line in wanted.get(at, ())]
                    if found := {test for line in here for test in lines.get(line, ())}:
                        return [file], found
                if found := {test for tests in lines.values() for test in tests}:
                    return [file], found
            files = [each for each in self._measured if _imports(ROOT / each, mutant.file)]
        else:
            folder = (ROOT / mutant.file).parent
            while not list(folder.glob("*.py")) or folder.name == "tables":
                folder = folder.parent
            files = [path.relative_to(ROOT).as_posix() for path in folder.glob("*.py")]
        found = {test for each in files for tests in self._lines(each).values() for test in tests}
        return files, found | self._of_room(mutant, self.collected)

    def _reading(self, mutant: Mutant) -> list[str]:
        """Return the tests that have a file among their parameters: they read it, and may run none of its lines."""
        return [test for test in self.collected if f"[{mutant.file.removeprefix('ppnsim/')}]" in test]

    def _reading_room(self, mutant: Mutant) -> list[str]:
        """Return the tests of the house that have the room of a file as their parameter."""
        room = f"[{mutant.file.split('/')[1]}]"
        return [test for test in self.collected if test.startswith("tests/house/") and test.endswith(room)]

    def _new(self, mutant: Mutant) -> set[str]:
        new = [test for test in self.collected if test not in self.seconds]
        return self._of_room(mutant, new) | {test for test in new if self._named(test, mutant)}

    def _named(self, test: str, mutant: Mutant) -> float:
        """Return how clearly the file of a test names the module that is wrong, or what it defines.

        A word counts the less, the more files of tests have it: ``schedule`` says little of what is tested.
        """
        key = test.partition("::")[0], mutant.file
        if key not in self._naming:
            self._naming[key] = self._named_in(ROOT / key[0], mutant.file)
        return self._naming[key]

    def _named_in(self, file: Path, wrong: str) -> float:
        if wrong.removesuffix(".py").replace("/", ".") in _text(file):
            return _NAMED
        shared = _words(file) & _defined(ROOT / wrong)
        return max((_WORD / self._having[word] for word in shared), default=0.0)

    @cached_property
    def _having(self) -> Counter[str]:
        """How many files of tests have each word."""
        return Counter(word for file in self._of_file for word in _words(ROOT / file))

    def _of_room(self, mutant: Mutant, tests: Iterable[str]) -> set[str]:
        room = mutant.file.split("/")[1].removesuffix(".py")
        return {test for test in tests if test.startswith((f"tests/{room}/", f"tests/{room}.py", mutant.file))}

    @cached_property
    def _measured(self) -> dict[str, list[str]]:
        """Names of measured files by their paths from the root, wherever the root was: there may be several of one."""
        found = defaultdict[str, list[str]](list)
        for name in sorted(self.data.measured_files()):
            found[f"ppnsim/{name.split('/ppnsim/', 1)[-1]}"].append(name)
        return dict(found)

    @cached_property
    def _lines_run(self) -> dict[str, Counter[str]]:
        """How many lines of each file every test runs."""
        found = defaultdict[str, Counter[str]](Counter)
        query = (
            "select context.context, file.path, numbits from line_bits "
            "join context on context.id = context_id join file on file.id = file_id"
        )
        with sqlite3.connect(self.data.data_filename()) as database:
            for context, path, bits in database.execute(query):
                if context:
                    file = f"ppnsim/{path.split('/ppnsim/', 1)[-1]}"
                    found[context.rsplit("|", 1)[0]][file] += int.from_bytes(bits).bit_count()
        return dict(found)

    def _lines(self, file: str) -> dict[int, list[str]]:
        """Return the tests that ran each line of a file, of lines that a test ran and not only an import.

        A test whose fixtures ran it is also there as its context, which ends in ``|setup``.
        """
        if file not in self._files:
            found = defaultdict[int, set[str]](set)
            for measured in self._measured.get(file, ()):
                for line, names in self.data.contexts_by_lineno(measured).items():
                    found[line] |= {name.rsplit("|", 1)[0] for name in names if name}
                    found[line] |= {name for name in names if name.endswith("|setup")}
            self._files[file] = {line: sorted(tests) for line, tests in found.items() if tests}
        return self._files[file]


@cache
def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""


@cache
def _words(path: Path) -> set[str]:
    return set(re.findall(r"\w+", _text(path)))


@cache
def _defined(path: Path) -> set[str]:
    """Return the name of a module and the public ones that it defines; of a table its own."""
    defined = re.findall(r"^(?:def|class) ([A-Za-z]\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {name for name in (path.stem, *defined) if len(name) >= _TELLING}


@cache
def callers(file: str, known: frozenset[str]) -> frozenset[str]:
    """Return a file of machine code, and those that import it, by way of others of machine code too."""
    found, todo = {file}, [file]
    while todo:
        one = todo.pop()
        new = {each for each in known if each not in found and _imports(ROOT / each, one)}
        found |= new
        todo += [each for each in new if each in machine_code()]
    return frozenset(found)


@cache
def _imports(path: Path, file: str) -> bool:
    """Return whether a file imports another one."""
    if not path.exists():
        return False
    module, _, name = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".").rpartition(".")
    text = path.read_text(encoding="utf-8")
    return (
        f"from {module}.{name} import" in text
        or f"import {module}.{name}" in text
        or (re.search(rf"^from {re.escape(module)} import .*\b{name}\b", text, re.MULTILINE) is not None)
    )
