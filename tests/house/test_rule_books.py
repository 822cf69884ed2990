"""The books of rules: every rule that the code cites is in its book, and every rule of a book is cited by the code.

A rule is a heading ``### R1.2 Title``; its section is a heading ``## R1 Title``. Below ``## Not implemented`` are the
rules that the code must not cite.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CITING = frozenset({".py", ".toml"})
DOCUMENTED = CITING | {".json", ".md"}
ROOMS = ("ppnsim", "tests", "validation", "scenarios")


@dataclass(frozen=True)
class Book:
    """A book, the letters that its rules' names begin with, and the rooms that cite them by name alone."""

    path: str
    letters: str
    rooms: tuple[str, ...]

    def headings(self) -> tuple[set[str], set[str], set[str]]:
        """Return the names of the sections, of the rules, and of the rules that are not implemented."""
        sections: set[str] = set()
        rules: set[str] = set()
        open_: set[str] = set()
        implemented = True
        for line in self.text.splitlines():
            level, _, title = line.partition(" ")
            name = title.partition(" ")[0]
            if level == "##":
                implemented = title != "Not implemented"
            if level == "##" and re.fullmatch(rf"{self.letters}\d+", name):
                sections.add(name)
            elif level == "###" and re.fullmatch(rf"{self.letters}\d+\.\d+", name):
                assert name not in rules | open_, f"two rules are called {name}"
                (rules if implemented else open_).add(name)
        return sections, rules, open_

    @property
    def text(self) -> str:
        return (ROOT / self.path).read_text(encoding="utf-8")

    def cited(self) -> dict[str, str]:
        """Return the names that the rooms cite, each with one place."""
        found: dict[str, str] = {}
        for room in self.rooms:
            for path in files(room, CITING):
                for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
                    for name in names(line, self.letters):
                        found.setdefault(name, f"{path.relative_to(ROOT)}:{number}")
        return found


_RUNS = ("ppnsim/platform", "ppnsim/placed")
BOOKS = [
    Book("ppnsim/hls/RULES.md", "R", ("ppnsim/hls", "ppnsim/boards", "tests/hls", "validation/hls")),
    Book(
        "ppnsim/engines/TIMING.md", "T",
        ("ppnsim/model", "ppnsim/engines", "ppnsim/analysis", "ppnsim/explore", "validation/timing", "validation/rtl"),
    ),
    Book("ppnsim/memory/RULES.md", "M", ("ppnsim/memory", "ppnsim/placed", "validation/dram")),
    Book("ppnsim/messages/RULES.md", "L", ("ppnsim/messages", *_RUNS, "validation/loggp", "validation/ratss")),
    Book("ppnsim/platform/RULES.md", "P", (*_RUNS, "validation/ratss")),
    Book("ppnsim/placed/RULES.md", "N", ("ppnsim/placed", "tests/placed")),
]  # fmt: skip


@cache
def files(room: str, suffixes: frozenset[str]) -> tuple[Path, ...]:
    return tuple(sorted(path for path in (ROOT / room).rglob("*") if path.suffix in suffixes))


def names(text: str, letters: str) -> set[str]:
    """Return the rules and sections in a text; ``R1.3 to R1.5`` are three rules."""
    found = set(re.findall(rf"\b{letters}\d+(?:\.\d+)?\b", text))
    for section, first, last in re.findall(rf"\b({letters}\d+)\.(\d+) to \1\.(\d+)\b", text):
        found |= {f"{section}.{number}" for number in range(int(first), int(last) + 1)}
    return found


def books() -> pytest.MarkDecorator:
    return pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.path)


@books()
def test_every_rule_that_the_code_cites_is_in_its_book(book: Book) -> None:
    sections, rules, _ = book.headings()
    missing = {name: place for name, place in book.cited().items() if name not in sections | rules}
    assert not missing


@books()
def test_every_rule_of_a_book_is_cited_or_said_not_to_be_implemented(book: Book) -> None:
    _, rules, _ = book.headings()
    assert rules
    assert not rules - book.cited().keys()


@books()
def test_a_book_names_only_its_own_rules(book: Book) -> None:
    sections, rules, open_ = book.headings()
    assert not names(book.text, book.letters) - (sections | rules | open_)


def test_no_file_names_a_document_that_is_not_there() -> None:
    known = {path.name for path in ROOT.glob("*.md")} | {"report.md"}  # the report that the validation writes
    places = [(path, path.read_text(encoding="utf-8")) for room in ROOMS for path in files(room, DOCUMENTED)]
    known |= {path.name for path, _ in places if path.suffix == ".md"}
    named = {(name, path.relative_to(ROOT)) for path, text in places for name in re.findall(r"\b[A-Z]+\.md\b", text)}
    assert not {(name, path) for name, path in named if name not in known}
