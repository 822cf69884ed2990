"""Every option of a command reaches the function behind it: with its value, its usual value, and who hears of progress.

The function is put aside: what it is called with is all that a command adds to it.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ppnsim.cli.app import app
from ppnsim.cli.options.sizing import SizingOptions
from ppnsim.errors import InputError
from ppnsim.library.subject import NetworkFile
from ppnsim.model.builders import fork_join

SCENARIOS = Path(__file__).parents[2] / "scenarios"
GEMM, FORK_JOIN = (str(SCENARIOS / name) for name in ("kernels/gemm.c", "networks/fork_join.toml"))
TWO_FPGAS = str(SCENARIOS / "networks/two_fpgas.toml")
KMEANS, SPMV = (str(SCENARIOS / name) for name in ("opencl/kmeans.cl", "rooflines/spmv.toml"))
NONE: dict[str, Any] = {"function": None, "include": [], "defines": {}, "settings": {}}
FEW = NONE | {"defines": {"NI": "4"}, "settings": {"k": 2}, "include": ["inc"], "function": "f"}
_FEW = "-D NI=4 --set k=2 -I inc --function f"
_TARGET, TARGET = "--device xcvu9p --clock '5 ns'", {"device": "xcvu9p", "clock": "5 ns"}
PLAIN = {"device": None, "clock": None}
_UNSURE, UNSURE, SURE = "--clock-uncertainty 10%", {"clock_uncertainty": "10%"}, {"clock_uncertainty": None}

# The function by its place, the command line, what it is called with besides the file; True: by name.
HANDED: dict[str, tuple[str, str, dict[str, Any]]] = {
    "directives": (
        "ppnsim.explore_directives",
        f"explore-directives {GEMM} {_FEW} {_TARGET} --exhaustive --most 7 --unsafe-math --out designs.csv {_UNSURE}",
        FEW | TARGET | UNSURE
        | {"exhaustive": True, "most": 7, "unsafe_math": True, "out": Path("designs.csv"), "progress": True},
    ),
    "directives as usual": (
        "ppnsim.explore_directives",
        f"explore-directives {GEMM}",
        NONE | PLAIN | SURE | {"exhaustive": False, "most": None, "unsafe_math": False, "out": None, "progress": True},
    ),
    "explain": ("ppnsim.explain", f"explain {FORK_JOIN} --top 3", {"top": 3, "progress": True, "trials": True}),
    "explain as usual": ("ppnsim.explain", f"explain {FORK_JOIN}", {"top": 8, "progress": True, "trials": True}),
    "splits": (
        "ppnsim.explore_splits",
        f"explore-splits {GEMM} -D NI=4 --latency 3 --ii 2 --io --keep a --keep b --target 9 --max-processes 7 "
        "--exhaustive",
        {
            "latency": {"*": 3}, "ii": {"*": 2}, "timing": None, "io": True, "keep": ["a", "b"], "target": 9,
            "max_processes": 7, "exhaustive": True, "progress": True,
        },
    ),
    "splits as usual": (
        "ppnsim.explore_splits",
        f"explore-splits {GEMM}",
        {
            "latency": {}, "ii": {}, "timing": None, "io": False, "keep": [], "target": None, "max_processes": 4096,
            "exhaustive": False, "progress": True,
        },
    ),
    "lost": (
        "ppnsim.lost",
        f"lost {GEMM} {_FEW} {_TARGET} {_UNSURE} --design none --learn NI --at NI=9 --sizes 1,2,3,4,5,6",
        FEW | TARGET | UNSURE | {
            "designs": ["none"], "learn": ["NI"], "at": [{"NI": 9}], "sizes": [1, 2, 3, 4, 5, 6], "progress": True,
        },
    ),
    "lost of a network": ("ppnsim.lost", f"lost {FORK_JOIN}", {"progress": True}),
    "memory": (
        "ppnsim.memory", "memory DDR4-2400 --vary banks=1,2 --requests 300",
        {"vary": ["banks=1,2"], "requests": 300, "progress": True},
    ),
    "memory simulated": (
        "ppnsim.memory", "memory DDR4-2400 --simulate", {"vary": ["all"], "requests": 10_000, "progress": True},
    ),
    "opencl": (
        "ppnsim.library.opencl.predicted",
        f"opencl {KMEANS} --set N=16 --vary W=4,5 --vary V=1:3 --tune --simulate",
        {
            "tune": True, "combinations": False, "simulate": True, "vary": {"W": [4, 5], "V": [1, 2, 3]},
            "progress": True,
        },
    ),
    "opencl as usual": (
        "ppnsim.library.opencl.predicted", f"opencl {KMEANS}",
        {"tune": False, "combinations": False, "simulate": False, "vary": {}, "progress": True},
    ),
    "profile": (
        "ppnsim.profile",
        f"profile {GEMM} {_FEW} --latency 3 --ii 2 --io --hazards --no-channels --clock 5ns --cut T --unfold S1=2",
        FEW | {
            "latency": {"*": 3}, "ii": {"*": 2}, "timing": None, "hazards": True, "io": True, "clock": "5ns",
            "rewrite": ["cut T", "unfold S1=2"], "channels": False, "progress": True,
        },
    ),
    "roofline": (
        "ppnsim.roofline",
        f"roofline {SPMV} {_TARGET} --memory DDR4-2400 --quanta 4 --metric flops --bank ddr[0] --simulate",
        TARGET | {
            "memory": "DDR4-2400", "quanta": 4, "metric": "flops", "banks": ["ddr[0]"], "simulate": True,
            "progress": True,
        },
    ),
    "schedule": (
        "ppnsim.schedule",
        f"schedule {GEMM} {_FEW} {_TARGET} --pragma '9: unroll factor=2' --unsafe-math --reports csynth --tclargs a "
        f"--solution s --worst {_UNSURE}",
        FEW | TARGET | UNSURE | {
            "pragmas": ["9: unroll factor=2"], "unsafe_math": True, "reports": Path("csynth"), "arguments": ["a"],
            "solution": "s", "worst": True, "flow": None, "release": None,
        },
    ),
    "schedule as usual": (
        "ppnsim.schedule", f"schedule {GEMM}",
        NONE | PLAIN | SURE | {"pragmas": [], "unsafe_math": False, "reports": None, "arguments": [], "solution": None,
                       "worst": False, "flow": None, "release": None},
    ),
    "sweep": (
        "ppnsim.sweep",
        f"sweep {FORK_JOIN} --vary short_in.depth=1:3 --jobs 2 --part 1/3 --occupancy -o rows.csv --convention sdf3",
        {
            "vary": ["short_in.depth=1:3"], "out": Path("rows.csv"), "samples": None, "seed": 0,
            "jobs": 2, "dask": None, "part": (1, 3), "merge": [], "occupancy": True, "progress": True,
        },
    ),
    "sweep of a source at sizes": (
        "ppnsim.sweep", f"sweep {GEMM} -D NJ=4 -D NK=4 --vary NI=2:4 --samples 2 --seed 9",
        {
            "vary": ["NI=2:4"], "out": None, "samples": 2, "seed": 9, "jobs": None, "dask": None, "part": (1, 1),
            "merge": [], "occupancy": False, "progress": True,
        },
    ),
    "sweep of a placement": (
        "ppnsim.sweep", f"sweep {TWO_FPGAS} --vary across.depth=8,16 --dask localhost:1",
        {
            "vary": ["across.depth=8,16"], "out": None, "samples": None, "seed": 0, "jobs": None, "dask": "localhost:1",
            "part": (1, 1), "merge": [], "occupancy": False, "progress": True,
        },
    ),
    "transform": (
        "ppnsim.transform", f"transform {GEMM} {_FEW} --unfold S1=2 --cut T -o out.c",
        FEW | {"rewrite": ["unfold S1=2", "cut T"]},
    ),
    "export": (
        "ppnsim.library.export.write_run", f"export {FORK_JOIN} --window 3:9 --table spans --format csv -o out.csv",
        {"flows": False, "progress": True},
    ),
    "estimate beside a run": (
        "ppnsim.comparison.compare.compare_subject", f"estimate {FORK_JOIN} --simulate",
        {"progress": True, "simulate": True},
    ),
    "estimate of several": (
        "ppnsim.comparison.compare.compare_subject", f"estimate {FORK_JOIN} --vary short_in.depth=1,2",
        {"progress": True, "simulate": False},
    ),
    "compare": (
        "ppnsim.comparison.compare.compare_subject", f"compare {FORK_JOIN} --tolerance 0.2",
        {"tolerance": 0.2, "progress": True, "simulate": True},
    ),
    "compare predictions": (
        "ppnsim.comparison.compare.compare_subject", f"compare {FORK_JOIN} --no-simulate",
        {"tolerance": 0.05, "progress": True, "simulate": False},
    ),
    "compare as usual": (
        "ppnsim.comparison.compare.compare_subject", f"compare {FORK_JOIN}",
        {"tolerance": 0.05, "progress": True, "simulate": True},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", HANDED)
def test_options_reach_the_function_of_a_command(case: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    place, line, wanted = HANDED[case]
    called: list[dict[str, Any]] = []

    def asked(*_: Any, **given: Any) -> Any:
        called.append(given)
        raise InputError("enough")

    monkeypatch.setattr(place, asked)
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, shlex.split(line))
    assert (done.exit_code, "enough" in done.output) == (2, True), done.output
    (given,) = called
    heard = {key: callable(value) if key in ("progress", "trials") else value for key, value in given.items()}
    assert heard == wanted


def test_options_of_size_reach_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    called: dict[str, Any] = {}
    monkeypatch.setattr("ppnsim.size", lambda _, **given: called.update(given))
    own = SizingOptions(
        objective="period", target="7", cost="bits", memories=None, limit=["c=2:4"], group=["a, b", "c"], front=False,
        budget=9, within="2%", seconds=3.0,
    )  # fmt: skip
    own.sized([NetworkFile(network=fork_join(firings=4))], progress=max, bounds=min, grown=sum)  # type: ignore[arg-type]
    assert called == {
        "objective": "period", "target": 7, "cost": "bits", "memories": None, "limits": {"c": (2, 4)},
        "groups": [["a", "b"], ["c"]], "front": False, "start": None, "budget": 9, "within": 0.02, "seconds": 3.0,
        "progress": max, "bounds": min, "grown": sum,
    }  # fmt: skip


LOOP = """name = "loop"
process.a = { firings = 6, latency = 3 }
process.b = { firings = 6, latency = 3 }
channel.there = { from = "a", to = "b", depth = 4 }
channel.back = { from = "b", to = "a", depth = 4%s }
"""
DOORS = {
    "run": "", "explain": "", "size": "", "lost": "", "estimate": "--simulate", "draw": "-o net.dot --simulate",
    "compare": "--model absolute", "sweep": "--vary there.depth=1,2", "export": "-o net.json", "report": "-o net.html",
}  # fmt: skip


@pytest.mark.parametrize("command", DOORS)
def test_initial_tokens_of_the_command_line_are_those_of_the_file(
    command: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told = {}
    for asked, given in (("file", []), ("--initial", ["--initial", "back=2"])):
        folder = tmp_path / asked
        folder.mkdir()
        monkeypatch.chdir(folder)
        (folder / "net.toml").write_text(LOOP % ("" if given else ", initial = 2"), encoding="utf-8")
        done = CliRunner().invoke(app, [command, "net.toml", *shlex.split(DOORS[command]), *given])
        assert done.exit_code == 0, done.output
        written = (each.read_text(encoding="utf-8") for each in sorted(folder.iterdir()) if each.name != "net.toml")
        told[asked] = [re.sub(r"\d+\.\d\d s", "", text) for text in (done.stdout, *written)]
    if command == "report":  # its page holds the file itself
        told = {asked: re.findall(r"finish \d+ cycles", words[0]) for asked, words in told.items()}
    assert told["file"] == told["--initial"]
