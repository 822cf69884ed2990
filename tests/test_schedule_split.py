"""Useful and lost cycles of scheduled kernels: sums, counting by hand, formulas, and the command."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ppnsim.affine.program import LoopProgram
from ppnsim.analysis.schedule_split import schedule_split
from ppnsim.cli.app import app
from ppnsim.errors import InputError
from ppnsim.explore.scheduled_losses import LoopDesign, learned, split_at
from ppnsim.frontend.load import load_programs
from ppnsim.hls.directives import Directives
from ppnsim.hls.library import load_library
from ppnsim.hls.machine import scheduled

KERNELS = sorted((Path(__file__).parent.parent / "scenarios" / "kernels").glob("*.c"))
LIBRARY = load_library("xc7z020", 10)
SUM = """
#ifndef N
#define N 40
#endif
double total(double a[N]) {
    double s = 0;
    for (int i = 0; i < N; i++)
        s += a[i];
    return s;
}
void triangle(float a[N][N], float b[N][N]) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < i; j++)
            b[i][j] = a[i][j] * a[i][j];
}
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    file = tmp_path / "sum.c"
    file.write_text(SUM)
    return file


def of(source: Path, function: str, n: int = 40) -> LoopProgram:
    return load_programs(str(source), function=function, defines={"N": str(n)})[0]


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.stem)
def test_parts_add_up_to_the_cycles(path: Path) -> None:
    for program in load_programs(str(path)):
        try:
            machine = scheduled(program, LIBRARY)
        except InputError:
            continue  # kernels of opaque calls have no operators
        split = schedule_split(machine)
        assert split.total == machine.cycles
        assert min(split.useful, split.initialisation, split.memory) >= 0


def test_a_recurrence_fills_all_but_one_cycle_of_each_interval(source: Path) -> None:
    program = of(source, "total")
    machine = scheduled(program, LIBRARY)
    (nest,) = machine.nests
    split = schedule_split(machine)
    assert nest.body.schedule.ii == 7
    assert split.useful == 40
    # An adder of 7 states: 6 of each addition fill it.
    assert split.initialisation == 40 * 6


def test_visits_of_a_triangle_are_laid_out_one_by_one(source: Path) -> None:
    machine = scheduled(of(source, "triangle", 9), LIBRARY)
    (nest,) = machine.nests
    assert schedule_split(machine).useful == 36
    body = nest.body
    busy = sum(body.depth + (trips - 1) * body.schedule.ii for trips in range(9))
    assert schedule_split(machine).total == machine.cycles >= busy


@pytest.mark.parametrize("text", ["none", "unroll j=2", "pipeline i"])
def test_designs_change_what_is_lost_and_not_what_is_useful(source: Path, text: str) -> None:
    def program(_sizes: Mapping[str, int]) -> tuple[LoopProgram, Directives]:
        return load_programs(str(source.with_name("sq.c")), function="square")[0], Directives()

    source.with_name("sq.c").write_text(
        "void square(float a[8][8], float b[8][8]) {\n"
        "    for (int i = 0; i < 8; i++)\n        for (int j = 0; j < 8; j++)\n"
        "            b[i][j] = a[i][j] * a[i][j];\n}\n"
    )
    split = split_at(program, LIBRARY, LoopDesign.read(text), {})
    # Two ports of b let two multiplications start at once where the inner loop is gone.
    assert split.useful == (32 if text == "pipeline i" else 64 if text == "none" else 32)
    assert (split.lost > 64 * 3) == (text != "pipeline i")


def test_formulas_from_small_sizes_hold_for_a_large_one(source: Path) -> None:
    def program(sizes: Mapping[str, int]) -> tuple[LoopProgram, Directives]:
        return of(source, "total", sizes["N"]), Directives()

    model = learned(program, LIBRARY, LoopDesign(), ["N"], (21, 22, 23, 25, 26, 27))
    assert str(model.formulas["initialisation"]) == "6*N"
    assert model.at({"N": 4000}) == split_at(program, LIBRARY, LoopDesign(), {"N": 4000})


def test_command_splits_learns_and_draws(source: Path, tmp_path: Path) -> None:
    picture, output = tmp_path / "lost.svg", tmp_path / "lost.json"
    arguments = ["lost", str(source), "--function", "total", "-D", "N=8", "--design", "auto", "--design", "none"]
    done = CliRunner().invoke(
        app, [*arguments, "--learn", "N", "--at", "N=500", "--plot", str(picture), "--json", str(output)]
    )
    assert done.exit_code == 0, done.output
    assert "6*N" in done.output
    result = json.loads(output.read_text())
    for design in result["designs"]:
        assert design["predictions"][0]["predicted"] == design["predictions"][0]["scheduled"]
        assert design["cycles"] == sum(design[part] for part in ("useful", "initialisation", "memory", "control"))
    assert "N 500" in picture.read_text()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--design", "unrol i=2"], "is no design"),
        (["--design", "unroll k=2"], "no loop is called 'k'"),
        (["--design", "unroll i=1"], "is no design"),
        (["--learn", "M"], "'M' has no value"),
        (["--learn", "N", "-D", "N=8", "--at", "N=0"], "executes nothing"),
        (["--learn", "N", "-D", "N=8", "--at", "M=2"], "is not NAME=N"),
        (["--at", "N=9"], "--learn"),
        (["--learn", "N", "-D", "N=8", "--sizes", "2,3"], "at least 6"),
        (["--depth", "3"], "only be used with networks"),
        (["--device", "xc9"], "no device 'xc9'"),
    ],
)
def test_bad_input_is_refused_by_name(source: Path, options: list[str], words: str) -> None:
    done = CliRunner().invoke(app, ["lost", str(source), "--function", "total", *options])
    assert done.exit_code == 2
    assert words in done.output
