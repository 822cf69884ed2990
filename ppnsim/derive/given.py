"""How cycles of statements are given: for all, by name, or for each execution; cheap to import for the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

EVERY = "*"  # in a mapping of cycles: all statements that it does not name

Cycles = int | Mapping[str, int]
Latencies = int | Mapping[str, int | Sequence[int]]  # a list has one for each execution


@dataclass(frozen=True, slots=True, kw_only=True)
class TimingFile:
    """Cycles by statement or function, and under ``*`` those of all others; a tuple is one latency per execution."""

    latency: Mapping[str, int | tuple[int, ...]] = field(default_factory=dict)
    ii: Mapping[str, int] = field(default_factory=dict)
