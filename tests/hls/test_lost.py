"""Useful and lost cycles of scheduled kernels: sums, counting by hand, formulas, and the command."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ppnsim.c.load import load_programs
from ppnsim.cli.app import app
from ppnsim.errors import InputError
from ppnsim.hls.kernel import schedule_kernel
from ppnsim.hls.library.library import load_library
from ppnsim.hls.lost.designs import LoopDesign, learned, split_at
from ppnsim.hls.lost.split import schedule_split
from ppnsim.hls.pragmas.directives import Directives
from ppnsim.loops.program import LoopProgram

FOLDER = Path(__file__).parents[2] / "scenarios" / "kernels"
KERNELS = sorted(FOLDER.glob("*.c"))
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
            machine = schedule_kernel(program, LIBRARY)
        except InputError:
            continue  # kernels of opaque calls have no operators
        split = schedule_split(machine)
        assert split.total == machine.cycles
        assert min(split.useful, split.initialisation, split.memory, split.control) >= 0


def test_a_recurrence_fills_all_but_one_cycle_of_each_interval(source: Path) -> None:
    program = of(source, "total")
    machine = schedule_kernel(program, LIBRARY)
    (nest,) = machine.nests
    split = schedule_split(machine)
    assert nest.body.schedule.ii == 7
    assert split.useful == 40
    # An adder of 7 states: 6 of each addition fill it.
    assert split.initialisation == 40 * 6


def test_the_state_that_is_no_cycle_is_the_last_one(tmp_path: Path) -> None:
    file = tmp_path / "double.c"
    file.write_text("void twice(float a[9], float b[9]) { for (int i = 0; i < 9; i++) b[i] = a[i] + a[i]; }")
    machine = schedule_kernel(load_programs(str(file))[0], LIBRARY)
    (nest,) = machine.nests
    # One pipelined loop, whose last state stores: it is that of its cycles which is left out.
    assert machine.cycles == nest.cycles - 1
    split = schedule_split(machine)
    # Of the first load (its address and its data) and the last store no addition hides the first two; one starts in
    # each of nine cycles and fills the adder for the rest.
    assert (split.useful, split.memory, split.control) == (9, 2, 0)
    assert split.initialisation == machine.cycles - 11


DATAFLOW = """
void two(float in[16], float out[16]) {
#pragma HLS dataflow
    float between[16];
    for (int i = 0; i < 16; i++)
        between[i] = in[i] * 2.0f;
    for (int j = 0; j < 16; j++)
        out[j] = between[j] + 1.0f;
}
"""


def test_of_tasks_the_last_one_counts_and_what_it_waits_for_is_control(tmp_path: Path) -> None:
    file = tmp_path / "two.c"
    file.write_text(DATAFLOW)
    done = CliRunner().invoke(app, ["lost", str(file), "--design", "auto", "--json", "-"])
    (design,) = json.loads(done.stdout)["designs"]
    scheduled_ = json.loads(CliRunner().invoke(app, ["schedule", str(file), "--json", "-"]).stdout)
    assert design["cycles"] == scheduled_["cycles"]
    assert design["useful"] == 16  # additions of the second task, which starts when the first has ended
    assert design["control"] >= min(task["end"] for task in scheduled_["dataflow"]["tasks"])


def test_visits_of_a_triangle_are_laid_out_one_by_one(source: Path) -> None:
    machine = schedule_kernel(of(source, "triangle", 9), LIBRARY)
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


PRODUCT = """
#ifndef N
#define N 4
#endif
void mm(float A[N][N], float B[N][N], float C[N][N]) {
    for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) for (int k = 0; k < N; k++)
        C[i][j] += A[i][k] * B[k][j];
}
"""


@pytest.fixture
def product(tmp_path: Path) -> list[str]:
    file = tmp_path / "mm.c"
    file.write_text(PRODUCT)
    return ["lost", str(file), "-D", "N=4", "--learn", "N"]


def test_a_size_that_the_factor_does_not_divide_costs_no_other_answer(product: list[str]) -> None:
    arguments = [*product, "--design", "unroll k=2", "--at", "N=33"]
    done = CliRunner().invoke(app, [*arguments, "--at", "N=50", "--json", "-"])
    assert done.exit_code == 0, done.output
    odd, even = json.loads(done.stdout)["designs"][0]["predictions"]
    assert odd["predicted"] is None and "is not a whole number of cycles" in odd["reason"]
    assert odd["scheduled"]["cycles"] > 0 and even["predicted"] == even["scheduled"]
    assert "is not a whole number of cycles" in CliRunner().invoke(app, arguments).stdout


def test_a_prediction_that_the_schedule_leaves_is_told(product: list[str]) -> None:
    arguments = [*product, "--design", "none", "--at", "N=64"]
    # Rows of 64 elements need no adder for their addresses, and so no state to themselves.
    general = [*arguments, "--sizes", "21,22,23,25,26,27"]
    assert "N 64: control is 262145 in the schedule" in CliRunner().invoke(app, general).stdout
    alike = CliRunner().invoke(app, [*arguments, "--sizes", "16,32,128,256,512,1024"]).stdout
    assert "in the schedule" not in alike


def test_ctrl_c_keeps_the_designs_that_are_done(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("ppnsim.library.lost_source.learned", interrupted)
    output = tmp_path / "lost.json"
    arguments = ["lost", str(source), "--function", "total", "-D", "N=8", "--design", "none", "--design", "auto"]
    done = CliRunner().invoke(app, [*arguments, "--learn", "N", "--json", str(output)])
    assert done.exit_code == 130
    assert [design["design"] for design in json.loads(output.read_text())["designs"]] == ["none"]


def test_a_kernel_that_executes_nothing_loses_nothing(tmp_path: Path) -> None:
    file, picture = tmp_path / "empty.c", tmp_path / "empty.svg"
    file.write_text("void empty(float a[4]) { for (int i = 0; i < 4; i++) {} }")
    done = CliRunner().invoke(app, ["lost", str(file), "--plot", str(picture)])
    assert done.exit_code == 0 and "it loses none" in done.stdout and picture.is_file()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--design", "unrol i=2"], "is not a design"),
        (["--design", "unroll k=2"], "no loop is called 'k'"),
        (["--design", "unroll i=1"], "is not a design"),
        (["--learn", "M"], "'M' has no value"),
        (["--learn", "N", "-D", "N=8", "--at", "N=0"], "executes nothing"),
        (["--learn", "N", "-D", "N=8", "--at", "M=2"], "is not NAME=N"),
        (["--at", "N=9"], "--learn"),
        (["--learn", "N", "-D", "N=8", "--at", "N=9,N=10"], "gives N twice"),
        (["--learn", ""], "names no size"),
        (["--sizes", "21,22,23,25,26,27"], "--learn names none"),
        (["--design", f"unroll i={10**20}"], "with a factor from 2 to 1000000"),
        (["--iterations", "0"], "--iterations can only be used with networks"),
        (["--learn", "N", "-D", "N=8", "--sizes", "2,3"], "at least 6"),
        (["--depth", "3"], "--depth is of networks and dataflow regions: this kernel has no FIFOs"),
        (["--device", "xc9"], "no device 'xc9'"),
    ],
)
def test_bad_input_is_refused_by_name(source: Path, options: list[str], words: str) -> None:
    done = CliRunner().invoke(app, ["lost", str(source), "--function", "total", *options])
    assert done.exit_code == 2
    assert words in done.output


def test_powers_of_two_are_predicted_by_their_own_formulas() -> None:
    gemm = ["lost", str(FOLDER / "gemm.c"), *("-D", "NI=8", "-D", "NJ=8", "-D", "NK=8"), "--design", "none"]
    for size in (53, 64):
        done = CliRunner().invoke(app, [*gemm, "--learn", "NI,NK", "--at", f"NI={size},NK={size}", "--json", "-"])
        (found,) = json.loads(done.stdout)["designs"][0]["predictions"]
        assert found["predicted"] == found["scheduled"]
    mixed = CliRunner().invoke(app, [*gemm, "--learn", "NI,NJ,NK", "--at", "NI=53,NJ=53,NK=64"]).stdout
    assert "64 is a power of two, whose addresses are cheaper: learn at such sizes with --sizes 4,8,16" in mixed


def test_the_tasks_of_a_dataflow_region_are_split_as_processes(tmp_path: Path) -> None:
    file, sized = str(FOLDER.parent / "hls" / "sharpen.cpp"), str(tmp_path / "sized.cpp")
    stuck = CliRunner().invoke(app, ["lost", file])
    assert stuck.exit_code == 3 and "'direct' at depth 10 or more breaks the circle" in stuck.stdout
    assert CliRunner().invoke(app, ["size", file, "--no-front", "-o", sized]).exit_code == 0
    done = json.loads(CliRunner().invoke(app, ["lost", sized, "--json", "-"]).stdout)
    for parts in done["processes"].values():
        assert parts["useful"] > 0
        assert parts["useful"] + parts["lost"] == done["finish"]
