"""The command line: exit codes, JSON, files side by side, pictures, golden text."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from ppnsim import Channel, InputError, Network, Process, Rates, chain, fork_join, predictor, run
from ppnsim.formats.network_text import network_text
from ppnsim.model.network import Style
from ppnsim.model.summary import summary_of
from ppnsim.report.result import run_result
from tests.helpers.commands import Save, ppnsim, started

PREDICTOR = """\
predictor   finish 83 cycles (830 ns)   parallelism 2.06 mean, 5 max   engine des   style elastic   T s
process       firings   first..last start   utilisation   starting   starved                 blocked   draining   done
source             25               0..24         100 %         25   -                       -                4     54
transformer        16              10..73          25 %         16   source 10, itself 48    -                4      5
sink               16              15..78          25 %         16   transformer 63          -                4      0
"""


def stuck() -> Network:
    return fork_join(firings=20, short_depth=2, style="frozen")


def words(text: str) -> list[list[str]]:
    """Return the words of each line that has any, without the rules between them."""
    return [line.split() for line in text.splitlines() if line.strip(" ─")]


def test_run_prints_the_table_of_the_style_guide(save: Save, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    result = ppnsim("run", save(predictor()))
    assert result.exit_code == 0
    shown = words(re.sub(r"\d+\.\d\d s$", "T s", result.stdout, flags=re.MULTILINE))
    assert shown[:5] == words(PREDICTOR)
    assert "bottleneck: transformer waits for itself" in result.stdout
    assert result.stdout.rstrip().endswith("deeper FIFOs change nothing")


def test_json_on_standard_output_is_all_there_is(save: Save) -> None:
    result = ppnsim("run", save(predictor()), "--json", "-")
    answer = json.loads(result.stdout)
    assert (answer["finish"], answer["time_ns"], answer["engine"], answer["deadlock"]) == (83, 830.0, "des", None)
    assert answer["parallelism"] == {"average": 171 / 83, "maximum": 5}
    assert answer["processes"]["sink"]["cycles"]["starved"] == {"transformer->sink": 63}
    assert answer["channels"]["transformer->sink"] == {"kind": "IOM-", "depth": None, "tokens": 16, "max_occupancy": 2}


def test_a_deadlock_is_explained_and_gives_3(save: Save) -> None:
    result = ppnsim("run", save(stuck()), "--json", "-")
    assert result.exit_code == 3
    deadlock = json.loads(result.stdout)["deadlock"]
    assert [wait["process"] for wait in deadlock["cycle"]] == ["split", "short", "join", "long"]
    repaired = ppnsim("run", save(stuck()), *(f"--depth={name}={depth}" for name, depth in deadlock["fix"].items()))
    assert repaired.exit_code == 0


def test_depth_without_a_name_is_for_all_and_a_name_wins(save: Save) -> None:
    options = ["--depth", "12", "--depth", "long_in=5", "--depth=short_out=unbounded"]
    answer = json.loads(ppnsim("run", save(stuck()), *options, "--json=-").stdout)
    depths = {name: channel["depth"] for name, channel in answer["channels"].items()}
    assert depths == {"short_in": 12, "short_out": None, "long_in": 5, "long_out": 12}


def test_style_is_for_all_processes(save: Save) -> None:
    # TIMING.md: fork and join, short branch at depth 1.
    file = save(fork_join(firings=20, short_depth=1))
    finishes = [
        json.loads(ppnsim("run", file, "--style", style, "--json", "-").stdout)["finish"]
        for style in ("elastic", "flushable", "frozen")
    ]
    assert finishes == [92, 122, None]


def test_several_files_give_a_list_in_order_and_none_stops_the_others(save: Save, tmp_path: Path) -> None:
    files = [save(stuck(), "a.json"), str(tmp_path / "missing.toml"), save(predictor(), "c.json")]
    result = ppnsim("run", *files, "--json", "-")
    answers = json.loads(result.stdout)
    assert [answer["file"] for answer in answers] == files
    assert answers[1] == {"file": files[1], "error": f"{files[1]}: no such file"}
    assert (answers[0]["finish"], answers[2]["finish"]) == (None, 83)
    assert result.exit_code == 2, "2 comes before 3"


def test_bad_input_is_one_line_without_traceback(save: Save) -> None:
    result = ppnsim("run", save(predictor()), "--depth", "nowhere=3")
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert "no channel is called 'nowhere'" in result.stderr


@pytest.mark.parametrize("depth", ["x", "c=", "=3", "c=-1", "c=1.5"])
def test_depths_are_whole_numbers_of_tokens(save: Save, depth: str) -> None:
    result = ppnsim("run", save(chain(firings=3)), f"--depth={depth}")
    assert result.exit_code == 2
    assert f"--depth: '{depth}' is neither N nor CHANNEL=N with N tokens or unbounded" in result.stderr


def test_out_writes_result_tables_and_a_page_and_plot_the_pictures(save: Save, tmp_path: Path) -> None:
    file, out = save(predictor()), tmp_path / "out"
    done = ppnsim("run", file, "--out", str(out))
    assert done.stdout.splitlines()[-1] == f"written to {out} (report.html shows it; --plot {out} draws pictures)"
    names = {"occupancy.csv", "report.html", "result.json", "timeline.csv"}
    assert {path.name for path in out.iterdir()} == names
    assert json.loads((tmp_path / "out" / "result.json").read_text(encoding="utf-8"))["finish"] == 83
    assert len((tmp_path / "out" / "timeline.csv").read_text(encoding="utf-8").splitlines()) == 1 + 25 + 16 + 16
    pictures = {"gantt", "network", "occupancy", "parallelism"}
    assert ppnsim("run", file, "--plot", str(tmp_path / "all")).stdout.endswith(f"drawn to {tmp_path / 'all'}\n")
    assert {path.name for path in (tmp_path / "all").iterdir()} == {f"{each}.png" for each in pictures}
    # As scripts say it that are older than --plot.
    assert ppnsim("run", file, "--out", str(out), "--pictures", "svg").exit_code == 0
    assert {path.name for path in out.iterdir()} == names | {f"{each}.svg" for each in pictures}
    assert ppnsim("run", file, "--plot", str(tmp_path / "one.svg"), "--window", "0:40").exit_code == 0
    assert {path.name for path in tmp_path.glob("one*")} == {"one.svg"}


def test_each_of_several_files_has_its_picture_or_its_folder(save: Save, tmp_path: Path) -> None:
    files = [save(chain(firings=3, length=2).replace(name=name), f"{name}.json") for name in ("a", "b")]
    told = ppnsim("run", *files, "--out", str(tmp_path / "out"), "--plot", str(tmp_path / "p.svg")).stdout
    assert {path.name for path in tmp_path.glob("p*.svg")} == {"p-a.svg", "p-b.svg"}
    assert ppnsim("run", *files, "--plot", str(tmp_path / "all")).exit_code == 0
    assert (tmp_path / "all" / "a" / "gantt.png").is_file() and (tmp_path / "all" / "b" / "gantt.png").is_file()
    assert "report.html" not in told, "nobody has to be told of pictures"
    assert ppnsim("run", *files, "--out", str(tmp_path / "out")).stdout.count("report.html shows it") == 1


def test_what_has_no_picture_says_so(tmp_path: Path) -> None:
    flows = str(Path(__file__).parents[1] / "golden/files/flows.json")
    done = ppnsim("run", flows, "--plot", str(tmp_path / "x.svg"))
    assert (done.exit_code, "there is no picture of such a file" in done.stderr) == (2, True)
    assert "report.html" not in ppnsim("run", flows, "--out", str(tmp_path / "o")).stdout


def test_out_keeps_files_of_the_same_name_apart(save: Save, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    files = [save(predictor()), save(chain(firings=4), "other/network.json")]
    assert ppnsim("run", *files, "--out", str(tmp_path / "out")).exit_code == 0
    finishes = [
        json.loads((tmp_path / "out" / folder / "result.json").read_text(encoding="utf-8"))["finish"]
        for folder in ("network", "network-2")
    ]
    # The chain: 3 + write 1, read 1 + 3 + write 1, read 1 + 3 for the first firing, three more firings behind it.
    assert finishes == [83, 13 + 3]


def test_estimate_gives_both_estimates_and_the_bounds(save: Save) -> None:
    answer = json.loads(ppnsim("estimate", save(predictor()), "--json", "-").stdout)
    assert answer["absolute"]["finish"] == 83
    assert answer["absolute"]["parallelism"] == {"average": 171 / 83, "maximum": 5}
    assert answer["unbounded"]["finish"] == 45
    assert answer["unbounded"]["parallelism"] == {"average": 171 / 45, "maximum": 25}
    assert [bound["cycles"] for bound in answer["bounds"]] == [83, 45, 29]


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf", "dot"])
def test_draw_writes_every_format(save: Save, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"net.{suffix}"
    assert ppnsim("draw", save(predictor()), "-o", str(path)).exit_code == 0
    begins = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF", "dot": b"digraph"}
    assert path.read_bytes().startswith(begins[suffix])


def test_scenarios_are_listed_copied_and_not_overwritten(tmp_path: Path) -> None:
    assert "predictor" in ppnsim("scenarios").stdout
    assert ppnsim("scenarios", "--copy", str(tmp_path), "predictor").exit_code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["predictor.toml"]
    new = tmp_path / "folder" / "in a folder"
    assert ppnsim("scenarios", "--copy", str(new), "predictor").exit_code == 0
    assert (new / "predictor.toml").read_bytes() == (tmp_path / "predictor.toml").read_bytes()
    assert ppnsim("scenarios", "--copy", str(tmp_path), "predictor").exit_code == 0  # what nobody has changed
    (tmp_path / "predictor.toml").write_text("# mine\n")
    again = subprocess.run(
        [sys.executable, "-m", "ppnsim", "scenarios", "--copy", str(tmp_path), "predictor"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert again.returncode == 2
    assert "is already there" in again.stderr
    assert (tmp_path / "predictor.toml").read_text() == "# mine\n"
    assert "Traceback" not in again.stderr


def test_results_do_not_depend_on_the_hash_seed(save: Save) -> None:
    file = save(stuck())
    outputs = {
        subprocess.run(
            [sys.executable, "-m", "ppnsim", "run", file, "--json", "-"],
            capture_output=True, check=False, env=os.environ | {"PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("0", "1")
    }  # fmt: skip
    assert len(outputs) == 1


def test_ctrl_c_keeps_the_results_so_far(save: Save, tmp_path: Path) -> None:
    quick, endless = save(predictor(), "quick.json"), save(chain(firings=500_000, length=4), "endless.json")
    out = tmp_path / "results.json"
    command = ["run", quick, endless, "--engine", "des", "--json", str(out)]
    running = started(*command, out=subprocess.PIPE, errors=subprocess.PIPE)
    assert running.stdout is not None
    running.stdout.readline()  # the first answer is there, so the second file is being run
    time.sleep(1.5)
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=60)
    assert running.returncode == 130, errors
    done, broken_off = json.loads(out.read_text(encoding="utf-8"))
    assert done["finish"] == 83
    assert broken_off == {"file": endless, "error": f"{endless}: interrupted"}


def test_no_help_imports_anything_heavy() -> None:
    """Neither of ``ppnsim`` nor of any command: numpy and what computes is loaded for the work alone."""
    code = (
        "import sys; from ppnsim.cli.later import load_later; load_later();"
        "from typer.testing import CliRunner; from ppnsim.cli.app import COMMANDS, app;"
        "assert not any(CliRunner().invoke(app, [*each, '--help']).exit_code for each in ([], *zip(COMMANDS)));"
        "print(*sorted({name.split('.')[0] for name in sys.modules}), len(COMMANDS))"
    )
    *modules, commands = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()  # fmt: skip
    heavy = {
        "clang",
        "highspy",
        "islpy",
        "llvmlite",
        "matplotlib",
        "networkx",
        "numba",
        "numpy",
        "pandas",
        "scipy",
        "simpy",
    }
    assert int(commands) > 20
    assert set(modules) & heavy == set()


def test_a_network_imports_nothing_that_reads_sources(tmp_path: Path) -> None:
    """No ``run``, ``explain`` or ``size``: names of files and places in a source are known without the readers."""
    file = str(tmp_path / "fork_join.toml")
    Path(file).write_text(network_text(fork_join(firings=20), file), encoding="utf-8")
    code = (
        "import sys; from ppnsim.cli.later import load_later; load_later();"
        "from typer.testing import CliRunner; from ppnsim.cli.app import app;"
        f"assert CliRunner().invoke(app, ['run', {file!r}]).exit_code == 0;"
        f"assert CliRunner().invoke(app, ['explain', {file!r}]).exit_code == 0;"
        f"assert CliRunner().invoke(app, ['size', {file!r}, '--no-front']).exit_code == 0;"
        "print(*(name for name, each in sys.modules.items() if type(each) is type(sys)))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = set(told.stdout.split())
    libraries = {"clang", "islpy", "networkx", "llvmlite", "matplotlib", "numpy.ma", "pandas", "pyarrow", "scipy"}
    rooms = {
        "boards", "c.clang", "c.lowering", "c.load", "c.syntax", "comparison", "derive.derive", "hls.graph",
        "hls.library", "hls.region", "loops.program", "memory.run", "opencl.reader", "page", "platform.model",
        "plots.save", "roofline.laws",
    }  # fmt: skip
    assert "ppnsim.explore.fifo.search" in modules
    assert modules & {*libraries, *(f"ppnsim.{room}" for room in rooms)} == set()


def test_a_schedule_of_plain_loops_imports_no_networks_and_no_projects_and_a_profile_no_simpy() -> None:
    """What a dataflow region, a vendor's script, its reports or a file of cycles needs is loaded for those alone.

    So is the validator of files, for the tables of users.
    """
    kernel = "scenarios/kernels/atax.c"
    loaded = "print(*(name for name, each in sys.modules.items() if type(each) is type(sys)));"
    code = (
        "import sys; from ppnsim.cli.later import load_later; load_later();"
        "from typer.testing import CliRunner; from ppnsim.cli.app import app;"
        f"assert CliRunner().invoke(app, ['schedule', {kernel!r}]).exit_code == 0;"
        f"{loaded}"
        f"assert CliRunner().invoke(app, ['profile', {kernel!r}]).exit_code == 0;"
        f"{loaded}"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules, with_profile = (set(line.split()) for line in told.stdout.splitlines())
    libraries = {"highspy", "islpy", "llvmlite", "matplotlib", "networkx", "pandas", "pydantic", "simpy"}
    rooms = {
        "boards.keys", "derive.derive", "engines.program", "explore.fifo.search", "hls.native.data_decisions",
        "hls.project.tcl", "hls.region.channels", "hls.region.fifos", "hls.region.ports", "hls.reports.read",
        "loops.dependences",
    }  # fmt: skip
    assert "ppnsim.hls.schedule.machine" in modules
    assert modules & {*libraries, *(f"ppnsim.{room}" for room in rooms)} == set()
    assert "ppnsim.explore.fifo.selftimed" in with_profile
    assert with_profile & {"pydantic", "simpy", "ppnsim.derive.files.timing"} == set()


def test_a_million_million_firings_that_repeat_are_told_at_once(tmp_path: Path) -> None:
    """No step between the engine and the terminal puts the firings back that were left out."""
    loop = Channel(name="again", source="a", target="a", initial=1)
    network = Network(
        processes=[Process(name="a", firings=10**12, latency=4), Process(name="b", firings=10**12)],
        channels=[loop, Channel(name="c", source="a", target="b", depth=2)],
    )
    file = tmp_path / "long.json"
    file.write_text(network_text(network, file), encoding="utf-8")
    shown = ppnsim("run", str(file)).stdout
    assert f"finish {6 * 10**12 + 2} cycles" in shown
    assert "bottleneck: a waits for itself: a chain of 1000000000000 firings x 6 cycles" in shown


def test_version_is_printed() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+\n", ppnsim("--version").stdout)


def test_an_unknown_scenario_is_bad_input() -> None:
    with pytest.raises(InputError, match=r"no shipped scenario is called 'predictr' \(did you mean 'predictor'\?\)"):
        ppnsim("scenarios", "predictr")


def test_json_has_to_have_a_place_before_any_work_is_done(save: Save, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no directory"):
        ppnsim("run", save(chain(firings=3)), "--json", str(tmp_path / "nowhere" / "x.json"))


def test_a_reader_that_leaves_early_does_not_stop_the_others(save: Save, tmp_path: Path) -> None:
    files = [save(predictor(), "a.json"), save(chain(firings=3), "b.json")]
    out = tmp_path / "results.json"
    command = [sys.executable, "-m", "ppnsim", "run", *files, "--json", str(out)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        running.stdout.close()
        assert running.wait(timeout=60) == 0
    assert len(json.loads(out.read_text(encoding="utf-8"))) == 2


def test_a_time_beyond_64_bits_is_refused_by_name(save: Save) -> None:
    network = Network(processes=[Process(name="a", firings=2000, ii=2**53)])
    result = ppnsim("run", save(network))
    assert result.exit_code == 2
    assert "which do not fit in 64 bits (at most 2**62)" in result.stderr


def test_more_tokens_than_memory_are_refused_by_name(save: Save) -> None:
    network = Network(
        processes=[Process(name="a", firings=2), Process(name="b", firings=2)],
        channels=[Channel(name="c", source="a", target="b", tokens=Rates((2**31,), (2**31,)))],
    )
    result = ppnsim("run", save(network))
    assert result.exit_code == 2
    assert "engine compiled: 8589934596 firings and tokens; it records each of them" in result.stderr


def test_few_firings_far_apart_cost_little() -> None:
    # Nothing may be allocated per cycle: a trillion of them would not fit.
    network = Network(
        processes=[Process(name=name, firings=3, ii=10**12, latency=5, style=style) for name, style in STYLED],
        channels=[Channel(name="c", source="elastic", target="frozen", depth=1)],
    )
    result = run_result(summary_of(run(network)), file="far")
    # The second process starts behind the first: 6 cycles later, and its last firing ends after 1 + 5 more.
    assert result["finish"] == 2 * 10**12 + 5 + 1 + 1 + 5
    assert all(sum(flat(row["cycles"])) == result["finish"] for row in result["processes"].values())


STYLED: list[tuple[str, Style]] = [("elastic", "elastic"), ("frozen", "frozen"), ("flushable", "flushable")]


def flat(cycles: dict[str, Any]) -> list[int]:
    """Return all numbers in a ``cycles`` entry."""
    return [number for value in cycles.values() for number in (value.values() if isinstance(value, dict) else [value])]


def test_a_network_on_nodes_is_drawn_with_its_nodes(tmp_path: Path) -> None:
    file, picture = str(Path(__file__).parents[2] / "scenarios/networks/two_fpgas.toml"), tmp_path / "net.svg"
    assert ppnsim("draw", file, "-o", str(picture)).exit_code == 0
    assert {"left", "right"} <= set(re.findall(r"<!-- (\w+) -->", picture.read_text(encoding="utf-8")))
    refused = ppnsim("draw", file, "-o", str(picture), "--simulate")
    assert refused.exit_code == 2 and "--simulate is for networks on one node" in refused.stderr
