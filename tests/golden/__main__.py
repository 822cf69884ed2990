"""Writes anew what commands and the library tell, all or those that are named, and shows the differences."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial

from tests.golden.edits import edits, told_of_edits
from tests.golden.figures import figures, told_figure
from tests.golden.records import records, told_record
from tests.golden.snippets import snippets, told_of
from tests.golden.told import TOLD, answers, commands, differences, told, told_by_library


def main(names: list[str]) -> int:
    """Record; the exit code is 0."""
    tell: dict[str, Callable[[], str]] = {name: partial(told, command) for name, command in commands().items()}
    tell |= {name: partial(told_by_library, asked) for name, asked in answers().items()}
    tell |= {name: partial(told_of, name) for name in snippets()}
    tell |= {name: partial(told_figure, name) for name in figures()}
    tell |= {name: partial(told_of_edits, name) for name in edits()}
    tell |= {name: partial(told_record, name) for name in records()}
    for name in names or tell:
        path, now = TOLD / f"{name}.txt", tell[name]()
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        if found := differences(before, now):
            print(f"{name}: {len(found)} lines", *found[:10], sep="\n    ")  # noqa: T201
            path.write_text(now, encoding="utf-8")
    if not names:
        for path in TOLD.glob("*.txt"):
            if path.stem not in tell:
                path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
