"""A function of high-level synthesis without a dataflow region is hardware, whatever command is asked about it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import ppnsim
from ppnsim.errors import InputError
from ppnsim.source_networks.hls_marks import marked
from ppnsim.source_networks.load import load_source
from tests.helpers.commands import ppnsim as command

PLAIN = """void product(const int a[16][16], const int b[16][16], int c[16][16]) {
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 16; j++) {
#pragma HLS pipeline II=1
            int s = 0;
            for (int k = 0; k < 16; k++) s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
}
"""
STREAMED = """#include "hls_stream.h"
void scaled(hls::stream<int> &in, hls::stream<int> &out) {
    for (int i = 0; i < 40; i++) out.write(3 * in.read());
}
"""


def written(folder: Path, text: str, name: str = "k.cpp") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def answer(*arguments: str) -> dict[str, Any]:
    done = command(*arguments, "--json", "-")
    assert done.exit_code == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("text", [PLAIN, STREAMED])
def test_all_commands_on_networks_tell_the_cycles_of_the_schedule(text: str, tmp_path: Path) -> None:
    file = written(tmp_path, text)
    cycles = answer("schedule", file)["cycles"]
    ran = answer("run", file)
    assert (ran["finish"], ran["source"]["start_to_done"], ran["source"]["made_of"]) == (cycles, cycles, "tasks")
    assert answer("explain", file)["finish"] == cycles
    assert answer("size", file)["lossless"]["finish"] == cycles
    assert answer("report", file, "-o", str(tmp_path / "page.html"))["finish"] == cycles
    assert ppnsim.run(file).finish == ppnsim.load(file).run().finish == cycles


def test_run_names_the_loop_that_takes_them_and_says_what_was_taken(tmp_path: Path) -> None:
    done = command("run", written(tmp_path, PLAIN))
    assert "loop i.j (line 3)" in done.stdout and "II 8" in done.stdout
    assert "function 'product' has no '#pragma HLS dataflow': it is one task" in done.stderr


@pytest.mark.parametrize("option", [["--ii", "2"], ["--latency", "3"], ["--io"]])
def test_cycles_of_statements_ask_for_a_network_of_them(option: list[str], tmp_path: Path) -> None:
    found = answer("run", written(tmp_path, PLAIN), *option)
    assert found["source"]["made_of"] == "statements"
    assert any("no effect: '#pragma HLS'" in each for each in found["source"]["notes"])


def test_what_is_derived_are_always_the_statements(tmp_path: Path) -> None:
    file = written(tmp_path, PLAIN)
    assert answer("derive", file, "-o", str(tmp_path / "net.json"))["processes"] == 2
    assert len(ppnsim.derive(file).processes) == 2
    assert ppnsim.run(file, latency=1).finish == ppnsim.derive(file).run().finish > ppnsim.run(file).finish


@pytest.mark.parametrize("pragma", ["#pragma HLS inline", "// #pragma HLS pipeline", "#pragma omp simd"])
def test_what_says_nothing_of_hardware_is_no_mark(pragma: str, tmp_path: Path) -> None:
    file = written(tmp_path, PLAIN.replace("#pragma HLS pipeline II=1", pragma), "k.c")
    assert not marked([file])
    assert load_source(file).made_of == "statements"


def test_headers_of_the_source_may_have_the_marks(tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    written(tmp_path / "inside", '#include <ap_int.h>\n#include "types.h"\n', "types.h")
    file = written(tmp_path, '#include "types.h"\nvoid f(void) {}\n')
    assert marked([file], [str(tmp_path / "inside")])
    assert not marked([file]) and not marked([str(tmp_path / "nowhere.c")])


def test_the_target_is_that_of_the_schedule(tmp_path: Path) -> None:
    """Options of hardware act, which a network of statements refuses."""
    file = written(tmp_path, PLAIN)
    options = ["--device", "xcvu9p", "--clock", "4 ns", "--pragma", "array_partition variable=a complete dim=2"]
    assert answer("run", file, *options)["finish"] == answer("schedule", file, *options)["cycles"]
    assert answer("run", file, *options)["source"]["device"] == "xcvu9p"
    with pytest.raises(InputError, match="leave --memory DDR4-2400 away"):
        load_source(file, memory="DDR4-2400")
    with pytest.raises(InputError, match=r"style elastic: 'product' is no dataflow region: its one task"):
        ppnsim.run(file, style="elastic")


CLOCKS = ("2.5 ns", "10 ns")


@pytest.mark.parametrize("ask", ["sweep", "compare", "estimate"])
def test_another_clock_is_another_schedule(ask: str, tmp_path: Path) -> None:
    """The cycles at a faster clock are not those of a slower one, with and without what else varies."""
    file = written(tmp_path, PLAIN)
    own = [answer("schedule", file, "--clock", clock)["cycles"] for clock in CLOCKS]
    assert own[0] > own[1]
    rows = answer(ask, file, "--vary", f"clock={','.join(CLOCKS)}")
    found = rows["rows"] if ask == "sweep" else rows["points"]
    finish = {"sweep": "finish", "compare": "simulated", "estimate": "predicted.absolute"}[ask]
    assert [row[finish] for row in found] == own


def test_the_clock_varies_beside_depths_of_a_region() -> None:
    file = "scenarios/hls/subtract_mean.cpp"
    table = ppnsim.sweep(file, {"clock": ["2 ns", "10 ns"], "kept.depth": [64, 80]})
    for row in table.rows():
        alone = ppnsim.run(file, clock=row["clock"], depths={"kept": row["kept.depth"]}, on_deadlock="return")
        assert row["finish"] == alone.finish


def test_the_clock_of_a_source_that_is_read_does_not_vary(tmp_path: Path) -> None:
    file = written(tmp_path, PLAIN)
    for held in (ppnsim.load(file), ppnsim.load(file, "SourceNetwork")):
        for ask in (ppnsim.sweep, ppnsim.compare):
            with pytest.raises(InputError, match="the tasks of 'product' are scheduled for 10 ns"):
                ask(held, vary={"clock": ["5 ns"]})


def test_one_task_is_not_split_as_a_process_of_a_network(tmp_path: Path) -> None:
    """All but its first cycle would be lost; of the source the cycles in which operators work are useful."""
    file = written(tmp_path, PLAIN)
    written(tmp_path, f"open_project p\nset_top product\nadd_files {file}\nopen_solution s\n", "run_hls.tcl")
    for held in (str(tmp_path / "run_hls.tcl"), ppnsim.load(file), ppnsim.run(file)):
        with pytest.raises(InputError, match=r"'product' is one task, .*: ppnsim lost .*k.cpp splits them"):
            ppnsim.lost(held)
    assert answer("lost", file)["designs"][0]["cycles"] == 2053


def test_logic_in_one_state_has_no_run(tmp_path: Path) -> None:
    file = written(tmp_path, '#include "ap_int.h"\nvoid f(ap_int<4> a, ap_int<4> *b) { *b = a + 1; }\n')
    assert ppnsim.schedule(file).kernels[0].machine.cycles == 0
    with pytest.raises(InputError, match="function 'f' takes 0 cycles"):
        ppnsim.run(file)


def test_a_file_alone_is_scheduled(tmp_path: Path) -> None:
    done = command(written(tmp_path, PLAIN))
    assert done.stdout.startswith("product   2053 cycles")
    assert done.stderr.startswith("ppnsim schedule ") and "ppnsim run" in done.stderr


@pytest.mark.parametrize("chosen", [("--function", "load"), ("--function=load",)])
def test_a_task_that_is_chosen_is_scheduled_though_its_file_has_a_region(chosen: tuple[str, ...]) -> None:
    done = command("scenarios/hls/subtract_mean.cpp", *chosen)
    assert done.stderr.startswith("ppnsim schedule ")
    assert command("scenarios/hls/subtract_mean.cpp").stderr.startswith("ppnsim run ")


def test_of_several_functions_a_file_alone_schedules_all(tmp_path: Path) -> None:
    done = command(written(tmp_path, PLAIN + PLAIN.replace("product", "another")))
    assert done.exit_code == 0
    assert "product   2053 cycles" in done.stdout and "another   2053 cycles" in done.stdout


def test_of_loops_that_are_removed_nothing_is_assumed(tmp_path: Path) -> None:
    """Nobody uses what the first loop counts, so that its assumed bound decides nothing."""
    text = """void f(int n, int a[8]) {
    int lost = 0;
    for (int i = 0; i < n; i++) lost += i;
    for (int i = 0; i < 8; i++) {
#pragma HLS pipeline
        a[i] = i;
    }
}
"""
    notes = load_source(written(tmp_path, text)).notes
    assert any("nobody uses" in each for each in notes)
    assert not any("line 3 runs" in each for each in notes)


def test_a_profile_of_statements_says_that_pragmas_do_not_act(tmp_path: Path) -> None:
    """Its cycles are those of --ii and --latency, also in the answer itself: they must not pass for the hardware's."""
    file = written(tmp_path, PLAIN)
    words = f"no effect: '#pragma HLS' in {file}, line 4: the cycles of statements are those of --ii and --latency"
    assert words in command("profile", file).stdout
    assert words in command("explore-splits", file).stderr
    (said,) = answer("profile", file)["without_effect"]
    assert said.startswith(words)
    assert answer("profile", written(tmp_path, PLAIN.replace("#pragma HLS pipeline II=1", ""), "p.c"))[
        "without_effect"
    ] == []  # fmt: skip
