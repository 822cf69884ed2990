"""Kernels as machine code against the same functions run by Python: every form of the language, on drawn numbers."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppnsim.machine_code.kernels import machine_code, machine_code_of
from ppnsim.machine_code.marks import unsigned
from ppnsim.machine_code.types import KernelError
from tests.machine_code.kernels import KERNELS, Pair, State

NUMBERS = st.integers(-(2**40), 2**40)
ROW = st.lists(st.integers(-9, 9), min_size=3, max_size=3)


def check_alike(kernel: Callable[..., Any], *arguments: Any) -> None:
    """Assert that machine code returns what Python does, and leaves the same arrays."""
    mine, other = copied(arguments), copied(arguments)
    assert machine_code(kernel)(*mine) == kernel(*other)
    assert repr(mine) == repr(other)


def copied(argument: Any) -> Any:
    if isinstance(argument, np.ndarray):
        return argument.copy()
    if isinstance(argument, tuple):
        parts = [copied(each) for each in argument]
        return type(argument)(*parts) if hasattr(argument, "_fields") else tuple(parts)
    return argument


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda each: str(each.__name__))
@settings(max_examples=20)
@given(
    a=NUMBERS, b=NUMBERS, rows=st.lists(st.lists(st.integers(-9, 9), min_size=3, max_size=3), min_size=2, max_size=6)
)
def test_machine_code_does_what_python_does(kernel: Callable[..., Any], a: int, b: int, rows: list[list[int]]) -> None:
    check_alike(kernel, np.array(rows, dtype=np.int64), np.array(rows, dtype=np.int64)[:, 0].copy(), a, b)


@given(a=NUMBERS, b=st.integers(-9, 9).filter(bool))
def test_division_rounds_down_as_python_does(a: int, b: int) -> None:
    divided = machine_code_of("def divided(a, b):\n    return a // b, a % b\n", "divided")
    assert divided(a, b) == divmod(a, b)
    assert divided(b, b) == (1, 0)


@pytest.mark.parametrize("element", ["int8", "int16", "int32", "int64", "uint64", "bool"])
def test_elements_of_all_sizes_come_and_go(element: str) -> None:
    text = "def turned(x, y):\n    for i in range(len(x)):\n        y[i] = x[len(x) - 1 - i]\n    return x[0]\n"
    values = np.array([1, 0, 5, 127], dtype=element)
    turned = np.zeros_like(values)
    first = machine_code_of(text, "turned")(values, turned)
    assert first == values[0]
    assert turned.tolist() == values[::-1].tolist()


def test_negative_elements_keep_their_sign() -> None:
    text = "def least(x):\n    return min(x[0], x[1])\n"
    for element in ("int8", "int16", "int32", "int64"):
        assert machine_code_of(text, "least")(np.array([-3, -100], dtype=element)) == -100


def test_named_tuples_are_taken_with_their_names() -> None:
    def of_state(state: State, k: int) -> int:
        total = state.pair.low + len(state.rows)
        row = state.rows[k]
        row[1] += total
        found: int = row[1] if state.pair.is_open else -row[1]
        return found

    for is_open in (True, False):
        check_alike(of_state, State(Pair(3, is_open), np.arange(6).reshape(2, 3)), 1)


def test_places_need_no_look_whether_they_are_negative() -> None:
    def last(x: Any, n: int) -> int:
        at = unsigned(n) - 1
        found: int = x[at] + x[-1] + x[n - len(x)]
        return found

    check_alike(last, np.array([3, 5, 9]), 2)


REFUSED = {
    "def f(x):\n    return x + 1.5\n": "1.5 is no whole number",
    "def f(x):\n    return [x]\n": "'[x]' is of no form that kernels have",
    "def f(x):\n    return y\n": "'y' has no value before it is used",
    "def f(x):\n    return print(x)\n": "'print' is nothing that kernels call",
    "def f(x):\n    return x / 2\n": "kernels have no operator Div",
    "def f(x):\n    y = True\n    y = x\n    return y\n": "a value of i64 stands where one of i1 is expected",
    "def f(x):\n    return x or 3\n": "'x' is no truth value",
    "def f(x):\n    for i in [x]:\n        pass\n": "'[x]': kernels only go through ranges",
    "def f(x):\n    with x:\n        pass\n": "is of no form that kernels have",
    "def f(x):\n    if x:\n        return 1, 2\n    return 3\n": "stands where one of",
    "def f(x):\n    return x[0]\n": "is no subscript of i64",
    "def f(x):\n    x.y = 3\n": "is nothing that kernels set",
    "def f(x):\n    return x.y\n": "'x.y' is not known",
    "def f(x):\n    return x is None\n": "is no whole number",
    "def f(x):\n    a, b = x\n": "is not set by so many values",
    "def f(x, y):\n    return x\n": "f takes 2 arguments, not 1",
    "def f(x):\n    if x:\n        y = 1\n    return y\n": "'y' has no value before it is used",
    "def f(x):\n    for i in range(x):\n        y = i\n    return y\n": "'y' has no value before it is used",
    "def f(x):\n    for i in range(x):\n        pass\n    return i\n": "'i' has no value before it is used",
    "def f(x):\n    while x:\n        if x > 5:\n            break\n        y = 1\n    return y\n": "'y' has no value",
    "def f(x):\n    return {x}\n": "'{x}' is of no form that kernels have",
    "def f(x):\n    return max(x)\n": "'max(x)' has a number of arguments",
    "def f(x):\n    return int()\n": "'int()' has a number of arguments",
    "def f(x):\n    return max(x, 1, key=x)\n": "names its arguments",
    "def f(x):\n    return len(x)\n": "'x' is no array",
    "def f(x):\n    len = x\n    return len(x)\n": "'len' is nothing that kernels call",
    "def f(x):\n    return 0 < x < x + 5\n": "has more than names in it",
    "def f(x):\n    return x + 18446744073709551616\n": "18446744073709551616 has more than 64 bits",
    "def f(x):\n    for i in range(0, 5, x):\n        pass\n": "its step is no constant",
    "def f(x):\n    for i in range(0, 5, 0):\n        pass\n": "its step is no constant",
    "def f(x):\n    for i in range():\n        pass\n": "is no range",
    "def f(x):\n    return x >> 1\n": "kernels have no operator RShift",
    "def f(x):\n    return x ** 2\n": "kernels have no operator Pow",
    "def f(x=1):\n    return x\n": "plain parameters",
    "def f(*x):\n    return 1\n": "plain parameters",
    "@cached\ndef f(x):\n    return x\n": "no decorator but `kernel`",
    "def f(x):\n    global y\n    y = x\n": "is of no form that kernels have",
    "def f(x):\n    assert x\n": "is of no form that kernels have",
    "def f(x):\n    return (y := x)\n": "is of no form that kernels have",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_no_kernel_is_refused_by_name(text: str) -> None:
    with pytest.raises(KernelError) as refused:
        machine_code_of(text, "f")(7)
    assert REFUSED[text] in str(refused.value)
    assert str(refused.value).startswith("f: ")


@pytest.mark.parametrize("argument", [np.zeros(3), np.zeros((4, 4), dtype=np.int64)[:, 0], "text", 1.5])
def test_arguments_that_no_kernel_takes_are_refused(argument: object) -> None:
    with pytest.raises(KernelError, match="is no argument of a kernel"):
        machine_code_of("def f(x):\n    return 1\n", "f")(argument)


def test_what_would_be_an_error_in_python_divides_to_0() -> None:
    divided = machine_code_of("def divided(a, b):\n    return a // b, a % b\n", "divided")
    assert divided(7, 0) == divided(-7, 0) == (0, 0)


def test_numbers_go_round_beyond_64_bits() -> None:
    text = "def f(a, b):\n    return a + b, a * b, a - b\n"
    assert machine_code_of(text, "f")(2**62, 2**62) == (-(2**63), 0, 0)
    divided = machine_code_of("def divided(a, b):\n    return a // b, a % b\n", "divided")
    assert divided(-(2**63), -1) == (-(2**63), 0)
    assert divided(-(2**63), 1) == (-(2**63), 0)


def test_a_name_that_is_set_on_every_way_has_a_value() -> None:
    text = (
        "def f(x):\n    while True:\n        if x > 3:\n            y = 1\n            break\n        if x > 1:\n"
        "            y = 2\n            break\n        x += 1\n"
        "    if x > 2:\n        z = 5\n    else:\n        return 0\n    return y * 10 + z\n"
    )
    assert [machine_code_of(text, "f")(x) for x in (-4, 2, 3, 9)] == [0, 0, 25, 15]


def test_a_kernel_is_compiled_for_each_types_of_arguments() -> None:
    doubled = machine_code_of("def doubled(x):\n    return x[0] * 2\n", "doubled")
    assert doubled(np.array([100], dtype=np.int8)) == 200
    assert doubled(np.array([2**40])) == 2**41


def drawn(seed: int) -> str:
    """Return the text of a random kernel: assignments, conditions and loops over four variables and an array."""
    dice = random.Random(seed)

    def number(depth: int = 0) -> str:
        leaf = dice.choice(["a", "b", "c", "d", str(dice.randint(-5, 5)), f"x[{dice.choice('abcd')} % 7]"])
        if depth > 2 or dice.random() < 0.3:
            return leaf
        one, two = number(depth + 1), number(depth + 1)
        return dice.choice(
            [f"({one} + {two})", f"({one} - {two})", f"max({one}, {two})", f"min({one}, {two})", f"({one} // 3)",
             f"({one} % 5)", f"({one} if {truth(depth + 1)} else {two})", f"-{one}"]
        )  # fmt: skip

    def truth(depth: int = 0) -> str:
        sign = dice.choice(["<", "<=", "==", "!=", ">", ">="])
        leaf = f"({number(depth + 1)} {sign} {number(depth + 1)})"
        if depth > 2 or dice.random() < 0.5:
            return leaf
        return dice.choice([f"({leaf} and {truth(depth + 1)})", f"({leaf} or {truth(depth + 1)})", f"(not {leaf})"])

    def lines(depth: int) -> list[str]:
        found = []
        for _ in range(dice.randint(1, 4)):
            kind = dice.choice(["set", "set", "add", "store", "if", "for", "while"] if depth < 3 else ["set", "store"])
            if kind == "set":
                found.append(f"{dice.choice('abcd')} = {number()} % 1000")
            elif kind == "add":
                found.append(f"{dice.choice('abcd')} += {number()} % 1000")
            elif kind == "store":
                found.append(f"x[{number()} % 7] {dice.choice(['=', '+='])} {number()} % 1000")
            elif kind == "if":
                found += [f"if {truth()}:", *inner(lines(depth + 1)), "else:", *inner(lines(depth + 1))]
            else:
                body = lines(depth + 1)
                if dice.random() < 0.5:
                    body += [f"if {truth()}:", f"    {dice.choice(['break', 'continue'])}"]
                body += [f"a += {number()} % 10"]
                ended = ["else:", *inner(lines(depth + 1))] if dice.random() < 0.3 else []
                step = dice.choice(["", ", 2", ", -1"])
                head = f"for i{depth} in range({number()} % 9, {number()} % 9{step}):"
                if kind == "while":
                    found.append(f"w{depth} = 0")
                    head, body = f"while w{depth} < 4:", [f"w{depth} += 1", *body]
                found += [head, *inner(body), *ended]
        return found

    def inner(body: list[str]) -> list[str]:
        return ["    " + line for line in body] or ["    pass"]

    return "\n".join(["def f(x, a, b, c, d):", *inner(lines(0)), "    return a, b, c, d, a > b", ""])


@pytest.mark.parametrize("seed", [*range(20), *(pytest.param(each, marks=pytest.mark.slow) for each in range(20, 40))])
def test_drawn_kernels_do_what_python_does(seed: int) -> None:
    text, names = drawn(seed), dict[str, Any]()
    exec(text, names)
    mine, other = np.arange(7, dtype=np.int64), list(range(7))
    assert machine_code_of(text, "f")(mine, 3, -4, 50, 7) == names["f"](other, 3, -4, 50, 7), text
    assert mine.tolist() == other, text
