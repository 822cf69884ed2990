"""The data file, and how many tokens and firings a case costs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

Case = dict[str, Any]
FILE = "validation/dataflow/dataflow.json"


@cache
def load() -> dict[str, Any]:
    """Return the data file."""
    path = Path(__file__).with_name("dataflow.json")
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What one run of the SimPy engine may cost; what needs more waits for the compiled engine.

    Attributes
    ----------
    firings, tokens : of one run.
    sample : bounded points per graph at most, None = all.
    engine : that runs the PPNs.
    """

    firings: int
    tokens: int
    sample: int | None
    engine: str = "des"

    def __str__(self) -> str:
        return f"{self.firings} firings or {self.tokens} tokens"


QUICK = Budget(firings=10_000, tokens=1_000_000, sample=3, engine="compiled")
FULL = Budget(firings=500_000, tokens=100_000_000, sample=None)


def budget(quick: bool) -> Budget:
    """Return the budget of a quick or of a full run."""
    return QUICK if quick else FULL
