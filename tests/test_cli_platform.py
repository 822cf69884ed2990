"""``ppnsim platform``, ``predict``, ``compare``, and ``run`` of platforms."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ppnsim.formats.shipped import shipped_platforms

FILES = {platform.name: str(platform.path) for platform in shipped_platforms()}


def ppnsim(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ppnsim", *arguments], capture_output=True, text=True, check=False, timeout=120
    )


def answer(*arguments: str) -> Any:
    done = ppnsim(*arguments, "--json", "-")
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def test_compare_has_both_times_and_their_difference_by_name() -> None:
    result = answer("compare", FILES["image_filter"])
    for name, predicted in result["predicted"].items():
        simulated, difference = result["simulated"][name], result["difference"][name]
        assert difference == pytest.approx(simulated - predicted, abs=1e-15)
        assert sum(reason["seconds"] for reason in result["reasons"][name]) == pytest.approx(difference, abs=1e-15)
    # RATSS Table IX: 5.24e-3 s, which only the input port explains.
    assert result["simulated"]["filter.t_comp"] == pytest.approx(5.24172e-3)
    assert "input port" in result["reasons"]["filter.t_comp"][0]["assumption"]


def test_predict_has_an_equation_for_every_term() -> None:
    result = answer("predict", FILES["molecular_dynamics"])
    assert result["predicted"].keys() == result["equations"].keys()
    assert result["speedup"] == pytest.approx(5.12, abs=0.005)  # RATSS Table XII


def test_predict_varies_any_key() -> None:
    vary = "--vary", "node.cpu.count=2,4", "--vary", "node.fpga.clock=195 MHz,390 MHz"
    results = answer("predict", FILES["pdf_2_nodes"], *vary)
    times = [each["predicted"]["estimate.t_fpga"] for each in results]
    assert len(times) == 4
    assert times[0] == pytest.approx(2 * times[1]) == pytest.approx(2 * times[2])
    assert results[3]["changes"] == {"node.cpu.count": 4, "node.fpga.clock": "390 MHz"}


def test_run_recognises_a_platform_and_writes_its_timeline(tmp_path: Path) -> None:
    result = answer("run", FILES["image_filter"], "--out", str(tmp_path))
    assert result["makespan"] == pytest.approx(1.92405e-2, rel=1e-5)
    assert {path.name for path in tmp_path.iterdir()} == {
        "gantt.png", "platform.png", "result.json", "shares.png", "timeline.csv", "utilisation.png"
    }  # fmt: skip
    with (tmp_path / "timeline.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {row["where"] for row in rows} >= {"map[0]", "map[1]", "host[0] out"}
    assert max(float(row["end_s"]) for row in rows) == result["makespan"]


def test_run_refuses_options_of_networks_for_a_platform() -> None:
    done = ppnsim("run", FILES["image_filter"], "--depth", "3")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--depth can only be used with networks; this file holds a platform" in done.stderr


def test_platform_lists_provenance_and_draws(tmp_path: Path) -> None:
    done = ppnsim("platform", "preset:src6", "-o", str(tmp_path / "src6.svg"))
    assert done.returncode == 0
    assert "measured: RATSS Table VI" in done.stdout
    assert (tmp_path / "src6.svg").read_text().startswith("<?xml")
    result = answer("platform", "preset:nallatech-h101")
    assert result["category"].startswith("NNUS")
    assert [part["name"] for part in result["parts"]] == ["cpu", "fpga", "ethernet", "pcix"]


def test_platform_prints_toml_that_it_reads(tmp_path: Path) -> None:
    text = ppnsim("platform", FILES["image_filter"], "--toml").stdout
    (tmp_path / "copy.toml").write_text(text)
    one, two = (answer("predict", file)["predicted"] for file in (FILES["image_filter"], str(tmp_path / "copy.toml")))
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
@pytest.mark.parametrize("command", ["predict", "compare"])
def test_bad_input_is_one_message_and_exit_code_2(command: str, text: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(text)
    done = ppnsim(command, str(file))
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert done.stderr.startswith(str(file))
    assert len(done.stderr.strip().split("\n")) == 1


def test_a_closed_form_that_does_not_hold_is_refused_and_the_run_goes_on(tmp_path: Path) -> None:
    text = Path(FILES["image_filter"]).read_text().replace('algorithm = "serialised"', 'algorithm = "binomial"')
    file = tmp_path / "tree.toml"
    file.write_text(text)
    refused = ppnsim("predict", str(file))
    assert refused.returncode == 2
    assert "P = 3 is no power of two from 2 on" in refused.stderr
    assert answer("run", str(file))["messages"] == 4


@pytest.mark.parametrize("command", ["platform", "predict", "compare"])
def test_help_has_an_example(command: str) -> None:
    done = ppnsim(command, "--help")
    assert done.returncode == 0
    assert f"ppnsim {command} " in done.stdout
    assert "Example" in done.stdout
