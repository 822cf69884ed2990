"""Tokens per firing as a pattern: ``2 x (1920 x 0), 1078 x (2 x 0, 1918 x 1)`` is a line buffer of a 1080p frame."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from string import digits

from ppnsim.errors import InputError

_MOST = 50_000_000  # firings of a pattern; more would be gigabytes
_WORDS = re.compile(r"\s*([0-9]+|[x(),]|\S)")
_FORM = "is not a pattern like '2 x 0, 3 x (0, 2 x 1)'"
_DEEPEST = 20
_DIGITS = 15
_LONG = 64  # numbers from which on a list is written as a pattern
_WIDEST = 12  # runs of equal numbers in what is looked for as a repetition


def is_pattern(value: object) -> bool:
    """Return whether a value is written as a pattern, and not a number in quotation marks."""
    return isinstance(value, str) and any(sign in value for sign in "x,(") and any(sign.isdecimal() for sign in value)


def pattern(text: str) -> tuple[int, ...]:
    """Return the numbers that a pattern stands for: ``N x`` repeats what follows, a number or terms in brackets.

    Raises
    ------
    InputError
        With the place where the text is not of this form; the message is the rest of a sentence that begins with it.

    Examples
    --------
    >>> pattern("3 x 0, 2 x (1, 2 x 0), 5")
    (0, 0, 0, 1, 0, 0, 1, 0, 0, 5)
    >>> pattern("0 x 5, 1")
    Traceback (most recent call last):
    ppnsim.errors.InputError: is not a pattern like '2 x 0, 3 x (0, 2 x 1)': '0 x' repeats nothing (leave it out)
    """
    words = _WORDS.findall(text)
    found, rest = _terms(words, 0, 0)
    if rest < len(words):
        raise _wrong(words, rest)
    return found


def pattern_text(numbers: Sequence[int]) -> str | None:
    """Return a long list as a pattern, None if a pattern is hardly shorter.

    Examples
    --------
    >>> pattern_text([0] * 40 + [0, 1, 1] * 30 + [5])
    '41 x 0, 29 x (2 x 1, 0), 2 x 1, 5'
    >>> pattern_text(range(100))
    """
    if len(numbers) < _LONG:
        return None
    runs = [(value, sum(1 for _ in same)) for value, same in groupby(numbers)]
    terms: list[str] = []
    at = 0
    while at < len(runs):
        times, wide = max(((_times(runs, at, wide), wide) for wide in range(2, _WIDEST + 1)), key=_saved)
        if times == 1:
            wide = 1
        said = ", ".join(f"{count} x {value}" if count > 1 else str(value) for value, count in runs[at : at + wide])
        terms.append(f"{times} x ({said})" if times > 1 else said)
        at += times * wide
    text = ", ".join(terms)
    return text if len(text) < len(numbers) else None


def _times(runs: Sequence[tuple[int, int]], at: int, wide: int) -> int:
    """Return how often so many runs stand behind each other from a place on."""
    times, first = 1, runs[at : at + wide]
    while len(first) == wide and runs[at + times * wide : at + (times + 1) * wide] == first:
        times += 1
    return times


def _saved(found: tuple[int, int]) -> int:
    return (found[0] - 1) * found[1]


def _terms(words: list[str], at: int, depth: int) -> tuple[tuple[int, ...], int]:
    """Return the numbers of terms with commas between them, and the place behind them."""
    first, at = _term(words, at, depth)
    found = list(first)
    while at < len(words) and words[at] == ",":
        more, at = _term(words, at + 1, depth)
        if len(found) + len(more) > _MOST:
            raise InputError(f"has more than {_MOST} numbers")
        found += more
    return tuple(found), at


def _term(words: list[str], at: int, depth: int) -> tuple[tuple[int, ...], int]:
    if at < len(words) and words[at] == "(" and depth < _DEEPEST:
        found, at = _terms(words, at + 1, depth + 1)
        if at == len(words) or words[at] != ")":
            raise _wrong(words, at)
        return found, at + 1
    if at == len(words) or words[at][0] not in digits or len(words[at]) > _DIGITS:
        raise _wrong(words, at)
    number = int(words[at])
    if at + 1 < len(words) and words[at + 1] == "x":
        if number == 0:
            raise InputError(f"{_FORM}: '0 x' repeats nothing (leave it out)")
        found, at = _term(words, at + 2, depth)
        if number * len(found) > _MOST:
            raise InputError(f"repeats {len(found)} numbers {number} times (at most {_MOST} in all)")
        return found * number, at
    return (number,), at + 1


def _wrong(words: list[str], at: int) -> InputError:
    if at == len(words):
        return InputError(f"{_FORM}: unfinished at its end")
    behind = f"behind '{' '.join(words[max(0, at - 4) : at])}'" if at else "at its beginning"
    only = f" (at most {_DIGITS} digits)" if len(words[at]) > _DIGITS else ""
    if words[at].isnumeric() and words[at][0] not in digits:
        only = " (digits are 0 to 9)"
    return InputError(f"{_FORM}: '{words[at]}' {behind}{only}")
