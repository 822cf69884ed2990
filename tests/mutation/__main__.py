"""The command: draws mutants with a seed, runs their tests, and lists those that nobody noticed."""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.coverage import DATA
from tests.mutation.journal import FILE, SURVIVED, Entry, begun, read, write
from tests.mutation.judge import Judge
from tests.mutation.mutants import Mutant, mutants
from tests.mutation.runs import warm_up
from tests.mutation.tree import ROOT, copied
from tests.mutation.verdicts import equivalents, stale

OVERALL, PER_ROOM = 0.95, 0.90


def room_of(file: str) -> str:
    """Return the room of a file; files at the top are one room."""
    parts = file.split("/")
    return parts[1] if len(parts) > 2 else "ppnsim"


def drawn(seed: int, count: int, room: str | None, place: str | None) -> list[Mutant]:
    """Return mutants, the rooms taking turns; of a place ``FILE[:LINE]``, every one that it has."""
    files = sorted(
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "ppnsim").rglob("*")
        if path.suffix in (".py", ".toml") and "scenarios" not in path.parts
    )
    if place is not None:
        name, _, line = place.partition(":")
        return [each for each in _of(name) if not line or each.line <= int(line) <= each.last]
    by_room: dict[str, list[Mutant]] = {}
    for file in files:
        if room in (None, room_of(file)):
            by_room.setdefault(room_of(file), []).extend(_of(file))
    generator = random.Random(seed)
    orders = [generator.sample(found, len(found)) for _, found in sorted(by_room.items())]
    turns = (order[turn] for turn in range(max(map(len, orders), default=0)) for order in orders if turn < len(order))
    return [mutant for _, mutant in zip(range(count), _programs(turns), strict=False)]


def survivors(log: str) -> list[Mutant]:
    """Return the mutants that an earlier run calls survivors, as far as their lines are still there."""
    found = re.findall(r"^\d+ (\S+):\d+\n    - (.*)\n    \+ (.*)\n    (?:SURVIVED|survived)", log, re.MULTILINE)
    wanted = {(file, was, now) for file, was, now in found if (ROOT / file).exists()}
    files = sorted({file for file, _, _ in wanted})
    return [each for file in files for each in _of(file) if (each.file, each.was, each.now) in wanted]


def _of(file: str) -> list[Mutant]:
    return mutants(file, (ROOT / file).read_text(encoding="utf-8"))


def _programs(found: Iterator[Mutant]) -> Iterator[Mutant]:
    return (each for each in found if each.is_program((ROOT / each.file).read_text(encoding="utf-8")))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit code is 0 if enough mutants are noticed, else 1."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="which mutants are drawn")
    parser.add_argument("--count", type=int, default=300, metavar="N", help="how many (default %(default)s)")
    parser.add_argument("--skip", type=int, default=0, metavar="N", help="leave out the first ones: go on with a batch")
    parser.add_argument("--room", help="of one room only")
    parser.add_argument("--file", metavar="F[:LINE]", help="every mutant of a file or line, none drawn")
    parser.add_argument("--again", type=Path, metavar="LOG", help="the survivors of an earlier run, none drawn")
    parser.add_argument("--most", type=float, default=60, metavar="SECONDS", help="of tests, for one mutant")
    parser.add_argument(
        "--journal", type=Path, metavar="FILE", help=f"the batch and its verdicts, to go on with (kept: {FILE.name})"
    )
    given = parser.parse_args(arguments)
    if not DATA.exists():
        parser.error(f"{DATA.name} is missing: measure once with `python -m tests.coverage`")
    warm_up()
    if given.journal is not None and given.journal.exists():
        entries = read(given.journal)
    elif given.again:
        entries = begun(survivors(given.again.read_text(encoding="utf-8")))
    else:
        entries = begun(drawn(given.seed, given.count, given.room, given.file)[given.skip :])
    with copied() as tree:
        judge = Judge(tree, given.most)
        try:
            _go_on(judge, entries, given.journal)
        finally:
            judge.close()
    return summary(entries)


def _go_on(judge: Judge, entries: list[Entry], journal: Path | None) -> None:
    """Judge what is open; what survived before comes again, last."""
    for number, entry in sorted(enumerate(entries, start=1), key=lambda each: each[1].verdict == SURVIVED):
        if entry.is_open and entry.mutant is not None:
            entry.verdict, tests = judge.verdict(entry.mutant)
            print(f"{number} {entry.mutant}\n    {entry.verdict} ({tests} tests)", flush=True)  # noqa: T201
            if journal is not None:
                write(journal, entries)


def summary(entries: Sequence[Entry]) -> int:
    """Print how many mutants were noticed, by room; return 1 if that is not enough, else 0."""
    noticed: Counter[str] = Counter()
    alive: Counter[str] = Counter()
    for each in entries:
        if each.verdict == SURVIVED:
            alive[room_of(each.file)] += 1
        elif each.verdict is not None and each.verdict.startswith("noticed"):
            noticed[room_of(each.file)] += 1
    enough = True
    for room in sorted({*noticed, *alive}):
        rate = noticed[room] / (noticed[room] + alive[room])
        enough &= rate >= PER_ROOM
        print(f"{room:<16}{noticed[room]:>4} noticed {alive[room]:>3} survived {rate:>7.1%}")  # noqa: T201
    for gone in stale(equivalents()):
        print(f"verdict about a line that is gone: {gone}")  # noqa: T201
    total = noticed.total() / max(1, noticed.total() + alive.total())
    print(f"{'all':<16}{noticed.total():>4} noticed {alive.total():>3} survived {total:>7.1%}")  # noqa: T201
    others = Counter((each.verdict or "not yet run").split(":")[0] for each in entries)
    print(", ".join(f"{count} {word}" for word, count in others.items() if not word.startswith("noticed")))  # noqa: T201
    return 0 if enough and total >= OVERALL else 1


if __name__ == "__main__":
    sys.exit(main())
