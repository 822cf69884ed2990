"""From C to figures: the shipped kernels profile, derive and run, and loops, network and engine agree."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ppnsim.analysis.throughput import absolute, unbounded
from ppnsim.c.load import load_programs
from ppnsim.cli.app import app
from ppnsim.derive.derive import derive
from ppnsim.derive.estimate.estimate import estimate_program
from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.files import load_network

KERNELS = Path(__file__).parents[2] / "scenarios" / "kernels"
NAMES = sorted(path.stem for path in KERNELS.glob("*.c"))


def profile(*arguments: str) -> Any:
    """Return the kernels in the JSON of ``ppnsim profile``."""
    result = CliRunner().invoke(app, ["profile", *arguments, "--json", "-"], catch_exceptions=False)
    assert result.exit_code == 0, result.stderr
    answer = json.loads(result.stdout)
    return answer.get("kernels", [answer])


def small(path: Path) -> dict[str, str]:
    """Return the sizes of a kernel with every one of them at most 6."""
    sizes = re.findall(r"^#ifndef (\w+)\n#define \1 (\d+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    halves = {"MAX_HALF": "3"} if "MAX_HALF" in dict(sizes) else {}
    return {name: str(min(int(size), 6)) for name, size in sizes} | halves


# Recomputed from the thesis: absolute and unbounded finish, maxima; with latency 3, ii 1 (hierarchy: latency 2).
THESIS = {
    ("four_processes",): (14, 8, 3, 8),
    ("predictor",): (83, 45, 5, 25),
    ("predictor_inner",): (50, 45, None, 25),
    ("predictor_outer",): (50, 45, None, 25),
    ("predictor_both",): (50, 45, None, 25),
    ("predictor_sink",): (50, 45, 9, 25),
    ("predictor_source",): (45, 45, 25, 25),
    ("predictor_all",): (45, 45, 25, 25),
    ("iom_minus",): (19, None, None, None),
    ("iom_plus",): (29, None, None, None),
    ("oom_minus",): (23, None, None, None),
    ("oom_plus",): (33, None, None, None),
    ("hierarchy", "--latency", "2"): (1035, 36, None, None),
    ("atax_thesis", "--io"): (5042, 330, 10, 1088),
}


@pytest.mark.parametrize("case", THESIS, ids=" ".join)
def test_the_figures_of_the_thesis_come_out_of_c(case: tuple[str, ...]) -> None:
    name, *options = case
    (entry,) = profile(str(KERNELS / f"{name}.c"), *(() if "--latency" in options else ("--latency", "3")), *options)
    found = [entry[which]["finish"] for which in ("absolute", "unbounded")]
    found += [entry[which]["parallelism"]["maximum"] for which in ("absolute", "unbounded")]
    assert [None if want is None else have for have, want in zip(found, THESIS[case], strict=True)] == list(
        THESIS[case]
    )


@pytest.mark.parametrize(("name", "kind"), [("iom_minus", "IOM-"), ("iom_plus", "IOM+"), ("oom_minus", "OOM-")])
def test_the_communication_models_are_classified(name: str, kind: str) -> None:
    (entry,) = profile(str(KERNELS / f"{name}.c"))
    assert kind in {channel["kind"] for channel in entry["channels"]}


@pytest.mark.parametrize("half", [0, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", NAMES)
def test_loops_network_and_engine_agree(name: str, half: int) -> None:
    """Every second kernel has its streams; the other way round is slow."""
    io = (NAMES.index(name) + half) % 2 == 1
    path = KERNELS / f"{name}.c"
    for program in load_programs(str(path), defines=small(path)):
        estimate, network = estimate_program(program, io=io, latency=3), derive(program, io=io, latency=3)
        one_each, by_data = absolute(network), unbounded(network)
        assert run(network).finish == one_each.finish == estimate.absolute.finish
        assert by_data.finish == estimate.unbounded.finish
        assert one_each.parallelism.maximum == estimate.absolute.maximum
        assert by_data.parallelism.maximum == estimate.unbounded.maximum


def test_a_derived_network_runs_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "net.json"
    source = str(KERNELS / "predictor.c")
    result = CliRunner().invoke(app, ["derive", source, "--latency", "3", "--clock", "200 MHz", "-o", str(path)])
    assert result.exit_code == 0
    outcome = run(load_network(path))
    assert (outcome.finish, outcome.time_ns) == (83, 415.0)


def test_sizes_tell_program_order_from_self_timed_execution() -> None:
    (entry,) = profile(str(KERNELS / "predictor.c"), "--latency", "3")
    (results,) = [channel for channel in entry["channels"] if channel["to"] == "sink"]
    # In program order all 16 results are there before the sink begins; running, it takes them as they come.
    assert (results["tokens"], results["sequential_size"], results["selftimed_size"]) == (16, 16, 2)


def test_the_command_line_wins_over_the_pragma_and_the_pragma_over_the_number_for_all() -> None:
    path = str(KERNELS / "four_processes.c")
    assert profile(path, "--latency", "9")[0]["absolute"]["finish"] == 14
    slower = profile(path, "--latency", "source=9")[0]
    assert {row["name"]: row["latency"] for row in slower["statements"]}["source"] == 9


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--latency", "nosuch=3"], "--latency: no statement or function is called 'nosuch'"),
        (["--ii", "0"], "--ii 0: 0 is below 1 cycle"),
        (["--set", "n"], "--set: 'n' is not NAME=VALUE"),
        (["--function", "nosuch"], "nosuch"),
    ],
)
def test_options_that_make_no_sense_are_told(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(app, ["profile", str(KERNELS / "predictor.c"), *arguments])
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.parametrize(
    ("options", "finish", "maximum", "processes"),
    # Recomputed from the thesis: all statements but the stream of A and the sink.
    [
        ([f"--unfold={name}=32" for name in ("in_x", "y", "tmp", "y_2")], 1198, 66, 130),
        ([f"--cut={name}" for name in ("in_x", "y", "tmp", "y_2")], 2562, 16, 10),
    ],
    ids=["unfold", "cut"],
)
def test_transformed_atax_comes_out_of_c(options: list[str], finish: int, maximum: int, processes: int) -> None:
    (entry,) = profile(str(KERNELS / "atax_thesis.c"), "--io", "--latency", "3", *options)
    assert (entry["absolute"]["finish"], entry["absolute"]["parallelism"]["maximum"]) == (finish, maximum)
    assert len(entry["statements"]) == processes
    assert entry["unbounded"]["finish"] == 330, "rewriting changes no dependence"


@pytest.mark.parametrize("name", ["noext", "net.toml", "bad\udcff.c"])
def test_a_name_that_is_no_source_is_told(name: str) -> None:
    result = CliRunner().invoke(app, ["profile", name])
    assert "Traceback" not in result.stderr
    assert result.exit_code == 2
    assert name.encode(errors="backslashreplace").decode() in result.stderr


def test_derive_does_not_overwrite_its_source() -> None:
    with pytest.raises(InputError, match=r"is not a name for network JSON \(\.json\)"):
        CliRunner().invoke(app, ["derive", "k.c", "-o", "k.c"], catch_exceptions=False)


def test_with_hazards_nothing_is_folded_and_its_channels_are_told(tmp_path: Path) -> None:
    """A value that is put into local storage is a wire of its own there, with a size."""
    file = tmp_path / "sum.c"
    file.write_text(
        "void total(const int a[4], int out[1]) {\n  int s;\n  s = 0;\n"
        "  for (int i = 0; i < 4; i++) s = s + a[i];\n  out[0] = s;\n}\n"
    )
    (plain,), (kept,) = profile(str(file)), profile(str(file), "--hazards")
    assert plain["folded"] == ["s"] and kept["folded"] == []
    rows = [[each[key] for key in ("from", "to", "dependence", "tokens")] for each in kept["channels"]]
    assert ["s", "s_2", "flow", 1] in rows and ["s", "s_2", "flow", 1] not in [
        [each[key] for key in ("from", "to", "dependence", "tokens")] for each in plain["channels"]
    ]
    assert (
        {each["dependence"] for each in plain["channels"]}
        == {"flow"}
        < {each["dependence"] for each in kept["channels"]}
    )
    network = derive(load_programs(str(file))[0], hazards=True)
    assert {each["name"] for each in kept["channels"]} == {channel.name for channel in network.channels}
    assert all(each["selftimed_size"] for each in kept["channels"] if each["dependence"] == "flow")
