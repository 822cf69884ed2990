"""A path as functions of the library take it, and the error stream, where they say what was left out or assumed."""

from __future__ import annotations

import sys
from os import PathLike
from pathlib import Path

from ppnsim.report.folding import told_on

Place = str | PathLike[str]


def tell(sentence: str) -> None:
    """Write a sentence to the error stream."""
    print(told_on(sys.stderr, sentence), file=sys.stderr)  # noqa: T201


def may_have_a_region(file: Place) -> bool:
    """Return whether a source, as far as there is one, has the word of a dataflow region in it.

    Without it, it need not be followed to know; what is no file says so when it is read.
    """
    return not Path(file).is_file() or b"dataflow" in Path(file).read_bytes().lower()
