"""Statements that ask the tool for a state of its own, ``ap_wait()``: no state is made of them, which is said."""

from __future__ import annotations

import re

from ppnsim.c.pragmas.text import without_comments
from ppnsim.hls.pragmas.sources import sources_of
from ppnsim.loops.program import LoopProgram

_WAIT = re.compile(r"\bap_wait(?:_n|_until)?\s*\(")


def waits(program: LoopProgram) -> list[str]:
    """Return a sentence with the lines of a program's sources that wait, if there are any."""
    lines = sorted(
        number
        for text in sources_of(program).values()
        for number, line in enumerate(without_comments(text).splitlines(), start=1)
        if _WAIT.search(line)
    )
    listed = ", ".join(map(str, lines))
    return [f"ap_wait in line {listed} takes no state here, and one or as many as it says in hardware"] if lines else []
