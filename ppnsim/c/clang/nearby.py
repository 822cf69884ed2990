"""Headers that no folder of the command line has, looked for around the source."""

from __future__ import annotations

import os
import re
from pathlib import Path

_MISSING = re.compile(r"(?:.+?):\d+:\d+: header '([\w./-]+)' is not found")
_LEVELS = 2
"""Folders above that of the source whose trees are looked through."""
_MOST = 4000
"""Files and folders of a tree that are looked at; of a larger one nothing is taken."""


def folders_with(header: str, source: str) -> list[str]:
    """Return the folders from which a header can be included: below that of a source, else below one above it."""
    around = Path(source).resolve().parent
    for root in (around, *around.parents[:_LEVELS]):
        if len(root.parts) < 3:
            break  # a folder of the machine, not of a project
        if found := _below(root, header):
            return found
    return []


def missing(words: str) -> str | None:
    """Return the header that an error says is not found, None for other errors.

    Examples
    --------
    >>> missing("top.cpp:1:10: header 'sizes.h' is not found; give its folder with -I")
    'sizes.h'
    """
    found = _MISSING.match(words)
    return found[1] if found is not None and not found[1].startswith("/") else None


def _below(root: Path, header: str) -> list[str]:
    parts, found, seen = Path(header).parts, [], 0
    for folder, below, files in os.walk(root):
        below[:] = sorted(each for each in below if not each.startswith("."))
        seen += len(below) + len(files)
        if seen > _MOST:
            return []
        at = Path(folder)
        if parts[-1] in files and at.parts[len(at.parts) - len(parts) + 1 :] == parts[:-1]:
            found.append(str(at.parents[len(parts) - 2] if len(parts) > 1 else at))
    return found
