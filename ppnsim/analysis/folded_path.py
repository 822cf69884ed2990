"""A path as words in which parts that repeat stand once, with how often: exact, and short where loops made the path."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ppnsim.arrays import Int64Array

_LONGEST = 64  # steps of a part that repeats; parts within parts count once
_SAVES = 3  # steps, or the part is written out

Part = str | tuple[tuple[int, ...], int]


def folded_path(steps: Sequence[str]) -> str:
    """Return the steps of a path with arrows between them.

    Examples
    --------
    >>> folded_path(["read", *["gain", "detect"] * 512, "write"])
    'read -> (gain -> detect) x 512 -> write'
    >>> folded_path((["a", *["b"] * 4] * 3 + ["c"]) * 5)
    '((a -> b x 4) x 3 -> c) x 5'
    """
    number = {name: place for place, name in enumerate(dict.fromkeys(steps))}
    parts: list[Part] = list(number)
    known: dict[Part, int] = {}
    known.update(number)
    path = np.array([number[name] for name in steps], dtype=np.int64)
    length = 1
    while length <= min(_LONGEST, len(path) // 2):
        shorter = _folded(path, length, parts, known)
        length = 1 if len(shorter) < len(path) else length + 1
        path = shorter
    return " -> ".join(_words(each, parts) for each in path.tolist())


def _folded(path: Int64Array, length: int, parts: list[Part], known: dict[Part, int]) -> Int64Array:
    """Return a path in which parts of this length that come several times in a row are one step."""
    same = np.concatenate([[False], path[length:] == path[:-length], [False]])
    begins, ends = np.flatnonzero(np.diff(same.astype(np.int8))).reshape(-1, 2).T
    kept: list[Int64Array] = []
    done = 0
    for first, last in zip(begins.tolist(), ends.tolist(), strict=True):
        begin = max(first, done)
        times = (last - begin) // length + 1
        if (times - 1) * length >= _SAVES:
            part = tuple(path[begin : begin + length].tolist()), times
            if part not in known:
                known[part] = len(parts)
                parts.append(part)
            kept += [path[done:begin], np.array([known[part]], dtype=np.int64)]
            done = begin + times * length
    return np.concatenate([*kept, path[done:]])


def _words(number: int, parts: Sequence[Part]) -> str:
    part = parts[number]
    if isinstance(part, str):
        return part
    inside, times = part
    words = " -> ".join(_words(each, parts) for each in inside)
    return f"{words if len(inside) == 1 else f'({words})'} x {times}"
