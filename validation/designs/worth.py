"""What each rule of the scheduler is worth: how near the functions that it changes are with it, and without it.

``python -m validation.designs.worth DIR [WORD ...]`` schedules the published designs and the functions with a report
whose name holds one of the words: once with all rules, where each rule tells whether it has an effect, then without
each rule those on which it has one, at most ``DRAWN`` of them. It prints the table, and with ``--record`` keeps it in
``worth.md``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from mmap import mmap
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from validation.designs.asked import asked
from validation.designs.depths import reports_of
from validation.designs.own import own_design
from validation.designs.real import LIST, answers
from validation.designs.removals import KEPT, REMOVALS, without
from validation.designs.section import OTHERS, designs

RECORD = Path(__file__).with_name("worth.md")
DRAWN = 24
"""Functions that are scheduled again without a rule: what it is worth is seen on them, and all take some hours."""
HEAD = (
    "| without | asked | changes | worse | better | within 1 % | within 10 % | intervals right |\n" + "|---" * 8 + "|\n"
)
ABOUT = """# What each rule is worth

Each rule is removed alone, and functions are scheduled without it: {functions} published designs with RTL cycles, and
functions as people wrote them with a report ([rules](../../ppnsim/hls/RULES.md), [how](removals.py)); of those on which
the rule may have an effect at most {drawn}, drawn by the hash of their names. The columns: the functions asked, of how
many; those whose cycles or intervals change; those that are farther from RTL or report without the rule, and nearer
(which speaks against it); of the changed ones, those within 1 % and 10 % and the loops with the right initiation
interval, each with the rule and without. `python -m validation.designs.worth DIR --record` writes this.

"""


@dataclass(frozen=True, slots=True)
class Figure:
    """A function: the share by which its cycles are off, 1 if it is refused, and its loops with the right interval."""

    error: float
    right: int = 0


Ask = Callable[[], Figure]


@dataclass(frozen=True, slots=True)
class Worth:
    """Functions on which a rule may have an effect, with all rules and without it; ``out_of`` so many."""

    rule: str
    with_it: tuple[Figure, ...]
    without_it: tuple[Figure, ...]
    out_of: int

    @property
    def changed(self) -> list[tuple[Figure, Figure]]:
        """The functions that are scheduled otherwise without the rule: with it, without it."""
        pairs = zip(self.with_it, self.without_it, strict=True)
        return [(yes, no) for yes, no in pairs if yes != no]

    def __str__(self) -> str:
        """Return the row of the table.

        Examples
        --------
        >>> str(Worth("R9.9", (Figure(0.0, 3), Figure(0.02, 1)), (Figure(0.5, 2), Figure(0.01, 1)), 7))
        '| R9.9 | 2 of 7 | 2 | 1 | 1 | 1 to 1 | 2 to 1 | 4 to 3 |'
        """
        worse = sum(no.error > yes.error for yes, no in self.changed)
        better = sum(no.error < yes.error for yes, no in self.changed)
        sides = list(zip(*self.changed, strict=True)) or [(), ()]
        within = [" to ".join(str(sum(each.error <= most for each in side)) for side in sides) for most in (0.01, 0.1)]
        right = " to ".join(str(sum(each.right for each in side)) for side in sides)
        asked = f"{len(self.with_it)} of {self.out_of}"
        changes = f"{len(self.changed)} | {worse} | {better}"
        return f"| {self.rule} | {asked} | {changes} | {within[0]} | {within[1]} | {right} |"


def asks(folder: Path, words: Sequence[str]) -> dict[str, Ask]:
    """Return how each design, and each function that has a report of its source, is scheduled."""
    found: dict[str, Ask] = {each["design"]: partial(_design, each, folder) for each in (*designs(), *designs(OTHERS))}
    for entry in json.loads(LIST.read_text(encoding="utf-8"))["functions"]:
        if entry.get("ref_cycles_max") and not entry.get("other"):
            found[f"{entry['repo']}/{entry['path']}:{entry['function']}"] = partial(_function, entry, folder)
    return {name: ask for name, ask in found.items() if not words or any(word in name for word in words)}


def _design(design: dict[str, Any], folder: Path) -> Figure:
    """Schedule a design in a process of its own: what one remembers of programs is of the rules that it has."""
    checkout = folder / "UCLA-VAST+Stream-HLS"
    with get_context("fork").Pool(1) as pool:
        found = pool.apply(own_design, (design, checkout, reports_of(checkout / design["source"])))
    right = sum(loop.right for loop in found.loops)
    return Figure(1.0 if found.refused else abs(found.cycles / found.rtl - 1), right)


def _function(entry: Mapping[str, Any], folder: Path) -> Figure:
    (found,) = answers([entry], folder)
    return Figure(1.0 if found.error is None else found.error)


def worths(asking: Mapping[str, Ask]) -> Iterator[Worth]:
    """Yield what each rule is worth on functions; first all are scheduled with all rules."""
    effects = {name: mmap(-1, len(REMOVALS)) for name in asking}
    usual: dict[str, Figure] = {}
    for name, ask in asking.items():
        with ExitStack() as watching:
            for n, removal in enumerate(REMOVALS.values()):
                watching.enter_context(without(removal.watched(partial(effects[name].__setitem__, n, 1))))
            usual[name] = ask()
    for n, (rule, removal) in enumerate(REMOVALS.items()):
        concerned = sorted((name for name in asking if effects[name][n]), key=_drawn)
        drawn = concerned[:DRAWN]
        with without(removal):
            found = tuple(asking[name]() for name in drawn)
        yield Worth(rule, tuple(usual[name] for name in drawn), found, len(concerned))


def _drawn(name: str) -> bytes:
    return sha256(name.encode()).digest()


def page(found: Sequence[Worth], functions: int) -> str:
    """Return the record: what the columns say, rows of the rules that change an answer, and the names of the others."""
    idle = [f"{each.rule} ({len(each.with_it)} of {each.out_of})" for each in found if not each.changed]
    rows = "".join(f"{each}\n" for each in found if each.changed)
    return (
        ABOUT.format(functions=functions, drawn=DRAWN)
        + HEAD
        + rows
        + ("\nNo answer changes: " + "; ".join(idle) + ".\n") * bool(idle)
        + "\nNothing can stand in the place of the other rules:\n\n"
        + "".join(f"- {what}: {', '.join(rules.split())}\n" for what, rules in KEPT.items())
    )


def main(arguments: Sequence[str]) -> None:
    """Print a row for each rule, and keep the table if that is asked for."""
    given = asked("validation.designs.worth", __doc__, arguments, record=f"keep it in {RECORD.name}")
    asking = asks(given.folder, given.words)
    found = []
    sys.stdout.write(HEAD)
    for worth in worths(asking):
        found.append(worth)
        sys.stdout.write(f"{worth}\n")
        sys.stdout.flush()
    if given.record:
        RECORD.write_text(page(found, len(asking)), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
