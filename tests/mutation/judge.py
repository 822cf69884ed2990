"""The verdict on a mutant: by a warm process where that is possible, by one that starts anew before it has survived."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.mutation.journal import SURVIVED
from tests.mutation.mutants import Mutant
from tests.mutation.runs import Watcher, tests_in
from tests.mutation.selection import Selection
from tests.mutation.tree import applied, environment, is_machine_code
from tests.mutation.verdicts import equivalents, reason
from tests.mutation.warm import Warm

BY, ENDLESS = "noticed by ", "noticed: no end, or a crash"
_FIRST = 25  # tests that are tried alone by a new process: to collect more takes longer than to run them


class Judge:
    """A copy of the project, its tests, and a process that has them ready."""

    def __init__(self, tree: Path, most_seconds: float) -> None:
        self.tree, self.most = tree, most_seconds
        self.warm = Warm(tree, environment(tree))
        self.selection = Selection(self.warm.collected)
        self.known = equivalents()
        self.sound: set[str] = set()  # tests that are known to pass where nothing is wrong
        self.unsound: set[str] = set()  # those that do not, here: they prove nothing

    def verdict(self, mutant: Mutant) -> tuple[str, int]:
        """Return what becomes of a mutant, and how many tests there were for it."""
        while True:
            tests = [each for each in self.selection.related(mutant, self.most) if each not in self.unsound]
            with applied(mutant, self.tree) as own:
                (word, is_judged), ran = self._warm(mutant, tests), None
                if word is None:  # what is worked out while modules are imported shows in the first tests, if at all
                    word, ran = self._anew(mutant, tests[:_FIRST] if is_judged else tests, own)
            if self._is_sound(word, tests, ran):
                break
        why = reason(mutant, self.known)
        return word or (SURVIVED if why is None else f"equivalent: {why}"), len(tests)

    def close(self) -> None:
        """End the warm process."""
        self.warm.close()

    def _warm(self, mutant: Mutant, tests: Sequence[str]) -> tuple[str | None, bool]:
        """Return how the warm process notices a mutant, and whether the mutant could be put into it."""
        if is_machine_code(mutant.file) or not mutant.file.endswith(".py"):
            return None, False
        told = self.warm.run(tests, mutant, 20 + 1.5 * self.selection.cost(tests))
        return (None, False) if told is None else (self._word(mutant, told), True)

    def _anew(
        self, mutant: Mutant, tests: Sequence[str], own: dict[str, str]
    ) -> tuple[str | None, Sequence[str] | None]:
        """Return how new processes notice a mutant, and the tests of the one that did."""
        for some in (tests[:_FIRST], tests[_FIRST:]):
            told = tests_in(self.tree, some, own, self.selection.limit(some)) if some else Watcher(code=0)
            if word := self._word(mutant, told):
                return word, some
        return None, None

    def _word(self, mutant: Mutant, told: Watcher) -> str | None:
        """Return how a mutant is noticed by a run of tests, None if it is not."""
        if told.code == 0 or (told.code == 5 and not told.collected):
            return None
        if told.code is None:
            return ENDLESS
        if told.failed is not None:
            return f"{BY}{told.failed}"
        # With -x, pytest says 1 of such an error; 4 where conftest.py cannot be imported.
        if told.code in (2, 4) or (told.code == 1 and not told.collected):
            return "noticed: it cannot even be imported"
        text = (self.tree.parent / "output").read_text(encoding="utf-8", errors="replace")
        if told.code == 4 and "while loading conftest" in text:
            return "noticed: it cannot even be imported"
        raise RuntimeError(f"pytest ended with {told.code}, which says nothing about {mutant}:\n{text}")

    def _is_sound(self, word: str | None, tests: Sequence[str], anew: Sequence[str] | None) -> bool:
        """Return whether what has noticed a mutant passes without it; note the test if it does not.

        It is asked in the way in which it noticed, after the same tests: ``anew`` are those of a new process, None if
        it was the warm one. A test that fails after others, or only in a process that starts, proves nothing either.
        """
        if word is None or not (word == ENDLESS or word.startswith(BY)):
            return True
        before = list(tests if anew is None else anew)
        by = before if word == ENDLESS else before[: before.index(word.removeprefix(BY)) + 1]
        if self.sound.issuperset(by if word == ENDLESS else by[-1:]):
            return True
        if anew is None:
            again = self.warm.run(by, None, self.selection.limit(by))
        else:
            again = tests_in(self.tree, by, environment(self.tree), self.selection.limit(by))
        if again is not None and again.code == 0:
            self.sound.update(by)
            return True
        failed = by if again is None or again.failed is None else [again.failed]
        print(f"without any mutant too, this fails and proves nothing: {', '.join(failed)}", flush=True)  # noqa: T201
        self.unsound.update(failed)
        return False
