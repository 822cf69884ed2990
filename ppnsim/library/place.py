"""A path as functions of the library take it, and the error stream, where they say what was left out or assumed."""

from __future__ import annotations

import sys
from os import PathLike

from ppnsim.report.folding import told_on

Place = str | PathLike[str]


def tell(sentence: str) -> None:
    """Write a sentence to the error stream."""
    print(told_on(sys.stderr, sentence), file=sys.stderr)  # noqa: T201
