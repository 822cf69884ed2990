"""Strategies whose examples come from one drawn number: as many as before, for a third of the time of drawing them.

What hypothesis takes longest for is to remember how each choice can be shrunk, of examples that almost never fail. A
number that fails is not shrunk; `python -m tests.fuzz` and ``PPNSIM_SHRINK=1`` draw choice by choice. The drawing
function is that of a copy of its module, in which `tests.fuzz.seeded` stands for hypothesis.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from hypothesis import strategies as st

from tests.fuzz.seeded import Choices, seeded

P = ParamSpec("P")
T = TypeVar("T")
_NUMBERS = 2**24  # beyond it hypothesis prefers small ones


class BySeed(Generic[P, T]):
    """A drawing function as a strategy by number, and as ``choice_by_choice``."""

    def __init__(self, function: Callable[Concatenate[st.DrawFn, P], T]) -> None:
        self._function = function
        self.choice_by_choice = st.composite(function)

    def __call__(self, *args: P.args, **options: P.kwargs) -> st.SearchStrategy[T]:
        if os.environ.get("PPNSIM_SHRINK"):
            return self.choice_by_choice(*args, **options)

        def made(number: int) -> Any:
            strategy = getattr(_copy(self._function.__module__), self._function.__name__)
            return strategy(*args, **options).draw(Choices(number))

        return st.integers(0, _NUMBERS - 1).map(made)


by_seed = BySeed  # as a decorator, in place of `composite`
_copy = cache(seeded)
