"""Reads template arguments of methods, which clang's C interface only gives for functions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence


def values_of_method(usr: str, method: str, names: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Yield the integers before the first type among the template arguments of a method, and those after types.

    They are part of clang's unified symbol name of the method (its USR).

    Examples
    --------
    >>> list(values_of_method("c:@S@U@F@f<#VI8#S#VI-2>#*I#", "f", ["W", "T", "N"]))
    [('W', 8), ('N', -2)]
    """
    given = re.search(rf"@F@{re.escape(method)}<((?:#[^#<>]*)*)(>?)", usr)
    parts = given[1].split("#")[1:] if given is not None else []
    numbers = [re.fullmatch(r"V[a-zA-Z](-?\d+)", each) for each in parts]
    whole = given is not None and given[2] == ">" and len(parts) == len(names)
    first = next((place for place, each in enumerate(numbers) if each is None), len(numbers))
    for place, each in enumerate(numbers if whole else numbers[:first]):
        if each is not None:
            yield names[place], int(each[1])
