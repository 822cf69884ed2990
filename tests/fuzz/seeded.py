"""The vocabulary of hypothesis's strategies as plain draws, so that one drawing function serves a search and a bulk.

hypothesis needs some 14 ms for a network, most of it to remember how to shrink it. Here a draw is a call: an example is
the list of choices that were made, a number or a list of choices makes it again, and `tests.fuzz.bulk` shortens it.
"""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Callable, Sequence
from functools import wraps
from random import Random
from types import ModuleType
from typing import Any

from hypothesis.errors import UnsatisfiedAssumption


class Choices:
    """Where every draw gets its choice: from a number, or the choices that another one has made.

    Examples
    --------
    >>> once = Choices(7)
    >>> drawn = [once.below(10) for _ in range(5)]
    >>> again = Choices(once.made)
    >>> [again.below(10) for _ in range(5)] == drawn
    True
    """

    def __init__(self, origin: int | Sequence[int]) -> None:
        self.made: list[int] = []
        self._random = Random(origin).random if isinstance(origin, int) else None
        self._given = [] if isinstance(origin, int) else list(origin)

    def below(self, limit: int) -> int:
        """Return a number from 0 to ``limit`` - 1; behind the given choices it is 0, the simplest."""
        if self._random is not None:
            choice = int(self._random() * limit)
        else:
            place = len(self.made)
            choice = min(self._given[place], limit - 1) if place < len(self._given) else 0
        self.made.append(choice)
        return choice

    def __call__(self, strategy: Strategy) -> Any:
        """Draw from a strategy."""
        return strategy.draw(self)


class Strategy:
    """What can be drawn; `draw` takes the choices."""

    def __init__(self, draw: Callable[[Choices], Any]) -> None:
        self.draw = draw

    def __or__(self, other: Strategy) -> Strategy:
        return one_of(self, other)

    def map(self, change: Callable[[Any], Any]) -> Strategy:
        return Strategy(lambda choices: change(self.draw(choices)))


def integers(low: int, high: int) -> Strategy:
    """Draw from low to high; the nearest to 0 is the simplest."""
    if low < 0 <= high:
        return Strategy(lambda choices: _nearest_zero(choices.below(high - low + 1), high))
    return Strategy(lambda choices: low + choices.below(high - low + 1))


def _nearest_zero(choice: int, high: int) -> int:
    return choice if choice <= high else high - choice


def booleans() -> Strategy:
    return Strategy(lambda choices: choices.below(2) == 1)


def none() -> Strategy:
    return Strategy(lambda _: None)


def sampled_from(values: Sequence[Any]) -> Strategy:
    return Strategy(lambda choices: values[choices.below(len(values))])


def one_of(*strategies: Strategy) -> Strategy:
    return Strategy(lambda choices: strategies[choices.below(len(strategies))].draw(choices))


def tuples(*strategies: Strategy) -> Strategy:
    return Strategy(lambda choices: tuple(each.draw(choices) for each in strategies))


def lists(each: Strategy, *, min_size: int = 0, max_size: int = 8, unique: bool = False) -> Strategy:
    """Draw so many values; where they are to be different, those that were drawn before are left out."""

    def draw(choices: Choices) -> list[Any]:
        drawn = [each.draw(choices) for _ in range(min_size + choices.below(max_size - min_size + 1))]
        kept = [*dict.fromkeys(drawn)] if unique else drawn
        if len(kept) < min_size:
            raise UnsatisfiedAssumption
        return kept

    return Strategy(draw)


def permutations(values: Sequence[Any]) -> Strategy:
    def draw(choices: Choices) -> list[Any]:
        left = list(values)
        return [left.pop(choices.below(len(left))) for _ in values]

    return Strategy(draw)


def composite(function: Callable[..., Any]) -> Callable[..., Strategy]:
    @wraps(function)
    def strategy(*args: Any, **options: Any) -> Strategy:
        return Strategy(lambda choices: function(choices, *args, **options))

    return strategy


def seeded(module: str) -> ModuleType:
    """Return a copy of a module whose strategies are the ones of this file; its tests are left out.

    Examples
    --------
    >>> strategy = seeded("tests.helpers.strategies").networks(max_processes=2)
    >>> Choices(3)(strategy) == Choices(3)(strategy)
    True
    """
    original = importlib.import_module(module)
    tree = ast.parse(inspect.getsource(original))
    tree.body = [node for node in tree.body if not _of_pytest(node)]
    copy = ModuleType(module)
    copy.__dict__.update(__file__=original.__file__, __package__=original.__package__)
    exec(compile(_Swapped().visit(tree), str(original.__file__), "exec"), copy.__dict__)
    return copy


def _of_pytest(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef) and (
        node.name.startswith("test_") or any("fixture" in ast.unparse(each) for each in node.decorator_list)
    )


class _Swapped(ast.NodeTransformer):
    """Imports this file where a module imports `hypothesis.strategies`, and `composite` where it imports `by_seed`."""

    def visit_ImportFrom(self, node: ast.ImportFrom) -> list[ast.stmt]:
        if node.module == "tests.helpers.by_seed":
            return ast.parse("from tests.fuzz.seeded import composite as by_seed").body
        swapped = [name for name in node.names if (node.module, name.name) == ("hypothesis", "strategies")]
        node.names = [name for name in node.names if name not in swapped]
        kept: list[ast.stmt] = [node] if node.names else []
        for name in swapped:
            bound = name.asname or name.name
            kept += ast.parse(f"from tests.fuzz import seeded as {bound}").body
        return [ast.fix_missing_locations(each) for each in kept]
