"""What is printed of comparisons: figures, errors, the worst point in words, and rows of several files."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from ppnsim.comparison.model import Cause, ComparedPoint, Comparison, ModelComparison
from ppnsim.comparison.report import comparison_result, print_compared, print_files


def model(points: list[tuple[float | None, float | None]], **more: Any) -> ModelComparison:
    made = tuple(ComparedPoint(values={"n": n}, predicted=p, simulated=s) for n, (p, s) in enumerate(points))
    said = [each for each in made if each.predicted is not None] or made
    worst = max(said, key=lambda each: abs(each.error) if each.error is not None else 9)
    given: dict[str, Any] = {"model": "mine", "assumes": "nothing waits", "regime": "holds here", "worst": worst}
    return ModelComparison(points=made, **(given | more))


def compared(*models: ModelComparison, **more: Any) -> Comparison:
    given: dict[str, Any] = {"source": "net.toml", "kind": "network", "quantity": "finish", "unit": "cycles"}
    axes = {"n": tuple(range(len(models[0].points)))}
    return Comparison(axes=axes, models=models, **(given | more))


def printed(found: Comparison) -> list[str]:
    text = StringIO()
    print_compared(Console(file=text, width=160, highlight=False), found)
    return [" ".join(line.split()) for line in text.getvalue().splitlines()]


@pytest.mark.parametrize(
    ("predicted", "simulated", "unit", "words"),
    [
        (90, 100, "cycles", "10 cycles too few"), (110, 100, "cycles", "10 cycles too many"),
        (1.5, 2, "GB/s", "0.5 GB/s too little"), (2.5, 2, "GB/s", "0.5 GB/s too much"),
        (0.0625, 0.0635, "s", "1 ms too little"), (0.0625, 0.062498, "s", "2 us too much"),
    ],
)  # fmt: skip
def test_the_worst_point_says_by_how_much_and_in_which_direction(
    predicted: float, simulated: float, unit: str, words: str
) -> None:
    lines = printed(compared(model([(predicted, simulated), (1, 1)]), unit=unit))
    assert f"worst at n = 0: the model says {words}" in lines
    assert "assumes: nothing waits" in lines and "holds here" in lines


def test_a_deadlock_and_a_model_without_a_word_are_told() -> None:
    lines = printed(compared(model([(90, None)])))
    assert "worst at n = 0: the simulation deadlocks, the model says 90 cycles" in lines
    lines = printed(compared(model([(None, None)])))
    assert "worst at n = 0: the simulation deadlocks, the model says nothing" in lines
    lines = printed(compared(model([(None, 2.5)], worst=None)))
    assert "no answer at n = 0" in lines
    exact = printed(compared(model([(4, 4)])))
    assert not any("worst at" in line for line in exact)
    assert exact[0] == "net.toml a network finish in cycles at 1 point"


@pytest.mark.parametrize(("complete", "by_itself"), [(True, ""), (False, " by itself")])
def test_causes_have_their_amounts(complete: bool, by_itself: str) -> None:
    causes = Cause("q waits", 12.0), Cause("p starves", -2.5), Cause("a port is slow", None)
    lines = printed(compared(model([(90, 100)], causes=causes, complete=complete, told=("on the path: q",))))
    at = lines.index("worst at n = 0: the model says 10 cycles too few")
    assert lines[at + 1 : at + 5] == [
        f"+12 cycles{by_itself}: q waits", f"-2.5 cycles{by_itself}: p starves", "a port is slow", "on the path: q",
    ]  # fmt: skip


def rows(lines: list[str], end: str = "mine:") -> list[list[str]]:
    """Return the cells of the rows of the table, by their words."""
    first = next(number for number, line in enumerate(lines) if line.startswith("n "))
    last = next((number for number, line in enumerate(lines) if line.startswith(end)), len(lines))
    return [line.split() for line in lines[first + 1 : last] if line and line[0].isdigit()]


def test_points_have_a_row_each_and_of_many_the_worst_are_shown() -> None:
    few = printed(compared(model([(90, 100), (None, 50), (7, None)])))
    assert rows(few) == [["0", "100", "90", "-10", "%"], ["1", "50", "no", "answer", "-"], ["2", "deadlock", "7", "-"]]
    silent = printed(compared(model([(None, 50), *((50 + n, 50) for n in range(1, 60))])))
    assert rows(silent)[0] == ["59", "50", "109", "+118", "%"] and "no answer at n = 0" in silent
    many = compared(model([(100 + n % 37, 100) for n in range(60)]))
    lines = printed(many)
    shown = rows(lines)
    assert any(line.endswith("with the largest errors:") for line in lines) and len(shown) < 60
    errors = [abs(int(cells[2]) - 100) for cells in shown]
    assert errors == sorted(errors, reverse=True) and errors[0] == 36
    alone = printed(compared(model([(n, None) for n in range(60)]), simulated=False))
    assert [cells[1] for cells in rows(alone, "mine assumes")][:3] == ["0", "1", "2"]
    assert "mine assumes: nothing waits" in alone and any(line.startswith("the first") for line in alone)


def test_json_has_the_statistics_and_the_worst_point() -> None:
    causes = (Cause("q waits", 10.0),)
    found = comparison_result(compared(model([(90, 100), (50, 50)], causes=causes, complete=True)))
    (mine,) = found["models"]
    assert (found["file"], found["vary"], found["tolerance"]) == ("net.toml", {"n": [0, 1]}, 0.05)
    assert mine["errors"]["points"] == 2 and mine["errors"]["largest"] == -0.1
    assert mine["worst"] == {
        "values": {"n": 0}, "series": "", "predicted": 90, "simulated": 100, "error": -0.1, "complete": True,
        "causes": [{"words": "q waits", "amount": 10.0}], "told": [],
    }  # fmt: skip
    alone = comparison_result(compared(model([(90, None)]), simulated=False))
    assert alone["models"] == [{"model": "mine", "assumes": "nothing waits"}]


def test_several_files_have_a_row_each() -> None:
    text = StringIO()
    two = compared(model([(90, 100), (120, 100)]), source="b.toml")
    print_files(Console(file=text, width=160), [compared(model([(90, 100)])), two])
    cells = [line.split() for line in text.getvalue().splitlines()]
    # Of one point its figures; of several the mean size of the error.
    assert cells[2:] == [["net.toml", "1", "100", "90", "-10", "%"], ["b.toml", "2", "-", "-", "+15", "%"]]


@pytest.mark.parametrize(("count", "shown"), [(24, 24), (25, 12)])
def test_up_to_24_points_are_all_shown_and_of_more_the_worst_12(count: int, shown: int) -> None:
    lines = printed(compared(model([(100 + n, 100) for n in range(count)])))
    numbers = [int(cells[0]) for cells in rows(lines)]
    assert numbers == (list(range(24)) if shown == 24 else list(range(24, 12, -1)))
    assert ("the 12 with the largest errors:" in lines) == (shown == 12)
    lines = printed(compared(model([(n, None) for n in range(count)]), simulated=False))
    assert [int(cells[0]) for cells in rows(lines, "mine assumes")] == list(range(24))
    assert ("the first 24 (--csv and --json have all of them):" in lines) == (count == 25)


def test_points_with_series_and_two_models_in_one_table() -> None:
    made = tuple(ComparedPoint(values={"n": 1}, series=name, predicted=3.25, simulated=4) for name in "AB")
    both = [ModelComparison(model=name, assumes="", points=made, regime="", worst=made[0]) for name in "xy"]
    lines = printed(compared(*both, kind="accelerator", unit="GB/s"))
    assert lines[0] == "net.toml an accelerator finish in GB/s at 2 points"
    assert lines[1].split() == ["n", "series", "simulated", "x", "error", "y", "error"]
    assert lines[3].split() == ["1", "A", "4", "3.25", "-18.8", "%", "3.25", "-18.8", "%"]
    alone = printed(compared(*both, simulated=False))
    assert alone[1].split() == ["n", "series", "x", "y"] and alone[3].split() == ["1", "A", "3.25", "3.25"]


def test_files_without_a_number_have_a_dash() -> None:
    text = StringIO()
    other = ModelComparison(
        **{**{name: getattr(model([(None, None)]), name) for name in ModelComparison.__slots__}, "model": "y"}
    )
    print_files(Console(file=text, width=160), [compared(model([(None, 7.5)])), compared(other, source="b.toml")])
    cells = [line.split() for line in text.getvalue().splitlines()]
    assert cells[0] == ["file", "points", "simulated", "mine", "error", "y", "error"]
    assert cells[2:] == [["net.toml", "1", "7.5", "-", "-", "-", "-"], ["b.toml", "1", "deadlock", "-", "-", "-", "-"]]
