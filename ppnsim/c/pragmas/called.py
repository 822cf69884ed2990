"""Evaluates calls of functions in the clauses of pragmas: ``#pragma HLS stream variable=s depth=ceil_div(N, 4)``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ppnsim.c.pragmas.numbers import called, with_results
from ppnsim.c.pragmas.text import PragmaLine


def calls_in(
    pragmas: Sequence[PragmaLine], values: Mapping[str, int], result: Callable[[str, tuple[int, ...]], int | None]
) -> dict[str, int]:
    """Return the results of the calls in pragmas, as far as ``result`` knows them.

    Examples
    --------
    >>> from ppnsim.c.pragmas.text import hls_pragmas
    >>> lines = hls_pragmas("k.cpp", "#pragma HLS stream variable=s depth=2*up(N, 3)")
    >>> calls_in(lines, {"N": 8}, lambda name, given: -(-given[0] // given[1]))
    {'up(8, 3)': 3}
    """
    found: dict[str, int] = {}

    def noted(name: str, given: tuple[int, ...]) -> int | None:
        number = result(name, given)
        return number if number is None else found.setdefault(called(name, given), number)

    for each in pragmas:
        for _, text in each.clauses:
            with_results(text, values, noted)
    return found
