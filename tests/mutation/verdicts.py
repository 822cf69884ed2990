"""Mutants that no test can notice, each with its reason, in ``equivalent.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from tests.mutation.mutants import Mutant, mutants
from tests.mutation.tree import ROOT

FILE = Path(__file__).with_name("equivalent.toml")


def equivalents(path: Path = FILE) -> dict[tuple[str, str, str], str]:
    """Return why mutants are equivalent, by file and by the lines before and after."""
    rows = tomllib.loads(path.read_text(encoding="utf-8")).get("equivalent", [])
    return {(row["file"], row["was"], row["now"]): row["why"] for row in rows}


def reason(mutant: Mutant, known: dict[tuple[str, str, str], str]) -> str | None:
    """Return why a mutant is equivalent, None if nothing says so."""
    return known.get((mutant.file, mutant.was, mutant.now))


def stale(known: Mapping[tuple[str, str, str], str]) -> list[str]:
    """Return the verdicts about mutants that there are no longer: their lines have changed."""
    found = []
    for file, was, now in known:
        text = (ROOT / file).read_text(encoding="utf-8") if (ROOT / file).exists() else ""
        if not any((each.was, each.now) == (was, now) for each in mutants(file, text)):
            found.append(f"{file}: {was}")
    return found
