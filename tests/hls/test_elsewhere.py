"""The short sources once more, on other devices at other clocks: what holds for one release may not for the next."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import chdir
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from ppnsim.hls.library.library import load_library
from ppnsim.hls.rules import TOOL
from tests.golden.snippets import WITH_TYPES, scheduled_in, snippets, source_of
from tests.golden.told import TOLD, differences

_KINDS = (
    "snippets_bodies",
    "snippets_directives",
    "snippets_kernels",
    "snippets_local",
    "snippets_reals",
    "snippets_rare_hardware",
)
_PLACES = (
    ("xcu280-fsvh2892-2L-e", 3.33, TOOL),
    ("xc7z020", 3.4, replace(TOOL, balance=True)),
    ("xczu7ev", 20, replace(TOOL, release="2022.2")),
)
_WIDE = 100  # characters that are shown of a kernel's loops


def elsewhere() -> str:
    """Return of each short source the cycles and loops in each place, and a number that all the rest changes."""
    return "".join(map(_section, _KINDS))


def _section(kind: str) -> str:
    with TemporaryDirectory() as folder, chdir(folder):
        return "".join(f"{line}\n" for line in (f"== {kind}", *_of_kind(kind)))


def _of_kind(kind: str) -> Iterator[str]:
    places = [(load_library(device, clock), rules) for device, clock, rules in _PLACES]
    name = "k.cpp" if kind in WITH_TYPES else "k.c"
    for line in snippets()[kind]:
        Path(name).write_text(source_of(kind, line), encoding="utf-8")
        given = {"n": 5} if kind in ("snippets_bodies", "snippets_directives") or "int n)" in line else {}
        yield line
        for told in scheduled_in(name, given, places):
            figures = " ".join(each.strip() for each in told if "cycles" in each or ": II " in each or "no " in each)
            number = sha256("\n".join(told).encode()).hexdigest()[:8]
            yield f"    {number} {figures[:_WIDE]}"


@pytest.mark.parametrize("kind", _KINDS)
def test_short_sources_are_scheduled_elsewhere_as_recorded(kind: str) -> None:
    sections = re.split("(?m)^(?=== )", (TOLD / "elsewhere.txt").read_text(encoding="utf-8"))
    before = next(each for each in sections if each.startswith(f"== {kind}\n"))
    assert differences(before, _section(kind)) == [], "if it is meant: python -m tests.golden elsewhere"
