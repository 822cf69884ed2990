"""Finds git submodules around a source that are not checked out and may contain a missing header."""

from __future__ import annotations

import re
from pathlib import Path

_FURTHER = 8
_PATH = re.compile(r"^\s*path\s*=\s*(\S+)", re.MULTILINE)
_URL = re.compile(r"^\s*url\s*=\s*(\S+)", re.MULTILINE)


def in_submodule(header: str, message: str, source: str) -> str:
    """Return the words for a header that may be in a missing submodule, "" if no submodule is missing.

    A submodule is named if its name or address contains the first folder of the header, or if the ``message`` mentions
    its name. Otherwise all missing submodules are named.
    """
    around = Path(source).resolve()
    for root in around.parents[:_FURTHER]:
        if not (listed := root / ".gitmodules").is_file():
            if (root / ".git").exists():
                break
            continue
        text = listed.read_text(encoding="utf-8", errors="replace")
        pairs = zip(_PATH.findall(text), _URL.findall(text), strict=False)
        missing = {path: url for path, url in pairs if not _is_checked_out(root / path)}
        first = header.partition("/")[0] if "/" in header else ""
        own = [path for path, url in missing.items() if _may_contain(path, url, first, message)]
        if own:
            return f"'{own[0]}' is a submodule of git that is not checked out: git submodule update --init {own[0]}"
        if missing:
            return (
                f"it may be in a submodule of git that is not checked out ({', '.join(missing)}): "
                f"git submodule update --init"
            )
        break
    return ""


def _is_checked_out(folder: Path) -> bool:
    return folder.is_dir() and any(folder.iterdir())


def _may_contain(path: str, url: str, first: str, message: str) -> bool:
    names = {Path(path).name, Path(url).name.removesuffix(".git")}
    return first in names or any(name in message for name in names)
