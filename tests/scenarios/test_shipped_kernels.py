"""``ppnsim scenarios`` lists the C kernels beside the networks, and copies them to be profiled."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ppnsim.cli.app import app
from ppnsim.errors import InputError
from ppnsim.formats.shipped import shipped

KERNELS = Path(__file__).parents[2] / "scenarios" / "kernels"


def test_every_kernel_is_listed_with_a_title_of_one_line() -> None:
    kernels = shipped()["kernel"]
    assert [each.name for each in kernels] == sorted(path.name for path in KERNELS.glob("*.c"))
    titles = {each.name: each.title for each in kernels}
    assert titles["gemm.c"] == "C = alpha A B + beta C, A: NI x NK, B: NK x NJ, C: NI x NJ"
    assert all(title and "*" not in title[:1] and "\n" not in title for title in titles.values())


def test_the_list_has_networks_and_kernels_of_one_name() -> None:
    listed = json.loads(CliRunner().invoke(app, ["scenarios", "--json", "-"]).stdout)
    assert {(each["name"], each["kind"]) for each in listed} >= {("predictor", "scenario"), ("predictor.c", "kernel")}
    lines = CliRunner().invoke(app, ["scenarios"]).stdout.splitlines()
    assert sum(line.startswith("predictor ") for line in lines) == sum(line.startswith("predictor.c") for line in lines)


def test_a_copied_kernel_can_be_profiled(tmp_path: Path) -> None:
    assert CliRunner().invoke(app, ["scenarios", "--copy", str(tmp_path), "predictor.c", "predictor"]).exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["predictor.c", "predictor.toml"]
    options = ["profile", str(tmp_path / "predictor.c"), "--latency", "3", "--no-channels", "--json", "-"]
    result = json.loads(CliRunner().invoke(app, options).stdout)
    assert (result["absolute"]["finish"], result["unbounded"]["finish"]) == (83, 45)


def test_all_scenarios_are_copied_without_kernels(tmp_path: Path) -> None:
    CliRunner().invoke(app, ["scenarios", "--copy", str(tmp_path)])
    assert {path.suffix for path in tmp_path.iterdir()} == {".toml"}


def test_a_kernel_that_is_not_shipped_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no shipped scenario is called 'atx\.c' \(did you mean 'atax\.c'\?\)"):
        CliRunner().invoke(app, ["scenarios", "--copy", str(tmp_path), "atx.c"], catch_exceptions=False)
