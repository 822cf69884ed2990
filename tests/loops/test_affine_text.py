"""Affine expressions and conditions as C text: the same numbers and truths, in the shortest words."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from ppnsim.loops.as_c.affine import affine_text, condition_text
from ppnsim.loops.expressions import Affine, All, Compare, Condition, Not, Some

X, Y = Affine.of("i"), Affine.of("j")
RANGES, NAMES = {"i": (-3, 6), "j": (0, 4)}, {"i": "i", "j": "j"}
POINTS = [{"i": i, "j": j} for i, j in product(range(-3, 7), range(5))]
A, B = Compare(X - 2), Compare(Y - X, "=")


def as_python(text: str) -> str:
    """C as Python: dividends are never negative, so quotients and remainders are the same."""
    return text.replace("&&", "and").replace("||", "or").replace("!(", "not (").replace("/", "//")


def at(value: Affine, point: dict[str, int]) -> int:
    found = value.constant
    for atom, factor in value.terms:
        if isinstance(atom, str):
            found += factor * point[atom]
        else:
            inner = at(atom.of, point)
            found += factor * (inner // atom.by if type(atom).__name__ == "Quotient" else inner % atom.by)
    return found


def test_expressions_are_added_and_multiplied_from_either_side() -> None:
    for point in POINTS:
        i, j = point["i"], point["j"]
        made = [3 + X, X + 3, 5 - X, X - 5, 2 * X, X * 2, -X, X - Y, sum([X, Y, X]), X // 4, X % 4, (X - X) + 7]
        assert [at(Affine.of(each) if isinstance(each, int) else each, point) for each in made] == [
            3 + i, i + 3, 5 - i, i - 5, 2 * i, i * 2, -i, i - j, 2 * i + j, i // 4, i % 4, 7,
        ]  # fmt: skip


def holds(condition: Condition, point: dict[str, int]) -> bool:
    if isinstance(condition, Compare):
        left = at(condition.left, point)
        return left == 0 if condition.relation == "=" else left >= 0
    if isinstance(condition, Not):
        return not holds(condition.part, point)
    return (all if isinstance(condition, All) else any)(holds(part, point) for part in condition.parts)


def drawn(random: Random) -> Affine:
    value = random.randint(-3, 3) * X + random.randint(-2, 2) * Y + random.randint(-5, 5)
    kind = random.randrange(4)
    return value if kind < 2 else value // random.randint(2, 4) + Y if kind == 2 else value % random.randint(2, 4) - X


def condition(random: Random, deep: int = 2) -> Condition:
    kind = random.randrange(4) if deep else 0
    if kind == 0:
        return Compare(drawn(random), random.choice((">=", "=")))
    if kind == 1:
        return Not(condition(random, deep - 1))
    parts = tuple(condition(random, deep - 1) for _ in range(random.randint(0, 3)))
    return All(parts) if kind == 2 else Some(parts)


def test_texts_have_the_values_and_truths_of_what_they_say() -> None:
    random = Random(3)
    for _ in range(300):
        value, test = drawn(random), condition(random)
        number, truth = (
            as_python(each) for each in (affine_text(value, RANGES, NAMES), condition_text(test, RANGES, NAMES))
        )
        assert [eval(number, {}, point) for point in POINTS] == [at(value, point) for point in POINTS], number
        assert [bool(eval(truth, {}, point)) for point in POINTS] == [holds(test, point) for point in POINTS], truth


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (A, "i >= 2"), (B, "j == i"), (Not(A), "i < 2"), (Not(B), "j != i"), (All(), "1"), (Some(), "0"),
        (All((A,)), "i >= 2"), (All((A, B)), "i >= 2 && j == i"), (Some((A, B)), "i >= 2 || j == i"),
        (All((Some((A,)), B)), "i >= 2 && j == i"), (All((Some((A, B)), B)), "(i >= 2 || j == i) && j == i"),
        (Some((All((A, B)),)), "i >= 2 && j == i"), (Not(All((A, B))), "!(i >= 2 && j == i)"),
        (Not(Not(A)), "!(i < 2)"), (Compare(Affine.of(3) - X), "i <= 3"), (Compare(-X - Y), "i + j <= 0"),
        (Compare(X - Y - 1), "i >= j + 1"), (Compare(X - Y + 1), "i + 1 >= j"), (Compare(X), "i >= 0"),
    ],
)  # fmt: skip
def test_a_condition_is_said_in_the_shortest_words(given: Condition, text: str) -> None:
    assert condition_text(given, RANGES, NAMES) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Affine.of(0), "0"), (Affine.of(-3), "-3"), (X, "i"), (-X, "-i"), (2 * X - 3, "2 * i - 3"), (3 - X, "3 - i"),
        (Y - X + 3, "j - i + 3"), (-X - Y, "-i - j"), (-X - 2, "-i - 2"),
        (Y // 2, "j / 2"), (2 * (Y // 2), "2 * (j / 2)"),
        ((Y + 1) // 2, "(j + 1) / 2"), (X // 2, "(i + 4) / 2 - 2"), (X % 3, "(i + 3) % 3"),
        (Y % 3 - Y % 2, "j % 3 - j % 2"),
        (X + Y % 3, "i + j % 3"), (1 - Y % 3, "1 - j % 3"),
    ],
)  # fmt: skip
def test_an_expression_is_said_in_the_shortest_words(value: Affine, text: str) -> None:
    assert affine_text(value, RANGES, NAMES) == text
