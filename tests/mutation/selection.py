"""Which tests may notice a change: those that run its lines, as measured; else those of the file and of the room.

``python -m tests.coverage`` measures once and keeps, for every line, the tests that ran it, and the seconds of every
test. Tests that are newer than the measurement are related to everything in their room, and a file that is newer is
related to all that ran any of its lines.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

from coverage import CoverageData

from tests.coverage import DATA, ROOT, SECONDS
from tests.mutation.mutants import Mutant


class Selection:
    """The tests of a project, and what is known of them.

    Parameters
    ----------
    collected : names of all tests that there are now.
    """

    def __init__(self, collected: Iterable[str], data: Path = DATA, seconds: Path = SECONDS) -> None:
        self.collected = dict.fromkeys(collected)
        self.seconds: dict[str, float] = json.loads(seconds.read_text()) if seconds.exists() else {}
        self.data = CoverageData(str(data))
        self.data.read()
        self.measured_at = data.stat().st_mtime
        self._files: dict[str, dict[int, list[str]]] = {}

    @cached_property
    def _measured(self) -> dict[str, str]:
        """Names of measured files by their paths from the root, wherever the root was."""
        return {f"ppnsim/{name.split('/ppnsim/', 1)[-1]}": name for name in sorted(self.data.measured_files())}

    def related(self, mutant: Mutant, most_seconds: float) -> list[str]:
        """Return the tests to run: those of the mutant's room first, the quickest first, until the time is over."""
        lines = self._lines(mutant.file)
        same = (ROOT / mutant.file).stat().st_mtime <= self.measured_at  # else its lines have other numbers now
        by_line = {test for line in range(mutant.line, mutant.last + 1) for test in lines.get(line, ()) if same}
        found = by_line or {test for tests in lines.values() for test in tests} | self._of_room(mutant, self.collected)
        found |= self._of_room(mutant, (test for test in self.collected if test not in self.seconds))
        room = set(self._of_room(mutant, found))
        ordered = sorted(found & set(self.collected), key=lambda test: (test not in room, self._cost(test), test))
        taken: list[str] = []
        spent = 0.0
        for test in ordered:
            spent += self._cost(test)
            if taken and spent > most_seconds:
                break
            taken.append(test)
        return taken

    def cost(self, tests: Iterable[str]) -> float:
        """Return the seconds that tests took."""
        return sum(map(self._cost, tests))

    def limit(self, tests: Iterable[str]) -> float:
        """Return the seconds of processor time after which tests that still run are said to have no end."""
        return 60 + 4 * self.cost(tests)  # machine code may have to be made anew

    def _cost(self, test: str) -> float:
        return self.seconds.get(test, 0.0) + 0.01

    def _of_room(self, mutant: Mutant, tests: Iterable[str]) -> set[str]:
        room = mutant.file.split("/")[1].removesuffix(".py")
        return {test for test in tests if test.startswith((f"tests/{room}/", f"tests/{room}.py", mutant.file))}

    def _lines(self, file: str) -> dict[int, list[str]]:
        """Return the tests that ran each line of a file, of lines that a test ran and not only an import."""
        if file not in self._files:
            contexts = self.data.contexts_by_lineno(self._measured.get(file, ""))
            named = {line: {name.rsplit("|", 1)[0] for name in names if name} for line, names in contexts.items()}
            self._files[file] = {line: sorted(names) for line, names in named.items() if names}
        return self._files[file]
