"""``ppnsim platform``, ``estimate``, ``compare``, and ``run`` of platforms."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ppnsim.cli.app import app
from ppnsim.formats.shipped import shipped

FILES = {platform.name: str(platform.path) for platform in shipped()["platform"]}


def ppnsim(*arguments: str) -> Any:
    """Run a command in this process and return click's result."""
    return CliRunner().invoke(app, list(arguments), catch_exceptions=False, env={"COLUMNS": "200"})


def answer(*arguments: str) -> Any:
    done = ppnsim(*arguments, "--json", "-")
    assert (done.exit_code, done.stderr) == (0, "")
    return json.loads(done.stdout)


def test_compare_has_both_times_and_their_difference_by_name() -> None:
    result = answer("compare", FILES["image_filter"])
    for name, predicted in result["predicted"].items():
        simulated, difference = result["simulated"][name], result["difference"][name]
        assert difference == pytest.approx(simulated - predicted, abs=1e-15)
        assert sum(reason["seconds"] for reason in result["reasons"][name]) == pytest.approx(difference, abs=1e-15)
    # RATSS Table IX: 5.24e-3 s, which only the input port explains.
    assert result["simulated"]["filter.t_comp"] == pytest.approx(5.24172e-3, rel=1e-12)
    assert "input port" in result["reasons"]["filter.t_comp"][0]["assumption"]


def test_predict_has_an_equation_for_every_term() -> None:
    result = answer("estimate", FILES["molecular_dynamics"])
    assert result["predicted"].keys() == result["equations"].keys()
    assert result["speedup"] == pytest.approx(5.12, abs=0.005)  # RATSS Table XII
    assert result["speedup"] == pytest.approx(5.118595516270911, rel=1e-12)


def test_predict_varies_any_key() -> None:
    vary = "--vary", "node.cpu.count=2,4", "--vary", "node.fpga.clock=195 MHz,390 MHz"
    results = answer("estimate", FILES["pdf_2_nodes"], *vary)["points"]
    times = [each["predicted"]["estimate.t_fpga"] for each in results]
    assert len(times) == 4
    assert times[0] == pytest.approx(2 * times[1]) == pytest.approx(2 * times[2])
    assert results[3]["changes"] == {"node.cpu.count": 4, "node.fpga.clock": "390 MHz"}


def test_a_sweep_of_predictions_is_a_row_each_and_takes_ranges_and_names() -> None:
    vary = "--vary", "node.map.count=2:6:2", "--vary", "stage.filter.input.broadcast.bytes=1 MiB,4193376"
    shown = ppnsim("estimate", FILES["image_filter"], *vary).stdout.split("\n")
    assert shown[1].split()[:3] == ["node.map.count", "stage.filter.input.broadcast.bytes", "filter.t_comp"]
    assert [row.split()[0] for row in shown[3:9]] == ["2", "2", "4", "4", "6", "6"]
    results = answer("estimate", FILES["image_filter"], *vary)["points"]
    assert results[1]["predicted"] == answer("estimate", FILES["image_filter"])["predicted"]


def test_a_point_of_a_sweep_that_has_no_equation_is_named() -> None:
    done = ppnsim("estimate", FILES["pdf_2_nodes"], "--vary", "node.cpu.count=2:4")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"{FILES['pdf_2_nodes']}: --vary node.cpu.count=3: stage 'estimate': transfer 'sca")


