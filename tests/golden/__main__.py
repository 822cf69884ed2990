"""Writes anew what commands and the library tell, all or those that are named, and shows the differences."""

from __future__ import annotations

import sys

from tests.golden.told import TOLD, answers, commands, differences, told, told_by_library


def main(names: list[str]) -> int:
    """Record; the exit code is 0."""
    known, asked = commands(), answers()
    for name in names or [*known, *asked]:
        path, now = TOLD / f"{name}.txt", told(known[name]) if name in known else told_by_library(asked[name])
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        if found := differences(before, now):
            print(f"{name}: {len(found)} lines", *found[:10], sep="\n    ")  # noqa: T201
            path.write_text(now, encoding="utf-8")
    if not names:
        for path in TOLD.glob("*.txt"):
            if path.stem not in (*known, *asked):
                path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
