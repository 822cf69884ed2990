"""Whether a source is written for high-level synthesis: its pragmas and its headers say so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from ppnsim.c.pragmas.text import hls_pragmas, without_comments

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^">\n]+)[">]', re.MULTILINE)
_HEADER = re.compile(r"(hls_\w+|ap_\w+|hls/\S+)\.h")
_OF_FUNCTIONS = ("inline", "top")
"""Pragmas that say which functions there are, and nothing of the hardware."""


def marked(files: Sequence[str], include: Sequence[str] = ()) -> bool:
    """Return whether sources, or headers of theirs, have pragmas of high-level synthesis or include its headers.

    Parameters
    ----------
    files : the sources; those that are not there have no marks.
    include : folders of headers.

    Examples
    --------
    >>> from ppnsim.formats.shipped import directory
    >>> marked([str(directory() / "kernels" / "gemm.c")]), marked([str(directory() / "hls" / "subtract_mean.cpp")])
    (False, True)
    """
    return any(map(_has_mark, _texts(files, include)))


def _has_mark(text: str) -> bool:
    if any(_HEADER.fullmatch(name) for name in _INCLUDE.findall(without_comments(text))):
        return True
    return any(each.name not in _OF_FUNCTIONS for each in hls_pragmas("", text))


def _texts(files: Sequence[str], include: Sequence[str]) -> Iterator[str]:
    """Yield the text of each source and of each header that is found, every file once."""
    waiting, seen = [Path(each) for each in files], set[Path]()
    while waiting:
        path = waiting.pop()
        if path in seen or not path.is_file():
            continue
        seen.add(path)
        yield (text := path.read_text(encoding="utf-8", errors="replace"))
        folders = [path.parent, *map(Path, include)]
        waiting += (folder / name for name in _INCLUDE.findall(without_comments(text)) for folder in folders)
