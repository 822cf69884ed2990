"""``ppnsim size`` from the outside: JSON, exit codes, messages, the picture."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ppnsim.cli.app import app
from ppnsim.cli.options.outputs import Output
from ppnsim.cli.options.sizing import SizingOptions
from ppnsim.cli.size import shown_after, told_after
from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.explore.fifo.problem import Problem, Values, Vector
from ppnsim.explore.fifo.sizing import FifoSizing, problem_of
from ppnsim.files import load, load_network
from ppnsim.library.save import save
from ppnsim.library.size import size as size_of
from ppnsim.library.subject import NetworkFile
from ppnsim.model.builders import fork_join
from ppnsim.model.network import Network

FORK_JOIN = str(Path(__file__).parents[2] / "scenarios" / "networks" / "fork_join.toml")
runner = CliRunner()


def size(*arguments: str, exit_code: int = 0) -> dict[str, Any]:
    outcome = runner.invoke(app, ["size", *arguments, "--json", "-"])
    assert outcome.exit_code == exit_code, outcome.output
    result: dict[str, Any] = json.loads(outcome.stdout)
    return result


def test_json_has_the_answers_with_depths_by_channel() -> None:
    result = size(FORK_JOIN, "--target", "45")
    for question in ("deadlock_free", "target", "lossless"):
        row = result[question]
        assert row["total"] == sum(row["depths"].values())
        assert row["bits"] == 32 * row["total"]
        assert row["certified"] is True
    assert (result["lossless"]["finish"], result["unbounded"]["finish"]) == (37, 37)
    assert result["target"]["finish"] <= 45
    assert result["front"][-1]["total"] == result["lossless"]["total"]
    assert result["gap"] is None


def test_the_front_of_a_network_without_channels_is_its_only_point(tmp_path: Path) -> None:
    """It was open: "HiGHS stops with Empty: points between these costs may be missing"."""
    (alone := tmp_path / "alone.toml").write_text("[process.a]\nfirings = 4\n", encoding="utf-8")
    result = size(str(alone))
    assert ([(each["total"], each["finish"]) for each in result["front"]], result["gap"]) == ([(0, 4)], None)


def test_the_period_is_given_exactly() -> None:
    result = size(FORK_JOIN, "--objective", "period")
    assert (result["lossless"]["period"], result["lossless"]["period_exact"]) == (1, "1")
    assert "finish" not in result["lossless"]


def test_the_terminal_says_what_one_token_less_loses() -> None:
    outcome = runner.invoke(app, ["size", FORK_JOIN])
    first, *_ = outcome.stdout.splitlines()
    assert first.startswith("fork and join   finish 37 with unbounded FIFOs   no loss with 19 tokens")
    assert "1 cycle lost" in outcome.stdout
    assert "proven: nothing cheaper does" in outcome.stdout


def test_an_answer_says_which_inequalities_force_it() -> None:
    outcome = runner.invoke(app, ["size", FORK_JOIN])
    assert "short_in + short_out >= 15, or the finish is at least 38" in outcome.stdout
    (row,) = [each for each in size(FORK_JOIN)["lossless"]["forced"] if len(each["sum"]) == 2]
    assert row["else"] == {"finish": 38}


def test_near_enough_is_not_called_proven() -> None:
    result = size(FORK_JOIN, "--no-front", "--within", "300%")
    lossless = result["lossless"]
    if not lossless["certified"]:
        (gap,) = [gap for gap in result["gap"] if gap["question"] == "lossless"]
        assert gap["lower"] <= 19 <= gap["upper"] == lossless["cost"]
        assert gap["not_searched"] == "within 300.0% of what is proven, as asked"
    assert lossless["finish"] == 37


def test_seconds_that_are_spent_are_named() -> None:
    result = size(FORK_JOIN, "--seconds", "1e-9")
    assert {gap["not_searched"].split(":")[0] for gap in result["gap"]} == {"the 1e-09 seconds are spent"}


def test_files_together_get_one_set_of_depths(tmp_path: Path) -> None:
    other = tmp_path / "slower.toml"
    other.write_text(Path(FORK_JOIN).read_text().replace("latency = 12", "latency = 20"))
    result = size(FORK_JOIN, str(other), "--together", "--no-front")
    assert [row["finish"] for row in result["lossless"]["scenarios"]] == [37, 45]
    assert result["front"] == []


def test_limits_groups_and_a_warm_start(tmp_path: Path) -> None:
    path = tmp_path / "first.json"
    first = size(FORK_JOIN, "--limit", "long_in=2:16", "--group", "short_in,short_out")
    path.write_text(json.dumps(first))
    again = size(FORK_JOIN, "--limit", "long_in=2:16", "--group", "short_in,short_out", "--start", str(path))
    assert again["lossless"]["total"] == first["lossless"]["total"] == 20
    assert again["lossless"]["depths"]["short_in"] == again["lossless"]["depths"]["short_out"] == 8


def test_a_table_of_memories_replaces_the_one_of_the_house(tmp_path: Path) -> None:
    table = tmp_path / "memories.toml"
    table.write_text('[[memory]]\nname = "M20K"\nbits = 20480\nshapes = [[512, 40]]\n')
    result = size(FORK_JOIN, "--cost", "fpga", "--memories", str(table))
    # A block holds any of these FIFOs: all answers cost four.
    assert {row["cost"] for row in result["front"]} == {4 * 20480}
    assert result["front"][0]["finish"] == 37


def test_the_front_is_drawn(tmp_path: Path) -> None:
    picture = tmp_path / "front.svg"
    size(FORK_JOIN, "--plot", str(picture))
    assert picture.read_text().startswith("<?xml")


def test_ctrl_c_keeps_the_answers_and_exits_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    walk = FifoSizing._run

    def interrupted(sizing: FifoSizing) -> None:
        sizing.with_front = False
        walk(sizing)
        sizing.with_front = True
        raise KeyboardInterrupt

    monkeypatch.setattr(FifoSizing, "_run", interrupted)
    result = size(FORK_JOIN, exit_code=130)
    assert result["interrupted"] is True
    assert result["lossless"]["total"] == 19
    assert [gap["question"] for gap in result["gap"]] == ["front"]


@pytest.mark.parametrize("after", [1, 2, 3, 10])
def test_ctrl_c_writes_the_best_depths_found_and_says_that_they_are_not_proven(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, after: int
) -> None:
    """Once the network was run at all there are depths without loss, also while depths without deadlock are sought."""
    times, copy = Problem._timed, tmp_path / "sized.toml"
    left = after

    def interrupted(problem: Problem, vector: Vector, *, limited: bool = True) -> Values:
        nonlocal left
        if not left:
            raise KeyboardInterrupt
        left -= 1
        return times(problem, vector, limited=limited)

    monkeypatch.setattr(Problem, "_timed", interrupted)
    outcome = runner.invoke(app, ["size", FORK_JOIN, "--no-front", "-o", str(copy)])
    assert outcome.exit_code == 130
    words = "fork and join with these depths, which are not proven to be the smallest, is in"
    assert words in " ".join(outcome.stdout.split())
    network = load(str(copy), "Network")
    assert isinstance(network, Network)
    assert all(channel.depth is not None for channel in network.channels)
    assert network.run().finish == 37


def test_ctrl_c_before_anything_was_run_claims_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Problem, "_timed", interrupted)
    outcome = runner.invoke(app, ["size", FORK_JOIN, "-o", str(tmp_path / "sized.toml")])
    assert outcome.exit_code == 130
    assert "finish not known yet" in outcome.stdout
    assert "never" not in outcome.stdout
    assert not (tmp_path / "sized.toml").exists()


def test_seconds_that_end_early_leave_depths_and_a_gap(tmp_path: Path) -> None:
    result = size(FORK_JOIN, "--no-front", "--seconds", "1e-9", "-o", str(tmp_path / "sized.toml"))
    assert result["lossless"]["certified"] is False
    assert {gap["question"] for gap in result["gap"]} == {"deadlock_free", "lossless"}
    network = load(str(tmp_path / "sized.toml"), "Network")
    assert isinstance(network, Network)
    assert network.run().finish == 37


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--target", "soon"], "--target: 'soon' is not a number of cycles (like 40, 6.5 or 13/2)"),
        (["--target", "0"], "--target: 0 is not above 0 cycles"),
        (["--within", "5"], "--within: '5' is not a part of the cost in per cent (like 5% or 0.5%)"),
        (["--seconds", "0"], "--seconds: 0 is not a number of seconds above 0"),
        (["--limit", "short_in"], "--limit short_in: is neither CHANNEL=LOW:HIGH, CHANNEL=N nor CHANNEL=unbounded"),
        (["--limit", "short_in=9:2"], "--limit short_in=9:2: depths go from 1 on, the lower one first"),
        (["--memories", "m.toml"], "--memories m.toml: --cost tokens takes no memory blocks (give --cost fpga)"),
        (["--plot", "front.jpeg"], "--plot front.jpeg: '.jpeg' is none of .svg, .png, .pdf"),
        (["--plot", "front.svg", "--no-front"], "--plot front.svg: there is no front to draw with --no-front"),
    ],
)
def test_wrong_options_are_refused(arguments: list[str], message: str) -> None:
    outcome = runner.invoke(app, ["size", FORK_JOIN, *arguments])
    assert isinstance(outcome.exception, InputError)
    assert str(outcome.exception) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "memory is missing"),
        ("[[memory]]\nname = 'a'\nbits = 1\n", "memory 'a': shapes is missing"),
        ("[[memory]]\nname = 'a'\nbits = 0\nshapes = [[1, 1]]\n", "memory 'a': bits = 0 must be at least 1"),
        (
            "[[memory]]\nname = 'a'\nbits = 1\nshapes = [[1, 1]]\nmax_depth = 2\n",
            "memory 'a': the last one takes every",
        ),
        ("memory = []", "there is no [[memory]]"),
        (
            "".join(f"[[memory]]\nname = '{name}'\nbits = 1\nshapes = [[1, 1]]\n" for name in "ab"),
            "memory 'a': all but the last one need max_depth or max_bits",
        ),
        ("[[memory]]\nname = 'a'\nbits = 1\nshapes = [[1]]\n", "memory 'a': shapes[0] = [1] must be [depth, width]"),
        (
            "[[memory]]\nnam = 'a'\nbits = 1\nshapes = [[1, 1]]\nname = 'a'\n",
            "memory 'a': unknown key 'nam' (did you mean 'name'?)",
        ),
    ],
)
def test_wrong_memory_tables_are_refused(tmp_path: Path, text: str, message: str) -> None:
    table = tmp_path / "memories.toml"
    table.write_text(text)
    outcome = runner.invoke(app, ["size", FORK_JOIN, "--cost", "fpga", "--memories", str(table)])
    assert isinstance(outcome.exception, InputError)
    assert str(outcome.exception).removeprefix(f"--memories: {table}: ").startswith(message)


def test_the_same_question_has_the_same_answer_whatever_the_hash_seed() -> None:
    answers = []
    for seed in ("1", "2"):
        command = [sys.executable, "-m", "ppnsim", "size", FORK_JOIN, "--json", "-"]
        outcome = subprocess.run(command, capture_output=True, text=True, env={"PYTHONHASHSEED": seed}, check=True)
        result = json.loads(outcome.stdout)
        result.pop("seconds")
        answers.append(result)
    assert answers[0] == answers[1]


def test_the_options_hand_on_who_is_told_of_progress_and_of_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    told: dict[str, Any] = {}
    monkeypatch.setattr("ppnsim.size", lambda _, **given: told.update(given))
    hands: dict[str, Any] = {name: lambda *_: None for name in ("progress", "bounds", "grown")}
    SizingOptions().sized([NetworkFile(network=fork_join(firings=20))], **hands)
    assert {name: told[name] for name in hands} == hands


def test_the_front_is_told_and_drawn_as_it_grows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture, ten_seconds_ago = tmp_path / "front.svg", time.perf_counter() - 10
    show = shown_after(ten_seconds_ago, Output(plot=picture), "bits")
    grown: list[int] = []

    def stopped_at_the_second_point(sizing: FifoSizing) -> None:
        show(sizing)
        grown.append(len(sizing.answers.front))
        if grown == [1, 2]:
            raise KeyboardInterrupt

    sizing = FifoSizing(problem=problem_of([fork_join(firings=20)], cost="bits"), grown=stopped_at_the_second_point)
    with pytest.raises(KeyboardInterrupt):
        sizing.run()
    assert grown == [1, 2]
    first = capsys.readouterr().err.splitlines()[0]
    assert first.partition(" s  ")[2] == (
        "front: 1 point, now 4 tokens (128 bits), 92 cycles; Ctrl-C ends it here, --no-front leaves it out"
    )
    assert "deadlock free: 128 bits, 92 cycles" in picture.read_text(encoding="utf-8")
    assert [gap.question for gap in sizing.answers.gaps] == ["front"]


@pytest.mark.parametrize(
    ("options", "code", "open_questions"),
    [
        (["--style=frozen", "--limit=short_in=1:1", "--limit=short_out=1:1"], 3, {"deadlock_free", "lossless"}),
        (["--target", "10"], 2, {"target"}),
    ],
)
def test_what_no_depth_reaches_has_an_exit_code_and_writes_nothing(
    options: list[str], code: int, open_questions: set[str], tmp_path: Path
) -> None:
    copy = tmp_path / "sized.toml"
    result = size(FORK_JOIN, *options, "--no-front", "-o", str(copy), exit_code=code)
    beyond = {gap["question"] for gap in result["gap"] if gap["not_searched"].startswith("out of reach")}
    assert (beyond, copy.exists(), "written" in result) == (open_questions, False, False)
    outcome = runner.invoke(app, ["size", FORK_JOIN, *options, "--no-front", "-o", str(copy)])
    assert f"{copy.name} is not written: there are no such depths" in outcome.output.replace("\n", "")


def test_a_target_out_of_reach_stands_in_the_first_line_with_the_best_that_is_possible() -> None:
    words = "fork and join   target 10 out of reach: {} the finish is {} cycles   no "
    found = size_of(FORK_JOIN, target=10, front=False)
    assert str(found).startswith(words.format("with unbounded FIFOs", 37))
    limits = dict.fromkeys(("short_in", "short_out", "long_in", "long_out"), (1, 1))
    found = size_of(FORK_JOIN, target=10, front=False, limits=limits)
    assert repr(found).startswith(f"<SizedFifos: {words.format('with the largest depths allowed', 92)}")


def test_what_memory_blocks_cost_stands_beside_the_tokens_and_ties_are_told() -> None:
    said = runner.invoke(app, ["size", FORK_JOIN, "--cost", "fpga", "--no-front"]).output
    assert "smallest depths   tokens   bits   memory bits   finish" in said
    assert [line.split()[2:6] for line in said.splitlines() if line.startswith("deadlock free")] == [
        ["4", "128", "4096", "92"]
    ]
    same = "32 of short_in, short_out, long_in, long_out"
    assert f"memory comes in blocks; as deep as this costs the same: {same}\n" in said
    limited = runner.invoke(app, ["size", FORK_JOIN, "--cost", "fpga", "--limit", "short_in=1:20"]).output
    assert "costs the same: 20 of short_in; 32 of short_out, long_in, long_out\n" in limited
    assert "costs the same" not in runner.invoke(app, ["size", FORK_JOIN]).output


@pytest.mark.parametrize(("suffix", "decode"), [(".toml", tomllib.loads), (".json", json.loads)])
def test_a_network_goes_from_standard_input_to_standard_output(suffix: str, decode: Any, tmp_path: Path) -> None:
    network = load_network(FORK_JOIN)
    save(network, given := tmp_path / f"given{suffix}")
    text = given.read_text(encoding="utf-8")
    sized = runner.invoke(app, ["size", "-", "-o", "-", "--no-front"], input=text)
    assert sized.exit_code == 0
    decode(sized.stdout)  # nothing but the network
    (file := tmp_path / f"sized{suffix}").write_text(sized.stdout, encoding="utf-8")
    assert (
        sum(channel.depth or 0 for channel in load_network(file).channels) == 19
        and run(load_network(file)).finish == 37
    )
    both = runner.invoke(app, ["size", "-", "-o", "-", "--json", "-"], input=text)
    assert both.exit_code != 0


def test_a_scenario_by_its_name_alone_is_told_where_it_is() -> None:
    with pytest.raises(InputError, match=r"^fork_join: no such file \(fork_join is shipped: .* --copy \. fork_join"):
        load_network("fork_join")
    with pytest.raises(InputError, match=r"ppnsim.scenarios\(\)\['gemm.c'\] is its path"):
        load_network("gemm.c")


@pytest.mark.parametrize(("upper", "said"), [(12, "at most 12, gap 20.0%"), (691200, "at most 691200")])
def test_bounds_far_apart_are_told_without_a_share(upper: int, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    told_after(time.perf_counter() - 10)("lossless", 10, upper)
    assert capsys.readouterr().err.partition(" s  ")[2] == f"lossless: at least 10, {said}\n"
