"""Commands on networks take C sources: a function of affine loops becomes a process per statement."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import ppnsim
from ppnsim.c.load import Kernels
from ppnsim.errors import InputError
from tests.helpers.commands import ppnsim as command

KERNELS = Path(__file__).parents[2] / "scenarios" / "kernels"
PREDICTOR = str(KERNELS / "predictor.c")
FINISH = 83  # van Teijlingen 2014, section 6.3.1: 830 ns at 10 ns, latencies of 3 cycles


def answer(*arguments: str, code: int = 0) -> dict[str, Any]:
    done = command(*arguments, "--json", "-")
    assert done.exit_code == code, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_run_takes_a_kernel_with_its_cycles_and_clock() -> None:
    found = answer("run", PREDICTOR, "--latency", "3", "--clock", "200 MHz")
    assert (found["finish"], found["time_ns"]) == (FINISH, FINISH * 5.0)
    assert found["source"]["function"] == "predictor"
    assert found["source"]["made_of"] == "statements"
    lines = Path(PREDICTOR).read_text(encoding="utf-8").splitlines()
    for name, place in found["source"]["processes"].items():
        file, _, line = place.rpartition(":")
        assert file == PREDICTOR
        assert name in lines[int(line) - 1]


def test_what_was_taken_is_said_on_the_error_stream() -> None:
    done = command("run", PREDICTOR)
    assert done.stderr == f"{PREDICTOR}: function 'predictor' at 10 ns: 3 statements, 5 channels\n"


def test_every_command_gives_what_it_gives_for_the_derived_network(tmp_path: Path) -> None:
    derived = str(tmp_path / "derived.json")
    assert command("derive", PREDICTOR, "--latency", "3", "-o", derived).exit_code == 0
    for name, *options in (
        ["run"], ["explain", "--top", "0"], ["estimate"], ["size", "--no-front"],
        ["sweep", "--vary", "transformer->sink.depth=1:3", "--jobs", "1"],
    ):  # fmt: skip
        from_c, from_json = (answer(name, *each, *options) for each in ([PREDICTOR, "--latency", "3"], [derived]))
        for key in ("source", "file", "pragmas", "seconds"):
            from_c.pop(key, None)
            from_json.pop(key, None)
        assert from_c == from_json, name


def test_draw_and_export_take_it(tmp_path: Path) -> None:
    picture, network = tmp_path / "network.dot", tmp_path / "network.json"
    assert answer("draw", PREDICTOR, "-o", str(picture))["processes"] == 3
    assert "transformer" in picture.read_text(encoding="utf-8")
    assert answer("export", PREDICTOR, "--latency", "3", "-o", str(network))["channels"] == 5
    assert answer("run", str(network))["finish"] == FINISH


def test_streams_of_arrays_are_asked_for_as_of_derive() -> None:
    with_io = answer("run", str(KERNELS / "atax.c"), "--io", "-D", "M=5", "-D", "N=6")
    assert {"in_A", "in_x", "out_y"} <= set(with_io["processes"])


def test_python_gets_the_network_and_the_loop_programs_by_kind() -> None:
    network = ppnsim.load(PREDICTOR, latency=3, clock="5 ns")
    assert isinstance(network, ppnsim.Network)
    assert (ppnsim.run(network).finish, network.clock_ns) == (FINISH, 5.0)
    assert isinstance(ppnsim.load(PREDICTOR, "Kernels"), Kernels)
    assert ppnsim.load_network(PREDICTOR, function="predictor").name == "predictor"


SEVERAL = """
void first(int a[4], int b[4]) { for (int i = 0; i < 4; i++) b[i] = a[i]; }
void second(int a[4], int b[4]) { for (int i = 0; i < 4; i++) b[i] = a[i] + 1; }
"""


def test_of_several_functions_one_is_chosen(tmp_path: Path) -> None:
    path = tmp_path / "several.c"
    path.write_text(SEVERAL, encoding="utf-8")
    done = command("run", str(path))
    assert done.exit_code == 2
    assert f"{path}: holds 2 kernels: choose one with --function (first, second)" in done.stderr
    assert answer("run", str(path), "--function", "second")["source"]["function"] == "second"
    wrong = command("run", str(path), "--function", "secnd")
    assert wrong.exit_code == 2
    assert f"{path}: no function 'secnd' with a body (did you mean 'second'?)" in wrong.stderr


@pytest.mark.parametrize("option", [["--device", "xc7z020"], ["--pragma", "pipeline"], ["--unsafe-math"]])
def test_what_says_something_of_dataflow_regions_only_is_refused_without_one(option: list[str]) -> None:
    done = command("run", PREDICTOR, *option)
    assert done.exit_code == 2
    assert "has no '#pragma HLS dataflow', so it becomes a network of its statements" in done.stderr
    assert option[0][2:].partition("-")[0] in done.stderr


@pytest.mark.parametrize("name", ["run", "explain", "estimate", "size"])
def test_options_of_sources_are_refused_for_other_files(name: str) -> None:
    file = str(KERNELS.parent / "networks" / "fork_join.toml")
    done = command(name, file, "--device", "xc7z020", "-D", "N=4", "--function", "f", "--clock", "5 ns")
    assert done.exit_code == 2
    assert done.stderr.startswith(f"{file}: --function, -D, --device, --clock can only be used with C and C++ sources")


def test_options_of_graphs_are_refused_for_sources() -> None:
    done = command("run", PREDICTOR, "--iterations", "3")
    assert done.exit_code == 2
    assert "--iterations can only be used with SDF3 graphs (.xml)" in done.stderr


def test_depths_cannot_be_written_into_a_source_without_streams(tmp_path: Path) -> None:
    copy = tmp_path / "copy.c"
    done = command("size", PREDICTOR, "--out", str(copy))
    assert done.exit_code == 2
    assert "function 'predictor' has no '#pragma HLS dataflow', so there are no depths to write" in done.stderr
    assert not copy.exists()


@pytest.mark.parametrize(
    ("file", "copy", "message"),
    [
        (PREDICTOR, PREDICTOR, f"--out: '{PREDICTOR}' is the source itself; choose another name"),
        (
            "net.toml",
            "copy.c",
            "--out copy.c: 'net.toml' is not a C or C++ source, which pragmas could be written to",
        ),
        (PREDICTOR, "nowhere/copy.c", "--out nowhere/copy.c: there is no directory 'nowhere'"),
    ],
)
def test_copies_that_cannot_be_written_are_refused_before_any_work(file: str, copy: str, message: str) -> None:
    with pytest.raises(InputError) as refused:
        command("size", file, "--out", copy)
    assert str(refused.value) == message