def test_run_recognises_a_platform_and_writes_its_timeline(tmp_path: Path) -> None:
    result = answer("run", FILES["image_filter"], "--out", str(tmp_path), "--plot", str(tmp_path))
    assert result["makespan"] == pytest.approx(1.924047625e-2, rel=1e-12)
    assert {path.name for path in tmp_path.iterdir()} == {
        "gantt.png", "platform.png", "report.html", "result.json", "shares.png", "timeline.csv", "utilisation.png"
    }  # fmt: skip
    with (tmp_path / "timeline.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {row["where"] for row in rows} >= {"map[0]", "map[1]", "host[0] out"}
    assert max(float(row["end_s"]) for row in rows) == result["makespan"]


def test_run_refuses_options_of_networks_for_a_platform() -> None:
    done = ppnsim("run", FILES["image_filter"], "--depth", "3")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "--depth can only be used with a network; this file holds a platform" in done.stderr


def test_platform_lists_provenance_and_draws(tmp_path: Path) -> None:
    done = ppnsim("platform", "preset:src6", "-o", str(tmp_path / "src6.svg"))
    assert done.exit_code == 0
    assert "measured: RATSS Table VI" in done.stdout
    assert (tmp_path / "src6.svg").read_text().startswith("<?xml")
    result = answer("platform", "preset:nallatech-h101")
    assert result["category"].startswith("NNUS")
    assert [part["name"] for part in result["parts"]] == ["cpu", "fpga", "ethernet", "pcix"]


def test_platform_lists_every_parameter_of_its_memories() -> None:
    result = answer("platform", "preset:aws-f1")
    (memory,) = [part for part in result["parts"] if part["kind"] == "memory"]
    rows = {row["parameter"]: row for row in memory["parameters"]}
    assert (rows["channels"]["value"], rows["tRP"]["value"], rows["tRP"]["provenance"]) == (4, 15, "guess")
    shown = ppnsim("platform", "preset:aws-f1").stdout
    assert "CL 15, CWL 11" in shown
    assert "guess: two ranks of 8 Gb x8 devices make 16 GiB" in shown


def test_platform_lists_and_draws_a_network_placed_on_nodes(tmp_path: Path) -> None:
    file = "scenarios/networks/dram_copy.toml"
    result = answer("platform", file, "-o", str(tmp_path / "copy.svg"))
    assert (tmp_path / "copy.svg").read_text().startswith("<?xml")
    parts = {part["name"]: part for part in result["parts"]}
    assert {name: part["kind"] for name, part in parts.items()} == {
        "fpga": "node", "source": "memory", "module": "memory"
    }  # fmt: skip
    assert {"parameter": "processes", "value": "load, store", "provenance": None} in parts["fpga"]["parameters"]
    timing = parts["module"]["parameters"][-1]
    assert timing["parameter"] == "timing"
    assert "tRP 10," in timing["value"]  # 13.5 ns at 667 MHz
    assert timing["provenance"].startswith("data sheet: a DDR3-1333 speed grade")
    refused = ppnsim("platform", file, "--toml")
    assert (refused.exit_code, refused.stderr) == (
        2, f"{file}: --toml: is for platforms; this file places a network on nodes\n"
    )  # fmt: skip


def test_platform_prints_toml_that_it_reads(tmp_path: Path) -> None:
    text = ppnsim("platform", FILES["image_filter"], "--toml").stdout
    (tmp_path / "copy.toml").write_text(text)
    one, two = (answer("estimate", file)["predicted"] for file in (FILES["image_filter"], str(tmp_path / "copy.toml")))
    assert one == two


BAD = [
    ("[platform]\npreset = 'src7'\n", "there is no preset 'src7' (did you mean 'src6'?)"),
    ("[platform]\npreset = 'src6'\n", "has no [stage.NAME], so there is nothing to predict or to run"),
    ("[platform]\npreset = 'src6'\n[node.map]\nprot = '8 bytes/cycle'\n", "unknown key 'prot' (did you mean 'port'?)"),
    ("[platform]\npreset = 'src6'\n[stage.s.compute]\non = 'cpu'\n"
     "elements = 1\nops_per_element = 1\nops_per_cycle = 1\n",
     "stage 's': compute: there is no node 'cpu' (known: host, map)"),
    ("[platform\n", ":1:"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "words"), BAD)
@pytest.mark.parametrize("command", ["estimate", "compare"])
def test_bad_input_is_one_message_and_exit_code_2(command: str, text: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(text)
    done = ppnsim(command, str(file))
    assert (done.exit_code, done.stdout) == (2, "")
    assert words in done.stderr
    assert done.stderr.startswith(str(file))
    assert len(done.stderr.strip().split("\n")) == 1


def test_a_closed_form_that_does_not_hold_is_refused_and_the_run_goes_on(tmp_path: Path) -> None:
    text = Path(FILES["image_filter"]).read_text().replace('algorithm = "serialised"', 'algorithm = "binomial"')
    file = tmp_path / "tree.toml"
    file.write_text(text)
    refused = ppnsim("estimate", str(file))
    assert refused.exit_code == 2
    assert "P = 3 is not a power of two from 2 on" in refused.stderr
    assert answer("run", str(file))["messages"] == 4


@pytest.mark.parametrize("command", ["platform", "estimate", "compare"])
def test_help_has_an_example(command: str) -> None:
    done = ppnsim(command, "--help")
    assert done.exit_code == 0
    assert f"ppnsim {command} " in done.stdout
    assert "Example" in done.stdout
    assert command != "platform" or "[node.NAME], [link.NAME], [memory.NAME]" in " ".join(done.stdout.split())
