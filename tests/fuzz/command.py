"""The command: runs one kind until the time is over or a claim fails; a failure is shrunk and written to a file."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from tests.fuzz.bulk import run_bulk
from tests.fuzz.bulk_kinds import bulk_kinds
from tests.fuzz.kinds import KINDS
from tests.fuzz.search import search


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 0 nothing found, 1 a claim failed, 130 interrupted."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("kind", choices=KINDS, help="; ".join(f"{name}: {kind.claim}" for name, kind in KINDS.items()))
    parser.add_argument(
        "--seconds", type=float, default=60, metavar="N", help="how long to search (default %(default)g)"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="where to begin; the same seed does the same")
    parser.add_argument("--most", type=int, metavar="N", help="stop after so many examples")
    parser.add_argument("--out", type=Path, default=Path(), metavar="DIR", help="where a reproducer is written")
    parser.add_argument(
        "--bulk", action="store_true", help="smaller examples, many times as many: drawn by seed, checked in batches"
    )
    parser.add_argument(
        "--journal", type=Path, metavar="FILE", help="with --bulk: count what was run in FILE, and go on where it ends"
    )
    given = parser.parse_args(arguments)
    if given.bulk:
        found = run_bulk(
            bulk_kinds()[given.kind], seconds=given.seconds, seed=given.seed, most=given.most, journal=given.journal,
            name=given.kind,
        )  # fmt: skip
    else:
        found = search(KINDS[given.kind], seconds=given.seconds, seed=given.seed, most=given.most)
    print(f"{given.kind}: {found.examples} examples in {found.seconds:.1f} s from seed {given.seed}")  # noqa: T201
    if found.failure is not None:
        place = given.out / f"{given.kind}-{found.seed}{KINDS[given.kind].suffix}"
        place.write_text(found.reproducer, encoding="utf-8")
        print(f"a claim failed: {found.failure}\nsmallest example: {place}")  # noqa: T201
        return 1
    return 130 if found.interrupted else 0
