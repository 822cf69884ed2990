"""The command: draws mutants with a seed, runs their tests, and lists those that nobody noticed."""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tests.coverage import DATA
from tests.mutation.mutants import Mutant, mutants
from tests.mutation.runs import pytest_in, tests_in, warm_up
from tests.mutation.selection import Selection
from tests.mutation.tree import ROOT, applied, copied
from tests.mutation.verdicts import equivalents, reason, stale

OVERALL, PER_ROOM = 0.95, 0.90
BY, ENDLESS = "noticed by ", "noticed: no end, or a crash"
FIRST = 25  # tests that are tried alone: most mutants end there, and to collect more takes longer than to run them


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
    found = re.findall(r"^\d+ (\S+):\d+\n    - (.*)\n    \+ (.*)\n    SURVIVED", log, re.MULTILINE)
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
    given = parser.parse_args(arguments)
    if not DATA.exists():
        parser.error(f"{DATA.name} is missing: measure once with `python -m tests.coverage`")
    warm_up()
    if given.again:
        batch = survivors(given.again.read_text(encoding="utf-8"))
    else:
        batch = drawn(given.seed, given.count, given.room, given.file)[given.skip :]
    with copied() as tree:
        return _judged(batch, tree, given.most)


def _judged(batch: list[Mutant], tree: Path, most: float) -> int:
    seen = pytest_in(tree, ["--collect-only"], {"PYTHONPATH": str(tree)}, 300)
    if not seen.collected:
        print((tree.parent / "output").read_text(encoding="utf-8"), file=sys.stderr)  # noqa: T201
        return 2
    selection, known = Selection(seen.collected), equivalents()
    noticed: Counter[str] = Counter()
    alive: Counter[str] = Counter()
    sound: set[str] = set()  # tests that are known to pass where nothing is wrong
    for number, mutant in enumerate(batch, start=1):
        tests = selection.related(mutant, most)
        why = reason(mutant, known)
        with applied(mutant, tree) as environment:
            word = _noticed(mutant, tree, environment, selection, tests)
        by = [word.removeprefix(BY)] if word and word.startswith(BY) else tests if word == ENDLESS else []
        if not sound.issuperset(by):
            alone = tests_in(tree, by, environment, selection.limit(by))
            if alone.code != 0:
                failed = alone.failed or "what was run"
                raise RuntimeError(f"{failed} fails without any mutant too, and proves nothing about {mutant}")
            sound.update(by)
        if word is None and why is not None:
            word = f"equivalent: {why}"
        else:
            (alive if word is None else noticed)[room_of(mutant.file)] += 1
        print(f"{number} {mutant}\n    {word or 'SURVIVED'} ({len(tests)} tests)", flush=True)  # noqa: T201
    return _summary(noticed, alive)


def _noticed(
    mutant: Mutant, tree: Path, environment: Mapping[str, str], selection: Selection, tests: Sequence[str]
) -> str | None:
    """Return how a mutant is noticed, by few tests or else by the others; None if it is not."""
    for some in (tests[:FIRST], tests[FIRST:]):
        told = tests_in(tree, some, environment, selection.limit(some)) if some else None
        if told is None or told.code == 0 or (told.code == 5 and not told.collected):
            continue
        if told.code is None:
            return ENDLESS
        if told.failed is not None:
            return f"{BY}{told.failed}"
        if told.code == 2:
            return "noticed: it cannot even be imported"
        text = (tree.parent / "output").read_text(encoding="utf-8", errors="replace")
        raise RuntimeError(f"pytest ended with {told.code}, which says nothing about {mutant}:\n{text}")
    return None


def _summary(noticed: Counter[str], alive: Counter[str]) -> int:
    enough = True
    for room in sorted({*noticed, *alive}):
        rate = noticed[room] / (noticed[room] + alive[room])
        enough &= rate >= PER_ROOM
        print(f"{room:<12}{noticed[room]:>4} noticed {alive[room]:>3} survived {rate:>7.1%}")  # noqa: T201
    for each in stale(equivalents()):
        print(f"verdict about a line that is gone: {each}")  # noqa: T201
    total = noticed.total() / max(1, noticed.total() + alive.total())
    print(f"{'all':<12}{noticed.total():>4} noticed {alive.total():>3} survived {total:>7.1%}")  # noqa: T201
    return 0 if enough and total >= OVERALL else 1


if __name__ == "__main__":
    sys.exit(main())
