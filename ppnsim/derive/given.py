"""How cycles of statements are given: for all, by name, or for each execution; cheap to import for the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

EVERY = "*"  # in a mapping of cycles: all statements that it does not name

Cycles = int | Mapping[str, int]
Latencies = int | Mapping[str, int | Sequence[int]]  # a list has one for each execution
