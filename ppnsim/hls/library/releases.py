"""The releases of the tool: Vivado HLS until 2020.1, Vitis HLS from 2020.1 on."""

from __future__ import annotations

import re

from ppnsim.errors import InputError

FIRST, LAST = 2012, 2025
"""The first and the last year with releases that are known here."""


def check_release(release: str, where: str) -> None:
    """Raise `InputError` if the tool has no such release.

    Examples
    --------
    >>> check_release("2022.2", "--release")
    >>> check_release("2022.9", "--release")
    Traceback (most recent call last):
    ...
    ppnsim.errors.InputError: --release: '2022.9' is no release of the tool, like 2022.2: it has 2022.1 and 2022.2

    Source: the vendor's archive of downloads (AMD), 2012.1 to 2025.2.
    """
    found = re.fullmatch(r"(20\d\d)\.(\d)", release)
    year = int(found[1]) if found else 0
    if found and FIRST <= year <= LAST and 1 <= int(found[2]) <= _numbers(year):
        return
    known = f"YEAR.1 to YEAR.4 from {FIRST} to 2017, to 2018.3, and YEAR.1 and YEAR.2 from 2019 to {LAST}"
    if FIRST <= year <= LAST:
        numbers = [f"{year}.{n + 1}" for n in range(_numbers(year))]
        known = f"{', '.join(numbers[:-1])} and {numbers[-1]}"
    raise InputError(f"'{release}' is no release of the tool, like 2022.2: it has {known}", where=where)


def _numbers(year: int) -> int:
    """Return how many releases a year has."""
    return 4 if year < 2018 else 3 if year == 2018 else 2
