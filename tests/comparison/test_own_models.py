"""A user's own function as a model: what it is given by name, what it may return, and what is said of its mistakes."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from ppnsim import compare, fork_join
from ppnsim.comparison.laws.case import Case
from ppnsim.comparison.laws.own import model_in_file, own_model
from ppnsim.errors import InputError

CASE = Case(values={"n": 4, "c.depth": 2}, held="the network", settings={"k": 7}, series="port")


def every(**known: Any) -> int:
    return len(known)


def some(n: int, network: str, k: int = 1, *rest: int, series: str = "", other: int = 5) -> int:
    assert (network, rest, series) == ("the network", (), "port")
    return 100 * n + 10 * k + other


def positional(n: int = 3, /) -> int:
    return n


def test_a_function_gets_what_it_names_and_all_that_is_known_if_it_takes_anything() -> None:
    assert own_model(some, "network").predict(CASE) == 475
    assert own_model(every, "network").predict(CASE) == 5  # n, c_depth, k, network, series
    assert own_model(positional, "network").predict(CASE) == 3  # it cannot be given by name
    assert own_model(lambda c_depth: c_depth, "network").predict(CASE) == 2


def test_a_model_says_its_name_and_the_first_paragraph_of_its_docstring() -> None:
    def bound(n: int) -> int:
        return n

    bound.__doc__ = "All units\nare busy.\n\nNot this."
    model = own_model(bound, "network")
    assert (model.name, tuple(model.takes), model.assumes) == ("bound", ("network",), "All units are busy.")
    assert own_model(some, "kernel", name="mine").assumes == "not said (a docstring of the function or its file can)"


def test_a_function_without_a_docstring_assumes_what_its_file_says(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text('"""One firing a cycle.\n\nTry it."""\ndef cycles():\n    return 3\n')
    assert model_in_file(str(tmp_path / "mine.py"), "network").assumes == "One firing a cycle."


def missing(width: int) -> int:
    return width


def misspelt(c_dept: int) -> int:
    return c_dept


REMEDY = (
    "; --vary gives it a value if the source has it (of C also --set and -D), else give it a default in the function"
)
NO_NUMBER = "which is not a number (a model returns one, or None)"


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (
            missing,
            f"model: asks for 'width', which neither varies nor is set (known here: n, c_depth, network, k){REMEDY}",
        ),
        (
            misspelt,
            "model: asks for 'c_dept', which neither varies nor is set (did you mean 'c_depth'?) "
            f"(known here: n, c_depth, network, k){REMEDY}",
        ),
        (
            lambda schedule: schedule,
            "model: asks for 'schedule', but what is compared here is a network (known here: n, c_depth, network, k); "
            "of a kernel in C the schedule is compared where --model lost is asked, too",
        ),
        (
            lambda platform: platform,
            "model: asks for 'platform', but what is compared here is a network (known here: n, c_depth, network, k)",
        ),
        (lambda: True, f"model: at n = 4, c.depth = 2, port: returns True, {NO_NUMBER}"),
        (lambda: -3, "model: at n = 4, c.depth = 2, port: returns -3, below 0, which nothing that is simulated is"),
        (lambda: "4", f"model: at n = 4, c.depth = 2, port: returns '4', {NO_NUMBER}"),
        (lambda: float("nan"), f"model: at n = 4, c.depth = 2, port: returns nan, {NO_NUMBER}"),
        (lambda: float("inf"), f"model: at n = 4, c.depth = 2, port: returns inf, {NO_NUMBER}"),
        (
            lambda: 10**400,
            f"model: at n = 4, c.depth = 2, port: returns a whole number of 1329 bits, {NO_NUMBER}",
        ),
    ],
)
def test_what_cannot_be_given_or_returned_is_refused(function: Callable[..., Any], words: str) -> None:
    with pytest.raises(InputError) as error:
        own_model(function, "network").predict(CASE)
    assert str(error.value) == words


def test_what_is_known_is_listed_up_to_200_characters() -> None:
    values = {f"parameter_{number:02}": number for number in range(20)}  # 12 characters and ", " each
    with pytest.raises(InputError) as error:
        own_model(missing, "network").predict(Case(values=values, held=None))
    listed = str(error.value).partition("known here: ")[2]
    assert listed == ", ".join([*list(values)[:14], "..."]) + f"){REMEDY}"
    assert len(", ".join(list(values)[:14])) == 194


@pytest.mark.parametrize(
    ("value", "type_"),
    [(3, int), (Fraction(1, 3), Fraction), (2.5, float), (None, type(None)), (0, int), (1.0, float)],
)
def test_numbers_stay_what_they_are(value: Any, type_: type) -> None:
    found = own_model(lambda: value, "network").predict(CASE)
    assert (found, type(found)) == (value, type_)


def test_a_fault_of_a_function_is_told_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "import math\n\n\ndef _helper(n):\n    return 1 / (n - 4)\n\n\ndef model(n):\n    return _helper(n)\n"
    )
    with pytest.raises(InputError) as error:
        model_in_file(str(file), "network").predict(CASE)
    assert str(error.value) == (
        f"--model {file}: at n = 4, c.depth = 2, port: line 5: ZeroDivisionError: division by zero"
    )
    assert model_in_file(str(file), "network").name == "mine"
    assert model_in_file(f"{file}:model", "network").name == "model"


@pytest.mark.parametrize(
    ("text", "chosen", "words"),
    [
        ("def f(:\n", "", "cannot be executed: line 1: SyntaxError: invalid syntax"),
        ("x = 1\n", "", "has no function: a model is one function, chosen as {file}:FUNCTION"),
        (
            "def f(): ...\ndef g(): ...\n", "",
            "has 2 functions (f, g): a model is one function, chosen as {file}:FUNCTION",
        ),
        ("def first(): ...\n", ":firts", "has no function 'firts' (did you mean 'first'?)"),
        ("x = 1\n", ":f", "has no function 'f', nor any other"),
        ("raise SystemExit(3)\n", "", "cannot be executed: line 1: SystemExit: 3"),
    ],
)  # fmt: skip
def test_files_that_hold_no_model_are_refused(text: str, chosen: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(text)
    with pytest.raises(InputError) as error:
        model_in_file(f"{file}{chosen}", "network")
    assert str(error.value) == f"--model {file}{chosen}: " + words.format(file=file)


def test_points_without_an_answer_are_listed_and_left_out_of_all_else() -> None:
    """The real worst point, the first one, keeps its causes."""
    network = fork_join(firings=20)
    answers = {1: 50, 3: 50}
    found = compare(network, lambda short_in_depth: answers.get(short_in_depth), vary={"short_in.depth": (1, 2, 3)})
    (model,) = found.models
    assert model.errors is not None and model.errors.points == 2
    assert [point.name for point in model.unanswered] == ["short_in.depth = 2"]
    assert model.worst == model.points[0] and model.causes and "with an answer" in model.regime
    assert "no answer at short_in.depth = 2" in str(found) and found.rows()[1]["outcome"].endswith("no answer of model")


def test_a_model_without_an_answer_anywhere_has_no_worst_point() -> None:
    nothing: dict[int, int] = {}
    network = fork_join(firings=20)
    found = compare(network, lambda short_in_depth: nothing.get(short_in_depth), vary={"short_in.depth": (1, 2)})
    (model,) = found.models
    assert model.worst is None and model.errors is None and not model.causes
    assert model.regime == "has no answer at any of 2 points"
    assert found.to_dict()["models"][0]["worst"] is None
    assert "no point has an error (2 without an answer)" in str(found)


def test_a_deadlock_without_an_answer_is_the_worst_point_only_where_there_is_no_other() -> None:
    network = fork_join(firings=20, short_depth=9).with_style("frozen")
    both = compare(network, lambda short_out_depth: {9: 30}.get(short_out_depth), vary={"short_out.depth": (1, 9)})
    (model,) = both.models
    assert [point.simulated is None for point in model.points] == [True, False]
    assert model.worst == model.points[1]
    (alone,) = compare(network, lambda short_out_depth: {2: 0}.get(short_out_depth), vary={"short_out.depth": 1}).models
    assert alone.worst == alone.points[0] and alone.told
    assert alone.regime == "has no answer"
