"""What is said of an OpenCL kernel: predictions, the path, the best design, a sweep, and the same for JSON."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from ppnsim.opencl.design import Design, parse_design
from ppnsim.opencl.kernel import Block, BlockStep, Kernel, KernelLoop
from ppnsim.opencl.pictures import PathPoint, tuning_path
from ppnsim.opencl.report import (
    OpenclAnswer,
    PathStep,
    SweepPoint,
    opencl_result,
    predicted_result,
    print_best,
    print_path,
    print_prediction,
    print_sweep,
)
from ppnsim.opencl.run import OpenclRun
from ppnsim.opencl.tune import BestDesign, best_design, combinations, look
from tests.helpers.opencl_hierarchies import ADD, BOARD, kernel, shipped


@pytest.fixture(scope="module")
def answer() -> OpenclAnswer:
    product, board = shipped("mm")
    now, local, unrolled = (look(product, board, parse_design(text), text) for text in ("baseline", "SM", "SM+UL64:k"))
    best = BestDesign(looked_at=1234, fitting=567, best=look(product, board, parse_design("SM+UL64:k+SIMD4")))
    steps = [PathStep(each) for each in (now, local, unrolled)]
    return OpenclAnswer(kernel=product, now=now, advice=local, path=steps, best=best)


def printed(say: Callable[..., None], *arguments: Any) -> list[list[str]]:
    console = Console(file=StringIO(), width=200)
    say(console, *arguments)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    rows = (line.split("  ") for line in text.splitlines() if line.strip() and "───" not in line)
    return [[cell.strip() for cell in row if cell.strip()] for row in rows]


def test_a_prediction_is_told_by_block_with_what_to_do_next(answer: OpenclAnswer) -> None:
    assert printed(print_prediction, answer) == [
        ["matrix product", "baseline", "predicted 8,594,128,896 cycles (29.28 s at 293 MHz)"],
        ["block", "trips", "critical path", "computation", "memory", "bound by"],
        ["multiply", "2048", "12", "8,589,934,603", "8,594,128,896", "memory"],
        ["write", "1", "1", "4,194,304", "268,566,528", "memory"],
        ["potentials: B_comp 0.94, B_mem 0.62, B_balance 0.97, B_itpp 0.00"],
        ["device: logic 22 %, memory 14 %, dsp 0 %"],
        ["next: SM (SM), 29.27 s"],
    ]


def test_blocks_in_loops_have_the_passes_of_all_of_them() -> None:
    inner = Block(name="b", steps=ADD.steps, trip=Fraction(5, 2))
    made = kernel(KernelLoop(name="k", trip=3, body=(inner, Block(name="c", steps=ADD.steps, trip=4))), items=10)
    now = look(made, BOARD, Design())
    rows = printed(print_prediction, OpenclAnswer(kernel=made, now=now, advice=None))
    assert [row[1] for row in rows[2:4]] == ["3 x 2.5", "3 x 4"]
    assert rows[-1] == ["nothing that fits is worth doing next"]
    block = now.prediction.blocks["c"]
    assert rows[3][3] == f"{3 * float(block.computation):,.0f}"
    told = predicted_result(now)["blocks"]
    assert [(each["trip"], each["around"]) for each in told] == [(2.5, 3), (4, 3)]


def test_an_execution_is_held_against_the_prediction(answer: OpenclAnswer) -> None:
    run = OpenclRun(cycles=8_594_128_896 * 2, transactions=5, busy=[1, 2], executions={})
    with_run = OpenclAnswer(kernel=answer.kernel, now=answer.now, advice=None, run=run, because="banks collide")
    assert printed(print_prediction, with_run)[6:8] == [
        ["executed: 17,188,257,792 cycles, 2.000 of the prediction"], ["because: banks collide"]
    ]  # fmt: skip
    result = opencl_result(with_run, "f.toml")
    assert result["difference"] == 8_594_128_896
    assert result["simulated"] == {"cycles": run.cycles, "transactions": 5, "banks": [1, 2], "executions": {}}
    assert (result["because"], result["advice"], result["tuning"]) == ("banks collide", None, None)
    assert (result["combinations"], result["sweep"], result["interrupted"]) == (None, None, False)


def test_a_path_is_told_step_by_step(answer: OpenclAnswer) -> None:
    assert answer.path is not None
    assert printed(print_path, "mm", answer.path) == [
        ["tuning path of mm"],
        ["step", "design", "B_comp", "B_mem", "B_balance", "B_itpp", "time", "speed-up"],
        ["0", "baseline", "0.94", "0.62", "0.97", "0.00", "29.28 s", "1x"],
        ["1", "SM", "0.94", "0.00", "0.98", "0.00", "29.27 s", "1x"],
        ["2", "SM+UL64:k", "0.75", "0.00", "0.00", "0.00", "465.1 ms", "62.95x"],
        ["step 1: SM"],
        ["step 2: SM+UL64:k"],
    ]


def test_an_executed_path_has_cycles_beside_each_other(answer: OpenclAnswer) -> None:
    assert answer.path is not None
    run = OpenclRun(cycles=12345, transactions=5, busy=[], executions={})
    rows = printed(print_path, "mm", [PathStep(answer.path[0].predicted, run)])
    assert rows[1][-4:] == ["time", "speed-up", "cycles", "executed"]
    assert rows[2][-2:] == ["8,594,128,896", "12,345"]


def test_the_best_of_all_is_held_against_the_end_of_the_path(answer: OpenclAnswer) -> None:
    assert printed(print_best, answer) == [
        ["of 1,234 combinations 567 fit; the fastest is SM+UL64:k+SIMD4, 124.3 ms; the path ends 274 % above it"]
    ]
    assert printed(print_best, OpenclAnswer(kernel=answer.kernel, now=answer.now, advice=None)) == []
    told = opencl_result(answer, "f.toml")
    assert (told["file"], told["name"], told["design"]) == ("f.toml", "matrix product", "baseline")
    assert told["combinations"]["path_behind"] == pytest.approx(2.7427766571829304)
    assert (told["combinations"]["looked_at"], told["combinations"]["fit"]) == (1234, 567)
    assert [step["design"] for step in told["tuning"]] == ["baseline", "SM", "SM+UL64:k"]
    assert told["advice"]["design"] == "SM"


def test_a_prediction_has_all_its_figures_in_json(answer: OpenclAnswer) -> None:
    result = predicted_result(answer.now)
    assert (result["cycles"], result["fits"], result["why"]) == (8_594_128_896.0, True, "baseline")
    assert result["seconds"] == pytest.approx(result["cycles"] / result["frequency_mhz"] / 1e6)
    assert list(result["utilisation"]) == ["logic", "memory", "dsp"]
    assert list(result["potentials"]) == ["B_comp", "B_mem", "B_balance", "B_itpp"]
    assert result["blocks"][1] == {
        "name": "write", "trip": 1, "around": 1, "critical_path": 1, "cycles": 268_566_528.0,
        "computation": 4_194_304.0, "memory": 268_566_528.0, "transactions": result["blocks"][1]["transactions"],
        "bound_by": "memory",
    }  # fmt: skip


def test_a_sweep_has_a_row_for_each_point_and_why_it_differs() -> None:
    points = [
        SweepPoint(values={"N": 4, "W": 2}, cycles=100.4, executed=90, itpp=0.25, because="banks collide"),
        SweepPoint(values={"N": 8, "W": 2}, cycles=2000.0, executed=2000, itpp=0.0),
    ]
    assert printed(print_sweep, points) == [
        ["N", "W", "predicted", "simulated", "difference", "B_itpp"],
        ["4", "2", "100", "90", "-10", "0.25"],
        ["8", "2", "2,000", "2,000", "+0", "0.00"],
        ["N = 4, W = 2, because: banks collide"],
    ]
    alone = [SweepPoint(values={"N": 4}, cycles=100.0, executed=None, itpp=0.5)]
    assert printed(print_sweep, alone) == [["N", "predicted", "B_itpp"], ["4", "100", "0.50"]]
    assert alone[0].difference is None
    made = kernel(ADD)
    answer = OpenclAnswer(kernel=made, now=look(made, BOARD, Design()), advice=None, sweep=[*alone, points[1]])
    assert opencl_result(answer, "f")["sweep"] == [
        {"value": 4, "cycles": 100.0, "itpp": 0.5, "simulated": None, "difference": None, "because": ""},
        {"value": {"N": 8, "W": 2}, "cycles": 2000.0, "itpp": 0.0, "simulated": 2000, "difference": 0.0, "because": ""},
    ]


# The best of all combinations


SHARED = Block(name="b", steps=(BlockStep(name="l", op="load", bytes=4, along=("items",), reuse=4),), trip=4)


def test_all_combinations_are_looked_at_and_those_that_fit_are_counted() -> None:
    made: Kernel = kernel(KernelLoop(name="k", trip=4, body=(SHARED,)), items=1000)
    designs = combinations(made)
    assert len({str(each) for each in designs}) == len(designs)
    start = look(made, BOARD, Design())
    seen: list[tuple[int, int]] = []
    found = best_design(made, BOARD, start, progress=lambda number, of: seen.append((number, of)))
    looked = [look(made, BOARD, design) for design in designs]
    fitting = [each for each in looked if each.fits]
    assert (found.looked_at, found.fitting) == (len(designs), len(fitting))
    assert found.best.seconds == min(each.seconds for each in fitting)
    assert seen == [(number, len(designs)) for number in range(len(designs))]


def test_a_start_that_nothing_beats_stays_the_best() -> None:
    made = kernel(ADD, items=1000)
    best = best_design(made, BOARD, look(made, BOARD, Design())).best
    assert best_design(made, BOARD, best).best is best


def test_room_is_left_above_and_below_the_line_of_speeds() -> None:
    points = [
        PathPoint(label=label, potentials={}, speed_up=speed) for label, speed in (("a", 1.0), ("b", 8.0), ("c", 2.0))
    ]
    bars, speeds = tuning_path("k", points).axes
    assert speeds.get_ylim() == pytest.approx((1 / 1.6, 8 * 2.2))
    assert speeds.get_yscale() == "log" and bars.get_ylim() == (0, 1.08)
    assert [text.get_text() for text in speeds.texts] == ["1x", "8x", "2x"]
    assert len(tuning_path("k", points[:1]).axes) == 1
