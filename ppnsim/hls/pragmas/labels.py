"""Labels of loops: the names by which scripts and reports of the tool know them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ppnsim.c.pragmas.text import without_comments
from ppnsim.hls.pragmas.directives import Scope, scope_of
from ppnsim.loops.program import Loop

_LABEL = re.compile(r"(?:^|[;{}):]|\belse\b)\s*(?!default\b)([A-Za-z_]\w*)\s*:\s*$")
"""The label before a loop."""
_CASE = re.compile(r"\bcase\b(?:[^:;{}]|::)*:\s*$")
"""A ``case`` label of a ``switch`` before a loop; its value may be an enumerator with its scope."""


def labels(sources: Mapping[str, str], loops: Sequence[Loop]) -> dict[Scope, str]:
    r"""Return the label of each loop that has one.

    Examples
    --------
    >>> from ppnsim.loops.program import Position
    >>> rows = Loop(iterator="i", first=(), last=(), position=Position("a.cpp", 2, 1))
    >>> labels({"a.cpp": "rows: // all of them\nfor (int i = 0; i < 4; i++) f(i);"}, [rows])
    {('a.cpp', 2, 1): 'rows'}
    """
    clean = {file: without_comments(text).splitlines() for file, text in sources.items()}
    raw = {file: text.splitlines() for file, text in sources.items()}
    found = {}
    for loop in loops:
        lines, at = clean.get(loop.position.file, []), loop.position.line - 1
        if not 0 <= at < len(lines):
            continue
        before = without_comments(raw[loop.position.file][at][: max(0, loop.position.column - 1)])
        while not before.strip() and at > 0 and not lines[at - 1].strip().startswith("#"):
            at -= 1
            before = lines[at]
        if not _CASE.search(before) and (match := _LABEL.search(before)):
            found[scope_of(loop)] = match[1]
    return found
