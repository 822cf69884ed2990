"""A batch of mutants and what became of each, in a file: a run goes on where another one was stopped."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tests.mutation.mutants import Mutant, mutants
from tests.mutation.tree import ROOT

FILE = Path(__file__).with_name("verdicts.jsonl")
SURVIVED, GONE = "survived", "its line is gone"


@dataclass(slots=True)
class Entry:
    """A mutant by its lines before and after, ``mutant`` itself if there is still such a line, and its verdict."""

    file: str
    line: int
    was: str
    now: str
    verdict: str | None
    mutant: Mutant | None = None

    @property
    def is_open(self) -> bool:
        """Whether it is still to be judged, or again."""
        return self.verdict in (None, SURVIVED) and self.mutant is not None


def begun(batch: Iterable[Mutant]) -> list[Entry]:
    """Return entries without verdicts."""
    return [Entry(each.file, each.line, each.was, each.now, None, each) for each in batch]


def read(path: Path) -> list[Entry]:
    """Return the entries of a file; one without verdict whose line is gone is said to be so."""
    entries = [Entry(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]
    texts = {each.file: (ROOT / each.file) for each in entries if (ROOT / each.file).exists()}
    there = {file: mutants(file, text.read_text(encoding="utf-8")) for file, text in texts.items()}
    for entry in entries:
        same = [each for each in there.get(entry.file, ()) if (each.was, each.now) == (entry.was, entry.now)]
        entry.mutant = min(same, key=lambda each: abs(each.line - entry.line), default=None)
        if entry.mutant is None and entry.verdict in (None, SURVIVED):
            entry.verdict = GONE
    return entries


def write(path: Path, entries: Iterable[Entry]) -> None:
    """Write entries, one a line."""
    rows = [{"file": e.file, "line": e.line, "was": e.was, "now": e.now, "verdict": e.verdict} for e in entries]
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text(text, encoding="utf-8")
