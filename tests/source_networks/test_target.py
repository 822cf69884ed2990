"""What a dataflow region is scheduled for, when a project says some of it."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import pytest

import ppnsim
from ppnsim.errors import InputError
from ppnsim.formats.shipped import directory
from ppnsim.hls.library.uncertainty import ClockUncertainty
from ppnsim.hls.project.model import Project
from ppnsim.source_networks.target import Target

PROJECT = Project(file="run.tcl", top="f", sources=("f.cpp",), part="xcu280", clock_ns=4.0, unsafe_math=True)


def test_what_a_target_says_wins_over_its_project_and_nothing_is_lost() -> None:
    said = Target(
        device="xc7z020",
        clock="5 ns",
        clock_uncertainty=ClockUncertainty("10%"),
        unsafe_math=True,
        flow="vitis",
        release="2022.2",
        reports="solution1/syn/report",
        memory="DDR4-2400",
        outside={"s": 8},
        by_vivado=True,
    )
    assert all(getattr(said, each.name) for each in fields(Target) if each.name != "project")
    assert said.under(PROJECT) == replace(said, project=PROJECT)


def test_a_project_says_what_its_target_does_not() -> None:
    assert Target().under(PROJECT) == Target(
        device="xcu280", clock=4.0, unsafe_math=True, flow=PROJECT.flow, project=PROJECT
    )
    assert Target().under(replace(PROJECT, clock_ns=0, part="")).clock is None


@pytest.mark.parametrize(
    ("options", "cycles"),
    [({}, 2594), ({"flow": "vivado"}, 544), ({"release": "2019.1"}, 1039), ({"clock_uncertainty": "60%"}, 2595)],
)
def test_run_and_schedule_take_the_same_target(options: dict[str, str], cycles: int) -> None:
    source = str(directory() / "hls" / "add_vectors.cpp")
    network = ppnsim.load(source, "SourceNetwork", **options).network
    (kernel,) = ppnsim.schedule(source, **options).kernels  # type: ignore[arg-type]
    assert (ppnsim.run(network).finish, kernel.machine.cycles) == (cycles, cycles)


@pytest.mark.parametrize("options", [{"flow": "vivado"}, {"release": "2022.2"}, {"clock_uncertainty": "30%"}])
def test_a_network_of_statements_has_no_tool(options: dict[str, str]) -> None:
    option = f"--{next(iter(options)).replace('_', '-')}"
    with pytest.raises(InputError, match=f"for which {option} means nothing"):
        ppnsim.load(directory() / "kernels" / "gemm.c", "SourceNetwork", **options)
    with pytest.raises(InputError, match="--release: 'new' is no release of the tool"):
        ppnsim.load(directory() / "hls" / "add_vectors.cpp", "SourceNetwork", release="new")


@pytest.mark.parametrize("release", ["2022.9", "2018.4", "2019.3", "2031.1", "2022.0"])
def test_a_release_that_does_not_exist_is_refused_with_those_that_do(release: str) -> None:
    with pytest.raises(InputError, match=f"'{release}' is no release of the tool, like 2022.2: it has "):
        ppnsim.schedule(directory() / "kernels" / "gemm.c", release=release)


@pytest.mark.parametrize("way", ["source", "pragma", "script"])
def test_a_pointer_is_on_a_bus_wherever_its_directive_stands(way: str, tmp_path: Path) -> None:
    """A pointer that is only dereferenced was a single value if the directive stood outside of the source: 0 cycles."""
    inside = "#pragma HLS interface m_axi port=d depth=1\n" if way == "source" else ""
    text = f"void f(int *d) {{\n{inside} static int acc = 0; acc += *d; *d = acc; }}\n"
    (tmp_path / "f.cpp").write_text(text, encoding="utf-8")
    lines = ["open_project p", "set_top f", "add_files f.cpp", "open_solution s", "set_part xc7z020-clg484-1"]
    lines += ["create_clock -period 10", "set_directive_interface -mode m_axi f d -depth 1"]
    (tmp_path / "run.tcl").write_text("\n".join(lines), encoding="utf-8")
    file = tmp_path / ("run.tcl" if way == "script" else "f.cpp")
    found = ppnsim.schedule(file, pragmas=["interface m_axi port=d depth=1"] if way == "pragma" else [], flow="vitis")
    assert (found.to_dict()["cycles"], found.to_dict()["without_effect"]) == (142, [])
