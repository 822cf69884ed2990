"""``ppnsim explore``: what it prints, what its JSON says, and that its options make the points it claims."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ppnsim.cli.app import app
from ppnsim.derive.designs.walk import DesignWalk

KERNELS = Path(__file__).parents[2] / "scenarios" / "kernels"
ATAX = [str(KERNELS / "atax_thesis.c"), "--io", "--latency", "3"]
KEEP = ["--keep", "in_A", "--keep", "out_y"]


def explored(*arguments: str, code: int = 0) -> Any:
    result = CliRunner().invoke(app, ["explore-splits", *arguments, "--json", "-"], catch_exceptions=False)
    assert result.exit_code == code, result.stderr
    return json.loads(result.stdout)


def test_the_options_of_the_front_make_its_points() -> None:
    front = explored(*ATAX, *KEEP)["front"]
    assert [front[0]["finish"], front[-1]["finish"]] == [5042, 1198]
    for point in front:
        arguments = ["profile", *ATAX, *point["options"], "--no-channels", "--json", "-"]
        entry = json.loads(CliRunner().invoke(app, arguments, catch_exceptions=False).stdout)
        assert entry["absolute"]["finish"] == point["finish"]
        assert entry["absolute"]["parallelism"]["maximum"] == point["parallelism"]["maximum"]
        assert entry["absolute"]["parallelism"]["average"] == pytest.approx(point["parallelism"]["average"])
        assert len(entry["statements"]) == point["processes"]


def test_the_json_tells_both_ends_and_what_was_left_alone() -> None:
    entry = explored(*ATAX, *KEEP)
    assert (entry["absolute"]["finish"], entry["absolute"]["processes"]) == (5042, 6)
    assert (entry["unbounded"]["finish"], entry["unbounded"]["processes"]) == (330, 3168)
    assert entry["bound"]["finish"] == 1198
    assert {row["name"] for row in entry["statements"] if row["reason"] == "kept"} == {"in_A", "out_y"}
    rules = {row["rule"]: (row["finish"], row["processes"]) for row in entry["by_rule"]}
    assert rules["innermost loops unfolded"] == (1198, 130)
    assert rules["innermost loops cut in two"] == (2562, 10)
    assert entry["steps"][1]["changed"] == [
        {"statement": "tmp", "splits": [{"method": "cut", "loop": "j", "factor": 2}]}
    ]


def test_the_terminal_gets_the_answer_first_and_the_reason_last(tmp_path: Path) -> None:
    picture = tmp_path / "space.svg"
    arguments = ["explore-splits", str(KERNELS / "durbin.c"), "--latency", "3", "--plot", str(picture)]
    result = CliRunner().invoke(app, arguments, catch_exceptions=False, env={"COLUMNS": "200"})
    lines = result.stdout.splitlines()
    assert result.exit_code == 0
    assert "4528 -> 4490 cycles" in lines[0]
    assert any("not tried: each execution needs what the one before it made" in line for line in lines)
    assert "the walk ends: the unbounded throughput is reached" in lines
    assert "unbounded throughput" in picture.read_text(encoding="utf-8")


def test_the_exhaustive_search_judges_the_walk() -> None:
    entry = explored(str(KERNELS / "predictor.c"), "--latency", "3", "--exhaustive")
    assert entry["exhaustive"]["designs"] == 36 * 16 * 16
    assert entry["exhaustive"]["finish"] >= entry["exhaustive"]["best_finish"]


def test_an_unreachable_target_is_told() -> None:
    assert explored(*ATAX, *KEEP, "--target", "1000")["target"] == {"cycles": 1000, "reached": False}
    result = CliRunner().invoke(app, ["explore-splits", *ATAX, *KEEP, "--target", "1000"], catch_exceptions=False)
    assert "target of 1000 cycles: no design reaches it" in result.stdout.splitlines()


def test_an_interrupt_keeps_the_designs_found_until_then(monkeypatch: pytest.MonkeyPatch) -> None:
    better = DesignWalk._better

    def once(self: DesignWalk, point: Any) -> Any:
        if len(self.steps) == 2:
            raise KeyboardInterrupt
        return better(self, point)

    monkeypatch.setattr(DesignWalk, "_better", once)
    entry = explored(*ATAX, *KEEP, code=130)
    assert entry["interrupted"] is True
    assert [row["finish"] for row in entry["steps"]] == [5042, 2562]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--keep", "in_AA"], "no statement is called 'in_AA' (did you mean 'in_A'?)"),
        (["--max-processes", "2"], "at most 2 processes are allowed, but it has 6 as it is"),
        (["--target", "0"], "--target: 0 is below 1 cycle"),
        (["--plot", "space.jpeg"], "--plot space.jpeg: '.jpeg' is none of .svg, .png, .pdf"),
        (
            ["-D", "NX=1300", "-D", "NY=1300"],
            "kernel_atax_thesis: 5073900 executions are too many to explore (at most 5000000)",
        ),
        (["--exhaustive"], "kernel_atax_thesis: 1000000000 designs are too many to look at them all"),
    ],
)
def test_options_that_make_no_sense_are_told(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(app, ["explore-splits", *ATAX, *arguments])
    told = result.stderr + (str(result.exception) if result.exception else "")
    assert message in told
    assert getattr(result.exception, "exit_code", result.exit_code) == 2


def test_a_timing_file_stands_for_its_options(tmp_path: Path) -> None:
    file = tmp_path / "cycles.toml"
    file.write_text("[latency]\n'*' = 3\n")
    source = str(KERNELS / "predictor.c")
    assert explored(source, "--timing", str(file))["steps"] == explored(source, "--latency", "3")["steps"]


def test_two_runs_say_the_same() -> None:
    first, second = (explored(*ATAX, *KEEP) for _ in range(2))
    del first["seconds"], second["seconds"]
    assert first == second
